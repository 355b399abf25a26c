import type { AuditReport, MetricColumn, TargetReport } from '../../model/report.ts';
import type { BackgroundEndpoint } from '../../model/result.ts';
import { budgetsInShort, budgetsOfPages } from '../../report/budgets.ts';
import { fairnessOf, unfairPagesInWords } from '../../report/fairness.ts';
import { backgroundOf } from '../../result/background.ts';
import { countedRuns, failedRuns } from '../../result/counted-runs.ts';
import { missingEvidence, notesOf, otherFindings } from '../../result/findings.ts';
import { worstFirst } from '../../result/order.ts';
import { typedOf } from '../../result/pages-with-steps.ts';
import { quietWindowOf } from '../../result/quiet-window.ts';
import { answerOf, headlineComplete, networkIdleOf, shownColumns } from '../../result/representative.ts';
import { verdictOf } from '../../result/verdict.ts';
import { completionText } from '../../wording/completion.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { NO_REASON } from '../../wording/failure.ts';
import { ABSENT, andMore, formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { agreementInWords, levelInWords, pagesTogether, shortState } from '../../wording/outcome.ts';
import { runName } from '../../wording/run-name.ts';
import { costInWords, findingWhere, overruledInWords, watchedInWords } from '../../wording/words.ts';
import { budgetLines } from './budgets.ts';
import { fit, pad, padLeft, wrap } from './columns.ts';
import { coverageLines } from './coverage.ts';
import { pathLines } from './critical-path.ts';
import { PAGES_IN_FULL } from './failures.ts';
import { fixLines } from './fixes.ts';
import { interactionLines } from './interactions.ts';
import { lighthouseLines } from './lighthouse.ts';
import { mainThreadLines } from './main-thread.ts';
import {
  bullet,
  endedEarly,
  INDENT,
  more,
  NARROWEST,
  type Paint,
  parted,
  prose,
  type Screen,
  screenOf,
  type TerminalOptions,
  unpainted,
  widest,
} from './screen.ts';
import { shardLines } from './shards.ts';

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
  const screen = screenOf(options);
  const { result, targets } = report;
  const lines = parted([
    targets.length === 0 ? [`Nothing was ${result.kind === 'analysis' ? 'analysed' : 'measured'}.`] : [],
    targets.length > 1 ? overviewLines(report, screen) : [],
    ...(targets.length <= PAGES_IN_FULL
      ? targets.map((target) => targetLines(target, report, screen))
      : [togetherLines(report, screen)]),
    shardLines(result, screen),
    endedEarly(result, screen),
  ]);
  return `${lines.join('\n')}\n`;
}

/** What is said of many pages together; nearest to where one goes on to type. */
function togetherLines({ result, targets }: AuditReport, screen: Screen): readonly string[] {
  const analysis = result.kind === 'analysis';
  const unfair = analysis ? undefined : unfairPagesInWords(targets);
  return [
    ...prose(pagesTogether(targets, analysis), screen, screen.style.bold),
    ...prose(budgetsOfPages(targets) ?? '', screen),
    ...bullet(unfair ?? '', screen, '! '),
    screen.style.dim('The report has the details of each.'),
  ];
}

