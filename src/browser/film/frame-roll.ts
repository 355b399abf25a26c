/** A picture and its time, in any unit. */
export interface Shot {
  readonly taken: number;
  /** PNG, base64. */
  readonly image: string;
}

/** How much a roll may hold. */
export interface RollLimits {
  readonly frames: number;
  /** Characters of base64 in all. */
  readonly characters: number;
}

/** Ten frames per second for a minute, the default time-out, in at most 64 MB: for small CI machines. */
const ROLL_LIMITS: RollLimits = { frames: 600, characters: 64 * 1024 * 1024 };

/** Pictures in the order in which they were taken, without repeats, within the limits. */
export interface FrameRoll<S extends Shot> {
  /** Adds a picture. Some come before earlier ones, because Chrome encodes in parallel. */
  add(shot: S): void;
  shots(): readonly S[];
}

/**
 * A roll that removes frames when it is full: the one closest to its neighbours goes, so that the others are spread evenly
 * over time. The first and the last frame always stay.
 */
export function createFrameRoll<S extends Shot>(limits: RollLimits = ROLL_LIMITS): FrameRoll<S> {
  const shots: S[] = [];
  let characters = 0;

  const thinOut = (): void => {
    let densest = 1;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 1; i < shots.length - 1; i += 1) {
      const span = (shots[i + 1]?.taken ?? 0) - (shots[i - 1]?.taken ?? 0);
      if (span < least) {
        least = span;
        densest = i;
      }
    }
    // Without the frame between them, the later of two equal frames is a repeat, and goes too unless it is the last.
    const isRepeat = densest + 1 < shots.length - 1 && shots[densest - 1]?.image === shots[densest + 1]?.image;
    for (const gone of shots.splice(densest, isRepeat ? 2 : 1)) characters -= gone.image.length;
  };

  return {
    add(shot) {
      const place = shots.findLastIndex(({ taken }) => taken <= shot.taken) + 1;
      if (shots[place - 1]?.image === shot.image) return;
      // A late frame that equals its successor replaces it: the state was visible earlier.
      const isEarlier = shots[place]?.image === shot.image;
      const replaced = shots.splice(place, isEarlier ? 1 : 0, shot);
      characters += shot.image.length - (replaced[0]?.image.length ?? 0);
      while (shots.length > 2 && (shots.length > limits.frames || characters > limits.characters)) thinOut();
    },
    shots: () => [...shots],
  };
}
