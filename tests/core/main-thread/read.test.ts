import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { type Call, OWN, page, SCOPE, type Traced, traceOf, VENDOR, type Work } from '../../support/traced.ts';

const read = (traced: Traced, until = 1_000) => readMainThread(traceOf(traced), { ...SCOPE, until });

const sum = (times: readonly number[]): number => times.reduce((total, each) => total + each, 0);

describe('readMainThread', () => {
  it('names script, function and position, and gives each its own time', () => {
    const found = read({
      tasks: [{ at: 100, ms: 60, inside: [{ name: 'EvaluateScript', at: 101, ms: 55, url: VENDOR }] }],
      calls: [
        { from: 101, to: 106, stack: [['start', VENDOR, 9]] },
        {
          from: 106,
          to: 156,
          stack: [
            ['start', VENDOR, 9],
            ['renderWidget', VENDOR, 2],
          ],
        },
      ],
    });
    expect(found?.ms).toBe(60);
    expect(found?.byCategory).toEqual({ scriptEvaluation: 55, other: 5 });
    expect(found?.noScript).toEqual({ ms: 5, byCategory: { other: 5 } });
    const [script] = found?.byScript ?? [];
    expect(script).toMatchObject({ url: VENDOR, party: 'vendor.test', thirdParty: true, ms: 55 });
    expect(script?.functions.map(({ name, line, column }) => [name, line, column])).toEqual([
      ['renderWidget', 2, 1],
      ['start', 9, 1],
    ]);
    expect(script?.functions[0]?.ms).toBeCloseTo(50, 0);
    expect(script?.functions[1]?.withCalled).toBeCloseTo(55, 0);
    expect(found?.longTasks).toEqual([
      {
        at: 100,
        duration: 60,
        category: 'scriptEvaluation',
        url: VENDOR,
        scriptMs: 55,
        function: { name: 'renderWidget', line: 2, column: 1 },
      },
    ]);
  });

  it('tells for the critical path who worked when, without what took less than 5 ms', () => {
    const found = read({
      tasks: [
        {
          at: 100,
          ms: 90,
          inside: [
            { name: 'EvaluateScript', at: 101, ms: 50, url: VENDOR },
            { name: 'EvaluateScript', at: 151, ms: 4, url: OWN },
            { name: 'UpdateLayoutTree', at: 155, ms: 33 },
          ],
        },
        { at: 300, ms: 12, inside: [{ name: 'EvaluateScript', at: 301, ms: 11, url: OWN }] },
      ],
      calls: [
        { from: 101, to: 151, stack: [['renderWidget', VENDOR, 2]] },
        { from: 301, to: 312, stack: [['start', OWN, 7]] },
      ],
    });
    expect(found?.work.map(({ category, place }) => [category, place?.url, place?.line, place?.function])).toEqual([
      ['scriptEvaluation', VENDOR, 2, 'renderWidget'],
      ['styleLayout', undefined, undefined, undefined],
      ['scriptEvaluation', OWN, 7, 'start'],
    ]);
    for (const { at, until, ms } of found?.work ?? []) expect(ms).toBeLessThanOrEqual(until - at);
    expect(found?.work[1]).toMatchObject({ at: 155, until: 188, ms: 33 });
  });

  it('gives a forced layout to the function that asked for it', () => {
    const layouts = Array.from({ length: 20 }, (_, i) => ({ name: 'Layout', at: 12 + 3 * i, ms: 2 }));
    const found = read({
      tasks: [{ at: 10, ms: 80, inside: [{ name: 'FunctionCall', at: 11, ms: 70, url: OWN, inside: layouts }] }],
      calls: [{ from: 11, to: 81, stack: [['measure', OWN, 3]] }],
    });
    expect(found?.forcedLayouts).toEqual({
      count: 20,
      ms: 40,
      place: { url: OWN, name: 'measure', line: 3, column: 1 },
    });
    expect(found?.byScript[0]?.byCategory).toEqual({ styleLayout: 40, scriptEvaluation: 30 });
  });

  it('does not call the layout of a frame forced', () => {
    const found = read({ tasks: [{ at: 10, ms: 20, inside: [{ name: 'Layout', at: 11, ms: 15 }] }] });
    expect(found?.forcedLayouts).toBeUndefined();
    expect(found?.byCategory).toEqual({ styleLayout: 15, other: 5 });
  });

  it('finds a style recalculation and a piece of a document that took long', () => {
    const found = read({
      tasks: [
        { at: 0, ms: 90, inside: [{ name: 'UpdateLayoutTree', at: 1, ms: 80, args: { elementCount: 4000 } }] },
        {
          at: 100,
          ms: 120,
          inside: [
            {
              name: 'ParseHTML',
              at: 100,
              ms: 110,
              args: { beginData: { url: OWN, startLine: 4 }, endData: { endLine: 9000 } },
              inside: [{ name: 'EvaluateScript', at: 150, ms: 30, url: OWN }],
            },
          ],
        },
      ],
    });
    expect(found?.longStyles).toEqual([{ at: 1, duration: 80, elements: 4000 }]);
    expect(found?.longParses).toEqual([{ at: 100, duration: 80, url: OWN, lines: 8996 }]);
  });

  it('does not call work long that waited for a processor', () => {
    const style = { name: 'UpdateLayoutTree', at: 1, ms: 80, onProcessor: 20 };
    expect(read({ tasks: [{ at: 0, ms: 90, inside: [style] }] })).not.toHaveProperty('longStyles');
  });

  it('counts nothing after page complete, and cuts what lasts longer', () => {
    const traced: Traced = {
      tasks: [
        { at: 40, ms: 20, inside: [{ name: 'Paint', at: 40, ms: 20 }] },
        { at: 100, ms: 10 },
      ],
    };
    expect(read(traced, 50)).toMatchObject({ ms: 10, byCategory: { paint: 10 } });
  });

  it('keeps frames of other processes and workers apart', () => {
    const found = read({
      tasks: [{ at: 0, ms: 5 }],
      elsewhere: [
        { kind: 'frame', url: 'https://ads.test/frame', at: 0, ms: 30 },
        { kind: 'worker', url: 'https://shop.test/worker.js', at: 0, ms: 70 },
      ],
    });
    expect(found?.ms).toBe(5);
    expect(found?.elsewhere).toEqual([
      { kind: 'worker', url: 'https://shop.test/worker.js', ms: 70, byCategory: { other: 70 } },
      { kind: 'frame', url: 'https://ads.test/frame', ms: 30, byCategory: { other: 30 } },
    ]);
  });

  it('goes by the events where the profile says nothing', () => {
    const found = read({
      tasks: [{ at: 0, ms: 20, inside: [{ name: 'FunctionCall', at: 0, ms: 20, url: VENDOR, args: page('tick', 7) }] }],
    });
    expect(found?.byScript[0]).toMatchObject({ url: VENDOR, ms: 20, functions: [{ name: 'tick', line: 7, ms: 20 }] });
  });

  it('is undefined for a trace without the page', () => {
    expect(readMainThread([], { ...SCOPE, until: 100 })).toBeUndefined();
    expect(readMainThread([null, 1, 'x', {}, { ph: 'X', ts: 'NaN' }], { ...SCOPE, until: 100 })).toBeUndefined();
  });
});

