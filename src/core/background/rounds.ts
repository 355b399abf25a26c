import type { Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Detector, EndpointRule, Verdict } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { callSiteOf, codePlacesOf, timerOf } from '../initiators.ts';
import { median } from '../median.ts';
import { originOf } from '../origin.ts';
import { ONE_ROUND_MS, siteText } from './asked-together.ts';
import { endpointOf } from './endpoint.ts';
import { isAlive, isSteady, nextBy, PAUSE_SHARE, rhythmOf } from './rhythm.ts';

/** Types of which a script can ask for another one each time. */
const ASKED_BY_SCRIPT: ReadonlySet<string> = new Set(['image', 'fetch', 'xhr']);
/** How far, as a share of it, the first interval may be from a period: a script that begins has other things to do. */
const ONE_BEFORE = 0.15;
/**
 * A timer lets at least this time pass after an answer, ms. Sooner than that, a script goes on with what it was told: a client
 * that shakes hands, subscribes and connects does each through the same line, and on a busy machine takes its time.
 */
const TIMER_PAUSE_MS = 250;
/** Rounds that make a rhythm. */
const MIN_ROUNDS = 3;

/**
 * The same place in a script asks for something else each time, in the rhythm of a timer: a carousel that loads its pictures
 * by name. The rhythm belongs to the place, not to the address. The first round is content. A chain of dependent requests
 * leaves no pauses, and a list that is loaded piece by piece comes to an end.
 */
export const rounds: Detector = {
  detect: (timeline, { suspectMs }) =>
    [...Map.groupBy(timeline.requests.filter(isAskedByScript), siteOfRequest).values()].flatMap(
      (requests): readonly Verdict[] => {
        const all = roundsOf(requests);
        const heads = all.flatMap(([head]) => head ?? []);
        const [first] = heads;
        if (!first || !isTimed(heads, timeline) || !asksAnew(heads)) return [];
        const { period } = rhythmOf(heads);
        const reason = { code: 'another-each-time', times: heads.length, period, ...callSiteOf(first) } as const;
        return all.slice(oneBefore(first, period, timeline) ? 0 : 1).flatMap((round) =>
          round.map((request) => ({
            requestId: request.id,
            kind: 'poll',
            reason,
            confidence: 'likely',
            decidedAt: first.startedAt + suspectMs,
          })),
        );
      },
    ),
};

function isAskedByScript({ fromPreviousDocument, hop, type, initiator }: Request): boolean {
  if (fromPreviousDocument || hop > 0 || !ASKED_BY_SCRIPT.has(type)) return false;
  // Of the pictures that a script asks for, a browser that keeps no asynchronous stacks does not say where.
  if (type === 'image' && initiator?.type === 'other') return true;
  return initiator?.type === 'script' && (initiator.stack ?? []).length > 0;
}

/** Is it background because something else was asked for each time? */
export const isInTurn = (verdict: Verdict | undefined): boolean => verdict?.reason.code === 'another-each-time';

/** Where it was asked for, and of whom. */
function siteOfRequest(request: Request): string {
  return siteText(request, codePlacesOf(request, 1));
}

/**
 * Those that the same place in a script asked for first that goes on to ask for something else each time: when the page is
 * compared, it shows a later one, and would also without them.
 */
export function firstRounds({ requests }: Timeline, verdicts: ReadonlyMap<string, Verdict>): readonly Request[] {
  const isOfRound = ({ id }: Request): boolean => isInTurn(verdicts.get(id));
  const sites = new Set(requests.filter(isOfRound).map(siteOfRequest));
  return requests.filter((each) => isAskedByScript(each) && !isOfRound(each) && sites.has(siteOfRequest(each)));
}

/** The first round, where it was asked for from elsewhere (by markup, or when the script began), one period before. */
function oneBefore({ id, type, url, startedAt }: Request, period: Ms, { requests }: Timeline): Request | undefined {
  return requests.find((each) => {
    const pause = startedAt - each.startedAt;
    const isOneBefore = Math.abs(pause - period) <= ONE_BEFORE * period;
    return isOneBefore && each.id !== id && each.type === type && originOf(each.url) === originOf(url);
  });
}

/**
 * What a load that saw the rhythm teaches those that see less of it: which addresses come in turn. A slow carousel shows its second
 * picture within the quiet window, and no third.
 */
