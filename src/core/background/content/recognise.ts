import type { ContentKind } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import type { Bytes, Ms } from '../../../model/units.ts';
import { endOfContent } from '../../time/end-of-content.ts';
import { HALF, PATIENCE } from '../../time/lags.ts';
import { keyOfField } from './message-shape.ts';
import { type Arrival, likeOf } from './source.ts';

/** What of a source is content so far. */
export type Recognised =
  /** Content that another load saw is still awaited. */
  | { readonly state: 'awaited' }
  /** None of it came, in reasonable time. */
  | { readonly state: 'missing' }
  /** The last arrival that is content, and how many are so far. */
  | { readonly state: 'came'; readonly last: Arrival; readonly parts: number };

/** A source in a load of its own. */
export interface Watching {
  /** Its first request began then. */
  readonly from: Ms;
  /** More of it may come. */
  readonly isOpen: boolean;
  readonly observedUntil: Ms;
  readonly quietWindow: Ms;
}

/**
 * What of a source is content, by what arrivals are like: up to the last that fills a place for the first time. It ends
 * with the first quiet window without one. What another load saw and has not come is awaited, within reason. Undefined where
 * nothing of it is content.
 */
export function recognise(
  arrivals: readonly Arrival[],
  content: readonly ContentKind[],
  { from, isOpen, observedUntil, quietWindow }: Watching,
): Recognised | undefined {
  const kinds = content.filter(({ counts }) => counts !== 0);
  if (kinds.length === 0) return undefined;
  const brought = kinds.map((kind) => arrivalsOfKind(arrivals, kind));
  const absent = kinds.filter((_, i) => brought[i]?.length === 0);
  const patience = Math.max(...absent.map(({ by = 0 }) => by * PATIENCE.factor + PATIENCE.ms));
  if (isOpen && observedUntil < from + patience) return { state: 'awaited' };
  const inOrder = brought.flat().toSorted((a, b) => dueAt(a) - dueAt(b));
  const times = inOrder.map(dueAt);
  // A count was learnt to its end: no silence cuts it short.
  const counted = brought.flatMap((own, i) => (typeof kinds[i]?.counts === 'number' ? own.map(dueAt) : []));
  const to = Math.max(endOfContent(times[0] ?? from, times, quietWindow), ...counted);
  const parts = inOrder.filter((each) => dueAt(each) <= to);
  const last = parts.at(-1);
  return last === undefined ? { state: 'missing' } : { state: 'came', last, parts: parts.length };
}

/** When it came; of an answer that is still to come, when it was asked for. */
function dueAt({ at, request }: Arrival): Ms {
  return Number.isFinite(at) ? at : request.startedAt;
}

/** Those of the arrivals that are content by one kind, in order. */
export function arrivalsOfKind(arrivals: readonly Arrival[], kind: ContentKind): readonly Arrival[] {
  return countedOf(
    arrivals.filter((each) => isOfKind(each, kind)),
    kind,
  );
}

/** Is it of this shape, or is that one of its wider ones; and is it of this order of size? */
function isOfKind(arrival: Arrival, { shape, bytes }: ContentKind): boolean {
  if (shape === undefined) return true;
  const like = likeOf(arrival);
  const isOfShape = like.shape === shape || like.wider?.includes(shape) === true;
  return isOfShape && (bytes === undefined || (Number.isFinite(arrival.at) && isOfSize(like.bytes ?? 0, bytes)));
}

/** An answer of another size is another kind of answer. A count or a time adds less. */
export function isOfSize(one: Bytes, other: Bytes): boolean {
  return Math.abs(one - other) <= HALF * Math.min(one, other);
}

/** Which of the arrivals of one kind count, in order. */
export function countedOf(
  own: readonly Arrival[],
  { counts, about }: Pick<ContentKind, 'counts' | 'about'>,
): readonly Arrival[] {
  if (counts === 'all') return own;
  if (counts !== 'places') return own.slice(0, counts);
  const filled = new Set<string>();
  return own.filter((arrival) => {
    const places = placesOf(arrival, about);
    const isNew = filled.size === 0 || places.some((place) => !filled.has(place));
    for (const place of places) filled.add(place);
    return isNew;
  });
}

/** What an arrival is about, by one of its fields where nothing else says it. */
function placesOf(arrival: Arrival, about: string | undefined): readonly string[] {
  const { places, fields = [] } = likeOf(arrival);
  return about === undefined ? places : fields.filter((field) => keyOfField(field) === about);
}

/** The answers to the requests of a series; those that have not come are still to come. */
export function awaitedAnswers(requests: readonly Request[]): readonly Arrival[] {
  return requests.map((request) => ({ at: request.endedAt ?? Number.POSITIVE_INFINITY, request }));
}
