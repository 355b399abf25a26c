import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { metrics } from '../../../src/core/metrics/index.ts';
import { conditionChanges } from '../../../src/core/trend/conditions.ts';
import { measurementsOf } from '../../../src/core/trend/measurements.ts';
import { byCommit, byTime } from '../../../src/core/trend/order.ts';
import { pageNameOf } from '../../../src/core/trend/page-name.ts';
import { trendPages } from '../../../src/core/trend/pages.ts';
import type { Conditions } from '../../../src/model/host/conditions.ts';
import type { AuditResult, TargetResult } from '../../../src/model/result/result.ts';
import type { Measurement } from '../../../src/model/trend.ts';
import { conditionChangeInWords, trendInWords, trendSentence, trendVerdict } from '../../../src/wording/trend/trend.ts';
import { comparisonReport } from '../../reporters/comparison.ts';
import { auditOf, commitOf, measuredTarget, nightlyAudits, sourceOf } from '../../support/stored-results.ts';
import { webUrls } from '../../support/texts.ts';

const SHOWN = metrics.filter(({ name }) => ['pageComplete', 'largestContentfulPaint'].includes(name));
const measured = (results: readonly AuditResult[]): readonly Measurement[] =>
  results.flatMap((result, i) => measurementsOf(result, { result: `night-${i + 1}/result.json` }));

describe('the name under which results of a page are found', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/'],
    ['https://Shop.example:443/a?x=1&utm_source=mail&gclid=9#top', 'https://shop.example/a?x=1'],
    ['https://shop.example/a?_=1767225600000&v=3', 'https://shop.example/a?v=3'],
    ['https://shop.example/#/cart', 'https://shop.example/#/cart'],
    ['http://127.0.0.1:45123/shop/', 'http://127.0.0.1/shop/'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['http://10.0.0.1:45123/', 'http://10.0.0.1:45123/'],
    ['./dist/', 'dist'],
    ['dist', 'dist'],
    ['site\\dist', 'site/dist'],
    ['dist/index.html', 'dist'],
    ['/srv/site/', '/srv/site'],
    ['.', '.'],
  ])('%s is %s', (target, name) => {
    expect(pageNameOf(target, 'http://127.0.0.1:40000/')).toBe(name);
  });

  test('is the same whatever port a folder or this machine gave out, and a name of itself', () => {
    const port = fc.integer({ min: 32_768, max: 65_535 });
    const path = fc.webPath();
    fc.assert(
      fc.property(port, port, path, webUrls({ query: true }), (one, other, where, url) => {
        const at = (number: number) => pageNameOf(`http://127.0.0.1:${number}${where}`, '');
        expect(at(one)).toBe(at(other));
        expect(pageNameOf('./dist', `http://127.0.0.1:${one}/`)).toBe(
          pageNameOf('dist/', `http://127.0.0.1:${other}/`),
        );
        const name = pageNameOf(url, url);
        expect(pageNameOf(name, name)).toBe(name);
      }),
    );
  });
});

