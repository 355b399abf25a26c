import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinProfiles, readCodeProfile } from '../../../src/core/main-thread/code-profile.ts';

const URL = 'https://shop.test/app.js';
const ZERO = 2_000_000;

/** A profile that looks once a millisecond: what runs, for how many ms. */
function profileOf(ran: readonly (readonly [name: string, ms: number])[]): unknown {
  const frame = (functionName: string, url: string, lineNumber: number) => ({
    functionName,
    url,
    lineNumber,
    columnNumber: 4,
  });
  const nodes = [
    { id: 1, callFrame: frame('(root)', '', -1), children: [2, 5, 6] },
    { id: 2, callFrame: frame('start', URL, 0), children: [3] },
    { id: 3, callFrame: frame('draw', URL, 9), children: [4] },
    // What the browser does itself is done for whoever called it.
    { id: 4, callFrame: frame('get offsetHeight', '', -1) },
    { id: 5, callFrame: frame('(garbage collector)', '', -1) },
    { id: 6, callFrame: frame('(idle)', '', -1) },
  ];
  const ids: Readonly<Record<string, number>> = { start: 2, draw: 3, layout: 4, garbage: 5, idle: 6 };
  const samples = ran.flatMap(([name, ms]) => Array.from({ length: ms }, () => ids[name]));
  return {
    nodes,
    startTime: ZERO,
    endTime: ZERO + samples.length * 1000,
    samples,
    timeDeltas: samples.map(() => 1000),
  };
}

/** Of what ran between two idle samples. */
const read = (ran: Parameters<typeof profileOf>[0], until = 1_000) =>
  readCodeProfile(
    { profile: profileOf([['idle', 1], ...ran, ['idle', 1]]), zero: ZERO },
    { until, pageUrl: 'https://shop.test/' },
  );

describe('readCodeProfile', () => {
  it('gives each function its own time and that of what it called, garbage to nobody', () => {
    const [script] = read([
      ['idle', 20],
      ['start', 10],
      ['draw', 30],
      ['garbage', 15],
      ['layout', 20],
      ['idle', 5],
    ]);
    expect(script?.url).toBe(URL);
    expect(script?.functions).toMatchObject([
      { name: 'draw', line: 10, column: 5, ms: 50, withCalled: 50 },
      { name: 'start', line: 1, column: 5, ms: 10, withCalled: 60 },
    ]);
  });

  it('leaves out what ran after page complete', () => {
    const [script] = read(
      [
        ['start', 10],
        ['draw', 100],
      ],
      61.5,
    );
    expect(script?.functions.map(({ name, ms }) => [name, Math.round(ms)])).toEqual([
      ['draw', 50],
      ['start', 10],
    ]);
  });

  it('survives whatever stands in a profile', () => {
    fc.assert(
      fc.property(fc.anything(), fc.nat(2_000), (profile, until) => {
        const scripts = readCodeProfile({ profile, zero: 0 }, { until, pageUrl: URL });
        expect(scripts.every(({ ms }) => ms > 0)).toBe(true);
      }),
    );
  });
});

describe('joinProfiles', () => {
  it('has 0 for a load in which a function was not seen, and leaves out what hardly was', () => {
    const joined = joinProfiles([read([['start', 4]]), read([['draw', 12]])]);
    expect(joined.loads).toBe(2);
    expect(joined.scripts).toMatchObject([
      {
        url: URL,
        ms: [4, 12],
        functions: [
          { name: 'start', ms: [4, 0], withCalled: [4, 12] },
          { name: 'draw', ms: [0, 12], withCalled: [0, 12] },
        ],
      },
    ]);
    const rare = joinProfiles([read([['draw', 1]]), read([['start', 9]]), read([['start', 9]])]);
    expect(rare.scripts[0]?.functions.map(({ name }) => name)).toEqual(['start']);
  });
});
