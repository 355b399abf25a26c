import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/core/experiment/evaluate.ts';
import { metrics, metricTitle } from '../../../src/core/metrics/index.ts';
import type { CompareResult, PlacedRun } from '../../../src/model/compare/comparison.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { CompareReport } from '../../../src/model/result/report.ts';
import type { RunResult } from '../../../src/model/result/result.ts';
import { withSentences } from '../../../src/wording/compare/comparison.ts';
import { expectApproved } from '../../support/approved.ts';
import { folderForAll } from '../../support/folders.ts';
import { merge, report, trend } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { ORIGIN } from '../../support/scripted.ts';
import { auditedShard, BASE, CANDIDATE, comparedShard, loadedBy, rewrite, storedIn } from '../../support/shards.ts';

const SHARDS = ['1/4', '2/4', '3/4', '4/4'];

/** Four shards of a comparison, loaded once; each test has copies. */
const made = folderForAll('shards');
let folder: string;
beforeAll(async () => {
  for (const shard of SHARDS) await comparedShard(path.join(made(), `shard-${shard[0]}`), shard);
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-merge-'));
  await cp(made(), at('shards'), { recursive: true });
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
});

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
});

/** Loads that all fail. */
const FAILING = {
  load: () => ({ ok: false, failure: { code: 'connection-refused', message: 'Nothing listens.' } }) as const,
};
const withRuns = (change: (run: RunResult, i: number) => unknown) => (result: CompareResult) => ({
  ...result,
  base: { ...result.base, runs: result.base.runs.map(change) },
});
const changed = (change: (result: CompareResult) => unknown) => () => rewrite<CompareResult>(shardAt(2), change);
const inBlock = (block: (run: RunResult) => number) =>
  changed(withRuns((run) => ({ ...run, ...(run.role === 'timed' && { block: block(run) }) })));
const torn = async (folder: string) => {
  const text = await readFile(path.join(shardAt(1), 'result.json'), 'utf8');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'result.json'), text.slice(0, 2_000));
};
const eachWith = (settings: object) => async () => {
  for (const index of [1, 2, 3, 4]) {
    await rewrite<CompareResult>(shardAt(index), (result) => ({
      ...result,
      settings: { ...result.settings, ...settings },
    }));
  }
};

