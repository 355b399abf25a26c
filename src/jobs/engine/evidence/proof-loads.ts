import type { Ms } from '../../../model/units.ts';
import type { FinishedRun, PlannedRun } from '../run.ts';

/** So many loads without something settle what most pages leave open; what they leave open stays as it looks, or counts. */
const MAX_LOADS = 8;

/** Loads without something, as many as one proof may take. */
export interface ProofLoads {
  /**
   * A load without these URL patterns that was watched at least until then: made now, or before. Undefined where the budget is
   * spent, or the user ended it.
   */
  without(patterns: readonly string[], watchUntil: Ms, planned: PlannedRun): Promise<FinishedRun | undefined>;
}

/**
 * The budget of a proof that begins now.
 *
 * @param lasts no load begins later than this, ms
 */
export function createProofLoads(
  load: (planned: PlannedRun) => Promise<FinishedRun | undefined>,
  lasts: Ms,
): ProofLoads {
  const began = performance.now();
  const made = new Map<string, FinishedRun>();
  let loads = 0;
  return {
    async without(patterns, watchUntil, planned) {
      const key = JSON.stringify(patterns.toSorted());
      const before = made.get(key);
      if ((before?.visit?.recording.observedUntil ?? -1) >= watchUntil) return before;
      if (loads >= MAX_LOADS || performance.now() - began > lasts) return undefined;
      loads += 1;
      const done = await load(planned);
      if (done) made.set(key, done);
      return done;
    },
  };
}
