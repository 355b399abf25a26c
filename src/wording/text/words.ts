import type { BackgroundEndpoint, PageCompleteResult, RunRole } from '../../model/result/result.ts';
import { type SharedFinding } from '../../result/findings.ts';
import { ABSENT, formatCount, formatValue, joined } from './format.ts';
import { capitalized } from './text.ts';

/**
 * Differences below this are not worth a second figure, ms. Source: half of the last digit that a time in seconds is
 * written with.
 */
const SAME = 5;

/** How sure a verdict is, and from what. What the user named needs no proof. */
export function confidenceInWords(endpoint: Pick<BackgroundEndpoint, 'kind' | 'confidence'>): string {
  if (endpoint.kind === 'user') return 'named by the user';
  switch (endpoint.confidence) {
    case 'certain':
      return 'certain';
    case 'likely':
      return 'likely, from how it behaved';
    case 'possible':
      return 'possible, but seen only briefly';
    default:
      // A stored result can say anything.
      return ABSENT;
  }
}

/** What an endpoint's traffic did to what is seen on the page. */
export function impactInWords(endpoint: Pick<BackgroundEndpoint, 'visualImpact'>): string {
  switch (endpoint.visualImpact) {
    case 'none':
      return 'changes nothing on the screen';
    case 'first-content':
      return 'showed content at first; later updates changed nothing';
    case 'continuous':
      return 'keeps changing the screen: its first content counts, its updates do not';
    default:
      return 'not known';
  }
}

/** What page-complete would have been with an endpoint counted, and what stands beside it. */
export interface CountedAnswer {
  /** "7.90 s", "never", "no later", "not known". */
  readonly figure: string;
  /** "instead of 1.24 s". */
  readonly beside?: string;
}

/** Page-complete with an endpoint counted, against the `complete` that stands in the headline. */
export function countedAnswer(
  endpoint: Pick<BackgroundEndpoint, 'cost' | 'countedState'>,
  complete: number | undefined,
): CountedAnswer {
  const beside = complete === undefined ? {} : { beside: `instead of ${formatValue(complete, 'ms')}` };
  const { cost, countedState } = endpoint;
  if (countedState === 'never') return { figure: 'never', ...beside };
  if (cost !== undefined) {
    if (cost <= 0) return { figure: 'no later' };
    if (complete === undefined || cost < SAME) return { figure: `+${formatValue(cost, 'ms')}` };
    const figure = formatValue(complete + cost, 'ms');
    // "6.25 s instead of 6.25 s" tells nobody anything.
    return figure === formatValue(complete, 'ms') ? { figure: `+${formatValue(cost, 'ms')}` } : { figure, ...beside };
  }
  if (countedState === 'unconfirmed') return { figure: 'not known', beside: 'watching ended before it was quiet' };
  return { figure: ABSENT };
}

/** Why an endpoint that was recognised counts all the same, as the end of a sentence. */
export function overruledInWords({
  overruledBy,
  overruling,
}: Pick<BackgroundEndpoint, 'overruledBy' | 'overruling'>): string {
  if (overruledBy === undefined || overruledBy === '') return 'counted anyway';
  return `counted anyway, because${overruling?.code === 'foreground' ? ' of' : ''} ${overruledBy}`;
}

/** What an untimed run is for; nothing of a timed one. */
export function purposeInWords(role: RunRole): string | undefined {
  switch (role) {
    case 'evidence':
      return 'untimed: films the page';
    case 'ablation':
      return 'untimed: blocks background traffic';
    case 'discarded':
      return 'untimed: warms up, and ends at the first short silence';
    default:
      return undefined;
  }
}

/**
 * Why a run was watched for so long. A recording that suffices is as long as its maker wanted: the reason is that
 * of a live watcher, and no longer true of it.
 */
export function watchedInWords(answer: PageCompleteResult | undefined, analysis: boolean): string | undefined {
  if (answer?.watchedBecause === undefined || (analysis && answer.state === 'complete')) return undefined;
  return answer.watchedBecause === '' ? undefined : answer.watchedBecause;
}

/** A finding's code as a title: "stream-starvation" is "Stream starvation". */
export function findingTitle(code: string): string {
  const words = code.replace(/[-_\s]+/g, ' ').trim();
  return words === '' ? 'Finding' : capitalized(words);
}

/**
 * How many of the runs show a finding: "in 5 of 5 runs", "in 1 of 5 runs, namely run 3; also in the evidence run",
 * "in the evidence run"; nothing where there is but one.
 */
export function findingWhere(finding: Pick<SharedFinding, 'runs' | 'untimed'>, measured: number): string | undefined {
  const { runs, untimed } = finding;
  if (measured === 1 && runs.length === 1 && untimed.length === 0) return undefined;
  const named = runs.length < measured && runs.length <= 3 ? `, namely run ${joined(runs.map(String))}` : '';
  const timed = runs.length === 0 ? undefined : `in ${runs.length} of ${formatCount(measured, 'run')}${named}`;
  const others = untimed.length === 0 ? undefined : `in the ${untimed.join(' and the ')} run`;
  return [timed, others].filter((part) => part !== undefined).join('; also ');
}
