import { type BackgroundKind, KINDS } from '../../../model/background-kinds.ts';
import type { VerdictReason } from '../../../model/reason.ts';
import type { Request, Timeline } from '../../../model/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import type { EndpointRule, VisualImpact } from '../../../model/verdict.ts';
import type { Visit } from '../../../model/visit.ts';
import { defined } from '../../text/defined.ts';
import { countedUntil } from '../../time/completed-at.ts';
import { USUAL_WINDOW_MS } from '../../time/lags.ts';
import { endOf } from '../../timeline/inflight.ts';
import { type Impact, isSeen } from '../../visual/impact.ts';
import { canAffectRendering } from '../affects-rendering.ts';
import { installedForPage } from '../detectors/service-worker.ts';
import { type Endpoint, endpointOf } from '../endpoint.ts';
import { followersIn } from '../followers.ts';
import { matchesPattern } from '../pattern.ts';
import { asks, fixedValuesOf } from '../series.ts';
import { type EndpointObservation, keyOf, observationsOf, ruleFrom } from './consensus.ts';
import { countToFilled, resultOf, withoutUpdates } from './series-result.ts';
import {
  type Awaiting,
  alikeIn,
  contentOfStream,
  shapesOfContent,
  shapesOfUpdates,
  strongest,
  type Watched,
} from './stream-content.ts';
import { partsOf } from './stream-parts.ts';

/** An endpoint that looks like background, and of which it is to be proved that the page looks the same without it. */
export interface Suspect {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly fixed: Readonly<Record<string, string>>;
  readonly kind: BackgroundKind;
  readonly reason: VerdictReason;
  readonly requests: readonly Request[];
  /** When its messages, pieces or answers came, in order. */
  readonly arrivals: readonly Ms[];
}

/** Messages of a shape that has ended changed the picture to the end of their own, and do not go on doing so. */
function ofEnded({ shape, arrivals }: FilmQuestion, impact: Impact, until: Ms): Impact {
  const { reason } = impact;
  const hasEnded = shape !== undefined && until - (arrivals.at(-1) ?? until) > USUAL_WINDOW_MS;
  if (impact.impact !== 'continuous' || !hasEnded || reason.code !== 'keeps-changing') return impact;
  const { times, movingParts } = reason;
  return {
    ...impact,
    impact: 'first-content',
    contentParts: times,
    reason: { code: 'changed-at-first', times, upTo: times, after: 0, movingParts },
  };
}

/** The suspects of a visit, each with all requests of its endpoint, also those that count as content. */
export function suspectsOf({ timeline, verdicts }: Visit): readonly Suspect[] {
  const fixedValues = fixedValuesOf(timeline);
  const followers = followersIn(timeline.requests, verdicts);
  const suspects = new Map<string, Suspect>();
  for (const request of timeline.requests) {
    const verdict = verdicts.get(request.id);
    // What the user has decided needs no proof.
    if (!verdict || KINDS[verdict.kind].foundBy === 'user' || request.fromPreviousDocument || followers.has(request.id))
      continue;
    if (!canAffectRendering(request, verdict.kind)) continue;
    const endpoint = endpointOf(request);
    const fixed = fixedValues.get(request.id) ?? {};
    const key = keyOf(endpoint.key, fixed);
    if (suspects.has(key)) continue;
    const requests = timeline.requests.filter(
      (each) => !each.fromPreviousDocument && asks(each, { endpoint: endpoint.key, fixed }),
    );
    const { kind, reason } = verdict;
    suspects.set(key, {
      key,
      endpoint,
      fixed,
      kind,
      reason,
      requests,
      arrivals: arrivalsOf(kind, requests, timeline),
    });
  }
  return [...suspects.values()];
}

function arrivalsOf(kind: BackgroundKind, requests: readonly Request[], timeline: Timeline): readonly Ms[] {
  return KINDS[kind].family === 'stream' ? requests.flatMap(partsOf) : answersOf(requests, timeline);
}

