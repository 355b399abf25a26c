import { expect, test } from 'vitest';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { wordsIn } from '../support/visible-text.ts';
import { withInteraction, withTwoInteractions } from './examples.ts';
import { TRICKS } from './hostile.ts';
import { CLICK, FRAME } from './interaction-example.ts';

const TERMINAL = { color: false, width: 200 };

test('the interaction of a journey names its step', () => {
  const report = withInteraction({ ...CLICK, type: 'keydown', step: 'search' });
  for (const text of [renderTerminal(report, TERMINAL), wordsIn(renderHtml(report))]) {
    expect(text).toContain('The key press in the step "search" took 152 ms');
  }
});

test('of several runs it is the one in the middle by INP', () => {
  const report = withInteraction(CLICK);
  const targets = report.targets.map((each) => {
    const timed = each.result.runs.filter(({ role }) => role === 'timed');
    const runs = timed.map((run, i) => ({ ...run, interaction: { ...CLICK, duration: [900, 104, 16][i] ?? 104 } }));
    return { ...each, result: { ...each.result, runs } };
  });
  expect(renderTerminal({ ...report, targets }, TERMINAL)).toContain('The click took 104 ms');
});

test('a step has its longest frame, also without an interaction', () => {
  expect(wordsIn(renderHtml(withInteraction(undefined, FRAME)))).toContain('The longest frame took 160 ms');
});

test.each(TRICKS)('hostile names do no harm, and leave the figures: %j', (trick) => {
  const hostile = CLICK.scripts?.map((each) => ({ ...each, url: trick, name: trick, invoker: trick })) ?? [];
  const report = withInteraction({ ...CLICK, type: trick, step: trick, scripts: hostile }, FRAME);
  const html = renderHtml(report);
  expect(html).not.toContain('</details> ![x]');
  expect(html).not.toContain('<x/>');
  expect(wordsIn(html)).toContain('128 ms, including 30 ms of forced layout');
  const outsideOfCode = renderAuditMarkdown(report).replace(/`[^`]*`/g, '');
  expect(outsideOfCode).not.toContain('@octocat');
  expect(outsideOfCode).not.toContain('](https://evil');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(renderTerminal(report, TERMINAL)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test('the interactions of two builds are told only where they changed', () => {
  const told = (['slower', 'same'] as const).map((decision) =>
    renderComparison(withTwoInteractions(decision), TERMINAL),
  );
  expect(told.map((text) => text.includes('Interactions took'))).toEqual([true, false]);
});
