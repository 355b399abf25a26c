import type { Coverage, CoverageChangesFacts } from '../../src/model/coverage.ts';
import type { Interaction, LongFrame } from '../../src/model/metrics/metrics.ts';
import type { AuditReport, CompareReport, TargetReport } from '../../src/model/result/report.ts';
import type { BackgroundEndpoint, Finding, HostResult, RunResult } from '../../src/model/result/result.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import { coverageChangesInWords } from '../../src/wording/coverage.ts';
import { shopPath } from './breakdown.ts';
import { failed, requests, SHOWN } from './broken-example.ts';
import { comparisonReport } from './comparison.ts';
import {
  analysisReport,
  examplePage,
  exampleReport,
  exampleWith,
  failedReport,
  neverReport,
  reportOf,
  singleRunReport,
  sketchesOf,
} from './example-report.ts';
import { CLICK, FRAME } from './interaction-example.ts';
import { joinedShards, PART, WHOLE } from './joined.ts';
import { BUDGETS, labComparison, labPage, labPageReport, labReport } from './lab-example.ts';

const LOGIN: Finding = {
  code: 'login-page',
  message: 'The page is a login page',
  urls: [],
  facts: { asked: 'https://shop.example/account', url: 'https://shop.example/login', isBroken: false },
};

export const BUSY: HostResult = {
  verdict: 'unfit',
  busyByOthers: 0.62,
  steal: 0.07,
  pressure: { cpu: 0.3, io: 0.2 },
  reasons: ['other programs used 62% of the CPU'],
};

/** The example without its failed run; `change` is asked of each timed run. */
export const measured = (change: (run: RunResult) => Partial<RunResult> = () => ({})): AuditReport =>
  exampleWith(({ runs }) => ({
    runs: runs.filter(({ ok }) => ok).map((run) => (run.role === 'timed' ? { ...run, ...change(run) } : run)),
  }));

/** The example with other things in its result. */
export const audited = (over: Partial<AuditReport['result']>): AuditReport => {
  const report = exampleReport();
  return { ...report, result: { ...report.result, ...over } };
};
export const compared = (over: Partial<CompareReport['result']>): CompareReport => {
  const report = comparisonReport();
  return { ...report, result: { ...report.result, ...over } };
};

/** The example with an interaction in each timed run, as a step where there is a frame. */
export function withInteraction(interaction: Interaction | undefined, longestFrame?: LongFrame): AuditReport {
  const more = { ...(interaction && { interaction }), ...(longestFrame && { longestFrame }) };
  return exampleWith(({ runs, representative }) => ({
    ...(longestFrame && { step: 'buy' }),
    runs: runs.map((run) => (run.role === 'timed' ? { ...run, ...more } : run)),
    ...(representative && { representative: { ...representative, ...more } }),
  }));
}

/** The interactions of two builds, of which that of the candidate takes longer. */
export function withTwoInteractions(decision: 'slower' | 'same'): CompareReport {
  const whole = comparisonReport();
  const [first] = whole.result.comparisons;
  const own = (target: TargetReport, interaction: Interaction): TargetReport => ({
    ...target,
    result: { ...target.result, runs: target.result.runs.map((run) => ({ ...run, interaction })) },
  });
  const comparisons = first ? [{ ...first, metric: 'interactionToNextPaint', decision }] : [];
  return {
    ...whole,
    result: { ...whole.result, comparisons: [...comparisons, ...whole.result.comparisons] },
    base: own(whole.base, { ...CLICK, duration: 40, processing: 20, scripts: [] }),
    candidate: own(whole.candidate, CLICK),
  };
}

export const COVERAGE: Coverage = {
  until: 1_160,
  scripts: { bytes: 100_000, unused: 60_000 },
  styles: { bytes: 20_000, unused: 5_000 },
  files: [
    {
      kind: 'script',
      url: 'https://cdn.test/<b>vendor.js',
      party: 'cdn.test',
      thirdParty: true,
      bytes: 80_000,
      unused: 60_000,
      functions: [{ name: 'openDialog', line: 12, column: 1, bytes: 900 }],
      unusedByPackage: [{ package: 'tiny-chart', bytes: 700 }],
    },
    {
      kind: 'style',
      url: 'https://shop.test/',
      party: 'shop.test',
      thirdParty: false,
      inline: true,
      bytes: 9_000,
      unused: 5_000,
    },
  ],
};