/** When requests were answered. */
export function answersOf(requests: readonly Request[], timeline: Timeline): readonly Ms[] {
  return requests.flatMap((request) => {
    const { response, endedAt } = lastHopOf(request, timeline);
    return response ? [endedAt ?? response.at] : [];
  });
}

/** What a redirect led to; a request that was not redirected itself. */
function lastHopOf(request: Request, { requests }: Timeline): Request {
  if (request.outcome !== 'redirected') return request;
  return requests.findLast(({ requestId }) => requestId === request.requestId) ?? request;
}

/** When content came, which may have changed the picture as well. */
export function contentArrivals({ timeline, verdicts }: Visit, suspects: readonly Suspect[]): readonly Ms[] {
  const suspected = new Set(suspects.flatMap(({ requests }) => requests.map(({ id }) => id)));
  return timeline.requests
    .filter((request) => !suspected.has(request.id) && !verdicts.has(request.id) && !request.fromPreviousDocument)
    .flatMap((request) => [...request.chunks.map(({ at }) => at), endOf(request)])
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}

/** A suspect that can be held back alone, with the URL patterns that hold it and nothing else. */
export interface Held {
  readonly suspect: Suspect;
  readonly patterns: readonly string[];
}

/** Which suspects can be held back: those whose addresses no content shares. */
export function holdable(suspects: readonly Suspect[], { requests }: Timeline): readonly Held[] {
  const suspected = new Set(suspects.flatMap((suspect) => suspect.requests.map(({ id }) => id)));
  const content = requests.filter(({ id }) => !suspected.has(id));
  return suspects.flatMap((suspect): readonly Held[] => {
    if (KINDS[suspect.kind].mayBeHeld === false) return [];
    const shares = (patterns: readonly string[]): boolean =>
      content.some(({ url }) => patterns.some((pattern) => matchesPattern(pattern, url)));
    const patterns = [...new Set(suspect.requests.map(patternOf))];
    if (!shares(patterns)) return [{ suspect, patterns }];
    // The same address with a parameter that content does not have: the session of a socket's polling, say.
    const narrower = [...suspect.endpoint.values.keys()]
      .filter((name) => !name.startsWith('/'))
      .map((name) => patterns.map((pattern) => `${pattern.replace(/\?\*$/, '')}?*${name}=*`))
      .find((each) => !shares(each));
    return narrower ? [{ suspect, patterns: narrower }] : [];
  });
}

/** Scheme, host and path of a request, ids left open, and any query when it had one. */
function patternOf(request: Request): string {
  const { label } = endpointOf(request);
  return label.slice(request.method.length + 1).replace(/ \([^)]*\)$/, '');
}

/** The suspects that are worth a load without them: of some kinds only those that a change followed. */
export function worthHolding(
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
): readonly Suspect[] {
  return suspects.filter(({ key, kind }) => KINDS[kind].mayBeHeld !== 'if-seen' || isBlamed(impacts.get(key)));
}

function isBlamed(film: FilmedSuspect | undefined): boolean {
  return film !== undefined && isSeen(film);
}

/** What holding suspects back showed. */
export interface AblationOutcome {
  readonly held: readonly Held[];
  /** The page looked the same without them. */
  readonly same: boolean;
  /** It asked another way for what was held back: that it is the same proves nothing of what the film saw. */
  readonly cameAnotherWay?: boolean;
}

/**
 * What the untimed runs teach: for each suspect whether it is background and which of its parts are content, and for
 * what only looked like background on the way that it is content.
 */
