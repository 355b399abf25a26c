import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readComplete } from '../../../src/jobs/engine/result/stored-result.ts';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { AuditReport } from '../../../src/model/result/report.ts';
import type { AuditResult, TargetResult } from '../../../src/model/result/result.ts';
import { folderForAll } from '../../support/folders.ts';
import { merge, trend } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { ORIGIN } from '../../support/scripted.ts';
import { auditedShard, rewrite, storedIn } from '../../support/shards.ts';
import { mainThreadOf } from '../../support/traced.ts';

const targets = ['/a', '/b', '/c', '/d', '/e'].map((each) => `${ORIGIN}${each}`);

/** Three shards of an audit, loaded once; each test has copies. */
const made = folderForAll('shards');
let folder: string;
beforeAll(async () => {
  for (const index of [1, 2, 3]) await auditedShard(path.join(made(), `${index}`), `${index}/3`, { targets });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-merge-'));
  await cp(made(), at('shards'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...names: readonly string[]) => path.join(folder, ...names);
const shardAt = (index: number) => at('shards', `${index}`);
const joined = async (format: readonly ('html' | 'json' | 'md' | 'junit' | 'csv')[] = ['json']) => {
  const outcome = await merge({ dirs: [at('shards')], out: at('merged'), format });
  const stored = await storedIn<AuditResult>(at('merged'));
  return { ...outcome, result: outcome.result as AuditResult, report: outcome.report as AuditReport, stored };
};
const pagesOf = ({ targets: all }: AuditResult) => all.map(({ target }) => target.slice(ORIGIN.length));

describe('shards of an audit', () => {
  it('give all pages in the order of the list, each with its files', async () => {
    const { stored, result, report, exit, problems, warnings } = await joined(['html', 'json', 'md', 'junit', 'csv']);
    expect([exit, problems, warnings]).toEqual([0, [], []]);
    expect(pagesOf(stored)).toEqual(['/a', '/b', '/c', '/d', '/e']);
    expect(stored.targets.map(({ runs }) => runs[0]?.shard)).toEqual([1, 2, 3, 1, 2]);
    expect(stored.merged).toMatchObject({
      of: 3,
      total: 5,
      missing: [],
      sentence: 'Joined from 3 shards on one machine.',
    });
    expect(stored.settings).not.toHaveProperty('shard');
    expect(stored).not.toHaveProperty('shard');
    expect(result).toEqual(stored);
    await readComplete({ name: 'result.json', path: at('merged', 'result.json') });
    await rm(at('shards'), { recursive: true });
    for (const { runs } of stored.targets) {
      for (const { har = '' } of runs) expect((await stat(at('merged', har))).size).toBeGreaterThan(100);
    }
    expect(report.targets.map(({ waterfalls }) => waterfalls.length)).toEqual([2, 2, 2, 2, 2]);
    expect(await readFile(at('merged', 'index.html'), 'utf8')).toContain('Joined from 3 shards on one machine.');
    expect(await readFile(at('merged', 'junit.xml'), 'utf8')).toContain('Joined from 3 shards on one machine.');
  });

  it('have the figures that each of them had', async () => {
    const shards = await Promise.all([1, 2, 3].map((index) => storedIn<AuditResult>(shardAt(index))));
    const { stored } = await joined();
    const bare = ({ runs, ...target }: TargetResult) => ({
      ...target,
      runs: runs.map(({ shard: _, ...run }) => run),
    });
    for (const target of stored.targets) {
      const before = shards.flatMap((shard) => shard.targets).find((each) => each.target === target.target);
      expect(bare(target)).toEqual(before);
    }
  });

  it('keep the steps of a page behind it', async () => {
    await rewrite<AuditResult>(shardAt(1), ({ targets: all, ...rest }) => ({
      ...rest,
      targets: all.flatMap((page) => [page, { ...page, step: 'open the menu' }, { ...page, step: 'close it' }]),
    }));
    const { stored } = await joined();
    expect(stored.targets.map(({ target, step = '' }) => target.slice(ORIGIN.length) + step)).toEqual([
      '/a',
      '/aopen the menu',
      '/aclose it',
      '/b',
      '/c',
      '/d',
      '/dopen the menu',
      '/dclose it',
      '/e',
    ]);
  });

  it('keep what each was built from, where that is not the same', async () => {
    const commit = '0123456789abcdef0123456789abcdef01234567';
    const built = (index: number, source: AuditResult['source']) =>
      rewrite<AuditResult>(shardAt(index), (result) => ({ ...result, source }));
    await built(1, { commit });
    await built(2, { commit, modified: true });
    await built(3, { commit });
    const { stored } = await joined();
    expect(stored.source).toEqual({ commit });
    expect(stored.targets.map(({ source }) => source?.modified)).toEqual([undefined, true, undefined, undefined, true]);
    await built(3, undefined);
    const less = (await joined()).stored;
    // Of the header it would be said of all.
    expect(less.source).toBeUndefined();
    expect(less.targets.map(({ source }) => source?.commit)).toEqual([commit, commit, undefined, commit, commit]);
    expect(less.merged?.notes).toHaveLength(1);
  });

  it('say once what all of them say of the list', async () => {
    for (const index of [1, 2, 3]) {
      await rewrite<AuditResult>(shardAt(index), (result) => ({
        ...result,
        notes: ['The sitemap has more.', `Shard ${index} of 3, as CI_NODE_INDEX says.`],
        noteFacts: [
          { code: 'other-origins', pages: 1, origin: 'https://y' },
          { code: 'empty-shard', index, of: 3, pages: 2 },
        ],
      }));
    }
    const { notes, noteFacts } = (await joined()).stored;
    expect([notes, noteFacts]).toEqual([
      ['The sitemap has more.'],
      [{ code: 'other-origins', pages: 1, origin: 'https://y' }],
    ]);
  });

  it('fail on the budgets that their pages exceed', async () => {
    for (const index of [1, 2, 3]) {
      await auditedShard(shardAt(index), `${index}/3`, { targets, budget: ['page-complete=10'] });
    }
    const { exit, problems } = await joined();
    expect(exit).toBe(1);
    // Five such lines that do not say of which page help nobody.
    expect(
      messagesOf(problems).map((problem) => /^Budget exceeded: \S*(\/[a-e]): Page complete/.exec(problem)?.[1]),
    ).toEqual([1, 2, 3].flatMap((index) => ['/a', '/b', '/c', '/d', '/e'].filter((_, i) => i % 3 === index - 1)));
  });

  it('may be more than there are pages', async () => {
    await rm(at('shards'), { recursive: true });
    for (const index of [1, 2, 3]) await auditedShard(shardAt(index), `${index}/3`, { targets: targets.slice(0, 2) });
    const { stored, exit } = await joined(['html', 'json']);
    expect([pagesOf(stored), exit]).toEqual([['/a', '/b'], 0]);
    expect(stored.merged?.shards.map(({ brought }) => brought)).toEqual([1, 1, 0]);
  });
});

describe('shards that were traced', () => {
  const mainThread = mainThreadOf('trace.json.gz');
  const coverage: Coverage = {
    until: 900,
    scripts: { bytes: 10, unused: 5 },
    styles: { bytes: 0, unused: 0 },
    files: [],
  };
  const traced = async (trace: string): Promise<void> => {
    for (const index of [1, 2, 3]) {
      await rewrite<AuditResult>(shardAt(index), (result) => ({
        ...result,
        targets: result.targets.map((target) => ({ ...target, mainThread: { ...mainThread, trace }, coverage })),
      }));
      await writeFile(path.join(shardAt(index), 'trace.json.gz'), `of shard ${index}`);
    }
  };

  it('bring their traces and what they say of the code; those of two machines are kept apart', async () => {
    await traced('trace.json.gz');
    const { stored, warnings } = await joined(['html', 'json']);
    expect(warnings).toEqual([]);
    const traces = stored.targets.map(({ mainThread: found }) => found?.trace ?? '');
    const contents = await Promise.all(traces.map((name) => readFile(at('merged', name), 'utf8')));
    expect(contents).toEqual(stored.targets.map(({ runs }) => `of shard ${runs[0]?.shard}`));
    expect(stored.targets.map((target) => target.coverage)).toEqual(stored.targets.map(() => coverage));
  });

  it('are not asked for a file outside of their folders', async () => {
    await traced('../../trace.json.gz');
    const { stored } = await joined(['json']);
    expect(stored.targets.map(({ mainThread: found }) => found?.trace)).toEqual(stored.targets.map(() => undefined));
    expect(stored.targets[0]?.mainThread?.ms).toBe(10);
  });

  it('bring no file of another kind, and none through a link', async () => {
    const elsewhere = at('private');
    await mkdir(elsewhere);
    for (const name of ['x.png', 'run.har', 'trace.json.gz']) await writeFile(path.join(elsewhere, name), 'private');
    for (const index of [1, 2, 3]) {
      await writeFile(path.join(shardAt(index), 'index.html'), 'of a stranger');
      await symlink(elsewhere, path.join(shardAt(index), 'evidence'));
      await symlink(path.join(elsewhere, 'run.har'), path.join(shardAt(index), 'linked.har'));
      await symlink(path.join(elsewhere, 'trace.json.gz'), path.join(shardAt(index), 'trace.json.gz'));
      await rewrite<AuditResult>(shardAt(index), (result) => ({
        ...result,
        targets: result.targets.map((target) => ({
          ...target,
          runs: target.runs.map((run, i) => ({ ...run, har: i === 0 ? 'linked.har' : 'index.html' })),
          evidence: { watchedUntil: 1, watchedBecause: '', pictures: [{ at: 1, file: 'evidence/x.png', caption: '' }] },
          mainThread: mainThreadOf('trace.json.gz'),
          lighthouse: {
            waited: { strategy: 'own', blocked: [], sentence: '' },
            ...{ runs: [], categories: {}, metrics: {}, opportunities: [] },
            report: 'index.html',
          },
        })),
      }));
    }
    const { stored } = await joined(['html']);
    expect(await readFile(at('merged', 'index.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    const named = stored.targets.flatMap(({ runs, lighthouse }) => [...runs.map(({ har }) => har), lighthouse?.report]);
    expect(new Set(named)).toEqual(new Set(['linked.har', '2-linked.har', '3-linked.har', undefined]));
    expect((await readdir(at('merged'), { recursive: true })).toSorted()).toEqual(['index.html', 'result.json']);
  });
});

describe('a shard of an audit that is lost', () => {
  it('costs its pages: the rest is reported, and the exit says that something is missing', async () => {
    await rm(shardAt(2), { recursive: true });
    const { stored, exit, problems } = await joined(['html', 'json', 'md']);
    expect(pagesOf(stored)).toEqual(['/a', '/c', '/d']);
    expect(exit).toBe(3);
    const told = 'Joined from 2 of 3 shards on one machine: shard 2 is missing, so 3 of 5 pages are there';
    expect(messagesOf(problems)).toEqual([`${told}. Measure the missing part again, then merge again.`]);
    for (const file of ['index.html', 'summary.md']) expect(await readFile(at('merged', file), 'utf8')).toContain(told);
  });

  it('may have been ended before all of its pages were loaded', async () => {
    // Both pages are loaded untimed first; the second has no timed run then.
    await auditedShard(shardAt(1), '1/3', { targets }, { after: 3 });
    const { stored, exit, problems } = await joined();
    expect(pagesOf(stored)).toEqual(['/a', '/b', '/c', '/d', '/e']);
    expect(messagesOf(problems)).toEqual([
      expect.stringMatching(/so 4 of 5 pages are there\. Measure the missing part again/),
    ]);
    expect(stored.merged?.sentence).toMatch(
      /shard 1 was stopped early with 1 of its 2 pages, so 4 of 5 pages are there/,
    );
    expect(stored.merged?.shards[0]).toMatchObject({ brought: 1, share: 2, interrupted: true });
    expect(stored.interrupted).toBeUndefined();
    expect(exit).toBe(3);
  });
});

describe('many pages', () => {
  const many = Array.from({ length: 56 }, (_, i) => `${ORIGIN}/p${i + 1}`);
  const parts = async () => {
    await rm(at('shards'), { recursive: true });
    for (const index of [1, 2]) {
      await auditedShard(shardAt(index), `${index}/2`, { targets: many, runs: 1, format: ['html', 'json'] });
    }
  };

  it('are a file each, drawn from what was measured and not as a shard holds it', async () => {
    await parts();
    await mkdir(path.join(shardAt(2), 'pages'), { recursive: true });
    await writeFile(path.join(shardAt(2), 'pages', 'p2.html'), 'of a stranger');
    const { stored, report, files } = await joined(['html']);
    expect(stored.targets.map(({ target }) => target)).toEqual(many);
    expect(report.pages?.slice(0, 2)).toEqual(['pages/p1.html', 'pages/p2.html']);
    expect(files).toContain(at('merged', 'pages', 'p2.html'));
    expect(await readdir(at('merged', 'pages'))).toHaveLength(many.length);
    // The way back leads to the index of all.
    const page = await readFile(at('merged', 'pages', 'p2.html'), 'utf8');
    expect(page).toContain('../index.html');
    expect(page).not.toContain('of a stranger');
  });

  it('say which version measured them where it was another one', async () => {
    await parts();
    await rewrite<AuditResult>(shardAt(1), (result) => ({ ...result, tool: { ...result.tool, version: '0.0.1' } }));
    await rewrite<AuditResult>(shardAt(2), (result) => ({ ...result, tool: { ...result.tool, version: '0.0.1' } }));
    const { stored, warnings } = await joined(['html']);
    expect(stored.merged?.notes[0]).toMatch(/^Measured with Quiesce 0\.0\.1, joined with/);
    // No HAR was kept by any: ten lines say so, and one that there are more.
    expect(warnings).toHaveLength(11);
    expect(warnings.at(-1)).toBe('and 46 more such files');
  });
});

describe('results of audits that nobody wrote', () => {
  const broken = (change: (result: AuditResult) => unknown) =>
    rewrite<AuditResult>(shardAt(2), change).then(() =>
      merge({ dirs: [at('shards')], out: at('merged'), format: ['html'] }).then(
        () => undefined,
        (reason: unknown) => reason as Error & { code: string },
      ),
    );

  it('are refused, and what had been brought is taken back', async () => {
    const error = await broken(({ targets: all, ...rest }) => ({ ...rest, targets: [...all, { target: 'x' }] }));
    expect(error?.message).toMatch(/2.result\.json is not as Quiesce wrote it/);
    expect(existsSync(at('merged'))).toBe(false);
    const more = await broken(({ targets: all, ...rest }) => ({
      ...rest,
      targets: [...all.slice(0, 2), ...all.slice(0, 2)],
    }));
    expect(more?.message).toMatch(/it has 4 pages, and its share is 2/);
    expect(existsSync(at('merged'))).toBe(false);
  });

  it('are refused when a page of them is torn', async () => {
    const text = await readFile(path.join(shardAt(2), 'result.json'), 'utf8');
    await writeFile(path.join(shardAt(2), 'result.json'), text.replace('"role": "timed"', '"role": timed'));
    await expect(joined()).rejects.toMatchObject({ code: 'result-not-json' });
    expect(existsSync(at('merged'))).toBe(false);
  });

  it('name one file for two pages, and each keeps its own', async () => {
    await writeFile(path.join(shardAt(2), 'a-run-1.har'), 'of shard 2');
    await broken(({ targets: all, ...rest }) => ({
      ...rest,
      targets: all.map((page) => ({ ...page, runs: page.runs.map((run) => ({ ...run, har: 'a-run-1.har' })) })),
    }));
    const stored = await storedIn<AuditResult>(at('merged'));
    expect(stored.targets[1]?.runs.map(({ har }) => har)).toEqual(['2-a-run-1.har', '2-a-run-1.har', '2-a-run-1.har']);
    expect(await readFile(at('merged', '2-a-run-1.har'), 'utf8')).toBe('of shard 2');
    expect(await readFile(at('merged', 'a-run-1.har'), 'utf8')).not.toBe('of shard 2');
  });
});

describe('a trend', () => {
  const pages = async () => {
    const settings = { metric: ['page-complete'], by: 'time', format: ['json'] } as const;
    const { result } = await trend({ ...settings, paths: [folder], out: at('trend') });
    return { points: result.pages.map(({ points }) => points.length), skipped: result.skipped };
  };

  it('takes the pages of shards as they are', async () => {
    expect(await pages()).toEqual({ points: [1, 1, 1, 1, 1], skipped: [] });
  });

  it('counts them once when they were joined', async () => {
    await joined();
    const { points, skipped } = await pages();
    expect(points).toEqual([1, 1, 1, 1, 1]);
    expect(skipped.map(({ because }) => because)).toEqual(
      [1, 2, 3].map(() => expect.stringMatching(/^it is a part of .*merged.result\.json$/)),
    );
  });
});
