import type { FilmReason } from '../../model/background/reason.ts';
import type { Span } from '../../model/background/verdict.ts';
import type { Area, VisualChange } from '../../model/recording/picture.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { firstAfter } from '../time/first-after.ts';
import { DRAWN_WITHIN_MS, HABIT, NEARLY_ALL, ONE_MOMENT_MS, USUAL_WINDOW_MS } from '../time/lags.ts';
import { estimateMedian } from '../time/median.ts';
import { binomialTail } from './binomial-tail.ts';
import { type FilmSteps, fillsPlace, visibleChanges } from './changes.ts';
import { type FrameOwners, type Owners, type OwnersOf, ownersIn } from './frame-owners.ts';
import type { Mask } from './mask.ts';
import { movingPartsOf } from './moving-parts.ts';
import { movingPlacesOf } from './moving-places.ts';
import { withoutNotices } from './notices.ts';

/** A film of a page load and what arrived while it was taken. */
export interface Film extends FilmSteps {
  /** The endpoints in question, and when each message, piece or answer of theirs came. */
  readonly suspects: readonly Suspect[];
  /** When anything else came. */
  readonly foregroundArrivals: readonly Ms[];
  readonly completeAt: Ms;
  /** Where the page shows canvases, vector pictures, films and endless animations. */
  readonly canvases?: readonly Area[];
  /** Where it shows numbers that count. */
  readonly clocks?: readonly Area[];
  /** When filming ended. */
  readonly until: Ms;
  /** What the browser tells of whose changes the page drew; absent where it was not traced. */
  readonly frameOwners?: FrameOwners;
}

/** An endpoint of which it is asked whether it changes what is seen; those of one name are messages of its shapes. */
export interface Suspect {
  readonly endpoint: string;
  readonly arrivals: readonly Ms[];
}

/** What an endpoint did to the picture. */
export interface Impact {
  readonly endpoint: string;
  /** Changed nothing · only what came first changed something · goes on changing it · cannot be told from time. */
  readonly impact: 'none' | 'first-content' | 'continuous' | 'unknown';
  /** What was seen, with figures. */
  readonly reason: FilmReason;
  /** Of each arrival, in order. */
  readonly effects: readonly Effect[];
}

/** What an arrival did to the picture. */
export interface Effect {
  readonly arrival: Ms;
  /**
   * fills: it painted for the first time a place that had shown next to nothing · repaints: another change is put down to it ·
   * nothing: none is · unclear: something else came too, or nobody filmed it.
   */
  readonly kind: 'fills' | 'repaints' | 'nothing' | 'unclear';
  /** The change that is put down to it. */
  readonly changedAt?: Ms;
  /** The browser's trace shows it; it is not concluded from times. */
  readonly traced?: true;
}

/** The changes that are put down to a suspect, one for each arrival that was followed by one. */
export function changesBy({ effects }: Pick<Impact, 'effects'>): readonly Ms[] {
  return effects.flatMap(({ changedAt }) => changedAt ?? []);
}

/** What the film says of all arrivals together. */
type Summary = Omit<Impact, 'effects'>;

/** All that a film tells. */
export interface FilmReading {
  /** In the order of the suspects. */
  readonly impacts: readonly Impact[];
  /** When what is seen changed, moving parts left out. */
  readonly changes: readonly VisualChange[];
  /** The parts that move by themselves. */
  readonly moving?: Mask;
  /** Those with a margin, and all of the canvases in which most parts move and of clocks; absent where there are none. */
  readonly movingPlaces?: Mask;
}

/** May a change at that time come from one of the arrivals? */
export function follows(at: Ms, arrivals: readonly Ms[], within: Ms = DRAWN_WITHIN_MS): boolean {
  return arrivals.some((came) => came <= at && at - came <= within);
}

/** Coincidence that is not believed: the usual 5 %. */
const UNBELIEVABLE = 0.05;

/**
 * The same for what came first. What looks like content is kept: holding it back shows soon enough that it was none,
 * while content once thrown away is lost.
 */
const HARD_TO_BELIEVE = 0.25;

