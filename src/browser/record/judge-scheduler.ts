import type { Judging } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';

/** Events come in bursts. One judgement after each is enough, because the answer is computed backwards. */
const BURST_MS = 100;
/** Before the load event there is little to decide, and the processor belongs to the page. */
const BURST_MS_BEFORE_LOAD = 500;
/**
 * The pause after a judgement, as a multiple of what it cost: judging takes at most 0.5 % of the wall time, also when a
 * page has thousands of requests. The rest of the 1 % that it may take is for judgements that cannot wait: after the
 * load event, and at the end of the quiet window.
 */
const PAUSE_PER_COST = 200;
/** A run must not end much later than it could: pauses are cut to this, ms, or to the shortest one where that is longer. */
const MAX_PAUSE_MS = 5_000;
/** The shortest pause, as a multiple of the cost: no page, however large, is judged for more than 1 % of the time. */
const MIN_PAUSE_PER_COST = 100;

/** Decides when the live watcher judges, and counts what that costs. */
export interface JudgeScheduler {
  /** Judges when the burst is over and the pause after the last judgement, too: to be called when the answer may change. */
  soon(): void;
  /** Sets the length of a burst to that after the load event, or to that before it. */
  setLoaded(loaded: boolean): void;
  /** Judges in `wait` ms at the latest, also within the pause. */
  in(wait: Ms): void;
  /** Judges in `wait` ms, or at the end of the pause where that is later. */
  notBefore(wait: Ms): void;
  /** Runs a judgement, and counts what it costs. */
  run<T>(run: () => T): T;
  /** Number and cost of the judgements so far. */
  spent(): Judging;
  /** Ends it: nothing is judged any more. */
  stop(): void;
}

/**
 * CPU time of this program so far, ms. Wall time would also count how long other programs kept the processor busy, and
 * make the pauses many times longer than they need to be.
 */
function ownCpuTime(): Ms {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A scheduler that calls `judge`; at most one call is planned at any moment. */
export function createJudgeScheduler(judge: () => void, cpuTime: () => Ms = ownCpuTime): JudgeScheduler {
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let pauseEnds = Number.NEGATIVE_INFINITY;
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
      // Node warns about negative delays.
      Math.max(0, Math.ceil(at - performance.now())),
    );
  };
  const notBefore = (wait: Ms): void => plan(Math.max(performance.now() + wait, pauseEnds));

  return {
    soon: () => notBefore(burst),
    setLoaded(loaded) {
      burst = loaded ? BURST_MS : BURST_MS_BEFORE_LOAD;
    },
    in: (wait) => plan(performance.now() + wait),
    notBefore,
    run(run) {
      const before = cpuTime();
      try {
        return run();
      } finally {
        const took = cpuTime() - before;
        times += 1;
        cost += took;
        pauseEnds = performance.now() + pauseAfter(took);
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
  return Math.max(Math.min(cost * PAUSE_PER_COST, MAX_PAUSE_MS), cost * MIN_PAUSE_PER_COST);
}