/** More of the scripts is unused in the candidate. */
export const MORE_UNUSED: CoverageChangesFacts = {
  scripts: { base: { bytes: 50_000, unused: 14_000 }, candidate: { bytes: 80_000, unused: 42_000 } },
  styles: { base: { bytes: 0, unused: 0 }, candidate: { bytes: 0, unused: 0 } },
  files: [
    {
      kind: 'script',
      name: '/assets/<b>vendor.*.js',
      url: 'https://shop.test/assets/<b>vendor.9c0d1e2f.js',
      base: { bytes: 40_000, unused: 10_000 },
      candidate: { bytes: 70_000, unused: 38_000 },
    },
  ],
};

/** A comparison that two machines shared, without one block. */
export function onTwoMachines(): CompareReport {
  const report = comparisonReport();
  const own = ({ result, ...build }: TargetReport): TargetReport => {
    const runs = result.runs.filter(({ block }) => block !== 4);
    const placed = runs.map((run) => (run.block === undefined ? run : { ...run, machine: 1 + (run.block % 2) }));
    return { ...build, result: { ...result, runs: placed } };
  };
  return { ...report, base: own(report.base), candidate: own(report.candidate) };
}

/** A comparison whose candidate shows an error. */
export function withBrokenCandidate(): CompareReport {
  const report = comparisonReport({ outcome: 'same' });
  const runs = report.result.candidate.runs.map((run) => ({ ...run, findings: [SHOWN] }));
  const result = { ...report.result.candidate, runs };
  return {
    ...report,
    result: { ...report.result, candidate: result },
    candidate: { ...report.candidate, result },
  };
}

/** A phone that had another network in two of its runs. */
function offTheNetwork(code: 'network-conditions-off' | 'network-limit-exceeded'): AuditReport {
  const off = { code, message: 'This run did not get the network slow-4g.', urls: [] };
  const page = labPage();
  const runs = page.runs.map((run) => (run.index === 2 || run.index === 4 ? { ...run, findings: [off] } : run));
  return reportOf({ ...page, runs });
}

const withSettings = (report: AuditReport, settings: object): AuditReport => ({
  ...report,
  result: { ...report.result, settings: { ...report.result.settings, ...settings } },
});
function withoutFilm(settings: object): AuditReport {
  const { evidence: _, ...page } = examplePage();
  return withSettings(reportOf(page), settings);
}

/** Fixes, not in the order in which they are told. */
export const FIXES: readonly Finding[] = (
  [
    ['redirect', 40],
    ['slow-server', 383],
    ['short-cache', 0],
    ['no-compression', 120],
    ['late-discovery', 90],
  ] as const
).map(([code, savesMs]) => ({ code, savesMs, message: `What ${code} is.`, urls: [] }));

/** Pages that took turns, by the names that the user gave them. */
export function namedPages(...names: readonly string[]): AuditReport {
  const [page] = sketchesOf(singleRunReport());
  if (page === undefined) throw new Error('the example has a page');
  const pages = names.map((name) => ({
    ...page,
    runs: page.runs.map((run) => ({ ...run, order: 0 })),
    name,
    url: `https://shop.example/${name}`,
  }));
  const report = reportOf(...pages);
  return { ...report, result: { ...report.result, notes: ['The sitemap names 40 pages; the first 25 were taken.'] } };
}

const elsewhere = {
  verdict: 'unknown',
  driver: 'busy',
  reasons: ['the browser runs on another machine'],
} as const;

/** Examples of a kind: the usual one, which is read as a whole, and what is read beside it. */
interface Examples<Report> {
  readonly usual: () => Report;
  readonly others: Readonly<Record<string, () => Report>>;
}

const found = (findings: readonly Finding[], only?: number) => (): AuditReport =>
  exampleWith(({ runs }) => ({
    runs: runs.map((run) =>
      run.role === 'timed' && run.ok && (only ?? run.index) === run.index ? { ...run, findings } : run,
    ),
  }));

