import type { PlanProblem } from '../../core/experiment/plan.ts';
import { formatCount } from '../text/format.ts';

/** The options of a plan as they are typed. */
export const PLAN_OPTIONS: Readonly<Record<PlanProblem['option'], string>> = {
  maxPairs: '--max-pairs',
  looks: '--looks',
  alpha: '--alpha',
  gate: '--gate',
  seed: '--seed',
};

/** What is wrong with an option of a plan, a clause. */
export function planProblemInWords(problem: PlanProblem): string {
  switch (problem.code) {
    case 'not-whole':
      return `${problem.pairs} is not a whole number`;
    case 'too-few-pairs':
      return `${formatCount(problem.pairs, 'pair')} ${problem.pairs === 1 ? 'says' : 'say'} nothing about chance: at least ${problem.least} are needed, and from 10 on an answer can be expected`;
    case 'odd':
      return `${problem.pairs} is odd: loads come in blocks of two pairs, so use ${problem.pairs - 1} or ${problem.pairs + 1}`;
    case 'too-many-pairs':
      return `${problem.pairs} is more than ${problem.most}`;
    case 'no-looks':
      return 'at least one look is needed';
    case 'not-rising':
      return `they must rise, and ${problem.look} follows ${problem.before}`;
    case 'beyond-max-pairs':
      return `${problem.look} is beyond --max-pairs ${problem.maxPairs}`;
    case 'no-gate':
      return 'at least one metric has to decide';
    case 'out-of-range':
      return problem.option === 'alpha' ? 'must be above 0 and at most 0.5' : 'must be a whole number from 0 on';
  }
}

/** Why the blocks of a plan cannot be shared by so many shards, a clause. */
export function tooFewBlocks(pairs: number, blocks: number, shards: number): string {
  return `${pairs} pairs are ${blocks} blocks of loads, too few for ${shards} shards: use fewer, or more pairs (--max-pairs)`;
}