describe('grouping', () => {
  test('what Quiesce built itself is one page, whichever commit its name says', () => {
    const { result } = comparisonReport();
    const built = (commit: number) => {
      const candidate = { ...result.candidate, target: `work tree (${sourceOf(commit).commit.slice(0, 7)})` };
      const settings = { ...result.settings, baseRef: 'origin/main', dist: './dist' };
      return { ...result, settings, candidate, source: sourceOf(commit) };
    };
    const pages = [built(1), built(2)].flatMap((each) => measurementsOf(each, { result: 'r' })).map(({ page }) => page);
    expect([...new Set(pages)]).toEqual(['dist']);
  });

  test('every measurement is a point of one page, in the order given, and nothing is mutated', () => {
    const targets = fc.constantFrom('https://a.example/', 'https://b.example/', './dist', 'dist/');
    const results = fc.array(fc.array(targets, { maxLength: 3 }), { maxLength: 12 }).map((nights) =>
      nights.map((named, i) =>
        auditOf(
          named.map((target, k) => measuredTarget(target, [900 + i, 910 + k, 920])),
          { startedAt: new Date(Date.UTC(2026, 0, 1 + i)).toISOString() },
        ),
      ),
    );
    fc.assert(
      fc.property(results, (all) => {
        const measurements = measured(all);
        const copy = structuredClone(measurements);
        const pages = trendPages(measurements, SHOWN);
        expect(pages.flatMap(({ points }) => points)).toHaveLength(measurements.length);
        expect(new Set(pages.map(({ page }) => page)).size).toBe(pages.length);
        for (const { page, points, metrics: shown } of pages) {
          expect(points.map(({ at }) => at)).toEqual(
            measurements.filter((each) => each.page === page).map(({ at }) => at),
          );
          for (const { values, levels } of shown) {
            expect(values.map(({ point }) => point)).toEqual(points.map((_, i) => i));
            expect(levels.reduce((sum, { n }) => sum + n, 0)).toBe(values.length);
          }
        }
        expect(measurements).toEqual(copy);
      }),
      { numRuns: 60 },
    );
  });

  test('a page with one result has a level and nothing else', () => {
    const [page] = trendInWords(
      trendPages(measured([auditOf([measuredTarget('https://a.example/', [1000, 1010, 990])])]), SHOWN),
    );
    expect(page?.metrics[0]).toMatchObject({
      metric: 'pageComplete',
      values: [{ point: 0, n: 3, median: 1000, low: 990, high: 1010 }],
      levels: [{ from: 0, to: 0, n: 1, median: 1000 }],
      changes: [],
    });
  });

  test('a result in which no run was measured is a point without a value', () => {
    const failed = measuredTarget('https://a.example/', [1000]);
    const results = [
      auditOf([measuredTarget('https://a.example/', [1000])]),
      auditOf([{ ...failed, runs: failed.runs.map((run) => ({ ...run, ok: false, metrics: {} })) }]),
    ];
    const [page] = trendInWords(trendPages(measured(results), SHOWN));
    expect(page?.points).toMatchObject([
      { runs: 1, failed: 0 },
      { runs: 0, failed: 1 },
    ]);
    expect(page?.metrics[0]?.values).toHaveLength(1);
  });

  test('a step is a page of its own, and so is one that is loaded under other conditions, or under another name', () => {
    const load = measuredTarget('https://a.example/', [1000]);
    const under = (name: string, network?: string) => {
      const conditions: Conditions = {
        device: { name, width: 400, height: 800, deviceScaleFactor: 1, mobile: false, touch: false },
        cpu: 1,
        view: 'cold',
        ...(network !== undefined && { network: { name: network, latency: 150 } }),
      };
      return { ...conditions, sentence: `${name}, cold cache` };
    };
    const pagesOf = (...targets: readonly TargetResult[]) => measured([auditOf(targets)]).map(({ page }) => page);
    expect(pagesOf(load, { ...load, step: 'buy', name: 'buy' })).toEqual([
      'https://a.example/',
      'https://a.example/ › buy',
    ]);
    const desktop = { ...load, name: 'A', conditions: under('desktop') };
    const phone = { ...load, name: 'B', conditions: under('phone', '3g') };
    expect(pagesOf(desktop)).toEqual(['https://a.example/']);
    expect(pagesOf(desktop, phone)).toEqual([
      'https://a.example/ (desktop, cold cache)',
      'https://a.example/ (phone, cold cache)',
    ]);
    expect(pagesOf(desktop, { ...desktop, name: 'C' })).toEqual(['https://a.example/ (A)', 'https://a.example/ (C)']);
    // What the page itself was loaded under is its condition, whatever the audit says.
    const [own] = measured([auditOf([phone], { settings: { device: 'desktop', network: 'none', pages: [{}] } })]);
    expect(own?.conditions).toMatchObject({ device: 'phone', network: '3g', cpu: 1, view: 'cold' });
    expect(own?.conditions).not.toHaveProperty('pages');
  });

  test('what is loaded under other conditions in turns has a history for each, and a change of them is one in the history', () => {
    const load = measuredTarget('https://a.example/', [1000]);
    const night = (name: string): AuditResult => {
      const device = { name, width: 400, height: 800, deviceScaleFactor: 1, mobile: false, touch: false };
      return auditOf([{ ...load, conditions: { device, cpu: 1, view: 'cold', sentence: `${name}, cold cache` } }]);
    };
    const pagesOf = (...names: readonly string[]) =>
      trendPages(measured(names.map(night)), SHOWN).map(({ page, points }) => [page, points.length]);
    expect(pagesOf('desktop', 'phone', 'desktop', 'phone')).toEqual([
      ['https://a.example/ (desktop, cold cache)', 2],
      ['https://a.example/ (phone, cold cache)', 2],
    ]);
    expect(pagesOf('desktop', 'desktop', 'phone')).toEqual([['https://a.example/', 3]]);
    expect(pagesOf('desktop', 'phone', 'desktop', 'desktop')).toEqual([['https://a.example/', 4]]);
  });

  test('runs that do not count are left out', () => {
    const target = measuredTarget('https://a.example/', [1000, 5000, 6000, 7000]);
    const [counting, excluded, evidence, failed] = target.runs;
    if (!counting || !excluded || !evidence || !failed) throw new Error('there are four');
    const runs = [
      counting,
      { ...excluded, excluded: 'its block failed' },
      { ...evidence, role: 'evidence' as const },
      { ...failed, ok: false },
    ];
    const [measurement] = measured([auditOf([{ ...target, runs }])]);
    expect(measurement).toMatchObject({ runs: [{ pageComplete: 1000 }], failed: 1 });
    const [untimed] = measured([auditOf([{ ...target, runs: [{ ...failed, role: 'evidence' as const, ok: false }] }])]);
    expect(untimed).toMatchObject({ runs: [], failed: 1 });
  });
});

