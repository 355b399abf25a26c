import type { AuditReport, ComparePagesReport, CompareReport, WholeTarget } from '../model/result/report.ts';
import type { AuditHeader, TargetResult } from '../model/result/result.ts';

/** An audit or an analysis as result.json holds it, target by target. */
export function* renderAuditJson(report: AuditReport, whole: WholeTarget): Iterable<string> {
  const { targets: _, ...header } = report.result;
  const results = function* (): Iterable<TargetResult> {
    for (const index of report.targets.keys()) yield whole(index).result;
  };
  yield* auditJson(header, results());
}

/** result.json in pieces: a header and targets, of which one is held at a time. */
export function* auditJson(header: AuditHeader, targets: Iterable<TargetResult>): Iterable<string> {
  const head = JSON.stringify(header, null, 2);
  yield `${head.slice(0, head.lastIndexOf('\n'))},\n  "targets": [`;
  let before = '';
  for (const target of targets) {
    // Line breaks within texts are escaped: those that are there are the layout's.
    yield `${before}\n    ${JSON.stringify(target, null, 2).replaceAll('\n', '\n    ')}`;
    before = ',';
  }
  yield before === '' ? ']\n}\n' : '\n  ]\n}\n';
}

/** A comparison as result.json holds it; ends with a newline. */
export function renderComparisonJson({ result }: CompareReport | ComparePagesReport): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
