import { expect, test } from 'vitest';
import { auditReport } from '../../src/jobs/engine/report-model.ts';
import { reportOf as reportOfResult } from '../../src/jobs/github/github.ts';
import type { AuditReport } from '../../src/model/report.ts';
import type { Finding } from '../../src/model/result.ts';
import { withLinks } from '../../src/reporters/github/comment.ts';
import { renderAuditJunit } from '../../src/reporters/junit.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { exampleReport } from './example-report.ts';

const fix = (code: string, savesMs: number): Finding => ({ code, savesMs, message: `What ${code} is.`, urls: [] });

/** Not in the order in which they are told. */
const FIXES = [
  fix('redirect', 40),
  fix('slow-server', 383),
  fix('short-cache', 0),
  fix('no-compression', 120),
  fix('late-discovery', 90),
];

function report(): AuditReport {
  const { result } = exampleReport();
  const targets = result.targets.map((target) => ({
    ...target,
    runs: target.runs.map((run) => (run.ok ? { ...run, findings: FIXES } : run)),
  }));
  return auditReport({ ...result, targets }, []);
}

const ORDER = ['slow-server', 'no-compression', 'late-discovery'];
const order = (text: string): readonly string[] =>
  [...text.matchAll(/What ([\w-]+) is\./g)].map(([, code = '']) => code);

test('the terminal lists the three that save most', () => {
  const text = renderTerminal(report(), { color: false, width: 200 });
  expect(order(text)).toEqual(ORDER);
  expect(text).toMatch(/^Fix first: [^\n]*−383 ms\. What slow-server is\.$/m);
  expect(text).toContain('and 1 more in the report');
});

test('Markdown, and with it the comment of the Action, lists all, the largest saving first', () => {
  const text = renderAuditMarkdown(report());
  expect(order(text)).toEqual([...ORDER, 'redirect', 'short-cache']);
  expect(text).toMatch(
    /\*\*What to fix first\*\*[^\n]*\n\n- \*\*[^\n]*−383 ms: What slow-server is\. \[How\]\(https:\/\//,
  );
  const stored = reportOfResult(report().result);
  if ('base' in stored) throw new Error('an audit has no builds');
  expect(order(withLinks(renderAuditMarkdown(stored), {}))).toEqual(order(text));
});

test('JUnit has the first three as properties', () => {
  const lines = [...renderAuditJunit(report()).matchAll(/<property name="fix-(\d)" value="([\w-]+) /g)];
  expect(lines.map(([, place, code]) => `${place} ${code}`)).toEqual(ORDER.map((code, i) => `${i + 1} ${code}`));
});
