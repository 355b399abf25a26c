/**
 * Mostly complete: 99.9% of what content draws is drawn, and only small parts of a stream or of polls follow: a counter, a
 * badge. Which sources are so small the film shows; timed loads are told.
 */

import type { EndpointRule, Policy, Verdicts } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { Timeline } from '../../model/network/timeline.ts';
import type { Larger, Visit } from '../../model/network/visit.ts';
import type { VisualProgress } from '../../model/result/result.ts';
import { endpointOf } from '../background/endpoint.ts';
import { AT_ONCE_MS, DRAWN_WITHIN_MS } from '../time/lags.ts';
import { withoutBlocked } from '../timeline/blocked.ts';
import { FINISHED, judgeWith } from './complete.ts';
import { foregroundOf } from './foreground.ts';

/** The share of what content draws after which what follows is small, 0 to 1. Source: the project's definition of mostly complete. */
const MOSTLY = 0.999;

/**
 * The rules, with those marked whose content draws next to nothing. Only of sources that go on for a while: one answer is
 * never a small part, also where it draws nothing that the film shows.
 *
 * @param visit the filmed load, judged with these rules
 * @param progress how much of what it draws was there by when
 */
export function withSmallSources(
  rules: readonly EndpointRule[],
  visit: Visit,
  progress: readonly VisualProgress[],
  policy: Policy,
): readonly EndpointRule[] {
  const { timeline, verdicts, complete } = visit;
  const lastBelow = progress.findLastIndex(({ share }) => share < MOSTLY);
  const mostlyAt = progress[lastBelow + 1]?.at;
  if (complete.state !== 'complete' || mostlyAt === undefined || mostlyAt >= complete.at) return rules;
  const goesOn = new Set(rules.flatMap(({ endpoint, kind }) => (kind === undefined ? [] : [endpoint])));
  const late = foregroundOf(timeline, verdicts).filter(({ to }) => to > mostlyAt);
  const endpoints = new Set(late.map(({ request }) => endpointOf(request).key).filter((key) => goesOn.has(key)));
  const marked = rules.map((rule) => (endpoints.has(rule.endpoint) ? { ...rule, small: true as const } : rule));
  const larger = largerPart({ timeline, verdicts, complete }, { ...policy, learnt: marked });
  // The picture comes soon after its data, and hardly ever before a paint is told: else what drew it is not known.
  const after = larger === undefined ? undefined : mostlyAt - larger.complete.at;
  const isSeen = after !== undefined && after >= -AT_ONCE_MS && after <= DRAWN_WITHIN_MS;
  return isSeen ? marked : rules;
}

/** A load as people wait for it: without the small parts that follow, where some do. Its path and its fixes are those of that. */
export function asWaitedFor(visit: Visit): Visit {
  return visit.larger ? { ...visit, ...visit.larger } : visit;
}

/** A load without its small parts; undefined where it has none, or they change nothing. */
export function largerPart(
  {
    timeline,
    verdicts,
    complete,
  }: { readonly timeline: Timeline; readonly verdicts: Verdicts; readonly complete: PageComplete },
  policy: Policy,
): Larger | undefined {
  const small = new Map((policy.learnt ?? []).flatMap((rule) => (rule.small ? [[rule.endpoint, rule] as const] : [])));
  if (small.size === 0 || complete.state !== 'complete' || policy.completeOn !== undefined) return undefined;
  const others = new Map(verdicts);
  for (const { request } of foregroundOf(timeline, verdicts)) {
    const rule = small.get(endpointOf(request).key);
    if (rule?.kind === undefined) continue;
    const { kind, reason, confidence } = rule;
    others.set(request.id, { requestId: request.id, kind, reason, confidence });
  }
  // When the last of all content was drawn says nothing of what was drawn before.
  const marks = timeline.marks.filter(({ name }) => name !== 'content-drawn');
  // That nothing more comes is known, also where the load ended early: the whole page was complete.
  const observedUntil = Math.max(timeline.observedUntil, complete.at + policy.quietWindow);
  const { expected: _expected, awaited: _awaited, ...rest } = policy;
  const answer = judgeWith(others, withoutBlocked({ ...timeline, marks, observedUntil }), rest, FINISHED);
  return answer.state === 'complete' && answer.at < complete.at ? { verdicts: others, complete: answer } : undefined;
}
