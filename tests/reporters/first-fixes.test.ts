import { expect, test } from 'vitest';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import { reportOf } from '../../src/jobs/github/github.ts';
import { withLinks } from '../../src/reporters/github/comment.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditJunit } from '../../src/reporters/junit.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { docsAddress, explanation } from '../../src/wording/messages/docs.ts';
import { exampleWith } from './example-report.ts';
import { FIXES } from './examples.ts';

const { result } = exampleWith(({ runs }) => ({
  runs: runs.map((run) => (run.ok ? { ...run, findings: FIXES } : run)),
}));
const REPORT = auditReport(result, []);

const ORDER = ['slow-server', 'no-compression', 'late-discovery'];
const order = (text: string): readonly string[] =>
  [...text.matchAll(/What ([\w-]+) is\./g)].map(([, code = '']) => code);

test('the first screen of a terminal lists the three that save most', () => {
  const screen = renderTerminal(REPORT, { color: false, width: 80 });
  expect([...screen.matchAll(/^ +(−\d+ ms) {2}/gm)].map(([, saving]) => saving)).toEqual([
    '−383 ms',
    '−120 ms',
    '−90 ms',
  ]);
  expect(screen).toContain('and 1 more');
});

test('Markdown, and with it the comment of the Action, lists all, the largest saving first', () => {
  const text = renderAuditMarkdown(REPORT);
  expect(order(text)).toEqual([...ORDER, 'redirect', 'short-cache']);
  const stored = reportOf(result);
  if (!('targets' in stored)) throw new Error('an audit has no builds');
  expect(order(withLinks(renderAuditMarkdown(stored), {}))).toEqual(order(text));
});

test('the page itself says how each is done, and has no words about others', () => {
  const html = renderHtml(REPORT);
  for (const code of ['slow-server', 'no-compression', 'late-discovery', 'redirect', 'short-cache'] as const) {
    const section = `fix.md#${code}` as const;
    expect(html).toContain(explanation(section));
    expect(html).toContain(`href="${docsAddress(section)}"`);
  }
  expect(html).not.toContain(explanation('fix.md#duplicate-poll'));
});

test('JUnit has the first three as properties', () => {
  const lines = [...renderAuditJunit(REPORT).matchAll(/<property name="fix-(\d)" value="([\w-]+) /g)];
  expect(lines.map(([, place, code]) => `${place} ${code}`)).toEqual(ORDER.map((code, i) => `${i + 1} ${code}`));
});
