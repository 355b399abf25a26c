import type { DecodedFrame, VisualChange } from '../../model/picture.ts';
import type { Ms } from '../../model/units.ts';
import { type Difference, differenceOf, visiblePixels } from './difference.ts';
import type { Mask } from './mask.ts';

/** From one frame of a film to the next. */
export interface Step {
  /** When the later frame was drawn. */
  readonly at: Ms;
  readonly difference: Difference;
}

/**
 * What differs from each frame to the next, without the steps in which nothing does. Each frame's picture is asked for
 * once and in order, so a film may decode its pictures as they are asked for; `look` is shown each on the way. A film is
 * long work: it is interrupted after each frame.
 */
export function* stepsOf(
  frames: readonly DecodedFrame[],
  look: (at: Ms, picture: DecodedFrame['picture']) => void = () => undefined,
): Generator<undefined, readonly Step[]> {
  const steps: Step[] = [];
  let before: DecodedFrame['picture'] | undefined;
  for (const frame of frames) {
    const { picture } = frame;
    look(frame.at, picture);
    if (before && before !== picture) {
      const difference = differenceOf(before, picture, true);
      if (difference.outside > 0 || difference.changed.includes(1)) steps.push({ at: frame.at, difference });
    }
    before = picture;
    yield;
  }
  return steps;
}

/** The times at which what is seen changed, and the share of the picture that did, 0 to 1, `ignore` left out. */
export function visibleChanges(steps: readonly Step[], ignore?: Mask): readonly VisualChange[] {
  return steps.flatMap(({ at, difference }) => {
    const seen = visiblePixels(difference, ignore);
    return seen === 0 ? [] : [{ at, share: seen / (difference.viewWidth * difference.viewHeight) }];
  });
}
