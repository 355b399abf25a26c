import type { VisualChange } from '../../model/picture.ts';
import type { Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Detector, EndpointRule, Verdict } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { callSiteOf, codePlacesOf, timerOf } from '../initiators.ts';
import { GOES_ON_WITHIN_MS, HABIT, ONE_MOMENT_MS, TIMER_JITTER } from '../lags.ts';
import { middleBy } from '../median.ts';
import { originOf } from '../origin.ts';
import { lastSignOfLife } from '../timeline/inflight.ts';
import { mayBeByUser } from './by-user.ts';
import { endpointOf } from './endpoint.ts';
import { goesOnShowing } from './goes-on-showing.ts';
import { isAlive, isMostlyEven, nextBy, PAUSE_SHARE, rhythmOf } from './rhythm.ts';

/** Types of which a script can ask for another one each time. */
const ASKED_BY_SCRIPT: ReadonlySet<string> = new Set(['image', 'fetch', 'xhr']);

/**
 * The same place in a script asks for something else each time, in the rhythm of a timer: a carousel that loads its pictures
 * by name. The rhythm belongs to the place, not to the address. The first round is content. A chain of dependent requests
 * leaves no pauses, and a list that is loaded piece by piece comes to an end.
 */
export const rounds: Detector = {
  detect: (timeline, { suspectMs }) =>
    placesThatAsk(timeline).flatMap((requests): readonly Verdict[] => {
      const all = roundsOf(requests);
      const heads = headsOf(all);
      const [first] = heads;
      if (!first || !isAlive(heads, timeline) || !isTimed(heads) || !asksAnew(heads)) return [];
      if (mayBeByUser(heads, timeline)) return [];
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
    }),
};

/** What is asked for, of whom, and where in the code. */
function siteText({ type, method, url, frameId }: Request, places: readonly string[]): string {
  return [type, method, frameId, originOf(url), ...places].join(' ');
}

function isAskedByScript({ fromPreviousDocument, hop, type, initiator }: Request): boolean {
  if (fromPreviousDocument || hop > 0 || !ASKED_BY_SCRIPT.has(type)) return false;
  // Of the pictures that a script asks for, a browser that keeps no asynchronous stacks does not say where.
  if (type === 'image' && initiator?.type === 'other') return true;
  return initiator?.type === 'script' && (initiator.stack ?? []).length > 0;
}

/** Is it background because something else was asked for each time? */
export const isInTurn = (verdict: Verdict | undefined): boolean => verdict?.reason.code === 'another-each-time';

/** The places of a timeline are asked for several times in a judgement. */
const known = new WeakMap<Timeline, readonly (readonly Request[])[]>();

/**
 * What scripts ask for, by the place that asks and whom it asks. Of pictures nobody knows the place: where all of them have no
 * rhythm, and those of one folder have, each folder has a place of its own.
 */
function placesThatAsk(timeline: Timeline): readonly (readonly Request[])[] {
  const before = known.get(timeline);
  if (before) return before;
  const places = readPlaces(timeline);
  known.set(timeline, places);
  return places;
}

function readPlaces({ requests }: Timeline): readonly (readonly Request[])[] {
  const all = requests.filter(isAskedByScript);
  // All that led there: one function asks for everything in most applications. A chain of timers names itself each time.
  const places = Map.groupBy(all, (request) => siteText(request, [...new Set(codePlacesOf(request))]));
  return [...places.values()].flatMap((asked) => {
    const isTold = (each: readonly Request[]): boolean => isTimed(headsOf(roundsOf(each)));
    if (isTold(asked)) return [asked];
    const byFolder = [...Map.groupBy(asked, folderOf).values()];
    return byFolder.some(isTold) ? byFolder : [asked];
  });
}

/**
 * The first round, where it was asked for from elsewhere (by markup, or when the script began), one period before; of several,
 * one of the same folder.
 */
function oneBefore({ id, type, url, startedAt }: Request, period: Ms, { requests }: Timeline): Request | undefined {
  const all = requests.filter((each) => {
    const pause = startedAt - each.startedAt;
    const isOneBefore = Math.abs(pause - period) <= TIMER_JITTER * period;
    return isOneBefore && each.id !== id && each.type === type && originOf(each.url) === originOf(url);
  });
  return all.find((each) => folderOf(each) === folderOf({ url })) ?? all[0];
}

function folderOf({ url }: Pick<Request, 'url'>): string {
  return url.slice(0, url.split('?')[0]?.lastIndexOf('/'));
}

/**
 * What a load that saw the rhythm teaches those that see less of it: which addresses come in turn. A slow carousel shows its second
 * picture within the quiet window, and no third. One that has shown all its pictures asks for nothing more, and is told by the
 * film: it goes on to show them.
 *
 * @param drawn all changes of the picture, also of what moves by itself
 */
