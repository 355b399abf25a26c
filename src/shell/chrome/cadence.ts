import type { Judging } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';

/** Events come in bursts; judging once a burst is enough, because the answer is computed backwards. */
const BURST_MS = 100;
/** Before the load event there is next to nothing to decide, and the processor is the page's. */
const BURST_MS_BEFORE_LOAD = 500;
/**
 * The pause after a judgement, as a multiple of what it cost: judging takes at most 0.5 % of the wall time, also when a
 * page has thousands of requests. The rest of the 1 % that it may take is for judgements that cannot wait: after the
 * load event, and at the end of the quiet window.
 */
const PAUSE_PER_COST = 200;
/** A run must not end much later than it could: longer pauses than this, ms, are cut down, at most to the least one. */
const LONG_PAUSE_MS = 5_000;
/** The least pause, as a multiple of the cost: no page, however large, is judged for more than 1 % of the time. */
const LEAST_PAUSE_PER_COST = 100;

/** When the live watcher judges, and what that costs. */
export interface Cadence {
  /** Something came that may change the answer: judges when the burst is over and the last judgement is paid off. */
  news(): void;
  /** From now on a burst is as short as it is after the load event, or as before it. */
  setLoaded(loaded: boolean): void;
  /** Judges in `wait` ms at the latest, whatever that costs. */
  exactlyIn(wait: Ms): void;
  /** Judges in `wait` ms, or later when the last judgement is not paid off by then. */
  notBefore(wait: Ms): void;
  /** Runs one judgement, and counts what it costs. */
  judgement<T>(run: () => T): T;
  /** What has been spent so far. */
  spent(): Judging;
  /** Judges no more. */
  stop(): void;
}

/**
 * CPU time of this program so far, ms. Not the wall's: that also counts how long others kept a busy machine from it,
 * which takes nothing away from the page but would make the pauses many times longer than they need to be.
 */
function ownCpuTime(): Ms {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A cadence that calls `judge` when it is time to; there is at most one call planned at any moment. */
export function createCadence(judge: () => void, cpuTime: () => Ms = ownCpuTime): Cadence {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let paidOff = Number.NEGATIVE_INFINITY;
  let burst = BURST_MS_BEFORE_LOAD;
  let times = 0;
  let cost = 0;
  let stopped = false;

  const plan = (at: number): void => {
    if (stopped || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(
      () => {
        due = Number.POSITIVE_INFINITY;
        judge();
      },
      // What is due already is due at once: a negative pause makes Node warn.
      Math.max(0, Math.ceil(at - performance.now())),
    );
  };
  const notBefore = (wait: Ms): void => plan(Math.max(performance.now() + wait, paidOff));

  return {
    news: () => notBefore(burst),
    setLoaded(loaded) {
      burst = loaded ? BURST_MS : BURST_MS_BEFORE_LOAD;
    },
    exactlyIn: (wait) => plan(performance.now() + wait),
    notBefore,
    judgement(run) {
      const before = cpuTime();
      try {
        return run();
      } finally {
        const took = cpuTime() - before;
        times += 1;
        cost += took;
        paidOff = performance.now() + pauseAfter(took);
      }
    },
    spent: () => ({ times, cost }),
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function pauseAfter(cost: Ms): Ms {
  return Math.max(Math.min(cost * PAUSE_PER_COST, LONG_PAUSE_MS), cost * LEAST_PAUSE_PER_COST);
}
