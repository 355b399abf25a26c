import type { BudgetState } from '../../model/budgets.ts';
import type { MetricName } from '../../model/metrics/metrics.ts';
import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import type { PageVerdict } from '../../model/result/result.ts';
import { backgroundOf } from '../../result/background.ts';
import { isBroken } from '../../result/health.ts';
import { outcomeOf } from '../../result/outcome.ts';
import { answerOf, headlineComplete, networkIdleOf } from '../../result/representative.ts';
import { VERDICTS, verdictOf } from '../../result/verdict.ts';
import { waitingForListed } from '../../wording/completion/waiting-for.ts';
import { brokenBecause } from '../../wording/health.ts';
import { agreementInWords, shortState, verdictInGeneral } from '../../wording/result/outcome.ts';
import { ABSENT, formatInterval, formatValue } from '../../wording/text/format.ts';
import { elide } from '../../wording/text/text.ts';
import { calledOf, timeOf } from '../audit/answer.ts';
import { budgetsLook } from '../budgets.ts';
import type { Cell, ColumnOf, Detail, Mark, Text } from '../parts.ts';

/** A column of the list of pages; a format that draws or links knows some by their names. */
export interface PagesColumn extends ColumnOf<TargetReport> {
  readonly name:
    | 'page'
    | 'verdict'
    | 'complete'
    | 'interval'
    | 'budgets'
    | 'runs'
    | 'idle'
    | 'left-out'
    | 'why'
    | MetricName;
  /** What readers can sort by; a page without it stands last. */
  readonly key?: (target: TargetReport) => number | undefined;
}

/** How each verdict is shown. */
export const VERDICT_MARKS: Readonly<Record<PageVerdict, Mark>> = {
  good: 'good',
  'needs-improvement': 'warning',
  poor: 'bad',
  broken: 'broken',
  never: 'bad',
  unconfirmed: 'unknown',
  unmeasured: 'invalid',
};

/** Longest reason that a row holds. */
const LONG = 90;

/** Titles for columns that are narrow. */
const SHORT_TITLES: Partial<Record<MetricName, string>> = { largestContentfulPaint: 'LCP', transferSize: 'Size' };

/** Any number of budgets that are too close to tell weighs less than one that is not met. */
const GRAVITY: Readonly<Record<BudgetState, number>> = { fail: 1e6, unknown: 1e3, undecided: 1, pass: 0 };

const AGREEMENTS: ReadonlyMap<string | undefined, number> = new Map([
  ['stable', 0],
  ['varies', 1],
  ['disagrees', 2],
]);

/** What is said of each of many pages. */
export function pagesColumns(report: AuditReport, detail: Detail): readonly PagesColumn[] {
  const { result, targets, columns } = report;
  const analysis = result.kind === 'analysis';
  // Pages are recorded once, as a rule: nothing to agree with.
  const several = targets.some((target) => (target.result.summary.pageComplete?.n ?? 0) > 1);
  const budgeted = targets.some((target) => target.result.budgets !== undefined);
  const explained = targets.some((target) => reasonOf(target) !== undefined);
  const metric = (name: MetricName): readonly PagesColumn[] => {
    const column = columns.find((each) => each.name === name);
    if (detail !== 'all' || column === undefined) return [];
    const read = ({ result: { summary } }: TargetReport): number | undefined => summary[name]?.median;
    if (!targets.some((target) => read(target) !== undefined)) return [];
    const cell = (target: TargetReport): string => formatValue(read(target), column.unit);
    return [{ name, title: SHORT_TITLES[name] ?? column.title, figures: true, worth: 0, cell, key: read }];
  };
  return [
    { name: 'page', title: analysis ? 'Recorded page' : 'Page', cell: calledOf },
    {
      name: 'verdict',
      title: 'Verdict',
      cell: ({ result: of }) => {
        const verdict = verdictOf(of);
        return { mark: VERDICT_MARKS[verdict], text: verdictInGeneral(verdict, analysis) };
      },
      key: (target) => VERDICTS.indexOf(verdictOf(target.result)),
    },
    {
      name: 'complete',
      title: 'Page complete',
      figures: true,
      cell: completeIn,
      key: headlineComplete,
    },
    ...(detail === 'all' && several
      ? [{ name: 'interval', title: 'Interval', figures: true, worth: 0, cell: intervalOf } as const]
      : []),
    ...(budgeted
      ? [
          {
            name: 'budgets',
            title: 'Budgets',
            cell: budgetsOf,
            key: ({ result: { budgets } }: TargetReport) =>
              budgets?.reduce((sum, { state }) => sum + GRAVITY[state], 0),
          } as const,
        ]
      : []),
    ...(several
      ? [
          {
            name: 'runs',
            title: analysis ? 'Recordings' : 'Runs',
            worth: 3,
            cell: ({ result: { summary } }: TargetReport) =>
              agreementInWords(summary.pageComplete, analysis ? 'recording' : 'run'),
            key: ({ result: { summary } }: TargetReport) => AGREEMENTS.get(summary.pageComplete?.agreement),
          } as const,
        ]
      : []),
    {
      name: 'idle',
      title: 'Network idle',
      figures: true,
      worth: 2,
      cell: (target) => shortState(networkIdleOf(target)),
      key: (target) => networkIdleOf(target)?.at,
    },
    {
      name: 'left-out',
      title: 'Background left out',
      figures: true,
      worth: 1,
      cell: (target) =>
        answerOf(target) === undefined ? ABSENT : formatValue(backgroundOf(target).left.length, 'count'),
      key: (target) => backgroundOf(target).left.length,
    },
    ...metric('largestContentfulPaint'),
    ...metric('requestCount'),
    ...metric('transferSize'),
    ...(explained
      ? [{ name: 'why', title: 'Reason', long: true, cell: (target: TargetReport) => reasonOf(target) ?? '' } as const]
      : []),
  ];
}

/** The time; of a page without one its verdict says so, unless it is a broken one. */
function completeIn(target: TargetReport): Cell | Text {
  const time = timeOf(target);
  if (time !== undefined) return time;
  const answer = answerOf(target);
  if (answer?.state === 'unconfirmed' && answer.at !== undefined) return `perhaps ${formatValue(answer.at, 'ms')}`;
  return isBroken(target.result) ? shortState(answer) : ABSENT;
}

function intervalOf({ result: { summary } }: TargetReport): string {
  return formatInterval(summary.pageComplete?.low, summary.pageComplete?.high, 'ms');
}

function budgetsOf({ result: { budgets } }: TargetReport): Cell | Text {
  const look = budgetsLook(budgets);
  if (look === undefined) return ABSENT;
  return { mark: look.tone === 'better' ? 'good' : look.tone === 'worse' ? 'bad' : 'warning', text: look.text };
}

/** Why a page has its verdict, where that is not its speed. */
function reasonOf(target: TargetReport): string | undefined {
  const reason = wholeReasonOf(target);
  return reason === undefined ? undefined : elide(reason, LONG);
}

function wholeReasonOf(target: TargetReport): string | undefined {
  const { result } = target;
  const verdict = verdictOf(result);
  if (verdict === 'broken') return brokenBecause(result);
  if (verdict === 'unmeasured') return result.runs.find(({ failure }) => failure !== undefined)?.failure?.message;
  if (verdict === 'never') {
    const answer = answerOf(target);
    if (answer === undefined || answer.waitingFor.length === 0) return undefined;
    return `still waiting for ${waitingForListed(answer, result.finalUrl ?? result.url)}`;
  }
  return outcomeOf(result) === 'partly' ? 'not complete in every run' : undefined;
}
