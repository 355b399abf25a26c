import { KINDS } from '../../../model/background/kinds.ts';
import type { VerdictReason } from '../../../model/background/reason.ts';
import type { EndpointRule, VisualImpact } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Visit } from '../../../model/network/visit.ts';
import type { Ms } from '../../../model/units.ts';
import { defined } from '../../text/defined.ts';
import { countedUntil } from '../../time/completed-at.ts';
import { USUAL_WINDOW_MS } from '../../time/lags.ts';
import { endOf } from '../../timeline/inflight.ts';
import { type Impact, isSeen } from '../../visual/impact.ts';
import { canAffectRendering } from '../affects-rendering.ts';
import { installedForPage } from '../detectors/service-worker.ts';
import { endpointOf } from '../endpoint.ts';
import { followersIn } from '../followers.ts';
import { matchesPattern } from '../pattern.ts';
import { asks, fixedValuesOf } from '../series.ts';
import { type EndpointObservation, keyOf, observationsOf, ruleFrom } from './consensus.ts';
import { alikeIn, type Impacts, learnContent, updatesIn, type Watched } from './learn.ts';
import { recognise, type Watching } from './recognise.ts';
import { type Arrival, arrivalsOf, isStreamKind, type Source } from './source.ts';

/** Messages of a shape that has ended changed the picture to the end of their own, and do not go on doing so. */
function ofEnded({ shape, arrivals }: FilmQuestion, impact: Impact, until: Ms): Impact {
  const { reason } = impact;
  const hasEnded = shape !== undefined && until - (arrivals.at(-1)?.at ?? until) > USUAL_WINDOW_MS;
  if (impact.impact !== 'continuous' || !hasEnded || reason.code !== 'keeps-changing') return impact;
  const { times, movingParts } = reason;
  return {
    ...impact,
    impact: 'first-content',
    reason: { code: 'changed-at-first', times, upTo: times, after: 0, movingParts },
  };
}

