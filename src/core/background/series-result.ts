import type { Request } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { ResultShape } from '../../model/verdict.ts';

/** An answer of another size than this share of the smaller one is another kind of answer. A count or a time adds less. */
const UNLIKE = 0.5;
/** As for the content of streams: how much longer than elsewhere a result is awaited. */
const PATIENCE = { factor: 2, ms: 5_000 } as const;

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
  const from = requests[0]?.startedAt ?? observedUntil;
  return observedUntil < from + result.by * PATIENCE.factor + PATIENCE.ms ? requests.length : undefined;
}

function isLike({ response, contentSize, endedAt }: Request, { status, bytes }: ResultShape): boolean {
  if (response?.status !== status || endedAt === undefined) return false;
  return Math.abs(contentSize - bytes) <= UNLIKE * Math.min(contentSize, bytes);
}
