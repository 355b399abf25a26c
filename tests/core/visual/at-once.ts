import { type FilmSteps, stepsOf } from '../../../src/core/visual/changes.ts';
import type { DecodedFrame } from '../../../src/model/recording/picture.ts';

/** What long work gives in the end, without a pause. */
export function atOnce<T>(work: Generator<undefined, T>): T {
  for (let piece = work.next(); ; piece = work.next()) if (piece.done) return piece.value;
}

/** What a film of these frames tells. */
export function stepsIn(frames: readonly DecodedFrame[]): FilmSteps {
  const [first] = frames;
  return { steps: atOnce(stepsOf(frames, { covered: true })), ...(first && { from: first.at }) };
}