/** The suspects of a visit, each with all requests of its endpoint, also those that count as content. */
export function suspectsOf({ timeline, verdicts }: Visit): readonly Source[] {
  const fixedValues = fixedValuesOf(timeline);
  const followers = followersIn(timeline.requests, verdicts);
  const suspects = new Map<string, Source>();
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

/** When content came, which may have changed the picture as well. */
export function contentArrivals(
  { timeline, verdicts }: Visit,
  suspects: readonly Source[],
  isMeant: (request: Request) => boolean = () => true,
): readonly Ms[] {
  const suspected = new Set(suspects.flatMap(({ requests }) => requests.map(({ id }) => id)));
  return timeline.requests
    .filter((request) => !suspected.has(request.id) && !verdicts.has(request.id) && !request.fromPreviousDocument)
    .filter(isMeant)
    .flatMap((request) => [...request.chunks.map(({ at }) => at), endOf(request)])
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
}

/** A suspect that can be held back alone, with the URL patterns that hold it and nothing else. */
export interface Held {
  readonly suspect: Source;
  readonly patterns: readonly string[];
}

/** Which suspects can be held back: those whose addresses no content shares. */
export function holdable(suspects: readonly Source[], { requests }: Timeline): readonly Held[] {
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
  suspects: readonly Source[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
): readonly Source[] {
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
  suspects: readonly Source[],
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
  const proveOne = (suspect: Source, contentUntil: Ms): EndpointRule => {
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

type Awaiting = Pick<Watching, 'observedUntil' | 'quietWindow'>;

/**
 * What each is proved to be. What a stream brings within a quiet window after the content of another is no news: proved again
 * until none of them has more content by that.
 */
function proveInTurn(
  suspects: readonly Source[],
  proveOne: (suspect: Source, contentUntil: Ms) => EndpointRule,
  completeAt: Ms,
  awaiting: Awaiting,
): readonly EndpointRule[] {
  let until: readonly Ms[] = suspects.map(() => completeAt);
  for (;;) {
    const rules = suspects.map((suspect, i) => proveOne(suspect, until[i] ?? completeAt));
    const ends = suspects.map((suspect, i) => endOfContent(suspect, rules[i]?.content, awaiting));
    const later = until.map((at, i) => {
      const isStream = suspects[i] !== undefined && isStreamKind(suspects[i].kind);
      return isStream ? Math.max(at, ...ends.filter((_, other) => other !== i)) : at;
    });
    if (later.every((at, i) => at === until[i])) return rules;
    until = later;
  }
}

/** When a stream had brought the last of its content. */
function endOfContent(
  { kind, requests, arrivals }: Source,
  content: EndpointRule['content'] = [],
  awaiting: Awaiting,
): Ms {
  // The result of a job comes however late: it says nothing of how long the rest of the page takes.
  if (!isStreamKind(kind)) return 0;
  const ends = requests.map((request) => {
    const own = arrivals.filter((each) => each.request === request);
    const isOpen = request.endedAt === undefined;
    const found = recognise(own, content, { ...awaiting, from: request.startedAt, isOpen });
    return found?.state === 'came' ? found.last.at : 0;
  });
  return Math.max(0, ...ends);
}

/** A service worker is installed as a whole: when something of it is content, so is all that it had fetched before. */
function installedTogether(rules: readonly EndpointRule[], suspects: readonly Source[]): readonly EndpointRule[] {
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
type Seen = Pick<EndpointRule, 'content' | 'reason'> & {
  readonly impact: VisualImpact;
};

/** What the film shows of a suspect: together, and of each shape of its arrivals. */
export interface FilmedSuspect extends Impact {
  readonly shapes: Impacts;
}

/** What a film is to be asked about a suspect: about messages of each shape by themselves, about answers together. */
export interface FilmQuestion {
  readonly suspect: Source;
  readonly shape?: string;
  readonly arrivals: readonly Arrival[];
}

/** The questions to a film about suspects. */
export function filmQuestions(suspects: readonly Source[]): readonly FilmQuestion[] {
  return suspects.flatMap((suspect) =>
    alikeIn(suspect).map(({ shape, arrivals }) => defined({ suspect, shape, arrivals })),
  );
}

/** The answers of a film, by the suspects' keys. */
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
      return whole ? [[key, { ...whole, shapes: new Map(own.map(({ shape, impact }) => [shape, impact])) }]] : [];
    }),
  );
}

/** What the film shows of all arrivals of a suspect together: the strongest of it. */
function strongest(impacts: readonly Impact[]): Impact | undefined {
  const ORDER = ['none', 'unknown', 'first-content', 'continuous'];
  const [most] = impacts.toSorted((a, b) => ORDER.indexOf(b.impact) - ORDER.indexOf(a.impact));
  if (!most) return undefined;
  const effects = impacts.flatMap((impact) => impact.effects).toSorted((a, b) => a.arrival - b.arrival);
  return { ...most, effects };
}

/** The film says what changed after which part; the page without it says whether it mattered in the end. */
function seen(
  film: FilmedSuspect | undefined,
  suspect: Source,
  watched: Watched,
  sameWithout: boolean | undefined,
  someoneIsBlamed: boolean,
  isAlone: boolean,
): Seen {
  const said = film?.impact ?? 'unknown';
  const reason: VerdictReason = film?.reason ?? { code: 'not-filmed' };
  if (said !== 'continuous' && sameWithout === true) {
    return { impact: 'none', content: [], reason: { code: 'same-without-it' } };
  }
  // The picture differs, the film blames nobody: any of them may have done it.
  if (said === 'none' && (sameWithout === undefined || someoneIsBlamed)) return { impact: 'none', content: [], reason };
  const itMustHave = said !== 'continuous' && said !== 'first-content' && sameWithout === false && isAlone;
  const content = defined({ content: contentIn(suspect, film, watched, itMustHave) });
  if (itMustHave) return { impact: 'first-content', reason: { code: 'different-without-it' }, ...content };
  return { impact: said === 'none' ? 'unknown' : said, reason, ...content };
}

/** Which arrivals are content; undefined when nobody can tell. */
function contentIn(
  suspect: Source,
  film: FilmedSuspect | undefined,
  watched: Watched,
  itMustHave: boolean,
): EndpointRule['content'] {
  const alike = alikeIn(suspect);
  const impacts: Impacts = film?.shapes ?? new Map();
  const content = learnContent(alike, impacts, watched);
  if (content.length > 0 || (film !== undefined && isSeen(film))) {
    return [...content, ...updatesIn(alike, impacts, watched)];
  }
  if (!itMustHave || !isStreamKind(suspect.kind)) return undefined;
  // It brought content, and the film does not show which: all that came while the page was coming.
  const unclear = alike.flatMap(({ shape }) => {
    const impact = impacts.get(shape) ?? film;
    return impact ? [[shape, { ...impact, impact: 'first-content' }] as const] : [];
  });
  return learnContent(alike, new Map(unclear), watched);
}

/** Of a series of which nobody can say which parts mattered, what was answered before it became a habit is content. */
function withLeadingAnswers(proved: Seen, { kind, requests }: Source, { verdicts }: Visit): Seen {
  if (proved.content !== undefined || KINDS[kind].family !== 'series') return proved;
  return { ...proved, content: [{ counts: requests.findIndex((request) => verdicts.has(request.id)) }] };
}

/** One answer that is background as a whole, or not at all. */
function isSingle({ kind }: Source): boolean {
  return KINDS[kind].family === 'single' && KINDS[kind].mayBeHeld !== false;
}

function rule(suspect: Source, { impact, content, reason }: Seen, sameWithout: boolean | undefined): EndpointRule {
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
  return ruleFrom(observation, defined({ impact, content }));
}