/** Several pages at a glance, a line each: those without an answer first, then the slowest. */
function overviewLines({ result, targets }: AuditReport, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const analysis = result.kind === 'analysis';
  const head = {
    page: analysis ? 'recorded page' : 'page',
    complete: 'page complete',
    agreement: analysis ? 'recordings' : 'runs',
    raw: 'network idle',
    background: 'background',
    budgets: 'budgets',
  };
  const ranked = worstFirst(targets);
  const rows = ranked.slice(0, PAGES_LISTED).map(({ target }) => {
    const answer = answerOf(target);
    const complete = headlineComplete(target);
    const broken = verdictOf(target.result) === 'broken' ? '⚠ broken, ' : '';
    return {
      page: target.result.name ?? target.result.target,
      complete: broken + (complete === undefined ? noAnswer(answer, analysis) : formatValue(complete, 'ms')),
      agreement: agreementInWords(target.result.summary.pageComplete, analysis ? 'recording' : 'run'),
      raw: shortState(networkIdleOf(target)),
      background: answer === undefined ? ABSENT : formatValue(backgroundOf(target).left.length, 'count'),
      budgets: budgetsInShort(target.result.budgets),
    };
  });
  const budgeted = targets.some(({ result }) => result.budgets !== undefined);
  const widthOf = (of: (row: typeof head) => string): number => widest([head, ...rows].map(of));
  const [complete, agreement, raw, background, budgets] = [
    widthOf((row) => row.complete),
    // Of one recording each there is nothing to agree.
    analysis && rows.every((row) => row.agreement === ABSENT || row.agreement === 'one recording')
      ? 0
      : widthOf((row) => row.agreement),
    widthOf((row) => row.raw),
    widthOf((row) => row.background),
    budgeted ? widthOf((row) => row.budgets) : 0,
  ];
  // On a narrow terminal what the page is called is worth more than the figures beside its own.
  const gap = 2;
  const withGap = (column: number): number => (column === 0 ? 0 : column + gap);
  const least = INDENT.length + complete + gap + withGap(budgets);
  const all = least + raw + background + 2 * gap + withGap(agreement);
  const short = width - all < SHORTEST_NAME;
  const room = Math.max(8, width - (short ? least : all));
  const page = Math.min(
    room,
    widthOf((row) => row.page),
  );
  const line = (row: typeof head): string =>
    [
      INDENT + pad(fit(row.page, page), page),
      padLeft(row.complete, complete),
      ...(budgets === 0 ? [] : [pad(row.budgets, budgets)]),
      ...(short
        ? []
        : [
            ...(agreement === 0 ? [] : [pad(row.agreement, agreement)]),
            padLeft(row.raw, raw),
            padLeft(row.background, background),
          ]),
    ]
      .join(' '.repeat(gap))
      .trimEnd();
  return [style.dim(line(head)), ...rows.map(line), ...more(ranked.length - PAGES_LISTED, screen)];
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

function targetLines(target: TargetReport, report: AuditReport, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const analysis = report.result.kind === 'analysis';
  const { result } = target;
  return parted([
    [
      style.bold(fit(analysis ? result.target : named(result), width)),
      ...(analysis && result.url !== '' && result.url !== result.target ? [style.dim(fit(result.url, width))] : []),
      ...prose(result.conditions?.sentence ?? '', screen, style.dim),
    ],
    bullet(healthLine(result)?.sentence ?? '', screen, '⚠ ').map(style.yellow),
    prose(completionText(target), screen, style.bold),
    metricLines(target, shownColumns(report.columns, target.result), analysis, screen),
    budgetLines(result, screen),
    missingLines(target, screen),
    [
      ...notesOf(target).flatMap((note) => bullet(note, screen)),
      ...watchedLines(target, report, screen),
      ...proofLines(target, screen),
      // That it was fair need not be said.
      ...bullet((analysis ? undefined : fairnessOf(target)?.aside) ?? '', screen, '! ', style.yellow),
    ],
    pathLines(target, screen),
    interactionLines(target, screen),
    mainThreadLines(target, screen),
    coverageLines(target, screen),
    fixLines(target, screen),
    leftOutLines(target, screen),
    countedLines(target, screen),
    findingLines(target, screen),
    lighthouseLines(target, screen),
    failureLines(target, analysis, screen),
  ]);
}

/** What an answer that could not be given still waited for, and what to do about it. */
function missingLines(target: TargetReport, screen: Screen): readonly string[] {
  const answer = answerOf(target);
  if (answer === undefined || answer.state === 'complete') return [];
  const { waitingFor } = answer;
  const left = waitingFor.length - LISTED;
  const hints = missingEvidence(target).flatMap((hint) => prose(hint, screen));
  if (waitingFor.length === 0) return hints;
  return [
    screen.style.yellow(answer.state === 'never' ? 'Still waiting for:' : 'What is missing:'),
    ...waitingFor.slice(0, LISTED).flatMap((what) => bullet(what, screen, `${INDENT}– `)),
    ...(left > 0 ? [`${INDENT}– ${andMore(left)}`] : []),
    ...hints,
  ];
}

/** How long the page was watched, where that is longer than every page is. */
function watchedLines(target: TargetReport, report: AuditReport, screen: Screen): readonly string[] {
  const analysis = report.result.kind === 'analysis';
  const answer = target.representative?.pageComplete;
  const because = watchedInWords(answer, analysis);
  if (answer === undefined || because === undefined) return [];
  const usual = (answer.at ?? 0) + (quietWindowOf(target.result, report.result) ?? 0) + UNHURRIED_MS;
  if (answer.state === 'complete' && answer.observedUntil <= usual) return [];
  const watched = `${analysis ? 'Recorded' : 'Watched'} for ${formatValue(answer.observedUntil, 'ms')}`;
  return bullet(`${watched}: ${because}.`, screen);
}

/** What holding the suspects back showed. */
function proofLines(target: TargetReport, screen: Screen): readonly string[] {
  const { same, sentence = '' } = target.result.evidence?.ablation ?? {};
  const { green } = screen.style;
  return bullet(sentence, screen, same ? '✓ ' : '– ', same ? green : undefined);
}

function metricLines(
  target: TargetReport,
  metrics: readonly MetricColumn[],
  analysis: boolean,
  { style, width }: Screen,
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
      title: metric.title,
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
  const widthOf = (of: (row: typeof head) => string): number => widest([head, ...rows].map(of));
  const medianWidth = widthOf((row) => row.median);
  const levelWidth = widthOf((row) => row.level);
  const intervalWidth = widthOf((row) => row.interval) + (levelWidth === 0 ? 0 : levelWidth + 2);
  const agreementWidth = widthOf((row) => row.agreement);
  const others = medianWidth + agreementWidth + 6;
  // The interval is the first to go: median and agreement say the most in the least room.
  const interval = !alone && width - INDENT.length - others - intervalWidth - 2 >= 14;
  const rest = width - INDENT.length - others - (interval ? intervalWidth + 2 : 0);
  const titleWidth = Math.max(
    8,
    Math.min(
      rest,
      widthOf((row) => row.title),
    ),
  );
  const line = (row: typeof head, dress: Paint): string =>
    [
      INDENT + pad(fit(row.title, titleWidth), titleWidth),
      padLeft(row.median, medianWidth),
      ...(interval ? [pad(row.interval, intervalWidth - levelWidth) + padLeft(row.level, levelWidth)] : []),
      ...(alone ? [] : [dress(row.agreement)]),
    ].join('  ');
  return [style.dim(line(head, unpainted)), ...rows.map((row) => line(row, style.dim))];
}

/** What was seen on the screen, in few words; of what is not known there is nothing to say. */
const SHORT_IMPACT: Readonly<Partial<Record<BackgroundEndpoint['visualImpact'], string>>> = {
  none: 'changes nothing on the screen',
  'first-content': 'its first content counts',
  continuous: 'keeps changing the screen',
};

/** The endpoints that were left out, the dearest first. */
function leftOutLines(target: TargetReport, screen: Screen): readonly string[] {
  const { left } = backgroundOf(target);
  if (left.length === 0) return [];
  const each = left.length === 1 ? 'it' : 'each';
  // Of an answer that is not known nobody can say what would have moved it.
  const priced = left.some((endpoint) => costInWords(endpoint) !== ABSENT);
  const heading = `${formatCount(left.length, 'background endpoint')} left out`;
  return [
    ...prose(priced ? `${heading}, and what counting ${each} would do:` : `${heading}:`, screen),
    ...endpointLines(left, priced ? costInWords : () => '', screen),
  ];
}

/** The endpoints that were recognised and count all the same. */
function countedLines(target: TargetReport, screen: Screen): readonly string[] {
  const { counted } = backgroundOf(target);
  if (counted.length === 0) return [];
  return [
    ...prose(`${formatCount(counted.length, 'endpoint')} recognised as background, and counted:`, screen),
    ...endpointLines(counted, () => 'counted', screen),
  ];
}

function endpointLines(
  endpoints: readonly BackgroundEndpoint[],
  at: (endpoint: BackgroundEndpoint) => string,
  screen: Screen,
): readonly string[] {
  const { style, width } = screen;
  const rows = endpoints.slice(0, ENDPOINTS).map((endpoint) => ({
    kind: endpoint.kind,
    endpoint: endpointInWords(endpoint),
    figure: at(endpoint),
    why: [
      `${endpoint.because} (${endpoint.confidence})`,
      endpoint.excluded ? SHORT_IMPACT[endpoint.visualImpact] : overruledInWords(endpoint),
    ]
      .filter((part) => part !== undefined)
      .join('; '),
  }));
  const kindWidth = widest(rows.map((row) => row.kind));
  const figureWidth = widest(rows.map((row) => row.figure));
  const room = width - INDENT.length - kindWidth - figureWidth - 4;
  const endpointWidth = Math.min(room, widest(rows.map((row) => row.endpoint)));
  const under = INDENT + ' '.repeat(kindWidth + 2);
  const lines = rows.flatMap((row) => [
    `${INDENT}${style.magenta(pad(row.kind, kindWidth))}  ${pad(fit(row.endpoint, endpointWidth), endpointWidth)}  ${padLeft(row.figure, figureWidth)}`.trimEnd(),
    ...wrap(row.why, Math.max(NARROWEST / 2, width - under.length)).map((line) => under + style.dim(line)),
  ]);
  return [...lines, ...more(endpoints.length - ENDPOINTS, screen)];
}

function findingLines(target: TargetReport, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const measured = countedRuns(target).length;
  return otherFindings(target).flatMap((finding) => {
    const where = findingWhere(finding, measured);
    const left = finding.urls.length - LISTED;
    return [
      ...bullet(
        `${finding.code}${where === undefined ? '' : ` (${where})`}: ${finding.message}`,
        screen,
        '! ',
        style.yellow,
      ),
      ...finding.urls.slice(0, LISTED).map((url) => INDENT + style.dim(fit(url, width - INDENT.length))),
      ...(left > 0 ? [INDENT + style.dim(andMore(left, 'address', 'addresses'))] : []),
    ];
  });
}

function failureLines(target: TargetReport, analysis: boolean, screen: Screen): readonly string[] {
  return failedRuns(target).flatMap((run) => {
    const what = analysis ? '' : `${runName(run)} failed: `;
    return bullet(`${what}${run.failure?.message ?? NO_REASON}`, screen, '✗ ').map(screen.style.red);
  });
}
