import type { Milestone, TargetReport } from '../model/result/report.ts';
import { isBroken } from './health.ts';
import { pagesWithSteps, type Ranked } from './pages-with-steps.ts';
import { answerOf, headlineComplete } from './representative.ts';

/** Milestones in order of time. */
export function byTime(milestones: readonly Milestone[]): readonly Milestone[] {
  return milestones.toSorted((a, b) => a.at - b.at);
}

/**
 * Targets in the order in which one would look at them: without an answer first, then broken ones, then the slowest. The steps of a page
 * stand behind it in their own order, and it has the place of the worst of them all.
 */
export function worstFirst(targets: readonly TargetReport[]): readonly Ranked[] {
  return pagesWithSteps(targets)
    .map(({ page, steps }) => ({ all: [page, ...steps], index: page.index }))
    .map((each) => ({ ...each, rank: Math.max(...each.all.map(({ target }) => rankOf(target))) }))
    .sort((a, b) => b.rank - a.rank || a.index - b.index)
    .flatMap(({ all }) => all);
}

/** Not measured, never complete and not confirmed are worse than any time, and so is that of a page that does not work. */
function rankOf(target: TargetReport): number {
  const complete = headlineComplete(target);
  if (complete !== undefined) return isBroken(target.result) ? Number.MAX_VALUE / 8 : complete;
  const state = answerOf(target)?.state;
  return state === undefined ? Number.MAX_VALUE : state === 'never' ? Number.MAX_VALUE / 2 : Number.MAX_VALUE / 4;
}
