import type { Policy } from '../../model/background/verdict.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { Recording } from '../../model/recording/recording.ts';
import { classify } from '../background/index.ts';
import { FINISHED, judgeClassified } from '../completion/complete.ts';
import { isStillDrawn, lastChange, lastChangeOfStep, withLastChange } from '../completion/last-change.ts';
import { visitOf } from '../measure.ts';
import { defined } from '../text/defined.ts';
import { foldTimeline } from '../timeline/fold.ts';
import { type FilmSteps, visibleChanges } from '../visual/changes.ts';
import { maskFromText } from '../visual/grid.ts';

/** Marks when a timed load drew the last of its content: by its document, and by the film where it was filmed from its quiet on. */
export function markDrawing(recording: Recording, film: FilmSteps, policy: Policy, drawing: Drawing): Recording {
  const visit = visitOf(recording, policy);
  const { from, steps } = film;
  const filmed = { changes: changesOf(steps, drawing), ...defined({ from }) };
  return withLastChange(visit, lastChange(visit, filmed, drawing, policy));
}

/** The same of a step after the load, which is not filmed. */
export function markDrawingOfStep(recording: Recording, policy: Policy): Recording {
  const visit = visitOf(recording, policy);
  return withLastChange(visit, lastChangeOfStep(visit));
}

/** Is a page that is filmed when its network is quiet still to be watched? */
export function stillDraws(
  { events, marks, observedUntil: now }: Pick<Recording, 'events' | 'marks' | 'observedUntil'>,
  { steps }: FilmSteps,
  policy: Policy,
  drawing: Drawing,
): boolean {
  const timeline = foldTimeline(events, marks, now);
  const { verdicts } = classify(timeline, policy);
  const visit = { timeline, verdicts, complete: judgeClassified(verdicts, timeline, policy, FINISHED) };
  return isStillDrawn(visit, changesOf(steps, drawing), drawing, policy, now);
}

function changesOf(steps: FilmSteps['steps'], { moving = '' }: Drawing): readonly VisualChange[] {
  return visibleChanges(steps, undefined, maskFromText(moving));
}
