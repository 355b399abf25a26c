import type { VisualChange } from '../../../model/picture.ts';
import type { Message, Request } from '../../../model/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import type { ContentShape, Span } from '../../../model/verdict.ts';
import { defined } from '../../text/defined.ts';
import { endOfContent } from '../../time/end-of-content.ts';
import { HABIT, ONE_MOMENT_MS, PATIENCE } from '../../time/lags.ts';
import { median } from '../../time/median.ts';
import { fillsEmpty, paintsNewPlace, repaintsLikeLater } from '../../visual/changes.ts';
import { follows, type Impact, isSeen } from '../../visual/impact.ts';
import { COMMENT, keyOfField, shapeOf } from './message-shape.ts';
import { messagesOf } from './stream-parts.ts';

/** Which messages of a shape may be content, from most to least. */
export const CONTENT_COUNTS: readonly ContentShape['counts'][] = ['all', 'places', 'first'];
/** More shapes than this are not told apart in a film: each would have come too seldom. Names in tuples are left open first. */
const MAX_SHAPES = 12;

/** What of a stream is content. */
export interface StreamContent {
  /** From its start to its last content so far; without an end while content is awaited. */
  readonly counts?: Span;
  /** How many messages are content so far. */
  readonly parts?: number;
  /** Content that another run saw was awaited, and none of it came. */
  readonly missing?: true;
}

/** Until when it was watched, and which silence ends it. */
export interface Awaiting {
  readonly observedUntil: Ms;
  readonly quietWindow: Ms;
}

/**
 * What of a stream is content, by what its messages are like: up to the last one that fills a place for the first time. It
 * ends with the first quiet window without one. Content of a shape that was seen elsewhere and has not come is awaited, within
 * reason.
 *
 * @param resumed the connections that it goes on from, in order: what they brought is not new
 */
export function contentOfStream(
  request: Request,
  content: readonly ContentShape[],
  { observedUntil, quietWindow }: Awaiting,
  resumed: readonly Request[] = [],
): StreamContent {
  if (content.length === 0) return {};
  const messages = [...resumed, request].flatMap(messagesOf);
  const brought = content.map((each) => contentMessages(messages, each));
  const from = request.startedAt;
  const missing = content.filter((_, i) => brought[i]?.length === 0);
  const patience = Math.max(...missing.map(({ by = 0 }) => by * PATIENCE.factor + PATIENCE.ms));
  if (request.endedAt === undefined && observedUntil < from + patience) return { counts: { from } };
  const to = lastBeforeQuiet(brought.flat(), quietWindow);
  if (to !== undefined) {
    return to < from ? {} : { counts: { from, to }, parts: brought.flat().filter(({ at }) => at <= to).length };
  }
  return request.endedAt === undefined ? { missing: true } : {};
}

/** Messages of a shape that brought content, in order. */
function contentMessages(messages: readonly Message[], content: ContentShape): readonly Message[] {
  return countedOf(
    messages.filter((message) => isOfShape(message, content.shape)),
    content,
  );
}

/** Is a message of this shape, or is that one of its wider ones? */
function isOfShape(message: Message, shape: string): boolean {
  const own = shapeOf(message);
  return own.shape === shape || own.wider?.includes(shape) === true;
}

/** Which messages of a shape are content. */
type Counts = Pick<ContentShape, 'counts' | 'about'>;

/** Which of the messages of one shape count, in order. */
function countedOf(own: readonly Message[], { counts, about }: Counts): readonly Message[] {
  if (counts === 'all') return own;
  if (counts === 'first') return own.slice(0, 1);
  const filled = new Set<string>();
  return own.filter((message) => {
    const places = placesOf(message, about);
    const isNew = filled.size === 0 || places.some((place) => !filled.has(place));
    for (const place of places) filled.add(place);
    return isNew;
  });
}

/** What a message is about, by one of its fields where nothing else says it. */
function placesOf(message: Message, about: string | undefined): readonly string[] {
  const { places, fields = [] } = shapeOf(message);
  return about === undefined ? places : fields.filter((field) => keyOfField(field) === about);
}

/** When the last of them came that no whole quiet window separates from those before it. */
function lastBeforeQuiet(content: readonly Message[], quietWindow: Ms): Ms | undefined {
  const times = content.map(({ at }) => at).toSorted((a, b) => a - b);
  return times[0] === undefined ? undefined : endOfContent(times[0], times, quietWindow);
}

/** The messages of a stream that are like each other, in order of the first. */
export interface Alike {
  readonly shape: string;
  readonly messages: readonly Message[];
}

/** The messages of some streams by their shapes. */
export function alikeIn(requests: readonly Request[]): readonly Alike[] {
  return [...inShapes(requests.flatMap(messagesOf))]
    .map(([shape, messages]) => ({ shape, messages }))
    .toSorted((a, b) => (a.messages[0]?.at ?? 0) - (b.messages[0]?.at ?? 0))
    .slice(0, MAX_SHAPES);
}

