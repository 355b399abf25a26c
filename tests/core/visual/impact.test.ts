import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binomialTail } from '../../../src/core/visual/binomial-tail.ts';
import { changesBy, type Film, quietSpansOf, readFilm } from '../../../src/core/visual/impact.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { stepsIn } from './at-once.ts';
import { draw, film, later, type Part, times } from './drawing.ts';

const UNTIL = 30_000;

/** What a film of some parts says of suspects by name; the page is complete at 1 s. */
function ask(
  parts: readonly Part[],
  suspects: Readonly<Record<string, readonly number[]>>,
  more: Partial<Film> = {},
): Readonly<Record<string, { impact: string; because: string; changedAt: readonly number[]; kinds: string }>> {
  const { impacts } = readFilm({
    ...stepsIn(film(...parts)),
    suspects: Object.entries(suspects).map(([endpoint, arrivals]) => ({ endpoint, arrivals })),
    foregroundArrivals: [50, 200, 350],
    completeAt: 1_000,
    until: UNTIL,
    ...more,
  });
  return Object.fromEntries(
    impacts.map(({ endpoint, reason, impact, effects }) => [
      endpoint,
      {
        impact,
        because: verdictReasonInWords(reason),
        changedAt: changesBy({ effects }),
        kinds: [...new Set(effects.map(({ kind }) => kind))].join(', '),
      },
    ]),
  );
}

/** The page itself, drawn when its own answers come. */
const page: Part = { place: 0, changesAt: [120, 260, 400] };

describe('shapes of one stream', () => {
  /** Messages of some shapes in turn, each of which repaints its own place; of the last one nothing is seen. */
  const shapes = [0, 1, 2, 3, 4].map((turn) => times(1_200 + turn * 270, 5 * 270, 21));
  const parts = shapes.slice(0, 4).map((arrivals, i): Part => ({ place: i + 1, changesAt: later(15, arrivals) }));
  const impactsOf = (endpoint: (i: number) => string): readonly string[] =>
    readFilm({
      ...stepsIn(film(page, ...parts)),
      suspects: shapes.map((arrivals, i) => ({ endpoint: endpoint(i), arrivals })),
      foregroundArrivals: [50, 200, 350],
      completeAt: 1_000,
      until: UNTIL,
    }).impacts.map(({ impact }) => impact);

  it('that alternate quickly are judged by what the stream does as a whole', () => {
    const impacts = impactsOf(() => 'stream');
    expect(impacts.slice(0, 4)).toEqual(['continuous', 'continuous', 'continuous', 'continuous']);
    expect(impacts[4]).not.toBe('continuous');
  });

  it('of streams of their own stay unknown', () => {
    const impacts = impactsOf((i) => `stream ${i}`);
    expect(impacts.slice(1)).toEqual(['unknown', 'unknown', 'unknown', 'none']);
  });
});

describe('an arrival', () => {
  it('fills a place where nothing was, and repaints it from then on', () => {
    const arrivals = times(1_500, 2_000, 14);
    expect(ask([page, { place: 1, changesAt: later(40, arrivals) }], { a: arrivals }).a).toMatchObject({
      kinds: 'fills, repaints',
    });
  });
});

describe('none', () => {
  it('is said of what comes and changes nothing', () => {
    const { a } = ask([page], { a: times(1_500, 1_000, 17) });
    expect(a).toEqual({
      impact: 'none',
      kinds: 'nothing',
      because: 'it arrived 17 times, and the screen changed after none of them',
      changedAt: [],
    });
  });

  it('is said of what came once, and of what never came', () => {
    expect(ask([page], { a: [2_000] }).a?.because).toBe('it arrived once, and the screen did not change');
    expect(ask([page], { a: [] }).a).toMatchObject({ impact: 'none', because: 'nothing arrived from it' });
  });

  it('is said of a dense stream as well, when nothing changes', () => {
    expect(ask([page], { a: times(1_100, 90, 300) }).a).toMatchObject({ impact: 'none' });
  });

  it('is said of answers with which only a bar of progress comes and goes', () => {
    const arrivals = times(1_500, 2_500, 9);
    const text = { x: 4, y: 20, width: 60, height: 12 };
    const bar = { x: 0, y: 0, width: 40, height: 2 };
    const frames = [
      { at: 0, picture: draw([]) },
      { at: 120, picture: draw([text]) },
      ...arrivals.flatMap((at) => [
        { at: at - 200, picture: draw([text, bar]) },
        { at: at + 300, picture: draw([text]) },
      ]),
    ];
    expect(ask([], { a: arrivals }, stepsIn(frames)).a).toEqual({
      impact: 'none',
      kinds: 'nothing',
      because: 'it arrived 9 times, and the screen changed after none of them, apart from what appeared and left again',
      changedAt: [],
    });
  });

  it('takes no notice of a clock, a carousel or a spinner', () => {
    const moving: readonly Part[] = [
      { place: 1, changesAt: times(1_020, 1_000, 29) },
      { place: 2, changesAt: times(3_000, 5_000, 6) },
      { place: 3, changesAt: times(500, 90, 320) },
    ];
    for (const part of moving) {
      // Not in step with the clock: two clocks that tick together cannot be told apart.
      expect(ask([page, part], { a: times(1_300, 1_370, 20) }).a, JSON.stringify(part)).toMatchObject({
        impact: 'none',
        because:
          'it arrived 20 times, and the screen changed after none of them, without the parts that move by themselves',
      });
    }
  });
});

