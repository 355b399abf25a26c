import { expect, test } from 'vitest';
import type { Interaction, LongFrame } from '../../src/model/metrics.ts';
import type { AuditReport, CompareReport, TargetReport } from '../../src/model/report.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { comparisonReport } from './comparison.ts';
import { exampleReport } from './example-report.ts';
import { TRICKS } from './hostile.ts';
import { CLICK, FRAME } from './interaction-example.ts';

const SENTENCE =
  'The click took 152 ms to show: 2.0 ms until its handlers ran, 132 ms in them (onClick in app.js 128 ms, of it 30 ms forced layout), 18 ms until the paint.';

function reportWith(interaction: Interaction | undefined, longestFrame?: LongFrame): AuditReport {
  const report = exampleReport();
  const targets = report.targets.map((each): TargetReport => {
    const more = { ...(interaction && { interaction }), ...(longestFrame && { longestFrame }) };
    const runs = each.result.runs.map((run) => (run.role === 'timed' ? { ...run, ...more } : run));
    const step = longestFrame && { step: 'buy' };
    const representative = each.representative && { ...each.representative, ...more };
    return { ...each, result: { ...each.result, ...step, runs }, ...(representative && { representative }) };
  });
  return { ...report, targets };
}

const text = (html: string): string => words(html.replace(/<[^>]+>/g, ' '));
const words = (shown: string): string => shown.replace(/[\\`]/g, '').replace(/\s+/g, ' ');
const TERMINAL = { color: false, width: 100 };

test('what an interaction waited for is in every report', () => {
  const html = renderHtml(reportWith(CLICK));
  expect(text(html)).toContain(SENTENCE);
  expect(text(html)).toContain('BUTTON#buy.onclick');
  expect(html).not.toContain('<b>"');
  expect(text(html)).not.toContain('The longest frame took');
  expect(words(renderTerminal(reportWith(CLICK), TERMINAL))).toContain(SENTENCE);
  expect(words(renderAuditMarkdown(reportWith(CLICK)))).toContain(SENTENCE);
});

test('the interaction of a journey names its step', () => {
  const sentence = 'The key press in the step "search" took 152 ms to show';
  const report = reportWith({ ...CLICK, type: 'keydown', step: 'search' });
  expect(words(renderTerminal(report, TERMINAL))).toContain(sentence);
  expect(text(renderHtml(report)).replaceAll('&quot;', '"')).toContain(sentence);
});

test('of several runs it is the one in the middle by INP', () => {
  const report = reportWith(CLICK);
  const targets = report.targets.map((each) => {
    const timed = each.result.runs.filter(({ role }) => role === 'timed');
    const runs = timed.map((run, i) => ({ ...run, interaction: { ...CLICK, duration: [900, 104, 16][i] ?? 104 } }));
    return { ...each, result: { ...each.result, runs } };
  });
  expect(words(renderTerminal({ ...report, targets }, TERMINAL))).toContain('The click took 104 ms to show');
});

test('a step has its longest frame, also without an interaction', () => {
  const sentence = 'The longest frame took 160 ms, from 3.0 ms on: onClick in app.js 128 ms (30 ms forced layout).';
  expect(text(renderHtml(reportWith(CLICK, FRAME)))).toContain(sentence);
  expect(text(renderHtml(reportWith(undefined, FRAME)))).toContain(sentence);
});

test('without interactions nothing is said', () => {
  expect(text(renderHtml(reportWith(undefined)))).not.toContain('Interactions');
  expect(renderTerminal(reportWith(undefined), TERMINAL)).not.toContain('to show');
});

test.each(TRICKS)('hostile names do no harm, and leave the figures: %j', (trick) => {
  const hostile = CLICK.scripts?.map((each) => ({ ...each, url: trick, name: trick, invoker: trick })) ?? [];
  const report = reportWith({ ...CLICK, type: trick, step: trick, scripts: hostile }, FRAME);
  const html = renderHtml(report);
  expect(html).not.toContain('</details> ![x]');
  expect(html).not.toContain('<x/>');
  expect(text(html)).toContain('128 ms, of it 30 ms forced layout), 18 ms until the paint.');
  const outsideOfCode = renderAuditMarkdown(report).replace(/`[^`]*`/g, '');
  expect(outsideOfCode).not.toContain('@octocat');
  expect(outsideOfCode).not.toContain('](https://evil');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(renderTerminal(report, TERMINAL)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('the interactions of two builds stand beside each other where they changed', () => {
  const whole = comparisonReport();
  const [first] = whole.result.comparisons;
  const withInteraction = (target: TargetReport, interaction: Interaction): TargetReport => ({
    ...target,
    result: { ...target.result, runs: target.result.runs.map((run) => ({ ...run, interaction })) },
  });
  const reportOf = (decision: 'slower' | 'same'): CompareReport => ({
    ...whole,
    result: {
      ...whole.result,
      comparisons: first ? [{ ...first, metric: 'interactionToNextPaint', decision }, ...whole.result.comparisons] : [],
    },
    base: withInteraction(whole.base, { ...CLICK, duration: 40, processing: 20, scripts: [] }),
    candidate: withInteraction(whole.candidate, CLICK),
  });
  const sentence =
    'Interactions took 152 ms to show instead of 40 ms (medians): 2.0 ms until their handlers ran instead of 2.0 ms, ' +
    '132 ms in them instead of 20 ms, 18 ms until the paint instead of 18 ms. ' +
    'Longest in the candidate there: onClick in app.js 128 ms, of it 30 ms forced layout.';
  expect(words(renderComparison(reportOf('slower'), TERMINAL))).toContain(sentence);
  expect(words(renderComparisonMarkdown(reportOf('slower')))).toContain(sentence);
  expect(text(renderComparisonHtml(reportOf('slower')))).toContain(sentence);
  expect(renderComparison(reportOf('same'), TERMINAL)).not.toContain('Interactions took');
});
