import type { Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { BackgroundKind, Extension, Policy, Verdict } from '../../model/verdict.ts';
import type { Verdicts } from '../foreground.ts';
import { endOf } from '../timeline/inflight.ts';
import { endpointOf } from './endpoint.ts';
import { SERIES, STREAMS } from './learnt.ts';
import { THOROUGH_PATIENCE_MS, THOROUGH_SILENT_PATIENCE_MS, THOROUGH_WATCH_MS } from './patience.ts';
import { nextBy, rhythmOf } from './rhythm.ts';
import { asks, seriesOf } from './series.ts';
import { duration, timerOf } from './words.ts';

/** A period longer than this is not waited for, ms. */
const LONGEST_PERIOD_MS = 20_000;

/** Kinds that go on as long as they like, and of which only the end tells that they were content. */
const MAY_END: ReadonlySet<BackgroundKind> = new Set([...STREAMS, ...SERIES]);

/**
 * What has to be watched longer than the quiet window before the answer stands: suspects that may turn out to be
 * content, and questions that were asked twice and may become a rhythm.
 *
 * @param known the moment at which the answer is known without them: what is decided earlier needs no watching
 * @param matters would the answer be another one with these verdicts? Only then is it worth waiting for them
 */
export function extensionsOf(
  timeline: Timeline,
  verdicts: Verdicts,
  policy: Pick<Policy, 'learnt' | 'thorough'>,
  known: Ms,
  matters: (otherVerdicts: Verdicts) => boolean,
): readonly Extension[] {
  const isWorthIt = (until: Ms, otherVerdicts: () => Verdicts): boolean =>
    until > known && (policy.thorough === true || matters(otherVerdicts()));
  const extensions = [
    ...suspects(timeline, verdicts, policy, isWorthIt),
    ...rhythms(timeline, verdicts, policy, isWorthIt),
    ...(policy.thorough ? curiosity(timeline, verdicts).filter(({ until }) => until > known) : []),
  ];
  const longest = new Map<string, Extension>();
  for (const each of extensions) {
    const before = longest.get(each.endpoint);
    if (!before || before.until < each.until) longest.set(each.endpoint, each);
  }
  return [...longest.values()].sort((a, b) => b.until - a.until);
}

type IsWorthIt = (until: Ms, otherVerdicts: () => Verdicts) => boolean;

/** Background as it looks now, which may still end or bring what was asked for. */
function suspects(
  timeline: Timeline,
  verdicts: Verdicts,
  { thorough }: Pick<Policy, 'thorough'>,
  isWorthIt: IsWorthIt,
): readonly Extension[] {
  // Traffic is watched as an endpoint: from its first flagged request on.
  const groups = new Map<string, { label: string; until: Ms; kind: BackgroundKind; ids: Set<string> }>();
  for (const request of timeline.requests) {
    const verdict = verdicts.get(request.id);
    if (!verdict) continue;
    const { key, label } = endpointOf(request);
    const group = groups.get(key);
    const until = Math.max(verdict.decidedAt ?? 0, thorough && !group ? thoroughUntil(request, verdict) : 0);
    if (group) {
      group.until = Math.max(group.until, until);
      group.ids.add(request.id);
    } else {
      groups.set(key, { label, until, kind: verdict.kind, ids: new Set([request.id]) });
    }
  }
  return [...groups.values()].flatMap(({ label, until, kind, ids }): readonly Extension[] => {
    if (!isWorthIt(until, () => new Map([...verdicts].filter(([id]) => !ids.has(id))))) return [];
    return [{ endpoint: label, until, why: `whether ${label} goes on (${kind})` }];
  });
}

function thoroughUntil(request: Request, { kind }: Verdict): Ms {
  if (kind === 'hung') return request.startedAt + THOROUGH_SILENT_PATIENCE_MS;
  if (!MAY_END.has(kind)) return 0;
  const silent = request.endedAt === undefined && request.chunks.length === 0 && request.messages.length === 0;
  return request.startedAt + (silent && kind === 'http-stream' ? THOROUGH_SILENT_PATIENCE_MS : THOROUGH_PATIENCE_MS);
}

/** Asked more than once, but not yet often or evenly enough to say. */
function rhythms(
  timeline: Timeline,
  verdicts: Verdicts,
  { learnt = [] }: Pick<Policy, 'learnt'>,
  isWorthIt: IsWorthIt,
): readonly Extension[] {
  return seriesOf(timeline).flatMap(({ endpoint, requests }): readonly Extension[] => {
    const last = requests.at(-1);
    const [first, ...repeats] = requests;
    if (!first || !last || verdicts.has(last.id) || endOf(last) > timeline.observedUntil) return [];
    if (learnt.some((lesson) => asks(last, lesson))) return [];
    const until = nextBy(requests);
    if (Math.max(...rhythmOf(requests).intervals) > LONGEST_PERIOD_MS) return [];
    if (!isWorthIt(until, () => withAlso(verdicts, repeats))) return [];
    const interval = last.startedAt - (requests.at(-2)?.startedAt ?? first.startedAt);
    return [
      {
        endpoint: endpoint.label,
        until,
        why: `whether ${endpoint.label} makes it a habit (asked again after ${duration(interval)})`,
      },
    ];
  });
}

function withAlso(verdicts: Verdicts, requests: readonly Request[]): Verdicts {
  const more = new Map(verdicts);
  for (const { id } of requests) {
    more.set(id, { requestId: id, kind: 'poll', because: 'what if', confidence: 'possible' });
  }
  return more;
}

/** What a timer started once may come back; what scripts ask for may come back slowly. */
function curiosity(timeline: Timeline, verdicts: Verdicts): readonly Extension[] {
  const scripted = timeline.requests.find(
    (each) => each.initiator?.type === 'script' && !each.fromPreviousDocument && !verdicts.has(each.id),
  );
  if (!scripted) return [];
  const byTimer = timeline.requests.find((each) => timerOf(each.initiator) === 'setInterval' && !verdicts.has(each.id));
  const until = Math.max(THOROUGH_WATCH_MS, byTimer ? byTimer.startedAt + THOROUGH_WATCH_MS : 0);
  return [{ endpoint: 'the page', until, why: 'whether what its scripts ask for comes back slowly' }];
}
