import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepsOf, visibleChanges } from '../../../src/core/visual/changes.ts';
import { leftOut, type Mask } from '../../../src/core/visual/mask.ts';
import { movingPartsOf } from '../../../src/core/visual/moving-parts.ts';
import { clocksIn, movingPlacesOf } from '../../../src/core/visual/moving-places.ts';
import type { Span } from '../../../src/model/background/verdict.ts';
import type { DecodedFrame } from '../../../src/model/recording/picture.ts';
import { atOnce } from './at-once.ts';
import { draw, film, SIZE, times } from './drawing.ts';

const changesOf = (frames: readonly DecodedFrame[], ignore?: Mask) => visibleChanges(atOnce(stepsOf(frames)), ignore);
const movingParts = (frames: readonly DecodedFrame[], quietSpans: readonly Span[]) =>
  movingPartsOf(atOnce(stepsOf(frames)), frames.at(-1)?.at ?? 0, quietSpans);
const seenAt = (...args: Parameters<typeof changesOf>) => changesOf(...args).map(({ at }) => at);

describe('the changes of a film', () => {
  it('finds each change and its share', () => {
    const changes = changesOf(film({ place: 0, changesAt: [300, 900] }));
    expect(changes.map(({ at }) => at)).toEqual([300, 900]);
    for (const { share } of changes) expect(share).toBeCloseTo((12 * 12) / (SIZE.width * SIZE.height), 6);
  });

  it('finds nothing in no film, a single frame, or a caret', () => {
    expect(changesOf([])).toEqual([]);
    expect(changesOf([{ at: 5, picture: draw([]) }])).toEqual([]);
    const caret = [{ x: 9, y: 9, width: 1, height: 15 }];
    const frames = times(0, 500, 8).map((at, i) => ({ at, picture: draw(i % 2 ? caret : []) }));
    expect(changesOf(frames)).toEqual([]);
  });

  it('finds a page that is drawn anew', () => {
    const size = { width: 200, height: 120 };
    const full = draw([{ x: 0, y: 0, ...size, color: [10, 90, 200] }], size);
    const frames = [draw([], size), full, full].map((picture, at) => ({ at, picture }));
    expect(changesOf(frames)).toMatchObject([{ at: 1, share: 1 }]);
  });

  it('sees what fades slowly, each time that it can be told apart', () => {
    const frames = Array.from({ length: 121 }, (_, i) => {
      const shade = 255 - i;
      return { at: i * 16, picture: draw([{ x: 10, y: 10, width: 60, height: 40, color: [shade, shade, shade] }]) };
    });
    const seen = seenAt(frames);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.at(-1)).toBeGreaterThan(1_700);
  });

  it('tells what is as it was before', () => {
    const notice = { x: 40, y: 10, width: 30, height: 12 };
    const text = { x: 5, y: 50, width: 60, height: 8 };
    const boxes = [[], [notice], [], [text], [text, notice], [text]];
    const frames = boxes.map((drawn, i) => ({ at: i * 500, picture: draw(drawn) }));
    const steps = atOnce(stepsOf(frames, { covered: true }));
    expect(visibleChanges(steps).map(({ at, undoneFrom }) => [at, undoneFrom])).toEqual([
      [500, undefined],
      [1_000, 500],
      [1_500, undefined],
      [2_000, undefined],
      [2_500, 2_000],
    ]);
    // A place may show again what it had shown, whatever is elsewhere by then.
    expect(visibleChanges(steps).map(({ shownUntil }) => shownUntil !== undefined)).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
    // What moves meanwhile is left out.
    const moving = [...frames.keys()].map((i) => ({ x: 100, y: 60 + i, width: 9, height: 9 }));
    const busy = frames.map(({ at }, i) => ({ at, picture: draw([...(boxes[i] ?? []), ...moving.slice(i, i + 1)]) }));
    const seen = (mask?: Mask) =>
      visibleChanges(atOnce(stepsOf(busy, { covered: true })), mask).filter(({ undoneFrom }) => undoneFrom);
    const corner = { ...SIZE, bits: new Uint8Array(SIZE.width * SIZE.height) };
    for (let y = 55; y < SIZE.height; y += 1) corner.bits.fill(1, y * SIZE.width + 95, (y + 1) * SIZE.width);
    expect(seen()).toHaveLength(0);
    expect(seen(corner).map(({ at }) => at)).toEqual([1_000, 2_500]);
  });

  it('leaves out what is to be left out', () => {
    const frames = film({ place: 0, changesAt: [300, 900] }, { place: 2, changesAt: [500, 900] });
    const onlyFirst = { ...SIZE, bits: new Uint8Array(SIZE.width * SIZE.height) };
    for (let y = 0; y < SIZE.height; y += 1) onlyFirst.bits.fill(1, y * SIZE.width + 48, (y + 1) * SIZE.width);
    expect(seenAt(frames, onlyFirst)).toEqual([300, 900]);
    expect(changesOf(frames, onlyFirst)[1]?.share).toBeLessThan(changesOf(frames)[2]?.share ?? 0);
  });

  it('asks for each picture once: a film may decode as it goes', () => {
    let asked = 0;
    const frames = film({ place: 0, changesAt: times(100, 100, 20) }).map(({ at, picture }) => ({
      at,
      get picture() {
        asked += 1;
        return picture;
      },
    }));
    expect(changesOf(frames)).toHaveLength(20);
    expect(asked).toBe(frames.length);
  });

  it('never reports a time without a frame, nor an equal pair', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 12 }), (shown) => {
        const frames = shown.map((place, at) => ({
          at,
          picture: draw([{ x: place * 30, y: 9, width: 9, height: 9 }]),
        }));
        expect(seenAt(frames)).toEqual(shown.flatMap((place, at) => (at > 0 && place !== shown[at - 1] ? [at] : [])));
      }),
    );
  });
});