describe('comparisons', () => {
  const { result } = comparisonReport();
  const place = { result: 'x/result.json' };

  test('the candidate counts, its base only where it is known to be another commit', () => {
    expect(measurementsOf(result, place).map(({ build }) => build)).toEqual(['candidate']);
    const known = { ...result, source: sourceOf(2), base: { ...result.base, source: sourceOf(1) } };
    const [base, candidate] = measurementsOf(known, place);
    expect(base).toMatchObject({ build: 'base', source: sourceOf(1) });
    expect(candidate).toMatchObject({ build: 'candidate', source: sourceOf(2) });
    expect(base?.page).toBe(candidate?.page);
    const same = { ...known, base: { ...result.base, source: sourceOf(2) } };
    expect(measurementsOf(same, place)).toHaveLength(1);
  });
});

describe('order', () => {
  const at = (night: number, commit?: string): Measurement => {
    const [measurement] = measured([
      auditOf([measuredTarget('https://a.example/', [night])], {
        startedAt: new Date(Date.UTC(2026, 0, 1 + night)).toISOString(),
      }),
    ]);
    if (!measurement) throw new Error('there is one');
    return { ...measurement, ...(commit !== undefined && { source: { commit } }) };
  };
  const nightsOf = (all: readonly Measurement[]) => all.map(({ runs }) => runs[0]?.pageComplete);

  test('by time', () => {
    expect(nightsOf(byTime([at(3), at(1), at(2)]))).toEqual([1, 2, 3]);
  });

  test('by commit: repeated measurements come together, unknown commits stay where they were', () => {
    const commits = [commitOf(1), commitOf(2), commitOf(3)];
    const all = [at(1, commitOf(2)), at(2, commitOf(3)), at(3), at(4, commitOf(1)), at(5, commitOf(3).slice(0, 8))];
    expect(nightsOf(byCommit(all, commits))).toEqual([4, 1, 2, 3, 5]);
  });
});

describe('conditions', () => {
  const change = (before: Partial<AuditResult>, after: Partial<AuditResult>) =>
    conditionChanges(
      measured([before, after].map((over) => auditOf([measuredTarget('https://a.example/', [1000, 1000])], over))),
    ).map(conditionChangeInWords);

  it.each<[string, Partial<AuditResult>, object[]]>([
    ['a new browser', { browser: { product: 'Chrome/141' } }, [{ what: 'browser', after: 'Chrome/141' }]],
    ['another Quiesce', { tool: { name: 'quiesce', version: '0.2.0' } }, [{ what: 'Quiesce', after: '0.2.0' }]],
    [
      'a longer quiet window',
      { settings: { runs: 5, quietWindow: 5000 } },
      [{ what: 'quiet window', before: '3.00 s' }],
    ],
    ['more runs', { settings: { runs: 9, quietWindow: 3000 } }, [{ what: 'runs', before: '5', after: '9' }]],
    [
      'a network that did not exist before',
      { settings: { runs: 5, quietWindow: 3000, network: 'slow-4g' } },
      [{ what: 'network', before: 'not set', after: 'slow-4g' }],
    ],
    ['a folder for the results', { settings: { runs: 5, quietWindow: 3000, out: 'x' } }, []],
  ])('%s', (_, after, found) => {
    expect(
      change({ settings: { runs: 5, quietWindow: 3000 } }, { settings: { runs: 5, quietWindow: 3000 }, ...after }),
    ).toMatchObject(found);
  });

  test('a machine that was busy in most runs', () => {
    const target = measuredTarget('https://a.example/', [1000, 1000, 1000]);
    const busy = target.runs.map((run, i) => ({
      ...run,
      host: { verdict: i > 0 ? 'unfit' : 'fit', reasons: [] } as const,
    }));
    const changes = conditionChanges(measured([auditOf([target]), auditOf([{ ...target, runs: busy }])]));
    expect(changes.map(conditionChangeInWords)).toEqual([
      { point: 1, what: 'machine', before: 'free', after: 'busy with something else' },
    ]);
  });
});

