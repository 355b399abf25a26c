import { KINDS } from '../../model/background-kinds.ts';
import type { OverrulingReason } from '../../model/reason.ts';
import type { Request, Timeline } from '../../model/timeline.ts';
import type { EndpointRule, Span, Verdict } from '../../model/verdict.ts';
import { defined } from '../defined.ts';
import { asks } from './series.ts';
import { partsOf } from './stream-parts.ts';

/**
 * Applies what other runs have taught to the verdicts of this one, in place: an endpoint is background everywhere or
 * nowhere, whatever part of its behaviour this run happened to see.
 */
export function applyLearnt(
  timeline: Timeline,
  learnt: readonly EndpointRule[],
  verdicts: Map<string, Verdict>,
  overrule: (id: string, by: OverrulingReason) => void,
): void {
  for (const rule of learnt) {
    const requests = timeline.requests.filter((request) => isMeant(request, rule));
    requests.forEach((request, i) => {
      const own = verdicts.get(request.id);
      if (rule.kind === undefined) {
        overrule(request.id, rule.reason);
        return;
      }
      if (isContent(i, rule, own)) {
        verdicts.delete(request.id);
        return;
      }
      verdicts.set(request.id, {
        requestId: request.id,
        kind: rule.kind,
        reason: own?.kind === rule.kind ? own.reason : rule.reason,
        confidence: rule.confidence,
        ...(rule.impact !== undefined && { impact: rule.impact }),
        ...countedPart(request, i, rule, own),
      });
    });
  }
}

/** What was learnt of an endpoint holds for its requests, not for what the page's markup or its redirects made of it. */
function isMeant(request: Request, rule: EndpointRule): boolean {
  return !request.fromPreviousDocument && !request.mainDocument && asks(request, rule);
}

/** Is the i-th request of a series content altogether? */
function isContent(i: number, { kind, contentParts }: EndpointRule, own: Verdict | undefined): boolean {
  if (kind === undefined || KINDS[kind].family !== 'series') return false;
  // Where nobody could tell, the first answer is content, as everywhere; the detector may have seen that it was not.
  return contentParts === undefined ? i === 0 && own === undefined : i < contentParts;
}

function countedPart(
  request: Request,
  i: number,
  { kind, contentParts }: EndpointRule,
  own: Verdict | undefined,
): { readonly counts?: Span } {
  if (kind === undefined || KINDS[kind].family !== 'stream' || i > 0) return {};
  if (contentParts === undefined) return own?.counts === undefined ? {} : { counts: own.counts };
  if (contentParts === 0) return {};
  const to = partsOf(request)[contentParts - 1] ?? request.endedAt;
  return { counts: defined({ from: request.startedAt, to }) };
}
