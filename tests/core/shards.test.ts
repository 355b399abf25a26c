import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownShard, parseShard, shardIn, shardOf, shareSize } from '../../src/core/shards.ts';

/** The share of a machine where this was typed. */
function typedIn(typed: string | undefined, env: Readonly<Record<string, string>>): KnownShard {
  if (typed === undefined) return shardIn(undefined, env);
  const parsed = parseShard(typed);
  return 'problem' in parsed ? parsed : shardIn(parsed.value, env);
}

describe('a share as typed', () => {
  it.each([
    ['2/4', { index: 2, of: 4 }],
    ['4/4', { index: 4, of: 4 }],
    ['10000/10000', { index: 10_000, of: 10_000 }],
  ])('%s is one', (typed, shard) => {
    expect(typedIn(typed, {})).toEqual({ shard });
  });

  it('of one is all the work', () => {
    expect(typedIn('1/1', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' })).toEqual({});
  });

  it.each([
    ...['0/4', '5/4'].map((typed) => [typed, 'must be one of 1/4 to 4/4: shards are counted from 1'] as const),
    ...['2/0', 'auto/0'].map((typed) => [typed, 'must be of 1 to 10000 shards, not of 0'] as const),
    ['1/20000', 'must be of 1 to 10000 shards, not of 20000'] as const,
    ...['4', '/4', '2/', '-1/4', '2/4/6', 'a/b', '1.5/4', '', 'AUTO'].map(
      (typed) => [typed, 'must be a share such as 2/4 (the second of four), or auto, or auto/4'] as const,
    ),
  ])('"%s" is none', (typed, problem) => {
    expect(parseShard(typed)).toEqual({ problem });
  });
});

describe('a share that the surroundings know', () => {
  const gitlab = { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' };
  const kubernetes = { JOB_COMPLETION_INDEX: '0' };

  it("is taken of GitLab's parallel jobs, which count from 1, and is told", () => {
    expect(typedIn(undefined, gitlab)).toEqual({
      shard: { index: 2, of: 4 },
      from: 'CI_NODE_INDEX',
    });
    expect(typedIn('auto', gitlab).shard).toEqual({ index: 2, of: 4 });
  });

  it("is taken of Kubernetes' indexed jobs, which count from 0, once somebody says how many there are", () => {
    expect(typedIn('auto/4', kubernetes).shard).toEqual({ index: 1, of: 4 });
    expect(typedIn('auto/4', { JOB_COMPLETION_INDEX: '3' }).shard).toEqual({ index: 4, of: 4 });
    expect(typedIn('auto', kubernetes).problem).toEqual(
      'JOB_COMPLETION_INDEX does not say how many shards there are: use auto/<n>',
    );
    // Such a job may be there for something else.
    expect(typedIn(undefined, kubernetes)).toEqual({});
  });

  it('is not taken where something was typed, or where there is only one', () => {
    expect(typedIn('1/2', gitlab).shard).toEqual({ index: 1, of: 2 });
    expect(typedIn(undefined, { CI_NODE_TOTAL: '1' })).toEqual({});
    expect(typedIn(undefined, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '1' })).toEqual({});
    expect(typedIn(undefined, {})).toEqual({});
  });

  it('is missed where it was asked for and nobody knows it, or where it cannot be', () => {
    const unknown = 'nothing here says which share this is (JOB_COMPLETION_INDEX, CI_NODE_INDEX): name it, as in 2/4';
    expect(typedIn('auto', {})).toEqual({ problem: unknown });
    expect(typedIn('auto/4', {})).toEqual({ problem: unknown });
    expect(typedIn('auto/4', { JOB_COMPLETION_INDEX: '4' }).problem).toEqual(
      'there are 4, but JOB_COMPLETION_INDEX says this is number 5',
    );
    expect(typedIn('auto', { CI_NODE_INDEX: 'x', CI_NODE_TOTAL: '4' }).problem).toBeDefined();
  });

  it.each(['0', '-1', 'x', '1e1'])('is refused, and not all of the work done, where CI_NODE_INDEX is %s', (index) => {
    for (const typed of [undefined, 'auto', 'auto/4']) {
      const { shard, problem } = typedIn(typed, { CI_NODE_INDEX: index, CI_NODE_TOTAL: '4' });
      expect([shard, problem]).toEqual([
        undefined,
        'CI_NODE_INDEX must be a number from 1 to 4, as CI_NODE_TOTAL has it, and is not: name the share, as in 2/4, or 1/1 for all the work',
      ]);
    }
    expect(typedIn('2/4', { CI_NODE_INDEX: index, CI_NODE_TOTAL: '4' }).shard).toEqual({ index: 2, of: 4 });
  });

  it('is refused where its number cannot be merged, or two say another', () => {
    expect(typedIn(undefined, { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '99999' }).problem).toEqual(
      'must be of 1 to 10000 shards, not of 99999',
    );
    expect(typedIn('auto/4', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '8' }).problem).toEqual(
      'there are 4 as typed, and 8 as CI_NODE_TOTAL says: name the share, as in 2/4',
    );
    expect(typedIn('auto/4', gitlab).shard).toEqual({ index: 2, of: 4 });
  });
});

it('deals everything, each thing once, in shares that differ by one at most', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: 1, max: 12 }), (length, of) => {
      const all = Array.from({ length }, (_, i) => i);
      const shares = Array.from({ length: of }, (_, i) => shardOf(all, { index: i + 1, of }));
      expect(shares.flat().toSorted((a, b) => a - b)).toEqual(all);
      const sizes = shares.map((share) => share.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
  expect(shardOf([1, 2, 3], undefined)).toEqual([1, 2, 3]);
});

it('knows how much falls to each shard', () => {
  for (const total of [0, 1, 3, 4, 17, 20]) {
    const all = Array.from({ length: total }, (_, i) => i);
    for (let of = 1; of <= 6; of += 1) {
      for (let index = 1; index <= of; index += 1) {
        expect(shareSize({ index, of }, total)).toBe(shardOf(all, { index, of }).length);
      }
    }
  }
});
