import type { Recording } from '../../src/model/recording/recording.ts';
import type { Failure } from '../../src/model/result/failure.ts';
import type { RunRole } from '../../src/model/result/result.ts';
import type { Ms } from '../../src/model/units.ts';

/** What a worker is to load, and where it puts what was recorded. */
export interface RecordJob {
  readonly name: string;
  readonly url: string;
  readonly file: string;
}

/** All that was recorded of one load, pictures included. */
export interface RawLoad {
  readonly role: RunRole;
  /** The URL patterns that were held back. */
  readonly hold?: readonly string[];
  /** It was watched at least until then, ms. */
  readonly watchUntil?: Ms;
  /** Absent where the load failed. */
  readonly recording?: Recording;
  readonly failure?: Failure;
}

/** The loads of one page, in the order in which they ended. */
export interface RawPage {
  readonly name: string;
  readonly url: string;
  readonly loads: readonly RawLoad[];
}
