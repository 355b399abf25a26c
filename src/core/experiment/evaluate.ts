import type {
  Basis,
  Build,
  BuildMedian,
  ComparedFigures,
  ExperimentPlan,
  OtherBasis,
  PlacedRun,
  Scale,
} from '../../model/compare/comparison.ts';
import type { Metric } from '../../model/network/visit.ts';
import { figureOf } from '../metrics/figure.ts';
import { estimateMedian } from '../time/median.ts';
import { boundaries } from './alpha-spending.ts';
import { decidingBasis } from './basis.ts';
import { benjaminiHochberg } from './benjamini-hochberg.ts';
import { decide, gateFails, pairsToSettle } from './decision.ts';
import { differenceOf } from './difference.ts';
import { effectBounds } from './effect.ts';
import { type BlockValues, estimateShift, type Shift } from './hodges-lehmann.ts';
import { normalQuantile } from './normal.ts';
import { onAxis, pairedBlocks, pairedValues, valuesOf } from './paired-values.ts';
import { detectableDrift } from './resolution.ts';
import { type DisturbedLoad, undisturbedShift } from './undisturbed.ts';

/** Coverage of the intervals of metrics that do not decide. */
const OTHER_LEVEL = 0.95;
const OTHER_Z = normalQuantile((1 + OTHER_LEVEL) / 2);

/** What of a metric a comparison has to know. */
export type ComparedMetric = Pick<Metric, 'unit' | 'canBeZero' | 'isPaint'> &
  Partial<Pick<Metric, 'better' | 'isMoment'>> & { readonly name: string };

/** One look at a comparison. */
export interface EvaluationInput {
  /** Those that count: ok, timed, not excluded. */
  readonly runs: readonly PlacedRun[];
  readonly plan: ExperimentPlan;
  readonly metrics: readonly ComparedMetric[];
  /** Pairs at each look, rising; the last is now. */
  readonly looksTaken: readonly number[];
}

/** What a look says. */
export interface Evaluation {
  /** Gates in the plan's order, then the others in the list's. */
  readonly comparisons: readonly ComparedFigures[];
  /** Every gate metric has decided: no more loads are needed. */
  readonly decided: boolean;
  /** |z| beyond which a gate metric differs at this look; absent before the first look. */
  readonly criticalValue?: number;
}

/** What is compared of one metric. */
interface Sample extends Compared {
  readonly metric: ComparedMetric;
  readonly scale: Scale;
  /** The less precise of the two bases on which it can be compared; absent where there is but one. */
  readonly beside?: Compared;
}

/** A metric on one basis. */
interface Compared {
  readonly basis: Basis;
  readonly base: BuildMedian;
  readonly candidate: BuildMedian;
  readonly shift?: Shift;
}

/** Compares all metrics over the runs so far: estimates, intervals, decisions and gates. */
export function evaluate({ runs, plan, metrics, looksTaken }: EvaluationInput): Evaluation {
  // Without a gate nothing is decided, and all metrics are told as others are.
  const gateAlpha = plan.alpha / Math.max(1, plan.gates.length);
  const largest = plan.looks.at(-1) ?? 1;
  const criticalValue = boundaries(
    looksTaken.map((pairs) => pairs / largest),
    gateAlpha,
  ).at(-1);

  const gates = plan.gates.map((name) => {
    const metric = metrics.find((each) => each.name === name) ?? { name, unit: 'ms' };
    const z = criticalValue ?? Number.POSITIVE_INFINITY;
    return compared(sampleOf(metric, runs, z), plan, { gate: true, criticalValue: z, level: 1 - gateAlpha });
  });

  const samples = metrics
    .filter(({ name }) => !plan.gates.includes(name))
    .map((metric) => sampleOf(metric, runs, OTHER_Z))
    .filter(({ base, candidate }) => base.n > 0 || candidate.n > 0);
  const discovered = new Map<Sample, boolean>();
  const testable = samples.flatMap((sample) => (sample.shift ? [{ sample, p: sample.shift.p }] : []));
  for (const [i, is] of benjaminiHochberg(testable.map(({ p }) => p)).entries()) {
    const sample = testable[i]?.sample;
    if (sample) discovered.set(sample, is);
  }
  const others = samples.map((sample) =>
    compared(sample, plan, {
      gate: false,
      criticalValue: OTHER_Z,
      level: OTHER_LEVEL,
      discovery: discovered.get(sample) ?? false,
    }),
  );
  return {
    comparisons: [...gates, ...others],
    decided: gates.every(({ decision }) => decision !== 'unsure'),
    criticalValue,
  };
}

function sampleOf(metric: ComparedMetric, runs: readonly PlacedRun[], z: number): Sample {
  const read = (run: PlacedRun): number | undefined => figureOf(run.metrics, metric.name);
  const blocks = pairedValues(runs, read);
  const scale = scaleFor(metric, blocks);
  const shift = estimateShift(onAxis(blocks, axisOf(metric, scale)));
  // Where nothing can be compared, what was measured is shown all the same.
  const shown = (build: Build): readonly number[] =>
    shift ? blocks.flatMap((block) => block[build]) : valuesOf(build, runs, read);
  const measured: Compared = {
    basis: 'measured' as const,
    base: medianOf(shown('base')),
    candidate: medianOf(shown('candidate')),
    shift,
  };
  const undisturbed = scale === 'ratio' && metric.isMoment ? withoutStolen(metric, runs, blocks.length) : undefined;
  const [first, beside] =
    undisturbed && decidingBasis(shift, undisturbed.shift, z) === 'undisturbed'
      ? [undisturbed, measured]
      : [measured, undisturbed];
  return { metric, scale, ...first, beside };
}

