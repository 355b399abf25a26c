import type { AuditReport, MetricColumn, TargetReport } from '../../model/report.ts';
import type { BackgroundEndpoint } from '../../model/result.ts';
import { backgroundOf } from '../../result/background.ts';
import { countedRuns, failedRuns } from '../../result/counted-runs.ts';
import { missingEvidence, notesOf, otherFindings } from '../../result/findings.ts';
import { worstFirst } from '../../result/order.ts';
import { typedOf } from '../../result/pages-with-steps.ts';
import { quietWindowOf } from '../../result/quiet-window.ts';
import { answerOf, headlineComplete, idleAnswerOf } from '../../result/representative.ts';
import { verdictOf } from '../../result/verdict.ts';
import { completionText } from '../../wording/completion.ts';
import { ABSENT, andMore, formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { agreementInWords, levelInWords, pagesTogether, shortState } from '../../wording/outcome.ts';
import { plain } from '../../wording/text.ts';
import { costInWords, findingWhere, overruledInWords, watchedInWords } from '../../wording/words.ts';
import { budgetsOfPages } from '../budgets.ts';
import { fairnessOf, unfairPagesInWords } from '../fairness.ts';
import { type Ansi, ansi } from './ansi.ts';
import { budgetLines } from './budgets.ts';
import { columns, fit, pad, padLeft, wrap } from './columns.ts';
import { coverageLines } from './coverage.ts';
import { pathLines } from './critical-path.ts';
import { PAGES_IN_FULL } from './failures.ts';
import { fixLines } from './fixes.ts';
import { interactionLines } from './interactions.ts';
import { lighthouseLines } from './lighthouse.ts';
import { mainThreadLines } from './main-thread.ts';
import { shardLines } from './shards.ts';

/** How a terminal report is written. */
export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** Below this nothing can be laid out; the terminal wraps by itself then. */
const NARROWEST = 40;
const INDENT = '  ';
/** Of more pages than this only the worst are listed. */
const PAGES_LISTED = 40;

/** Addresses of a finding, and missing things of an answer, that are listed. */
const LISTED = 3;
/** So long after the quiet window a watcher may look up without having waited for anything, ms. */
const UNHURRIED_MS = 500;
/** Endpoints that are listed; a page full of trackers has dozens that cost nothing. */
const ENDPOINTS = 12;

/** What a person wants to read right after an audit or an analysis; ends with a newline. */
export function renderTerminal(report: AuditReport, options: TerminalOptions): string {
  const style = ansi(options.color);
  const width = Math.max(NARROWEST, Math.floor(options.width));
  const analysis = report.result.kind === 'analysis';
  const lines: string[] = [];
  if (report.targets.length === 0) lines.push(`Nothing was ${analysis ? 'analysed' : 'measured'}.`);
  if (report.targets.length > 1) lines.push(...overviewLines(report, style, width), '');
  const inFull = report.targets.length <= PAGES_IN_FULL;
  if (!inFull) lines.push(...togetherLines(report, style, width));
  (inFull ? report.targets : []).forEach((target, index) => {
    if (index > 0) lines.push('');
    lines.push(...targetLines(target, report, style, width));
  });
  const shards = shardLines(report.result, style, width);
  if (shards.length > 0) lines.push('', ...shards);
  if (report.result.interrupted === true) {
    lines.push('', style.yellow('Ended early. The result contains what was measured until then.'));
  }
  return `${lines.join('\n')}\n`;
}

/** What is said of many pages together; nearest to where one goes on to type. */
function togetherLines({ result, targets }: AuditReport, style: Ansi, width: number): readonly string[] {
  const analysis = result.kind === 'analysis';
  const unfair = analysis ? undefined : unfairPagesInWords(targets);
  return [
    ...wrap(pagesTogether(targets, analysis), width).map(style.bold),
    ...wrap(budgetsOfPages(targets) ?? '', width),
    ...(unfair === undefined ? [] : bullet(unfair, width, '! ')),
    style.dim('The report has the details of each.'),
  ];
}

/** Several pages at a glance, a line each: those without an answer first, then the slowest. */
function overviewLines({ result, targets }: AuditReport, style: Ansi, width: number): readonly string[] {
  const analysis = result.kind === 'analysis';
  const head = {
    page: analysis ? 'recorded page' : 'page',
    complete: 'page complete',
    agreement: analysis ? 'recordings' : 'runs',
    raw: 'network idle',
    background: 'background',
  };
  const ranked = worstFirst(targets);
  const more = ranked.length - PAGES_LISTED;
  const rows = ranked.slice(0, PAGES_LISTED).map(({ target }) => {
    const answer = answerOf(target);
    const complete = headlineComplete(target);
    const broken = verdictOf(target.result) === 'broken' ? '⚠ broken, ' : '';
    return {
      page: plain(target.result.name ?? target.result.target),
      complete: broken + (complete === undefined ? noAnswer(answer, analysis) : formatValue(complete, 'ms')),
      agreement: agreementInWords(target.result.summary.pageComplete, analysis ? 'recording' : 'run'),
      raw: shortState(idleAnswerOf(target)?.raw),
      background: answer === undefined ? ABSENT : formatValue(backgroundOf(target).left.length, 'count'),
    };
  });
  const widest = (of: (row: typeof head) => string): number =>
    Math.max(...[head, ...rows].map((row) => columns(of(row))));
  const [complete, agreement, raw, background] = [
    widest((row) => row.complete),
    // Of one recording each there is nothing to agree.
    analysis && rows.every((row) => row.agreement === ABSENT || row.agreement === 'one recording')
      ? 0
      : widest((row) => row.agreement),
    widest((row) => row.raw),
    widest((row) => row.background),
  ];
  // On a narrow terminal what the page is called is worth more than the figures beside its own.
  const gap = 2;
  const all = INDENT.length + complete + raw + background + 3 * gap + (agreement === 0 ? 0 : agreement + gap);
  const short = width - all < SHORTEST_NAME;
  const room = Math.max(8, width - (short ? INDENT.length + complete + gap : all));
  const page = Math.min(
    room,
    widest((row) => row.page),
  );
  const line = (row: typeof head): string =>
    [
      INDENT + pad(fit(row.page, page), page),
      padLeft(row.complete, complete),
      ...(short
        ? []
        : [
            ...(agreement === 0 ? [] : [pad(row.agreement, agreement)]),
            padLeft(row.raw, raw),
            padLeft(row.background, background),
          ]),
    ].join(' '.repeat(gap));
  return [
    style.dim(line(head)),
    ...rows.map(line),
    ...(more > 0 ? [INDENT + style.dim(`${andMore(more)}, which the report lists`)] : []),
  ];
}

/** What the user calls a page, with its address. */
const named = (result: TargetReport['result']): string =>
  [result.name ?? typedOf(result), result.url].filter((part) => part !== undefined).join('  ');

/** Why a page has no time. */
function noAnswer(answer: Parameters<typeof shortState>[0], analysis: boolean): string {
  return answer === undefined ? (analysis ? 'not analysed' : 'not measured') : shortState(answer);
}

/** Below this the names of pages cannot be told from each other, in columns. */
const SHORTEST_NAME = 20;

function targetLines(target: TargetReport, report: AuditReport, style: Ansi, width: number): readonly string[] {
  const analysis = report.result.kind === 'analysis';
  const { result } = target;
  const sections = [
    [
      style.bold(fit(plain(analysis ? result.target : named(result)), width)),
      ...(analysis && result.url !== '' && result.url !== result.target
        ? [style.dim(fit(plain(result.url), width))]
        : []),
      ...(result.conditions ? wrap(plain(result.conditions.sentence), width).map(style.dim) : []),
    ],
    healthLines(result, style, width),
    wrap(plain(completionText(target)), width).map(style.bold),
    metricLines(target, report.columns, analysis, style, width),
    budgetLines(result, style, width),
    missingLines(target, style, width),
    [
      ...notesOf(target).flatMap((note) => bullet(plain(note), width)),
      ...watchedLines(target, report, width),
      ...proofLines(target, style, width),
      ...fairnessLines(target, analysis, style, width),
    ],
    pathLines(target, width),
    interactionLines(target, width),
    mainThreadLines(target, style, width),
    coverageLines(target, width),
    fixLines(target, style, width),
    leftOutLines(target, style, width),
    countedLines(target, style, width),
    findingLines(target, style, width),
    lighthouseLines(target, style, width),
    failureLines(target, analysis, style, width),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index > 0 ? ['', ...section] : section));
}