/**
 * Asks of each suspect what changed in the viewport after its data came. A change is put down to a suspect when it
 * comes within 400 ms after its data and nothing else came in that time, or promptly after its data and nothing else
 * came as late. Where the cause is unclear, that arrival says nothing. What moves by itself is left out first.
 */
export function readFilm(film: Film): FilmReading {
  const steps = film.steps.filter(({ at }) => at <= film.until);
  const moving = movingPartsOf(steps, film.until, quietSpansOf(film));
  const movingPlaces = moving && movingPlacesOf(moving, film.canvases ?? [], film.clocks);
  const changes = visibleChanges(steps, moving, movingPlaces);
  // What comes and goes with an answer is no content of it: a bar of progress that is shown while the page asks.
  const lasting = withoutNotices(changes, USUAL_WINDOW_MS);
  const scene: Scene = {
    from: film.from ?? Number.POSITIVE_INFINITY,
    completeAt: film.completeAt,
    until: film.until,
    changes: movementsOf(lasting, film.frameOwners && ownersIn(film.frameOwners, film.canvases ?? [])),
    foreground: sorted(film.foregroundArrivals),
    suspects: film.suspects.map(({ endpoint, arrivals }, number) => ({
      endpoint,
      numbers: [number],
      // What came after the film ended cannot be seen in it.
      arrivals: sorted(arrivals.filter((at) => at <= film.until)),
      window: windowOf(arrivals),
    })),
    movingPartsLeftOut: moving !== undefined,
    notices: movementsOf(changes.filter((change) => !lasting.includes(change))),
  };
  const first = scene.suspects.map((suspect) => outcomesOf(suspect, scene, () => false));
  // Who has come several times without any effect, and never with one, does not stand in the way of another who has
  // not: of two such, either may be the cause.
  const hasNoEffect = (suspect: Seen, at: Ms): boolean => {
    const outcomes = first[scene.suspects.indexOf(suspect)] ?? [];
    if (outcomes.some(({ kind }) => kind === 'changed')) return false;
    return outcomes.filter(({ kind, arrival }) => kind === 'nothing' && arrival < at).length >= HABIT;
  };
  const standsAside: StandsAside = (other, suspect, at) => hasNoEffect(other, at) && !hasNoEffect(suspect, at);
  const outcomes = scene.suspects.map((suspect) => outcomesOf(suspect, scene, standsAside));
  const apart = scene.suspects.map((suspect, i) => impactFrom(suspect, outcomes[i] ?? [], scene, standsAside));
  const together = new Map(
    [...Map.groupBy(scene.suspects, ({ endpoint }) => endpoint)]
      .filter(
        ([endpoint, own]) => own.length > 1 && apart.some((each) => each.endpoint === endpoint && isDoubted(each)),
      )
      .map(([endpoint, own]) => [endpoint, impactOfAll(own, scene)]),
  );
  const impacts = apart.map((each, i): Impact => {
    const own = outcomes[i] ?? [];
    const all = together.get(each.endpoint);
    const summary = all && isSeen(all) ? asOfAll(each, own, scene) : each;
    return { ...summary, effects: effectsOf(own, changes) };
  });
  return defined({ impacts, changes, moving, movingPlaces });
}

/** What arrivals did, by which changes are put down to them. */
function effectsOf(outcomes: readonly Outcome[], changes: readonly VisualChange[]): readonly Effect[] {
  const [since] = outcomes;
  return outcomes.map(({ arrival, kind, changedAt, traced }): Effect => {
    if (changedAt === undefined || since === undefined) {
      return { arrival, kind: kind === 'nothing' ? 'nothing' : 'unclear' };
    }
    const fills = fillsPlace(changedAt, since.arrival, changes);
    return { arrival, kind: fills ? 'fills' : 'repaints', changedAt, ...defined({ traced }) };
  });
}

/** The stretches after completion in which nothing had come for a while: what moves in them moves by itself. */
export function quietSpansOf(film: Omit<Film, keyof FilmSteps>): readonly Span[] {
  const all = [...film.suspects.flatMap(({ arrivals }) => arrivals), ...film.foregroundArrivals];
  const arrivals = sorted([film.completeAt, ...all]);
  const spans: Span[] = [];
  for (const [i, at] of arrivals.entries()) {
    const from = Math.max(at, film.completeAt) + DRAWN_WITHIN_MS;
    const to = Math.min(arrivals[i + 1] ?? film.until, film.until);
    if (to > from) spans.push({ from, to });
  }
  return spans;
}

