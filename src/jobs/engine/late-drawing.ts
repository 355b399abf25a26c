import { drawnLateAt, withDrawing } from '../../core/late-drawing.ts';
import { visitOf } from '../../core/measure.ts';
import { stepsOf, visibleChanges } from '../../core/visual/changes.ts';
import { maskFromText } from '../../core/visual/grid.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { LoadOutcome } from '../../model/lab.ts';
import type { Policy } from '../../model/verdict.ts';
import { decodeFilm } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';

/** Reads when a timed run that was filmed from its quiet on drew the last of its content. The film itself is let go. */
export async function markDrawing(
  outcome: LoadOutcome,
  policy: Policy,
  { moving, updates }: Drawing,
): Promise<LoadOutcome> {
  if (!outcome.ok || outcome.recording.frames.length === 0) return outcome;
  const { frames } = outcome.recording;
  const recording = { ...outcome.recording, frames: [] };
  const steps = await runInSlices(stepsOf(decodeFilm(frames)));
  const changes = visibleChanges(steps, moving === undefined ? undefined : maskFromText(moving));
  const drawnAt = drawnLateAt(visitOf(recording, policy), changes, policy, updates);
  return { ...outcome, recording: withDrawing(recording, drawnAt) };
}
