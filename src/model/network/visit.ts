import type { Overruled, Verdict } from '../background/verdict.ts';
import type { KnownCause } from '../completion/causes.ts';
import type { PageComplete } from '../completion/completion.ts';
import type { StepPlace } from '../main-thread.ts';
import type { MetricAbbreviation, TimingEntries } from '../metrics/metrics.ts';
import type { Recording } from '../recording/recording.ts';
import type { Unit } from '../units.ts';
import type { Timeline } from './timeline.ts';

/** What the untimed load of a page tells of every load of it. */
export interface KnownOfPage {
  /** The function of each script that takes longest. */
  readonly places?: readonly StepPlace[];
  /** What made it ask for its requests. */
  readonly causes?: readonly KnownCause[];
}

/** A load without the small parts that follow when it is mostly complete. */
export interface Larger {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly complete: Extract<PageComplete, { readonly state: 'complete' }>;
}

/** One page load with everything that was concluded from it: what metrics are read from. */
export interface Visit {
  readonly recording: Recording;
  readonly timeline: Timeline;
  /** By the hop's id. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Verdicts that do not stand, by the hop's id: the user, or what other runs taught, overruled them. */
  readonly overruled: ReadonlyMap<string, Overruled>;
  readonly complete: PageComplete;
  readonly raw: PageComplete;
  /** The load without small parts that follow; absent where none do. */
  readonly larger?: Larger;
  /** Absent where there was no untimed load, and in it. */
  readonly known?: KnownOfPage;
}

/** One figure that can be read from a visit. */
export interface Metric {
  /** Its key in result.json. */
  readonly name: string;
  /** In words, for tables. */
  readonly title: string;
  readonly unit: Unit;
  readonly better: 'lower' | 'higher';
  /** One sentence: what it measures and where it comes from. */
  readonly description: string;
  /** Shown in the short table. */
  readonly headline: boolean;
  /** As the field abbreviates it: 'LCP'. */
  readonly abbreviation?: MetricAbbreviation;
  /** Measured of steps of a script alone: of a load it is not missing. */
  readonly onlyInSteps?: true;
  /** True when 0 is a value that a good page has: builds are compared by difference then, not by ratio. */
  readonly canBeZero?: boolean;
  /** True of a moment of the load: what was stolen from the page before it can be taken off. */
  readonly isMoment?: boolean;
  /** The user has defined it. */
  readonly own?: true;
  /**
   * True of the time of a paint, or of one that ends with a paint: it comes with a frame of the display, so that less than one
   * is no difference.
   */
  readonly isPaint?: true;
  /** Entries of the page's timeline that it is computed from. How they are collected: core/rendering/page-timings.ts. */
  readonly timing?: keyof TimingEntries;
  /** Absent when the visit does not say. */
  read(visit: Visit): number | undefined;
}
