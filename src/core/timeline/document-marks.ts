import type { Mark, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';

/** Milestones of the document that is there now; a client-side redirect starts again. */
export function marksOfDocument(timeline: Pick<Timeline, 'marks'>): readonly Mark[] {
  const commit = timeline.marks.findLast((mark) => mark.name === 'document-commit');
  if (commit?.loaderId === undefined) return timeline.marks;
  return timeline.marks.filter((mark) => mark.loaderId === undefined || mark.loaderId === commit.loaderId);
}

/** Had the load event of that document fired by then? */
export function isLoadedBy(at: Ms, timeline: Pick<Timeline, 'marks'>): boolean {
  return marksOfDocument(timeline).some((mark) => mark.name === 'load' && mark.at <= at);
}

/** Was the browser watched? Only then documents are told, and would paints, handshakes and messages have been. */
export function isWatched({ marks }: Pick<Timeline, 'marks'>): boolean {
  return marks.some(({ name }) => name === 'document-commit');
}
