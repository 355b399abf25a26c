import { isCounted } from '../core/counted-runs.ts';
import type { BudgetResult } from '../model/budgets.ts';
import type { MetricComparison } from '../model/compare/comparison.ts';
import type {
  AuditReport,
  ComparePagesReport,
  CompareReport,
  TargetReport,
  WholeTarget,
} from '../model/result/report.ts';
import type { ResultHeader, TargetResult } from '../model/result/result.ts';
import { answer } from '../report/audit/answer.ts';
import { background } from '../report/audit/background.ts';
import { fairness } from '../report/audit/fairness.ts';
import { findings } from '../report/audit/findings.ts';
import { notes } from '../report/audit/metrics.ts';
import type { Chapter, Page } from '../report/audit/page.ts';
import { limitInWords } from '../report/budgets.ts';
import {
  changeInterval,
  changeText,
  coverage,
  decisionWord,
  failuresInWords,
  gateInWords,
  minEffectText,
  shownMetrics,
} from '../report/comparison.ts';
import { shardStory } from '../report/shards.ts';
import { countedRuns, failedRuns, timedRuns } from '../result/counted-runs.ts';
import { filmDoubt } from '../result/doubt/film-doubt.ts';
import { quietWindowOf } from '../result/doubt/quiet-window.ts';
import { fixesOf } from '../result/fixes.ts';
import { fullNameOf, wholeIn } from '../result/pages-with-steps.ts';
import { answerOf, headlineComplete } from '../result/representative.ts';
import { completionText } from '../wording/completion/completion.ts';
import { problemText, savingInWords } from '../wording/fixes/fixes.ts';
import { healthLine } from '../wording/health.ts';
import { NO_REASON } from '../wording/result/failure.ts';
import { agreementInWords, levelInWords } from '../wording/result/outcome.ts';
import { runName } from '../wording/result/run-name.ts';
import { formatCount, formatInterval, formatValue, listed } from '../wording/text/format.ts';
import { elide, plain } from '../wording/text/text.ts';
import { writePlain } from './plain.ts';
import { type Attributes, element, type XmlElement, xmlDocument } from './xml.ts';

/** Longest foreign text that is written out. */
const LONG = 1000;
/** Things of one kind that are listed before it says how many more there are. */
const MAX_ITEMS = 10;
/** Fixes that are named. */
const FIXES = 3;

/** How a test case ended when it did not pass: the product is at fault · the measurement is · nothing can be said. */
interface Trouble {
  readonly how: 'failure' | 'error' | 'skipped';
  /** A code that tools group by. */
  readonly type: string;
  readonly message: string;
}

/** A test case as continuous integration shows it. */
interface Case {
  readonly name: string;
  readonly trouble?: Trouble | undefined;
  /** What a page took, ms: tools draw the history of it. */
  readonly time?: number | undefined;
  /** Lines to read. */
  readonly out: readonly string[];
  /** Lines about what went wrong without deciding the case. */
  readonly problems?: readonly string[];
}

/** A suite: one page, or one comparison. */
interface Suite {
  readonly name: string;
  readonly properties: Attributes;
  readonly cases: readonly Case[];
}

// --- Audits -------------------------------------------------------------------------------------------------------

/**
 * An audit or an analysis in the form of JUnit's test results, which every CI system reads: a suite for each page. "page
 * works" fails when it is broken. "page
 * complete" fails when a run never was, is skipped when one could not be confirmed and an error when none could be
 * measured; "runs agree" is skipped when they do not, for then the figures say little of the page; each budget is a case
 * (`budgetCases`). The time of a case is the page's, in seconds.
 */
export function renderAuditJunit(report: AuditReport, whole: WholeTarget = wholeIn(report)): string {
  const { result, targets, columns } = report;
  const command = result.kind === 'analysis' ? 'quiesce analyze' : 'quiesce audit';
  const named = new Map<string, number>();
  const suites = targets.map((_, index): Suite => {
    const target = whole(index);
    const name = nameOf(target, result.kind === 'analysis');
    const nth = (named.get(name) ?? 0) + 1;
    named.set(name, nth);
    return {
      // Tools take two cases of the same name for one.
      name: nth === 1 ? name : `${name} (${nth})`,
      properties: {
        url: short(target.result.url),
        ...commonProperties(result, target.result),
        ...fixProperties(target),
      },
      cases: [
        ...worksCase(target.result),
        completeCase({ target, result, columns, analysis: result.kind === 'analysis', detail: 'normal' }),
        ...agreementCase(target),
        ...budgetCases(target.result.budgets),
      ],
    };
  });
  return document(command, suites, result);
}