const AUDITS: Examples<AuditReport> = {
  usual: exampleReport,
  others: {
    'a broken page': found([SHOWN, requests(failed('/api/items', {}))]),
    'a failed request': found([requests(failed('/banner.png', { type: 'image', status: 404, isNeeded: false }))]),
    'a login page': found([LOGIN]),
    'a failed request in one run': found([requests(failed('/api/items', {}))], 2),
    'all runs failed': failedReport,
    'one run': singleRunReport,
    'never complete': neverReport,
    'ended early': () => audited({ interrupted: true }),
    'a busy machine in one run': () => measured(({ index }) => (index === 2 ? { host: BUSY } : {})),
    'a busy machine in the untimed run': () =>
      exampleWith(({ runs }) => ({
        runs: runs.map((run) => (run.role === 'evidence' ? { ...run, host: BUSY } : run)),
      })),
    'a machine that tells nothing': () => measured(() => ({ host: { verdict: 'unknown', reasons: [] } })),
    'a browser on another machine': () => {
      const report = measured(({ index }) => ({ host: index < 3 ? elsewhere : { ...elsewhere, driver: 'free' } }));
      const browser = { product: 'Chrome/1', elsewhere: true, notes: ['Started without <b>--disable-quic</b>.'] };
      return { ...report, result: { ...report.result, browser } };
    },
    'a run that was repeated': () =>
      measured(({ index }) => (index === 1 ? { repeatedBecause: ['the host was busy'], attempts: 2 } : {})),
    'the untimed run failed': () =>
      exampleWith(({ runs }) => ({
        runs: runs
          .filter(({ ok }) => ok)
          .map((run) => {
            const failure = { code: 'browser-died', message: 'The browser died.' };
            return run.role === 'evidence' ? { ...run, ok: false, failure } : run;
          }),
      })),
    'what looks different without the suspects': () =>
      exampleWith(({ evidence }) => {
        if (evidence?.ablation === undefined) throw new Error('the example has evidence');
        return {
          evidence: { ...evidence, ablation: { ...evidence.ablation, same: false, sentence: 'It is different.' } },
        };
      }),
    'no film': () => withoutFilm({}),
    'no film was asked for': () => withoutFilm({ evidence: false }),
    'no suspects were blocked': () => {
      const { ablation: _, ...evidence } = examplePage().evidence ?? {
        watchedUntil: 0,
        watchedBecause: '',
        pictures: [],
      };
      return withSettings(
        exampleWith(() => ({ evidence })),
        { ablation: false },
      );
    },
    'the filmed page was never complete': () =>
      exampleWith(({ runs }) => ({
        runs: runs.map((run) =>
          run.role === 'evidence' && run.pageComplete
            ? { ...run, pageComplete: { ...run.pageComplete, state: 'never' } }
            : run,
        ),
      })),
    interactions: () => withInteraction(CLICK),
    'a step with its longest frame': () => withInteraction(CLICK, FRAME),
    'unused code': () => exampleWith(() => ({ coverage: COVERAGE })),
    fixes: () =>
      exampleWith(({ runs, representative }) => ({
        runs: runs.map((run) => (run.ok ? { ...run, findings: FIXES } : run)),
        ...(representative && { representative: { ...representative, findings: FIXES } }),
      })),
    'more background endpoints than are shown': () =>
      exampleWith(({ background: [model] }) => ({
        background: Array.from({ length: 40 }, (_, i) => ({
          ...(model as BackgroundEndpoint),
          endpoint: `GET https://shop.example/b${i}`,
        })),
      })),
    'what nobody can price': () =>
      exampleWith(({ background }) => ({
        background: background.map(({ cost: _, countedState: _state, ...endpoint }) => endpoint),
      })),
    'two named pages': () => namedPages('Home', 'Basket'),
    'shards, joined': () => audited({ merged: WHOLE }),
    'shards, of which one is missing': () => audited({ merged: joinedShards() }),
    'one shard': () => audited({ shard: PART }),
  },
};

