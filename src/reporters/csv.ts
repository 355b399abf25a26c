import { isCounted } from '../core/counted-runs.ts';
import type {
  AuditReport,
  ComparePagesReport,
  CompareReport,
  MetricColumn,
  TargetReport,
  WholeTarget,
} from '../model/result/report.ts';
import type { ResultHeader, RunResult } from '../model/result/result.ts';
import type { Unit } from '../model/units.ts';
import { elide, plain } from '../wording/text/text.ts';

/** Longest text of a cell. Source: Excel takes 32,767 characters. */
const MAX_CELL_LENGTH = 32_000;

/**
 * Where a program may see the beginning of a formula: at the start of a text, and behind a semicolon, which separates
 * cells where a comma is the decimal sign, whatever is quoted. Source: OWASP, "CSV Injection"; wide forms included.
 */
const FORMULA = /(^|;)(?=\s*[=+\-@＝＋－＠])/g;

/** What stands in a cell; what is absent leaves it empty. */
type Cell = string | number | boolean | undefined;

/** A column: its name, and what it holds of a row. */
export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => Cell];
type Column = CsvColumn<Row>;

/** A run with what it belongs to. */
interface Row {
  readonly run: RunResult;
  readonly target: TargetReport;
  readonly build?: 'base' | 'candidate';
  readonly header: ResultHeader;
}

/** Every run of an audit or an analysis as comma-separated values, target by target: see `columnsOf`. */
export function* renderAuditCsv({ result, targets, columns }: AuditReport, whole: WholeTarget): Iterable<string> {
  const all = columnsOf(columns);
  yield head(all);
  for (const index of targets.keys()) {
    const target = whole(index);
    yield* target.result.runs.map((run) => csvLine(all, { run, target, header: result }));
  }
}

/** Every run of a comparison as comma-separated values, in the order in which they were made: see `columnsOf`. */
export function renderComparisonCsv(report: CompareReport): string {
  return csvTable(columnsOf(report.columns), rowsOf(report));
}

/** The same of several pages, page by page. */
export function renderComparedPagesCsv({ columns, compared }: ComparePagesReport): string {
  return csvTable(columnsOf(columns), compared.flatMap(rowsOf));
}

function rowsOf({ result, base, candidate }: CompareReport): readonly Row[] {
  const rows = ([base, candidate] as const).flatMap((target) =>
    target.result.runs.map((run) => ({
      run,
      target,
      build: run.build ?? (target === base ? 'base' : 'candidate'),
      header: result,
    })),
  );
  return rows.toSorted((a, b) => a.run.index - b.run.index);
}

/**
 * A table for spreadsheets and statistics programs. RFC 4180, UTF-8 without a mark, CRLF; numbers plain, with a dot; what is
 * not known is empty. A text that a spreadsheet would take for a formula begins with `'`.
 */
export function csvTable<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return head(columns) + rows.map((row) => csvLine(columns, row)).join('');
}

const head = <Row>(columns: readonly CsvColumn<Row>[]): string => line(columns.map(([name]) => name));

const csvLine = <Row>(columns: readonly CsvColumn<Row>[], row: Row): string =>
  line(columns.map(([, value]) => value(row)));

const line = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\r\n`;

/**
 * A row for each run, untimed ones included (`counts` says which are in the medians), a column for each metric. Names are
 * those of result.json, with the unit where there is one (`pageCompleteMs`, `transferSizeBytes`).
 */
function columnsOf(metrics: readonly MetricColumn[]): readonly Column[] {
  return [...PLACE, ...metrics.map(metricColumn), ...STAGES, ...CIRCUMSTANCES];
}

/** What the row is, and what it is worth. */
const PLACE: readonly Column[] = [
  ['target', ({ target }) => target.result.target],
  ['name', ({ target }) => target.result.name],
  ['url', ({ target }) => target.result.url],
  ['step', ({ target }) => target.result.step],
  ['build', ({ build }) => build],
  ['run', ({ run }) => run.index],
  ['role', ({ run }) => run.role],
  ['block', ({ run }) => run.block],
  ['order', ({ run }) => run.order],
  ['counts', ({ run }) => isCounted(run)],
  ['ok', ({ run }) => run.ok],
  ['excluded', ({ run }) => run.excluded],
  ['failureCode', ({ run }) => run.failure?.code],
  ['failureMessage', ({ run }) => run.failure?.message],
  ['pageCompleteState', ({ run }) => run.pageComplete?.state],
];

const SUFFIX: Readonly<Record<Unit, string>> = { ms: 'Ms', bytes: 'Bytes', count: '', score: '' };

const metricColumn = ({ name, unit }: MetricColumn): Column => [
  `${name}${SUFFIX[unit]}`,
  ({ run }) => run.metrics?.[name],
];

/** Where page-complete went, and what network idle says. */
const STAGES: readonly Column[] = [
  ['basePageMs', ({ run }) => run.breakdown?.basePage],
  ['parseMs', ({ run }) => run.breakdown?.parse],
  ['componentsMs', ({ run }) => run.breakdown?.components],
  ['renderMs', ({ run }) => run.breakdown?.render],
  ['rawCompleteState', ({ run }) => run.pageComplete?.raw.state],
  ['rawCompleteMs', ({ run }) => run.pageComplete?.raw.at],
  ['observedUntilMs', ({ run }) => run.pageComplete?.observedUntil],
  ['backgroundEndpoints', ({ run }) => run.background?.filter(({ excluded }) => excluded).length],
];

/** On which machine, and what to find the run by. */
const CIRCUMSTANCES: readonly Column[] = [
  ['hostVerdict', ({ run }) => run.host?.verdict],
  ['busyByOthers', ({ run }) => run.host?.busyByOthers],
  ['steal', ({ run }) => run.host?.steal],
  ['microBenchmarkMs', ({ run }) => run.host?.microBenchmark],
  ['attempts', ({ run }) => run.attempts],
  ['har', ({ run }) => run.har],
  ['startedAt', ({ header }) => header.startedAt],
  ['commit', ({ target, header }) => (target.result.source ?? header.source)?.commit],
  ['browser', ({ header }) => header.browser.product],
  ['shard', ({ run }) => run.shard],
  ['machine', ({ run }) => run.machine],
];

/** A cell: numbers plain, a text so that no spreadsheet takes it for a formula; what is absent is empty. */
function cell(value: Cell): string {
  switch (typeof value) {
    case 'number':
      // A millionth is finer than any clock, and never written with an exponent.
      return Number.isFinite(value) ? String(Number(value.toFixed(6))) : '';
    case 'boolean':
      return String(value);
    case 'string':
      return quoted(elide(plain(value).replace(FORMULA, "$1'"), MAX_CELL_LENGTH));
    default:
      return '';
  }
}

const quoted = (text: string): string => (/[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
