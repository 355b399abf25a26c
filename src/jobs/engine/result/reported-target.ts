import type { Waterfall } from '../../../model/result/report.ts';
import type { TargetResult } from '../../../model/result/result.ts';

/** What only the page of a target's report shows. */
export interface TargetVisuals {
  /** Those of its timed runs. */
  readonly waterfalls: readonly Waterfall[];
  /** Small copies of its evidence, as data URLs, by their path beside result.json. */
  readonly thumbnails: Readonly<Record<string, string>>;
}

/** A page, or a step after its loads, as reports read it. Of many, each is read when its turn comes, and let go. */
export interface ReportedTarget {
  /** What is known of it; put together anew each time. */
  result(): TargetResult;
  /** Read from the disk each time, and of many targets only when there are to be pages. */
  visuals(): Promise<TargetVisuals>;
  /** What there is to say of it beside what its result says, a sentence each. */
  readonly notes?: readonly string[];
}
