import type { Request } from '../../model/timeline.ts';
import type { BackgroundKind } from '../../model/verdict.ts';

/** What the browser fetches for itself or for later: no part of the page. */
const NO_PART_OF_THE_PAGE: ReadonlySet<BackgroundKind> = new Set(['browser-internal', 'speculative']);

/**
 * Could the page show anything of it? No script and no picture can learn from what has no body, or from an answer that
 * the browser keeps to itself.
 */
export function canBeSeen({ type, response }: Request, kind: BackgroundKind): boolean {
  if (NO_PART_OF_THE_PAGE.has(kind) || type === 'ping' || type === 'csp-violation-report') return false;
  return response?.status !== 204;
}
