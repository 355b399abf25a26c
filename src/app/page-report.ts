import type { Waterfall } from '../model/report.ts';
import type { TargetResult } from '../model/result.ts';

/** What is known of a target. */
export interface PageReport {
  readonly result: TargetResult;
  /** Those of its timed runs, once it is settled. */
  readonly waterfalls: readonly Waterfall[];
  /** Small copies of its evidence, as data URLs, by their path beside result.json. */
  readonly thumbnails: Readonly<Record<string, string>>;
}
