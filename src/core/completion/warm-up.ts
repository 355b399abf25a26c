import type { Policy } from '../../model/background/verdict.ts';
import type { Ms } from '../../model/units.ts';

/** The silence that ends a load that only warms up, ms: what Puppeteer and Playwright call an idle network. */
const WARM_UP_WINDOW_MS: Ms = 500;

/**
 * How a load is judged whose time counts nowhere: it warms up the server, the system's caches and the browser, and proves
 * nothing. So it ends at the first short silence, and does not watch suspects. What is not answered is awaited as long as
 * a suspect usually is: the server may have its caches to fill.
 */
export function warmUpPolicy(policy: Policy): Policy {
  const { quietWindow, observation } = policy;
  const { suspectMs, silentMs } = observation;
  return {
    ...policy,
    quietWindow: Math.min(quietWindow, WARM_UP_WINDOW_MS),
    observation: {
      ...observation,
      suspectMs: Math.min(suspectMs, WARM_UP_WINDOW_MS),
      silentMs: Math.min(silentMs, suspectMs),
      longestPeriodMs: 0,
    },
  };
}

/** Was a load watched with less patience than the policy has? It cannot say then what others may expect. */
export function isWarmUp(watched: Policy, { observation }: Policy): boolean {
  return watched.observation.suspectMs < observation.suspectMs;
}
