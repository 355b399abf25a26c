import type { CDPSession, Protocol } from 'puppeteer-core';
import type { StepRules } from '../../core/background/content/rules-for-steps.ts';
import { cutToStep } from '../../core/rendering/page-timings.ts';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import { defined } from '../../core/text/defined.ts';
import { toMicroseconds } from '../../core/time/time.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { StepOutcome } from '../../model/recording/lab.ts';
import type { Navigation } from '../../model/recording/recording.ts';
import type { IncidentFact } from '../../model/result/finding.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { readTraced } from '../trace/causes.ts';
import { type CpuProfile, startProfile } from '../trace/profile.ts';
import { startTrace, type Trace } from '../trace/trace.ts';
import { type RendererClocks, readClocksTogether } from './clocks/clock.ts';
import { traceZero } from './instruments/instrument.ts';
import { reportFromNowOn } from './page-report.ts';
import { Recorder } from './recorder.ts';
import { startTimeLimit } from './time-limit.ts';

/** The page of a load that is over, as its steps see it. */
export interface SteppedPage {
  readonly clocks: RendererClocks;
  readonly targetId: string;
  /** The sessions of threads beside the page's. */
  others(): readonly CDPSession[];
  readonly browser: RunningBrowser;
  /** What a step has in common with the load. */
  readonly navigation: Pick<Navigation, 'browser' | 'userAgent' | 'network' | 'metrics'>;
  /** Policy of the load. */
  readonly policy: Policy;
  /** Rules that the load has taught. */
  readonly rules: StepRules;
  /** What whole loads needed in this step; absent where it is to be watched for the whole window. */
  readonly expected?: ExpectedContent;
  /** Keep the text of responses. */
  readonly content: boolean;
  /** Trace what led to what, as in the load. */
  readonly traced: boolean;
  /** Profile its scripts, as in the load. */
  readonly profiled: boolean;
  /** Now on the browser's clock, seconds. */
  browserNow(): number;
  /** Milliseconds since the Unix epoch at a time of the browser's clock. */
  epochAt(browserSeconds: number): number;
  /** Called with requests that began before, and with the step's own when it is over: no later step records them. */
  ignoreRequest(requestId: string): void;
}

/** Commands by which a script acts as a user does; everything before the first of them is finding the place to click. */
const USER_ACTIONS = /^(?:Input\.|Page\.(?:navigate|navigateToHistoryEntry|reload)$)/;

/** One step under way. It takes what the page's sessions send, from its beginning to its end. */
export interface StepRecorder {
  /** `requestId` is that of the request which the message is about, if any. */
  receive(message: CdpMessage, requestId: string | undefined): void;
  /** Called with each command of the script before it is sent; the command waits for the promise that is returned. */
  command(method: string): Promise<void> | undefined;
  targetGone(sessionId: string): void;
  addIncident(fact: IncidentFact): void;
  /**
   * Records until the step is complete, or the policy's time-out is over; then waits for the action. Time counts from the
   * first thing that the action does in the user's place (a move of the mouse, a key, a navigation): what Puppeteer needs
   * to find an element is no part of it. Without any it counts from the beginning of the action. Rejects when the action
   * does, and when `broken` does.
   */
  run(action: () => Promise<unknown>, broken: Promise<never>): Promise<StepOutcome>;
}