export function prove(
  visit: Visit,
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  ablation: AblationOutcome | undefined,
  { quietWindow, changes }: Pick<Watched, 'quietWindow' | 'changes'>,
): readonly EndpointRule[] {
  const held = new Set(ablation?.held.map(({ suspect }) => suspect.key));
  const isAlone = held.size === 1;
  const { observedUntil } = visit.timeline;
  const completeAt = countedUntil(visit.complete, visit.timeline);
  // Where streams were held back as well, they are the likelier cause of what nobody can attribute.
  const onlySingles = suspects.every((suspect) => !held.has(suspect.key) || isSingle(suspect));
  const someoneIsBlamed = suspects.some(({ key }) => held.has(key) && isBlamed(impacts.get(key)));
  const proveOne = (suspect: Suspect, contentUntil: Ms): EndpointRule => {
    const film = impacts.get(suspect.key);
    const isReplaced = ablation?.cameAnotherWay === true && film?.impact === 'first-content';
    const sameWithout = held.has(suspect.key) && !isReplaced ? ablation?.same : undefined;
    const startedAt = Math.min(...suspect.requests.map((request) => request.startedAt));
    const watched = { startedAt, completeAt: contentUntil, until: observedUntil, quietWindow, changes };
    const proved = seen(film, suspect, watched, sameWithout, someoneIsBlamed, isAlone);
    return rule(suspect, withLeadingAnswers(proved, suspect, visit), onlySingles ? sameWithout : undefined);
  };
  const rules = proveInTurn(suspects, proveOne, completeAt, { observedUntil, quietWindow });
  const together = installedTogether(rules, suspects);
  const known = new Set(suspects.map(({ key }) => key));
  const content = observationsOf(visit).filter(
    ({ kind, endpoint, fixed }) => kind === undefined && !known.has(keyOf(endpoint.key, fixed)),
  );
  const taught = new Set([...known, ...content.map(({ endpoint, fixed }) => keyOf(endpoint.key, fixed))]);
  const untaught = readFromCache(visit).filter(({ endpoint, fixed }) => !taught.has(keyOf(endpoint.key, fixed)));
  return [...together, ...[...content, ...untaught].map((observation) => ruleFrom(observation))];
}

/**
 * What each is proved to be. What a stream brings within a quiet window after the content of another is no news: proved again
 * until none of them has more content by that.
 */
function proveInTurn(
  suspects: readonly Suspect[],
  proveOne: (suspect: Suspect, contentUntil: Ms) => EndpointRule,
  completeAt: Ms,
  awaiting: Awaiting,
): readonly EndpointRule[] {
  let until: readonly Ms[] = suspects.map(() => completeAt);
  for (;;) {
    const rules = suspects.map((suspect, i) => proveOne(suspect, until[i] ?? completeAt));
    const ends = suspects.map((suspect, i) => endOfContent(suspect, rules[i]?.content, awaiting));
    const later = until.map((at, i) => {
      const isStream = suspects[i] !== undefined && KINDS[suspects[i].kind].family === 'stream';
      return isStream ? Math.max(at, ...ends.filter((_, other) => other !== i)) : at;
    });
    if (later.every((at, i) => at === until[i])) return rules;
    until = later;
  }
}

/** When a stream had brought the last of its content. */
function endOfContent({ requests }: Suspect, content: EndpointRule['content'] = [], awaiting: Awaiting): Ms {
  const ends = requests.map((request) => contentOfStream(request, content, awaiting).counts?.to ?? 0);
  return Math.max(0, ...ends);
}

/** A service worker is installed as a whole: when something of it is content, so is all that it had fetched before. */
function installedTogether(rules: readonly EndpointRule[], suspects: readonly Suspect[]): readonly EndpointRule[] {
  const isOfWorker = (i: number): boolean => suspects[i]?.kind === 'service-worker';
  const lastEnd = (i: number): Ms => Math.max(...(suspects[i]?.requests ?? []).map(endOf));
  const content = rules.flatMap(({ kind }, i) => (isOfWorker(i) && kind === undefined ? [i] : []));
  const until = Math.max(...content.map(lastEnd));
  return rules.map((rule, i) => {
    if (!isOfWorker(i) || rule.kind === undefined || lastEnd(i) > until) return rule;
    const { kind: _kind, ...rest } = rule;
    return { ...rest, reason: { code: 'read-from-cache' }, impact: 'first-content' };
  });
}

