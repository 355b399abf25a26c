import type { MetricSummary } from '../metrics/summary.ts';
import type { Failure } from '../result/failure.ts';
import type { Bytes, Ms, Unit } from '../units.ts';

/**
 * How Lighthouse is told that the page is done: by its own rule of silence · by its own rule, with background traffic
 * blocked that the page does not need · by its own rule, or a cap that was derived from page complete, whichever is first.
 */
export type WaitStrategy = 'own' | 'blocked' | 'capped';

/** How Lighthouse waits for a page. */
export interface LighthouseWait {
  readonly strategy: WaitStrategy;
  /** After this long it waits no longer, from navigation start; Lighthouse's own 45 s when absent. */
  readonly cap?: Ms;
  /** Endpoints that are blocked, as the ablation run held them; empty unless the strategy is 'blocked'. */
  readonly blocked: readonly string[];
  /** Which it is and why, in one sentence. */
  readonly sentence: string;
}

/** Something that Lighthouse says would make the page faster or lighter. */
export interface LighthouseOpportunity {
  /** Lighthouse's name of the audit. */
  readonly id: string;
  readonly title: string;
  /** What it would save at most of one of the metrics. */
  readonly savingsMs?: Ms;
  readonly savingsBytes?: Bytes;
}

/** One Lighthouse run. */
export interface LighthouseRun {
  /** From 1. */
  readonly index: number;
  readonly ok: boolean;
  readonly failure?: Failure;
  /** Scores by category ('performance', 'accessibility' …), 0 to 1; a category that could not be scored is absent. */
  readonly categories: Readonly<Record<string, number>>;
  /** Lighthouse's metrics by their names here ('largestContentfulPaint' …): ms, but layout shift is a score. */
  readonly metrics: Readonly<Record<string, number>>;
  /** At most five, the largest savings first. */
  readonly opportunities: readonly LighthouseOpportunity[];
  /** How long Lighthouse took for all, waiting and judging, ms. */
  readonly wallTime?: Ms;
  /** True when the cap ended its waiting. */
  readonly capReached?: boolean;
  /** What Lighthouse warns of, a sentence each. */
  readonly warnings: readonly string[];
}

/** A run before it is put into words. `consoleErrors`: those that blocked background traffic may have caused. */
export interface LighthouseRunFacts extends LighthouseRun {
  readonly consoleErrors?: number;
}

/** What Lighthouse says of a page, under the same conditions and in the same session as the other runs, but apart from them. */
export interface LighthouseResult {
  /** Lighthouse's own version. */
  readonly version?: string;
  readonly waited: LighthouseWait;
  /** Quiesce's page complete of the same page (median), for comparison with how long Lighthouse took. */
  readonly pageComplete?: Ms;
  readonly runs: readonly LighthouseRun[];
  /** The run whose report was stored, and that `opportunities` are taken from: the one in the middle by performance. */
  readonly representative?: number;
  /** Over the runs; the interval is absent with one. */
  readonly categories: Readonly<Record<string, MetricSummary>>;
  readonly metrics: Readonly<Record<string, MetricSummary>>;
  readonly wallTime?: MetricSummary;
  readonly opportunities: readonly LighthouseOpportunity[];
  /** File name of Lighthouse's own report beside result.json. */
  readonly report?: string;
}

/** One of Lighthouse's figures in two builds. It informs and decides nothing. */
export interface LighthouseComparison {
  /** 'lighthouse:performance', or 'lighthouse:' and a metric's name. */
  readonly name: string;
  readonly unit: Unit;
  readonly base?: number;
  readonly candidate?: number;
  /** Candidate minus base (Hodges–Lehmann), in the unit. */
  readonly difference?: number;
  /** Its interval; absent ends are unbounded: there were too few runs. */
  readonly low?: number;
  readonly high?: number;
  readonly level?: number;
}

/** Lighthouse on both builds, run alternately after the comparison was decided. */
export interface LighthouseComparisons {
  /** Runs of each build. */
  readonly runs: number;
  readonly comparisons: readonly LighthouseComparison[];
}
