import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { comparisonReport } from '../../reporters/comparison.ts';
import { folderForEach } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';
import { type TrendOptions, trend } from '../../support/jobs.ts';
import { isStoredResult } from '../../support/result-schema.ts';
import { auditOf, measuredTarget, nightlyAudits, sourceOf, storeResults } from '../../support/stored-results.ts';

const folder = folderForEach('trend');

const settings = (over: Partial<TrendOptions> = {}): TrendOptions => ({
  paths: [path.join(folder(), 'nights')],
  out: path.join(folder(), 'out'),
  by: 'time',
  metric: ['page-complete', 'LCP'],
  format: ['html', 'json', 'csv'],
  ...over,
});
const nights = () => path.join(folder(), 'nights');
const shop = { target: 'https://shop.example/', level: (night: number) => (night >= 12 ? 1300 : 1000), nightly: 0.01 };

describe('reading', () => {
  it('puts nights in order, marks the change and links to each report', async () => {
    await storeResults(nights(), nightlyAudits([shop], 20, (night) => ({ source: sourceOf(night) })).toReversed());
    const { result, files, exit, warnings } = await trend(settings());
    expect([exit, warnings]).toEqual([0, []]);
    expect(files.map((file) => path.basename(file))).toEqual(['index.html', 'trend.json', 'trend.csv']);
    const [page] = result.pages;
    expect(page?.points.map(({ at }) => at.slice(8, 10))).toEqual(
      Array.from({ length: 20 }, (_, i) => String(i + 1).padStart(2, '0')),
    );
    expect(page?.points[0]).toMatchObject({
      result: '../nights/night-20/result.json',
      report: '../nights/night-20/index.html',
      source: sourceOf(0),
      runs: 5,
    });
    expect(page?.metrics.map(({ metric, changes }) => [metric, changes.map(({ point }) => point)])).toEqual([
      ['pageComplete', [12]],
      ['largestContentfulPaint', [12]],
    ]);
    expect(await readFile(path.join(folder(), 'out', 'index.html'), 'utf8')).toContain(
      'href="../nights/night-20/index.html"',
    );
  });

  it('shows own metrics, as the results define them', async () => {
    const own = { name: 'cartItems', from: 'js:cart.length', unit: 'count', better: 'higher' } as const;
    const audits = nightlyAudits([shop], 14).map((audit, night): AuditResult => {
      const targets = audit.targets.map((target) => ({
        ...target,
        ownMetrics: [own],
        runs: target.runs.map((run) => ({ ...run, metrics: { ...run.metrics, cartItems: night < 8 ? 40 : 20 } })),
      }));
      return { ...audit, targets };
    });
    await storeResults(nights(), audits);
    const { result } = await trend(settings({ metric: ['cart-items'] }));
    const [items] = result.pages[0]?.metrics ?? [];
    expect(items).toMatchObject({ metric: 'cartItems', title: 'Cart items', unit: 'count' });
    expect(items?.changes).toMatchObject([{ point: 8, direction: 'worse' }]);
    expect(await readFile(path.join(folder(), 'out', 'trend.csv'), 'utf8')).toContain('cartItems');
    await expect(trend(settings({ metric: ['cart'] }))).rejects.toThrow(/unknown metric "cart".*cart-items/);
  });

  it('writes what the published schema describes', async () => {
    await storeResults(nights(), nightlyAudits([shop], 14));
    await trend(settings());
    const written = JSON.parse(await readFile(path.join(folder(), 'out', 'trend.json'), 'utf8')) as object;
    expect(isStoredResult(written), JSON.stringify(isStoredResult.errors)).toBe(true);
    const csv = await readFile(path.join(folder(), 'out', 'trend.csv'), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(1 + 14 * 2 + 1);
  });

  it('names what does not count, in one line each, and goes on', async () => {
    const [good] = nightlyAudits([shop], 1);
    await storeResults(nights(), [
      good,
      { ...good, version: 2, startedAt: '2026-02-01T00:00:00.000Z' },
      { ...good, kind: 'analysis' },
      { ...good, tool: { name: 'other', version: '1' } },
      { ...good, startedAt: 'yesterday' },
      { ...good, targets: [{ target: 1 }] },
      good,
      { ...good, startedAt: '2026-02-02T00:00:00.000Z', targets: [] },
      [],
    ]);
    await mkdir(path.join(nights(), 'cut'));
    await writeFile(path.join(nights(), 'cut', 'result.json'), '{"version": 1,');
    const { result, warnings } = await trend(settings());
    expect(result.pages[0]?.points).toHaveLength(1);
    const reasons = result.skipped.map(({ because }) => because).join('\n');
    expect(result.skipped).toHaveLength(9);
    for (const { code, reason } of result.skipped) expect(reason?.code).toBe(code);
    for (const reason of [
      /in version 2, which this version of Quiesce cannot read/,
      /contains no measured pages: its kind is "analysis"/,
      /is not a result of Quiesce/,
      /startedAt: Invalid ISO datetime/,
      /targets\.0\.target: /,
      /a copy of .*night-1/,
      /nothing was measured in it/,
      /is not JSON/,
    ]) {
      expect(reasons).toMatch(reason);
    }
    expect(warnings).toHaveLength(9);
    for (const line of warnings) expect(line).not.toMatch(/\n/);
  });

  it('draws no figures that cannot be', async () => {
    const odd = [1e308, 1e308, 1e308, 1e308, -1e308, 2e12, 1e-320].map((pageComplete, i): AuditResult => {
      const page = measuredTarget(shop.target, [1000, 1100]);
      const runs = page.runs.map((run) => ({ ...run, metrics: { pageComplete } }));
      return auditOf([{ ...page, runs }], { startedAt: `2026-02-0${i + 1}T00:00:00.000Z` });
    });
    await storeResults(nights(), [...nightlyAudits([shop], 3), ...odd]);
    const { result, warnings } = await trend(settings());
    expect(await readFile(path.join(folder(), 'out', 'index.html'), 'utf8')).not.toMatch(/NaN|Infinity/);
    expect(result.pages[0]?.points).toHaveLength(4);
    expect(warnings).toEqual(Array(6).fill(expect.stringContaining('metrics.pageComplete')));
  });

  it('reads files that are named, comparisons, and a folder that is named twice, each once', async () => {
    const { result: compared } = comparisonReport();
    const base = { ...compared.base, source: sourceOf(1) };
    await storeResults(nights(), [{ ...compared, source: sourceOf(2), base }]);
    const file = path.join(nights(), 'night-1', 'result.json');
    const { result } = await trend(settings({ paths: [file, nights(), file] }));
    expect(result.pages).toHaveLength(1);
    expect(result.pages[0]?.points.map(({ build, source }) => [build, source?.commit])).toEqual([
      ['base', sourceOf(1).commit],
      ['candidate', sourceOf(2).commit],
    ]);
  });

  it('does not walk in circles, nor into evidence or packages', async () => {
    await storeResults(nights(), nightlyAudits([shop], 1));
    for (const below of ['node_modules', 'evidence', '.git']) {
      await storeResults(path.join(nights(), below), [auditOf([measuredTarget('https://other.example/', [1])])]);
    }
    await symlink(nights(), path.join(nights(), 'again'));
    const { result } = await trend(settings());
    expect(result.pages.map(({ page }) => page)).toEqual(['https://shop.example/']);
  });

  it('follows no link out of a folder, neither to a result nor to its page', async () => {
    await storeResults(nights(), nightlyAudits([shop], 2));
    const [first = '', second = ''] = (await readdir(nights())).toSorted();
    await storeResults(path.join(folder(), 'private'), [auditOf([measuredTarget('https://other.example/', [1])])]);
    const [secret = ''] = await readdir(path.join(folder(), 'private'));
    for (const [night, name] of [
      [first, 'result.json'],
      [second, 'index.html'],
    ] as const) {
      await rm(path.join(nights(), night, name));
      await symlink(path.join(folder(), 'private', secret, name), path.join(nights(), night, name));
    }
    const { result } = await trend(settings());
    expect(result.pages.map(({ page, points }) => [page, points.map(({ report }) => report)])).toEqual([
      ['https://shop.example/', [undefined]],
    ]);
  });

  it.each([
    ['nothing named', { paths: [] }, /Missing argument: where the results are/],
    ['nothing there', { paths: ['/no/such/folder'] }, /cannot be read: there is no such file or folder/],
    ['no result', {}, /No result of an audit, a comparison or a capacity in .*nights\. Choose a folder/],
    ['an unknown metric', { metric: ['Speed!'] }, /metric: unknown metric "Speed!"/],
  ] as const)('%s is one line', async (_, over, line) => {
    await mkdir(nights());
    await expect(trend(settings(over))).rejects.toThrow(line);
    expect(await readdir(folder())).toEqual(['nights']);
  });

  it('does not write over the report of a result', async () => {
    await storeResults(nights(), nightlyAudits([shop], 1));
    const out = path.join(nights(), 'night-1');
    await expect(trend(settings({ out }))).rejects.toThrow(/already contains another report/);
    expect((await readdir(out)).toSorted()).toEqual(['index.html', 'result.json']);
  });
});

describe('order of commits', () => {
  it('is that of the repository here, else that of time, which is said', async () => {
    const repository = path.join(folder(), 'repository');
    await mkdir(repository);
    await gitIn(repository, 'init', '-q');
    const [older, newer] = [await commitIn(repository, 'one'), await commitIn(repository, 'two')];
    const commits = [newer, older];
    await storeResults(
      nights(),
      nightlyAudits([shop], 2, (night) => ({ source: { commit: commits[night] ?? '' } })),
    );
    const ordered = (await trend(settings({ by: 'commit' }), { repository })).result;
    expect(ordered.order).toBe('commit');
    expect(ordered.pages[0]?.points.map(({ source }) => source?.commit)).toEqual([older, newer]);
    const elsewhere = await trend(settings({ by: 'commit' }), { repository: folder() });
    expect(elsewhere.warnings).toEqual([expect.stringMatching(/this repository does not have their commits/)]);
    await rm(nights(), { recursive: true });
    await storeResults(nights(), nightlyAudits([shop], 2));
    const { result, warnings } = await trend(settings({ by: 'commit' }), { repository });
    expect([result.order, warnings]).toEqual([
      'time',
      ['The results are in the order of time: no result names a commit.'],
    ]);
  });
});

it('copies of a folder count once', async () => {
  await storeResults(nights(), nightlyAudits([shop], 3));
  await cp(path.join(nights(), 'night-3'), path.join(nights(), 'latest'), { recursive: true });
  const { result } = await trend(settings());
  expect(result.pages[0]?.points).toHaveLength(3);
});