/** That the page does not work, or loaded without something: before its number. */
function healthLines(target: TargetReport['result'], style: Ansi, width: number): readonly string[] {
  const line = healthLine(target);
  return line === undefined ? [] : bullet(plain(line.sentence), width, '⚠ ').map(style.yellow);
}

/** What an answer that could not be given still waited for, and what to do about it. */
function missingLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const answer = answerOf(target);
  if (answer === undefined || answer.state === 'complete') return [];
  const { waitingFor } = answer;
  const more = waitingFor.length - LISTED;
  const hints = missingEvidence(target).flatMap((hint) => wrap(plain(hint), width));
  if (waitingFor.length === 0) return hints;
  return [
    style.yellow(answer.state === 'never' ? 'Still waiting for:' : 'What is missing:'),
    ...waitingFor.slice(0, LISTED).flatMap((what) => bullet(plain(what), width, `${INDENT}– `)),
    ...(more > 0 ? [`${INDENT}– ${andMore(more)}`] : []),
    ...hints,
  ];
}

/** How long the page was watched, where that is longer than every page is. */
function watchedLines(target: TargetReport, report: AuditReport, width: number): readonly string[] {
  const analysis = report.result.kind === 'analysis';
  const answer = target.representative?.pageComplete;
  const because = watchedInWords(answer, analysis);
  if (answer === undefined || because === undefined) return [];
  const usual = (answer.at ?? 0) + (quietWindowOf(target.result, report.result) ?? 0) + UNHURRIED_MS;
  if (answer.state === 'complete' && answer.observedUntil <= usual) return [];
  const watched = `${analysis ? 'Recorded' : 'Watched'} for ${formatValue(answer.observedUntil, 'ms')}`;
  return bullet(`${watched}: ${plain(because)}.`, width);
}

