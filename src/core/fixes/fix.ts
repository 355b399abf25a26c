import type { FixFact } from '../../model/fixes.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import type { Load, Step } from './replay/load.ts';
import { type Change, savingOf } from './replay/replay.ts';

/** Finds one thing that can be fixed; what gains nothing is not found. */
export type Fix = (load: Load) => readonly FixFact[];

/** A saving below this is not worth a change, ms. Source: runs of one page on one machine differ by as much (docs/internals/benchmarks.md). */
export const WORTH_MS = 10;
/** The same as a share of page complete. Source: runs that differ by less are called stable at 5%; a fifth of that. */
const WORTH_SHARE = 0.01;

/** Whether a saving of so many ms is worth a change. */
export function isWorthIt(load: Load, saving: Ms): boolean {
  return saving >= Math.max(WORTH_MS, load.completeAt * WORTH_SHARE);
}

/**
 * Those of the candidates without which less would be saved: nobody shall change a file for nothing. Empty when all together
 * save too little.
 *
 * @param candidates at most a few dozen: each is tried
 */
export function contributors(
  load: Load,
  candidates: readonly Step[],
  changeOf: (steps: readonly Step[]) => Change,
): { readonly steps: readonly Step[]; readonly savesMs: Ms } {
  let steps = candidates;
  let savesMs = savingOf(load, changeOf(steps));
  if (!isWorthIt(load, savesMs)) return { steps: [], savesMs: 0 };
  for (const candidate of candidates) {
    const others = steps.filter((step) => step !== candidate);
    const left = savingOf(load, changeOf(others));
    if (savesMs - left >= WORTH_MS) continue;
    steps = others;
    savesMs = left;
  }
  return isWorthIt(load, savesMs) ? { steps, savesMs } : { steps: [], savesMs: 0 };
}

/** What of a file came over the network, bytes, as far as it is known. */
export function sizeOf({ request: { transferSize, bodySize, contentSize } }: Pick<Step, 'request'>): Bytes {
  return transferSize ?? bodySize ?? contentSize;
}

/** The addresses of steps, each once. */
export function urlsOf(steps: readonly Step[]): readonly string[] {
  return [...new Set(steps.map(({ request }) => request.url))];
}

/** Whether a request went over the network and was answered with the whole file. */
export function isFetched({ method, outcome, response, url }: Request): boolean {
  return (
    method === 'GET' &&
    outcome === 'finished' &&
    response?.status === 200 &&
    response.fromCache === undefined &&
    response.fromServiceWorker !== true &&
    /^https?:/i.test(url)
  );
}