/** What to fix first, as `fix-1` and so on. */
function fixProperties(target: TargetReport): Attributes {
  const lines = fixesOf(target).slice(0, FIXES);
  return Object.fromEntries(
    lines.map((fix, index) => [`fix-${index + 1}`, short(`${fix.code} (${savingInWords(fix)}): ${problemText(fix)}`)]),
  );
}

/** A folder is served at another address each time: its history would begin anew. Of a file's pages only that tells them apart. */
function nameOf({ result }: TargetReport, analysis: boolean): string {
  const { target, url } = result;
  return short(analysis && url !== '' && url !== target ? `${target} ${url}` : fullNameOf(result));
}

/** What the case says, as the document of the page does. */
const CHAPTERS: readonly Chapter[] = [
  answer,
  notes,
  background,
  findings,
  (page) => fairness({ ...page, detail: 'brief' }),
];

function completeCase(page: Page): Case {
  const { target } = page;
  return {
    name: 'page complete',
    trouble: troubleOf(target),
    time: headlineComplete(target),
    out: writePlain(CHAPTERS.flatMap((chapter) => chapter(page))),
    problems: listed(
      failedRuns(target).map((run) => `${runName(run)}: ${reason(run.failure)}`),
      MAX_ITEMS,
    ),
  };
}

/** Fails when the page does not work; of one that was not loaded there is nothing to ask. */
function worksCase(target: TargetResult): readonly Case[] {
  if (!target.runs.some(isCounted)) return [];
  const line = healthLine(target);
  const trouble: Trouble | undefined = line?.isBroken
    ? { how: 'failure', type: 'broken', message: line.sentence }
    : undefined;
  return [{ name: 'page works', trouble, out: line === undefined ? [] : [line.sentence] }];
}

const reason = (failure: { readonly message: string } | undefined): string => failure?.message ?? NO_REASON;

function troubleOf(target: TargetReport): Trouble | undefined {
  const measured = countedRuns(target);
  if (measured.length === 0) {
    const [failed] = failedRuns(target);
    return { how: 'error', type: failed?.failure?.code ?? 'unmeasured', message: reason(failed?.failure) };
  }
  for (const [state, how, words] of [
    ['never', 'failure', 'never complete'],
    ['unconfirmed', 'skipped', 'not confirmed'],
  ] as const) {
    const runs = measured.filter(({ pageComplete }) => pageComplete?.state === state);
    const [first] = runs;
    if (first === undefined) continue;
    // The sentence is that of the run that stands for the page, which may be another.
    const own = answerOf(target)?.state === state;
    const waitingFor = listed(first.pageComplete?.waitingFor ?? [], MAX_ITEMS).join(', ');
    const waiting = waitingFor === '' ? '' : `, waiting for ${waitingFor}`;
    const message = own
      ? completionText(target)
      : `${words} in ${runs.length} of ${formatCount(measured.length, 'run')}${waiting}`;
    return { how, type: state === 'never' ? 'never-complete' : state, message };
  }
  return undefined;
}

/** Whether the runs say the same; of one run there is nothing to ask. */
function agreementCase(target: TargetReport): readonly Case[] {
  if (timedRuns(target).length < 2) return [];
  const summary = target.result.summary.pageComplete;
  const skipped = (type: string, message: string): Trouble => ({ how: 'skipped', type, message });
  const name = 'runs agree';
  if (summary?.agreement === undefined) {
    const few = summary === undefined ? 'no run was complete' : `only ${formatCount(summary.n, 'run')} was complete`;
    return [{ name, trouble: skipped('too-few-runs', `Nothing to compare: ${few}`), out: [] }];
  }
  const interval = formatInterval(summary.low, summary.high, 'ms');
  const median = formatValue(summary.median, 'ms');
  const line = `Page complete ${median}, ${interval} (${levelInWords(summary)} interval of ${formatCount(summary.n, 'run')}): ${agreementInWords(summary)}`;
  if (summary.agreement !== 'disagrees') return [{ name, trouble: undefined, out: [line] }];
  const trouble = filmDoubt(target.result.runs)
    ? skipped('film-disagrees', `The filmed load disagrees with the runs. ${line}`)
    : skipped('runs-disagree', `The runs disagree. ${line}`);
  return [{ name, trouble, out: [line] }];
}