// What followed each arrival

interface Seen extends Suspect {
  /** Which of the film's suspects it is; several together are judged as one. */
  readonly numbers: readonly number[];
  /** How soon after an arrival a change must come to be believed, ms. */
  readonly window: Ms;
}

/** A change, and when the movement that it belongs to began. */
interface Change {
  readonly at: Ms;
  readonly begins: Ms;
  /** Whose it is, where the browser tells. */
  readonly owners?: Owners;
}

interface Scene {
  readonly from: Ms;
  readonly completeAt: Ms;
  readonly until: Ms;
  readonly changes: readonly Change[];
  readonly foreground: readonly Ms[];
  readonly suspects: readonly Seen[];
  readonly movingPartsLeftOut: boolean;
  /** What came and went again, and is left out. */
  readonly notices: readonly Change[];
}

/**
 * changed: the picture changed, and it is the cause · nothing: it is not · unclear: the picture changed, and something
 * else came too · later: the change belongs to the next arrival of the same · unfilmed: before the film
 * began · cut: the film ended too soon to tell.
 */
interface Outcome {
  readonly arrival: Ms;
  readonly kind: 'changed' | 'nothing' | 'unclear' | 'later' | 'unfilmed' | 'cut';
  /** The first change put down to it. */
  readonly changedAt?: Ms;
  /** The browser tells that it is. */
  readonly traced?: true;
}

/** Is `other` out of the question as the cause of a change at that time, when `suspect` is the one to be judged? */
type StandsAside = (other: Seen, suspect: Seen, at: Ms) => boolean;

function outcomesOf(suspect: Seen, scene: Scene, standsAside: StandsAside): readonly Outcome[] {
  const { arrivals } = suspect;
  return arrivals.map((arrival, i): Outcome => {
    if (arrival < scene.from) return { arrival, kind: 'unfilmed' };
    const traced = tracedOutcome(suspect, arrival, scene, standsAside);
    if (traced !== undefined) return traced;
    const within = arrival + DRAWN_WITHIN_MS;
    const after = between(scene.changes, arrival, within).filter((change) => change.owners === undefined);
    if (after.length === 0) return { arrival, kind: within > scene.until ? 'cut' : 'nothing' };
    const next = arrivals[i + 1] ?? Number.POSITIVE_INFINITY;
    const own = after.filter(({ at }) => at < next);
    if (own.length === 0) return { arrival, kind: 'later' };
    const causes = own.map((change) => ({ at: change.at, ...causesOf(suspect, change, scene, standsAside) }));
    const changed = causes.find((each) => each.own && !each.others);
    if (changed) return { arrival, kind: 'changed', changedAt: changed.at };
    // What is wholly put down to others says nothing against this one.
    return { arrival, kind: causes.every((each) => each.others && !each.own) ? 'nothing' : 'unclear' };
  });
}

/** What the browser tells of an arrival: that changes are its own, or also those of others. */
function tracedOutcome(suspect: Seen, arrival: Ms, scene: Scene, standsAside: StandsAside): Outcome | undefined {
  const isOwn = (number: number): boolean => suspect.numbers.includes(number);
  const own = scene.changes.filter(({ owners }) =>
    owners?.by.some((each) => each.arrival === arrival && isOwn(each.suspect)),
  );
  if (own.length === 0) return undefined;
  const alone = own.find(({ at, owners }) => {
    if (owners === undefined || owners.others) return false;
    return owners.by.every((each) => {
      const other = scene.suspects.find(({ numbers }) => numbers.includes(each.suspect));
      return isOwn(each.suspect) || (other !== undefined && standsAside(other, suspect, at));
    });
  });
  return alone ? { arrival, kind: 'changed', changedAt: alone.at, traced: true } : { arrival, kind: 'unclear' };
}

/** Who may have caused a change: this suspect, others that came too, both, or nobody that is known. */
interface Causes {
  readonly own: boolean;
  readonly others: boolean;
}