/** A moment without what was stolen before it; undefined where that is not known of each load that is compared. */
function withoutStolen({ name }: ComparedMetric, runs: readonly PlacedRun[], blocks: number): Compared | undefined {
  const robbed = pairedBlocks(runs, (run) => disturbedLoad(run, name));
  const shift = robbed.length === blocks ? undisturbedShift(robbed) : undefined;
  const median = (build: Build): BuildMedian =>
    medianOf(robbed.flatMap((block) => block[build].map(({ undisturbed }) => undisturbed)));
  return shift && { basis: 'undisturbed', base: median('base'), candidate: median('candidate'), shift };
}

function disturbedLoad({ metrics = {}, undisturbed, host }: PlacedRun, metric: string): DisturbedLoad | undefined {
  const { mainThreadTime, stolenTime } = metrics;
  const time = figureOf(undisturbed, metric);
  if (time === undefined || !(time > 0) || !mainThreadTime || stolenTime === undefined) return undefined;
  const { microBenchmark, busyByOthers } = host ?? {};
  return {
    undisturbed: time,
    stolenShare: stolenTime / mainThreadTime,
    host: [microBenchmark === undefined ? undefined : Math.log(microBenchmark), busyByOthers],
  };
}

function scaleFor({ canBeZero }: ComparedMetric, blocks: readonly BlockValues[]): Scale {
  const isPositive = (value: number): boolean => value > 0;
  const positive = blocks.every(({ base, candidate }) => base.every(isPositive) && candidate.every(isPositive));
  return canBeZero === true || !positive ? 'shift' : 'ratio';
}

/** Onto the scale on which builds are compared, upward for worse. */
function axisOf({ better }: ComparedMetric, scale: Scale): (value: number) => number {
  const sign = better === 'higher' ? -1 : 1;
  return scale === 'ratio' ? (value) => sign * Math.log(value) : (value) => sign * value;
}

function medianOf(values: readonly number[]): BuildMedian {
  const median = estimateMedian(values)?.median;
  return { n: values.length, median };
}

function compared(
  { metric, scale, base, candidate, shift, basis, beside }: Sample,
  plan: ExperimentPlan,
  look: {
    readonly gate: boolean;
    readonly criticalValue: number;
    readonly level: number;
    readonly discovery?: boolean;
  },
): ComparedFigures {
  const { name, unit, isPaint } = metric;
  const { gate, discovery } = look;
  const identity = {
    metric: name,
    unit,
    scale,
    gate,
    ...(beside && { basis, beside: otherBasisOf(beside, { scale, unit, isPaint, ...look }, plan) }),
    base,
    candidate,
    discovery,
  };
  if (!shift) {
    return { ...identity, decision: 'unsure', fails: false };
  }
  // Over several machines that differ the base's median is what a load takes on a machine in the middle. Blocks are
  // whole, so that both builds have as many loads on each machine. What does not rest on it is the interval of a ratio;
  // what does is the difference in the unit and the least that matters in the unit, which are as true of that machine.
  const bounds = effectBounds(plan.minEffect, { scale, unit, isPaint, baseMedian: base.median ?? 0 });
  const interval = shift.interval(look.criticalValue);
  const found = decide(interval, bounds);
  // A difference among many metrics has to hold against their number too.
  const decision = found === 'same' || gate || discovery === true ? found : 'unsure';
  const fails = gate && gateFails(decision, { ...interval, estimate: shift.estimate }, bounds, plan.strict);
  const toSettle =
    gate && decision === 'unsure'
      ? pairsToSettle(shift, bounds, {
          pairs: base.n,
          criticalValue: look.criticalValue,
          drift: detectableDrift(plan.looks, plan.alpha / plan.gates.length),
        })
      : undefined;
  return {
    ...identity,
    difference: differenceOf({
      scale,
      estimate: shift.estimate,
      interval,
      level: look.level,
      bounds,
      baseMedian: base.median ?? 0,
    }),
    p: shift.p,
    decision,
    fails,
    pairsToSettle: toSettle,
  };
}

/** The figures of the basis that does not decide, at the same look. */
function otherBasisOf(
  { basis, base, candidate, shift }: Compared,
  look: Pick<ComparedFigures, 'scale' | 'unit'> & {
    readonly isPaint: boolean | undefined;
    readonly criticalValue: number;
    readonly level: number;
  },
  { minEffect }: ExperimentPlan,
): OtherBasis {
  const { scale, unit, isPaint, level, criticalValue } = look;
  const baseMedian = base.median ?? 0;
  const difference =
    shift &&
    differenceOf({
      scale,
      estimate: shift.estimate,
      interval: shift.interval(criticalValue),
      level,
      bounds: effectBounds(minEffect, { scale, unit, isPaint, baseMedian }),
      baseMedian,
    });
  return { basis, base, candidate, difference, p: shift?.p };
}
