import type { ContentKind } from '../../../model/background/verdict.ts';
import type { VisualChange } from '../../../model/recording/picture.ts';
import type { Ms } from '../../../model/units.ts';
import { defined } from '../../text/defined.ts';
import { endOfContent } from '../../time/end-of-content.ts';
import { HABIT, HALF, ONE_MOMENT_MS, TOO_MANY } from '../../time/lags.ts';
import { median } from '../../time/median.ts';
import { fillsEmpty, paintsNewPlace, repaintsLikeLater } from '../../visual/changes.ts';
import { changesBy, follows, type Impact, isSeen } from '../../visual/impact.ts';
import { COMMENT, keyOfField } from './message-shape.ts';
import { arrivalsOfKind, countedOf, isOfSize } from './recognise.ts';
import { type Arrival, isStreamKind, likeOf, type Source, timesOf } from './source.ts';

/** Arrivals that are like each other. */
export interface Alike {
  /** Absent of answers, which are told apart by what they change. */
  readonly shape?: string;
  readonly arrivals: readonly Arrival[];
}

/** Messages by their shapes, in order of the first of each; answers together. */
export function alikeIn({ kind, arrivals }: Pick<Source, 'kind' | 'arrivals'>): readonly Alike[] {
  if (!isStreamKind(kind)) return [{ arrivals }];
  return [...inShapes(arrivals)]
    .map(([shape, own]) => ({ shape, arrivals: own }))
    .toSorted((a, b) => (a.arrivals[0]?.at ?? 0) - (b.arrivals[0]?.at ?? 0))
    .slice(0, TOO_MANY);
}

/**
 * Messages by their shapes; where these are too many, by wider ones. Of the names in a tuple that one is kept which tells the
 * most apart. What holds a text in other messages names nothing: the words of an answer, `["word","in"]` and
 * `["word","the garden"]`.
 */
