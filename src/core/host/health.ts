import type { HostReason } from '../../model/host/reason.ts';
import type { HostSample } from '../../model/recording/recording.ts';
import type { HostResult } from '../../model/result/result.ts';
import type { HostFacts } from '../../model/result/run-facts.ts';
import type { Ms } from '../../model/units.ts';

/**
 * Share of all processors that other programs may use while a page loads: neither the browser nor Quiesce, which serves
 * folders itself. The rule of the field, a driver that is at most half busy, is a little too lenient for a browser, which
 * for moments wants more than one processor.
 *
 * Source: 40 loads of the example shop on two processors, 20 with nothing of ours beside them and 10 each beside one and two
 * endless loops, sorted by the share that was measured until page complete, because other work came and went there. The 17
 * with at most 12% took 970 to 1,026 ms, the one with 29% took 1,078 ms, and the 22 with 40% and more took 1,040 to
 * 2,036 ms. A limit of one half would have let 8 of the 10 loads beside one loop pass.
 */
export const MAX_BUSY_BY_OTHERS = 0.4;
/** Stolen time is lost time that user and system time do not show; more than noise is a reason (0 to 0.7% was noise). */
export const MAX_STEAL = 0.05;
/**
 * Share of the time in which some task may wait for memory or for a disk. For a disk it was 0 to 3% in loads with
 * nothing beside them, and 19 to 68% in those beside one or two programs that write to it without a pause; of those, the
 * five that had the processors to themselves took 1,036 to 1,142 ms instead of 1,002 to 1,039 ms. For memory no
 * figures of our own are behind it. Waiting for a processor is no reason: on two processors the browser's own threads
 * wait for each other in 28 to 36% of a load that nothing disturbs, and in 32 to 53% of one beside an endless loop, so
 * that the one cannot be told from the other.
 */
export const MAX_STALLED = 0.1;
/**
 * Share of the processors of a machine that only drives a browser elsewhere, all programs together. Above it what the browser
 * says is read late. Source: the rule of the field for load generators, see above.
 */
const MAX_BUSY_DRIVER = 0.5;
/** The processors' clocks go in steps of 10 ms: over less than this they do not tell shares, ms. */
const SHORTEST_WINDOW = 500;
/** A busy stretch that is shorter than this part of the load is reported with its times. */
const MOST_OF_IT = 0.8;

/**
 * Was the measuring machine fit while a page loaded? Only evidence from the host is looked at, never what was measured.
 *
 * @param samples readings of the machine, in order of time
 * @param until when the page was complete: what the machine did later, in the quiet window, cost the page nothing. The
 *   last reading when absent.
 * @param stolen what was taken from the page's main thread until then, where that is known: it is told, and decides nothing
 */
export function hostHealth(samples: readonly HostSample[], until?: Ms, stolen?: Ms): HostFacts {
  const window = windowOf(samples, until);
  const first = window[0];
  const last = window.at(-1);
  if (first?.driver) return driverHealth(first, last ?? first);
  if (!first || !last || last.total <= first.total) {
    return { verdict: 'unknown', reasonFacts: [{ code: 'no-clocks' }] };
  }
  const total = last.total - first.total;
  const shareOf = (ms: number): number => Math.min(1, Math.max(0, ms / total));
  const busy = shareOf(last.busy - first.busy);
  const busyByOthers = othersShare(window);
  const byHypervisor = difference(first.steal, last.steal);
  const steal = byHypervisor === undefined ? undefined : shareOf(byHypervisor);
  const pressure = pressureOf(first, last);
  const reasons: HostReason[] = [];
  if (busyByOthers !== undefined && busyByOthers > MAX_BUSY_BY_OTHERS) {
    const mostly = whenBusy(window);
    reasons.push({ code: 'busy-by-others', share: busyByOthers, mostly, stolen });
  }
  if (steal !== undefined && steal > MAX_STEAL) reasons.push({ code: 'steal', share: steal, stolen });
  const { memory, io } = pressure ?? {};
  if (memory !== undefined && memory > MAX_STALLED) {
    reasons.push({ code: 'memory-pressure', share: memory });
  }
  if (io !== undefined && io > MAX_STALLED) {
    reasons.push({ code: 'disk-pressure', share: io });
  }
  // Where the browser's share is not known, a machine that is hardly busy at all is fit all the same.
  const unknown = reasons.length === 0 && busyByOthers === undefined && busy > MAX_BUSY_BY_OTHERS;
  if (unknown) reasons.push({ code: 'browser-share-unknown' });
  return {
    verdict: unknown ? 'unknown' : reasons.length === 0 ? 'fit' : 'unfit',
    busyByOthers,
    steal,
    pressure,
    reasonFacts: reasons,
  };
}

