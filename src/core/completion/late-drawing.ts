import type { Policy } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { Mark } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { Animation, Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { completedAt } from '../time/completed-at.ts';
import { DRAWN_WITHIN_MS, LONGEST_PAUSE_MS, NOTICEABLE_MS, ONE_MOMENT_MS, PATIENCE } from '../time/lags.ts';
import { stretchOf } from '../time/overlap.ts';
import { EMPTY_BELOW } from '../visual/changes.ts';
import { follows } from '../visual/impact.ts';
import { withoutNotices } from '../visual/notices.ts';
import { backgroundArrivals } from './foreground.ts';

/**
 * The changes after the network that the page's content made: neither updates, which follow background traffic, nor notices.
 *
 * @param changes of the picture, without what moves by itself
 */
export function changesByContent(
  { complete, timeline, verdicts }: Pick<Visit, 'complete' | 'timeline' | 'verdicts'>,
  changes: readonly VisualChange[],
): readonly VisualChange[] {
  if (complete.state !== 'complete') return [];
  const arrivals = backgroundArrivals(timeline, verdicts);
  return withoutNotices(changes.filter(({ at }) => at > complete.networkAt)).filter(({ at }) => !follows(at, arrivals));
}

/**
 * When the page drew the last of its content, where that is noticeably later than its network and its paints tell: a splash
 * that leaves, a chart that is computed. What follows data of background traffic that paints is an update of that, and what
 * begins after the quiet window is news. Undefined when nothing was drawn so late.
 *
 * @param changes of the picture, without what moves by itself
 * @param drawing when an untimed run saw this page draw; and the animations of this load
 * @param noticeable how much later than the answer so far it must be, ms
 */
export function drawnLateAt(
  { complete, timeline, verdicts }: Pick<Visit, 'complete' | 'timeline' | 'verdicts'>,
  changes: readonly VisualChange[],
  { quietWindow }: Pick<Policy, 'quietWindow'>,
  { after = 0, animations }: Pick<Drawing, 'after'> & Pick<Recording, 'animations'> = {},
  noticeable: Ms = NOTICEABLE_MS,
): Ms | undefined {
  if (complete.state !== 'complete') return undefined;
  const { at: answer, networkAt } = complete;
  const own = changesByContent({ complete, timeline, verdicts }, changes);
  const quietUntil = networkAt + quietWindow;
  const awaited = awaitedUntil({ complete }, { after });
  const last = own.findLast(({ at }) => at <= quietUntil);
  // What repaints a place so late is news, or moves.
  const filled = own.findLast(({ at, covered = 1 }) => at > quietUntil && at <= awaited && covered < EMPTY_BELOW);
  const drawnAt = endOfFade(Math.max(last?.at ?? 0, filled?.at ?? 0), animations);
  return drawnAt - answer > noticeable ? drawnAt : undefined;
}

/** When what changed then was finished. */
function endOfFade(at: Ms, animations: readonly Animation[] = []): Ms {
  const ends = animations.flatMap(({ from, to }) => (from <= at && at <= to && to - at <= DRAWN_WITHIN_MS ? to : []));
  return Math.max(at, ...ends);
}

/** What the mark of drawn content says where that came with time, and not with work (`isAnimated`). */
const ANIMATED = 'animated';

/**
 * Did an animation end then? It keeps to the clock: a thread from which time is stolen meanwhile makes it jerk, and it ends no
 * later.
 */
export function isAnimated(at: Ms, { animations = [] }: Pick<Recording, 'animations'>): boolean {
  return animations.some(({ to }) => to === at);
}

/** Was page complete the end of an animation? */
export function endsAnimated({ complete, timeline }: Pick<Visit, 'complete' | 'timeline'>): boolean {
  const isEnd = ({ name, at, detail }: Mark): boolean =>
    name === 'content-drawn' && detail === ANIMATED && at === completedAt(complete);
  return timeline.marks.some(isEnd);
}

/**
 * Does the page still fill an empty place when the quiet window is over, as letters that are typed do? Then the last of its
 * content is still to come.
 *
 * @param changes of the picture so far, without what moves by itself
 */
export function isStillFilling(changes: readonly VisualChange[], now: Ms): boolean {
  return mostlyFills(changes.filter(({ at }) => now - at <= LONGEST_PAUSE_MS));
}

/** Until when what a page was seen to draw after its network may still come. */
export function awaitedUntil({ complete }: Pick<Visit, 'complete'>, { after = 0 }: Pick<Drawing, 'after'>): Ms {
  if (complete.state !== 'complete') return 0;
  return complete.networkAt + PATIENCE.factor * after;
}

/** Did most of what changed show nothing before? */
function mostlyFills(changes: readonly VisualChange[]): boolean {
  const changed = changes.reduce((sum, { share }) => sum + share, 0);
  const covered = changes.reduce((sum, { share, covered: own = 1 }) => sum + share * own, 0);
  return covered < EMPTY_BELOW * changed;
}

/**
 * When a page that draws after its network had drawn, where its film begins too late to show it: at the end of the long task
 * or frame that what came last had started. Undefined where there was none.
 *
 * @param filmedFrom when the first frame of the film was drawn
 */
export function drawnUnseenAt(
  { complete, timeline, recording: { page } }: Visit,
  filmedFrom: Ms,
  { after }: Pick<Drawing, 'after'>,
): Ms | undefined {
  if (complete.state !== 'complete') return undefined;
  const { at: answer, networkAt } = complete;
  const tasks = timeline.marks.flatMap(({ name, since, at }) =>
    name === 'main-thread-busy' && since !== undefined ? [{ from: since, to: at }] : [],
  );
  // Where this page was not seen to draw late itself, a frame may well draw nothing.
  const frames = after === undefined ? [] : (page?.longFrames ?? []);
  const ends = [...tasks, ...frames.map(stretchOf)].flatMap(({ from, to }) =>
    from <= networkAt + ONE_MOMENT_MS && to > answer && to <= filmedFrom ? [to] : [],
  );
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** The recording with a mark where the last content was drawn, that came when its network was complete. */
export function withDrawing(
  recording: Recording,
  at: Ms | undefined,
  complete: PageComplete,
  animated = false,
): Recording {
  if (at === undefined || complete.state !== 'complete') return recording;
  const mark: Mark = { name: 'content-drawn', at, since: complete.networkAt, ...(animated && { detail: ANIMATED }) };
  return { ...recording, marks: [...recording.marks, mark] };
}
