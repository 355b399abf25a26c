import { type BackgroundKind, KINDS } from '../../model/background/kinds.ts';
import type { Request } from '../../model/network/timeline.ts';
import { isAnsweredEmpty } from './empty-answer.ts';

/**
 * Could the page show anything of it? No script and no picture can learn from what has no body, or from an answer that
 * the browser keeps to itself.
 */
export function canAffectRendering(request: Request, kind: BackgroundKind): boolean {
  const isReport = request.type === 'ping' || request.type === 'csp-violation-report';
  return KINDS[kind].mayBeSeen && !isReport && !isAnsweredEmpty(request);
}
