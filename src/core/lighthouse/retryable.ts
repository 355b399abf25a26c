import type { LighthouseRun } from '../../model/lighthouse/lighthouse.ts';

/**
 * What Lighthouse says of a page that did not answer, paint or survive in time. A machine that stood still for a second
 * is told apart from a page that never will by trying once more. Source: lighthouse core/lib/lh-error.js.
 */
const PASSING: ReadonlySet<string> = new Set(['PAGE_HUNG', 'NO_FCP', 'PROTOCOL_TIMEOUT', 'TARGET_CRASHED']);

/** Whether a run failed in a way that another run may not. */
export function isRetryable({ failure }: Pick<LighthouseRun, 'failure'>): boolean {
  return failure !== undefined && PASSING.has(failure.code);
}
