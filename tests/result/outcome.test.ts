import { describe, expect, it } from 'vitest';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import type { AuditResult, PageCompleteResult, RunResult } from '../../src/model/result/result.ts';
import { annotationsOf } from '../../src/reporters/github/annotations.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { decisionOf, type Outcome, outcomeOf } from '../../src/result/outcome.ts';
import { openRun, representativeRun } from '../../src/result/representative.ts';
import { reporters } from '../support/reporters.ts';
import { auditOf, measuredTarget } from '../support/stored-results.ts';

type State = PageCompleteResult['state'] | 'failed' | 'excluded';

/** A page with a run for each state; complete ones at 1000, 1010 … ms. */
function pageWith(...states: readonly State[]): AuditResult['targets'][number] {
  const target = measuredTarget(
    'https://shop.example/',
    states.map((_, i) => 1000 + 10 * i),
  );
  return {
    ...target,
    runs: target.runs.map((run, i): RunResult => {
      const state = states[i] ?? 'complete';
      if (state === 'complete') return run;
      if (state === 'excluded') return { ...run, excluded: 'another load of its block failed' };
      const { index, role } = run;
      if (state === 'failed') return { index, role, ok: false, failure: { code: 'no-answer', message: 'It is down.' } };
      return {
        ...run,
        pageComplete: { state, observedUntil: 60_000, raw: { state: 'never' }, waitingFor: ['GET /x'] },
      };
    }),
  };
}

const CASES: readonly (readonly [states: readonly State[], outcome: Outcome, stands: number | undefined])[] = [
  [['complete', 'complete', 'complete'], 'complete', 2],
  [['complete', 'never', 'complete'], 'partly', 1],
  [['failed', 'complete'], 'complete', 2],
  [['unconfirmed', 'never'], 'never', 2],
  [['never', 'unconfirmed'], 'never', 1],
  [['unconfirmed', 'unconfirmed'], 'unconfirmed', 1],
  [['failed', 'unconfirmed'], 'unconfirmed', 2],
  [['failed', 'failed'], 'unmeasured', undefined],
  [['excluded', 'never'], 'never', 2],
  [['excluded'], 'unmeasured', undefined],
  [[], 'unmeasured', undefined],
];

describe('the outcome of a page', () => {
  it.each(CASES)('whose runs are %j is %s', (states, outcome, stands) => {
    const page = pageWith(...states);
    expect(outcomeOf(page)).toBe(outcome);
    expect(representativeRun(page.runs)?.index).toBe(stands);
  });

  it('of several pages is the worst', () => {
    expect(decisionOf(auditOf([pageWith('complete'), pageWith('unconfirmed'), pageWith('complete', 'never')]))).toBe(
      'unconfirmed',
    );
    expect(decisionOf(auditOf([]))).toBe('unmeasured');
  });

  it('an open run is one that counts', () => {
    expect(openRun(pageWith('complete', 'failed').runs)).toBeUndefined();
    expect(openRun(pageWith('complete', 'unconfirmed', 'never').runs)?.index).toBe(3);
  });
});

describe('everybody says the same', () => {
  const WORDS: Readonly<Record<Outcome, RegExp>> = {
    unmeasured: /could not be measured|not measured/i,
    never: /never complete/i,
    unconfirmed: /not confirmed|not known when the page is complete/i,
    partly: /in 1 run it was never complete|not complete in every run|complete in 2 of 3 runs/i,
    complete: /complete/i,
  };

  it.each(CASES.filter(([states]) => states.length > 0 && !states.includes('excluded')))(
    'of %j: %s',
    (states, outcome) => {
      const result = auditOf([pageWith(...states)]);
      const report = auditReport(result, []);
      const written = (format: string): string =>
        reporters.find((each) => each.format === format)?.render(report) ?? '';
      expect(decisionOf(result)).toBe(outcome);
      expect(
        annotationsOf(report, 'slower')
          .map(({ title, message }) => `${title} ${message}`)
          .join('\n'),
      ).toMatch(WORDS[outcome]);
      for (const text of [
        report.targets[0]?.sentence ?? '',
        written('md'),
        written('html').replace(/<(script|style)[\s\S]*?<\/\1>/g, ''),
        renderTerminal(report, { color: false, width: 100 }),
      ]) {
        expect(text).toMatch(WORDS[outcome]);
      }
      const junit = written('junit');
      expect({
        never: /<failure [^>]*type="never-complete"/.test(junit),
        unmeasured: /<error /.test(junit),
        unconfirmed: /type="unconfirmed"/.test(junit),
      }).toEqual({
        never: outcome === 'never' || outcome === 'partly',
        unmeasured: outcome === 'unmeasured',
        unconfirmed: outcome === 'unconfirmed',
      });
    },
  );
});
