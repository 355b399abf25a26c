import { classify } from '../../core/background/index.ts';
import { FINISHED, judgeClassified } from '../../core/complete.ts';
import { defined } from '../../core/defined.ts';
import { drawnAtOnceAt, drawnLast, stepDrawnAt } from '../../core/drawn-at-once.ts';
import {
  awaitedUntil,
  drawnInTurnAt,
  drawnLateAt,
  drawnUnseenAt,
  isAnimated,
  isStillFilling,
  ONE_MOVEMENT_MS,
  stillMoves,
  withDrawing,
} from '../../core/late-drawing.ts';
import { visitOf } from '../../core/measure.ts';
import { foldTimeline } from '../../core/timeline/fold.ts';
import { stepsOf, visibleChanges } from '../../core/visual/changes.ts';
import { isEmpty } from '../../core/visual/empty.ts';
import { maskFromText } from '../../core/visual/grid.ts';
import { PAINT_TO_FILM_MS } from '../../core/visual/paint-to-frame.ts';
import type { PageComplete } from '../../model/completion.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { LoadOutcome, StepOutcome } from '../../model/lab.ts';
import type { VisualChange } from '../../model/picture.ts';
import type { Frame, Recording } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import type { Policy } from '../../model/verdict.ts';
import { decodeFilm } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';

/**
 * Reads when a timed run drew the last of its content, from its document or, where it was filmed from its quiet on, from the
 * film. Both are let go.
 */
export async function markDrawing(outcome: LoadOutcome, policy: Policy, drawing: Drawing): Promise<LoadOutcome> {
  if (!outcome.ok) return outcome;
  const { frames, animations, domChanges } = outcome.recording;
  if (frames.length === 0 && domChanges === undefined) return outcome;
  const visit = visitOf(outcome.recording, policy);
  const changes = await changesOf(frames, drawing);
  const known = defined({ ...drawing, animations });
  const filmedAt = drawnLateAt(visit, changes, policy, known, toldByPaint(visit.complete));
  const noted = drawnAtOnceAt(visit, drawing);
  const [first] = frames;
  const unseenAt = first && drawing.within === undefined ? drawnUnseenAt(visit, first.at, drawing) : undefined;
  const drawnAt = drawnLast(filmedAt, noted) ?? unseenAt;
  const animated = drawnAt !== undefined && isAnimated(drawnAt, changes, known);
  return { ...outcome, recording: withDrawing(withoutSources(outcome.recording), drawnAt, visit.complete, animated) };
}

/** How much later than the answer the film shows what a paint has told, ms. */
function toldByPaint(complete: PageComplete): Ms {
  return complete.state === 'complete' && complete.at > complete.networkAt ? PAINT_TO_FILM_MS : 0;
}

/** The same of each step after the load, which is not filmed: from the document alone. */
export function markDrawingOfSteps(outcome: LoadOutcome, drawing: Pick<Drawing, 'ticking'>): LoadOutcome {
  if (!outcome.ok || !outcome.steps) return outcome;
  const steps = outcome.steps.map((step): StepOutcome => {
    if (!step.outcome.ok) return step;
    const { recording } = step.outcome;
    const visit = visitOf(recording, step.policy);
    const drawn = withDrawing(withoutSources(recording), stepDrawnAt(visit, drawing), visit.complete);
    return { ...step, outcome: { ...step.outcome, recording: drawn } };
  });
  return { ...outcome, steps };
}

/** Without what tells when it was drawn: that is large, and no other run has it. */
function withoutSources({ domChanges: _domChanges, animations: _animations, ...rest }: Recording): Recording {
  return { ...rest, frames: [] };
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

/** Since when a film shows anything but an empty page, where it does at its end. */
export async function visibleAt(frames: readonly Frame[]): Promise<Ms | undefined> {
  const [last] = decodeFilm(frames.slice(-1));
  if (last === undefined || isEmpty(last.picture)) return undefined;
  return decodeFilm(frames).find(({ picture }) => !isEmpty(picture))?.at;
}

async function changesOf(
  frames: readonly Frame[],
  { moving = '', movingPlaces = '' }: Pick<Drawing, 'moving' | 'movingPlaces'>,
): Promise<readonly VisualChange[]> {
  const steps = await runInSlices(stepsOf(decodeFilm(frames), { covered: true }));
  return visibleChanges(steps, maskFromText(moving), maskFromText(movingPlaces));
}