/** What the page read out of its service worker's cache: a run that has not seen that yet would take it for the worker's own. */
function readFromCache({ timeline, verdicts }: Visit): readonly EndpointObservation[] {
  const flagged = new Set(timeline.requests.filter(({ id }) => verdicts.has(id)).map((each) => endpointOf(each).key));
  const endpoints = installedForPage(timeline).map(endpointOf);
  const read = new Map(endpoints.filter(({ key }) => !flagged.has(key)).map((endpoint) => [endpoint.key, endpoint]));
  return [...read.values()].map((endpoint) => ({
    endpoint,
    fixed: {},
    reason: { code: 'read-from-cache' },
    confidence: 'certain',
    requests: 1,
  }));
}

/** What is known of a suspect's share in the picture. */
type Seen = Pick<EndpointRule, 'contentParts' | 'content' | 'updates' | 'result' | 'reason'> & {
  readonly impact: VisualImpact;
};

/**
 * What the film shows of a suspect; of a stream also for each shape of its messages.
 */
export interface FilmedSuspect extends Impact {
  readonly shapes?: ReadonlyMap<string, Impact>;
}

/** What a film is to be asked about a suspect: a stream about messages of each shape by themselves. */
export interface FilmQuestion {
  readonly suspect: Suspect;
  readonly shape?: string;
  readonly arrivals: readonly Ms[];
}

/** The questions to a film about suspects. */
export function filmQuestions(suspects: readonly Suspect[]): readonly FilmQuestion[] {
  return suspects.flatMap((suspect): readonly FilmQuestion[] => {
    if (KINDS[suspect.kind].family !== 'stream') return [{ suspect, arrivals: suspect.arrivals }];
    return alikeIn(suspect.requests).map(({ shape, messages }) => ({
      suspect,
      shape,
      arrivals: messages.map(({ at }) => at),
    }));
  });
}

/** The answers of a film, by the suspects' keys; of a stream together and for each shape. */
export function filmAnswers(
  questions: readonly FilmQuestion[],
  impacts: readonly Impact[],
  until: Ms,
): ReadonlyMap<string, FilmedSuspect> {
  const answered = questions.flatMap((question, i) => {
    const impact = impacts[i];
    return impact ? [{ ...question, impact: ofEnded(question, impact, until) }] : [];
  });
  const bySuspect = Map.groupBy(answered, ({ suspect }) => suspect.key);
  return new Map(
    [...bySuspect].flatMap(([key, own]): readonly (readonly [string, FilmedSuspect])[] => {
      const whole = strongest(own.map(({ impact }) => impact));
      if (!whole) return [];
      const shapes = own.flatMap(({ shape, impact }) => (shape === undefined ? [] : [[shape, impact] as const]));
      return [[key, { ...whole, ...(shapes.length > 0 && { shapes: new Map(shapes) }) }]];
    }),
  );
}

/** The film says what changed after which part; the page without it says whether it mattered in the end. */
function seen(
  film: FilmedSuspect | undefined,
  suspect: Suspect,
  watched: Watched,
  sameWithout: boolean | undefined,
  someoneIsBlamed: boolean,
  isAlone: boolean,
): Seen {
  const said = film?.impact ?? 'unknown';
  const reason: VerdictReason = film?.reason ?? { code: 'not-filmed' };
  const isStream = KINDS[suspect.kind].family === 'stream';
  const nothing = isStream ? { content: [] } : { contentParts: 0 };
  if (said !== 'continuous' && sameWithout === true) {
    return { impact: 'none', ...nothing, reason: { code: 'same-without-it' } };
  }
  // The picture differs, the film blames nobody: any of them may have done it.
  if (said === 'none' && (sameWithout === undefined || someoneIsBlamed)) return { impact: 'none', ...nothing, reason };
  const itMustHave = said !== 'continuous' && said !== 'first-content' && sameWithout === false && isAlone;
  const parts = isStream ? contentIn(suspect, film, watched, itMustHave) : answersIn(suspect, film, watched);
  if (itMustHave) return { impact: 'first-content', reason: { code: 'different-without-it' }, ...parts };
  return { impact: said === 'none' ? 'unknown' : said, reason, ...parts };
}