/**
 * Messages by their shapes; where these are too many, by wider ones. Of the names in a tuple that one is kept which tells the
 * most apart. What holds a text in other messages names nothing: the words of an answer, `["word","in"]` and
 * `["word","the garden"]`.
 */
function inShapes(messages: readonly Message[]): ReadonlyMap<string, readonly Message[]> {
  const own = new Set(messages.map((message) => shapeOf(message).shape));
  const exact = Map.groupBy(messages, (message) => {
    const { shape, wider } = shapeOf(message);
    return wider?.find((each) => own.has(each)) ?? shape;
  });
  if (exact.size <= MAX_SHAPES) return exact;
  const names = Math.max(0, ...messages.map((message) => shapeOf(message).wider?.length ?? 0));
  const wider = Array.from({ length: names }, (_, kept) =>
    Map.groupBy(messages, (message) => shapeOf(message).wider?.[kept] ?? shapeOf(message).shape),
  );
  const few = wider.filter(({ size }) => size <= MAX_SHAPES);
  return few.toSorted((a, b) => b.size - a.size)[0] ?? exact;
}

/** What a film is asked about. */
export interface Watched {
  /** The first of the requests began then. */
  readonly startedAt: Ms;
  /** When the page was complete, as far as was known without this. */
  readonly completeAt: Ms;
  readonly until: Ms;
  readonly quietWindow: Ms;
  /** When and where the picture changed. */
  readonly changes: readonly VisualChange[];
}

/**
 * Which shapes of a stream brought content, by what the film shows after messages of each. What only repaints what another
 * shape had painted is an update; what comes after a whole quiet window without content is news. Comments are content only where nothing else came, for a page that draws when the stream opens.
 */
export function shapesOfContent(
  all: readonly Alike[],
  impacts: ReadonlyMap<string, Impact>,
  watched: Watched,
): readonly ContentShape[] {
  const events = all.filter(({ shape }) => shape !== COMMENT);
  const alike = events.length > 0 ? events : all;
  const someonePaints = alike.some(({ shape, messages }) => {
    const impact = impacts.get(shape);
    return (
      impact !== undefined && isSeen(impact) && !(impact.impact === 'continuous' && onlyRepaints(messages, watched))
    );
  });
  const content: ContentShape[] = [];
  let end = watched.completeAt;
  let paintedAt: Ms | undefined;
  for (const own of alike) {
    const { shape, messages } = own;
    const impact = impacts.get(shape);
    const first = messages[0]?.at ?? watched.until;
    const reached = content.length === 0 ? reachedOnTheWay(first, end, alike, watched.quietWindow) : end;
    const isNews = first > reached + watched.quietWindow;
    if (impact === undefined || impact.impact === 'none' || isNews) continue;
    const [changedAt] = impact.changedAt;
    const fillsPlace =
      changedAt !== undefined && (paintedAt === undefined || paintsNewPlace(changedAt, paintedAt, watched.changes));
    const mayMatter = someonePaints
      ? fillsPlace || mostPrecedeNewPlace(own, paintedAt, watched)
      : mayHavePainted(impact, watched);
    if (impact.impact === 'unknown' && !mayMatter) continue;
    const isUpdate = (): boolean => (paintedAt !== undefined && !fillsPlace) || onlyRepaints(messages, watched);
    if (impact.impact === 'continuous' && isUpdate()) continue;
    const counts = countsOf(messages, watched);
    const each: ContentShape = {
      shape,
      ...counts,
      by: first - watched.startedAt,
    };
    content.push(each);
    paintedAt ??= changedAt ?? first;
    end = Math.max(end, lastBeforeQuiet(contentMessages(messages, each), watched.quietWindow) ?? 0);
  }
  return content;
}

/** Shapes of which the film shows that their messages only repaint what this page had painted without them. */
export function shapesOfUpdates(
  alike: readonly Alike[],
  impacts: ReadonlyMap<string, Impact>,
  watched: Watched,
): readonly string[] {
  return alike.flatMap(({ shape, messages }) =>
    impacts.get(shape)?.impact === 'continuous' && onlyRepaints(messages, watched) ? [shape] : [],
  );
}

/**
 * How long a stream goes on without a quiet window by what comes several times before a message, and not again: the parts of
 * what that shows (rows, and a commit at last). What comes once, a welcome or an answer to having joined, is no part of it.
 */
function reachedOnTheWay(to: Ms, from: Ms, alike: readonly Alike[], quietWindow: Ms): Ms {
  const parts = alike.flatMap(({ messages }) =>
    messages.length > 1 && (messages.at(-1)?.at ?? to) < to ? messages.map(({ at }) => at) : [],
  );
  return endOfContent(
    from,
    parts.toSorted((a, b) => a - b),
    quietWindow,
  );
}

/** Which of the changes may come from a message. */
const changesAfter =
  (changes: readonly VisualChange[]) =>
  ({ at }: Message): readonly VisualChange[] =>
    changes.filter((change) => follows(change.at, [at]));

/**
 * Was a place painted for the first time after most of these? Where others came at the same moment nobody can tell who painted
 * it; what comes again and again without that did not.
 */
