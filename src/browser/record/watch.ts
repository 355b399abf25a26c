import { comesToAnEnd } from '../../core/background/comes-to-an-end.ts';
import { endpointOf } from '../../core/background/endpoint.ts';
import { classify } from '../../core/background/index.ts';
import { judge, judgeClassified, judgeRaw } from '../../core/completion/complete.ts';
import type { Policy, Verdicts } from '../../model/background/verdict.ts';
import type { PageComplete, WaitingFor } from '../../model/completion/completion.ts';
import type { Timeline } from '../../model/network/timeline.ts';
import type { Judging } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { createJudgeScheduler } from './judge-scheduler.ts';

/** How long after the load event the first judgement comes, ms: requests that the event starts are part of the answer. */
const JUDGE_AFTER_LOAD_MS = 100;
/** How much longer than needed a page is watched for the raw answer (network idle without verdicts), ms. */
const MAX_WAIT_FOR_RAW_MS = 250;
/**
 * How often the main thread is asked for its clock while nothing but silence is missing, ms: a task that runs for longer
 * than this and half a second is seen for certain. One answer takes some 0.2 ms of its time.
 */
const SAMPLE_EVERY_MS = 750;
/** How soon to judge again when an answer was not accepted, ms. */
const RETRY_MS = 100;
/** Messages that come too often to judge again for each while only the quiet window is missing. */
const FREQUENT_MESSAGES: ReadonlySet<string> = new Set([
  'Network.dataReceived',
  'Network.webSocketFrameSent',
  'Network.webSocketFrameReceived',
  'Network.eventSourceMessageReceived',
]);

/** What is watched. */
export interface Watched {
  /** May change with each judgement: what a replaced document has taught need not hold for its successor. */
  policy(): Policy;
  /** Watch at least until then, even when the answer is known. */
  readonly watchUntil: Ms | undefined;
  /** Everything known, observed until now, `until` or the last event; undefined until there is something to judge. */
  timeline(until?: Ms): Timeline | undefined;
  now(): Ms;
  /** Reads the main thread's clock. Resolves after all messages that the browser sent before its answer. */
  sample(): Promise<void>;
  /** Asks the threads beside the main one whether they are busy, and notes it. */
  askOtherThreads(): Promise<void>;
  /** Called whenever nothing that the page needs is in flight after its load event. */
  quiet(): void;
  /** Called whenever something is: a chain of requests goes on. */
  busyAgain(): void;
  /** Called whenever the answer stands but for what is watched to see whether it goes on. */
  onlyWatched(): void;
  /**
   * Called when the answer is confirmed, with the time up to which was watched for it, which is earlier than now on a busy
   * machine. Returns false when there is a reason to go on watching.
   */
  complete(observedUntil: Ms): boolean;
}

/** The live watcher: judges after events, and sets a timer to when the answer may change by itself. */
export interface Watch {
  /** Starts judging. */
  begun(): void;
  /** Takes note of a message of the network, by its method. */
  messageReceived(method: string): void;
  /** A new document was committed; its load event is still to come. */
  documentCommitted(): void;
  /** The load event has fired. */
  loaded(): void;
  /** A mark was added on which the answer may depend. */
  markMet(): void;
  /** What the last judgement was waiting for. */
  waitingFor(): readonly WaitingFor[];
  spent(): Judging;
  stop(): void;
}