describe('moving parts', () => {
  const quiet = [{ from: 1_000, to: 5_000 }, { from: 5_400 }];

  it('finds what moves while nothing comes, with its edges, and nothing else', () => {
    const frames = film({ place: 0, changesAt: times(1_050, 250, 30) }, { place: 2, changesAt: [5_100] });
    const moving = movingParts(frames, quiet);
    if (!moving) throw new Error('nothing moves');
    const isOut = leftOut(moving, SIZE.width, SIZE.height);
    expect([isOut(4, 20), isOut(15, 31), isOut(2, 18)]).toEqual([true, true, true]);
    expect([isOut(58, 26), isOut(30, 26), isOut(8, 50)]).toEqual([false, false, false]);
    expect(seenAt(frames, moving)).toEqual([5_100]);
  });

  it('finds nothing where nothing moves, and asks for spans', () => {
    const frames = film({ place: 0, changesAt: [300, 5_100, 5_200] });
    expect(movingParts(frames, quiet)).toBeUndefined();
    expect(movingParts(film({ place: 0, changesAt: [2_000] }), [])).toBeUndefined();
    expect(movingParts([], quiet)).toBeUndefined();
  });

  it('takes nothing for moving that appears once, be it all at once, fading in, or letter by letter', () => {
    const fade = times(2_000, 60, 17);
    expect(movingParts(film({ place: 0, changesAt: [2_000] }, { place: 2, changesAt: fade }), quiet)).toBeUndefined();
    const letters = times(1_100, 300, 12).map((at, i) => ({
      at,
      picture: draw(times(2, 9, i + 1).map((x) => ({ x, y: 20, width: 6, height: 9 }))),
    }));
    expect(movingParts([{ at: 0, picture: draw([]) }, ...letters], [{ from: 1_000 }])).toBeUndefined();
  });

  it('takes nothing for moving that has come to its end', () => {
    const still = times(12_000, 1_000, 9);
    const until = (end: number) =>
      film({ place: 0, changesAt: times(2_000, 50, (end - 2_000) / 50) }, { place: 2, changesAt: still });
    const [flight, moving] = [until(5_000), until(19_000)].map((frames) => movingParts(frames, [{ from: 1_500 }]));
    const isOut = (mask: Mask | undefined) => leftOut(mask, SIZE.width, SIZE.height)(8, 24);
    expect(isOut(flight)).toBe(false);
    expect(isOut(moving)).toBe(true);
    // It changes every five seconds.
    expect(
      isOut(
        movingParts(film({ place: 0, changesAt: [3_000, 8_000, 13_000] }, { place: 2, changesAt: still }), [
          { from: 1_500 },
        ]),
      ),
    ).toBe(true);
  });

  it('takes no part for moving that changes mostly when something comes', () => {
    const spans = times(1_000, 1_000, 20).map((from) => ({ from: from + 400, to: from + 1_000 }));
    // One of its twenty updates was drawn late.
    const changesAt = times(1_050, 1_000, 20).map((at, i) => (i === 7 ? at + 500 : at));
    expect(movingParts(film({ place: 0, changesAt }), spans)).toBeUndefined();
    // A clock that ticks on its own beat.
    expect(movingParts(film({ place: 0, changesAt: times(1_000, 230, 80) }), spans)).toBeDefined();
  });
});

