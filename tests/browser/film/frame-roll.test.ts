import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameRoll, type RollLimits, type Shot } from '../../../src/browser/film/frame-roll.ts';

const WIDE: RollLimits = { frames: 1_000, characters: 1_000_000 };

function rolled(shots: readonly Shot[], limits: RollLimits): readonly Shot[] {
  const roll = createFrameRoll(limits);
  for (const shot of shots) roll.add(shot);
  return roll.shots();
}

const shotsOf = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 1_000 }), image: fc.string({ maxLength: 30 }) }))
  .map((steps) => {
    let taken = 0;
    return steps.map(({ gap, image }): Shot => {
      taken += gap;
      return { taken, image };
    });
  });

describe('a frame roll', () => {
  it('leaves out a picture like the one before it, but not one like an earlier one', () => {
    const shots = ['a', 'a', 'b', 'a', 'a'].map((image, taken) => ({ taken, image }));
    expect(rolled(shots, WIDE).map(({ taken }) => taken)).toEqual([0, 2, 3]);
  });

  it('puts pictures that come late into their place', () => {
    const shots = [1, 4, 3, 2, 5].map((taken) => ({ taken, image: `picture ${taken}` }));
    expect(rolled(shots, WIDE).map(({ taken }) => taken)).toEqual([1, 2, 3, 4, 5]);
    const same = [
      { taken: 1, image: 'a' },
      { taken: 5, image: 'b' },
      { taken: 3, image: 'b' },
    ];
    expect(rolled(same, WIDE)).toEqual([same[0], same[2]]);
  });

  it('thins out evenly when it is full', () => {
    const shots = Array.from({ length: 2_000 }, (_, taken) => ({ taken, image: `picture ${taken}` }));
    const kept = rolled(shots, { ...WIDE, frames: 50 }).map(({ taken }) => taken);
    const gaps = kept.slice(1).map((taken, i) => taken - (kept[i] ?? 0));
    expect(kept).toHaveLength(50);
    // Twice as wide as another at the most, beside the ends: what was thinned once is not thinned before its turn.
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * (2_000 / 50) * 1.5);
  });

  it('thins out what is dense and keeps what is rare', () => {
    const rare = [0, 5_000, 10_000].map((taken) => ({ taken, image: `rare ${taken}` }));
    const dense = Array.from({ length: 500 }, (_, i) => ({ taken: 10_100 + i * 10, image: `dense ${i}` }));
    const kept = rolled([...rare, ...dense], { ...WIDE, frames: 40 });
    expect(kept.filter(({ image }) => image.startsWith('rare'))).toEqual(rare);
  });

  it('leaves no two equal pictures side by side when it drops what was between them', () => {
    const images = ['a', 'b', 'a', 'c', 'd'];
    const shots = images.map((image, i) => ({ taken: i === 1 ? 1 : i * 10, image })).sort((a, b) => a.taken - b.taken);
    expect(rolled(shots, { ...WIDE, frames: 4 }).map(({ image }) => image)).toEqual(['a', 'c', 'd']);
  });

  it('never holds more than it may, and always the first and the last picture', () => {
    fc.assert(
      fc.property(
        shotsOf,
        fc.integer({ min: 2, max: 20 }),
        fc.integer({ min: 60, max: 400 }),
        (shots, frames, characters) => {
          const kept = rolled(shots, { frames, characters });
          expect(kept.length).toBeLessThanOrEqual(frames);
          expect(kept.reduce((sum, { image }) => sum + image.length, 0)).toBeLessThanOrEqual(characters);
          expect(kept[0]).toEqual(shots[0]);
          expect(kept.at(-1)?.image).toEqual(shots.at(-1)?.image);
          expect(kept.map(({ taken }) => taken)).toEqual(kept.map(({ taken }) => taken).sort((a, b) => a - b));
        },
      ),
    );
  });
});