const NAMES = [
  'Layout',
  'UpdateLayoutTree',
  'Paint',
  'FunctionCall',
  'EvaluateScript',
  'v8.compile',
  'MinorGC',
  'ParseHTML',
  'Unknown',
];
const microseconds = (max: number) => fc.integer({ min: 0, max }).map((each) => each / 1000);
const work = (inside: fc.Arbitrary<readonly Work[]>): fc.Arbitrary<Work> =>
  fc.record({
    name: fc.constantFrom(...NAMES),
    at: microseconds(400_000),
    ms: microseconds(200_000),
    url: fc.constantFrom(OWN, VENDOR, ''),
    inside,
  });
const some = (of: fc.Arbitrary<Work>) => fc.array(of, { maxLength: 4 });
const event = work(some(work(some(work(fc.constant([]))))));
const call: fc.Arbitrary<Call> = fc.record({
  from: microseconds(400_000),
  to: microseconds(400_000),
  stack: fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(OWN, VENDOR, ''), fc.integer({ min: 1, max: 9 })),
    { maxLength: 4 },
  ),
});

describe('the parts', () => {
  it('add up to the whole, whatever is in the trace', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 8 }),
        fc.array(call, { maxLength: 8 }),
        microseconds(500_000),
        (tasks, calls, until) => {
          const found = read({ tasks, calls }, until);
          if (!found) return;
          const { ms, byCategory, byScript, noScript, otherScripts, byParty } = found;
          expect(ms).toBeLessThanOrEqual(until + 1e-6);
          expect(sum(Object.values(byCategory))).toBeCloseTo(ms, 6);
          const ofScripts = sum(byScript.map((script) => script.ms)) + (otherScripts?.ms ?? 0);
          expect(ofScripts + noScript.ms).toBeCloseTo(ms, 6);
          expect(sum(byParty.map((party) => party.ms))).toBeCloseTo(ofScripts, 6);
          for (const script of byScript) {
            expect(sum(Object.values(script.byCategory))).toBeCloseTo(script.ms, 6);
            expect(sum(script.functions.map((each) => each.ms)) + script.restMs).toBeCloseTo(script.ms, 6);
            for (const each of script.functions) expect(each.withCalled).toBeGreaterThanOrEqual(each.ms - 1e-6);
          }
        },
      ),
    );
  });
});