/** What holding the suspects back showed. */
function proofLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const ablation = target.result.evidence?.ablation;
  if (ablation === undefined) return [];
  const mark = ablation.same ? '✓' : '!';
  return bullet(plain(ablation.sentence), width, `${mark} `).map((line, index) =>
    index > 0 ? line : (ablation.same ? style.green : style.yellow)(mark) + line.slice(1),
  );
}

/** That the measurement was not fair, or that nobody can know; that it was need not be said. */
function fairnessLines(target: TargetReport, analysis: boolean, style: Ansi, width: number): readonly string[] {
  const unfair = analysis ? undefined : fairnessOf(target)?.aside;
  if (unfair === undefined) return [];
  return bullet(plain(unfair), width, '! ').map((line, index) =>
    index > 0 ? line : style.yellow('!') + line.slice(1),
  );
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
  analysis: boolean,
  style: Ansi,
  width: number,
): readonly string[] {
  const { summary } = target.result;
  // Of one recording there is one value: no median, no interval, nothing to agree with.
  const alone = analysis && countedRuns(target).length === 1;
  // A step without a new document has neither first byte nor paints.
  const known = analysis || target.result.step !== undefined;
  const shown = metrics.filter(
    (metric) => metric.headline && !((known || metric.onlyInSteps) && summary[metric.name] === undefined),
  );
  if (shown.every((metric) => summary[metric.name] === undefined)) return [];
  const rows = shown.map((metric) => {
    const found = summary[metric.name];
    return {
      title: plain(metric.title),
      median: formatValue(found?.median, metric.unit),
      interval: formatInterval(found?.low, found?.high, metric.unit),
      level: levelInWords(found),
      agreement: agreementInWords(found, analysis ? 'recording' : 'run'),
    };
  });
  const head = {
    title: 'metric',
    median: alone ? 'value' : 'median',
    interval: 'interval',
    level: '',
    agreement: analysis ? 'recordings' : 'runs',
  };
  const widest = (of: (row: typeof head) => string): number =>
    Math.max(...[head, ...rows].map((row) => columns(of(row))));
  const medianWidth = widest((row) => row.median);
  const levelWidth = widest((row) => row.level);
  const intervalWidth = widest((row) => row.interval) + (levelWidth === 0 ? 0 : levelWidth + 2);
  const agreementWidth = widest((row) => row.agreement);
  const others = medianWidth + agreementWidth + 6;
  // The interval is the first to go: median and agreement say the most in the least room.
  const interval = !alone && width - INDENT.length - others - intervalWidth - 2 >= 14;
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
      ...(alone ? [] : [dress(row.agreement)]),
    ].join('  ');
  return [style.dim(line(head, (text) => text)), ...rows.map((row) => line(row, style.dim))];
}

