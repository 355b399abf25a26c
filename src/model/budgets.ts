import type { Unit } from './units.ts';

/** A budget that is exceeded: is only reported · fails the job. */
export type BudgetSeverity = 'warn' | 'error';

/** A budget as a configuration file may have it, beside its short form 'page-complete=2s:warn'. */
export interface BudgetEntry {
  /** A metric by its name or abbreviation, `requests:<type>`, `transfer-size:<type>`, or `lighthouse:<category or metric>`. */
  readonly metric: string;
  /** The most it may be, with or without a unit. */
  readonly max?: number | string;
  /** The least it may be; for scores. */
  readonly min?: number | string;
  readonly severity?: BudgetSeverity;
}

/** Where a budget's figure comes from. */
export type BudgetSource =
  | { readonly kind: 'metric'; readonly metric: string }
  | { readonly kind: 'requests' | 'transfer-size'; readonly type: string }
  | { readonly kind: 'lighthouse-category' | 'lighthouse-metric'; readonly name: string };

/** A limit for one figure of a page. */
export interface Budget {
  /** As in result.json: 'pageComplete', 'requestCount:script', 'lighthouse:performance'. */
  readonly metric: string;
  /** In words: 'Page complete', 'Requests (script)'. */
  readonly title: string;
  readonly unit: Unit;
  readonly source: BudgetSource;
  /** Is the limit the most or the least that the figure may be? */
  readonly bound: 'max' | 'min';
  /** In the unit. */
  readonly limit: number;
  readonly severity: BudgetSeverity;
}

/**
 * The whole interval keeps the limit · the whole interval is beyond it · the limit lies in the interval, so that nobody can
 * tell · there is no figure. Undecided budgets do not fail.
 */
export type BudgetState = 'pass' | 'fail' | 'undecided' | 'unknown';

/** A budget, judged. */
export interface BudgetResult {
  readonly metric: string;
  readonly title: string;
  readonly unit: Unit;
  readonly bound: 'max' | 'min';
  readonly limit: number;
  readonly severity: BudgetSeverity;
  /** Median over the runs. */
  readonly value?: number;
  /** The interval that it was judged on. */
  readonly low?: number;
  readonly high?: number;
  /** Set where it was judged without what the machine took from the page; the figures as measured are beside it. */
  readonly basis?: 'undisturbed';
  readonly measured?: { readonly value: number; readonly low: number; readonly high: number };
  readonly state: BudgetState;
  /** What came out, with figures. */
  readonly sentence: string;
}