describe('what is said', () => {
  const slower = { target: 'https://slow.example/', level: (night: number) => (night >= 20 ? 1300 : 1000) };
  const faster = { target: 'https://fast.example/', level: (night: number) => (night >= 20 ? 800 : 1000) };
  const calm = { target: 'https://calm.example/', level: () => 1000 };
  const quiet = { nightly: 0.01, spread: 0.01 };
  const results = nightlyAudits(
    [calm, faster, slower].map((page) => ({ ...page, ...quiet })),
    30,
    (night) => ({ source: sourceOf(night), browser: { product: night >= 21 ? 'Chrome/141' : 'Chrome/140' } }),
  );
  const pages = trendInWords(trendPages(measured(results), SHOWN));

  test('what became worse comes first, then what became better, then the calm', () => {
    expect(pages.map(({ page }) => page)).toEqual([
      'https://slow.example/',
      'https://fast.example/',
      'https://calm.example/',
    ]);
    expect(trendSentence(pages, 30)).toMatch(
      /^1 of 3 pages slower, 1 faster, in 30 results\. https:\/\/slow\.example\/: Page complete is \d+% slower since 21 Jan 2026, 03:15 UTC, /,
    );
    expect(trendSentence(pages.slice(2), 30)).toBe('No change in 30 results of 1 page.');
    expect(trendSentence(trendInWords(trendPages(measured(results.slice(0, 5)), SHOWN)), 5)).toBe(
      'Too few results to find a change: 5 results of 3 pages.',
    );
    expect(trendSentence(pages.slice(0, 1), 30)).toMatch(
      /^https:\/\/slow\.example\/: Page complete is 29% slower since 21 .+ \(.+\): [\d.]+ s instead of [\d.]+ s\./,
    );
  });

  test('a change names the subject of its commit, cut and harmless', () => {
    const history = trendPages(measured(results), SHOWN).map((page) => ({
      ...page,
      points: page.points.map((point) => ({ ...point, subject: `Load \u202e${'the hero first '.repeat(9)}` })),
    }));
    const [change] = trendInWords(history)[0]?.metrics[0]?.changes ?? [];
    expect(change?.sentence).toMatch(/, commit 0981165 “Load \[U\+202E\]the hero first [^”]{1,40}” \(/);
  });

  test('what all pages came to is a word', () => {
    const words = [pages, pages.slice(1), pages.slice(2), []].map(trendVerdict);
    expect(words.map(({ tone, word }) => `${tone}: ${word}`)).toEqual([
      'worse: Slower',
      'better: Faster',
      'same: No change',
      'same: No change',
    ]);
  });

  test('a change is told with its size, its moment and what else changed about then', () => {
    const [change] = pages[0]?.metrics[0]?.changes ?? [];
    expect(change).toMatchObject({ point: 20, direction: 'worse' });
    expect(change?.sentence).toMatch(
      /^Page complete is (29|30|31)% slower since 21 Jan 2026, 03:15 UTC, commit [0-9a-f]{7} \(\d+% to \d+%\): 1\.\d\d s instead of (1\.\d\d s|\d+ ms)\. The conditions changed at about the same time: browser: Chrome\/140 before, Chrome\/141 since\.$/,
    );
    expect(pages[1]?.metrics[0]?.changes[0]?.sentence).toMatch(/^Page complete is (19|20|21)% faster since/);
  });

  test('the last result alone is no change, and is told', () => {
    const ending = nightlyAudits([{ ...slower, ...quiet, level: (night) => (night === 29 ? 1500 : 1000) }], 30);
    const [metric] = trendInWords(trendPages(measured(ending), SHOWN))[0]?.metrics ?? [];
    expect(metric?.changes).toEqual([]);
    expect(metric?.pending?.sentence).toMatch(
      /^The last result, of 30 Jan 2026, 03:15 UTC, differs: page complete is \d+% slower/,
    );
  });

  test('a metric that can be 0 is told in its unit', () => {
    const cls = metrics.filter(({ name }) => name === 'cumulativeLayoutShift');
    const shifted = nightlyAudits([{ ...calm, ...quiet }], 12).map((result, night) => ({
      ...result,
      targets: result.targets.map((target) => ({
        ...target,
        runs: target.runs.map((run) => ({
          ...run,
          metrics: { ...run.metrics, cumulativeLayoutShift: night >= 6 ? 0.2 : 0 },
        })),
      })),
    }));
    const [change] = trendInWords(trendPages(measured(shifted), cls))[0]?.metrics[0]?.changes ?? [];
    expect(change?.sentence).toMatch(/^Cumulative layout shift is 0\.200 worse since 7 Jan 2026/);
    expect(change?.relative).toBeUndefined();
  });
});