/** What was seen on the screen, in few words; of what is not known there is nothing to say. */
const SHORT_IMPACT: Readonly<Partial<Record<BackgroundEndpoint['visualImpact'], string>>> = {
  none: 'changed nothing on the screen',
  'first-content': 'its first content counts',
  continuous: 'keeps changing the screen',
};

/** The endpoints that were left out, the dearest first. */
function leftOutLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const { left } = backgroundOf(target);
  if (left.length === 0) return [];
  const each = left.length === 1 ? 'it' : 'each';
  // Of an answer that is not known nobody can say what would have moved it.
  const priced = left.some((endpoint) => costInWords(endpoint) !== ABSENT);
  const heading = `${formatCount(left.length, 'background endpoint')} left out`;
  return [
    ...wrap(priced ? `${heading}, and what counting ${each} would do:` : `${heading}:`, width),
    ...endpointLines(left, priced ? costInWords : () => '', style, width),
  ];
}

/** The endpoints that were recognised and count all the same. */
function countedLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const { counted } = backgroundOf(target);
  if (counted.length === 0) return [];
  return [
    ...wrap(`${formatCount(counted.length, 'endpoint')} recognised as background, and counted:`, width),
    ...endpointLines(counted, () => 'counted', style, width),
  ];
}

function endpointLines(
  endpoints: readonly BackgroundEndpoint[],
  at: (endpoint: BackgroundEndpoint) => string,
  style: Ansi,
  width: number,
): readonly string[] {
  const rows = endpoints.slice(0, ENDPOINTS).map((endpoint) => ({
    kind: plain(endpoint.kind),
    endpoint: plain(endpoint.endpoint),
    figure: at(endpoint),
    why: [
      `${plain(endpoint.because)} (${plain(endpoint.confidence)})`,
      endpoint.excluded ? SHORT_IMPACT[endpoint.visualImpact] : plain(overruledInWords(endpoint)),
    ]
      .filter((part) => part !== undefined)
      .join('; '),
  }));
  const kindWidth = Math.max(...rows.map((row) => columns(row.kind)));
  const figureWidth = Math.max(...rows.map((row) => columns(row.figure)));
  const room = width - INDENT.length - kindWidth - figureWidth - 4;
  const endpointWidth = Math.min(room, Math.max(...rows.map((row) => columns(row.endpoint))));
  const under = INDENT + ' '.repeat(kindWidth + 2);
  const more = endpoints.length - ENDPOINTS;
  const lines = rows.flatMap((row) => [
    `${INDENT}${style.magenta(pad(row.kind, kindWidth))}  ${pad(fit(row.endpoint, endpointWidth), endpointWidth)}  ${padLeft(row.figure, figureWidth)}`.trimEnd(),
    ...wrap(row.why, Math.max(NARROWEST / 2, width - under.length)).map((line) => under + style.dim(line)),
  ]);
  return more > 0 ? [...lines, INDENT + style.dim(`${andMore(more)}, which the report lists`)] : lines;
}

function findingLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const measured = countedRuns(target).length;
  return otherFindings(target).flatMap((finding) => {
    const where = findingWhere(finding, measured);
    const more = finding.urls.length - LISTED;
    return [
      ...bullet(
        `${plain(finding.code)}${where === undefined ? '' : ` (${plain(where)})`}: ${plain(finding.message)}`,
        width,
        '! ',
      ).map((line, index) => (index === 0 ? style.yellow('!') + line.slice(1) : line)),
      ...finding.urls.slice(0, LISTED).map((url) => INDENT + style.dim(fit(plain(url), width - INDENT.length))),
      ...(more > 0 ? [INDENT + style.dim(andMore(more, 'address', 'addresses'))] : []),
    ];
  });
}

function failureLines(target: TargetReport, analysis: boolean, style: Ansi, width: number): readonly string[] {
  return failedRuns(target).flatMap((run) => {
    const what = analysis ? '' : `${run.role === 'timed' ? 'run' : `${plain(run.role)} run`} ${run.index} failed: `;
    return bullet(`${what}${plain(run.failure?.message ?? 'no reason given')}`, width, '✗ ').map(style.red);
  });
}
