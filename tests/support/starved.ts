import { hostHealth } from '../../src/core/host/health.ts';
import type { HostSample } from '../../src/model/recording.ts';
import { readHost } from '../../src/shell/host/probe.ts';
import { type ProcessTime, readProcessTimes } from '../../src/shell/host/processor-users.ts';

/** How often the machine is read, ms. A reading costs some 5 ms. */
const EVERY_MS = 1_000;
/** Readings apart: over two seconds the processors' clocks, which go in steps of 10 ms, tell shares. */
const WINDOW = 2;
/** Share of all processors that others may have in any two seconds before what runs then counts as starved. */
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
  const read = (): void => {
    const times = readProcessTimes('/proc');
    samples.push(readHost(Date.now(), times && usedBelow(process.pid, times)));
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

/** CPU time of all that a process has started, also of what has ended. */
export function usedBelow(root: number, times: ReadonlyMap<number, ProcessTime>): number {
  const isBelow = (pid: number): boolean => {
    const parent = times.get(pid)?.parent;
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  let sum = times.get(root)?.usedByEnded ?? 0;
  for (const [pid, { used, usedByEnded }] of times) if (isBelow(pid)) sum += used + usedByEnded;
  return sum;
}

/**
 * The share of the processors that programs which are not of the suite, and the hypervisor, had in the worst two seconds of
 * a time; 0 where the system does not tell.
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
