import { type BackgroundKind, KINDS } from '../../model/background-kinds.ts';
import type { Request } from '../../model/timeline.ts';

/**
 * Could the page show anything of it? No script and no picture can learn from what has no body, or from an answer that
 * the browser keeps to itself.
 */
export function canAffectRendering({ type, response }: Request, kind: BackgroundKind): boolean {
  if (!KINDS[kind].mayBeSeen || type === 'ping' || type === 'csp-violation-report') return false;
  return response?.status !== 204;
}
