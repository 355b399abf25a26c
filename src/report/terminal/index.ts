import type { AuditReport, MetricColumn, TargetReport } from '../../model/report.ts';
import type { BackgroundEndpoint, MetricSummary } from '../../model/result.ts';
import { formatCount, formatInterval, formatValue } from '../format.ts';
import { agreementInWords, costInWords, failedRuns, findingsOf, levelInWords } from '../select.ts';
import { plain } from '../text.ts';
import { type Ansi, ansi } from './ansi.ts';
import { columns, fit, pad, padLeft, wrap } from './columns.ts';

/** How a terminal report is written. */
export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Below this nothing can be laid out; the terminal wraps by itself then. */
const NARROWEST = 40;
const INDENT = '  ';

/** What a person wants to read right after an audit; ends with a newline. */
export function renderTerminal(report: AuditReport, options: TerminalOptions): string {
  const style = ansi(options.color);
  const width = Math.max(NARROWEST, Math.floor(options.width));
  const lines: string[] = [];
  if (report.targets.length === 0) lines.push('Nothing was measured.');
  report.targets.forEach((target, index) => {
    if (index > 0) lines.push('');
    lines.push(...targetLines(target, report.columns, style, width));
  });
  if (report.result.interrupted === true) {
    lines.push('', style.yellow('Ended early: what had been measured until then is shown.'));
  }
  return `${lines.join('\n')}\n`;
}

function targetLines(
  target: TargetReport,
  metrics: readonly MetricColumn[],
  style: Ansi,
  width: number,
): readonly string[] {
  const sections = [
    [style.bold(fit(plain(target.result.url), width))],
    metricLines(target, metrics, style, width),
    wrap(plain(target.sentence), width).map(style.bold),
    target.notes.flatMap((note) => bullet(plain(note), width)),
    backgroundLines(target.result.background, style, width),
    findingLines(target, style, width),
    failureLines(target, style, width),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index > 0 ? ['', ...section] : section));
}

/** A wrapped line with a dash before it; following lines stand under its text. */
function bullet(text: string, width: number, mark = '– '): readonly string[] {
  return wrap(text, width - columns(mark)).map(
    (line, index) => (index === 0 ? mark : ' '.repeat(columns(mark))) + line,
  );
}

function metricLines(
  target: TargetReport,
  metrics: readonly MetricColumn[],
  style: Ansi,
  width: number,
): readonly string[] {
  const { summary } = target.result;
  const shown = metrics.filter((metric) => metric.headline);
  if (shown.every((metric) => summary[metric.name] === undefined)) return [];
  const rows = shown.map((metric) => {
    const found = summary[metric.name];
    return {
      title: plain(metric.title),
      median: formatValue(found?.median, metric.unit),
      interval: formatInterval(found?.low, found?.high, metric.unit),
      level: levelInWords(found),
      agreement: agreementInWords(found),
      summary: found,
    };
  });
  const head = { title: 'metric', median: 'median', interval: 'interval', level: '', agreement: 'runs' };
  const widest = (of: (row: typeof head) => string): number =>
    Math.max(...[head, ...rows].map((row) => columns(of(row))));
  const medianWidth = widest((row) => row.median);
  const levelWidth = widest((row) => row.level);
  const intervalWidth = widest((row) => row.interval) + (levelWidth === 0 ? 0 : levelWidth + 2);
  const agreementWidth = widest((row) => row.agreement);
  const others = medianWidth + agreementWidth + 6;
  // The interval is the first to go: median and agreement say the most in the least room.
  const interval = width - INDENT.length - others - intervalWidth - 2 >= 14;
  const rest = width - INDENT.length - others - (interval ? intervalWidth + 2 : 0);
  const titleWidth = Math.max(
    8,
    Math.min(
      rest,
      widest((row) => row.title),
    ),
  );
  const line = (row: typeof head, dress: (text: string) => string): string =>
    [
      INDENT + pad(fit(row.title, titleWidth), titleWidth),
      padLeft(row.median, medianWidth),
      ...(interval ? [pad(row.interval, intervalWidth - levelWidth) + padLeft(row.level, levelWidth)] : []),
      dress(row.agreement),
    ].join('  ');
  return [
    style.dim(line(head, (text) => text)),
    ...rows.map((row) => line(row, (text) => agreementStyle(row.summary, style)(text))),
  ];
}

function agreementStyle(summary: MetricSummary | undefined, style: Ansi): (text: string) => string {
  switch (summary?.agreement) {
    case 'stable':
      return style.green;
    case 'varies':
      return style.yellow;
    case 'disagrees':
      return style.red;
    case undefined:
      return style.dim;
  }
}

function backgroundLines(endpoints: readonly BackgroundEndpoint[], style: Ansi, width: number): readonly string[] {
  if (endpoints.length === 0) return [];
  const rows = endpoints.map((endpoint) => ({
    kind: endpoint.kind,
    endpoint: plain(endpoint.endpoint),
    seen: [
      formatCount(endpoint.requests, 'request'),
      ...(endpoint.period === undefined ? [] : [`every ${formatValue(endpoint.period, 'ms')}`]),
      ...(endpoint.stillOpen ? ['still open'] : []),
    ].join(', '),
    cost: costInWords(endpoint),
    because: plain(endpoint.because),
    confidence: endpoint.confidence,
    excluded: endpoint.excluded,
  }));
  const kindWidth = Math.max(...rows.map((row) => columns(row.kind)));
  const costWidth = Math.max(...rows.map((row) => columns(row.cost)));
  const room = width - INDENT.length - kindWidth - costWidth - 4;
  const endpointWidth = Math.min(room, Math.max(...rows.map((row) => columns(row.endpoint))));
  const under = INDENT + ' '.repeat(kindWidth + 2);
  const excluded = endpoints.filter((endpoint) => endpoint.excluded).length;
  const heading = `${formatCount(endpoints.length, 'background endpoint')}${excluded === endpoints.length ? '' : `, ${excluded}`} left out`;
  return [
    ...wrap(`${heading}, and what counting it would cost:`, width),
    ...rows.flatMap((row) => [
      `${INDENT}${style.magenta(pad(row.kind, kindWidth))}  ${pad(fit(row.endpoint, endpointWidth), endpointWidth)}  ${padLeft(row.cost, costWidth)}`,
      ...wrap(
        `${row.seen}; ${row.because} (${row.confidence}${row.excluded ? '' : ', counted all the same'})`,
        Math.max(NARROWEST / 2, width - under.length),
      ).map((line) => under + style.dim(line)),
    ]),
  ];
}

function findingLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  return findingsOf(target).flatMap((finding) =>
    bullet(`${plain(finding.code)}: ${plain(finding.message)}`, width, '! ').map((line, index) =>
      index === 0 ? style.yellow('!') + line.slice(1) : line,
    ),
  );
}

function failureLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  return failedRuns(target).flatMap((run) =>
    bullet(`run ${run.index} failed: ${plain(run.failure?.message ?? 'no reason given')}`, width, '✗ ').map(style.red),
  );
}