describe('first-content', () => {
  it('is what one message brings', () => {
    const arrivals = [1_500, ...times(4_000, 3_000, 8)];
    expect(ask([page, { place: 1, changesAt: [1_560] }], { a: arrivals }).a).toEqual({
      impact: 'first-content',
      kinds: 'fills, nothing',
      because: 'it arrived 9 times, and the screen changed after the first, and after none of the 8 that followed',
      changedAt: [1_560],
    });
    expect(ask([page, { place: 1, changesAt: [1_560] }], { a: [1_500] }).a).toMatchObject({ kinds: 'fills' });
  });

  it('is what the first pieces of a stream bring, however many', () => {
    const pieces = times(1_500, 450, 5);
    const beats = times(8_000, 2_000, 10);
    const { a } = ask([page, { place: 1, changesAt: later(40, pieces) }], { a: [...pieces, ...beats] });
    expect(a).toMatchObject({ impact: 'first-content', changedAt: later(40, pieces) });
  });

  it('is the answer of a job that is asked for until it is done', () => {
    const asked = times(1_500, 1_000, 6);
    const { a } = ask([page, { place: 1, changesAt: [6_600] }], { a: asked });
    expect(a).toMatchObject({ impact: 'first-content', changedAt: [6_600] });
  });

  it('gives pieces that came together the change that followed the last of them', () => {
    const { a } = ask([page, { place: 1, changesAt: [1_640] }], { a: [1_500, 1_550, 1_600, 9_000, 15_000] });
    expect(a).toMatchObject({ impact: 'first-content', changedAt: [1_640] });
  });
});

describe('continuous', () => {
  it.each([
    { name: 'a price every second', arrivals: times(1_500, 1_000, 28) },
    { name: 'a headline every eight seconds', arrivals: times(700, 8_000, 4) },
    { name: 'a quote five times a second', arrivals: times(1_500, 200, 140) },
  ])('is $name', ({ arrivals }) => {
    const { a } = ask([page, { place: 1, changesAt: later(40, arrivals) }], { a: arrivals });
    expect(a).toMatchObject({ impact: 'continuous' });
  });

  it('is what changes something with every third message', () => {
    const arrivals = times(1_500, 1_000, 28);
    const changesAt = later(
      60,
      arrivals.filter((_, i) => i % 3 === 0),
    );
    expect(ask([page, { place: 1, changesAt }], { a: arrivals }).a).toMatchObject({ impact: 'continuous' });
  });

  it('is what fades in with every message', () => {
    const arrivals = times(1_500, 3_000, 9);
    const fade = arrivals.flatMap((at) => times(at + 20, 60, 16));
    expect(ask([page, { place: 1, changesAt: fade }], { a: arrivals }).a).toMatchObject({ impact: 'continuous' });
  });

  it('is seen beside something that moves by itself', () => {
    const arrivals = times(1_500, 2_000, 14);
    const parts = [page, { place: 1, changesAt: later(40, arrivals) }, { place: 3, changesAt: times(500, 90, 320) }];
    expect(ask(parts, { a: arrivals }).a).toMatchObject({ impact: 'continuous' });
  });

  it('says what it saw', () => {
    const arrivals = times(1_500, 2_000, 14);
    expect(ask([page, { place: 1, changesAt: later(40, arrivals) }], { a: arrivals }).a?.because).toBe(
      'it arrived 14 times, and the screen kept changing with it: after 14 of them, 14 since the page was complete',
    );
  });
});