/** A page as a phone finds it, with budgets and Lighthouse. */
const PHONES: Examples<AuditReport> = {
  usual: labPageReport,
  others: {
    'two steps': labReport,
    'few runs and a budget': () =>
      reportOf({
        ...labPage(),
        runs: labPage()
          .runs.filter(({ role, ok }) => role === 'timed' && ok)
          .slice(0, 3),
        budgets: BUDGETS.slice(0, 1),
      }),
    'Lighthouse failed': () => {
      const page = labPage();
      const message = 'Lighthouse found no paint.';
      const run = { index: 1, ok: false, failure: { code: 'lighthouse-failed', message }, warnings: [] };
      const nothing = { categories: {}, metrics: {}, opportunities: [] };
      return reportOf({
        ...page,
        ...(page.lighthouse && { lighthouse: { ...page.lighthouse, ...nothing, runs: [{ ...run, ...nothing }] } }),
      });
    },
    'a network that was not as asked for': () => offTheNetwork('network-conditions-off'),
    'more than the network allows': () => offTheNetwork('network-limit-exceeded'),
  },
};

const COMPARISONS: Examples<CompareReport> = {
  usual: () => comparisonReport(),
  others: {
    'blocks that do not count': () => comparisonReport({ dropped: 2 }),
    faster: () => comparisonReport({ outcome: 'faster', unchanged: true }),
    'the same': () => comparisonReport({ outcome: 'same' }),
    undecided: () => comparisonReport({ outcome: 'unsure', blocks: 20 }),
    'without a bound': () => comparisonReport({ outcome: 'unsure', blocks: 2, unbounded: 'both' }),
    'not valid': () => comparisonReport({ outcome: 'invalid' }),
    'two different pages': () => comparisonReport({ different: true }),
    'ended early': () => comparisonReport({ interrupted: true }),
    'nothing measured': () => comparisonReport({ empty: true }),
    'other background traffic': () =>
      compared({
        pageDifferences: [{ code: 'background', message: 'The builds differ in their background traffic.' }],
      }),
    'two machines': onTwoMachines,
    'a busy machine': () =>
      compared({
        host: {
          ...comparisonReport().result.host,
          verdict: 'unfit',
          sentence: 'The machine was busy in 20 of 20 loads.',
        },
      }),
    'a candidate over its budget': () => {
      const report = comparisonReport({ outcome: 'same' });
      return {
        ...report,
        candidate: { ...report.candidate, result: { ...report.candidate.result, budgets: BUDGETS } },
      };
    },
    'a broken candidate': withBrokenCandidate,
    'critical paths': () => {
      const report = comparisonReport();
      const own = (side: TargetReport, rest: number): TargetReport =>
        side.representative === undefined
          ? side
          : { ...side, representative: { ...side.representative, criticalPath: { ...shopPath, rest } } };
      return { ...report, base: own(report.base, 10), candidate: own(report.candidate, 143) };
    },
    interactions: () => withTwoInteractions('slower'),
    'unused code': () => compared({ coverage: coverageChangesInWords(MORE_UNUSED) }),
    'shards, joined': () => compared({ merged: WHOLE }),
    'shards, of which one is missing': () => compared({ merged: joinedShards() }),
    'one shard': () =>
      compared({
        shard: PART,
        decision: 'unsure',
        sentence:
          'Shard 2 of 4: 10 of 40 pairs of loads. This is only a part of the answer: "quiesce merge" joins the shards and decides.',
        failedGates: [],
      }),
    'a phone with budgets and Lighthouse': labComparison,
  },
};

const ANALYSES: Examples<AuditReport> = {
  usual: analysisReport,
  others: { 'one page, recorded several times': () => audited({ kind: 'analysis' }) },
};

/** Pages of all kinds, as the index of their files. */
const INDEX: Examples<AuditReport> = {
  usual: () => {
    const all = [failedReport(), neverReport(), labReport(), exampleReport(), singleRunReport()];
    const report = reportOf(...all.flatMap(sketchesOf));
    const targets = report.targets.map(toTargetSummary);
    return { ...report, targets, pages: targets.map((_, i) => `pages/${i}.html`) };
  },
  others: {},
};

export const AUDITS_BY_KIND = {
  audit: AUDITS,
  phone: PHONES,
  index: INDEX,
  analysis: ANALYSES,
};
export const COMPARISONS_BY_KIND = { comparison: COMPARISONS };
