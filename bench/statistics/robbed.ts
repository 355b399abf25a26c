import { boundaries } from '../../src/core/experiment/alpha-spending.ts';
import { decidingBasis } from '../../src/core/experiment/basis.ts';
import { blockOrder } from '../../src/core/experiment/blocks.ts';
import { decide } from '../../src/core/experiment/decision.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from '../../src/core/experiment/effect.ts';
import { estimateShift } from '../../src/core/experiment/hodges-lehmann.ts';
import { defaultLooks } from '../../src/core/experiment/plan.ts';
import { undisturbedShift } from '../../src/core/experiment/undisturbed.ts';
import { median } from '../../src/core/time/median.ts';
import type { DisturbedLoad, Session } from './noise.ts';
import { holds, LEVEL, MAX_PAIRS, type Rule, rules } from './rules.ts';

/** The loads of a block. */
interface Block {
  readonly base: readonly DisturbedLoad[];
  readonly candidate: readonly DisturbedLoad[];
}

/** Quiesce's own, with the code that runs in a comparison, with or without what is known of the stolen time. */
function quiesceWith(name: string, looks: readonly number[], undisturbed: boolean): Rule {
  const limits = boundaries(
    looks.map((pairs) => pairs / MAX_PAIRS),
    LEVEL,
  );
  return {
    name,
    compare(session, factor, seed) {
      const blocks: Block[] = [];
      for (const [k, pairs] of looks.entries()) {
        while (blocks.length * 2 < pairs) blocks.push(loadBlock(session, factor, seed, blocks.length));
        const z = limits[k] ?? Number.POSITIVE_INFINITY;
        const measured = estimateShift(mapped(blocks, ({ wall }) => Math.log(wall)));
        const other = undisturbed ? undisturbedShift(mapped(blocks, robbed)) : undefined;
        const basis = decidingBasis(measured, other, z);
        const shift = basis === 'measured' ? measured : other;
        const baseMedian = median(
          blocks.flatMap(({ base }) => base.map((load) => (basis === 'measured' ? load.wall : load.undisturbed))),
        );
        const interval = shift?.interval(z) ?? {};
        const bounds = effectBounds(DEFAULT_MIN_EFFECT, { scale: 'ratio', unit: 'ms', baseMedian });
        const decision = decide(interval, bounds);
        if (decision === 'unsure' && k < looks.length - 1) continue;
        const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = interval;
        return {
          called: decision === 'slower' || decision === 'faster' ? decision : undefined,
          decided: decision !== 'unsure',
          pairs,
          covers: holds(interval, Math.log(factor)),
          width: Math.expm1(high) - Math.expm1(low),
          error: (shift?.estimate ?? Number.NaN) - Math.log(factor),
        };
      }
      throw new Error('the last look always ends it');
    },
  };
}

function loadBlock({ robbed: load }: Session, factor: number, seed: number, index: number): Block {
  if (!load) throw new Error('nothing is stolen in this scenario');
  const loads = blockOrder(seed, index).map((build, order) => {
    const candidate = build === 'candidate';
    const place = { load: index * 4 + order, second: order % 2 === 1, candidate };
    return { candidate, load: load(place, candidate ? factor : 1) };
  });
  const of = (wanted: boolean): readonly DisturbedLoad[] =>
    loads.filter(({ candidate }) => candidate === wanted).map((each) => each.load);
  return { base: of(false), candidate: of(true) };
}

function robbed({ undisturbed, mainThreadTime, stolenTime, microBenchmark, busyByOthers }: DisturbedLoad) {
  return { undisturbed, stolenShare: stolenTime / mainThreadTime, host: [Math.log(microBenchmark), busyByOthers] };
}

function mapped<T>(blocks: readonly Block[], read: (load: DisturbedLoad) => T) {
  return blocks.map(({ base, candidate }) => ({ base: base.map(read), candidate: candidate.map(read) }));
}

/** Without looks in between: an estimate that ends a comparison when it is large enough is too large on average. */
export const quiesceAtOnce = quiesceWith('quiesce, one look', [MAX_PAIRS], true);

/** Rules for pages from which the machine takes time: with what is known of that, without, and what others do. */
export const robbedRules: readonly Rule[] = [
  quiesceWith('quiesce', defaultLooks(MAX_PAIRS), true),
  quiesceAtOnce,
  quiesceWith('quiesce, as measured', defaultLooks(MAX_PAIRS), false),
  ...rules.slice(1),
];
