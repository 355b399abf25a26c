import { describe, expect, it } from 'vitest';
import { shardOf } from '../../src/core/shards.ts';
import { stopOf, whyBlocksShort, whyPagesShort } from '../../src/wording/shard-endings.ts';
import { numbered } from '../../src/wording/shard-numbers.ts';
import { machinesOf, rosterOf, type ShardSummary, shareSize } from '../../src/wording/shard-summaries.ts';

const enrolled = (index: number, over: Partial<ShardSummary> & { readonly machine?: string } = {}): ShardSummary => {
  const { machine, ...rest } = over;
  return {
    kind: 'compare',
    tool: { name: 'quiesce', version: '0.1.0' },
    settings: { browserArg: [] },
    startedAt: '2026-03-01T10:00:00.000Z',
    browser: { product: 'Chrome/140' },
    place: { index, of: 4, total: 20, work: 'w', ...(machine !== undefined && { machine }) },
    sources: { base: undefined, candidate: undefined },
    brought: 5,
    rules: '',
    ...rest,
  };
};

describe('a share', () => {
  it('is as large as what is dealt', () => {
    for (const total of [0, 1, 3, 4, 17, 20]) {
      const all = Array.from({ length: total }, (_, i) => i);
      for (let of = 1; of <= 6; of += 1) {
        for (let index = 1; index <= of; index += 1) {
          expect(shareSize({ index, of }, total)).toBe(shardOf(all, { index, of }).length);
        }
      }
    }
  });
});

describe('machines', () => {
  it('are told apart by their names', () => {
    const machines = machinesOf([
      enrolled(1, { machine: 'a' }),
      enrolled(2, { machine: 'b' }),
      enrolled(3, { machine: 'a' }),
    ]);
    expect(machines).toEqual([1, 2, 1]);
  });

  it('without a name are each one of its own', () => {
    expect(machinesOf([enrolled(1), enrolled(2), enrolled(3, { machine: 'a' })])).toEqual([1, 2, 3]);
  });

  it('count as another where pages were judged by other rules: such figures must not be compared', () => {
    const shards = [
      enrolled(1, { machine: 'a', rules: 'x' }),
      enrolled(2, { machine: 'a', rules: 'y' }),
      enrolled(3, { machine: 'a', rules: 'x' }),
    ];
    expect(machinesOf(shards)).toEqual([1, 2, 1]);
    // It is one machine all the same.
    expect(rosterOf(shards, 'block', [])).toMatchObject({ machines: 1, shards: [{ machine: 1 }, { machine: 2 }, {}] });
  });
});

