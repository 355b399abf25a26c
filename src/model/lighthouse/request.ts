import type { Access } from '../access.ts';
import type { Conditions } from '../host/conditions.ts';
import type { LoadScript } from '../recording/script.ts';
import type { Failure } from '../result/failure.ts';
import type { Ms } from '../units.ts';

/** What one Lighthouse run is asked for. */
export interface LighthouseRequest {
  readonly url: string;
  readonly conditions: Conditions;
  readonly access: Access;
  /** Its `before` is run; steps are not. */
  readonly script?: LoadScript;
  /** URL patterns (`*` matches anything) of background traffic that is blocked. */
  readonly block: readonly string[];
  /** How long it may wait for the page; Lighthouse's own 45 s when absent. */
  readonly cap?: Ms;
  /** How long the visit before a warm view lasts. */
  readonly firstVisit: Ms;
}

/** Lighthouse's own result (LHR), or why there is none. */
export type LighthouseOutcome =
  | { readonly ok: true; readonly lhr: unknown; readonly wallTime: Ms }
  | { readonly ok: false; readonly failure: Failure };
