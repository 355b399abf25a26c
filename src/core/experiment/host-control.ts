import type { HostComparison, HostComparisonFacts, PlacedRun } from '../../model/compare/comparison.ts';
import { estimateMedian } from '../time/median.ts';
import { differenceOf } from './difference.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from './effect.ts';
import { estimateShift } from './hodges-lehmann.ts';
import { normalQuantile } from './normal.ts';
import { onAxis, pairedValues } from './paired-values.ts';

/** How often a host that is the same for both builds is taken for different, over all pages. Source: docs/internals/statistics.md. */
export const CONTROL_ALPHA = 0.01;
/** More than this share of the loads on a host that is not fit, after repeats, and the figures are the host's. */
const MOST_UNFIT = 0.2;

/**
 * Was the machine the same for both builds? The micro-benchmark before each load is compared as a metric would be, as a
 * negative control: it cannot depend on the build. Over several machines each is compared with itself, and only what
 * they have in common shows, as with a metric. `runs`: those that count.
 */
export function hostControl(runs: readonly PlacedRun[], alpha = CONTROL_ALPHA): HostComparisonFacts {
  const unfitRuns = runs.filter((run) => run.host?.verdict === 'unfit').length;
  const control = controlOf(runs, alpha);
  const verdict = verdictOf(runs, unfitRuns, control);
  const drivers = runs.flatMap(({ host }) => host?.driver ?? []);
  return {
    verdict,
    control,
    unfitRuns,
    runs: runs.length,
    machines: new Set(runs.map(({ machine }) => machine)).size,
    ...(drivers.length > 0 && { driverBusyIn: drivers.filter((driver) => driver === 'busy').length }),
  };
}

function controlOf(runs: readonly PlacedRun[], alpha: number): HostComparison['control'] {
  const blocks = pairedValues(runs, ({ host }) => {
    const value = host?.microBenchmark;
    return value !== undefined && value > 0 ? value : undefined;
  });
  const shift = estimateShift(onAxis(blocks, Math.log));
  if (!shift) return undefined;
  const interval = shift.interval(normalQuantile(1 - alpha / 2));
  const baseMedian = estimateMedian(blocks.flatMap(({ base }) => base))?.median ?? 0;
  // The piece of work is shorter than the floor for pages; only the share says something about the processor.
  const bounds = effectBounds({ ...DEFAULT_MIN_EFFECT, absolute: 0 }, { scale: 'ratio', unit: 'ms', baseMedian });
  return {
    ...differenceOf({
      scale: 'ratio',
      estimate: shift.estimate,
      interval,
      level: 1 - alpha,
      bounds,
      baseMedian,
    }),
    p: shift.p,
    differs: (interval.low ?? 0) > 0 || (interval.high ?? 0) < 0,
  };
}

function verdictOf(
  runs: readonly PlacedRun[],
  unfitRuns: number,
  control: HostComparison['control'],
): HostComparison['verdict'] {
  if (control?.differs === true) return 'differs';
  if (unfitRuns > MOST_UNFIT * runs.length) return 'unfit';
  const isKnown = runs.some((run) => run.host?.verdict === 'fit' || run.host?.verdict === 'unfit');
  return isKnown || control?.low !== undefined ? 'fit' : 'unknown';
}
