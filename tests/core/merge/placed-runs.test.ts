import { describe, expect, it } from 'vitest';
import { joinRuns, rulesOf, shardRunsProblem } from '../../../src/core/merge/placed-runs.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { BackgroundEndpoint, RunResult, TargetResult } from '../../../src/model/result/result.ts';

type Run = Partial<RunResult>;

const target = (url: string, runs: readonly Run[], background: readonly Partial<BackgroundEndpoint>[] = []) =>
  ({
    target: './site',
    url,
    runs: runs.map((run, i) => ({ index: i + 1, role: 'timed', ok: true, ...run })),
    summary: {},
    background,
  }) as unknown as TargetResult;

/** Blocks of four, base first. */
const result = (blocks: readonly number[], url = 'http://127.0.0.1:4001/', over: Run = {}) => {
  const runs = (build: 'base' | 'candidate') =>
    blocks.flatMap((block) =>
      [0, 1].map((nth) => ({ build, block, order: (build === 'base' ? 0 : 2) + nth, ...over })),
    );
  return { base: target(url, runs('base')), candidate: target(url, runs('candidate')) } as unknown as CompareResult;
};

const shard = (index: number, of: number, blocks: readonly number[], url?: string, over?: Run) => ({
  index,
  of,
  machine: index,
  result: result(blocks, url, over),
});

describe('the runs of shards', () => {
  it('are numbered anew in the order of their blocks, and say where they were loaded', () => {
    const shards = [shard(1, 2, [1, 3]), shard(2, 2, [2, 4])];
    const [first] = shards;
    if (!first) throw new Error('there are two');
    const { timed } = joinRuns(shards, first);
    const base = timed.filter(({ run }) => run.build === 'base');
    expect(base.map(({ run }) => [run.index, run.block, run.shard, run.machine])).toEqual([
      [1, 1, 1, 1],
      [2, 1, 1, 1],
      [3, 2, 2, 2],
      [4, 2, 2, 2],
      [5, 3, 1, 1],
      [6, 3, 1, 1],
      [7, 4, 2, 2],
      [8, 4, 2, 2],
    ]);
    expect(base.map(({ before }) => before)).toEqual([1, 2, 1, 2, 3, 4, 3, 4]);
  });

  it('speak of one address, wherever a shard had served the pages', () => {
    const findings = [{ code: 'x', message: 'http://127.0.0.1:4002/api', urls: ['http://127.0.0.1:4002/api'] }];
    const home = shard(1, 2, [1]);
    const other = shard(2, 2, [2], 'http://127.0.0.1:4002/', { findings });
    const { timed } = joinRuns([home, other], home);
    const texts = JSON.stringify(timed.map(({ run }) => run));
    expect(texts).not.toContain('4002');
    expect(texts).toContain('http://127.0.0.1:4001/api');
  });

  it('are refused when no such shard could have loaded them', () => {
    expect(shardRunsProblem(shard(1, 2, [1, 3]), 2)).toBeUndefined();
    expect(shardRunsProblem(shard(1, 2, [1, 3, 5]), 2)).toBe('it has 3 blocks, and its share is 2');
    expect(shardRunsProblem(shard(1, 2, [2]), 2)).toBe('block 2 is not one of shard 1 of 2');
    expect(shardRunsProblem(shard(1, 2, [1.5]), 2)).toMatch(/block 1.5/);
    expect(shardRunsProblem(shard(1, 2, [-1]), 2)).toMatch(/block -1/);
    expect(shardRunsProblem(shard(1, 2, [1], undefined, { build: 'base' }), 2)).toMatch(/no place in a block/);
    const half = shard(1, 2, [1]);
    const runs = half.result.base.runs.slice(0, 1);
    const broken = { ...half, result: { ...half.result, base: { ...half.result.base, runs } } };
    expect(shardRunsProblem(broken, 2)).toBe('a block of it is not two loads of each build');
  });

  it('may be of more blocks than were planned: those that failed were made up for', () => {
    const one = shard(1, 2, [1, 3, 5]);
    const runs = (build: 'base' | 'candidate') =>
      one.result[build].runs.map((run) => (run.block === 3 ? { ...run, excluded: 'failed' } : run));
    const result = {
      ...one.result,
      base: { ...one.result.base, runs: runs('base') },
      candidate: { ...one.result.candidate, runs: runs('candidate') },
    };
    expect(shardRunsProblem({ ...one, result }, 2)).toBeUndefined();
  });
});

describe('the rules by which a shard was judged', () => {
  const ruled = (url: string, endpoint: string, excluded = true, kind = 'poll') =>
    rulesOf({
      base: target(url, [], [{ kind, endpoint, excluded } as Partial<BackgroundEndpoint>]),
      candidate: target(url, []),
    } as unknown as CompareResult);
  const plain = ruled('http://127.0.0.1:1/', 'GET http://127.0.0.1:1/api');

  it('do not depend on where the page was served', () => {
    expect(ruled('http://127.0.0.1:2/', 'GET http://127.0.0.1:2/api')).toBe(plain);
  });

  it('are what was left out', () => {
    expect(ruled('http://127.0.0.1:1/', 'GET http://127.0.0.1:1/other')).not.toBe(plain);
    expect(ruled('http://127.0.0.1:1/', 'GET http://127.0.0.1:1/api', false)).not.toBe(plain);
    const nothing = ruled('http://127.0.0.1:1/', 'GET http://127.0.0.1:1/favicon.ico', true, 'browser-internal');
    expect(nothing).toBe(ruled('http://127.0.0.1:1/', 'x', false));
  });
});
