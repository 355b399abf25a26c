import { describe, expect, it } from 'vitest';
import { OWN_OPTIONS, type ShardHeader, shardMismatch } from '../../../src/core/merge/shard-mismatch.ts';

const header = (over: Partial<ShardHeader> = {}): ShardHeader => ({
  kind: 'audit',
  tool: { name: 'quiesce', version: '0.1.0' },
  settings: { targets: ['https://a.test/'], runs: 5, background: [], block: ['x'], shard: '1/2', out: 'a' },
  startedAt: '2026-03-01T10:00:00.000Z',
  browser: { product: 'Chrome/140' },
  place: { index: 1, of: 2, total: 10, work: 'abc' },
  sources: { pages: { commit: '0123456789abcdef0123456789abcdef01234567' } },
  ...over,
});
const set = (settings: Readonly<Record<string, unknown>>) =>
  header({ settings: { ...header().settings, ...settings } });

describe('shards of one job', () => {
  it('differ in what is their own', () => {
    const own = Object.fromEntries([...OWN_OPTIONS].map((name) => [name, `another ${name}`]));
    expect(shardMismatch(header(), set(own))).toBeUndefined();
    expect(shardMismatch(header(), header({ browser: { product: 'Chrome/141' } }))).toBeUndefined();
  });

  it('may name a commit shortly, or not at all', () => {
    expect(shardMismatch(header(), header({ sources: { pages: { commit: '0123456' } } }))).toBeUndefined();
    expect(shardMismatch(header(), header({ sources: { pages: undefined } }))).toBeUndefined();
  });

  it('have options in any order', () => {
    const [a, b] = [set({ pages: [{ url: 'x', runs: 3 }] }), set({ pages: [{ runs: 3, url: 'x' }] })];
    expect(shardMismatch(a, b)).toBeUndefined();
  });
});

describe('shards of two jobs', () => {
  it.each<[string, ShardHeader, string, ShardHeader?]>([
    ['kind', header({ kind: 'compare' }), 'one is of an audit, the other of a comparison'],
    [
      'version',
      header({ tool: { name: 'quiesce', version: '0.2.0' } }),
      'one was measured with Quiesce 0.1.0, the other with 0.2.0',
    ],
    ['number', header({ place: { index: 2, of: 3, total: 10, work: 'abc' } }), 'one is of 2 shards, the other of 3'],
    ['option', set({ runs: 7 }), 'runs is 5 in one and 7 in the other'],
    ['option that one has', set({ network: '4g' }), 'network is not set in one and "4g" in the other'],
    [
      'commit',
      header({ sources: { pages: { commit: 'fedcba9876543210' } } }),
      'the pages of one are of commit 0123456, of the other of fedcba9',
    ],
    ['list', header({ place: { index: 2, of: 2, total: 10, work: 'xyz' } }), 'they share different lists of pages'],
    [
      'build',
      header({ sources: { base: { commit: 'fedcba9876543210' } } }),
      'the base of one is of commit 0123456, of the other of fedcba9',
      header({ sources: { base: { commit: '0123456789' } } }),
    ],
    [
      'plan',
      header({ kind: 'compare', place: { index: 2, of: 2, total: 10, work: 'xyz' } }),
      'they share different plans of loads',
      header({ kind: 'compare' }),
    ],
  ])('are told by their %s', (_, other, why, one = header()) => expect(shardMismatch(one, other)).toBe(why));

  it('are told in a line of bearable length', () => {
    const why = shardMismatch(header(), set({ background: ['x'.repeat(10_000)] }));
    expect(why).toMatch(/^background is \[\] in one and \["x{50,}… in the other$/);
    expect(why?.length).toBeLessThan(150);
  });
});
