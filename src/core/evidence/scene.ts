import { KINDS } from '../../model/background/kinds.ts';
import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Ms } from '../../model/units.ts';
import { mayBeAnswer, mayBeJob } from '../background/content/awaited-job.ts';
import {
  contentArrivals,
  type FilmedSuspect,
  filmAnswers,
  filmQuestions,
  type Held,
  holdable,
  suspectsOf,
  worthHolding,
} from '../background/content/evidence-rules.ts';
import { type Source, timesOf } from '../background/content/source.ts';
import { contestedIn, rulesOfOneBuild } from '../changes/contested.ts';
import { learnExpected, withoutEndpoints } from '../completion/expected.ts';
import { trialsOf, unseenTrials } from '../completion/no-effect.ts';
import { defined } from '../text/defined.ts';
import { completedAt, countedUntil } from '../time/completed-at.ts';
import { DRAWN_WITHIN_MS, HABIT } from '../time/lags.ts';
import { type FilmSteps, fillsPlace } from '../visual/changes.ts';
import { changesBy, type Effect, type FilmReading, follows, readFilm } from '../visual/impact.ts';
import { clocksIn } from '../visual/moving-places.ts';
import { ownersOfFrames } from './owners-of-frames.ts';
import {
  type Ablated,
  compareWithout,
  holdBack,
  type LoadWithout,
  type PageWithout,
  patternsOf,
  rulesWithout,
} from './without.ts';

/** What a film shows, and what it leaves to a load without it. */
export interface Scene {
  readonly visit: Visit;
  readonly steps: FilmSteps;
  readonly suspects: readonly Source[];
  readonly film: FilmReading;
  readonly impacts: ReadonlyMap<string, FilmedSuspect>;
  /** Looks like background: what the page is to be loaded without. */
  readonly held: readonly Held[];
  /** Content that may have no effect: the same, the latest first. */
  readonly trials: readonly Held[];
}

/** What was tried while the page was still watched. */
export interface Early<P extends PageWithout> {
  readonly scene: Scene;
  readonly ablated: Ablated<P> | undefined;
}

/** Reads the film of a load, and decides what the page is to be loaded without. */
export function sceneOf(visit: Visit, steps: FilmSteps, policy: Policy, ablation: boolean): Scene {
  const { recording, timeline } = visit;
  const suspects = suspectsOf(visit);
  const possible = ablation ? trialsOf(visit, policy) : [];
  const { film, impacts } = onFilm([...suspects, ...possible], visit, steps);
  const unseen = unseenTrials(possible, impacts, visit, recording.pictures);
  const all = ablation ? holdable([...worthHolding(suspects, impacts), ...unseen], timeline) : [];
  const isTrial = ({ suspect }: Held): boolean => unseen.includes(suspect);
  const held = all.filter((each) => !isTrial(each));
  return { visit, steps, suspects, film, impacts, held, trials: all.filter(isTrial) };
}

/** The same by the film alone, as a page that is still watched is judged: its trace is read at the end. */
export function asFilmed({ visit, steps }: Scene, policy: Policy): Scene {
  const { causedFrames: _traced, ...recording } = visit.recording;
  return sceneOf({ ...visit, recording }, steps, policy, true);
}

/** What the film shows of those in question. */
function onFilm(inQuestion: readonly Source[], visit: Visit, steps: FilmSteps): Pick<Scene, 'film' | 'impacts'> {
  const { recording, complete } = visit;
  const questions = filmQuestions(inQuestion);
  const film = readFilm({
    ...steps,
    suspects: questions.map(({ suspect, arrivals }) => ({ endpoint: suspect.key, arrivals: timesOf(arrivals) })),
    foregroundArrivals: contentArrivals(visit, inQuestion),
    completeAt: countedUntil(complete, recording),
    until: recording.observedUntil,
    ...defined({ canvases: recording.canvases, frameOwners: ownersOfFrames(visit, inQuestion, questions) }),
    clocks: clocksIn(recording.numbers ?? [], recording.earlierNumbers ?? []),
  });
  return { film, impacts: filmAnswers(questions, film.impacts, recording.observedUntil) };
}

/**
 * What this build's page needs of what is background by the rules of the other build: the film shows it, or the page is
 * another without it. Nothing is loaded where both builds agree.
 *
 * @param policy with what this build has taught itself
 */
export async function contest<P extends PageWithout>(
  scene: Scene,
  policy: Policy,
  ofOther: readonly EndpointRule[],
  options: WithoutOptions<P> & { readonly ablation: boolean },
): Promise<readonly EndpointRule[]> {
  const contested = contestedIn(scene.visit, policy, ofOther);
  if (contested.length === 0) return [];
  const { impacts } = onFilm([...scene.suspects, ...contested], scene.visit, scene.steps);
  const trials = options.ablation ? holdable(contested, scene.visit.timeline) : [];
  const ablated = trials.length > 0 ? await loadWithout({ ...scene, trials }, options) : undefined;
  const without = ablated ? trials.map((each) => [each.suspect.key, ablated.free.includes(each)] as const) : [];
  return rulesOfOneBuild(contested, impacts, new Map(without));
}

/**
 * Does what was tried without them so far hold to the end? The same is in question, and nothing of it has shown any more
 * since: a page that was the same without a job until it was done says nothing of its result.
 */
