import * as rules from '../../../core/evidence/marked-change.ts';
import type { Policy } from '../../../model/background/verdict.ts';
import type { Drawing } from '../../../model/completion/drawing.ts';
import type { LoadOutcome, StepOutcome } from '../../../model/recording/lab.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import { readSteps } from './film.ts';

/**
 * Reads when a timed run drew the last of its content, from its document or, where it was filmed from its quiet on, from the
 * film. Both are let go.
 */
export async function markDrawing(outcome: LoadOutcome, policy: Policy, drawing: Drawing): Promise<LoadOutcome> {
  if (!outcome.ok) return outcome;
  const { frames, domChanges } = outcome.recording;
  if (frames.length === 0 && domChanges === undefined) return outcome;
  const marked = rules.markDrawing(outcome.recording, await readSteps(frames), policy, drawing);
  return { ...outcome, recording: withoutSources(marked) };
}

/** The same of each step after the load, which is not filmed: from the document alone. */
export function markDrawingOfSteps(outcome: LoadOutcome): LoadOutcome {
  if (!outcome.ok || !outcome.steps) return outcome;
  const steps = outcome.steps.map((step): StepOutcome => {
    if (!step.outcome.ok) return step;
    const marked = rules.markDrawingOfStep(step.outcome.recording, step.policy);
    return { ...step, outcome: { ...step.outcome, recording: withoutSources(marked) } };
  });
  return { ...outcome, steps };
}

/** Without what tells when it was drawn: that is large, and no other run has it. */
function withoutSources({ domChanges: _domChanges, animations: _animations, ...rest }: Recording): Recording {
  return { ...rest, frames: [] };
}

/** Is a page that is filmed when its network is quiet still to be watched? */
export async function stillDraws(
  { frames, ...soFar }: Pick<Recording, 'events' | 'marks' | 'frames' | 'observedUntil'>,
  policy: Policy,
  drawing: Drawing,
): Promise<boolean> {
  return rules.stillDraws(soFar, await readSteps(frames), policy, drawing);
}