// --- Comparisons --------------------------------------------------------------------------------------------------

/**
 * A comparison in the form of JUnit's test results: a case for each metric that decides, which fails when its gate does
 * and is skipped when it is undecided, one for each budget of the candidate, and one for the comparison itself, which is
 * an error when it is not valid. Of a shard all that decides is skipped: the others' loads belong to it. The time of a
 * case is the candidate's, in seconds.
 */
export function renderComparisonJunit(report: CompareReport): string {
  const { base, candidate, result } = report;
  return document('quiesce compare', [suiteOf(report, `${base.result.target} → ${candidate.result.target}`)], result);
}

/** The same of several pages: a suite for each. One that is not compared is skipped. */
export function renderComparedPagesJunit({ result, compared }: ComparePagesReport): string {
  const suites = result.targets.flatMap(({ name, leftOut }, i): readonly Suite[] => {
    const report = compared[i];
    if (report === undefined) return [];
    const suite = suiteOf(report, name);
    if (leftOut === undefined) return [suite];
    const trouble: Trouble = { how: 'skipped', type: 'left-out', message: leftOut };
    return [{ ...suite, cases: [{ name: 'comparison is valid', trouble, out: [leftOut] }] }];
  });
  return document('quiesce compare', suites, result);
}

function suiteOf(report: CompareReport, name: string): Suite {
  const { result } = report;
  const { seed, pairs, blocks, alpha } = result.design;
  const gates = shownMetrics(report).filter(({ comparison }) => comparison.gate);
  const noAnswer = whyNoAnswer(result);
  return {
    name: short(name),
    properties: {
      decision: result.decision,
      seed,
      pairs,
      blocks,
      alpha,
      ...commonProperties(result, result.candidate),
    },
    cases: [
      validityCase(report),
      ...worksCase(result.candidate),
      ...gates.map(({ comparison, title }) => gateCase(comparison, title, noAnswer)),
      ...budgetCases(result.candidate.budgets, result.shard === undefined ? undefined : noAnswer),
    ],
  };
}

function validityCase(report: CompareReport): Case {
  const { sentence, design, host, decision, pageDifferences } = report.result;
  const error = (type: string, message: string): Trouble => ({ how: 'error', type, message });
  const { stoppedBecause, stoppedSentence } = design;
  const trouble =
    design.pairs === 0
      ? error(stoppedBecause, `Nothing could be compared. ${stoppedSentence}`)
      : decision === 'invalid'
        ? error('comparison-invalid', host.sentence)
        : // Being busy for both builds alike makes intervals wide, but not wrong: a decision stands.
          host.verdict === 'unfit' && decision === 'unsure'
          ? error('host-unfit', host.sentence)
          : stoppedBecause === 'too-many-failures' || stoppedBecause === 'broken'
            ? error(stoppedBecause, stoppedSentence)
            : undefined;
  return {
    name: 'comparison is valid',
    trouble,
    out: [
      sentence,
      stoppedSentence,
      host.sentence,
      ...listed(
        pageDifferences.map(({ message }) => `the two pages differ: ${message}`),
        MAX_ITEMS,
      ),
    ],
    problems: failuresInWords(report, (reasons) => listed(reasons, MAX_ITEMS).join('; ')),
  };
}

/** Why nothing is decided whatever the figures are; undefined where they decide. */
function whyNoAnswer({ decision, shard }: CompareReport['result']): Trouble | undefined {
  const skipped = (type: string, message: string): Trouble => ({ how: 'skipped', type, message });
  if (shard !== undefined) return skipped('shard', 'One shard decides nothing by itself.');
  return decision === 'invalid' ? skipped('invalid', 'The comparison is not valid.') : undefined;
}

function gateCase(comparison: MetricComparison, title: string, noAnswer: Trouble | undefined): Case {
  const { base, candidate, unit, difference, decision, fails, sentence } = comparison;
  const trouble: Trouble | undefined =
    noAnswer ??
    (fails
      ? { how: 'failure', type: decision, message: sentence }
      : decision === 'unsure'
        ? { how: 'skipped', type: decision, message: sentence }
        : undefined);
  const gate = gateInWords(comparison);
  return {
    name: title,
    trouble,
    time: unit === 'ms' ? candidate.median : undefined,
    out: [
      sentence,
      `base ${formatValue(base.median, unit)}, candidate ${formatValue(candidate.median, unit)}, change ${changeText(comparison)}`,
      ...(difference === undefined
        ? []
        : [
            `interval ${changeInterval(comparison)} (${coverage(difference.level)}); a change within ${minEffectText(comparison)} does not matter`,
          ]),
      `decision: ${[decisionWord(comparison), gate].filter((word) => word !== undefined).join(', ')}`,
    ],
  };
}

