import type { AuditReport, CompareReport } from '../../src/model/result/report.ts';
import { fileFormats } from '../../src/reporters/formats.ts';
import { wholeIn } from '../../src/result/pages-with-steps.ts';

const loaded = await Promise.all(fileFormats.map(async ({ load, ...format }) => ({ ...format, ...(await load()) })));

/** Each format with what it makes of an audit or an analysis. */
export const reporters = loaded.map(({ audit, compare: _, ...format }) => ({
  ...format,
  render: (report: AuditReport): string => [...audit(report, wholeIn(report))].join(''),
}));

/** Each format with what it makes of a comparison. */
export const compareReporters = loaded.map(({ audit: _, compare, ...format }) => ({
  ...format,
  render: (report: CompareReport): string => compare(report),
}));
