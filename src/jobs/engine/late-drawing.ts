import { drawnLateAt, isStillFilling, withDrawing } from '../../core/late-drawing.ts';
import { visitOf } from '../../core/measure.ts';
import { stepsOf, visibleChanges } from '../../core/visual/changes.ts';
import { maskFromText } from '../../core/visual/grid.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { LoadOutcome } from '../../model/lab.ts';
import type { VisualChange } from '../../model/picture.ts';
import type { Frame } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
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
  const { frames } = outcome.recording;
  const recording = { ...outcome.recording, frames: [] };
  const changes = await changesOf(frames, drawing);
  const drawnAt = drawnLateAt(visitOf(recording, policy), changes, policy, drawing.updates);
  return { ...outcome, recording: withDrawing(recording, drawnAt) };
}

/** Does a page that is filmed when its network is quiet still fill an empty place, as these last frames show it? */
export async function stillDraws(
  lastFrames: readonly Frame[],
  now: Ms,
  drawing: Pick<Drawing, 'moving' | 'movingPlaces'>,
): Promise<boolean> {
  return isStillFilling(await changesOf(lastFrames, drawing), now);
}

async function changesOf(
  frames: readonly Frame[],
  { moving = '', movingPlaces = '' }: Pick<Drawing, 'moving' | 'movingPlaces'>,
): Promise<readonly VisualChange[]> {
  const steps = await runInSlices(stepsOf(decodeFilm(frames), { covered: true }));
  return visibleChanges(steps, maskFromText(moving), maskFromText(movingPlaces));
}