// --- Budgets ------------------------------------------------------------------------------------------------------

/**
 * A case for each budget: it fails when the budget does and is to fail the job. It is skipped when it only warns, when the
 * figure is too close to the limit to tell, and when there is none.
 */
function budgetCases(budgets: readonly BudgetResult[] = [], noAnswer?: Trouble): readonly Case[] {
  const named = new Map<string, number>();
  return budgets.map((budget): Case => {
    const { title, sentence } = budget;
    // The same metric may have two limits: one that warns, and one that fails.
    const name = `budget: ${title} ${limitInWords(budget)}`;
    const nth = (named.get(name) ?? 0) + 1;
    named.set(name, nth);
    return {
      name: nth === 1 ? name : `${name} (${nth})`,
      trouble: noAnswer ?? budgetTrouble(budget),
      out: [sentence],
    };
  });
}

function budgetTrouble({ state, severity, sentence }: BudgetResult): Trouble | undefined {
  if (state === 'pass') return undefined;
  if (state === 'fail' && severity === 'error') return { how: 'failure', type: 'budget', message: sentence };
  return { how: 'skipped', type: state === 'fail' ? 'budget-warning' : `budget-${state}`, message: sentence };
}

// --- The form -----------------------------------------------------------------------------------------------------

const short = (text: string): string => elide(plain(text), LONG);

function commonProperties(result: AuditReport['result'] | CompareReport['result'], target: TargetResult): Attributes {
  const { tool, browser, source } = result;
  const shards = shardStory(result)?.sentence;
  return {
    quiesce: short(tool.version),
    browser: short(browser.product),
    quietWindow: quietWindowOf(target, result),
    commit: source === undefined ? undefined : short(source.commit),
    shards: shards === undefined ? undefined : short(shards),
  };
}

function document(command: string, suites: readonly Suite[], { startedAt }: ResultHeader): string {
  // The common schema wants a time without fraction and zone; it is UTC.
  const [timestamp] = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(startedAt) ?? [];
  // The schema of Jenkins has no number of skipped cases over all suites.
  const { skipped: _, ...all } = counts(suites.flatMap(({ cases }) => cases));
  return xmlDocument(
    element(
      'testsuites',
      { name: command, ...all },
      suites.map(({ name, properties, cases }) =>
        element('testsuite', { name: `${command} ${name}`, ...counts(cases), timestamp }, [
          element(
            'properties',
            {},
            Object.entries(properties).flatMap(([key, value]) =>
              value === undefined ? [] : [element('property', { name: key, value })],
            ),
          ),
          ...cases.map((each) => caseElement(each, name)),
        ]),
      ),
    ),
  );
}

function counts(cases: readonly Case[]): Attributes {
  const ended = (how: Trouble['how']): number => cases.filter(({ trouble }) => trouble?.how === how).length;
  const times = cases.flatMap(({ time }) => time ?? []);
  return {
    tests: cases.length,
    failures: ended('failure'),
    errors: ended('error'),
    skipped: ended('skipped'),
    time: times.length === 0 ? undefined : seconds(times.reduce((sum, time) => sum + time, 0)),
  };
}

const seconds = (time: number): string => (time / 1000).toFixed(3);

function caseElement({ name, trouble, time, out, problems = [] }: Case, classname: string): XmlElement {
  return element('testcase', { name: short(name), classname, time: time === undefined ? undefined : seconds(time) }, [
    ...(trouble === undefined ? [] : [troubleElement(trouble, out)]),
    ...(out.length === 0 ? [] : [element('system-out', {}, paragraph(out))]),
    ...(problems.length === 0 ? [] : [element('system-err', {}, paragraph(problems))]),
  ]);
}

const paragraph = (lines: readonly string[]): string => lines.map(short).join('\n');

/** Some tools show the message, others only what stands in the element; of a skipped case both show the message. */
function troubleElement({ how, type, message }: Trouble, out: readonly string[]): XmlElement {
  const given = { message: short(message), type: short(type) };
  return element(how, given, how === 'skipped' ? [] : paragraph([...new Set([message, ...out])]));
}
