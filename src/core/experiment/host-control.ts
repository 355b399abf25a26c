import type { HostComparison, PlacedRun } from '../../model/comparison.ts';
import { differenceOf } from './difference.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from './effect.ts';
import { percent } from './figures.ts';
import { estimateMedian } from './median.ts';
import { normalQuantile } from './normal.ts';
import { onAxis, pairedValues } from './paired-values.ts';
import { estimateShift } from './shift.ts';

/** How often a host that is the same for both builds is taken for different. Source: docs/statistics.md. */
const CONTROL_ALPHA = 0.01;
/** More than this share of the loads on a host that is not fit, after repeats, and the figures are the host's. */
const MOST_UNFIT = 0.2;

const ELSEWHERE =
  'Whether the machine was the same for both builds is not known: the browser ran on another one, whose load cannot be seen from here.';

/**
 * Was the machine the same for both builds? The micro-benchmark before each load is compared as a metric would be, as a
 * negative control: it cannot depend on the build. Over several machines each is compared with itself, and only what
 * they have in common shows, as with a metric. `runs`: those that count.
 */
export function hostControl(runs: readonly PlacedRun[], alpha = CONTROL_ALPHA): HostComparison {
  const unfitRuns = runs.filter((run) => run.host?.verdict === 'unfit').length;
  const control = controlOf(runs, alpha);
  const verdict = verdictOf(runs, unfitRuns, control);
  return {
    verdict,
    ...(control && { control }),
    unfitRuns,
    sentence: sentenceOf(verdict, runs, unfitRuns, control),
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

function sentenceOf(
  verdict: HostComparison['verdict'],
  runs: readonly PlacedRun[],
  unfitRuns: number,
  control: HostComparison['control'],
): string {
  const busy = `in ${unfitRuns} of ${runs.length} loads`;
  const several = new Set(runs.map(({ machine }) => machine)).size > 1;
  const [machine, was] = several ? ['machines', 'were'] : ['machine', 'was'];
  switch (verdict) {
    case 'differs': {
      const { relative = 0, low = 0, high = 0 } = control ?? {};
      const ends = [low, high].map(Math.abs).sort((a, b) => a - b);
      const [least = 0, most = 0] = ends;
      return `The ${machine} ${several ? 'themselves' : 'itself'} ${was} ${percent(Math.abs(relative))} ${relative > 0 ? 'slower' : 'faster'} (${percent(least)} to ${percent(most)}) before loads of the candidate, so a difference may be the ${several ? "machines'" : "machine's"} and not the build's.`;
    }
    case 'unfit':
      return `The ${machine} ${was} busy with something else ${busy}. Both builds were slowed down alike, but figures may be larger than on ${several ? 'free machines: measure again on such' : 'a free machine: measure again on one'}.`;
    case 'fit': {
      const same =
        control?.low === undefined || control.high === undefined
          ? `The ${machine} ${was} free enough to measure`
          : `The ${machine} ${was} the same for both builds (a fixed piece of work took between ${percent(control.low)} and ${percent(control.high)} longer before the candidate)`;
      return unfitRuns === 0
        ? `${same}.`
        : `${same}, although ${several ? 'they were' : 'it was'} busy with something else ${busy}.`;
    }
    case 'unknown':
      if (runs.some(({ host }) => host?.driver !== undefined)) return `${ELSEWHERE}${driverBusy(runs)}`;
      return `Whether the ${machine} ${was} the same for both builds is not known: ${several ? 'these systems do' : 'this system does'} not tell.`;
  }
}

/** A machine that only drives the browser is no judge of it, but its own trouble is worth a word. */
function driverBusy(runs: readonly PlacedRun[]): string {
  const busy = runs.filter(({ host }) => host?.driver === 'busy').length;
  return busy === 0
    ? ''
    : ` This machine, which drove it, kept more than half of its own processors busy in ${busy} of ${runs.length} loads.`;
}