export function rulesOfRounds({ timeline, verdicts }: Pick<Visit, 'timeline' | 'verdicts'>): readonly EndpointRule[] {
  const later = timeline.requests.filter(({ id }) => isInTurn(verdicts.get(id)));
  const first = firstRounds(timeline, verdicts);
  const bySite = Map.groupBy([...first, ...later], siteOfRequest);
  return [...bySite.values()].flatMap((asked): readonly EndpointRule[] => {
    const heads = roundsOf(asked).flatMap(([head]) => head ?? []);
    const [head] = heads;
    const verdict = verdicts.get(asked.at(-1)?.id ?? '');
    if (!head || !verdict) return [];
    const before = verdicts.has(head.id) ? oneBefore(head, rhythmOf(heads).period, timeline) : undefined;
    const all = before ? [before, ...asked] : asked;
    const { url } = before ?? head;
    const inTurn = URL.parse(url)?.pathname ?? url;
    const keys = new Set(all.map((each) => endpointOf(each).key));
    // What is asked for from elsewhere, too, is not only shown in turn.
    const elsewhere = new Set(
      timeline.requests.filter((each) => !all.includes(each)).map((each) => endpointOf(each).key),
    );
    const { kind, reason, confidence } = verdict;
    return [...keys]
      .filter((endpoint) => !elsewhere.has(endpoint))
      .map((endpoint) => ({ endpoint, kind, reason, confidence, contentParts: 0, inTurn }));
  });
}

/**
 * The requests that are content of those that come in turn: the first round of a load, whichever address it begins with.
 *
 * @param meant the requests that each rule is about
 */
export function firstInTurn(meant: ReadonlyMap<EndpointRule, readonly Request[]>): ReadonlySet<Request> {
  const inTurn = [...meant].filter(([rule]) => rule.inTurn !== undefined);
  const places = Map.groupBy(inTurn, ([rule]) => rule.inTurn);
  const first = [...places.values()].flatMap((rules) => {
    const asked = rules.flatMap(([, requests]) => requests).sort((a, b) => a.startedAt - b.startedAt);
    return roundsOf(asked)[0] ?? [];
  });
  return new Set(first);
}

/** A place in a script that may go on to ask for something else each time: it has done so too seldom for a rhythm. */
export interface BegunRounds {
  readonly endpoint: string;
  /** Between the last two rounds; the first one may have been asked for by markup. */
  readonly interval: Ms;
  /** Until when the next one should have come. */
  readonly until: Ms;
}

/** The places of which nobody knows yet whether they ask for something else each time. */
export function begunRounds(timeline: Timeline, verdicts: ReadonlyMap<string, Verdict>): readonly BegunRounds[] {
  const bySite = Map.groupBy(timeline.requests.filter(isAskedByScript), siteOfRequest);
  return [...bySite.values()].flatMap((requests): readonly BegunRounds[] => {
    const heads = roundsOf(requests).flatMap(([head]) => head ?? []);
    const last = heads.at(-1);
    const before = heads.at(-2) ?? (last && firstAlike(last, timeline));
    if (!last || !before || heads.length >= MIN_ROUNDS || !mayBeTimed(last)) return [];
    if ([before, last].some(({ id }) => verdicts.has(id)) || endpointOf(before).key === endpointOf(last).key) return [];
    const { label } = endpointOf(last);
    return [{ endpoint: label, interval: last.startedAt - before.startedAt, until: nextBy([before, last]) }];
  });
}

/** Of a picture Chrome only says that it was asked for when the script was over, not what had started that. */
const mayBeTimed = ({ type, initiator }: Request): boolean => type === 'image' || timerOf(initiator) !== undefined;

function firstAlike({ type, url }: Request, { requests }: Timeline): Request | undefined {
  return requests.find((each) => each.type === type && originOf(each.url) === originOf(url));
}

function roundsOf(requests: readonly Request[]): readonly (readonly Request[])[] {
  const all: Request[][] = [];
  let last: Ms = Number.NEGATIVE_INFINITY;
  for (const request of requests) {
    if (request.startedAt - last <= ONE_ROUND_MS) all.at(-1)?.push(request);
    else all.push([request]);
    last = request.startedAt;
  }
  return all;
}

function isTimed(heads: readonly Request[], timeline: Timeline): boolean {
  if (heads.length < MIN_ROUNDS || !isAlive(heads, timeline)) return false;
  const rhythm = rhythmOf(heads);
  return isSteady(rhythm) && median(rhythm.pauses) >= Math.max(PAUSE_SHARE * rhythm.period, TIMER_PAUSE_MS);
}

/** What asks for the same again, or for two things in turn, is told by its endpoint. */
function asksAnew(heads: readonly Request[]): boolean {
  const keys = heads.map((head) => endpointOf(head).key);
  return new Set(keys).size >= MIN_ROUNDS && keys.every((key, i) => key !== keys[i - 1]);
}
