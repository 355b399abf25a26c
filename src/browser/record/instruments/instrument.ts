import type { Request } from '../../../model/network/timeline.ts';
import type { LoadRequest } from '../../../model/recording/lab.ts';
import type { Ms } from '../../../model/units.ts';
import type { RunningBrowser } from '../../connect/browser.ts';
import type { NavigationClock } from '../clocks/navigation.ts';
import type { Recorder, RecordingParts } from '../recorder.ts';
import type { BeforeStart, TargetWatch } from '../targets.ts';

/** The load that an instrument is for. */
export interface MeasuredLoad {
  readonly browser: RunningBrowser;
  readonly request: LoadRequest;
  readonly clock: NavigationClock;
  readonly recorder: Recorder;
  /** The last hop of the document that is there now. */
  document(): Request | undefined;
}

/** The moment at which instruments are read. */
export interface ReadingMoment {
  /** The end of watching. */
  readonly until: Ms;
  /** The page answers. Without it only what has come by itself can be read. */
  readonly answers: boolean;
  /** The load is over; else the page is watched on, and is read again. */
  readonly ended: boolean;
}

/** What an instrument adds to a recording. */
export type Reading = Partial<RecordingParts>;

/** Takes something of a load beside its requests: what it looks like, what its threads do. */
export interface Instrument {
  /** What has to be in force before a target of the load runs. */
  readonly beforeStart?: readonly BeforeStart[];
  /** Others are read meanwhile: it is long in handing over what it took. */
  readonly isSlow?: boolean;
  /** Called when the page is open, and still blank. */
  start?(targets: TargetWatch): Promise<void>;
  /** Called whenever nothing that the page needs is in flight after its load event. */
  quiet?(): void;
  /** Called whenever something is. */
  busyAgain?(): void;
  read?(moment: ReadingMoment): Reading | Promise<Reading>;
  /** Stops it; nothing is read afterwards. It may not have been started. */
  stop?(): void | Promise<void>;
}

/** The recording's zero on the clock of traces and profiles, microseconds. */
export function traceZero(clock: Pick<NavigationClock, 'at'>): number {
  return -clock.at(0) * 1000;
}