/** A recorder for one step: the page's sessions are the load's, the zero of time and all that is recorded are its own. */
export function createStep(name: string, stepped: SteppedPage): StepRecorder {
  const { clocks, targetId, rules } = stepped;
  const { completeOn: _mark, thorough: _thorough, expected: _ofLoad, ...policy } = stepped.policy;
  const own = new Set<string>();
  const over = Promise.withResolvers<void>();
  let origin = stepped.browserNow();
  /** How long had been watched when the answer was found; undefined when none was. */
  let judgedUntil: number | undefined;
  let begun = false;
  let acted = false;
  let documents = 0;
  let trace: Trace | undefined;
  let profile: CpuProfile | undefined;

  const clock = {
    at: (seconds: number) => toMicroseconds((seconds - origin) * 1000),
    now: () => clock.at(stepped.browserNow()),
    browserNow: () => stepped.browserNow(),
  };
  const policyNow = (): Policy => {
    const learnt = documents > 0 ? rules.newDocument : rules.sameDocument;
    return { ...policy, ...(learnt.length > 0 && { learnt }), ...defined({ expected: stepped.expected }) };
  };
  const recorder = new Recorder({
    browser: stepped.browser,
    clock,
    policy: policyNow,
    onComplete(observedUntil) {
      judgedUntil = observedUntil;
      over.resolve();
      return true;
    },
    onDocumentCommit() {
      documents += 1;
      if (documents > 1) return;
      recorder.addIncident({ code: 'hard-navigation', facts: {} });
    },
  });

  const releaseRequests = (): void => {
    for (const id of own) stepped.ignoreRequest(id);
    own.clear();
  };

  /** Counts from now on; what came before is forgotten. */
  const restart = async (): Promise<void> => {
    const baseline = await withTimeout(readClocksTogether(clocks));
    releaseRequests();
    recorder.reset();
    judgedUntil = undefined;
    origin = stepped.browserNow();
    recorder.begin(origin, 'step-start', baseline);
    begun = true;
  };

  const conclude = async (url: string): Promise<StepOutcome> => {
    const observed = recorder.observed(judgedUntil);
    const traced = trace && readTraced(trace);
    const profiled = await profile?.end();
    const report = await recorder.readPage(stepped.navigation.metrics);
    const causes = (await traced)?.causes;
    // Without another document, milestones are the load's, unless the browser takes what was done for a navigation.
    const soft = documents > 0 ? undefined : report?.softNavigations.findLast(({ at }) => at >= 0);
    const recording = await recorder.recording(observed, {
      navigation: { ...stepped.navigation, url, startedAt: stepped.epochAt(origin), step: name },
      frames: [],
      paints: documents > 0 ? (report?.paints ?? []) : (soft?.paints ?? []),
      ...(report && { page: cutToStep(report.timings, documents > 0, soft) }),
      ...defined({ domChanges: report?.domChanges, causes }),
      ...(profiled !== undefined && { profile: { profile: profiled, zero: traceZero(clock) } }),
      readBodies: stepped.content,
    });
    return { name, policy: policyNow(), outcome: { ok: true, recording } };
  };

  return {
    receive(message, requestId) {
      if (requestId !== undefined) own.add(requestId);
      if (!begun) return;
      if (message.method === 'Page.navigatedWithinDocument') {
        const { frameId, url } = message.params as Protocol.Page.NavigatedWithinDocumentEvent;
        if (frameId !== targetId) return;
        recorder.addIncident({ code: 'soft-navigation', facts: { url } });
      } else recorder.receive(message);
    },
    command(method) {
      if (!begun || acted || !USER_ACTIONS.test(method)) return undefined;
      acted = true;
      return restart();
    },
    targetGone: (sessionId) => recorder.targetGone(sessionId),
    addIncident: (fact) => recorder.addIncident(fact),
    async run(action, broken) {
      const { frame } = (await clocks.page.send('Page.getFrameTree')).frameTree;
      recorder.attach({ clocks, targetId, others: stepped.others, ignoredLoader: frame.loaderId });
      await recorder.sampleHost(0);
      await withTimeout(reportFromNowOn(clocks.page));
      if (stepped.traced) trace = await startTrace(clocks.page);
      if (stepped.profiled) profile = await startProfile(clocks.page);
      await restart();
      recorder.watch.loaded();
      const acting = action().then(() => {
        recorder.addMark({ name: 'action-end', at: clock.now() });
        recorder.watch.loaded();
      });
      // It may fail, or be given up, before anybody waits for it.
      acting.catch(() => undefined);
      const limit = startTimeLimit(policy.timeout, clock.now, over.resolve);
      try {
        // An action that fails ends the step; after one that succeeds the page is watched on.
        await Promise.race([over.promise, acting.then(() => over.promise), broken]);
        const outcome = await conclude(frame.url + (frame.urlFragment ?? ''));
        // The limit may have been reached while the action was still running.
        await Promise.race([acting, broken]);
        return outcome;
      } finally {
        limit.stop();
        recorder.watch.stop();
        begun = false;
        releaseRequests();
        await trace?.stop();
      }
    },
  };
}
