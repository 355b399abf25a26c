import { isCompleteRun } from '../../core/counted-runs.ts';
import type { AuditReport, MetricColumn, TargetReport, WholeTarget } from '../../model/report.ts';
import type { BackgroundEndpoint, MetricSummary } from '../../model/result.ts';
import { budgetsInShort } from '../../report/budgets.ts';
import { fairnessOf, unfairPagesInWords } from '../../report/fairness.ts';
import { backgroundOf } from '../../result/background.ts';
import { countedRuns, failedRuns, timedRuns } from '../../result/counted-runs.ts';
import { missingEvidence, notesOf, otherFindings } from '../../result/findings.ts';
import { fixesOf } from '../../result/fixes.ts';
import { isBroken } from '../../result/health.ts';
import { worstFirst } from '../../result/order.ts';
import { type Outcome, outcomeOf, outcomesOf } from '../../result/outcome.ts';
import { isOverBudget } from '../../result/over-budget.ts';
import { wholeIn } from '../../result/pages-with-steps.ts';
import { answerOf, headlineComplete, networkIdleOf, shownColumns } from '../../result/representative.ts';
import { isUnproved } from '../../result/unproved.ts';
import { completionText } from '../../wording/completion.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { NO_REASON } from '../../wording/failure.ts';
import { fixPage, problemText, problemTitle, savingInWords } from '../../wording/fixes.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { agreementInWords, levelInWords, pagesInWords, shortState, tallyInWords } from '../../wording/outcome.ts';
import { runName } from '../../wording/run-name.ts';
import {
  confidenceInWords,
  countedAnswer,
  findingTitle,
  findingWhere,
  impactInWords,
  overruledInWords,
} from '../../wording/words.ts';
import { details, type Heading, list, others, table } from './blocks.ts';
import { coveragePart } from './coverage.ts';
import { code, codeInHtml, prose } from './inert.ts';
import { interactionPart } from './interactions.ts';
import { budgetsPart, conditionsLine, lighthouseLine } from './lab.ts';
import { mainThreadPart } from './main-thread.ts';
import { shardsPart, shardsWarning } from './shards.ts';

/** Longest answer that is reported whole: it is what the summary is read for. */
const ANSWER = 800;
/** Things of one kind that are listed before it says how many more there are. */
const LISTED = 10;
/** Addresses of a finding that are listed. */
const ADDRESSES = 3;
/** Figures of a commit's hash that tell it from all others. */
const COMMIT = 12;
/** Pages of which the overview has a line; the worst come first. */
const PAGES = 40;
/**
 * The length up to which pages are reported one by one. Source: 65,536 letters may stand in a comment on GitHub; the rest is
 * for what a workflow writes around it.
 */
const LONGEST = 60_000;

/** Pictures that every forge and mail program has; a word stands beside each. */
const EMOJI: Readonly<Record<Outcome, string>> = {
  unmeasured: '⛔',
  never: '🔴',
  unconfirmed: '❔',
  partly: '🟡',
  complete: '✅',
};

/** A budget that fails the job. */
const OVER_BUDGET = '❌';

/**
 * An audit or an analysis as a comment on a pull request, the summary of a job or a page of a wiki (GitHub flavoured
 * Markdown), at most 65,536 letters long. Texts of the pages are words or code in it: they mention nobody, link nowhere
 * and hold no HTML.
 */