/** Which shapes of a stream are content; nothing where nobody can tell. */
function contentIn(
  { requests }: Suspect,
  film: FilmedSuspect | undefined,
  watched: Watched,
  itMustHave: boolean,
): Pick<Seen, 'content' | 'updates'> {
  const alike = alikeIn(requests);
  const impacts = film?.shapes ?? new Map<string, Impact>();
  const content = shapesOfContent(alike, impacts, watched);
  if (content.length > 0 || (film?.impact !== 'unknown' && !itMustHave)) {
    const updates = shapesOfUpdates(alike, impacts, watched);
    return { content, ...(updates.length > 0 && { updates }) };
  }
  if (!itMustHave) return {};
  // It brought content, and the film does not show which: all that came while the page was coming.
  const unclear = alike.map(
    ({ shape }) => [shape, { ...(impacts.get(shape) ?? film), impact: 'first-content' }] as const,
  );
  return { content: shapesOfContent(alike, new Map(unclear as readonly (readonly [string, Impact])[]), watched) };
}

/** How many answers of a series are content. */
function answersIn(
  { arrivals, requests }: Suspect,
  film: FilmedSuspect | undefined,
  watched: Watched,
): Pick<Seen, 'contentParts' | 'result'> {
  if (film?.impact === 'continuous') {
    return { contentParts: countToFilled(arrivals, film.changedAt, watched) };
  }
  if (film?.impact === 'first-content') {
    const { contentParts } = film;
    return defined({ contentParts, result: resultOf(requests, contentParts) });
  }
  // A change that came with an answer unlike all before it: that is what was asked for, however long it took.
  for (const changedAt of film?.changedAt ?? []) {
    const number = arrivals.filter((at) => at <= changedAt).length;
    const result = resultOf(requests, number);
    if (result) return { contentParts: number, result };
  }
  // What changed while the page was still coming may have been its doing: when unsure, it is kept.
  const last = film?.changedAt.findLast((at) => at <= watched.completeAt + USUAL_WINDOW_MS);
  if (last === undefined) return {};
  return { contentParts: withoutUpdates(arrivals.filter((at) => at <= last).length, arrivals, watched.changes) };
}

/** Of a series of which nobody can say which parts mattered, what was answered before it became a habit is content. */
function withLeadingAnswers(proved: Seen, { kind, requests }: Suspect, { verdicts }: Visit): Seen {
  if (proved.contentParts !== undefined || KINDS[kind].family !== 'series') return proved;
  const leading = requests.findIndex((request) => verdicts.has(request.id));
  return { ...proved, contentParts: leading };
}

/** One answer that is background as a whole, or not at all. */
function isSingle({ kind }: Suspect): boolean {
  return KINDS[kind].family === 'single' && KINDS[kind].mayBeHeld !== false;
}

function rule(
  suspect: Suspect,
  { impact, contentParts, content, updates, result, reason }: Seen,
  sameWithout: boolean | undefined,
): EndpointRule {
  const observation: EndpointObservation = {
    endpoint: suspect.endpoint,
    fixed: suspect.fixed,
    kind: suspect.kind,
    reason: suspect.reason,
    confidence: impact === 'none' ? 'certain' : 'likely',
    requests: suspect.requests.length,
  };
  const matters =
    impact === 'first-content' || impact === 'continuous' || (impact === 'unknown' && sameWithout === false);
  if (isSingle(suspect) && matters) {
    const { kind: _kind, ...rest } = observation;
    const why: VerdictReason = sameWithout === false ? { code: 'different-without-it' } : reason;
    return ruleFrom({ ...rest, reason: why }, { impact });
  }
  return ruleFrom(observation, defined({ impact, contentParts, content, updates, result }));
}
