import { isPartOf } from '../core/changes/part-of.ts';
import { isMeasured } from '../core/counted-runs.ts';
import type { VerdictReason } from '../model/background/reason.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { BackgroundEndpoint, RunResult } from '../model/result/result.ts';

/** The endpoints that were left out, the dearest first, and those that were recognised and counted anyway. */
export function backgroundOf(target: TargetReport): {
  readonly left: readonly BackgroundEndpoint[];
  readonly counted: readonly BackgroundEndpoint[];
} {
  const { background } = target.result;
  return {
    left: background.filter((endpoint) => endpoint.excluded).toSorted((a, b) => weight(b) - weight(a)),
    counted: background.filter((endpoint) => !endpoint.excluded),
  };
}

/** How much an endpoint would have moved the answer: beyond all bounds, by an unknown span, by so many ms, or not. */
function weight({ cost, countedState }: BackgroundEndpoint): number {
  // Finite, or two endless ones would differ by NaN.
  if (countedState === 'never') return Number.MAX_VALUE;
  if (cost !== undefined) return Math.max(0, cost);
  return countedState === 'unconfirmed' ? Number.MAX_SAFE_INTEGER : 0;
}

/**
 * Each endpoint once: its cost as the timed run with the most of its requests has it, its reason as the evidence run
 * saw it, which watched longest. What only the evidence run met (a slow poll) is listed too, and what only it saw to its end, or
 * knows to have none.
 *
 * @param inWords puts a reason into words
 */
export function agreedBackground(
  runs: readonly RunResult[],
  inWords: (reason: VerdictReason) => string,
): readonly BackgroundEndpoint[] {
  const measured = runs.filter(isMeasured);
  const watched = runs.filter(({ role, ok }) => role === 'evidence' && ok);
  // The one with the most endpoints stands for all that are a part of it.
  const things = [...measured, ...watched]
    .flatMap(({ background = [] }) => background.filter(({ endpoints }) => endpoints !== undefined))
    .toSorted((a, b) => (b.endpoints ?? 0) - (a.endpoints ?? 0));
  const timed = endpointsOf(measured, things);
  const filmed = endpointsOf(watched, things);
  const agreed = new Map([...filmed, ...timed]);
  for (const [key, endpoint] of timed) {
    const seen = filmed.get(key);
    const isPart = seen?.endpoints !== undefined && seen.requests > endpoint.requests;
    const isKnown = seen?.countedState !== undefined && seen.countedState !== 'unconfirmed';
    if (seen && (isPart || (isKnown && endpoint.countedState === 'unconfirmed'))) {
      agreed.set(key, seen);
    } else if (seen && seen.because !== endpoint.because) {
      const reason: VerdictReason = {
        code: 'in-evidence-run',
        reason: seen.reason ?? { code: 'recorded', text: seen.because },
      };
      agreed.set(key, { ...endpoint, because: inWords(reason), reason });
    }
  }
  return [...agreed.values()].sort((a, b) => a.firstStartedAt - b.firstStartedAt);
}

/** By kind and endpoint. What one run saw a part of is the same thing as all of it in another: some files of one cache. */
function endpointsOf(
  runs: readonly RunResult[],
  things: readonly BackgroundEndpoint[],
): Map<string, BackgroundEndpoint> {
  const endpoints = new Map<string, BackgroundEndpoint>();
  for (const { background = [] } of runs) {
    for (const endpoint of background) {
      const whole = things.find((thing) => isPartOf(endpoint, thing) && !background.includes(thing));
      const key = `${endpoint.kind} ${(whole ?? endpoint).endpoint}`;
      const known = endpoints.get(key);
      if (!known || endpoint.requests > known.requests) endpoints.set(key, endpoint);
    }
  }
  return endpoints;
}