/** Who came in the time before the change, and, when it is part of a movement, before that began. */
function causesOf(suspect: Seen, { at, begins }: Change, scene: Scene, standsAside: StandsAside): Causes {
  const others = [
    scene.foreground,
    ...scene.suspects.flatMap((other) =>
      other === suspect || standsAside(other, suspect, at) ? [] : [other.arrivals],
    ),
  ];
  const first = causesAt(begins, suspect.arrivals, others);
  if (at === begins) return first;
  // What came while the movement was under way may have changed something as well, but it did not begin it.
  return {
    own: first.own || cameBefore(suspect.arrivals, at),
    others: first.others || !first.own || others.some((arrivals) => cameBefore(arrivals, at)),
  };
}

function causesAt(at: Ms, own: readonly Ms[], others: readonly (readonly Ms[])[]): Causes {
  const ownLast = lastBefore(own, at);
  const othersLast = Math.max(...others.map((arrivals) => lastBefore(arrivals, at)));
  if (at - ownLast <= ONE_MOMENT_MS && ownLast - othersLast >= ONE_MOMENT_MS) return { own: true, others: false };
  if (at - othersLast <= ONE_MOMENT_MS && othersLast - ownLast >= ONE_MOMENT_MS) return { own: false, others: true };
  return { own: at - ownLast <= DRAWN_WITHIN_MS, others: at - othersLast <= DRAWN_WITHIN_MS };
}

/** Did nothing else come in all the time in which a change could follow it? */
function isUnexplained(suspect: Seen, { at }: Change, scene: Scene, standsAside: StandsAside): boolean {
  if (cameBefore(scene.foreground, at)) return false;
  return !scene.suspects.some(
    (other) => other !== suspect && cameBefore(other.arrivals, at) && !standsAside(other, suspect, at),
  );
}

function lastBefore(arrivals: readonly Ms[], at: Ms): Ms {
  return arrivals[firstAfter(arrivals, at) - 1] ?? Number.NEGATIVE_INFINITY;
}

/** Is one of the times within the window before `at`? */
function cameBefore(arrivals: readonly Ms[], at: Ms, window: Ms = DRAWN_WITHIN_MS): boolean {
  return at - lastBefore(arrivals, at) <= window;
}

// What the arrivals say together

function impactFrom(suspect: Seen, outcomes: readonly Outcome[], scene: Scene, standsAside: StandsAside): Summary {
  const { endpoint } = suspect;
  const count = (kind: Outcome['kind']): number => outcomes.filter((each) => each.kind === kind).length;
  const times = outcomes.length;
  const movingParts = scene.movingPartsLeftOut;
  const changed = outcomes.flatMap(({ kind }, i) => (kind === 'changed' ? [i] : []));
  const changedAt = outcomes.flatMap((each) => each.changedAt ?? []);
  const unknown = (reason: FilmReason): Summary => ({ endpoint, impact: 'unknown', reason });
  if (outcomes.length === 0) {
    return { endpoint, impact: 'none', reason: { code: 'nothing-came' } };
  }
  const last = changed.at(-1);
  if (last === undefined) {
    // What came first matters most: as long as that cannot be reported, what came later does not clear it.
    const first = outcomes.find(({ kind }) => kind !== 'later' && kind !== 'cut');
    const clear = count('nothing');
    if (first?.kind === 'nothing' && clear >= count('unclear')) {
      return {
        endpoint,
        impact: 'none',
        reason: {
          code: 'no-change',
          times,
          unclear: count('unclear'),
          movingParts,
          ...(scene.notices.some(({ at }) => cameBefore(suspect.arrivals, at)) && { notices: true }),
        },
      };
    }
    if (first === undefined) return unknown({ code: 'too-late', times });
    if (first.kind === 'unfilmed') return unknown({ code: 'before-film', times });
    return unknown({ code: 'with-others', times });
  }
  const filmed = { from: Math.max(scene.from, suspect.arrivals[0] ?? scene.from), to: scene.until };
  const isTraced = outcomes.some(({ traced }) => traced);
  if (!isTraced && coverage([suspect], filmed) > NEARLY_ALL) {
    return unknown({ code: 'too-dense', times });
  }
  const chance = (from: Ms, window = suspect.window): number => chanceSince(from, suspect, window, scene, standsAside);
  const after = outcomes.slice(last + 1).filter(({ kind }) => kind === 'nothing').length;
  const goesOn = after <= 2 * longestPause(outcomes);
  const since = Math.max(scene.completeAt, scene.from);
  const late = lateIn(changedAt, scene);
  if (late > 1 && goesOn && (isTraced || chance(since) <= UNBELIEVABLE))
    return keepsChanging(endpoint, outcomes, scene);
  const ended = hasEnded(suspect, scene.until);
  // What is seen within some 20 ms, time and again, is no coincidence, even of what comes every second.
  const slowest = Math.max(...outcomes.map(({ arrival, changedAt: at }) => (at === undefined ? 0 : at - arrival)));
  const idle = outcomes.slice(0, last).filter(({ kind }) => kind === 'nothing').length;
  const cameFirst = idle <= changed.length;
  // The first arrival, and what ends with the change it brought (a job that is done), have the benefit of the doubt.
  const isBelieved =
    isTraced ||
    last === 0 ||
    (ended && after === 0) ||
    chance(scene.from) <= UNBELIEVABLE ||
    (cameFirst && chance(scene.from, clamp(slowest, ONE_MOMENT_MS, DRAWN_WITHIN_MS)) <= HARD_TO_BELIEVE);
  if (!isBelieved || (after === 0 && outcomes.length > 1 && !ended)) {
    return unknown({ code: 'maybe-chance', times, changed: changed.length });
  }
  return changedAtFirst(endpoint, outcomes, scene);
}