describe('unknown', () => {
  it('is what came only together with other responses', () => {
    const { a } = ask([page], { a: [210, 5_000, 9_000] });
    expect(a).toMatchObject({ impact: 'unknown', changedAt: [] });
    expect(a?.because).toContain('together with other responses');
  });

  it('is what came before the film began', () => {
    const { a } = ask([page], { a: [100, 9_000] }, stepsIn(film(page).slice(2)));
    expect(a).toMatchObject({ impact: 'unknown' });
  });

  it('is what came so late that the film ends too soon', () => {
    expect(ask([page], { a: [UNTIL - 100] }).a).toMatchObject({ impact: 'unknown' });
  });

  it('is a dense stream beside a change of any origin', () => {
    const { a } = ask([page, { place: 1, changesAt: [9_000, 14_000] }], { a: times(1_500, 90, 300) });
    expect(a).toMatchObject({ impact: 'unknown' });
    expect(a?.because).toContain('so often');
  });

  it('is one change amid many messages that changed nothing: it may be chance', () => {
    const { a } = ask([page, { place: 1, changesAt: [12_600] }], { a: times(1_500, 1_000, 28) });
    expect(a).toMatchObject({ impact: 'unknown', changedAt: [12_600] });
    expect(a?.because).toContain('chance');
  });

  it('is what cannot be told from changes that come at all times', () => {
    // Text that is typed out: no place changes twice, so that no part is seen to move.
    const letters = Array.from({ length: 60 }, (_, i) => ({
      x: 2 + (i % 12) * 9,
      y: 4 + Math.floor(i / 12) * 14,
      width: 6,
      height: 9,
    }));
    const frames = letters.map((_, i) => ({ at: 1_000 + i * 470, picture: draw(letters.slice(0, i + 1)) }));
    expect(ask([], { a: times(1_500, 1_000, 28) }, stepsIn([{ at: 0, picture: draw([]) }, ...frames])).a?.impact).toBe(
      'unknown',
    );
  });
});

describe('several suspects', () => {
  const ticker = times(1_500, 2_000, 14);
  const tick: Part = { place: 1, changesAt: later(40, ticker) };

  it('are told apart by when they come', () => {
    const answers = ask([page, tick], { ticker, heartbeat: times(2_450, 2_000, 13) });
    expect(answers.ticker?.impact).toBe('continuous');
    expect(answers.heartbeat?.impact).toBe('none');
  });

  it('that both had no effect before are ambiguous when something changes after all', () => {
    const quiet = times(2_000, 3_000, 3);
    const answers = ask([page, { place: 1, changesAt: [15_060] }], {
      a: [...quiet, 15_000],
      b: [...later(1_500, quiet), 15_010],
    });
    expect(Object.values(answers).flatMap(({ changedAt }) => changedAt)).toEqual([]);
  });

  it('say nothing by what came while something else faded in', () => {
    const fade = times(2_020, 60, 16);
    const answers = ask([page, { place: 1, changesAt: fade }], {
      a: [2_000, 9_000, 14_000],
      b: [2_700, 10_000, 15_000],
    });
    expect(answers).toMatchObject({ a: { impact: 'first-content' }, b: { impact: 'unknown' } });
  });

  it('are told apart by what follows promptly, also while the page itself still loads', () => {
    const parts = [
      { place: 0, changesAt: [120, 260, 420] },
      { place: 1, changesAt: [590] },
    ];
    const answers = ask(
      parts,
      { content: [570, 9_000, 15_000], status: [300, 1_300, 2_300] },
      {
        foregroundArrivals: [60, 240, 405],
      },
    );
    expect(answers).toMatchObject({
      content: { impact: 'first-content', changedAt: [590] },
      status: { impact: 'none' },
    });
  });

  it('are ambiguous when they always come together', () => {
    const answers = ask([page, tick], { ticker, twin: later(15, ticker) });
    expect(Object.values(answers).map(({ impact }) => impact)).toEqual(['unknown', 'unknown']);
  });

  it('do not stand in the way of others once they are known to change nothing', () => {
    // The heartbeat is so dense that it is near every change.
    const answers = ask([page, tick], { ticker, heartbeat: times(1_100, 330, 85) });
    expect(answers.ticker?.impact).toBe('continuous');
    expect(answers.heartbeat?.impact).not.toBe('continuous');
    expect(answers.heartbeat?.changedAt).toEqual([]);
  });

  it('may both have brought content', () => {
    const parts = [page, { place: 1, changesAt: [2_050] }, { place: 2, changesAt: [4_050] }];
    const answers = ask(parts, { a: [2_000, 9_000, 12_000], b: [4_000, 10_000, 13_000] });
    expect(answers).toMatchObject({
      a: { impact: 'first-content', changedAt: [2_050] },
      b: { impact: 'first-content', changedAt: [4_050] },
    });
  });

  it('content is not put down to one because the other was quiet afterwards', () => {
    const answers = ask([page, { place: 1, changesAt: [2_050] }], {
      a: [2_000, ...times(6_000, 2_000, 10)],
      b: [2_010, ...times(7_000, 2_000, 10)],
    });
    expect(Object.values(answers).map(({ impact }) => impact)).toEqual(['unknown', 'unknown']);
  });
});