function mostPrecedeNewPlace({ messages }: Alike, paintedAt: Ms | undefined, { changes }: Watched): boolean {
  if (paintedAt === undefined) return false;
  const after = changesAfter(changes);
  const fill = messages.filter((message) =>
    after(message).some((change) => paintsNewPlace(change.at, paintedAt, changes)),
  );
  return fill.length * 2 > messages.length;
}

/**
 * Do messages of a shape only repaint what the page had painted before them, the first about each thing as those after it?
 * Then the page had shown all of that without them.
 */
function onlyRepaints(messages: readonly Message[], { changes }: Watched): boolean {
  const [message] = messages;
  // What came before the page had painted anything may have been what painted it.
  if (message === undefined || message.at <= (changes[0]?.at ?? Number.POSITIVE_INFINITY)) return false;
  const firsts = new Set(countedOf(messages, { counts: shapeOf(message).places.length > 0 ? 'places' : 'first' }));
  const after = changesAfter(changes);
  const first = messages.filter((each) => firsts.has(each)).flatMap(after);
  const later = messages.filter((each) => !firsts.has(each)).flatMap(after);
  return repaintsLikeLater(first, later);
}

/** Something changed when it came while the page was still coming. */
function mayHavePainted({ changedAt, reason }: Impact, { completeAt, quietWindow }: Watched): boolean {
  return reason.code !== 'maybe-chance' || changedAt.some((at) => at <= completeAt + quietWindow);
}

/** All of what has ended; of what goes on, what fills a new place, where that is over; else the first. */
function countsOf(messages: readonly Message[], watched: Watched): Counts {
  if (isOver(messages.at(-1), messages, watched)) return { counts: 'all' };
  const about = fieldOfPlaces(messages, watched);
  const counts = defined({ counts: 'places', about } as const);
  const news = countedOf(messages, counts);
  return news.length < 2 || !isOver(news.at(-1), messages, watched) ? { counts: 'first' } : counts;
}

/** Has none come since a message for longer than pauses are between them, and for a whole quiet window? */
function isOver(last: Message | undefined, messages: readonly Message[], { until, quietWindow }: Watched): boolean {
  const times = messages.map(({ at }) => at);
  const pause = median(times.slice(1).map((at, i) => at - (times[i] ?? at)));
  return last !== undefined && until - last.at > Math.max(quietWindow, 2 * (Number.isFinite(pause) ? pause : 0));
}

/**
 * So many rounds may seem to fill a place and bring nothing new, or the other way round, as a share of those that do: the film
 * is late now and then, and on a busy machine often. Of a field that says something else, more are wrong than right.
 */
const MISTAKEN_BELOW = 0.5;

/**
 * Which field says what messages are about, where their names and keys do not: the one whose new values fill empty places, and
 * whose old ones repaint them. Of two that do as well, the one that has new values for longer.
 */
function fieldOfPlaces(messages: readonly Message[], watched: Watched): string | undefined {
  if (messages.some((message) => shapeOf(message).places.length > 0)) return undefined;
  const keys = new Set(messages.flatMap((message) => (shapeOf(message).fields ?? []).map(keyOfField)));
  const fills = watched.changes.filter(fillsEmpty);
  const rounds = roundsOf(messages).map((round, i, all) => {
    const next = all[i + 1]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    return { round, filled: round.flatMap(changesAfter(fills)).some(({ at }) => at < next) };
  });
  const told = [...keys].flatMap((about) => {
    const news = countedOf(messages, { counts: 'places', about });
    const last = news.at(-1);
    if (news.length < 2 || last === undefined || messages.length - news.length < HABIT) return [];
    if (!isOver(last, messages, watched)) return [];
    const isNew = new Set(news);
    const isOfNew = rounds.map(({ round }) => round.some((message) => isNew.has(message)));
    const mistaken = rounds.filter(({ filled }, i) => filled !== isOfNew[i]).length;
    return mistaken < MISTAKEN_BELOW * isOfNew.filter(Boolean).length ? [{ about, mistaken, until: last.at }] : [];
  });
  return told.toSorted((a, b) => a.mistaken - b.mistaken || b.until - a.until)[0]?.about;
}

/** Messages that come so close to each other that nobody can tell whose change is whose, in order. */
function roundsOf(messages: readonly Message[]): readonly (readonly Message[])[] {
  const rounds: Message[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    if (message.at - last > ONE_MOMENT_MS) rounds.push([]);
    rounds.at(-1)?.push(message);
    last = message.at;
  }
  return rounds;
}

/** What the film shows of all shapes of a stream together: the strongest of it. */
export function strongest(impacts: readonly Impact[]): Impact | undefined {
  const ORDER = ['none', 'unknown', 'first-content', 'continuous'];
  const [most] = impacts.toSorted((a, b) => ORDER.indexOf(b.impact) - ORDER.indexOf(a.impact));
  if (!most) return undefined;
  const changedAt = [...new Set(impacts.flatMap((impact) => impact.changedAt))].toSorted((a, b) => a - b);
  return defined({ ...most, changedAt });
}
