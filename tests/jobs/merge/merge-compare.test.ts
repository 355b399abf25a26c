import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/core/experiment/evaluate.ts';
import { metrics, metricTitle } from '../../../src/core/metrics/index.ts';
import type { CompareResult, PlacedRun } from '../../../src/model/comparison.ts';
import type { Progress } from '../../../src/model/progress.ts';
import type { CompareReport } from '../../../src/model/report.ts';
import type { RunResult } from '../../../src/model/result.ts';
import { withSentences } from '../../../src/wording/comparison.ts';
import { merge, report, trend } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { ORIGIN } from '../../support/scripted.ts';
import { auditedShard, BASE, CANDIDATE, comparedShard, loadedBy, rewrite, storedIn } from '../../support/shards.ts';

const SHARDS = ['1/4', '2/4', '3/4', '4/4'];

/** Four shards of a comparison, loaded once; each test has copies. */
let made: string;
let folder: string;
beforeAll(async () => {
  made = await mkdtemp(path.join(os.tmpdir(), 'quiesce-shards-'));
  for (const shard of SHARDS) await comparedShard(path.join(made, `shard-${shard[0]}`), shard);
});
afterAll(() => rm(made, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-merge-'));
  await cp(made, at('shards'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...names: readonly string[]) => path.join(folder, ...names);
const shardAt = (index: number) => at('shards', `shard-${index}`);
const joined = async (
  dirs: readonly string[] = [at('shards')],
  format: readonly ('html' | 'json' | 'md')[] = ['json'],
) => {
  const outcome = await merge({ dirs, out: at('merged'), format });
  return { ...outcome, stored: await storedIn<CompareResult>(at('merged')) };
};
const placed = ({ base, candidate }: CompareResult) =>
  [...base.runs, ...candidate.runs].filter(({ role }) => role === 'timed') as readonly PlacedRun[];
const named = (names: Readonly<Record<number, string | undefined>>) =>
  Promise.all(
    Object.entries(names).map(([index, machine]) =>
      rewrite<CompareResult>(shardAt(Number(index)), ({ shard, ...rest }) => {
        const { machine: _, ...place } = shard ?? {};
        return { ...rest, shard: { ...place, ...(machine !== undefined && { machine }) } };
      }),
    ),
  );

describe('shards of a comparison on one machine', () => {
  it('say to the last digit what the same blocks say without shards', async () => {
    const whole = await comparedShard(at('whole'), '1/1');
    const { stored, exit } = await joined();
    expect(stored.design).toMatchObject({ pairs: 16, blocks: 8, stoppedBecause: 'max-pairs', looks: [16] });
    for (const part of ['comparisons', 'decision', 'sentence', 'failedGates', 'host', 'changes'] as const) {
      expect(stored[part], part).toEqual(whole[part]);
    }
    expect(stored.comparisons[0]).toMatchObject({ metric: 'pageComplete', decision: 'slower', fails: true });
    expect([exit, stored.exit]).toEqual([1, 1]);
    const times = (result: CompareResult) =>
      placed(result).map(({ index, build, block, order, metrics: values }) => [index, build, block, order, values]);
    expect(times(stored)).toEqual(times(whole));
    expect(stored.merged).toMatchObject({ sentence: 'Joined from 4 shards on one machine.', missing: [], notes: [] });
    expect(stored.settings).not.toHaveProperty('shard');
    expect(stored.shard).toBeUndefined();
  });

  it('are compared apart where they left out other background traffic', async () => {
    await rewrite<CompareResult>(shardAt(3), (result) => ({
      ...result,
      base: { ...result.base, background: [poll] },
    }));
    const { stored } = await joined();
    expect(stored.merged).toMatchObject({
      machines: 1,
      notes: [
        'Not all shards left out the same background traffic (shards 1, 2 and 4; shard 3): each group is compared within itself.',
      ],
    });
    expect(new Set(placed(stored).map(({ shard, machine }) => `${shard} on ${machine}`))).toEqual(
      new Set(['1 on 1', '2 on 1', '3 on 2', '4 on 1']),
    );
  });
});

const poll = {
  kind: 'poll',
  endpoint: `GET ${ORIGIN}/poll`,
  urls: [],
  requests: 3,
  firstStartedAt: 10,
  lastActivityAt: 2000,
  stillOpen: false,
  because: 'again and again',
  confidence: 'certain',
  excluded: true,
  visualImpact: 'none',
} as const;

describe('shards of a comparison on several machines', () => {
  it('are compared within machines, which may differ by more than the builds do', async () => {
    const names = { 1: 'a', 2: 'b', 3: undefined, 4: undefined };
    await named(names);
    const alike = (await joined()).stored;
    for (const [i, shard] of SHARDS.entries()) {
      await comparedShard(shardAt(i + 1), shard, {}, { factor: 1 + i / 10 });
    }
    const pooled = (await joined()).stored;
    await named(names);
    const { stored } = await joined();
    expect(stored.merged).toMatchObject({ machines: 4, sentence: 'Joined from 4 shards on up to 4 machines.' });
    const runs = placed(stored);
    expect(new Set(runs.map(({ shard, machine }) => `${shard} on ${machine}`))).toEqual(
      new Set(['1 on 1', '2 on 2', '3 on 3', '4 on 4']),
    );
    const { seed, alpha } = stored.design;
    const minEffect = { relative: 0.05, absolute: 10 };
    const plan = { seed, alpha, looks: [16], minEffect, gates: ['pageComplete'], strict: false };
    const { comparisons } = evaluate({ runs, plan, metrics, looksTaken: [16] });
    expect(stored.comparisons).toEqual(withSentences(comparisons, metricTitle));
    // How much faster one machine is than another cancels, but for times being whole milliseconds.
    const ends = ({ comparisons: [gate] }: CompareResult) =>
      [gate?.difference?.low, gate?.difference?.relative, gate?.difference?.high].map((end = 0) => end);
    for (const [i, end] of ends(stored).entries()) expect(end).toBeCloseTo(ends(alike)[i] ?? 0, 2.5);
    expect(Math.abs((ends(pooled)[0] ?? 0) - (ends(alike)[0] ?? 0))).toBeGreaterThan(0.002);
  });

  it('say which of them was busy, and on which the candidate is another', async () => {
    const at10 = { maxPairs: 40, looks: [40] } as const;
    for (const [i, shard] of SHARDS.entries()) {
      await comparedShard(shardAt(i + 1), shard, at10, {
        load: ({ url }, nth) => loadedBy(1_000 + 3 * (nth % 7) + (url === CANDIDATE && i === 2 ? 300 : 0)),
      });
    }
    await named({ 1: 'a', 2: 'b', 3: 'c', 4: 'd' });
    await rewrite<CompareResult>(shardAt(2), ({ base, ...rest }) => ({
      ...rest,
      base: { ...base, runs: base.runs.map((run) => ({ ...run, host: { verdict: 'unfit', reasons: [] } })) },
    }));
    const { stored } = await joined();
    expect(stored.merged?.notes).toEqual([
      expect.stringMatching(
        /^The machines disagree on Page complete: from .* on machine [124] to \+(?:29|30)% on machine 3\. /,
      ),
      'On machines that were busy with other work: shard 2 in 10 of 20 loads.',
    ]);
  });

  it('are joined with a note when they ran in different browsers', async () => {
    await comparedShard(shardAt(2), '2/4', {}, { product: 'Scripted/2' });
    const { stored } = await joined();
    expect(stored.merged?.notes).toEqual([
      'The shards ran in different browsers: Scripted/1 (shards 1, 3 and 4), Scripted/2 (shard 2).',
    ]);
  });
});

describe('a shard that is lost', () => {
  it('costs its blocks and not the comparison, and everybody is told', async () => {
    await rm(shardAt(3), { recursive: true });
    const { stored, problems, exit } = await joined(undefined, ['html', 'json', 'md']);
    expect(stored.design).toMatchObject({
      pairs: 12,
      looks: [16],
      looksTaken: [{ pairs: 12, criticalValue: expect.closeTo(1.959964, 5) }],
      stoppedBecause: 'shards-missing',
    });
    expect(stored.merged).toMatchObject({ missing: [3], total: 8 });
    expect(stored.decision).toBe('slower');
    expect(exit).toBe(1);
    expect(messagesOf(problems)).toEqual([
      'Joined from 3 of 4 shards on one machine: shard 3 is missing, so 6 of 8 blocks are there. The comparison uses what is there.',
      expect.stringMatching(/^Gate failed/),
    ]);
    for (const file of ['index.html', 'summary.md']) {
      expect(await readFile(at('merged', file), 'utf8')).toMatch(/shard 3 is missing/);
    }
  });

  it('may have brought a part of its share', async () => {
    await comparedShard(shardAt(2), '2/4', {}, { after: 9 });
    const { stored } = await joined();
    expect(stored.merged?.shards[1]).toMatchObject({ index: 2, brought: 1, interrupted: true });
    expect(stored.design).toMatchObject({ pairs: 14, stoppedBecause: 'shards-missing' });
    expect(stored.merged?.sentence).toMatch(
      /shard 2 was stopped early with 1 of its 2 blocks, so 7 of 8 blocks are there/,
    );
    // Loads of the block that was not ended are there, and do not count.
    expect(
      placed(stored)
        .filter(({ excluded }) => excluded !== undefined)
        .map(({ shard }) => shard),
    ).toEqual([2, 2, 2]);
    expect(stored.interrupted).toBeUndefined();
  });

  it('may have brought nothing at all', async () => {
    const failing = () =>
      ({ ok: false, failure: { code: 'connection-refused', message: 'Nothing listens.' } }) as const;
    await comparedShard(shardAt(1), '1/4', {}, { load: failing });
    const { stored, exit } = await joined();
    expect(stored.merged?.sentence).toMatch(/shard 1 could not measure both builds/);
    expect(stored.design.pairs).toBe(12);
    expect(exit).toBe(1);
  });

  it('leaves nothing to decide when all are like that', async () => {
    const failing = () =>
      ({ ok: false, failure: { code: 'connection-refused', message: 'Nothing listens.' } }) as const;
    await rm(at('shards'), { recursive: true });
    await comparedShard(at('shards', '1'), '1/4', {}, { load: failing });
    const { stored, exit } = await joined(undefined, ['html', 'json', 'md']);
    expect(stored).toMatchObject({ decision: 'unsure', design: { pairs: 0 } });
    expect(exit).toBe(3);
  });
});

describe('the joined folder', () => {
  it('is complete in itself', async () => {
    const { stored, files } = await joined(undefined, ['html']);
    await rm(at('shards'), { recursive: true });
    const hars = [...stored.base.runs, ...stored.candidate.runs].map(({ har }) => har ?? '');
    expect(hars).toHaveLength(2 * (16 + 4));
    expect(new Set(hars).size).toBe(hars.length);
    expect(hars[4]).toMatch(/^shard-1-base-run-1\.har$/);
    for (const har of hars) expect((await stat(at('merged', har))).size).toBeGreaterThan(100);
    expect(files.map((file) => path.basename(file))).toEqual(expect.arrayContaining(['index.html', 'result.json']));
    // And its reports can be written again from it.
    const again = await report({ result: at('merged'), out: at('copy'), format: ['html'] });
    expect(again.warnings).toEqual([]);
    const { base, candidate } = again.report as CompareReport;
    expect([base.waterfalls.length, candidate.waterfalls.length]).toEqual([1, 1]);
  });

  it('tells what changed besides time, from what each shard kept', async () => {
    const extra = { path: '/new.js', from: 20, to: 60, type: 'script' } as const;
    for (const [i, shard] of SHARDS.entries()) {
      await comparedShard(
        shardAt(i + 1),
        shard,
        {},
        {
          load: ({ url }) => (url === CANDIDATE ? loadedBy(1_100, extra) : url === BASE ? loadedBy(1_000) : undefined),
        },
      );
    }
    const { stored } = await joined();
    expect(stored.changes.added.map(({ name }) => name)).toEqual(['GET /new.js']);
    // Links are not followed: they may lead anywhere.
    await rename(path.join(shardAt(2), 'shard.json'), at('private.json'));
    await symlink(at('private.json'), path.join(shardAt(2), 'shard.json'));
    await writeFile(path.join(shardAt(4), 'shard.json'), '{"version": 1, "items"');
    const less = (await joined()).stored;
    expect(less.changes.added.map(({ name }) => name)).toEqual(['GET /new.js']);
    expect(less.merged?.notes).toEqual([
      'Changes other than times are reported without shards 2 and 4, because there is no shard.json next to the result.',
    ]);
  });

  it('judges the budgets of the candidate anew, over all loads', async () => {
    const budget = ['page-complete=2s', 'requests=1:warn'];
    for (const [i, shard] of SHARDS.entries()) await comparedShard(shardAt(i + 1), shard, { budget });
    const { stored } = await joined();
    expect(stored.candidate.budgets?.map(({ state }) => state)).toEqual(['pass', 'fail']);
    expect(stored.base.budgets).toBeUndefined();
  });

  it('is never that of a shard, whatever leads to it', async () => {
    await symlink(at('shards'), at('link'));
    for (const out of [shardAt(2), at('link', 'shard-2')]) {
      await expect(merge({ dirs: [at('shards')], out, format: ['json'] })).rejects.toMatchObject({
        code: 'merge-out-taken',
      });
    }
  });

  it('may lie among the shards: it is left out the next time', async () => {
    const out = at('shards', 'merged');
    await merge({ dirs: [at('shards')], out, format: ['json'] });
    const first = await storedIn<CompareResult>(out);
    await merge({ dirs: [at('shards')], out, format: ['json'] });
    const second = await storedIn<CompareResult>(out);
    expect(second.comparisons).toEqual(first.comparisons);
    expect(second.merged?.notes).toEqual([expect.stringMatching(/^Left out: .*merged.result\.json is merged already/)]);
  });

  it('is not begun when the user ends it, and nothing is left of it', async () => {
    const ending = new AbortController();
    const events: Progress[] = [];
    const ended = merge(
      { dirs: [at('shards')], out: at('merged'), format: ['html'] },
      {
        signal: ending.signal,
        onProgress(event) {
          events.push(event);
          if (events.length === 3) ending.abort();
        },
      },
    );
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    expect(events[0]).toMatchObject({ kind: 'reading', index: 1, of: 4 });
    expect(existsSync(at('merged'))).toBe(false);
  });
});

describe('what is no shard of the job', () => {
  const refused = async (dirs: readonly string[], code: string, text: RegExp) => {
    const error = await merge({ dirs, out: at('merged'), format: ['json'] }).then(
      () => undefined,
      (reason: unknown) => reason as Error & { code: string },
    );
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(text);
    expect(error?.message).not.toContain('\n');
  };

  it('is refused when nothing else is there', async () => {
    await refused([], 'merge-missing', /Missing argument: the folders/);
    await mkdir(at('empty'));
    await refused([at('empty')], 'merge-no-shard', /empty contains no result of a shard\./);
    await comparedShard(at('whole'), '1/1');
    await refused([at('whole')], 'merge-no-shard', /result\.json is of a whole job, not of a shard/);
    await refused([at('nowhere')], 'result-unreadable', /nowhere cannot be read/);
  });

  it('is left out where a shell has named all folders, and that of a lost shard among them', async () => {
    await rm(path.join(shardAt(2), 'result.json'));
    const text = await readFile(path.join(shardAt(3), 'result.json'), 'utf8');
    await writeFile(path.join(shardAt(3), 'result.json'), text.slice(0, 2_000));
    const { stored } = await joined([1, 2, 3, 4].map(shardAt));
    expect(stored.merged?.missing).toEqual([2, 3]);
    expect(stored.merged?.notes).toEqual([
      expect.stringMatching(/^Left out: .*shard-2 contains no result of a shard\.$/),
      expect.stringMatching(/^Left out: .*shard-3.result\.json is not JSON/),
    ]);
  });

  it('is left out beside others, with a note', async () => {
    await mkdir(at('shards', 'torn'));
    const text = await readFile(path.join(shardAt(1), 'result.json'), 'utf8');
    await writeFile(at('shards', 'torn', 'result.json'), text.slice(0, 2_000));
    await mkdir(at('shards', 'foreign'));
    await writeFile(at('shards', 'foreign', 'result.json'), '{"name": "x"}');
    const { stored } = await joined();
    expect(stored.merged?.notes).toEqual([
      expect.stringMatching(/^Left out: .*foreign.result\.json is not a result of Quiesce/),
      expect.stringMatching(/^Left out: .*torn.result\.json is not JSON/),
    ]);
  });

  it('is refused when it belongs to another one', async () => {
    await comparedShard(shardAt(2), '2/4', { quietWindow: 5_000 });
    await refused(
      [at('shards')],
      'merge-foreign',
      /shard-1.result\.json and .*shard-2.result\.json are not shards of the same job: quietWindow is 3000 in one and 5000 in the other/,
    );
    await comparedShard(shardAt(2), '2/4', { seed: 8 });
    await refused([at('shards')], 'merge-foreign', /seed is 7 in one and 8/);
    await auditedShard(shardAt(2), '2/4', { targets: [BASE, CANDIDATE] });
    await refused([at('shards')], 'merge-foreign', /one is of a comparison|one is of an audit/);
  });

  it('is refused when two of them claim one number, unless they are copies', async () => {
    await cp(shardAt(1), at('shards', 'copy'), { recursive: true });
    const { stored } = await joined();
    expect(stored.design.pairs).toBe(16);
    expect(stored.merged?.notes).toEqual([expect.stringMatching(/is a copy of .* \(shard 1\)\.$/)]);
    await comparedShard(at('shards', 'copy'), '1/4');
    await refused([at('shards')], 'merge-twice', /copy.result\.json and .*shard-1.result\.json are both shard 1 of 4/);
    await joined([shardAt(1), shardAt(2), shardAt(3), shardAt(4)]);
  });
});

describe('results that nobody wrote', () => {
  const broken = async (change: (result: CompareResult) => unknown, text: RegExp) => {
    await rewrite<CompareResult>(shardAt(2), change);
    const error = await merge({ dirs: [shardAt(2)], out: at('merged'), format: ['html', 'json'] }).then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error?.message).toMatch(text);
  };
  const withRuns = (change: (run: RunResult, i: number) => unknown) => (result: CompareResult) => ({
    ...result,
    base: { ...result.base, runs: result.base.runs.map(change) },
  });

  it.each<[string, (result: CompareResult) => unknown, RegExp]>([
    [
      'place',
      (result) => ({ ...result, shard: { ...result.shard, index: 9 } }),
      /result\.json is not as Quiesce wrote it \(shard: there are not so many\)/,
    ],
    [
      'number',
      (result) => ({ ...result, shard: { ...result.shard, of: 1e9, index: 1e8 } }),
      /not as Quiesce wrote it \(of/,
    ],
    ['time', (result) => ({ ...result, startedAt: 'yesterday' }), /not as Quiesce wrote it \(startedAt/],
    ['version', (result) => ({ ...result, version: 2 }), /version 2/],
    [
      'block',
      withRuns((run) => ({ ...run, ...(run.role === 'timed' && { block: 1 }) })),
      /block 1 is not one of shard 2 of 4/,
    ],
    [
      'share',
      withRuns((run) => ({ ...run, ...(run.role === 'timed' && { block: 2 + 4 * run.index }) })),
      /not two loads of each build/,
    ],
    ['runs', (result) => ({ ...result, base: { ...result.base, runs: 'many' } }), /base\.runs/],
  ])('are refused for their %s', async (_, change, text) => {
    await broken(change, text);
    // Nothing half is left.
    expect(existsSync(at('merged'))).toBe(false);
  });

  it('are refused for a plan that cannot be', async () => {
    for (const index of [1, 2, 3, 4]) {
      await rewrite<CompareResult>(shardAt(index), (result) => ({
        ...result,
        settings: { ...result.settings, minEffect: 'much' },
      }));
    }
    await expect(joined()).rejects.toThrow(/not as Quiesce wrote it \(settings\.minEffect\)/);
    for (const index of [1, 2, 3, 4]) {
      await rewrite<CompareResult>(shardAt(index), (result) => ({
        ...result,
        settings: { ...result.settings, minEffect: '5%', budget: [{ metric: 'x' }, 7] },
      }));
    }
    await expect(joined()).rejects.toThrow(/not as Quiesce wrote it \(settings\.budget\)/);
  });

  it('do not make it read or write elsewhere', async () => {
    await writeFile(at('secret.har'), 'secret');
    await symlink(at('secret.har'), path.join(shardAt(2), 'link.har'));
    const names = ['../../secret.har', at('secret.har'), 'link.har', 'result.json', '..', ''];
    await rewrite<CompareResult>(
      shardAt(2),
      withRuns((run, i) => ({ ...run, har: names[i % names.length] })),
    );
    const { stored } = await joined(undefined, ['html']);
    const own = stored.base.runs.filter(({ shard }) => shard === 2).flatMap(({ har }) => har ?? []);
    expect(own).toEqual(['shard-2-link.har']);
    const all = await readdir(at('merged'), { recursive: true });
    expect(all.filter((name) => /secret|link/.test(name))).toEqual([]);
    for (const name of all) expect(await readFile(at('merged', name), 'utf8')).not.toBe('secret');
  });

  it('say what failed in one harmless line', async () => {
    const failure = { code: 'x', message: 'line\n::error::\u001b[31m' };
    await rewrite<CompareResult>(
      shardAt(2),
      withRuns((run) => (run.role === 'timed' ? run : { ...run, ok: false, failure })),
    );
    const { problems } = await joined();
    expect(problems[0]?.message).toBe('line ::error::[U+001B][31m');
  });

  it('are refused quickly, however large', async () => {
    await broken(({ base, ...result }) => {
      const timed = base.runs.filter(({ role }) => role === 'timed');
      const { role, ok, build, block, order, metrics: values } = timed[0] ?? {};
      const run = { role, ok, build, block, order, metrics: values };
      const many = Array.from({ length: 30_000 }, (_, i) => ({ ...run, index: i + 1 }));
      return { ...result, base: { ...base, runs: many } };
    }, /a block of it is not two loads of each build/);
  });
});

describe('a trend', () => {
  it('takes the joined comparison, and not its shards', async () => {
    await joined();
    const { result } = await trend({
      paths: [folder],
      metric: ['page-complete'],
      by: 'time',
      format: ['json'],
      out: at('trend'),
    });
    expect(result.pages).toHaveLength(1);
    expect(result.pages[0]?.points).toHaveLength(1);
    expect(result.skipped.map(({ because }) => because)).toEqual(
      [1, 2, 3, 4].map((index) => `it is shard ${index} of 4 of a comparison, too few loads by itself`),
    );
  });
});
