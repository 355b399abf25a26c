import { KINDS } from '../model/background/kinds.ts';
import type { Policy } from '../model/background/verdict.ts';
import type { Request, Timeline } from '../model/network/timeline.ts';
import type { Visit } from '../model/network/visit.ts';
import type { BackgroundFacts } from '../model/result/run-facts.ts';
import type { Ms } from '../model/units.ts';
import { canAffectRendering } from './background/affects-rendering.ts';
import { isKnownToGoOn } from './background/comes-to-an-end.ts';
import { type Group, groupsOf, ruleOf } from './background/groups.ts';
import { isAlive, keepsTime, rhythmOf } from './background/rhythm.ts';
import { FINISHED, judgeWith } from './completion/complete.ts';
import { lastSignOfLife } from './timeline/inflight.ts';

/** How many of an endpoint's URLs are listed; a poll can have thousands. */
const LISTED_URLS = 10;

/**
 * The flagged requests of a visit, gathered by kind and endpoint, each with what counting it would have cost; behind
 * them those that a detector recognised and that count all the same.
 */
export function backgroundEndpoints(visit: Visit, policy: Policy): readonly BackgroundFacts[] {
  const groups = groupsOf(visit, policy.learnt);
  return [...groups.filter(({ by }) => by === undefined), ...groups.filter(({ by }) => by !== undefined)].map(
    (group): BackgroundFacts => {
      const { label, endpoints, verdict, by, requests } = group;
      const period = periodOf(requests, verdict.kind, visit.timeline);
      return {
        kind: verdict.kind,
        endpoint: label,
        ...(endpoints !== undefined && { endpoints }),
        urls: [...new Set(requests.map((request) => request.url))].slice(0, LISTED_URLS),
        requests: requests.length,
        firstStartedAt: requests[0]?.startedAt ?? 0,
        lastActivityAt: Math.max(...requests.map(lastSignOfLife)),
        stillOpen: requests.some((request) => request.endedAt === undefined),
        ...(period !== undefined && { period }),
        reason: verdict.reason,
        confidence: verdict.confidence,
        excluded: by === undefined,
        ...(by !== undefined && { overruling: by }),
        ...(by === undefined && costOf(requests, visit, policy)),
        visualImpact: impactOf(group, policy),
      };
    },
  );
}

/** How often it comes back. One interval is no rhythm yet; files and reports in a row, one after the other, have none. */
function periodOf(requests: readonly Request[], kind: BackgroundFacts['kind'], timeline: Timeline): Ms | undefined {
  if (requests.length <= 2) return undefined;
  const rhythm = rhythmOf(requests);
  const comesBack = KINDS[kind].family !== 'single' || (keepsTime(rhythm) && isAlive(requests, timeline));
  return comesBack ? rhythm.period : undefined;
}

/** What looking at the page taught of an endpoint; of several, where that is the same. */
export function impactOf(
  { requests, verdict: { kind }, endpoints }: Group,
  { learnt = [] }: Pick<Policy, 'learnt'>,
): BackgroundFacts['visualImpact'] {
  if (requests.every((request) => !canAffectRendering(request, kind))) return 'none';
  const taught = (endpoints === undefined ? requests.slice(0, 1) : requests).map(
    (each) => ruleOf(each, learnt)?.impact,
  );
  const [impact, ...others] = new Set(taught);
  return others.length === 0 ? (impact ?? 'unknown') : 'unknown';
}

/** What page-complete would have been with these requests counted. */
function costOf(
  requests: readonly Request[],
  { timeline, verdicts, complete }: Visit,
  policy: Policy,
): Pick<BackgroundFacts, 'cost' | 'countedState'> {
  if (complete.state !== 'complete') return {};
  const counted = new Set(requests.map((request) => request.id));
  const rest = new Map([...verdicts].filter(([id]) => !counted.has(id)));
  const otherwise = judgeWith(rest, timeline, policy, FINISHED);
  if (otherwise.state === 'complete') return { countedState: 'complete', cost: otherwise.at - complete.at };
  return { countedState: isKnownToGoOn(requests, verdicts, timeline, policy) ? 'never' : 'unconfirmed' };
}
