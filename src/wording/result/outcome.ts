import type { TargetReport } from '../../model/result/report.ts';
import type { AuditHeader, MetricSummary, PageCompleteResult, PageVerdict } from '../../model/result/result.ts';
import type { ShardPlace } from '../../model/shards/shard.ts';
import { isOverBudget } from '../../result/over-budget.ts';
import { pagesWithSteps } from '../../result/pages-with-steps.ts';
import { headlineComplete } from '../../result/representative.ts';
import { verdictsOf } from '../../result/verdict.ts';
import { completionText } from '../completion/completion.ts';
import { healthLine } from '../health.ts';
import { ABSENT, formatCount, formatLevel, formatValue } from '../text/format.ts';

/** "good", "never complete", of any number of pages. */
export function verdictInGeneral(verdict: PageVerdict, analysis: boolean, count = 1): string {
  const words: Readonly<Record<PageVerdict, string>> = {
    good: 'good',
    'needs-improvement': count === 1 ? 'needs improvement' : 'need improvement',
    poor: 'poor',
    broken: 'broken',
    never: 'never complete',
    unconfirmed: 'not confirmed',
    unmeasured: analysis ? 'not analysed' : 'not measured',
  };
  return words[verdict];
}

/** How many pages there are of each verdict, the best first: "27 good", "1 broken". */
export function tallyOf(
  targets: readonly TargetReport[],
  analysis: boolean,
): readonly { readonly verdict: PageVerdict; readonly text: string }[] {
  return verdictsOf(targets.map(({ result }) => result)).map(({ verdict, count }) => ({
    verdict,
    text: `${formatValue(count, 'count')} ${verdictInGeneral(verdict, analysis, count)}`,
  }));
}

/** "27 good, 2 poor, 1 broken; 3 are over budget; the slowest is complete at 2.10 s." */
export function tallyInWords(targets: readonly TargetReport[], analysis: boolean): string {
  const tally = tallyOf(targets, analysis).map(({ text }) => text);
  return [tally.join(', '), ...restOfTally(targets)].join('; ').concat('.');
}

/** What else is said of all pages: "3 are over budget", "the slowest is complete at 2.10 s". */
export function restOfTally(targets: readonly TargetReport[]): readonly string[] {
  const over = targets.filter(({ result }) => isOverBudget(result)).length;
  const slowest = Math.max(...targets.flatMap((target) => headlineComplete(target) ?? []));
  return [
    ...(over > 0 ? [`${formatValue(over, 'count')} ${over === 1 ? 'is' : 'are'} over budget`] : []),
    ...(Number.isFinite(slowest) ? [`the slowest is complete at ${formatValue(slowest, 'ms')}`] : []),
  ];
}

/** The answer of an audit in one or two sentences: that of its page, or how many pages came to what. */
export function auditSentence(
  { kind, shard }: Pick<AuditHeader, 'kind' | 'shard'>,
  targets: readonly TargetReport[],
): string {
  if (shard !== undefined) return pagesOfShard(shard, targets);
  const [first] = targets;
  if (first === undefined) return 'No page was measured.';
  if (targets.length > 1) return pagesTogether(targets, kind === 'analysis');
  return pageSentence(first);
}

/** The answer of one page in one or two sentences, before it what breaks the page. */
export function pageSentence(target: TargetReport): string {
  const health = healthLine(target.result);
  return health === undefined ? completionText(target) : `${health.sentence} ${completionText(target)}`;
}

/** "3 pages: 1 never complete, 2 complete; the slowest at 2.10 s." */
export function pagesTogether(targets: readonly TargetReport[], analysis: boolean): string {
  return `${pagesInWords(targets, analysis ? 'recorded page' : 'page')}: ${tallyInWords(targets, analysis)}`;
}

/** What a shard of an audit says of itself. */
export function pagesOfShard({ total }: ShardPlace, targets: readonly TargetReport[]): string {
  const pages = targets.filter(({ result }) => result.step === undefined).length;
  const measured = `${formatValue(pages, 'count')} of ${formatCount(total, 'page')} ${pages === 1 ? 'was' : 'were'} measured here`;
  return `${measured}. This is not the result for all pages: "quiesce merge" joins the shards.`;
}

/** "3 pages", "1 page with 2 steps". */
export function pagesInWords(targets: readonly TargetReport[], one = 'page'): string {
  const pages = pagesWithSteps(targets);
  const steps = targets.length - pages.length;
  return `${formatCount(pages.length, one)}${steps === 0 ? '' : ` with ${formatCount(steps, 'step')}`}`;
}

/** A state with its time, in words: "1.24 s", "never", "not confirmed (7.90 s)". */
export function stateInWords(
  answer: Pick<PageCompleteResult, 'state' | 'at'> | PageCompleteResult['raw'] | undefined,
): string {
  if (answer === undefined) return ABSENT;
  const { state, at } = answer;
  if (state === 'never') return 'never';
  if (state === 'complete') return formatValue(at, 'ms');
  return at === undefined ? 'not confirmed' : `not confirmed (${formatValue(at, 'ms')})`;
}

/** A state without the guess that an unconfirmed one can have: "1.24 s", "never", "not confirmed". */
export function shortState(answer: Parameters<typeof stateInWords>[0]): string {
  return answer?.state === 'unconfirmed' ? 'not confirmed' : stateInWords(answer);
}

/** How well the runs, or the recordings, agree; of one there is nothing to say. */
export function agreementInWords(summary: MetricSummary | undefined, of: 'run' | 'recording' = 'run'): string {
  return summary?.agreement ?? (summary?.n === 1 ? `one ${of}` : ABSENT);
}

/** "94% interval" as a suffix for an interval that exists, else nothing. */
export function levelInWords(summary: MetricSummary | undefined): string {
  return summary?.low === undefined || summary.level === undefined ? '' : formatLevel(summary.level);
}
