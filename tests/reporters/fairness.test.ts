import { describe, expect, test } from 'vitest';
import type { HostResult, RunResult } from '../../src/model/result/result.ts';
import { fairnessOf, trustOf } from '../../src/report/fairness.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { exampleWith, failedReport, singleRunReport } from './example-report.ts';
import { BUSY, measured } from './examples.ts';

const ran = (host: HostResult | undefined) => () => ({ host }) as Partial<RunResult>;
/** The example whose timed runs agree so far. */
const agreeing = (agreement: 'varies' | 'disagrees') =>
  exampleWith(({ runs, summary: { pageComplete, ...summary } }) => ({
    runs: runs.filter(({ ok }) => ok),
    summary: { ...summary, ...(pageComplete && { pageComplete: { ...pageComplete, agreement } }) },
  }));
const far = (driver: HostResult['driver']): HostResult => ({
  verdict: 'unknown',
  ...(driver && { driver }),
  reasons: ['the browser runs on another machine'],
});

const REPORTS = {
  'a quiet machine': measured(),
  'runs that vary': agreeing('varies'),
  'runs that disagree': agreeing('disagrees'),
  'busy in one run': measured(({ index }) => (index === 2 ? { host: BUSY } : {})),
  'busy in all runs': measured(ran(BUSY)),
  'busy in the untimed run': exampleWith(({ runs }) => ({
    runs: runs.filter(({ ok }) => ok).map((run) => (run.role === 'evidence' ? { ...run, host: BUSY } : run)),
  })),
  'a system that tells nothing': measured(ran({ verdict: 'unknown', reasons: [] })),
  'a result without hosts': measured(ran(undefined)),
  'a browser on another machine': measured(ran(far('free'))),
  'and this one was busy itself': measured(({ index }) => ({ host: far(index < 3 ? 'busy' : 'free') })),
  'one run': singleRunReport(),
  'nothing measured': failedReport(),
};

test('the verdict of each, and what is said of it in one line', () => {
  const said = Object.entries(REPORTS).map(([name, { targets }]) => [
    name,
    targets.flatMap((target) => {
      const { tone, sign, sentence, aside } = fairnessOf(target) ?? {};
      const { sure, words } = trustOf(target) ?? {};
      return [
        tone && `${sign} ${tone}: ${sentence}`,
        aside,
        words && `${sure ? 'sure' : 'not sure'}: ${words.join(' · ')}`,
      ];
    }),
  ]);
  return expectApproved('reports/fairness', outlined(Object.fromEntries(said)));
});

describe('beside the answer', () => {
  const busy = REPORTS['busy in all runs'];

  test('it is told that a measurement was not fair, with the way to why', () => {
    const html = renderHtml(busy);
    const [before = ''] = html.split('<dl class="figures');
    const [, id] = /role="note">The machine was busy[^<]*<a href="#([^"]+)">/.exec(before) ?? [];
    expect(html).toContain(`id="${id}">Was it fair?`);
    expect(renderHtml(measured())).not.toContain('role="note"');
  });

  test('of many pages, of how many', () => {
    const index = (of: typeof busy) => {
      const targets = of.targets.map(toTargetSummary);
      return renderHtml({ ...of, targets, pages: targets.map((_, i) => `pages/p-${i}.html`) });
    };
    const both = { ...busy, targets: [...busy.targets, ...measured().targets] };
    expect(index(both)).toContain('while 1 of 2 pages was measured');
    expect(index(busy)).toContain('while every page was measured');
    expect(index(measured())).not.toContain('was busy');
    const eleven = { ...busy, targets: Array.from({ length: 11 }, () => busy.targets).flat() };
    expect(renderTerminal(eleven, { color: false, width: 200 })).toContain('while every page was measured');
  });
});