/** Nothing is known of the browser's machine, whatever this one does. */
function driverHealth(first: HostSample, last: HostSample): HostFacts {
  const total = last.total - first.total;
  const busy = total > 0 ? (last.busy - first.busy) / total : undefined;
  const isBusy = busy !== undefined && busy > MAX_BUSY_DRIVER;
  return {
    verdict: 'unknown',
    driver: busy === undefined ? 'unknown' : isBusy ? 'busy' : 'free',
    reasonFacts: [{ code: 'elsewhere' }, ...(isBusy ? [{ code: 'driver-busy' as const, share: busy }] : [])],
  };
}

/** The readings up to the first one after `until`, so that the whole load is in it. */
function windowOf(samples: readonly HostSample[], until: Ms | undefined): readonly HostSample[] {
  const first = samples[0];
  if (!first || until === undefined) return samples;
  const end = Math.max(until, first.at + SHORTEST_WINDOW);
  const index = samples.findIndex(({ at }) => at >= end);
  return index < 0 ? samples : samples.slice(0, index + 1);
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before;
}

/**
 * Busy without the browser and without this program. Undefined where the browser's time is not known at both ends. A process of the browser that
 * ends takes its time along: what was read until then stands, and nothing is counted backwards.
 */
function othersShare(window: readonly HostSample[]): number | undefined {
  const first = window[0];
  const last = window.at(-1);
  if (first?.browser === undefined || last?.browser === undefined || last.total <= first.total) return undefined;
  let browser = 0;
  let before = first.browser;
  for (const { browser: now } of window) {
    if (now === undefined) continue;
    browser += Math.max(0, now - before);
    before = now;
  }
  const own = difference(first.own, last.own) ?? 0;
  return Math.min(1, Math.max(0, (last.busy - first.busy - browser - own) / (last.total - first.total)));
}

/** When most of it was; undefined when it was about all the time. */
function whenBusy(window: readonly HostSample[]): { readonly from: Ms; readonly to: Ms } | undefined {
  const stretches = window.flatMap((sample, index) => {
    const before = window[index - 1];
    if (before === undefined) return [];
    const share = othersShare([before, sample]);
    return share !== undefined && share > MAX_BUSY_BY_OTHERS ? [{ from: before.at, to: sample.at }] : [];
  });
  const from = stretches[0]?.from;
  const to = stretches.at(-1)?.to;
  const whole = (window.at(-1)?.at ?? 0) - (window[0]?.at ?? 0);
  if (from === undefined || to === undefined || window.length <= 2 || to - from > MOST_OF_IT * whole) {
    return undefined;
  }
  return { from, to };
}

/** How long tasks waited, against the time that went by: the clocks of all processors count it once each. */
function pressureOf(first: HostSample, last: HostSample): HostResult['pressure'] {
  const elapsed = (last.total - first.total) / last.cores;
  const shareOf = (resource: 'cpu' | 'memory' | 'io'): number | undefined => {
    const waited = difference(first.stalled?.[resource], last.stalled?.[resource]);
    return waited === undefined ? undefined : Math.min(1, Math.max(0, waited / elapsed));
  };
  const [cpu, memory, io] = [shareOf('cpu'), shareOf('memory'), shareOf('io')];
  if (cpu === undefined && memory === undefined && io === undefined) return undefined;
  return {
    cpu,
    memory,
    io,
  };
}
