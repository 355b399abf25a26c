import type { Build, BuildMedian, ComparedFigures, ExperimentPlan, PlacedRun, Scale } from '../../model/comparison.ts';
import type { Metric } from '../../model/visit.ts';
import { defined } from '../defined.ts';
import { estimateMedian } from '../median.ts';
import { figureOf } from '../metrics/figure.ts';
import { boundaries } from './alpha-spending.ts';
import { benjaminiHochberg } from './benjamini-hochberg.ts';
import { decide, gateFails, pairsToSettle } from './decision.ts';
import { differenceOf } from './difference.ts';
import { effectBounds } from './effect.ts';
import { type BlockValues, estimateShift, type Shift } from './hodges-lehmann.ts';
import { normalQuantile } from './normal.ts';
import { onAxis, pairedValues, valuesOf } from './paired-values.ts';
import { detectableDrift } from './resolution.ts';

/** Coverage of the intervals of metrics that do not decide. */
const OTHER_LEVEL = 0.95;

/** What of a metric a comparison has to know. */
export type ComparedMetric = Pick<Metric, 'unit' | 'canBeZero'> &
  Partial<Pick<Metric, 'better'>> & { readonly name: string };

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
interface Sample {
  readonly metric: ComparedMetric;
  readonly scale: Scale;
  readonly base: BuildMedian;
  readonly candidate: BuildMedian;
  readonly shift?: Shift;
}

/** Compares all metrics over the runs so far: estimates, intervals, decisions and gates. */
export function evaluate({ runs, plan, metrics, looksTaken }: EvaluationInput): Evaluation {
  const gateAlpha = plan.alpha / plan.gates.length;
  const largest = plan.looks.at(-1) ?? 1;
  const criticalValue = boundaries(
    looksTaken.map((pairs) => pairs / largest),
    gateAlpha,
  ).at(-1);

  const gates = plan.gates.map((name) => {
    const metric = metrics.find((each) => each.name === name) ?? { name, unit: 'ms' };
    return compared(sampleOf(metric, runs), plan, {
      gate: true,
      criticalValue: criticalValue ?? Number.POSITIVE_INFINITY,
      level: 1 - gateAlpha,
    });
  });

  const samples = metrics
    .filter(({ name }) => !plan.gates.includes(name))
    .map((metric) => sampleOf(metric, runs))
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
      criticalValue: normalQuantile((1 + OTHER_LEVEL) / 2),
      level: OTHER_LEVEL,
      discovery: discovered.get(sample) ?? false,
    }),
  );
  return {
    comparisons: [...gates, ...others],
    decided: gates.every(({ decision }) => decision !== 'unsure'),
    ...(criticalValue !== undefined && { criticalValue }),
  };
}

function sampleOf(metric: ComparedMetric, runs: readonly PlacedRun[]): Sample {
  const read = (run: PlacedRun): number | undefined => figureOf(run.metrics, metric.name);
  const blocks = pairedValues(runs, read);
  const scale = scaleFor(metric, blocks);
  const shift = estimateShift(onAxis(blocks, axisOf(metric, scale)));
  // Where nothing can be compared, what was measured is shown all the same.
  const shown = (build: Build): readonly number[] =>
    shift ? blocks.flatMap((block) => block[build]) : valuesOf(build, runs, read);
  return defined({
    metric,
    scale,
    base: medianOf(shown('base')),
    candidate: medianOf(shown('candidate')),
    shift,
  });
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
  return defined({ n: values.length, median });
}

function compared(
  { metric, scale, base, candidate, shift }: Sample,
  plan: ExperimentPlan,
  look: {
    readonly gate: boolean;
    readonly criticalValue: number;
    readonly level: number;
    readonly discovery?: boolean;
  },
): ComparedFigures {
  const { name, unit } = metric;
  const { gate, discovery } = look;
  const identity = defined({ metric: name, unit, scale, gate, base, candidate, discovery });
  if (!shift) {
    return { ...identity, decision: 'unsure', fails: false };
  }
  // Over several machines that differ the base's median is what a load takes on a machine in the middle. Blocks are
  // whole, so that both builds have as many loads on each machine. What does not rest on it is the interval of a ratio;
  // what does is the difference in the unit and the least that matters in the unit, which are as true of that machine.
  const bounds = effectBounds(plan.minEffect, { scale, unit, baseMedian: base.median ?? 0 });
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
  return defined({
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
  });
}
