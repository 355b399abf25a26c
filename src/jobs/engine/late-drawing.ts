import { classify } from '../../core/background/index.ts';
import { FINISHED, judgeClassified } from '../../core/complete.ts';
import { defined } from '../../core/defined.ts';
import {
  awaitedUntil,
  drawnInTurnAt,
  drawnLateAt,
  drawnUnseenAt,
  isStillFilling,
  ONE_MOVEMENT_MS,
  stillMoves,
  withDrawing,
} from '../../core/late-drawing.ts';
import { visitOf } from '../../core/measure.ts';
import { foldTimeline } from '../../core/timeline/fold.ts';
import { stepsOf, visibleChanges } from '../../core/visual/changes.ts';
import { maskFromText } from '../../core/visual/grid.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { LoadOutcome } from '../../model/lab.ts';
import type { VisualChange } from '../../model/picture.ts';
import type { Frame, Recording } from '../../model/recording.ts';
import type { Policy } from '../../model/verdict.ts';
import { decodeFilm } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';

/** Reads when a timed run that was filmed from its quiet on drew the last of its content. The film itself is let go. */
export async function markDrawing(
  outcome: LoadOutcome,
  policy: Policy,
  drawing: Omit<Drawing, 'late'>,
): Promise<LoadOutcome> {
  if (!outcome.ok || outcome.recording.frames.length === 0) return outcome;
  const { frames, animations, ...rest } = outcome.recording;
  const recording = { ...rest, frames: [] };
  const changes = await changesOf(frames, drawing);
  const visit = visitOf(recording, policy);
  const [{ at: filmedFrom = 0 } = {}] = frames;
  const drawnAt =
    drawnLateAt(visit, changes, policy, defined({ ...drawing, animations })) ?? drawnUnseenAt(visit, filmedFrom);
  return { ...outcome, recording: withDrawing(recording, drawnAt) };
}

/** So many frames of a film show more than a second. */
const LAST_FRAMES = 24;

/**
 * Is a page that is filmed when its network is quiet still to be watched? It fills an empty place, or it has drawn nothing
 * yet or is drawing, and an untimed run saw how long that takes.
 */
export async function stillDraws(
  { events, marks, frames, observedUntil: now }: Pick<Recording, 'events' | 'marks' | 'frames' | 'observedUntil'>,
  policy: Policy,
  drawing: Omit<Drawing, 'late'>,
): Promise<boolean> {
  const latest = await changesOf(frames.slice(-LAST_FRAMES), drawing);
  if (isStillFilling(latest, now)) return true;
  const timeline = foldTimeline(events, marks, now);
  const { verdicts } = classify(timeline, policy);
  const visit = { timeline, verdicts, complete: judgeClassified(verdicts, timeline, policy, FINISHED) };
  if (now >= awaitedUntil(visit, drawing)) return stillMoves(latest, now, drawing);
  const changes = await changesOf(frames, drawing);
  // Where the page draws in turns, it never stops.
  if (drawing.every !== undefined) return drawnInTurnAt(visit, changes, drawing) === undefined;
  if (now - (changes.at(-1)?.at ?? 0) <= ONE_MOVEMENT_MS) return true;
  return drawnLateAt(visit, changes, policy, drawing) === undefined;
}

async function changesOf(
  frames: readonly Frame[],
  { moving = '', movingPlaces = '' }: Pick<Drawing, 'moving' | 'movingPlaces'>,
): Promise<readonly VisualChange[]> {
  const steps = await runInSlices(stepsOf(decodeFilm(frames), { covered: true }));
  return visibleChanges(steps, maskFromText(moving), maskFromText(movingPlaces));
}
