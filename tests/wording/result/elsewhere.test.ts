import { expect, test } from 'vitest';
import { auditReport } from '../../../src/jobs/engine/reports/report-model.ts';
import { renderHtml } from '../../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../../src/reporters/markdown/audit.ts';
import { elsewhereInWords } from '../../../src/wording/result/elsewhere.ts';
import { exampleWith } from '../../reporters/example-report.ts';

const elsewhere = [{ device: 'phone', network: 'slow-4g', cpu: 4, pageComplete: 4_173 }];

test('an estimate has two digits', () => {
  const says = (pageComplete: number) => elsewhereInWords({ elsewhere: [{ ...elsewhere[0], pageComplete } as never] });
  expect(says(4_173)).toBe('On a phone with slow 4G it would be complete after about 4.2 s (estimate).');
  expect(says(12_940)).toContain('about 13 s');
  expect(says(640)).toContain('about 0.64 s');
  expect(elsewhereInWords({})).toBeUndefined();
});

test('reports say it below the answer', () => {
  const { result } = exampleWith(() => ({ elsewhere }));
  const report = auditReport(result, []);
  for (const text of [renderHtml(report), renderAuditMarkdown(report)]) {
    expect(text).toMatch(/On a phone with slow 4G it would be complete after about 4\.2.s/);
  }
});