describe('what was joined', () => {
  const all = [1, 2, 3, 4].map((index) => enrolled(index, { machine: `m${index}` }));

  it('is told in a sentence', () => {
    expect(rosterOf(all, 'block', []).sentence).toBe('Joined from 4 shards on 4 machines.');
    expect(rosterOf(all.slice(0, 3), 'block', [])).toMatchObject({
      missing: [4],
      sentence: 'Joined from 3 of 4 shards on 3 machines: shard 4 is missing, so 15 of 20 blocks are there.',
    });
    const short = enrolled(2, { machine: 'm2', brought: 2, interrupted: true });
    const [first, , third] = all;
    if (!first || !third) throw new Error('there are four');
    expect(rosterOf([first, short, third], 'page', []).sentence).toBe(
      'Joined from 3 of 4 shards on 3 machines: shard 4 is missing, shard 2 was stopped early with 2 of its 5 pages, so 12 of 20 pages are there.',
    );
  });

  it('does not claim to know machines without a name', () => {
    expect(
      rosterOf(
        [1, 2, 3, 4].map((index) => enrolled(index)),
        'block',
        [],
      ).sentence,
    ).toBe('Joined from 4 shards on up to 4 machines.');
  });

  it('warns of comparing pages across machines', () => {
    const warning = expect.stringMatching(/^Not all pages were measured on one machine/);
    expect(rosterOf(all, 'page', []).notes).toEqual([warning]);
    expect(rosterOf(all, 'block', []).notes).toEqual([]);
    const alone = all.map((shard) => ({ ...shard, brought: shard.place.index === 1 ? 5 : 0 }));
    expect(rosterOf(alone, 'page', []).notes).toEqual([]);
    expect(rosterOf([enrolled(1), enrolled(2)], 'page', []).notes[0]).toMatch(/^It is not known whether/);
  });

  it('is told shortly, however many are missing', () => {
    const alone = enrolled(1, { place: { index: 1, of: 10_000, total: 20_000, work: 'w' } });
    expect(rosterOf([alone], 'page', []).sentence).toBe(
      'Joined from 1 of 10,000 shards on one machine: shards 2 to 10000 are missing, so 5 of 20,000 pages are there.',
    );
    const odd = Array.from({ length: 5_000 }, (_, i) => 2 * i + 1);
    expect(numbered(odd)).toBe('shards 1, 3, 5, 7, 9, 11, 13, 15 and 4,992 more');
  });

  it('says where shards were not alike', () => {
    const notes = rosterOf(
      [
        enrolled(1, { sources: { base: undefined, candidate: { commit: 'abc' } } }),
        enrolled(2, {
          browser: { product: 'Chrome/141' },
          sources: { base: undefined, candidate: { commit: 'abc', modified: true } },
        }),
        enrolled(3, {
          settings: { browserArg: ['--disable-gpu'] },
          sources: { base: undefined, candidate: { commit: 'abc' } },
        }),
        enrolled(4, {
          startedAt: '2026-03-03T10:00:00.000Z',
          sources: { base: undefined, candidate: { commit: 'abc' } },
        }),
      ],
      'block',
      [{ code: 'no-inventories', shards: [1] }],
    ).notes;
    expect(notes).toEqual([
      'Changes other than times are reported without shard 1, because there is no shard.json next to the result.',
      'The shards ran in different browsers: Chrome/140 (shards 1, 3 and 4), Chrome/141 (shard 2).',
      'The browsers were given different arguments: none (shards 1, 2 and 4), --disable-gpu (shard 3).',
      'The state of the source of the candidate was not the same, or not known: as committed (shards 1, 3 and 4), with changes that are not committed (shard 2).',
      'The first and the last shard started 48 hours apart.',
    ]);
  });
});

describe('numbers of shards', () => {
  it.each([
    [[3], 'shard 3'],
    [[1, 2], 'shards 1 and 2'],
    [[1, 2, 3, 7], 'shards 1 to 3 and 7'],
    [[1, 3, 4, 9, 10, 11], 'shards 1, 3, 4 and 9 to 11'],
  ])('%j', (numbers, words) => expect(numbered(numbers)).toBe(words));
});

describe('why it ended', () => {
  const share = (index: number) => ({ index, reason: 'share' }) as const;

  it('is the plan when all shards did their shares', () => {
    expect(stopOf([share(1), share(2)], [], 20, 20)).toMatchObject({ stoppedBecause: 'max-pairs' });
  });

  it('is what is missing', () => {
    expect(stopOf([share(1)], [2], 10, 20)).toEqual({
      stoppedBecause: 'shards-missing',
      stoppedSentence: 'Ended after 10 of 20 pairs of loads: the others belong to the missing shards.',
    });
    expect(stopOf([share(1), { index: 2, reason: 'interrupted' }], [3], 12, 30).stoppedSentence).toBe(
      'Ended after 12 of 30 pairs of loads: shard 3 is missing, and shard 2 did not finish its share.',
    );
  });

  it('is the common reason when all shards have the same', () => {
    const failing = [1, 2].map((index) => ({ index, reason: 'too-many-failures' }) as const);
    expect(stopOf(failing, [], 4, 20)).toMatchObject({ stoppedBecause: 'too-many-failures' });
    expect(stopOf([...failing, share(3)], [], 14, 30)).toMatchObject({ stoppedBecause: 'shards-missing' });
  });

  it('is told of each shard that came short', () => {
    expect(whyBlocksShort('share', 5, 5)).toBeUndefined();
    expect(whyBlocksShort('interrupted', 2, 5)).toBe('was stopped early with 2 of its 5 blocks');
    expect(whyBlocksShort('not-measurable', 0, 5)).toBe('could not measure both builds');
    expect(whyPagesShort(false, 5, 5)).toBeUndefined();
    expect(whyPagesShort(true, 5, 5)).toBe('was stopped early, so runs are missing');
    expect(whyPagesShort(false, 3, 5)).toBe('measured 3 of its 5 pages');
  });
});
