import type { VisualChange } from '../../model/picture.ts';
import type { Request } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { ResultShape } from '../../model/verdict.ts';
import { endOfContent } from '../end-of-content.ts';
import { HABIT, PATIENCE } from '../lags.ts';
import { endOf } from '../timeline/inflight.ts';
import { fillsPlace, repaintsLikeLater } from '../visual/changes.ts';
import { follows } from '../visual/impact.ts';

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
 * So many answers that are one larger than the other are filled in piece by piece. A single one may only count to ten, or be a
 * price with a digit more, unless it is larger by such a share and by so many bytes.
 */
const FILLED_IN = { steps: 2, share: 0.05, bytes: 4 } as const;

/**
 * What the answers are like that have all that is filled in piece by piece: each is as large as the one before it or larger,
 * until none grows any more. Undefined where they grow otherwise.
 */
export function completedOf(requests: readonly Request[], quietWindow: Ms): ResultShape | undefined {
  const answered = requests.filter(isAnswered);
  const [first] = answered;
  const last = answered.at(-1);
  if (!first || !last?.response) return undefined;
  const grows = answered.every(({ contentSize }, i) => contentSize >= (answered[i - 1]?.contentSize ?? 0));
  const steps = stepsUp(answered);
  const whole = steps.at(-1);
  if (!grows || !whole) return undefined;
  const filled = atOnce(first, steps, quietWindow);
  const grown = (filled.at(-1)?.contentSize ?? 0) - first.contentSize;
  const isMore = grown >= Math.max(FILLED_IN.bytes, FILLED_IN.share * first.contentSize);
  if (filled.length < FILLED_IN.steps && !isMore) return undefined;
  const number = answered.indexOf(whole);
  if (answered.length - number < HABIT) return undefined;
  const before = answered[number - 1]?.contentSize ?? 0;
  const { contentSize: bytes, response } = last;
  return { status: response.status, bytes, within: (bytes - before) / 2, by: endOf(whole) - first.startedAt };
}

/** The answers that are larger than the one before them. */
function stepsUp(answered: readonly Request[]): readonly Request[] {
  return answered.filter(({ contentSize }, i) => i > 0 && contentSize > (answered[i - 1]?.contentSize ?? 0));
}

/** Those of the steps before a quiet window without one. */
function atOnce(first: Request, steps: readonly Request[], quietWindow: Ms): readonly Request[] {
  const last = endOfContent(endOf(first), steps.map(endOf), quietWindow);
  return steps.filter((step) => endOf(step) <= last);
}

/**
 * How many of the requests bring what is filled in piece by piece: up to the first that has all, or to the last that is larger
 * than those before it, before a quiet window without one.
 */
export function countToCompleted(
  requests: readonly Request[],
  completed: ResultShape,
  { observedUntil, quietWindow }: { readonly observedUntil: Ms; readonly quietWindow: Ms },
): number | undefined {
  const answered = requests.filter(isAnswered);
  const [first] = answered;
  if (!first) return requests.length;
  const grown = atOnce(first, stepsUp(answered), quietWindow);
  const last = grown.findLast((step) => endOf(step) <= observedUntil) ?? first;
  const whole = requests.findIndex((request) => isLike(request, completed));
  const number = requests.indexOf(last) + 1;
  if (whole >= 0 && whole < number) return whole + 1;
  return endOf(last) + quietWindow > observedUntil ? requests.length : number;
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

function isAnswered({ response, endedAt }: Request): boolean {
  return response !== undefined && endedAt !== undefined;
}

/** Is content that came by then elsewhere still to be expected? */
function isAwaited(requests: readonly Request[], by: Ms, observedUntil: Ms): boolean {
  const from = requests[0]?.startedAt ?? observedUntil;
  return observedUntil < from + by * PATIENCE.factor + PATIENCE.ms;
}

function isLike({ response, contentSize, endedAt }: Request, { status, bytes, within }: ResultShape): boolean {
  if (response?.status !== status || endedAt === undefined) return false;
  const difference = Math.abs(contentSize - bytes);
  // What is half-way to the one before may be a step that came together with the last one elsewhere.
  return within === undefined ? difference <= UNLIKE * Math.min(contentSize, bytes) : difference < within;
}