/** Watches until the page is complete by the policy; the time-out is the caller's. */
export function createWatch(watched: Watched): Watch {
  let waitingFor: readonly WaitingFor[] = [];
  let onlyQuietMissing = false;
  let quietSampled: Ms | undefined;
  /** Nothing is in flight that the page needs. */
  let isSilent = false;
  let sampling: NodeJS.Timeout | undefined;

  const judgeNow = (): void => {
    const judged = scheduler.run(() => {
      const timeline = watched.timeline();
      if (timeline === undefined) return undefined;
      const policy = watched.policy();
      const { verdicts } = classify(timeline, policy);
      const answer = judgeClassified(verdicts, timeline, policy, timeline.observedUntil);
      return { timeline, answer, extraWait: answer.state === 'complete' ? extraWait(answer, timeline, verdicts) : 0 };
    });
    if (judged === undefined) return;
    const { answer } = judged;
    if (answer.state === 'complete') {
      if (judged.extraWait > 0) scheduler.in(judged.extraWait);
      else void confirm(answer);
    } else if (answer.state === 'pending') {
      waitingFor = answer.waitingFor;
      onlyQuietMissing = isQuietWindow(answer);
      isSilent = !answer.waitingFor.some(({ code }) => code === 'endpoint' || code === 'load-event');
      if (isInFlight(answer, judged.timeline)) watched.busyAgain();
      if (isSilent) {
        watched.quiet();
        sampleLater();
      }
      if (isOnlyWatched(answer)) watched.onlyWatched();
      sampleWhenQuiet(answer);
      const wait = Math.max(1, answer.recheckAt - watched.now());
      // The end of the window, or of what is only watched, may be the end of the load: a pause would make it longer.
      if (onlyQuietMissing || isOnlyWatched(answer)) scheduler.in(wait);
      else scheduler.notBefore(wait);
    }
  };
  const scheduler = createJudgeScheduler(judgeNow);

  /** How much longer to watch although the page is complete, ms. */
  const extraWait = (answer: Complete, timeline: Timeline, verdicts: Verdicts): Ms => {
    const policy = watched.policy();
    const forRaw =
      policy.completeOn === undefined
        ? Math.max(waitForRaw(timeline, policy), waitForOpen(answer, timeline, verdicts, policy))
        : 0;
    return Math.max(Math.min(watched.watchUntil ?? 0, policy.timeout) - timeline.observedUntil, forRaw);
  };

  /**
   * Events may still be on their way. So the browser is asked once more: what it sent before comes before its answer. What
   * it sent later may be missing, so the page counts as observed until the question. What is expected may have come, and a
   * worker still compute what is drawn next.
   */
  const confirm = async ({ decidedBy }: Complete): Promise<void> => {
    const asked = watched.now();
    await Promise.all([watched.sample(), decidedBy === 'expected-content' && watched.askOtherThreads()]);
    const seen = scheduler.run(() => {
      const timeline = watched.timeline(asked);
      return timeline && { observedUntil: timeline.observedUntil, answer: judge(timeline, watched.policy()) };
    });
    if (seen?.answer.state !== 'complete') scheduler.notBefore(1);
    else if (!watched.complete(seen.observedUntil)) scheduler.notBefore(RETRY_MS);
  };

  /** Reads the main thread's clock when the network becomes quiet, which is close to what will be page-complete. */
  const sampleWhenQuiet = ({ quietFrom }: Pending): void => {
    if (quietFrom === undefined || quietSampled === quietFrom) return;
    quietSampled = quietFrom;
    void watched.sample();
  };

  /** Asks the main thread whether it is busy, as long as the window lasts. A late answer may be the beginning of another. */
  const sampleLater = (): void => {
    sampling ??= setTimeout(async () => {
      await watched.sample();
      sampling = undefined;
      if (isSilent) sampleLater();
    }, SAMPLE_EVERY_MS);
  };

  return {
    begun: () => scheduler.soon(),
    messageReceived(method) {
      if (!onlyQuietMissing || !FREQUENT_MESSAGES.has(method)) scheduler.soon();
    },
    documentCommitted: () => scheduler.setLoaded(false),
    loaded() {
      scheduler.setLoaded(true);
      scheduler.in(JUDGE_AFTER_LOAD_MS);
    },
    markMet: () => scheduler.in(0),
    waitingFor: () => waitingFor,
    spent: () => scheduler.spent(),
    stop() {
      clearTimeout(sampling);
      isSilent = false;
      scheduler.stop();
    },
  };
}

type Pending = Extract<PageComplete, { state: 'pending' }>;
type Complete = Extract<PageComplete, { state: 'complete' }>;

function isQuietWindow({ waitingFor }: Pending): boolean {
  return waitingFor.length === 1 && waitingFor[0]?.code === 'quiet-window';
}

/** The answer stands, unless what is watched brings more. What may become a rhythm is not known well enough to be proved. */
function isOnlyWatched({ waitingFor }: Pending): boolean {
  return waitingFor.length > 0 && waitingFor.every(({ code }) => code === 'goes-on' || code === 'comes-back');
}

/** Is something under way that is waited for, and not only past? */
function isInFlight({ waitingFor }: Pending, { requests }: Timeline): boolean {
  const awaited = new Set(waitingFor.flatMap((each) => (each.code === 'endpoint' ? [each.endpoint] : [])));
  if (awaited.size === 0) return false;
  return requests.some((each) => each.endedAt === undefined && awaited.has(endpointOf(each).label));
}

/** How long until the raw answer is there, too, ms, when that is soon: a favicon often delays it by a few milliseconds. */
function waitForRaw(timeline: Timeline, policy: Policy): Ms {
  const raw = judgeRaw(timeline, policy);
  if (raw.state !== 'pending' || !isQuietWindow(raw)) return 0;
  const wait = raw.recheckAt - timeline.observedUntil;
  return wait <= MAX_WAIT_FOR_RAW_MS ? wait : 0;
}

/**
 * How much longer to watch what comes to an end by itself, ms: with the icon of the tab open, nobody could tell what network
 * idle says. No page is watched for longer by it than its whole quiet window.
 */
function waitForOpen(answer: Complete, timeline: Timeline, verdicts: Verdicts, policy: Policy): Ms {
  const isOpen = timeline.requests.some(({ id, endedAt }) => verdicts.has(id) && endedAt === undefined);
  return isOpen && comesToAnEnd(verdicts)
    ? Math.max(0, Math.min(answer.at + policy.quietWindow, policy.timeout) - timeline.observedUntil)
    : 0;
}