describe('a canvas in which everything moves', () => {
  const canvas = { left: 0, top: 0, width: 1, height: 0.5 };
  const size = { width: 120, height: 80 };
  // Rows of them that pass above and below a heading, and later through it as well.
  const dots = (step: number) =>
    Array.from({ length: 18 }, (_, i) => ({
      x: (i * 20 + step * 3) % 116,
      y: [2, 26, 34][i % 3] ?? 0,
      width: 4,
      height: 4,
    }));
  const heading = { x: 10, y: 10, width: 60, height: 12, color: [200, 30, 30] as const };
  const stray = (at: number) => (at > 10_000 ? [{ x: (at / 100) % 110, y: 15, width: 4, height: 4 }] : []);
  const frame = (at: number, isThere: boolean) => ({
    at,
    picture: draw([...dots(at / 100), ...(isThere ? [heading] : []), ...stray(at)], size),
  });
  const steps = atOnce(
    stepsOf(
      times(0, 100, 120).map((at) => frame(at, at >= 9_000)),
      { covered: true },
    ),
  );
  const moving = movingPartsOf(steps, 12_000, [{ from: 500, to: 8_900 }]);

  if (moving === undefined) throw new Error('nothing moves');

  it('moves as a whole, also where the film has not seen it', () => {
    const places = movingPlacesOf(moving, [canvas]);
    const seen = visibleChanges(steps, moving, places).map(({ at }) => at);
    // What is drawn in it shows.
    expect(seen).toEqual([9_000]);
  });

  /** A row of 20 pixels at the left, half-way up the canvas. */
  const row = {
    ...size,
    bits: new Uint8Array(size.width * size.height).fill(1, 20 * size.width, 20 * size.width + 20),
  };
  const isOut = ({ bits }: { readonly bits: Uint8Array }, x: number, y: number) => bits[y * size.width + x] === 1;

  it('is no canvas in which one part moves, and no other place', () => {
    const nothing = movingPlacesOf(row, []);
    expect(movingPlacesOf(row, [canvas])).toEqual(nothing);
    expect(movingPlacesOf(moving, [{ left: 0, top: 0.6, width: 1, height: 0.4 }])).toEqual(movingPlacesOf(moving, []));
  });

  it('has a margin: its turning points are seen seldom', () => {
    const places = movingPlacesOf(row, []);
    expect([isOut(places, 10, 12), isOut(places, 27, 20), isOut(places, 0, 28)]).toEqual([true, true, true]);
    expect([isOut(places, 10, 11), isOut(places, 28, 20), isOut(places, 10, 29)]).toEqual([false, false, false]);
  });

  it('takes a clock along in which a part moves', () => {
    const clock = { left: 0, top: 0.2, width: 0.5, height: 0.1 };
    expect(isOut(movingPlacesOf(row, [], [clock]), 55, 20)).toBe(true);
    expect(movingPlacesOf(row, [], [{ ...clock, top: 0.8 }])).toEqual(movingPlacesOf(row, []));
  });
});

it('a clock is a number that changes where it stands, with the same words around it', () => {
  const number = (text: string, left = 0.1) => ({ text, left, top: 0.5, width: 0.1, height: 0.05 });
  expect(clocksIn([number('OUTPUT 12:10:24')], [number('OUTPUT 12:09:59')])).toHaveLength(1);
  expect(clocksIn([number('P 3 reviews')], [number('P 3 reviews')])).toEqual([]);
  expect(clocksIn([number('P 4 offers')], [number('P 3 reviews')])).toEqual([]);
  expect(clocksIn([number('P 4', 0.3)], [number('P 3')])).toEqual([]);
});
