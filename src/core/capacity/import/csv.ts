import { figureIn, figuresOf, type ImportedLevel, isPossible, timeIn } from './imported-level.ts';

/** What a column may be, by its heading: the first that fits is it. */
const COLUMNS = [
  [
    'percentile',
    /^p\(?\s*(50|90|95|99)\b|^(50|90|95|99)\s*(?:%|th|\.0+%)|percentile\D*(50|90|95|99)|^p(50|90|95|99)(?=[^\d]|$)/i,
  ],
  ['errors', /err|fail/i],
  ['duration', /^(?:duration|elapsed|seconds)/i],
  ['throughput', /through|rps|tps|req(?:uest)?s?\s*(?:\/|per|_per_)\s*s|^x\b|^rate/i],
  ['requests', /^(?:total\s*)?requests$|^count$/i],
  ['level', /level|concurren|user|connection|^vus?\b|client|thread|^c\b|^n\b/i],
  ['median', /median|^med\b/i],
  ['mean', /mean|avg|average|response|latency|time|^r\b/i],
] as const;

type ColumnName = (typeof COLUMNS)[number][0];

interface Column {
  readonly name: ColumnName;
  readonly percentile?: string;
  /** To milliseconds; undefined where each cell has its unit. */
  readonly factor: number;
  readonly isShare: boolean;
}

/** What is wrong with a level, reading on after its place. */
export const BAD_FIGURE = 'has no number of connections from 1 on, no throughput, or a figure that cannot be';
const badFigure = (line: number) => ({ problem: `line ${line} ${BAD_FIGURE}` });
const NO_ROWS = { problem: 'the table has no rows' };

/**
 * A table with a row for each level: the level, its throughput and, where they are known, response times in milliseconds.
 * Separated by commas, semicolons or tabs; without headings: level, throughput, mean response time.
 */
export function readCsv(text: string): readonly ImportedLevel[] | { readonly problem: string } {
  const lines = text
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '' && !line.trim().startsWith('#'));
  const [head] = lines;
  if (head === undefined) return NO_ROWS;
  const separator = [';', '\t', ','].find((each) => head.line.includes(each)) ?? /\s+/;
  const headings = cells(head.line, separator);
  const hasHeadings = figureIn(headings[0]) === undefined;
  const columns = hasHeadings ? headings.map(columnOf) : UNNAMED;
  const rows = hasHeadings ? lines.slice(1) : lines;
  if (!columns.some((column) => column?.name === 'level')) {
    return { problem: 'no column is called level, users, connections or concurrency' };
  }
  if (!columns.some((column) => column?.name === 'throughput')) {
    return { problem: 'no column is called throughput or requests/s' };
  }
  if (rows.length === 0) return NO_ROWS;
  const levels: ImportedLevel[] = [];
  for (const { line, number } of rows) {
    const row = cells(line, separator);
    const read = (name: ColumnName, percentile?: string): number | undefined => {
      const index = columns.findIndex((column) => column?.name === name && column.percentile === percentile);
      const cell = row[index];
      const column = columns[index];
      if (cell === undefined || column === undefined || cell === '') return undefined;
      const figure = figureIn(cell);
      return figure === undefined ? timeIn(cell) : figure * column.factor;
    };
    const concurrency = read('level');
    const throughput = read('throughput');
    if (concurrency === undefined || throughput === undefined) return badFigure(number);
    const requests = read('requests');
    const failed = read('errors') ?? 0;
    const isShare = columns.find((column) => column?.name === 'errors')?.isShare === true;
    const all = requests ?? throughput;
    const errors = isShare ? all * failed : failed;
    const level = {
      concurrency,
      figures: figuresOf({
        throughput,
        mean: read('mean'),
        p50: read('percentile', '50') ?? read('median'),
        p90: read('percentile', '90'),
        p95: read('percentile', '95'),
        p99: read('percentile', '99'),
        requests: requests === undefined ? undefined : Math.max(0, requests - errors),
        errors,
      }),
    };
    if (!isPossible(level)) return badFigure(number);
    levels.push(level);
  }
  return levels;
}

const plainColumn = { factor: 1, isShare: false };
const UNNAMED: readonly Column[] = [
  { name: 'level', ...plainColumn },
  { name: 'throughput', ...plainColumn },
  { name: 'mean', ...plainColumn },
];

function columnOf(heading: string): Column | undefined {
  for (const [name, pattern] of COLUMNS) {
    const match = pattern.exec(heading);
    if (match === null) continue;
    const percentile = name === 'percentile' ? match.slice(1).find((group) => group !== undefined) : undefined;
    const isTime = ['percentile', 'median', 'mean'].includes(name);
    const isSeconds = isTime && /\((?:s|sec|seconds)\)|[_\s](?:s|sec|seconds)$/i.test(heading);
    const isMicro = isTime && /\((?:us|µs)\)|[_\s](?:us|µs)$/i.test(heading);
    const isPercent = name === 'errors' && heading.includes('%');
    return {
      name,
      percentile,
      factor: isSeconds ? 1000 : isMicro ? 0.001 : isPercent ? 0.01 : 1,
      isShare: name === 'errors' && (isPercent || /share|rate|ratio/i.test(heading)),
    };
  }
  return undefined;
}

function cells(line: string, separator: string | RegExp): readonly string[] {
  if (separator instanceof RegExp) return line.trim().split(separator);
  const found: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      found.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...found, cell.trim()];
}