describe('quietSpansOf', () => {
  it('is what is left after everything that came, from completion on', () => {
    const spans = quietSpansOf({
      suspects: [{ endpoint: 'a', arrivals: [2_000, 2_300] }],
      foregroundArrivals: [100, 5_000],
      completeAt: 1_000,
      until: 6_000,
    });
    expect(spans).toEqual([
      { from: 1_400, to: 2_000 },
      { from: 2_700, to: 5_000 },
      { from: 5_400, to: 6_000 },
    ]);
  });
});

describe('binomialTail', () => {
  it('is the upper tail of the binomial distribution', () => {
    expect(binomialTail(0, 5, 0.3)).toBe(1);
    expect(binomialTail(4, 4, 0.4)).toBeCloseTo(0.4 ** 4, 12);
    expect(binomialTail(1, 3, 0.5)).toBeCloseTo(7 / 8, 12);
    expect(binomialTail(1, 3, 0)).toBe(0);
    expect(binomialTail(3, 3, 1)).toBe(1);
    expect(binomialTail(290, 300, 0.5)).toBeLessThan(1e-60);
  });
});

const instants = (max = UNTIL) => fc.array(fc.integer({ min: 1, max }), { maxLength: 14 });

describe('for all films', () => {
  const films = fc.record({
    parts: fc.array(fc.record({ place: fc.integer({ min: 0, max: 3 }), changesAt: instants() }), { maxLength: 3 }),
    suspects: fc.array(instants(), { minLength: 1, maxLength: 4 }),
    foregroundArrivals: instants(2_000),
  });
  const filmOf = ({ parts, suspects, foregroundArrivals }: typeof films extends fc.Arbitrary<infer T> ? T : never) => ({
    ...stepsIn(film(...parts.map((part) => ({ ...part, changesAt: part.changesAt.toSorted((a, b) => a - b) })))),
    suspects: suspects.map((arrivals, i) => ({ endpoint: `s${i}`, arrivals })),
    foregroundArrivals,
    completeAt: 1_000,
    until: UNTIL,
  });

  it('the order of suspects and arrivals does not matter, and nothing is changed', () => {
    fc.assert(
      fc.property(films, (drawn) => {
        const given = filmOf(drawn);
        const before = structuredClone(given);
        const there = readFilm(given).impacts;
        expect(isDeepStrictEqual(given, before)).toBe(true);
        const { impacts: back } = readFilm({
          ...given,
          suspects: given.suspects.toReversed().map((each) => ({ ...each, arrivals: each.arrivals.toReversed() })),
        });
        expect(back.toReversed()).toEqual(there);
      }),
      { numRuns: 40 },
    );
  });

  it('what is put down to a suspect came after its data, and nothing else came then', () => {
    fc.assert(
      fc.property(films, (drawn) => {
        const given = filmOf(drawn);
        const { impacts, changes } = readFilm(given);
        for (const [i, { impact, effects, reason }] of impacts.entries()) {
          const changedAt = changesBy({ effects });
          const arrivals = given.suspects[i]?.arrivals ?? [];
          expect(verdictReasonInWords(reason)).not.toMatch(/^$|undefined|NaN/);
          expect(effects.map(({ arrival }) => arrival)).toEqual(arrivals.toSorted((a, b) => a - b));
          if (impact === 'first-content' || impact === 'continuous') expect(changedAt.length).toBeGreaterThan(0);
          if (impact === 'none') expect(changedAt).toEqual([]);
          for (const at of changedAt) {
            expect(changes.map((change) => change.at)).toContain(at);
            expect(arrivals.some((arrival) => arrival <= at && at - arrival <= 400)).toBe(true);
            // What else came did so well before what this brought, or too long before the change.
            const last = Math.max(...arrivals.filter((arrival) => arrival <= at));
            const mayBeCause = (other: number) => other <= at && other > last - 100 && at - other <= 400;
            expect(given.foregroundArrivals.some(mayBeCause)).toBe(false);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('nothing has an impact when the picture never changes', () => {
    fc.assert(
      fc.property(fc.array(instants(UNTIL - 500), { maxLength: 4 }), instants(), (suspects, foregroundArrivals) => {
        const given = filmOf({ parts: [], suspects, foregroundArrivals });
        const frames = [0, 500, 9_000].map((at) => ({ at, picture: draw([{ x: 5, y: 5, width: 9, height: 9 }]) }));
        for (const { impact } of readFilm({ ...given, ...stepsIn(frames) }).impacts) expect(impact).toBe('none');
      }),
    );
  });
});
