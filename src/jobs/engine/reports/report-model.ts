import { KEEP_SECRETS, type Redactor } from '../../../core/har/redact.ts';
import { metricsWith } from '../../../core/metrics/own/index.ts';
import { defined } from '../../../core/text/defined.ts';
import type { Header } from '../../../model/network/network.ts';
import type { AuditReport, MetricColumn, TargetReport, Waterfall } from '../../../model/result/report.ts';
import type { AuditResult, TargetResult } from '../../../model/result/result.ts';
import { otherFilesOf } from '../../../reporters/formats.ts';
import { representativeRun } from '../../../result/representative.ts';
import { completionNotes, completionSentences } from '../../../wording/completion/completion.ts';

/** The metrics as columns, for every reporter: ours, and those that the user defined for any of the targets. */
export function columnsFor(targets: readonly Pick<TargetResult, 'ownMetrics'>[]): readonly MetricColumn[] {
  const own = new Map(targets.flatMap(({ ownMetrics = [] }) => ownMetrics.map((each) => [each.name, each] as const)));
  return metricsWith([...own.values()]).map(
    ({ name, title, unit, description, headline, onlyInSteps, own: isOwn, isPaint }) =>
      defined({ name, title, unit, description, headline, onlyInSteps, own: isOwn, isPaint }),
  );
}

/** What reporters receive. `waterfalls` holds those of each target's runs, in the order of the result's targets. */
export function auditReport(result: AuditResult, waterfalls: readonly (readonly Waterfall[])[]): AuditReport {
  return {
    result,
    columns: columnsFor(result.targets),
    targets: result.targets.map((target, i) => targetReport(target, waterfalls[i] ?? [], result.kind === 'analysis')),
    files: otherFilesOf(result.settings),
  };
}

/** What reporters receive of one target; `waterfalls` are those of its timed runs, `analysis` says that they were recorded. */
export function targetReport(target: TargetResult, waterfalls: readonly Waterfall[], analysis = false): TargetReport {
  const representative = representativeRun(target.runs);
  return {
    result: target,
    ...completionSentences({ result: target, representative, analysis }),
    notes: completionNotes({ result: target, representative }),
    ...defined({ representative }),
    waterfalls: [
      ...waterfalls.filter((waterfall) => waterfall.run === representative?.index),
      ...waterfalls.filter((waterfall) => waterfall.run !== representative?.index),
    ],
  };
}

/** The same value with every text in it redacted, and the values of headers by their names. */
export function redactDeep<T>(value: T, redact: Redactor): T {
  if (redact === KEEP_SECRETS) return value;
  if (typeof value === 'string') return redact.text(value) as T;
  if (Array.isArray(value)) return value.map((each) => redactDeep(each, redact)) as T;
  if (typeof value === 'object' && value !== null) {
    if (isHeader(value)) return { ...value, ...redact.header(value) };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactDeep(each, redact)])) as T;
  }
  return value;
}

/** A line of a request's or a response's head, as traces and reports hold it. */
function isHeader(value: object): value is Header {
  return 'name' in value && typeof value.name === 'string' && 'value' in value && typeof value.value === 'string';
}
