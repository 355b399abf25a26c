import { type BlockValues, estimateShift } from '../../src/core/experiment/hodges-lehmann.ts';
import { machinesApart } from '../../src/core/merge/agreement.ts';
import { randomFor } from '../statistics/random.ts';

/** Simulated comparisons over machines of different speed. */
export interface MachinesTask {
  readonly machines: number;
  /** Blocks of two pairs on each. */
  readonly blocks: number;
  /** How much slower the candidate is on the first machine, and there alone, as a logarithm. */
  readonly onOne: number;
  readonly comparisons: number;
}

/** Shares of the comparisons, 0 to 1. */
export interface MachinesTally {
  /** The interval of the joined comparison does not hold what the candidate does on the other machines. */
  readonly off: number;
  /** It was said that the machines do not agree. */
  readonly apart: number;
}

/** z of an interval of 95 % with one look. */
const CRITICAL = 1.959964;
/** What the candidate changes on all machines, as a logarithm. */
const COMMON = 0.05;

/** Machines up to 35 % apart, each with a spread of its own (3 to 7 %), outliers, and blocks that lie 2 % apart. */
function blocksOf({ machines, blocks, onOne }: MachinesTask, seed: number): readonly BlockValues[] {
  const random = randomFor(seed, machines, blocks, Math.round(onOne * 1000));
  return Array.from({ length: machines }, (_, stratum) => {
    const speed = 0.3 * random.uniform();
    const spread = 0.03 + 0.04 * random.uniform();
    return Array.from({ length: blocks }, (): BlockValues => {
      const block = 0.02 * random.normal();
      const load = (): number =>
        speed + block + spread * random.normal() + (random.uniform() < 0.05 ? 0.5 * random.uniform() : 0);
      const change = COMMON + (stratum === 0 ? onOne : 0);
      return { base: [load(), load()], candidate: [load() + change, load() + change], stratum };
    });
  }).flat();
}

/** Joins simulated shards, one from each machine, and counts what is said of them. */
export function simulateMachines(task: MachinesTask): MachinesTally {
  let off = 0;
  let apart = 0;
  for (let seed = 0; seed < task.comparisons; seed += 1) {
    const blocks = blocksOf(task, seed);
    const { low, high } = estimateShift(blocks)?.interval(CRITICAL) ?? {};
    if ((low ?? COMMON) > COMMON || (high ?? COMMON) < COMMON) off += 1;
    if (machinesApart(blocks).length > 0) apart += 1;
  }
  return { off: off / task.comparisons, apart: apart / task.comparisons };
}
