import type { CompareResult } from '../../model/comparison.ts';
import type { AuditResult, RunResult, TargetResult } from '../../model/result.ts';
import { EXIT } from '../messages.ts';

/** What an audit says of a page, or of all its pages: the worst of them. */
export type PageOutcome = 'unmeasured' | 'never' | 'unconfirmed' | 'partly' | 'complete';

const WORST_FIRST: readonly PageOutcome[] = ['unmeasured', 'never', 'unconfirmed', 'partly', 'complete'];

/**
 * One word for a stored result: the decision of a comparison, or of an audit the worst that is said of a page:
 * `unmeasured`, `never` (complete), `unconfirmed`, `partly` (complete in some runs), `complete`.
 */
export function decisionOf(result: AuditResult | CompareResult): CompareResult['decision'] | PageOutcome {
  if (result.kind === 'compare') return result.decision;
  const outcomes = result.targets.map(pageOutcomeOf);
  return WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'unmeasured';
}

/** What is said of one page: its timed runs together. */
export function pageOutcomeOf({ runs }: TargetResult): PageOutcome {
  const states = runs.filter(isMeasured).map(({ pageComplete }) => pageComplete?.state);
  if (states.length === 0) return 'unmeasured';
  const complete = states.filter((state) => state === 'complete').length;
  if (complete > 0) return complete === states.length ? 'complete' : 'partly';
  return states.includes('never') ? 'never' : 'unconfirmed';
}

const isMeasured = ({ role, ok }: RunResult): boolean => role === 'timed' && ok;

/** How much later page complete is in the candidate, as a share of the base; undefined where that is not known. */
export function pageCompleteDifference(result: AuditResult | CompareResult): number | undefined {
  if (result.kind !== 'compare' || result.decision === 'invalid') return undefined;
  return result.comparisons.find(({ metric }) => metric === 'pageComplete')?.difference?.relative;
}

/** Was everything measured that was to be? A shard to which no page fell had nothing to do. */
export function wasMeasured(result: AuditResult | CompareResult): boolean {
  if (result.kind !== 'compare') {
    const nothingToDo = result.shard !== undefined && result.interrupted !== true;
    return result.targets.length === 0
      ? nothingToDo
      : !result.targets.some((each) => pageOutcomeOf(each) === 'unmeasured');
  }
  if (result.design.pairs > 0) return true;
  // Pages that never were complete were measured, and there is nothing to compare.
  const loaded = [result.base, result.candidate].every(({ runs }) => runs.some(({ ok }) => ok));
  return result.design.stoppedBecause === 'not-measurable' && loaded;
}

/**
 * The exit code of the job that tells GitHub of a result. Undecided is no failure there: it warns.
 *
 * @param fails whether a gate or a budget fails it
 */
export function exitOf(result: AuditResult | CompareResult, fails: boolean): number {
  if (!wasMeasured(result)) return EXIT.unmeasured;
  return fails ? EXIT.gate : EXIT.ok;
}