/** How many of the changes came after the page was complete, as far as that was filmed. */
function lateIn(changedAt: readonly Ms[], { completeAt, from }: Scene): number {
  return changedAt.filter((at) => at > Math.max(completeAt, from)).length;
}

function keepsChanging(endpoint: string, outcomes: readonly Outcome[], scene: Scene): Summary {
  const changedAt = outcomes.flatMap((each) => each.changedAt ?? []);
  return {
    endpoint,
    impact: 'continuous',
    reason: {
      code: 'keeps-changing',
      times: outcomes.length,
      changed: changedAt.length,
      late: lateIn(changedAt, scene),
      movingParts: scene.movingPartsLeftOut,
    },
  };
}

function changedAtFirst(endpoint: string, outcomes: readonly Outcome[], scene: Scene): Summary {
  const upTo = outcomes.findLastIndex(({ kind }) => kind === 'changed') + 1;
  return {
    endpoint,
    impact: 'first-content',
    reason: {
      code: 'changed-at-first',
      times: outcomes.length,
      upTo,
      after: outcomes.slice(upTo).filter(({ kind }) => kind === 'nothing').length,
      movingParts: scene.movingPartsLeftOut,
    },
  };
}

/** Did it change something, as far as can be told? */
export function isSeen({ impact }: Pick<Impact, 'impact'>): boolean {
  return impact === 'first-content' || impact === 'continuous';
}

/** Changes followed it, and nobody believes that they are its own. */
const isDoubted = ({ reason }: Summary): boolean => reason.code === 'maybe-chance';

/** The same of all messages of an endpoint together: shapes that alternate quickly hide each other's effects. */
function impactOfAll(own: readonly Seen[], scene: Scene): Summary {
  const [{ endpoint }] = own as readonly [Seen];
  const arrivals = sorted(own.flatMap((each) => each.arrivals));
  const numbers = own.flatMap((each) => each.numbers);
  const all: Seen = { endpoint, arrivals, numbers, window: windowOf(arrivals) };
  const suspects = [...scene.suspects.filter((each) => each.endpoint !== endpoint), all];
  const others = { ...scene, suspects };
  const nobody: StandsAside = () => false;
  return impactFrom(all, outcomesOf(all, others, nobody), others, nobody);
}

/** Messages of an endpoint that changes the picture, most of which a change followed, changed it too. */
function asOfAll(impact: Summary, outcomes: readonly Outcome[], scene: Scene): Summary {
  const { endpoint, reason } = impact;
  if (reason.code !== 'maybe-chance') return impact;
  const nothing = outcomes.filter(({ kind }) => kind === 'nothing').length;
  if (reason.changed <= nothing) return impact;
  const changedAt = outcomes.flatMap((each) => each.changedAt ?? []);
  const says = lateIn(changedAt, scene) > 1 ? keepsChanging : changedAtFirst;
  return says(endpoint, outcomes, scene);
}

