import type { Scale } from './compare/comparison.ts';
import type { OwnMetric } from './metrics/metrics.ts';
import type { Failure } from './result/failure.ts';
import type { ResultHeader, Source } from './result/result.ts';
import type { Shard } from './shards/shard.ts';
import type { FigureUnit } from './units.ts';

/** trend.json of `quiesce trend`: how stored results of the same pages follow each other. */
export interface TrendResult extends ResultHeader {
  readonly kind: 'trend';
  /** What the points are in the order of; by time where the commits could not be ordered. */
  readonly order: 'time' | 'commit';
  /** One sentence over all pages. */
  readonly sentence: string;
  /** The page that has become worse most is first, then those that have become better, then the calm ones. */
  readonly pages: readonly TrendPage[];
  /** What was found and left out. */
  readonly skipped: readonly SkippedResult[];
}

/** A file that does not count. */
export interface SkippedResult {
  readonly path: string;
  /** Why; absent in results of earlier versions. */
  readonly code?: SkipReason['code'];
  /** A clause; of an unreadable one a sentence that names it. */
  readonly because: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly reason?: SkipReason;
}

/** Why a file does not count. */
export type SkipReason =
  /** It is the same as this other file. */
  | { readonly code: 'copy'; readonly of: string }
  /** One shard of a comparison. */
  | { readonly code: 'lone-shard'; readonly shard: Shard }
  | { readonly code: 'unmeasured' }
  | { readonly code: 'not-comparable'; readonly why: NotComparable }
  /** It was joined with others in this other file. */
  | { readonly code: 'part'; readonly of: string }
  | { readonly code: 'unreadable'; readonly failure: Failure };

/** Why the throughputs of a result are not those that others are compared with. */
export type NotComparable = 'open-load' | 'interrupted' | 'not-reached';

/** One page over all results that measured it. */
export interface TrendPage {
  /** Set of a server whose capacity was measured, not a page that was loaded. */
  readonly kind?: 'capacity';
  /** The address without what differs from night to night, or the folder as it was named. */
  readonly page: string;
  readonly title?: string;
  readonly points: readonly TrendPoint[];
  readonly metrics: readonly MetricTrend[];
  readonly conditions: readonly ConditionChange[];
}

/** One result that measured the page. Of a server: `runs` is 1. */
export interface TrendPoint {
  /** ISO 8601 time at which its job began. */
  readonly at: string;
  readonly source?: Source;
  /** The first line of what was said with the commit; only where a level changes, and where the repository has it. */
  readonly subject?: string;
  /** Set where it is one side of a comparison. */
  readonly build?: 'base' | 'candidate';
  /** Its result.json and, where there is one, its report: paths relative to the trend's folder, with forward slashes. */
  readonly result: string;
  readonly report?: string;
  /** Timed runs that count, and timed runs that could not be measured. */
  readonly runs: number;
  readonly failed: number;
}

/** One metric of one page. */
export interface MetricTrend {
  readonly metric: string;
  /** In words: 'Page complete'. */
  readonly title: string;
  readonly unit: FigureUnit;
  /** Whether levels are compared as a ratio or as a difference. */
  readonly scale: Scale;
  /** Only points that measured it, in order. */
  readonly values: readonly TrendValue[];
  /** What the values keep to between two changes, in order; none without values. */
  readonly levels: readonly TrendLevel[];
  readonly changes: readonly TrendChange[];
  /** The last one or two values where they lie off their level by more than noise explains: too few to call it a change. */
  readonly pending?: TrendShift;
  /** One result against the next, as a share for ratios and in the unit for shifts: the noise that a change must exceed. */
  readonly noise?: number;
}

/** A metric over the timed runs of one result. */
export interface TrendValue {
  /** Its place among the page's points, from 0. */
  readonly point: number;
  readonly n: number;
  readonly median: number;
  /** Interval of the median by order statistics; absent with a single run. */
  readonly low?: number;
  readonly high?: number;
  /** Coverage of that interval, 0 to 1. */
  readonly level?: number;
}

/** What a metric keeps to for a while. */
export interface TrendLevel {
  /** Its first and last point. */
  readonly from: number;
  readonly to: number;
  /** Values that it rests on, and their median. */
  readonly n: number;
  readonly median: number;
}

/** How far values lie from the level before them, in plain words too. */
export interface TrendShift extends ShiftFigures {
  /** In plain words, with figures. */
  readonly sentence: string;
}

/** How far values lie from the level before them. */
export interface ShiftFigures {
  /** The first point that lies off. */
  readonly point: number;
  readonly direction: 'worse' | 'better';
  /** Hodges–Lehmann shift as a share of the level before; absent where that can be 0. */
  readonly relative?: number;
  /** The same in the metric's unit. */
  readonly absolute: number;
  /** Its interval, as shares for ratios, in the unit for shifts; and the coverage, over all points looked at. */
  readonly low: number;
  readonly high: number;
  readonly level: number;
}

/** A point from which on a metric keeps to another level, by more than noise explains. */
export interface TrendChange extends TrendShift {
  /** How far the results before and since differ in their surroundings: what may explain it besides the page. */
  readonly conditions: readonly string[];
}

/** A page's history before it is put into words. */
export type PageFigures = Omit<TrendPage, 'metrics' | 'conditions'> & {
  readonly metrics: readonly MetricFigures[];
  readonly conditions: readonly ConditionChangeFacts[];
};

/** One metric of it. `conditions` of a change: what else changed about then. */
export type MetricFigures = Omit<MetricTrend, 'changes' | 'pending'> & {
  readonly changes: readonly (ShiftFigures & { readonly conditions: readonly ConditionChangeFacts[] })[];
  readonly pending?: ShiftFigures;
};

/** Something about the measuring, not the page, that is different from a point on. */
export interface ConditionChange {
  /** The first point with it. */
  readonly point: number;
  /** 'browser', 'machine', or the name of a setting. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** The same before it is put into words. */
export interface ConditionChangeFacts {
  readonly point: number;
  /** 'browser', 'browserSandbox', 'tool', 'job', 'machine', or the name of a setting as results store it. */
  readonly name: string;
  /** As results store it; absent where it was not set. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What was measured of a page, or of a server, in one result: what a trend needs of it. */
export interface Measurement {
  /** Set of a server. */
  readonly kind?: 'capacity';
  readonly at: string;
  readonly target: string;
  readonly url: string;
  readonly title?: string;
  /** The name under which it is found: of a comparison's base that of the candidate. */
  readonly page: string;
  /** The conditions that it was loaded under, as results call them: tells measurements apart that alternate. */
  readonly under?: string;
  readonly build?: 'base' | 'candidate';
  readonly source?: Source;
  /** What may explain a difference besides the page, by name. */
  readonly conditions: Readonly<Record<string, unknown>>;
  /** Of each timed run that counts: its metrics. */
  readonly runs: readonly Readonly<Partial<Record<string, number>>>[];
  /** The metrics that the user had defined for it. */
  readonly ownMetrics?: readonly OwnMetric[];
  readonly failed: number;
  /** 95% intervals of figures that were measured once and have one by themselves. */
  readonly intervals?: Readonly<Record<string, { readonly low: number; readonly high: number }>>;
  readonly result: string;
  readonly report?: string;
}
