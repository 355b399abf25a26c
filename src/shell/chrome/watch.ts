import { judge, judgeRaw, QUIET_WINDOW } from '../../core/complete.ts';
import type { Judging } from '../../model/recording.ts';
import type { Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { PageComplete, Policy } from '../../model/verdict.ts';
import { createCadence } from './cadence.ts';

/** How long after the load event the first judgement comes, ms: what the event sets going is part of the answer. */
const JUDGE_AFTER_LOAD_MS = 100;
/** How much longer than needed a page is watched so that plain quiescence gets its answer too, ms. */
const RAW_PATIENCE_MS = 250;
/** How soon to look again when an answer was not taken, ms. */
const LOOK_AGAIN_MS = 100;
/** What the network tells so often that it is worth no new judgement while nothing but silence is missing. */
const SMALL_NEWS: ReadonlySet<string> = new Set([
  'Network.dataReceived',
  'Network.webSocketFrameSent',
  'Network.webSocketFrameReceived',
  'Network.eventSourceMessageReceived',
]);

/** What is watched. */
export interface Watched {
  /** May change: what a document that is replaced had taught need not hold for its successor. */
  readonly policy: Policy;
  /** Watch at least until then, even when the answer is known. */
  readonly watchUntil: Ms | undefined;
  /** Everything known, observed until now, `until` or the last event; undefined as long as nothing can be judged. */
  timeline(until?: Ms): Timeline | undefined;
  now(): Ms;
  /** Reads the main thread's clock. The answer comes after everything that the browser had to say before it. */
  sample(): Promise<void>;
  /**
   * Called when the answer is there and confirmed, with how long was watched for it, which may be some time ago on a busy
   * machine; false when there is a reason to watch on all the same.
   */
  complete(observedUntil: Ms): boolean;
}

/** The live watcher: append event, judge, set a timer to when it is worth judging again. */
export interface Watch {
  /** There is something to judge from now on. */
  begun(): void;
  /** The network told something, by the name of its message. */
  heard(method: string): void;
  /** A new document is there; its load event is still to come. */
  documentCommitted(): void;
  /** The load event has fired. */
  loaded(): void;
  /** The page's own mark was met. */
  markMet(): void;
  /** What the last judgement waited for. */
  waitingFor(): readonly string[];
  spent(): Judging;
  stop(): void;
}

/** Watches until the page is complete by the policy; the hard cap on watching is the caller's. */
export function createWatch(watched: Watched): Watch {
  let waitingFor: readonly string[] = [];
  let onlySilenceMissing = false;
  let quietSampled: Ms | undefined;

  const look = (): void => {
    const seen = cadence.judgement(() => {
      const timeline = watched.timeline();
      if (timeline === undefined) return undefined;
      const answer = judge(timeline, watched.policy);
      return { timeline, answer, patience: answer.state === 'complete' ? patience(timeline) : 0 };
    });
    if (seen === undefined) return;
    const { answer } = seen;
    if (answer.state === 'complete') {
      if (seen.patience > 0) cadence.exactlyIn(seen.patience);
      else void confirm();
    } else if (answer.state === 'pending') {
      waitingFor = answer.waitingFor;
      onlySilenceMissing = isQuietWindow(answer);
      sampleWhenQuiet(answer, seen.timeline);
      const wait = Math.max(1, answer.recheckAt - watched.now());
      // The end of the window may be the end of the load: that is worth its price whatever it is.
      if (onlySilenceMissing) cadence.exactlyIn(wait);
      else cadence.notBefore(wait);
    }
  };
  const cadence = createCadence(look);

  /** How much longer to watch although the answer is known, ms. */
  const patience = (timeline: Timeline): Ms =>
    Math.max(
      Math.min(watched.watchUntil ?? 0, watched.policy.timeout) - timeline.observedUntil,
      watched.policy.completeOn === undefined ? patienceForRaw(timeline, watched.policy) : 0,
    );

  /**
   * Events may still be on their way: the browser is asked once more, and what it had to say comes before its answer. What
   * it had to say after it was asked may be on its way again, so the page has been observed until then.
   */
  const confirm = async (): Promise<void> => {
    const asked = watched.now();
    await watched.sample();
    const seen = cadence.judgement(() => {
      const timeline = watched.timeline(asked);
      return timeline && { observedUntil: timeline.observedUntil, answer: judge(timeline, watched.policy) };
    });
    if (seen?.answer.state !== 'complete') cadence.notBefore(1);
    else if (!watched.complete(seen.observedUntil)) cadence.notBefore(LOOK_AGAIN_MS);
  };

  /** The main thread's clock is read when the network falls quiet, which is close to what will be page-complete. */
  const sampleWhenQuiet = ({ recheckAt }: Pending, { observedUntil }: Timeline): void => {
    const quietFrom = recheckAt - watched.policy.quietWindow;
    if (quietFrom < 0 || quietFrom > observedUntil || quietSampled === quietFrom) return;
    quietSampled = quietFrom;
    void watched.sample();
  };

  return {
    begun: () => cadence.news(),
    heard(method) {
      if (!onlySilenceMissing || !SMALL_NEWS.has(method)) cadence.news();
    },
    documentCommitted: () => cadence.setLoaded(false),
    loaded() {
      cadence.setLoaded(true);
      cadence.exactlyIn(JUDGE_AFTER_LOAD_MS);
    },
    markMet: () => cadence.exactlyIn(0),
    waitingFor: () => waitingFor,
    spent: () => cadence.spent(),
    stop: () => cadence.stop(),
  };
}

type Pending = Extract<PageComplete, { state: 'pending' }>;

function isQuietWindow({ waitingFor }: Pending): boolean {
  return waitingFor.length === 1 && waitingFor[0] === QUIET_WINDOW;
}

/** A favicon ends its own quiet window a few milliseconds later: that much is waited, so that both are known. */
function patienceForRaw(timeline: Timeline, policy: Policy): Ms {
  const raw = judgeRaw(timeline, policy);
  if (raw.state !== 'pending' || !isQuietWindow(raw)) return 0;
  const wait = raw.recheckAt - timeline.observedUntil;
  return wait <= RAW_PATIENCE_MS ? wait : 0;
}
