import type { Waterfall } from '../model/report.ts';
import type { TargetResult } from '../model/result.ts';

/** What only the page of a target's report shows. */
export interface Drawn {
  /** Those of its timed runs. */
  readonly waterfalls: readonly Waterfall[];
  /** Small copies of its evidence, as data URLs, by their path beside result.json. */
  readonly thumbnails: Readonly<Record<string, string>>;
}

/** A page, or a step after its loads, as far as it was measured. Of many, all are under way at once: they lie packed. */
export interface AuditedTarget {
  /** What is known of it; put together anew each time. */
  result(): TargetResult;
  /** Read from the disk each time; there are waterfalls once it is settled. */
  drawn(): Promise<Drawn>;
}
