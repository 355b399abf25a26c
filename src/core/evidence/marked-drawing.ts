import type { Policy } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { classify } from '../background/index.ts';
import { FINISHED, judgeClassified } from '../completion/complete.ts';
import { drawnAtOnceAt, drawnLast, stepDrawnAt } from '../completion/drawn-at-once.ts';
import {
  awaitedUntil,
  drawnLateAt,
  drawnUnseenAt,
  isAnimated,
  isStillFilling,
  withDrawing,
} from '../completion/late-drawing.ts';
import { visitOf } from '../measure.ts';
import { defined } from '../text/defined.ts';
import { AT_ONCE_MS, DRAWN_WITHIN_MS } from '../time/lags.ts';
import { foldTimeline } from '../timeline/fold.ts';
import { type FilmSteps, visibleChanges } from '../visual/changes.ts';
import { maskFromText } from '../visual/grid.ts';

/** Marks when a timed load drew the last of its content: by its document or, where it was filmed from its quiet on, by the film. */
export function markDrawing(recording: Recording, film: FilmSteps, policy: Policy, drawing: Drawing): Recording {
  const { animations } = recording;
  const visit = visitOf(recording, policy);
  const changes = changesOf(film, drawing);
  const known = defined({ ...drawing, animations });
  const filmedAt = drawnLateAt(visit, changes, policy, known, toldByPaint(visit.complete));
  const noted = drawnAtOnceAt(visit, drawing);
  const { from } = film;
  const unseenAt = from !== undefined && drawing.within === undefined ? drawnUnseenAt(visit, from, drawing) : undefined;
  const drawnAt = drawnLast(filmedAt, noted) ?? unseenAt;
  const animated = drawnAt !== undefined && isAnimated(drawnAt, known);
  return withDrawing(recording, drawnAt, visit.complete, animated);
}

/** The same of a step after the load, which is not filmed: from the document alone. */
export function markDrawingOfStep(recording: Recording, policy: Policy, drawing: Pick<Drawing, 'ticking'>): Recording {
  const visit = visitOf(recording, policy);
  return withDrawing(recording, stepDrawnAt(visit, drawing), visit.complete);
}

/** How much later than the answer the film shows what a paint has told, ms. */
function toldByPaint(complete: PageComplete): Ms {
  return complete.state === 'complete' && complete.at > complete.networkAt ? AT_ONCE_MS : 0;
}

/** What is known of a load that is still filmed. */
export interface FilmedSoFar extends Pick<Recording, 'events' | 'marks' | 'observedUntil'> {
  /** The film of more than the last second. */
  latest(): Promise<FilmSteps>;
  whole(): Promise<FilmSteps>;
}

/**
 * Is a page that is filmed when its network is quiet still to be watched? It fills an empty place, or it has drawn nothing
 * yet or is drawing, and an untimed run saw how long that takes.
 */
export async function stillDraws(
  { events, marks, observedUntil: now, latest, whole }: FilmedSoFar,
  policy: Policy,
  drawing: Omit<Drawing, 'late'>,
): Promise<boolean> {
  const lately = changesOf(await latest(), drawing);
  if (isStillFilling(lately, now)) return true;
  const timeline = foldTimeline(events, marks, now);
  const { verdicts } = classify(timeline, policy);
  const visit = { timeline, verdicts, complete: judgeClassified(verdicts, timeline, policy, FINISHED) };
  if (now >= awaitedUntil(visit, drawing)) return false;
  const changes = changesOf(await whole(), drawing);
  if (now - (changes.at(-1)?.at ?? 0) <= DRAWN_WITHIN_MS) return true;
  return drawnLateAt(visit, changes, policy, drawing) === undefined;
}

function changesOf(
  { steps }: FilmSteps,
  { moving = '', movingPlaces = '' }: Pick<Drawing, 'moving' | 'movingPlaces'>,
): readonly VisualChange[] {
  return visibleChanges(steps, maskFromText(moving), maskFromText(movingPlaces));
}