export function renderAuditMarkdown(report: AuditReport, whole: WholeTarget = wholeIn(report)): string {
  const early = [
    shardsWarning(report.result),
    ...(report.result.interrupted === true ? ['Ended early. The result contains what was measured until then.'] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  const parts = report.targets.length === 1 ? onePage(whole(0), report, early) : manyPages(report, whole, early);
  return `${parts.filter((part) => part !== undefined && part !== '').join('\n\n')}\n`;
}

type Parts = readonly (string | undefined)[];

const isAnalysis = ({ result }: AuditReport): boolean => result.kind === 'analysis';

/** "Complete", "Complete in 4 of 5 runs", "Not analysed". */
function outcomeInWords(target: TargetReport, report: AuditReport): string {
  switch (outcomeOf(target.result)) {
    case 'unmeasured':
      return isAnalysis(report) ? 'Not analysed' : 'Not measured';
    case 'never':
      return 'Never complete';
    case 'unconfirmed':
      return 'Not confirmed';
    case 'partly': {
      const measured = countedRuns(target);
      return `Complete in ${measured.filter(isCompleteRun).length} of ${runsInWords(measured.length, report)}`;
    }
    case 'complete':
      return isUnproved(target.result) ? 'Complete, not proved' : 'Complete';
  }
}

/** What is wrong comes first: the page, then its budgets. */
function headingOf(target: TargetReport, report: AuditReport): string {
  if (isBroken(target.result)) return 'Broken page';
  const outcome = outcomeInWords(target, report);
  return isOverBudget(target.result) ? `Over budget, ${outcome.toLowerCase()}` : outcome;
}

const runsInWords = (count: number, report: AuditReport): string =>
  formatCount(count, isAnalysis(report) ? 'recording' : 'run');

function onePage(target: TargetReport, report: AuditReport, early: string): Parts {
  return [
    `### ${signOf(target)} ${headingOf(target, report)}`,
    healthPart(target),
    `**${prose(completionText(target), ANSWER)}**`,
    unfairPart(target, report),
    early,
    ...pageParts(target, report),
    shardsPart(report.result),
    methodPart(report),
  ];
}

// --- Several pages ------------------------------------------------------------------------------------------------

function manyPages(report: AuditReport, whole: WholeTarget, early: string): Parts {
  const ranked = worstFirst(report.targets);
  const sorted = ranked.map(({ target }) => target);
  const worst = outcomesOf(sorted.map(({ result }) => result))[0]?.outcome;
  if (worst === undefined) {
    return [`### ${EMOJI.unmeasured} Nothing was ${isAnalysis(report) ? 'analysed' : 'measured'}`, early];
  }
  const count = pagesInWords(report.targets, isAnalysis(report) ? 'recorded page' : 'page');
  const head = [
    `### ${sorted.some(isPlainlyOver) ? OVER_BUDGET : EMOJI[worst]} ${count} ${isAnalysis(report) ? 'analysed' : 'audited'}`,
    `**${tallyInWords(sorted, isAnalysis(report))}**`,
    isAnalysis(report) ? '' : alert('WARNING', unfairPagesInWords(report.targets)),
    early,
    list(cut(report.result.notes ?? [], (note) => prose(note))),
    overview(sorted, report),
  ];
  const folded: string[] = [];
  let room = LONGEST - head.join('\n\n').length;
  for (const { index } of ranked) {
    const target = whole(index);
    const next = details(`${called(target, codeInHtml)}: ${shortAnswer(target, report)}`, pageBody(target, report));
    room -= next.length;
    if (room < 0) break;
    folded.push(next);
  }
  const left = sorted.length - folded.length;
  const rest = left === 0 ? undefined : `The report has the details of ${formatCount(left, 'more page')}.`;
  return [...head, ...folded, rest, shardsPart(report.result), methodPart(report)];
}

/** What a page is called by the user, or its address; steps are seen to belong to the page above them. */
function called({ result: { step, name, target } }: TargetReport, write: (text: string) => string): string {
  return step === undefined ? write(name ?? target) : `↳ then: ${write(step)}`;
}

const pageBody = (target: TargetReport, report: AuditReport): string =>
  [
    healthPart(target),
    `**${prose(completionText(target), ANSWER)}**`,
    unfairPart(target, report),
    ...pageParts(target, report),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** That the page does not work, or loaded without something: before its number. */
function healthPart({ result }: TargetReport): string {
  return alert('WARNING', healthLine(result)?.sentence);
}

/** A page that does not work is no success, however fast it was, and neither is one that fails the job. */
function signOf(target: TargetReport): string {
  const { result } = target;
  const outcome = outcomeOf(result);
  if (outcome !== 'unmeasured' && isBroken(result)) return '⚠️';
  if (isPlainlyOver(target)) return OVER_BUDGET;
  return outcome === 'complete' && isUnproved(result) ? '❔' : EMOJI[outcome];
}

/** Over budget, and nothing worse. */
function isPlainlyOver({ result }: TargetReport): boolean {
  const outcome = outcomeOf(result);
  return (outcome === 'complete' || outcome === 'partly') && isOverBudget(result);
}

function shortAnswer(target: TargetReport, report: AuditReport): string {
  const answer = plainAnswer(target, report);
  return isBroken(target.result) ? `broken, ${answer}` : answer;
}

function plainAnswer(target: TargetReport, report: AuditReport): string {
  const complete = headlineComplete(target);
  if (complete !== undefined) return `${formatValue(complete, 'ms')}${isUnproved(target.result) ? ', not proved' : ''}`;
  return outcomeInWords(target, report).toLowerCase();
}

function overview(sorted: readonly TargetReport[], report: AuditReport): string {
  // Pages are recorded once, as a rule: nothing to agree with.
  const several = sorted.some(({ result }) => (result.summary.pageComplete?.n ?? 0) > 1);
  const budgeted = sorted.some(({ result }) => result.budgets !== undefined);
  const rows = sorted.slice(0, PAGES).map((target) => {
    const { summary } = target.result;
    const answer = answerOf(target);
    return [
      called(target, code),
      `${signOf(target)} ${shortAnswer(target, report)}`,
      ...(budgeted ? [budgetsInShort(target.result.budgets)] : []),
      ...(several ? [agreement(summary.pageComplete)] : []),
      shortState(networkIdleOf(target)),
      answer === undefined ? ABSENT : formatValue(backgroundOf(target).left.length, 'count'),
    ];
  });
  const head: readonly Heading[] = [
    { title: 'Page' },
    { title: 'Page complete', figures: true },
    ...(budgeted ? [{ title: 'Budgets' }] : []),
    ...(several ? [{ title: isAnalysis(report) ? 'Recordings' : 'Runs' }] : []),
    { title: 'Network idle', figures: true },
    { title: 'Background left out', figures: true },
  ];
  return [table(head, rows), ...others(sorted.length - PAGES)].join('\n\n');
}

// --- One page -----------------------------------------------------------------------------------------------------

/** All that is told of a page below its answer; some parts may be empty. */
function pageParts(target: TargetReport, report: AuditReport): readonly string[] {
  const { left, counted } = backgroundOf(target);
  return [
    subject(target, report),
    // Those of a step are those of its page.
    target.result.step === undefined ? conditionsLine(target.result.conditions) : '',
    missingPart(target),
    list([...cut(notesOf(target), (note) => prose(note)), ...proofLines(target)]),
    metricPart(target, report, ({ headline }) => headline),
    budgetsPart(target.result),
    stages(target),
    interactionPart(target),
    mainThreadPart(target),
    coveragePart(target.result.coverage),
    fixPart(target),
    leftOutPart(left, headlineComplete(target)),
    findingPart(target),
    lighthouseLine(target.result.lighthouse),
    failurePart(target, report),
    fairnessPart(target, report),
    details(
      'Every other metric',
      metricPart(target, report, ({ headline }) => !headline),
    ),
    details('Looks like background, but counts', list(cut(counted, countedLine))),
  ];
}

/** A line for each of the first few, and how many more there are. */
const cut = <Item>(items: readonly Item[], line: (item: Item) => string): readonly string[] => [
  ...items.slice(0, LISTED).map(line),
  ...others(items.length - LISTED),
];

/** What was loaded, and how often. */
function subject(target: TargetReport, report: AuditReport): string {
  const { target: named, url, finalUrl } = target.result;
  const places = [...new Set([...(isAnalysis(report) ? [named] : []), url, finalUrl ?? url])].filter(
    (place) => place !== '',
  );
  const timed = timedRuns(target).length;
  const measured = countedRuns(target).length;
  const runs = timed === 0 ? 'no timed run' : runsInWords(timed, report);
  const done = isAnalysis(report) ? 'analysed' : 'measured';
  return `${places.map(code).join(' → ')} · ${measured < timed ? `${measured} of ${runs} ${done}` : runs}`;
}

/** What an answer that could not be given still waited for, and what to do about it. */
function missingPart(target: TargetReport): string {
  const answer = answerOf(target);
  if (answer === undefined || answer.state === 'complete') return '';
  const hints = missingEvidence(target)
    .slice(0, LISTED)
    .map((hint) => prose(hint));
  if (answer.waitingFor.length === 0) return hints.join('\n\n');
  const heading = answer.state === 'never' ? 'Still waiting for:' : 'What is missing:';
  return [heading, list(cut(answer.waitingFor, (what) => prose(what))), ...hints].join('\n\n');
}

/** What holding the suspects back showed. */
function proofLines(target: TargetReport): readonly string[] {
  const ablation = target.result.evidence?.ablation;
  return ablation === undefined ? [] : [`${ablation.same ? '✓ ' : ''}${prose(ablation.sentence)}`];
}

const alert = (kind: 'WARNING' | 'NOTE', text: string | undefined): string =>
  text === undefined ? '' : `> [!${kind}]\n> ${prose(text)}`;

/** Beside the answer, for who reads no further: that its figures may not hold, or that nobody can know. */
function unfairPart(target: TargetReport, report: AuditReport): string {
  const fairness = isAnalysis(report) ? undefined : fairnessOf(target);
  return alert(fairness?.tone === 'worse' ? 'WARNING' : 'NOTE', fairness?.aside);
}

/** Was the machine left alone, and do the runs agree? Nothing where that it was not is said beside the answer. */
function fairnessPart(target: TargetReport, report: AuditReport): string {
  const fairness = isAnalysis(report) ? undefined : fairnessOf(target);
  if (!fairness || fairness.aside !== undefined) return '';
  return `Was this a fair measurement? ${fairness.sign} ${prose(fairness.sentence)}`;
}

function agreement(summary: MetricSummary | undefined): string {
  const word = agreementInWords(summary);
  return word === ABSENT ? ABSENT : prose(word);
}

function metricPart(target: TargetReport, report: AuditReport, shown: (column: MetricColumn) => boolean): string {
  const { summary } = target.result;
  // What was measured is reported, and of an audit's short table also what could not be.
  const columns = shownColumns(report.columns, target.result).filter(
    (column) =>
      shown(column) &&
      (summary[column.name] !== undefined ||
        (column.headline && !column.onlyInSteps && !isAnalysis(report) && target.result.step === undefined)),
  );
  if (columns.every(({ name }) => summary[name] === undefined)) return '';
  // Of one run there is one value: no median, no interval, nothing to agree with.
  const alone = countedRuns(target).length === 1;
  // Metrics that were read in every run share one level, which then need not be said in every row.
  const levels = new Set(columns.map(({ name }) => levelInWords(summary[name])).filter((level) => level !== ''));
  const [shared] = levels.size === 1 ? levels : [];
  const rows = columns.map(({ name, title, unit }) => {
    const found = summary[name];
    const level = shared === undefined ? levelInWords(found) : '';
    const interval = `${formatInterval(found?.low, found?.high, unit)}${level === '' ? '' : ` (${level})`}`;
    return [
      name === 'pageComplete' ? `**${prose(title)}**` : prose(title),
      formatValue(found?.median, unit),
      ...(alone ? [] : [interval, agreement(found)]),
    ];
  });
  const runs = isAnalysis(report) ? 'Recordings' : 'Runs';
  const head: readonly Heading[] = [
    { title: 'Metric' },
    { title: alone ? 'Value' : 'Median', figures: true },
    ...(alone ? [] : [{ title: `Interval${shared === undefined ? '' : ` (${shared})`}` }, { title: runs }]),
  ];
  return table(head, rows);
}

/** Where page-complete went, in the run that stands for the target. */
function stages({ representative, result }: TargetReport): string {
  const breakdown = representative?.breakdown;
  if (breakdown === undefined) return '';
  const { basePage, parse, components, render } = breakdown;
  const step = result.step !== undefined;
  const pieces = [
    ['base page', basePage],
    ['parse', parse],
    ['components', components],
    ['render', render],
  ] as const;
  return `Where the time went: ${pieces
    .filter(([, value]) => !step || value > 0)
    .map(([stage, value]) => `${stage} ${formatValue(value, 'ms')}`)
    .join(' · ')}`;
}

/** What to fix, the largest saving first. Only addresses of our own documentation are links. */
function fixPart(target: TargetReport): string {
  const fixes = fixesOf(target);
  if (fixes.length === 0) return '';
  const pageUrl = target.result.finalUrl ?? target.result.url;
  const lines = cut(fixes, (fix) => {
    const { code: name } = fix;
    const page = fixPage(name);
    const how = page === undefined ? '' : ` [How](${page})`;
    return `**${prose(problemTitle(fix, pageUrl))}** ${savingInWords(fix)}: ${prose(problemText(fix), ANSWER)}${how}`;
  });
  return `**What to fix first** (savings overlap: do not add them up)\n\n${list(lines)}`;
}

function leftOutPart(left: readonly BackgroundEndpoint[], complete: number | undefined): string {
  if (left.length === 0) return '';
  const listed = left.slice(0, LISTED);
  // Of a recording nobody knows what was seen.
  const seen = listed.some(({ visualImpact }) => visualImpact !== 'unknown');
  const rows = listed.map((endpoint) => [
    code(endpoint.kind),
    code(endpointInWords(endpoint)),
    countedAnswer(endpoint, complete).figure,
    `${prose(endpoint.because)} (${confidenceInWords(endpoint)})`,
    ...(seen ? [impactInWords(endpoint)] : []),
  ]);
  const head: readonly Heading[] = [
    { title: 'Kind' },
    { title: 'Endpoint' },
    { title: 'Page complete if counted', figures: true },
    { title: 'Why it is background' },
    ...(seen ? [{ title: 'On the screen' }] : []),
  ];
  return [
    `**${formatCount(left.length, 'background endpoint')} left out**`,
    table(head, rows),
    ...others(left.length - LISTED),
  ].join('\n\n');
}

const countedLine = (endpoint: BackgroundEndpoint): string =>
  `${code(endpoint.kind)} ${code(endpointInWords(endpoint))}: ${prose(endpoint.because)}; ${prose(overruledInWords(endpoint))}`;

function findingPart(target: TargetReport): string {
  const measured = countedRuns(target).length;
  const findings = otherFindings(target);
  if (findings.length === 0) return '';
  const lines = cut(findings, (finding) => {
    const where = findingWhere(finding, measured);
    const addresses = [...finding.urls.slice(0, ADDRESSES).map(code), ...others(finding.urls.length - ADDRESSES)];
    return [
      `**${prose(findingTitle(finding.code))}**${where === undefined ? '' : ` (${prose(where)})`}: ${prose(finding.message)}`,
      ...addresses.map((address) => `  - ${address}`),
    ].join('\n');
  });
  return `**${formatCount(findings.length, 'finding')}**\n\n${list(lines)}`;
}

function failurePart(target: TargetReport, report: AuditReport): string {
  const failed = failedRuns(target);
  if (failed.length === 0) return '';
  const named = new Map<string, readonly string[]>();
  for (const run of failed) {
    const why = run.failure?.message ?? NO_REASON;
    named.set(why, [...(named.get(why) ?? []), prose(runName(run))]);
  }
  const lines = cut([...named], ([why, runs]) =>
    isAnalysis(report)
      ? prose(why)
      : `${[...runs.slice(0, LISTED), ...others(runs.length - LISTED)].join(', ')}: ${prose(why)}`,
  );
  return `**${runsInWords(failed.length, report)} failed**\n\n${list(lines)}`;
}

/** With what it was measured, and of which state of the source. */
function methodPart({ result }: AuditReport): string {
  const { tool, browser, source, kind } = result;
  const [done, where] = kind === 'analysis' ? ['Analysed', 'recorded by'] : ['Measured', 'in'];
  const commit = source === undefined ? '' : `, commit ${code(source.commit.slice(0, COMMIT))}`;
  const elsewhere = browser.elsewhere ? ' on another machine' : '';
  const notes = (browser.notes ?? []).map((note) => ` ${prose(note)}`).join('');
  return `${done} with Quiesce ${code(tool.version)}, ${where} ${code(browser.product)}${elsewhere}${commit}.${notes}`;
}
