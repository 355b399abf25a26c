import type { LoadKind } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';
import type { LimitContext } from './limit.ts';

/** What a capacity is judged with. */
export interface CapacityContext extends LimitContext {
  readonly load: LoadKind;
  /** The bound of the 90th percentile. */
  readonly p90?: Ms;
  readonly seed: number;
  /** True when the server's processes were looked for. */
  readonly watched: boolean;
}
