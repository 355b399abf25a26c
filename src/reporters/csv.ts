import { isCounted } from '../core/counted-runs.ts';
import type { AuditReport, CompareReport, MetricColumn, TargetReport, WholeTarget } from '../model/report.ts';
import type { ResultHeader, RunResult } from '../model/result.ts';
import type { Unit } from '../model/units.ts';
import { elide, plain } from '../wording/text.ts';

/** Longest text of a cell. Source: Excel takes 32,767 characters. */
const LONGEST = 32_000;

/**
 * Where a program may see the beginning of a formula: at the start of a text, and behind a semicolon, which separates
 * cells where a comma is the decimal sign, whatever is quoted. Source: OWASP, "CSV Injection"; wide forms included.
 */
const FORMULA = /(^|;)(?=\s*[=+\-@＝＋－＠])/g;

/** A column: its name, and what it holds of a run; what is absent leaves the cell empty. */
interface Column {
  readonly name: string;
  value(row: Row): string | number | boolean | undefined;
}

/** A run with what it belongs to. */
interface Row {
  readonly run: RunResult;
  readonly target: TargetReport;
  readonly build?: 'base' | 'candidate';
  readonly header: ResultHeader;
}

/** Every run of an audit or an analysis as comma-separated values, target by target: see `csv`. */
export function* renderAuditCsv({ result, targets, columns }: AuditReport, whole: WholeTarget): Iterable<string> {
  const all = columnsOf(columns);
  yield head(all);
  for (const index of targets.keys()) {
    const target = whole(index);
    yield csv(
      target.result.runs.map((run) => ({ run, target, header: result })),
      all,
    );
  }
}

/** Every run of a comparison as comma-separated values, in the order in which they were made: see `csv`. */
export function renderComparisonCsv({ result, base, candidate, columns }: CompareReport): string {
  const rows = ([base, candidate] as const).flatMap((target) =>
    target.result.runs.map((run) => ({
      run,
      target,
      build: run.build ?? (target === base ? 'base' : 'candidate'),
      header: result,
    })),
  );
  const all = columnsOf(columns);
  return (
    head(all) +
    csv(
      rows.toSorted((a, b) => a.run.index - b.run.index),
      all,
    )
  );
}

/**
 * A table for spreadsheets and statistics programs: a row for each run, untimed ones included (`counts` says which are
 * in the medians), a column for each metric. Names are those of result.json, with the unit where there is one
 * (`pageCompleteMs`, `transferSizeBytes`). RFC 4180, UTF-8 without a mark, CRLF; numbers plain, with a dot; what is not
 * known is empty. A text that a spreadsheet would take for a formula begins with `'`.
 */
function csv(rows: readonly Row[], columns: readonly Column[]): string {
  return rows.map((row) => line(columns.map(({ value }) => value(row)))).join('');
}

const head = (columns: readonly Column[]): string => line(columns.map(({ name }) => name));

const line = (values: readonly Parameters<typeof cell>[0][]): string => `${values.map(cell).join(',')}\r\n`;

function columnsOf(metrics: readonly MetricColumn[]): readonly Column[] {
  return [...PLACE, ...metrics.map(metricColumn), ...STAGES, ...CIRCUMSTANCES];
}

/** What the row is, and what it is worth. */
const PLACE: readonly Column[] = [
  { name: 'target', value: ({ target }) => target.result.target },
  { name: 'name', value: ({ target }) => target.result.name },
  { name: 'url', value: ({ target }) => target.result.url },
  { name: 'step', value: ({ target }) => target.result.step },
  { name: 'build', value: ({ build }) => build },
  { name: 'run', value: ({ run }) => run.index },
  { name: 'role', value: ({ run }) => run.role },
  { name: 'block', value: ({ run }) => run.block },
  { name: 'order', value: ({ run }) => run.order },
  { name: 'counts', value: ({ run }) => isCounted(run) },
  { name: 'ok', value: ({ run }) => run.ok },
  { name: 'excluded', value: ({ run }) => run.excluded },
  { name: 'failureCode', value: ({ run }) => run.failure?.code },
  { name: 'failureMessage', value: ({ run }) => run.failure?.message },
  { name: 'pageCompleteState', value: ({ run }) => run.pageComplete?.state },
];

const SUFFIX: Readonly<Record<Unit, string>> = { ms: 'Ms', bytes: 'Bytes', count: '', score: '' };

const metricColumn = ({ name, unit }: MetricColumn): Column => ({
  name: `${name}${SUFFIX[unit]}`,
  value: ({ run }) => run.metrics?.[name],
});

/** Where page-complete went, and what network idle says. */
const STAGES: readonly Column[] = [
  { name: 'basePageMs', value: ({ run }) => run.breakdown?.basePage },
  { name: 'parseMs', value: ({ run }) => run.breakdown?.parse },
  { name: 'componentsMs', value: ({ run }) => run.breakdown?.components },
  { name: 'renderMs', value: ({ run }) => run.breakdown?.render },
  { name: 'rawCompleteState', value: ({ run }) => run.pageComplete?.raw.state },
  { name: 'rawCompleteMs', value: ({ run }) => run.pageComplete?.raw.at },
  { name: 'observedUntilMs', value: ({ run }) => run.pageComplete?.observedUntil },
  { name: 'backgroundEndpoints', value: ({ run }) => run.background?.filter(({ excluded }) => excluded).length },
];

/** On which machine, and what to find the run by. */
const CIRCUMSTANCES: readonly Column[] = [
  { name: 'hostVerdict', value: ({ run }) => run.host?.verdict },
  { name: 'busyByOthers', value: ({ run }) => run.host?.busyByOthers },
  { name: 'steal', value: ({ run }) => run.host?.steal },
  { name: 'microBenchmarkMs', value: ({ run }) => run.host?.microBenchmark },
  { name: 'attempts', value: ({ run }) => run.attempts },
  { name: 'har', value: ({ run }) => run.har },
  { name: 'startedAt', value: ({ header }) => header.startedAt },
  { name: 'commit', value: ({ target, header }) => (target.result.source ?? header.source)?.commit },
  { name: 'browser', value: ({ header }) => header.browser.product },
  { name: 'shard', value: ({ run }) => run.shard },
  { name: 'machine', value: ({ run }) => run.machine },
];

/** A cell: numbers plain, a text so that no spreadsheet takes it for a formula; what is absent is empty. */
export function cell(value: string | number | boolean | undefined): string {
  switch (typeof value) {
    case 'number':
      // A millionth is finer than any clock, and never written with an exponent.
      return Number.isFinite(value) ? String(Number(value.toFixed(6))) : '';
    case 'boolean':
      return String(value);
    case 'string':
      return quoted(elide(plain(value).replace(FORMULA, "$1'"), LONGEST));
    default:
      return '';
  }
}

const quoted = (text: string): string => (/[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
