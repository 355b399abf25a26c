import type { VisualChange } from '../../../model/picture.ts';
import type { Request } from '../../../model/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import type { ResultShape } from '../../../model/verdict.ts';
import { endOfContent } from '../../time/end-of-content.ts';
import { HABIT, PATIENCE } from '../../time/lags.ts';
import { fillsPlace, repaintsLikeLater } from '../../visual/changes.ts';
import { follows } from '../../visual/impact.ts';

/** An answer of another size than this share of the smaller one is another kind of answer. A count or a time adds less. */
const UNLIKE = 0.5;

/**
 * What the answer is like that was waited for: the one of this number, where all before it are unlike it. Undefined where
 * nothing but the number tells it from them.
 */
export function resultOf(requests: readonly Request[], number: number): ResultShape | undefined {
  const [first] = requests;
  const result = requests[number - 1];
  if (!first || number < 2 || result?.response === undefined || result.endedAt === undefined) return undefined;
  const shape = { status: result.response.status, bytes: result.contentSize, by: result.endedAt - first.startedAt };
  return requests.slice(0, number - 1).some((each) => isLike(each, shape)) ? undefined : shape;
}

/**
 * How many of the requests are content: up to the first that is answered like the result; all, while that is awaited. A
 * count that another load needed says nothing about this one. Undefined when it does not come.
 */
export function countToResult(
  requests: readonly Request[],
  result: ResultShape,
  observedUntil: Ms,
): number | undefined {
  const found = requests.findIndex((request) => isLike(request, result));
  if (found >= 0) return found + 1;
  return isAwaited(requests, result.by, observedUntil) ? requests.length : undefined;
}

/**
 * How many answers of a series that goes on changing the screen are content: up to the last that filled an empty place, before
 * a quiet window without one. One, where they go on filling places: a list that grows. Where nothing
 * changed any more for a quiet window, few answers tell that they have stopped.
 *
 * @param arrivals when they came
 * @param changedAt the changes of the picture that they caused
 */
export function countToFilled(
  arrivals: readonly Ms[],
  changedAt: readonly Ms[],
  { changes, quietWindow }: { readonly changes: readonly VisualChange[]; readonly quietWindow: Ms },
): number {
  // The first answer is content, also where the film cannot say what it changed: what was painted just then may be its own.
  const [since = changedAt[0] ?? Number.POSITIVE_INFINITY] = arrivals;
  const fills = changedAt.filter((at) => fillsPlace(at, since, changes));
  const last = endOfContent(since, fills, quietWindow);
  const count = arrivals.filter((at) => at <= last).length;
  const isOver = changedAt.every((at) => at <= last) && (arrivals.at(-1) ?? last) - last > quietWindow;
  return count <= arrivals.length - (isOver ? 1 : HABIT) ? Math.max(1, count) : 1;
}

/**
 * How many of so many first answers may be content, where something else moves in step with them: the last ones are not, as
 * long as what changed with them is like what changed with all later ones.
 */
export function withoutUpdates(count: number, arrivals: readonly Ms[], changes: readonly VisualChange[]): number {
  const changedBy = (some: readonly Ms[]): readonly VisualChange[] => changes.filter(({ at }) => follows(at, some));
  let left = count;
  while (left > 1 && repaintsLikeLater(changedBy(arrivals.slice(left - 1, left)), changedBy(arrivals.slice(left)))) {
    left -= 1;
  }
  return left;
}

/** Is content that came by then elsewhere still to be expected? */
function isAwaited(requests: readonly Request[], by: Ms, observedUntil: Ms): boolean {
  const from = requests[0]?.startedAt ?? observedUntil;
  return observedUntil < from + by * PATIENCE.factor + PATIENCE.ms;
}

function isLike({ response, contentSize, endedAt }: Request, { status, bytes }: ResultShape): boolean {
  if (response?.status !== status || endedAt === undefined) return false;
  return Math.abs(contentSize - bytes) <= UNLIKE * Math.min(contentSize, bytes);
}