export function holdsToTheEnd(soFar: Scene, atLast: Scene): boolean {
  const questions = ({ held, trials, impacts }: Scene): string => {
    const seen = ({ suspect: { key } }: Held) => {
      const film = impacts.get(key);
      return [key, film?.impact, film && new Set(changesBy(film)).size];
    };
    return JSON.stringify([held.map(seen), trials.map(seen)]);
  };
  return questions(soFar) === questions(atLast);
}

/** How the page is loaded without something. */
interface WithoutOptions<P extends PageWithout> {
  readonly policy: Policy;
  readonly load: LoadWithout<P>;
}

/** Loads the page without what is in question; undefined where nothing is, or no load is left for it. */
export async function loadWithout<P extends PageWithout>(
  { visit, suspects, film, held, trials }: Scene,
  { policy, load }: WithoutOptions<P>,
): Promise<Ablated<P> | undefined> {
  if (held.length + trials.length === 0) return undefined;
  const expected = learnExpected(undefined, visit, policy.quietWindow);
  // The page must have had its chance to draw.
  const watchUntil = lastOwnChange(visit, suspects, film) + DRAWN_WITHIN_MS;
  // What the page tries instead may never answer. By then it has had its chance.
  const timeout = Math.min(policy.timeout, watchUntil + policy.observation.suspectMs);
  return await holdBack<P>(held, trials, async (some) => {
    const patterns = patternsOf(some);
    // One pattern may hold several of them.
    const silent = [...held, ...trials].filter((each) => each.patterns.some((pattern) => patterns.includes(pattern)));
    const keys = silent.map(({ suspect }) => suspect.endpoint.key);
    const without = await load({
      patterns,
      watchUntil,
      // Held back, they need not be watched: the page must only have had its chance.
      policy: {
        ...policy,
        timeout,
        learnt: rulesWithout(silent),
        ...defined({ expected: withoutEndpoints(expected, keys) }),
      },
    });
    return without && compareWithout(visit.recording, without, some, film);
  });
}

/**
 * Endpoints that changed nothing so far, neither in the film nor by their absence, and for which the page does not wait as
 * for a job or an answer.
 */
export function sameWithout<P extends PageWithout>({ scene, ablated }: Early<P>): readonly string[] {
  if (!ablated?.same) return [];
  const proved = new Set(scene.held.map(({ suspect }) => suspect.key));
  return endpointsOf(scene, ({ key }) => {
    const impact = scene.impacts.get(key)?.impact;
    return proved.has(key) && impact !== 'first-content' && impact !== 'continuous';
  });
}

/**
 * Endpoints of which the film shows that their content has ended, and for which the page does not wait as for a job or an
 * answer: nothing has filled a place for a whole quiet window, and what they have brought meanwhile has a habit of repainting
 * the page, or of changing nothing. A file that is fetched in pieces looks like a poll until it ends.
 */
export function onlyUpdating(scene: Scene, { quietWindow }: Pick<Policy, 'quietWindow'>): readonly string[] {
  const { complete, timeline } = scene.visit;
  const { changes } = scene.film;
  const filled = changes.filter(({ at }) => fillsPlace(at, changes[0]?.at ?? 0, changes));
  const since = Math.max(completedAt(complete) ?? 0, filled.at(-1)?.at ?? 0);
  if (timeline.observedUntil - since < quietWindow) return [];
  return endpointsOf(scene, ({ key, requests }) => {
    const later = scene.impacts.get(key)?.effects.filter(({ arrival }) => arrival > since) ?? [];
    const count = (kind: Effect['kind']): number => later.filter((each) => each.kind === kind).length;
    const repaints = count('repaints');
    return (repaints || count('nothing')) >= HABIT && !requests.some(isPiece);
  });
}

/** Is it a piece of a file? Source: RFC 9110, 15.3.7. */
function isPiece({ response }: Request): boolean {
  return response?.status === 206;
}

/** Endpoints whose suspects are all decided. */
function endpointsOf(
  { visit, suspects, film }: Pick<Scene, 'visit' | 'suspects' | 'film'>,
  isDecided: (suspect: Source) => boolean,
): readonly string[] {
  const shown = { moves: film.moving !== undefined, saysBusy: visit.recording.saysBusy };
  const isAwaited = ({ kind, requests }: Source): boolean => {
    const { family } = KINDS[kind];
    return (family === 'series' && mayBeJob(requests, shown)) || (family === 'stream' && mayBeAnswer(requests));
  };
  const isOpen = (suspect: Source): boolean => !isDecided(suspect) || isAwaited(suspect);
  const open = new Set(suspects.filter(isOpen).map(({ endpoint }) => endpoint.key));
  return [...new Set(suspects.map(({ endpoint }) => endpoint.key))].filter((key) => !open.has(key));
}

/** The last change of the picture that no suspect may have caused: the page without them must get that far. */
function lastOwnChange(visit: Visit, suspects: readonly Source[], { changes }: FilmReading): Ms {
  const arrivals = suspects.flatMap(({ arrivals: own }) => timesOf(own));
  const own = changes.filter(({ at }) => !follows(at, arrivals));
  return Math.max(completedAt(visit.complete) ?? 0, own.at(-1)?.at ?? 0);
}
