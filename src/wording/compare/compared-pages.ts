import { otherBuild } from '../../core/changes/other-build.ts';
import { isNotFound } from '../../core/requests/load-failure.ts';
import type { Build } from '../../model/compare/build.ts';
import type { ComparedPage, CompareResult, Decision, MetricComparison } from '../../model/compare/comparison.ts';
import type { Failure } from '../../model/result/failure.ts';
import { decides } from '../../result/decides.ts';
import { formatChosenShare, formatCount, formatShare, formatValue } from '../text/format.ts';
import { estimateOf } from './comparison.ts';

/** Why a page is not compared although others are. */
export type LeftOut =
  /** Only this build has it; the failure of the other's loads, where it was loaded. */
  | { readonly code: 'one-build'; readonly build: Build; readonly failure?: Failure | undefined }
  | { readonly code: 'no-build'; readonly failure?: Failure | undefined }
  /** A step of the script that only one build's loads did. */
  | { readonly code: 'step-of-one-build'; readonly build: Build }
  /** No gate is of it, nor of its steps. */
  | { readonly code: 'no-gate' }
  | { readonly code: 'no-time' };

function onlyOf({ build, failure }: Extract<LeftOut, { code: 'one-build' }>): string {
  const other = `the ${otherBuild(build)}`;
  if (failure === undefined) return `only the ${build} has it: ${other} has no such file`;
  const status = failure.code === 'http-error' ? failure.status : undefined;
  const why = status === undefined ? failure.message.replace(/\.$/, '') : `${other} answers with HTTP ${status}`;
  return `only the ${build} ${isNotFound(failure) ? 'has it' : 'could be loaded'}: ${why}`;
}

/** The same in a sentence. */
export function leftOutSentence(name: string, reason: LeftOut): string {
  switch (reason.code) {
    case 'one-build':
      return `${name} is not compared, because ${onlyOf(reason)}.`;
    case 'no-build':
      return `${name} is not compared, because neither build could be loaded${reason.failure === undefined ? '' : `: ${reason.failure.message.replace(/\.$/, '')}`}.`;
    case 'step-of-one-build':
      return `${name} is not compared, because the script does this step only in the ${reason.build}.`;
    case 'no-gate':
      return `${name} is not compared, because no gate is of it (--gate).`;
    case 'no-time':
      return `${name} is not compared, because the time was over before (--budget-time).`;
  }
}

/** What the decision of several pages, or steps, stands for. `alpha`: over all of them. */
export function decisionRuleInWords(targets: readonly Shown[], alpha: number): string {
  const { one, many } = nounOf(targets);
  const share = formatChosenShare(alpha);
  // A step that only one build has is found before α is split, and has no part of it.
  const deciding = targets.filter((each) => decides(each) || (each.leftOut && each.step === undefined)).length;
  return `Slower if any of the ${formatCount(deciding, one, many)} is; α = ${share} is split evenly between them, so that a slower or faster ${one} is reported in at most ${share} of comparisons in which all ${many} are equal.`;
}

type Shown = Pick<ComparedPage, 'name' | 'step' | 'decision' | 'comparisons' | 'leftOut'>;

/** What is compared: pages, steps with the load before them, or both. */
export function nounOf(targets: readonly Pick<ComparedPage, 'step'>[]): {
  readonly one: string;
  readonly many: string;
} {
  const steps = targets.filter(({ step }) => step !== undefined).length;
  if (steps === 0) return { one: 'page', many: 'pages' };
  return steps === targets.length - 1
    ? { one: 'step', many: 'steps' }
    : { one: 'page or step', many: 'pages and steps' };
}

/** "2 of 6 pages are slower: Checkout 18% (12% to 24%), Home 6% (3% to 9%); 4 the same." */
export function pagesSentence(pages: readonly Shown[], titleOf: (metric: string) => string): string {
  const { one, many } = nounOf(pages);
  const by = (decision: CompareResult['decision']) =>
    pages.filter((page) => decides(page) && page.decision === decision);
  const parts: string[] = [];
  const lead = (page: readonly Shown[], what: string): string =>
    parts.length === 0
      ? `${page.length} of ${formatCount(pages.length, one, many)} ${page.length === 1 ? 'is' : 'are'} ${what}`
      : `${page.length} ${what}`;
  for (const decision of ['slower', 'faster'] as const) {
    const changed = by(decision).toSorted((a, b) => sizeOf(b, decision) - sizeOf(a, decision));
    if (changed.length > 0) {
      parts.push(`${lead(changed, decision)}: ${changed.map((page) => changeOf(page, decision, titleOf)).join(', ')}`);
    }
  }
  for (const [decision, what] of [
    ['same', 'the same'],
    ['unsure', 'undecided'],
    ['invalid', 'not valid, because the machine differed'],
  ] as const) {
    const pagesOf = by(decision);
    if (pagesOf.length > 0) parts.push(lead(pagesOf, what));
  }
  const leftOut = pages.filter((page) => page.leftOut !== undefined);
  if (leftOut.length > 0) parts.push(lead(leftOut, 'not compared'));
  const ungated = pages.filter((page) => page.leftOut === undefined && !decides(page));
  if (ungated.length > 0) parts.push(`${ungated.length} without a gate`);
  return parts.length === 0 ? 'No page was compared.' : `${parts.join('; ')}.`;
}

/** The gate metric that a page's decision rests on: of several the one that changed most. */
export function decidingMetric(
  { comparisons }: Pick<Shown, 'comparisons'>,
  decision: Decision,
): MetricComparison | undefined {
  const gates = comparisons.filter((each) => each.gate && each.decision === decision);
  return gates.find(({ metric }) => metric === 'pageComplete') ?? gates[0];
}

function sizeOf(page: Shown, decision: Decision): number {
  const difference = decidingMetric(page, decision)?.difference;
  return difference === undefined ? 0 : Math.abs(estimateOf(difference));
}

/** "Checkout 18% (12% to 24%)", with the metric where it is another than page complete. */
function changeOf(page: Shown, decision: Decision, titleOf: (metric: string) => string): string {
  const comparison = decidingMetric(page, decision);
  if (comparison?.difference === undefined) return page.name;
  const { difference, metric, unit } = comparison;
  const write = (value: number): string =>
    difference.relative === undefined ? formatValue(Math.abs(value), unit) : formatShare(Math.abs(value));
  const { low, high } = difference;
  const ends = decision === 'faster' ? [high, low] : [low, high];
  const range = ends.every((end) => end !== undefined) ? ` (${ends.map((end) => write(end ?? 0)).join(' to ')})` : '';
  const what = metric === 'pageComplete' ? '' : `, ${titleOf(metric)}`;
  return `${page.name} ${write(estimateOf(difference))}${range}${what}`;
}