function inShapes(messages: readonly Arrival[]): ReadonlyMap<string, readonly Arrival[]> {
  const own = new Set(messages.map((message) => likeOf(message).shape));
  const exact = Map.groupBy(messages, (message) => {
    const { shape, wider } = likeOf(message);
    return wider?.find((each) => own.has(each)) ?? shape;
  });
  if (exact.size <= TOO_MANY) return exact;
  const names = Math.max(0, ...messages.map((message) => likeOf(message).wider?.length ?? 0));
  const wider = Array.from({ length: names }, (_, kept) =>
    Map.groupBy(messages, (message) => likeOf(message).wider?.[kept] ?? likeOf(message).shape),
  );
  const few = wider.filter(({ size }) => size <= TOO_MANY);
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

/** What the film shows of arrivals that are alike, by their shape. */
export type Impacts = ReadonlyMap<Alike['shape'], Impact>;

/**
 * Which arrivals of a source are content, by what the film shows after them: those up to the last that filled a place before a
 * quiet window without one. What only repaints what others had painted is an update; what comes after a whole quiet window
 * without content is news. Comments are content only where nothing else came, for a page that draws when the stream opens.
 */
export function learnContent(all: readonly Alike[], impacts: Impacts, watched: Watched): readonly ContentKind[] {
  const events = all.filter(({ shape }) => shape !== COMMENT);
  const alike = events.length > 0 ? events : all;
  const someonePaints = alike.some(({ shape, arrivals }) => {
    const impact = impacts.get(shape);
    return (
      impact !== undefined &&
      isSeen(impact) &&
      !(impact.impact === 'continuous' && onlyRepaints(arrivals, impact, watched))
    );
  });
  const content: ContentKind[] = [];
  let end = watched.completeAt;
  let paintedAt: Ms | undefined;
  for (const own of alike) {
    const { shape, arrivals } = own;
    const impact = impacts.get(shape);
    const first = arrivals[0]?.at ?? watched.until;
    // Of a series that began late the first answer is content, as of each series.
    const isNews = shape !== undefined && first > end + watched.quietWindow;
    if (impact === undefined || impact.impact === 'none' || isNews) continue;
    const [changedAt] = changesBy(impact);
    const fillsPlace =
      changedAt !== undefined && (paintedAt === undefined || paintsNewPlace(changedAt, paintedAt, watched.changes));
    const result = resultIn(own, impact);
    const mayMatter = someonePaints
      ? fillsPlace || mostPrecedeNewPlace(own, paintedAt, watched)
      : mayHavePainted(own, impact, watched);
    if (impact.impact === 'unknown' && !mayMatter && result === undefined) continue;
    const isUpdate = (): boolean => (paintedAt !== undefined && !fillsPlace) || onlyRepaints(arrivals, impact, watched);
    if (impact.impact === 'continuous' && isUpdate()) continue;
    const each = result ?? separate(own, impact, watched);
    content.push(each);
    paintedAt ??= changedAt ?? first;
    const times = timesOf(arrivalsOfKind(arrivals, each));
    end = Math.max(end, endOfContent(times[0] ?? 0, times, watched.quietWindow));
  }
  return content;
}

/** What the film shows only to repaint what this page had painted without it. */
export function updatesIn(alike: readonly Alike[], impacts: Impacts, watched: Watched): readonly ContentKind[] {
  return alike.flatMap(({ shape, arrivals }) => {
    const impact = impacts.get(shape);
    const isUpdate = impact?.impact === 'continuous' && onlyRepaints(arrivals, impact, watched);
    return shape !== undefined && isUpdate ? [{ shape, counts: 0 }] : [];
  });
}

/** Which of the changes may come from a message. */
const changesAfter =
  (changes: readonly VisualChange[]) =>
  ({ at }: Arrival): readonly VisualChange[] =>
    changes.filter((change) => follows(change.at, [at]));

/**
 * Was a place painted for the first time after most of these? Where others came at the same moment nobody can tell who painted
 * it; what comes again and again without that did not.
 */
function mostPrecedeNewPlace({ arrivals }: Alike, paintedAt: Ms | undefined, { changes }: Watched): boolean {
  if (paintedAt === undefined) return false;
  const after = changesAfter(changes);
  const fill = arrivals.filter((message) =>
    after(message).some((change) => paintsNewPlace(change.at, paintedAt, changes)),
  );
  return fill.length * 2 > arrivals.length;
}

/**
 * Do messages of a shape only repaint what the page had painted before them, the first about each thing as those after it?
 * Then the page had shown all of that without them.
 */
function onlyRepaints(arrivals: readonly Arrival[], { effects }: Impact, { changes }: Watched): boolean {
  const [message] = arrivals;
  if (message === undefined) return false;
  const firsts = new Set(countedOf(arrivals, { counts: likeOf(message).places.length > 0 ? 'places' : 1 }));
  const first = arrivals.filter((each) => firsts.has(each));
  if (repaintsByTrace(first, effects)) return true;
  // What came before the page had painted anything may have been what painted it.
  if (message.at <= (changes[0]?.at ?? Number.POSITIVE_INFINITY)) return false;
  const after = changesAfter(changes);
  const later = arrivals.filter((each) => !firsts.has(each)).flatMap(after);
  return repaintsLikeLater(first.flatMap(after), later);
}

/** Does the browser tell whose changes they are, that none fills a place, and of the first what they do? */
function repaintsByTrace(first: readonly Arrival[], effects: Impact['effects']): boolean {
  const firsts = new Set(timesOf(first));
  return (
    effects.some(({ traced }) => traced) &&
    effects.every(({ arrival, kind }) => kind !== 'fills' && (kind !== 'unclear' || !firsts.has(arrival)))
  );
}

/** Something changed when it came while the page was still coming. Of a stream nobody else can tell which part it was. */
function mayHavePainted({ shape }: Alike, impact: Impact, { completeAt, quietWindow }: Watched): boolean {
  const isUnclear = shape !== undefined && impact.reason.code !== 'maybe-chance';
  return isUnclear || changesBy(impact).some((at) => at <= completeAt + quietWindow);
}

/**
 * What tells those that fill places from the others of their kind, as it can be told in any load: that the kind has ended; that
 * they are about something new; that one is unlike all before it, the result of a job. Where nothing does, their order is left.
 */
function separate({ shape, arrivals }: Alike, impact: Impact, watched: Watched): ContentKind {
  const by = (arrivals[0]?.at ?? watched.until) - watched.startedAt;
  if (shape === undefined) return { counts: countToFilled(arrivals, impact, watched), by };
  if (isOver(arrivals.at(-1), arrivals, watched)) return { shape, counts: 'all', by };
  const about = fieldOfPlaces(arrivals, watched);
  const counts = defined({ counts: 'places', about } as const);
  const news = countedOf(arrivals, counts);
  return { shape, by, ...(news.length < 2 || !isOver(news.at(-1), arrivals, watched) ? { counts: 1 } : counts) };
}

/** The answer that changed the picture and is unlike all before it: the result of a job, however long it took. */
function resultIn({ shape, arrivals }: Alike, film: Impact): ContentKind | undefined {
  // Of what goes on, each may be unlike the others; messages have a shape to be told by.
  if (film.impact === 'continuous' || shape !== undefined) return undefined;
  const numbers = changesBy(film).map((at) => arrivals.filter((arrival) => arrival.at <= at).length - 1);
  const tried = film.impact === 'first-content' ? numbers.slice(-1) : numbers;
  const number = tried.find((i) => i > 0 && arrivals.slice(0, i).every((each) => isUnlike(each, arrivals[i])));
  const result = arrivals[number ?? -1];
  if (result === undefined) return undefined;
  const { shape: own, bytes } = likeOf(result);
  const by = result.at - (arrivals[0]?.request.startedAt ?? result.at);
  return defined({ shape: own, bytes, counts: 1, by });
}

function isUnlike(one: Arrival, other: Arrival | undefined): boolean {
  if (other === undefined) return true;
  const [a, b] = [likeOf(one), likeOf(other)];
  return a.shape !== b.shape || !isOfSize(a.bytes ?? 0, b.bytes ?? 0);
}

/**
 * How many of the first are content: up to the last that filled a place before a quiet window without one. What changes the
 * picture at first, and not any more, fills places; of what goes on only one does that goes on filling them.
 */
function countToFilled(arrivals: readonly Arrival[], { impact, effects }: Impact, watched: Watched): number {
  const times = timesOf(arrivals);
  if (impact === 'first-content') return times.filter((at) => at <= (changesBy({ effects }).at(-1) ?? 0)).length;
  const fills = changesBy({ effects: effects.filter(({ kind }) => kind === 'fills') });
  const began = impact === 'unknown' ? watched.completeAt : (times[0] ?? 0);
  const last = endOfContent(began, fills, watched.quietWindow);
  const count = times.filter((at) => at <= last).length;
  const isDone =
    changesBy({ effects }).every((at) => at <= last) && (times.at(-1) ?? last) - last > watched.quietWindow;
  return count <= times.length - (isDone ? 1 : HABIT) ? Math.max(1, count) : 1;
}

/** Has none come since a message for longer than pauses are between them, and for a whole quiet window? */
function isOver(last: Arrival | undefined, arrivals: readonly Arrival[], { until, quietWindow }: Watched): boolean {
  const times = timesOf(arrivals);
  const pause = median(times.slice(1).map((at, i) => at - (times[i] ?? at)));
  return last !== undefined && until - last.at > Math.max(quietWindow, 2 * (Number.isFinite(pause) ? pause : 0));
}

/**
 * Which field says what messages are about, where their names and keys do not: the one whose new values fill empty places, and
 * whose old ones repaint them. Of two that do as well, the one that has new values for longer.
 */
function fieldOfPlaces(arrivals: readonly Arrival[], watched: Watched): string | undefined {
  if (arrivals.some((message) => likeOf(message).places.length > 0)) return undefined;
  const keys = new Set(arrivals.flatMap((message) => (likeOf(message).fields ?? []).map(keyOfField)));
  const fills = watched.changes.filter(fillsEmpty);
  const rounds = roundsOf(arrivals).map((round, i, all) => {
    const next = all[i + 1]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    return { round, filled: round.flatMap(changesAfter(fills)).some(({ at }) => at < next) };
  });
  const told = [...keys].flatMap((about) => {
    const news = countedOf(arrivals, { counts: 'places', about });
    const last = news.at(-1);
    if (news.length < 2 || last === undefined || arrivals.length - news.length < HABIT) return [];
    if (!isOver(last, arrivals, watched)) return [];
    const isNew = new Set(news);
    const isOfNew = rounds.map(({ round }) => round.some((message) => isNew.has(message)));
    const mistaken = rounds.filter(({ filled }, i) => filled !== isOfNew[i]).length;
    // The film is late now and then, and on a busy machine often. Of a field that says something else, more are wrong than right.
    return mistaken < HALF * isOfNew.filter(Boolean).length ? [{ about, mistaken, until: last.at }] : [];
  });
  return told.toSorted((a, b) => a.mistaken - b.mistaken || b.until - a.until)[0]?.about;
}

/** Messages that come so close to each other that nobody can tell whose change is whose, in order. */
function roundsOf(arrivals: readonly Arrival[]): readonly (readonly Arrival[])[] {
  const rounds: Arrival[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const arrival of arrivals) {
    if (arrival.at - last > ONE_MOMENT_MS) rounds.push([]);
    rounds.at(-1)?.push(arrival);
    last = arrival.at;
  }
  return rounds;
}