export function rulesOfRounds(
  { timeline, verdicts }: Pick<Visit, 'timeline' | 'verdicts'>,
  drawn: readonly VisualChange[],
): readonly EndpointRule[] {
  return placesThatAsk(timeline).flatMap((asked): readonly EndpointRule[] => {
    // A player asks for its segments in a rhythm of its own.
    if (asked.some(({ id }) => verdicts.get(id)?.kind === 'media')) return [];
    const before = firstOfAll(asked, timeline);
    const all = before && !asked.includes(before) ? [before, ...asked] : asked;
    const heads = headsOf(roundsOf(all));
    const [head] = heads;
    const isRound =
      asked.some(({ id }) => isInTurn(verdicts.get(id))) ||
      (isAlive(heads, timeline) && isTimed(heads) && asksAnew(heads));
    // What a chain shows is its own: nothing of it is left to be shown again.
    if (!head || !(isRound || (leavesPauses(heads) && goesOnShowing(heads, drawn)))) return [];
    const inTurn = URL.parse(head.url)?.pathname ?? head.url;
    const keys = new Set(all.map((each) => endpointOf(each).key));
    // What is asked for from elsewhere, too, is not only shown in turn.
    const elsewhere = new Set(
      timeline.requests.filter((each) => !all.includes(each)).map((each) => endpointOf(each).key),
    );
    const { period } = rhythmOf(heads);
    const reason = { code: 'another-each-time', times: heads.length, period, ...callSiteOf(head) } as const;
    return [...keys]
      .filter((endpoint) => !elsewhere.has(endpoint))
      .map((endpoint) => ({ endpoint, kind: 'poll', reason, confidence: 'likely', contentParts: 0, inTurn }) as const);
  });
}

/** The first round of a place, where that was asked for from elsewhere. */
function firstOfAll(asked: readonly Request[], timeline: Timeline): Request | undefined {
  const heads = headsOf(roundsOf(asked));
  const [first, second] = heads;
  if (!first) return undefined;
  return second ? oneBefore(first, rhythmOf(heads).period, timeline) : firstAlike(first, timeline);
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
  return placesThatAsk(timeline).flatMap((requests): readonly BegunRounds[] => {
    const heads = headsOf(roundsOf(requests));
    const last = heads.at(-1);
    const before = heads.at(-2) ?? firstAlike(last, timeline);
    if (!last || !before || heads.length >= HABIT || !mayBeTimed(last)) return [];
    if ([before, last].some(({ id }) => verdicts.has(id)) || endpointOf(before).key === endpointOf(last).key) return [];
    const { label } = endpointOf(last);
    return [{ endpoint: label, interval: last.startedAt - before.startedAt, until: nextBy([before, last]) }];
  });
}

/** Of a picture Chrome only says that it was asked for when the script was over, not what had started that. */
const mayBeTimed = ({ type, initiator }: Request): boolean => type === 'image' || timerOf(initiator) !== undefined;

/** The first that was asked for of the same kind, from wherever. */
function firstAlike(of: Request | undefined, { requests }: Timeline): Request | undefined {
  return of && requests.find((each) => each.type === of.type && originOf(each.url) === originOf(of.url));
}

function roundsOf(requests: readonly Request[]): readonly (readonly Request[])[] {
  const all: Request[][] = [];
  let last: Ms = Number.NEGATIVE_INFINITY;
  for (const request of requests) {
    if (request.startedAt - last <= ONE_MOMENT_MS) all.at(-1)?.push(request);
    else all.push([request]);
    last = request.startedAt;
  }
  return all;
}

const headsOf = (all: readonly (readonly Request[])[]): readonly Request[] => all.flatMap(([head]) => head ?? []);

function isTimed(heads: readonly Request[]): boolean {
  if (heads.length < HABIT) return false;
  const { intervals, pauses } = rhythmOf(heads);
  return [intervals, pauses].some((each) => isMostlyEven(each, TIMER_JITTER)) && leavesPauses(heads);
}

/** A timer leaves a pause between an answer and the next question. Of two pauses the shorter one counts: a chain may pause once. */
function leavesPauses(heads: readonly Request[]): boolean {
  const pause = middleBy(sinceAnswers(heads), (each) => each) ?? 0;
  return pause >= Math.max(PAUSE_SHARE * rhythmOf(heads).period, GOES_ON_WITHIN_MS);
}

/** How long before each but the first an answer to one of them had come; or, before any had, how long ago the one before was asked. */
function sinceAnswers(heads: readonly Request[]): readonly Ms[] {
  const answers = heads.map(lastSignOfLife).sort((a, b) => a - b);
  let answered = 0;
  return heads.slice(1).map(({ startedAt }, i) => {
    while ((answers[answered] ?? Number.POSITIVE_INFINITY) <= startedAt) answered += 1;
    return startedAt - (answers[answered - 1] ?? heads[i]?.startedAt ?? startedAt);
  });
}

/** What asks for the same again, or for two things in turn, is told by its endpoint. */
function asksAnew(heads: readonly Request[]): boolean {
  const keys = heads.map((head) => endpointOf(head).key);
  return new Set(keys).size >= HABIT && keys.every((key, i) => key !== keys[i - 1]);
}
