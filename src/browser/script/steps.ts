import type { CdpMessage } from '../../core/sources/cdp.ts';
import { defined } from '../../core/text/defined.ts';
import type { StepOutcome } from '../../model/recording/lab.ts';
import type { CalledStep, LoadScript, ScriptWire } from '../../model/recording/script.ts';
import type { IncidentFact } from '../../model/result/finding.ts';
import type { Failure } from '../../model/result/result.ts';
import { failure } from '../../wording/result/failure.ts';
import { startInactivityTimeout } from '../connect/inactivity-timeout.ts';
import { rejectOnAbort } from '../connect/reject-on-abort.ts';
import { createStep, type SteppedPage, type StepRecorder } from '../record/step.ts';
import { openPageWire } from './puppeteer-pages.ts';
import { addressOf, scriptLate, scriptPage, useScript } from './script-failure.ts';

/** The page in which the steps are done. */
export interface StepsOptions extends Omit<SteppedPage, 'ignoreRequest' | 'expected'> {
  readonly browserContextId: string;
  /** The URL that was loaded. */
  readonly url: string;
  /** Ids of requests that began in the load: they are not the steps'. */
  readonly loadedRequests: Iterable<string>;
}

/** The time after a load, in which a script does its steps. Takes what the page's sessions send from then on. */
export interface Steps {
  receive(message: CdpMessage): void;
  targetGone(sessionId: string): void;
  addIncident(fact: IncidentFact): void;
  /** Runs the script's `measure`; a step that fails is the last one. Rejects when the user ended it. */
  run(script: LoadScript, signal: AbortSignal): Promise<readonly StepOutcome[]>;
}

/** The name under which a failure outside all steps is reported. */
const OUTSIDE_STEPS = 'measure()';

/** Steps in the page of a load that is over. */
export function createSteps(options: StepsOptions): Steps {
  const ignored = new Set(options.loadedRequests);
  let current: StepRecorder | undefined;
  /** Rejects when the page crashes, and when the script is over. */
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);

  const run = async (
    script: LoadScript,
    wire: ScriptWire,
    aborted: Promise<never>,
  ): Promise<readonly StepOutcome[]> => {
    const use = useScript(script);
    const broken = Promise.race([ended.promise, aborted]);
    broken.catch(() => undefined);
    const limit = startInactivityTimeout(script.timeout, () => scriptLate(script.timeout));
    const done: StepOutcome[] = [];
    const names = new Set<string>();
    /** Without a step, outside all of them. */
    let failed: { readonly step?: string | undefined; readonly error: unknown } | undefined;
    /** Its stack has the line of the script that began the latest step. */
    let latestCall: Error | undefined;
    let pending: Promise<void> | undefined;
    /** The name of the step under way. */
    let underWay: string | undefined;
    const record = async (name: string, action: () => unknown): Promise<void> => {
      const recorder = createStep(name, {
        ...options,
        ...defined({ expected: script.expected?.get(name) }),
        ignoreRequest: (id) => ignored.add(id),
      });
      current = recorder;
      underWay = name;
      try {
        done.push(
          await recorder.run(async () => {
            limit.restart();
            await Promise.race([Promise.resolve().then(action), limit.expired]);
            limit.stop();
          }, broken),
        );
      } catch (error) {
        failed ??= { step: name, error };
        throw error;
      } finally {
        current = undefined;
        underWay = undefined;
        limit.restart();
      }
    };
    const step: CalledStep = (name, action, call) => {
      latestCall = call;
      const problem = stepProblem(name, action, names, current !== undefined);
      if (problem === undefined) {
        names.add(name);
        limit.stop();
        pending = record(name, action);
      } else {
        const error = new Error(problem);
        failed ??= { error };
        pending = Promise.reject(error);
      }
      // A script may forget to wait for it.
      pending.catch(() => undefined);
      return pending;
    };
    let isRunning = true;
    try {
      const page = scriptPage(options.browserContextId, wire, script);
      const measuring = script.script.measure?.(page, step, use.context).finally(() => {
        isRunning = false;
      });
      await Promise.race([measuring, limit.expired, broken]);
      await pending;
    } catch (error) {
      failed ??= { step: underWay, error };
    } finally {
      if (isRunning) script.script.end();
      limit.stop();
      // Ends a step that the script does not wait for.
      ended.reject(new Error('the script has finished'));
      await Promise.allSettled([pending]);
    }
    if (failed === undefined) return done;
    const { step: name = OUTSIDE_STEPS, error } = failed;
    const [part, call] = failed.step === undefined ? ['measure' as const] : [{ step: name }, latestCall];
    const url = await addressOf(options.browser.root, options.targetId);
    const reason = error instanceof PageCrash ? error.failure : use.failed(part, error, url, call);
    return [...done, { name, policy: options.policy, outcome: { ok: false, failure: reason } }];
  };

  return {
    receive(message) {
      if (message.method === 'Inspector.targetCrashed' && message.target === 'page') {
        ended.reject(new PageCrash(failure('page-crashed', { url: options.url })));
      }
      const id = requestIdIn(message);
      if (id !== undefined && ignored.has(id)) return;
      if (current) current.receive(message, id);
      else if (id !== undefined) ignored.add(id);
    },
    targetGone: (sessionId) => current?.targetGone(sessionId),
    addIncident: (fact) => current?.addIncident(fact),
    async run(script, signal) {
      const abortion = rejectOnAbort(signal);
      let wire: ScriptWire | undefined;
      try {
        wire = await openPageWire(options.browser, options.browserContextId, {
          pageAlone: true,
          onCommand: (method) => current?.command(method),
        });
        const outcomes = await run(script, wire, abortion.rejected);
        signal.throwIfAborted();
        return outcomes;
      } finally {
        abortion.stop();
        wire?.close();
      }
    },
  };
}

/** The renderer died in a step. */
class PageCrash extends Error {
  readonly failure: Failure;

  constructor(reason: Failure) {
    super(reason.message);
    this.failure = reason;
  }
}

/** What is wrong with how a step is asked for, if anything. */
function stepProblem(step: unknown, action: unknown, names: ReadonlySet<string>, busy: boolean): string | undefined {
  if (typeof step !== 'string' || step.trim() === '') {
    return 'a step needs a name: step("open the menu", async () => …)';
  }
  if (typeof action !== 'function') {
    return `the step "${step}" needs a function: step("${step}", async () => …)`;
  }
  if (names.has(step)) return `two steps are called "${step}"`;
  return busy ? `the step "${step}" begins inside another one: wait for each, await step(…)` : undefined;
}

/** The id of the request that a message is about, if any. */
function requestIdIn({ method, params }: CdpMessage): string | undefined {
  if (!method.startsWith('Network.')) return undefined;
  const { requestId, transportId } = (params ?? {}) as { readonly requestId?: string; readonly transportId?: string };
  return requestId ?? transportId;
}