/** What becomes of the four shards before they are joined; where a list is given, these folders are joined. */
const CASES: Readonly<Record<string, () => unknown>> = {
  'all shards': () => undefined,
  'a shard with other background traffic': () =>
    rewrite<CompareResult>(shardAt(3), (result) => ({ ...result, base: { ...result.base, background: [poll] } })),
  'a shard in another browser': () => comparedShard(shardAt(2), '2/4', {}, { product: 'Scripted/2' }),
  'a shard is lost': () => rm(shardAt(3), { recursive: true }),
  'a shard was ended early': () => comparedShard(shardAt(2), '2/4', {}, { after: 9 }),
  'a shard measured nothing': () => comparedShard(shardAt(1), '1/4', {}, FAILING),
  'nothing was measured': async () => {
    await rm(at('shards'), { recursive: true });
    await comparedShard(at('shards', '1'), '1/4', {}, FAILING);
  },
  'folders without a result': async () => {
    await rm(path.join(shardAt(2), 'result.json'));
    await torn(shardAt(3));
    return [1, 2, 3, 4].map(shardAt);
  },
  'other folders among them': async () => {
    await torn(at('shards', 'torn'));
    await mkdir(at('shards', 'foreign'));
    await writeFile(at('shards', 'foreign', 'result.json'), '{"name": "x"}');
  },
  'a copy of a shard': () => cp(shardAt(1), at('shards', 'copy'), { recursive: true }),
  'the same shard, measured again': () => comparedShard(at('shards', 'again'), '1/4'),
  'no folder': () => [],
  'an empty folder': async () => [await mkdir(at('empty')).then(() => at('empty'))],
  'no shard': async () => {
    await comparedShard(at('whole'), '1/1');
    return [at('whole')];
  },
  'a folder that is not there': () => [at('nowhere')],
  'another quiet window': () => comparedShard(shardAt(2), '2/4', { quietWindow: 5_000 }),
  'another seed': () => comparedShard(shardAt(2), '2/4', { seed: 8 }),
  'an audit': () => auditedShard(shardAt(2), '2/4', { targets: [BASE, CANDIDATE] }),
  'a place that is not there': changed((result) => ({ ...result, shard: { ...result.shard, index: 9 } })),
  'a number that cannot be': changed((result) => ({ ...result, shard: { ...result.shard, of: 1e9, index: 1e8 } })),
  'the only one is of a later version': async () => {
    await rewrite<CompareResult>(shardAt(2), (result) => ({ ...result, version: 2 }));
    return [shardAt(2)];
  },
  'a time that is none': changed((result) => ({ ...result, startedAt: 'yesterday' })),
  'a later version': changed((result) => ({ ...result, version: 2 })),
  'a block of another shard': inBlock(() => 1),
  'blocks that are not whole': inBlock(({ index }) => 2 + 4 * index),
  'runs that are none': changed((result) => ({ ...result, base: { ...result.base, runs: 'many' } })),
  'more runs than there can be': changed(({ base, ...result }) => {
    const {
      role,
      ok,
      build,
      block,
      order,
      metrics: values,
    } = base.runs.find((run) => run.role === 'timed') as PlacedRun;
    const run = { role, ok, build, block, order, metrics: values };
    return { ...result, base: { ...base, runs: Array.from({ length: 30_000 }, (_, i) => ({ ...run, index: i + 1 })) } };
  }),
  'an effect that is none': eachWith({ minEffect: 'much' }),
  'a budget that is none': eachWith({ budget: [{ metric: 'x' }, 7] }),
  'a failure of many lines': changed(
    withRuns((run) => {
      const failure = { code: 'x', message: 'line\n::error::\u001b[31m' };
      return run.role === 'timed' ? run : { ...run, ok: false, failure };
    }),
  ),
};

describe('what comes of joining', () => {
  it.each(Object.entries(CASES))('%s', async (name, prepare) => {
    const dirs = (await prepare()) as readonly string[] | undefined;
    const told = await joined(Array.isArray(dirs) ? dirs : undefined, ['html', 'json', 'md']).then(
      async ({ stored: { merged, decision, design, ...stored }, exit, problems }) => {
        // Whoever reads a report is told what is missing.
        const reports = ['index.html', 'summary.md'].map((file) => readFile(at('merged', file), 'utf8'));
        if (merged?.missing.length !== 0)
          for (const text of await Promise.all(reports)) expect(text).toContain('missing');
        expect([stored.exit, stored.interrupted]).toEqual([exit, undefined]);
        const loads = placed({ ...stored, decision, design });
        const counted = loads.filter(({ excluded }) => excluded === undefined);
        const looks = design.looksTaken.map(
          ({ pairs, criticalValue }) => `${pairs} pairs (${criticalValue.toFixed(3)})`,
        );
        return [
          `exit ${exit}: ${decision}, looked at after ${looks.join()} of ${design.looks.join()}, ended: ${design.stoppedBecause}`,
          `${counted.length} of ${loads.length} loads count, of shard ${[...new Set(loads.map(({ shard, machine }) => `${shard} on machine ${machine}`))].join(', ')}`,
          merged?.sentence,
          ...(merged?.notes ?? []).map((note) => `note: ${note}`),
          ...messagesOf(problems).map((problem) => `problem: ${problem}`),
        ];
      },
      (error: Error & { code: string }) => {
        // Nothing half is left.
        expect(existsSync(at('merged'))).toBe(false);
        expect(error.message).not.toContain('\n');
        return [`refused, ${error.code}: ${error.message}`];
      },
    );
    const lines = told.map((line = '') => line.replaceAll(folder, '<folder>').replaceAll(path.sep, '/'));
    await expectApproved(`merge/${name.replaceAll(/[^a-z]+/g, '-')}`, lines.join('\n'));
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
    const budget = ['page-complete=2s', 'requests=1:warn'] as const;
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

describe('results that nobody wrote', () => {
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
