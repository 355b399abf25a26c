import type { Page } from 'puppeteer-core';
import { failure } from '../../core/load-failure.ts';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import type { StepOutcome } from '../../model/lab.ts';
import type { Incident } from '../../model/recording.ts';
import type { Failure } from '../../model/result.ts';
import type { LoadScript, ScriptOf, Step } from '../../model/script.ts';
import type { RunningBrowser } from './browser.ts';
import { createPatience } from './patience.ts';
import { type PuppeteerPage, pageInContext } from './puppeteer-pages.ts';
import { PUPPETEER_SHARE, placeOf, ScriptTimeout, useScript } from './script-failure.ts';
import { createStep, type SteppedPage, type StepRecorder } from './step.ts';

/** Where steps are done. */
export interface StepSurroundings extends Omit<SteppedPage, 'notOurs'> {
  readonly running: RunningBrowser;
  readonly browserContextId: string;
  /** What was loaded. */
  readonly url: string;
  /** Requests that the load has seen begin: they are not the steps'. */
  readonly known: Iterable<string>;
}

/** The time after a load, in which a script does its steps. Told what the page's sessions say from then on. */
export interface Steps {
  message(message: CdpMessage): void;
  gone(sessionId: string): void;
  incident(code: Incident['code'], message: string): void;
  /** Runs the script's `measure`; a step that fails is the last one. Rejects when the user ended it. */
  run(script: LoadScript, signal: AbortSignal): Promise<readonly StepOutcome[]>;
}

/** The name of what fails outside of every step. */
export const BETWEEN_STEPS = 'measure()';

/** Steps in the page of a load that is over. */
export function createSteps(surroundings: StepSurroundings): Steps {
  const known = new Set(surroundings.known);
  let current: StepRecorder | undefined;
  let crash: (error: Error) => void = () => undefined;
  const crashed = new Promise<never>((_, reject) => {
    crash = reject;
  });
  crashed.catch(() => undefined);

  const run = async (
    given: ScriptOf<Page>,
    script: LoadScript,
    { page }: PuppeteerPage,
    aborted: Promise<never>,
  ): Promise<readonly StepOutcome[]> => {
    const use = useScript(script);
    page.setDefaultTimeout(script.timeout * PUPPETEER_SHARE);
    const broken = Promise.race([crashed, aborted]);
    broken.catch(() => undefined);
    const patience = createPatience(script.timeout, () => new ScriptTimeout(script.timeout));
    const done: StepOutcome[] = [];
    const names = new Set<string>();
    let failed: { readonly name: string; readonly error: unknown } | undefined;
    /** Where the script asked for its latest step. */
    let asked: Error | undefined;
    let pending: Promise<void> | undefined;
    /** The step under way, when there is one. */
    let underWay: string | undefined;
    const record = async (name: string, action: () => unknown): Promise<void> => {
      const recorder = createStep(name, { ...surroundings, notOurs: (id) => known.add(id) });
      current = recorder;
      underWay = name;
      try {
        done.push(
          await recorder.run(async () => {
            patience.restart();
            await Promise.race([Promise.resolve().then(action), patience.lost]);
            patience.stop();
          }, broken),
        );
      } catch (error) {
        failed ??= { name, error };
        throw error;
      } finally {
        current = undefined;
        underWay = undefined;
        patience.restart();
      }
    };
    const step: Step = (name, action) => {
      asked = new Error(name);
      const wrong = wrongStep(name, action, names, current !== undefined);
      if (wrong === undefined) {
        names.add(name);
        patience.stop();
        pending = record(name, action);
      } else {
        const error = new Error(wrong);
        failed ??= { name: BETWEEN_STEPS, error };
        pending = Promise.reject(error);
      }
      // A script that forgets to wait for it is waited for all the same.
      pending.catch(() => undefined);
      return pending;
    };
    try {
      const measuring = Promise.resolve(given.measure?.(page, step, use.context));
      await Promise.race([measuring, patience.lost, broken]);
      await pending;
    } catch (error) {
      failed ??= { name: underWay ?? BETWEEN_STEPS, error };
    } finally {
      patience.stop();
      // A step that nobody waits for any more ends here.
      crash(new Error('the script is over'));
      await Promise.allSettled([pending]);
    }
    if (failed === undefined) return done;
    const { name, error } = failed;
    const doing = name === BETWEEN_STEPS ? name : `the step "${name}"`;
    const reason =
      error instanceof PageCrash
        ? error.failure
        : use.failed(doing, error, placeOf(page.url()), name === BETWEEN_STEPS ? undefined : asked);
    return [...done, { name, policy: surroundings.policy, outcome: { ok: false, failure: reason } }];
  };

  return {
    message(message) {
      if (message.method === 'Inspector.targetCrashed' && message.target === 'page') {
        crash(new PageCrash(failure('page-crashed', { url: surroundings.url })));
      }
      const id = requestIdIn(message);
      if (id !== undefined && known.has(id)) return;
      if (current) current.message(message, id);
      else if (id !== undefined) known.add(id);
    },
    gone: (sessionId) => current?.gone(sessionId),
    incident: (code, message) => current?.incident(code, message),
    async run(script, signal) {
      signal.throwIfAborted();
      let stop = (): void => undefined;
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason);
      });
      aborted.catch(() => undefined);
      signal.addEventListener('abort', stop);
      let taken: PuppeteerPage | undefined;
      try {
        taken = await pageInContext(surroundings.running, surroundings.browserContextId, {
          pageAlone: true,
          onCommand: (method) => current?.command(method),
        });
        const outcomes = await run(script.script as ScriptOf<Page>, script, taken, aborted);
        signal.throwIfAborted();
        return outcomes;
      } finally {
        signal.removeEventListener('abort', stop);
        await taken?.release();
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
function wrongStep(name: unknown, action: unknown, names: ReadonlySet<string>, busy: boolean): string | undefined {
  if (typeof name !== 'string' || name.trim() === '')
    return 'a step needs a name: step("open the menu", async () => …)';
  if (typeof action !== 'function') return `the step "${name}" needs a function: step("${name}", async () => …)`;
  if (names.has(name)) return `two steps are called "${name}"`;
  return busy ? `the step "${name}" begins inside another one: wait for each, await step(…)` : undefined;
}

/** Of which request a message tells; undefined when it tells of none. */
function requestIdIn({ method, params }: CdpMessage): string | undefined {
  if (!method.startsWith('Network.')) return undefined;
  const { requestId, transportId } = (params ?? {}) as { readonly requestId?: string; readonly transportId?: string };
  return requestId ?? transportId;
}
