import { isCompleteRun, isCounted } from '../core/counted-runs.ts';
import type { ComparePagesResult, CompareResult } from '../model/compare/comparison.ts';
import type { AuditResult, TargetResult } from '../model/result/result.ts';
import { representativeRun } from './representative.ts';

/**
 * What an audit says of a page: no run counts · it was never complete · it may have been, too late to be sure · it was
 * complete in some runs · it was complete in all.
 */
export type Outcome = 'unmeasured' | 'never' | 'unconfirmed' | 'partly' | 'complete';

/** The worst first. */
const OUTCOMES: readonly Outcome[] = ['unmeasured', 'never', 'unconfirmed', 'partly', 'complete'];

/** What is said of one page: its runs that count together. The run that stands for it says the same. */
export function outcomeOf({ runs }: Pick<TargetResult, 'runs'>): Outcome {
  const answer = representativeRun(runs)?.pageComplete;
  if (answer === undefined) return 'unmeasured';
  if (answer.state !== 'complete') return answer.state;
  return runs.filter(isCounted).every(isCompleteRun) ? 'complete' : 'partly';
}

/** The outcomes that there are, the worst first, and how many targets have each. */
export function outcomesOf(
  targets: readonly Pick<TargetResult, 'runs'>[],
): readonly { readonly outcome: Outcome; readonly count: number }[] {
  const groups = Map.groupBy(targets, outcomeOf);
  return OUTCOMES.flatMap((outcome) => {
    const group = groups.get(outcome);
    return group === undefined ? [] : [{ outcome, count: group.length }];
  });
}

type AnyResult = AuditResult | ComparePagesResult | CompareResult;

/** One word for a stored result: the decision of a comparison, of an audit the worst that is said of a page. */
export function decisionOf(result: AnyResult): CompareResult['decision'] | Outcome {
  if (result.kind === 'compare') return result.decision;
  return outcomesOf(result.targets)[0]?.outcome ?? 'unmeasured';
}

/** How much later page complete is in the candidate, as a share of the base; undefined where that is not known, and of several pages. */
export function pageCompleteDifference(result: AnyResult): number | undefined {
  if (result.kind !== 'compare' || 'targets' in result || result.decision === 'invalid') return undefined;
  return result.comparisons.find(({ metric }) => metric === 'pageComplete')?.difference?.relative;
}

/** Was everything measured that was to be? A shard to which no page fell had nothing to do. */
export function wasMeasured(result: AnyResult): boolean {
  if (result.kind !== 'compare') {
    const nothingToDo = result.shard !== undefined && result.interrupted !== true;
    return result.targets.length === 0 ? nothingToDo : decisionOf(result) !== 'unmeasured';
  }
  return 'targets' in result ? result.targets.some(wasCompared) : wasCompared(result);
}

function wasCompared(result: Pick<CompareResult, 'design' | 'base' | 'candidate'>): boolean {
  if (result.design.pairs > 0) return true;
  // Pages that never were complete were measured, and there is nothing to compare.
  return result.design.stoppedBecause === 'not-measurable' && bothLoaded(result);
}

/** Was each build loaded at least once? */
export function bothLoaded({ base, candidate }: Pick<CompareResult, 'base' | 'candidate'>): boolean {
  return [base, candidate].every(({ runs }) => runs.some(({ ok }) => ok));
}