/** The longest row of arrivals from one that changed something to the next that did; 1 when each did. */
function longestPause(outcomes: readonly Outcome[]): number {
  let longest = 1;
  let row: number | undefined;
  for (const { kind } of outcomes) {
    if (kind === 'changed') {
      if (row !== undefined) longest = Math.max(longest, row + 1);
      row = 0;
    } else if (row !== undefined && kind === 'nothing') row += 1;
  }
  return longest;
}

/** Has it been silent for more than twice its usual pause at the end? What came once has ended. */
function hasEnded({ arrivals }: Suspect, until: Ms): boolean {
  const pause = usualPause(arrivals) ?? 0;
  return until - (arrivals.at(-1) ?? until) > Math.max(2 * pause, DRAWN_WITHIN_MS);
}

/**
 * How likely it is that changes follow its arrivals as often as they do by chance alone. Asked of movements, by when
 * each began, and of the time that nothing else explains.
 */
function chanceSince(from: Ms, suspect: Seen, window: Ms, scene: Scene, standsAside: StandsAside): number {
  const movements = scene.changes.filter(
    (change) =>
      change.owners === undefined &&
      change.at === change.begins &&
      change.at > from &&
      isUnexplained(suspect, change, scene, standsAside),
  );
  const hits = movements.filter(({ at }) => cameBefore(suspect.arrivals, at, window)).length;
  const span = { from, to: scene.until };
  const others: readonly Cover[] = [
    { arrivals: scene.foreground, window: DRAWN_WITHIN_MS },
    ...scene.suspects
      .filter((other) => other !== suspect && !standsAside(other, suspect, scene.until))
      .map(({ arrivals }) => ({ arrivals, window: DRAWN_WITHIN_MS })),
  ];
  const explained = coverage(others, span);
  const open = 1 - explained;
  const own = coverage([...others, { arrivals: suspect.arrivals, window }], span) - explained;
  return binomialTail(hits, movements.length, open <= 0 ? 1 : own / open);
}

// Time

interface Cover {
  readonly arrivals: readonly Ms[];
  readonly window: Ms;
}

/** Share of a span that lies within the windows after the arrivals, 0 to 1. */
function coverage(covers: readonly Cover[], span: { readonly from: Ms; readonly to: Ms }): number {
  const windows = covers
    .flatMap(({ arrivals, window }) => arrivals.map((at) => ({ from: at, to: at + window })))
    .sort((a, b) => a.from - b.from);
  let covered = 0;
  let reached = span.from;
  for (const { from, to } of windows) {
    const begin = Math.max(from, reached);
    const end = Math.min(to, span.to);
    if (end <= begin) continue;
    covered += end - begin;
    reached = end;
  }
  return span.to > span.from ? covered / (span.to - span.from) : 1;
}

/** The window of an endpoint that comes often is half its usual pause, so that there is time outside to compare with. */
function windowOf(arrivals: readonly Ms[]): Ms {
  const pause = usualPause(arrivals);
  return pause === undefined ? DRAWN_WITHIN_MS : clamp(pause / 2, ONE_MOMENT_MS, DRAWN_WITHIN_MS);
}

function usualPause(arrivals: readonly Ms[]): Ms | undefined {
  const inOrder = sorted(arrivals);
  return estimateMedian(inOrder.slice(1).map((at, i) => at - (inOrder[i] ?? at)))?.median;
}

function movementsOf(changes: readonly VisualChange[], ownersOf?: OwnersOf): readonly Change[] {
  const movements: Change[] = [];
  for (const change of changes) {
    const { at } = change;
    const before = movements.at(-1);
    const begins = before && at - before.at < ONE_MOMENT_MS ? before.begins : at;
    movements.push({ at, begins, ...defined({ owners: ownersOf?.(change) }) });
  }
  return movements;
}

function between(changes: readonly Change[], from: Ms, to: Ms): readonly Change[] {
  return changes.filter(({ at }) => at >= from && at <= to);
}

function sorted(times: readonly Ms[]): readonly Ms[] {
  return times.toSorted((a, b) => a - b);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
