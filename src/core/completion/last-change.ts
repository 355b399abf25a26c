import type { Policy } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { DomChange, Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { completedAt } from '../time/completed-at.ts';
import {
  AT_ONCE_MS,
  DRAWN_WITHIN_MS,
  HABIT,
  LONGEST_PAUSE_MS,
  NOTICEABLE_MS,
  ONE_MOMENT_MS,
  PATIENCE,
} from '../time/lags.ts';
import { overlapOf, stretchOf } from '../time/overlap.ts';
import { follows } from '../visual/impact.ts';
import { withoutNotices } from '../visual/notices.ts';
import { backgroundArrivals } from './foreground.ts';
import { isSeenInFilmOnly } from './idleness.ts';

/** What a film shows of a load. */
export interface Filmed {
  /** When its first frame was drawn; absent where that is the beginning, or there is none. */
  readonly from?: Ms;
  /** The changes of the picture, without what moves by itself. */
  readonly changes: readonly VisualChange[];
}

type Judged = Pick<Visit, 'complete' | 'timeline' | 'verdicts'>;
type Done<V extends Judged> = V & { readonly complete: Extract<PageComplete, { readonly state: 'complete' }> };
type Window = Pick<Policy, 'quietWindow'>;

const isDone = <V extends Judged>(visit: V): visit is Done<V> => visit.complete.state === 'complete';

/**
 * The last change of the screen that content caused, where that is later than network and paints tell: a splash that leaves,
 * a chart that is computed, an answer that is drawn. Undefined where there is none.
 *
 * Three witnesses tell of it. The film shows all changes, but its pictures are far apart, and those of a timed load begin with
 * its silence. The document dates what a script changes. The browser reports when an animation ends.
 *
 * @param drawing what an untimed load taught
 */
export function lastChange(visit: Visit, film: Filmed, { filmed, within }: Drawing, policy: Window): Ms | undefined {
  if (!isDone(visit)) return undefined;
  const inFilm = filmed === undefined ? undefined : lastInFilm(visit, film.changes, policy);
  const inDocument = within === undefined ? undefined : lastInDocument(visit, within);
  // What both show the document dates better.
  const isSame = inFilm !== undefined && inDocument !== undefined && inFilm - inDocument <= ONE_MOMENT_MS;
  const shown = (isSame ? undefined : inFilm) ?? inDocument;
  if (shown !== undefined && shown > visit.complete.at) return shown;
  return filmed === undefined || within !== undefined ? undefined : endOfWork(visit, film.from, filmed > 0);
}

/**
 * How the page draws it, as an untimed load shows: timed loads are filmed where it is noticeably later than network and paints
 * tell, and their document is read where the film shows one of its changes right after the network.
 */
export function learnDrawing(visit: Visit, changes: readonly VisualChange[], policy: Window): Drawing {
  if (!isDone(visit)) return {};
  const { at, networkAt } = visit.complete;
  const last = lastInFilm(visit, changes, policy) ?? at;
  const filmed = last - at > NOTICEABLE_MS ? last - networkAt : isSeenInFilmOnly(visit.timeline) ? 0 : undefined;
  return defined({ filmed, within: drawnWithin(visit, changes, policy) });
}

/**
 * Is it still to come? A load may end before a whole quiet window, and an untimed load saw how long it takes.
 *
 * @param now when the load is asked
 */
export function isStillDrawn(
  visit: Judged,
  changes: readonly VisualChange[],
  { filmed = 0 }: Drawing,
  { quietWindow }: Window,
  now: Ms,
): boolean {
  if (!isDone(visit)) return false;
  const { at, networkAt } = visit.complete;
  const last = changesByContent(visit, changes).at(-1)?.at ?? 0;
  const isAwaited = now < networkAt + Math.min(quietWindow, PATIENCE.factor * filmed);
  return isAwaited && (last <= at || now - last <= DRAWN_WITHIN_MS);
}

/**
 * The same moment of a step after the load, which is not filmed: the end of the first series of changes after its last response.
 * What changes attributes alone may be the effect of a click.
 */
export function lastChangeOfStep(visit: Visit): Ms | undefined {
  if (!isDone(visit)) return undefined;
  const { networkAt } = visit.complete;
  const series = firstSeries(changesOfDocument(visit), networkAt, ONE_MOMENT_MS, visit);
  const own = series.filter(({ attributes }) => !attributes);
  const last = own.at(-1);
  return last && last.at - networkAt <= LONGEST_PAUSE_MS ? Math.max(...own.map(drawnAt)) : undefined;
}

/**
 * The changes after the network that the page's content made: neither updates, which follow background traffic, nor notices.
 *
 * @param changes of the picture, without what moves by itself
 */
export function changesByContent(
  { complete, timeline, verdicts }: Judged,
  changes: readonly VisualChange[],
): readonly VisualChange[] {
  if (complete.state !== 'complete') return [];
  const { networkAt } = complete;
  const arrivals = backgroundArrivals(timeline, verdicts);
  return withoutNotices(changes.filter(({ at }) => at > networkAt)).filter(({ at }) => !follows(at, arrivals));
}

/** The last of them in the quiet window, or the end of a fade in which it is seen: what comes later is news, or late content. */
function lastInFilm(visit: Done<Visit>, changes: readonly VisualChange[], { quietWindow }: Window): Ms | undefined {
  const until = visit.complete.networkAt + quietWindow;
  const last = changesByContent(visit, changes).findLast(({ at }) => at <= until)?.at;
  if (last === undefined) return undefined;
  const { animations = [] } = visit.recording;
  const fades = animations.filter(({ from, to }) => from <= last && last <= to && to - last <= DRAWN_WITHIN_MS);
  return Math.max(last, ...fades.map(({ to }) => to));
}

/** What was painted is in the film after so long at the latest, ms: three frames, and the wait for its next picture. */
const FILMED_WITHIN_MS = AT_ONCE_MS + ONE_MOMENT_MS;
/** The longest wait for the next refresh of a screen with 60 of them in a second, ms: it is chance, and no part of an answer. */
const REFRESH_MS = 17;

const drawnAt = ({ at, rendering, paintedAt }: DomChange): Ms => Math.max(at + rendering, paintedAt - REFRESH_MS);

/** The changes of the document that are painted after its network, and that no background traffic may have made. */
function changesOfDocument({ complete, recording, timeline, verdicts }: Done<Visit>): readonly DomChange[] {
  const arrivals = backgroundArrivals(timeline, verdicts);
  const later = recording.domChanges?.filter((each) => drawnAt(each) > complete.networkAt) ?? [];
  return later.filter(({ at }) => !follows(at, arrivals, ONE_MOMENT_MS));
}

function lastInDocument(visit: Done<Visit>, within: Ms): Ms | undefined {
  const until = visit.complete.networkAt + within;
  const ends = changesOfDocument(visit).flatMap((each) => (each.at <= until ? drawnAt(each) : []));
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** The first changes from a moment on, up to the first longer pause. A long frame is none. */
function firstSeries(
  changes: readonly DomChange[],
  from: Ms,
  longestPause: Ms,
  { recording: { page } }: Visit,
): readonly DomChange[] {
  const frames = page?.longFrames?.map(stretchOf) ?? [];
  const end = changes.findIndex(({ at }, i) => {
    const pause = { from: changes[i - 1]?.at ?? from, to: at };
    return frames.reduce((left, frame) => left - overlapOf(pause, frame), at - pause.from) > longestPause;
  });
  return end < 0 ? changes : changes.slice(0, end);
}

/** How soon after the network the document has changed; undefined where the film shows nothing of it, or it goes on changing. */
function drawnWithin(visit: Done<Visit>, inFilm: readonly VisualChange[], { quietWindow }: Window): Ms | undefined {
  const { networkAt } = visit.complete;
  const seen = changesByContent(visit, inFilm);
  const isSeen = ({ at, paintedAt }: DomChange): boolean => {
    const [from, to] = [Math.max(at, paintedAt - REFRESH_MS), paintedAt + FILMED_WITHIN_MS];
    return seen.some((change) => change.at >= from && change.at <= to);
  };
  const changes = changesOfDocument(visit).filter(({ at }) => at <= networkAt + quietWindow);
  const drawn = firstSeries(changes, networkAt, DRAWN_WITHIN_MS, visit).findLast(isSeen);
  if (!drawn) return undefined;
  // What follows so soon that another load could not tell it apart belongs to it.
  const after = changes.filter(({ at }) => at > drawn.at);
  const { at: end } = firstSeries(after, drawn.at, AT_ONCE_MS, visit).at(-1) ?? drawn;
  const later = after.filter(({ at }) => at > end);
  if (later.length > HABIT || end - networkAt > LONGEST_PAUSE_MS) return undefined;
  const untilNext = later[0] ? (end + later[0].at) / 2 - networkAt : Number.POSITIVE_INFINITY;
  return Math.min(untilNext, PATIENCE.factor * Math.max(0, end - networkAt) + DRAWN_WITHIN_MS);
}

/**
 * The end of the long task or frame that what came last had started, where the film begins too late to show what it drew.
 *
 * @param drawsLate the page was seen to draw late: where it was not, a frame may well draw nothing
 */
function endOfWork(
  { complete: { at: answer, networkAt }, timeline, recording: { page } }: Done<Visit>,
  filmedFrom: Ms = 0,
  drawsLate: boolean,
): Ms | undefined {
  const tasks = timeline.marks.flatMap(({ name, since, at }) =>
    name === 'main-thread-busy' && since !== undefined ? [{ from: since, to: at }] : [],
  );
  const frames = drawsLate ? (page?.longFrames ?? []) : [];
  const ends = [...tasks, ...frames.map(stretchOf)].flatMap(({ from, to }) =>
    from <= networkAt + ONE_MOMENT_MS && to > answer && to <= filmedFrom ? [to] : [],
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** What the mark of drawn content says where that came with time, and not with work. */
const ANIMATED = 'animated';

/**
 * The recording with a mark where the last content was drawn, that came when its network was complete. An animation keeps to
 * the clock: a thread from which time is stolen meanwhile makes it jerk, and it ends no later.
 */
export function withLastChange({ recording, complete }: Visit, at: Ms | undefined): Recording {
  if (at === undefined || complete.state !== 'complete') return recording;
  const isAnimated = recording.animations?.some(({ to }) => to === at);
  const mark = {
    name: 'content-drawn',
    at,
    since: complete.networkAt,
    ...(isAnimated && { detail: ANIMATED }),
  } as const;
  return { ...recording, marks: [...recording.marks, mark] };
}

/** Was page complete the end of an animation? */
export function endsAnimated({ complete, timeline }: Pick<Visit, 'complete' | 'timeline'>): boolean {
  return timeline.marks.some(
    ({ name, at, detail }) => name === 'content-drawn' && detail === ANIMATED && at === completedAt(complete),
  );
}
