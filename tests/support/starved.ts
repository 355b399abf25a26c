import { hostHealth } from '../../src/core/host/health.ts';
import type { HostSample } from '../../src/model/recording/recording.ts';
import { readHost } from '../../src/shell/host/probe.ts';
import { type ProcessTime, readProcessTimes } from '../../src/shell/host/processor-users.ts';

/** How often the machine is read, ms. A reading costs some 5 ms. */
const EVERY_MS = 1_000;
/**
 * So many seconds are looked at together. A reading of all processes takes its time on a busy machine: single seconds were up
 * to 0.2 beside what the other processes had really used.
 */
const WINDOW = 3;
/** Share of all processors that others may have in a window before what runs then counts as starved. */
const MAX_TAKEN = 0.2;
/** If more fail than this, something is broken, whatever else ran: they do not run again, which would take an hour. */
const MAX_AGAIN = 20;

/** Something of the suite that failed. */
export interface Failure {
  readonly name: string;
  /** It drives a browser or starts programs. */
  readonly live: boolean;
  /** When it ran, ms of this machine's clock. */
  readonly from: number;
  readonly to: number;
}

/** What failed for certain, and what runs again because it was starved, with the share of the processors that others had. */
export function decide<F extends Failure>(failures: readonly F[], samples: readonly HostSample[]) {
  const all = failures.map((failure) => ({ ...failure, taken: takenByOthers(samples, failure) }));
  const starved = all.filter(({ live, taken }) => live && taken > MAX_TAKEN);
  const again = starved.length > MAX_AGAIN ? [] : starved;
  return { again, red: all.filter((each) => !again.includes(each)) };
}

/** Reads the machine once a second until it is stopped. */
export function watchMachine(): { readonly samples: readonly HostSample[]; stop(): void } {
  const samples: HostSample[] = [];
  const usedBelow = clockBelow(process.pid);
  const read = (): void => {
    const times = readProcessTimes('/proc');
    samples.push(readHost(Date.now(), times && usedBelow(times)));
  };
  read();
  const timer = setInterval(read, EVERY_MS);
  return {
    samples,
    stop() {
      clearInterval(timer);
      read();
    },
  };
}

/**
 * A clock of all that a process has started, also of what has ended, and of what is left when its parent has ended. It takes
 * the CPU times of all processes, and gives the sum so far.
 */
export function clockBelow(root: number): (times: ReadonlyMap<number, ProcessTime>) => number {
  let before = new Map<number, ProcessTime>();
  let sum = 0;
  return (times) => {
    const isBelow = (pid: number): boolean => {
      const time = times.get(pid);
      if (time === undefined || pid === root) return false;
      return before.get(pid)?.startedAt === time.startedAt || time.parent === root || isBelow(time.parent);
    };
    const now = new Map([...times].filter(([pid]) => isBelow(pid)));
    // What a process that has ended used is in its parent's figure for those, also what was counted before.
    let ended = (times.get(root)?.usedByEnded ?? 0) - (before.get(root)?.usedByEnded ?? 0);
    for (const [pid, { startedAt, used, usedByEnded }] of now) {
      const then = before.get(pid);
      const same = then?.startedAt === startedAt ? then : undefined;
      sum += used - (same?.used ?? 0);
      ended += usedByEnded - (same?.usedByEnded ?? 0);
    }
    for (const [pid, { startedAt, used, usedByEnded }] of before) {
      if (pid !== root && now.get(pid)?.startedAt !== startedAt) ended -= used + usedByEnded;
    }
    sum += Math.max(0, ended);
    const own = times.get(root);
    before = own ? now.set(root, own) : now;
    return sum;
  };
}

/**
 * The share of the processors that programs which are not of the suite, and the hypervisor, had in the worst window of a
 * time; 0 where the system does not tell.
 *
 * @param samples readings of the machine, whose "browser" is all that the suite has started
 */
function takenByOthers(
  samples: readonly HostSample[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const first = samples.findLastIndex(({ at }) => at <= from);
  const after = samples.findIndex(({ at }) => at >= to);
  const within = samples.slice(Math.max(0, first), after < 0 ? undefined : after + 1);
  const shares = within.slice(1).map((_, index) => {
    const { busyByOthers = 0, steal = 0 } = hostHealth(within.slice(Math.max(0, index + 1 - WINDOW), index + 2));
    return busyByOthers + steal;
  });
  return Math.max(0, ...shares);
}
