import { mayBeAnswer, mayBeJob } from '../../core/background/awaited-job.ts';
import {
  contentArrivals,
  type FilmedSuspect,
  filmAnswers,
  filmQuestions,
  type Held,
  holdable,
  type Suspect,
  suspectsOf,
  worthHolding,
} from '../../core/background/evidence-rules.ts';
import { contestedIn, keptByItself } from '../../core/changes/contested.ts';
import { completedAt, countedUntil } from '../../core/completed-at.ts';
import { defined } from '../../core/defined.ts';
import { learnExpected, withoutEndpoints } from '../../core/expected.ts';
import { trialsOf, unseenTrials } from '../../core/no-effect.ts';
import { type FilmReading, follows, readFilm } from '../../core/visual/impact.ts';
import { clocksIn } from '../../core/visual/moving-places.ts';
import { KINDS } from '../../model/background-kinds.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { decodeFilm } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';
import { type Ablated, compareWithout, holdBack, patternsOf, rulesWithout } from './ablation.ts';
import type { ProofLoads } from './proof-loads.ts';

/** How much longer than the last change the page without its suspects is watched, ms: it must have had its chance. */
const AFTER_LAST_CHANGE_MS = 500;

/** What a film shows, and what it leaves to a load without it. */
export interface Scene {
  readonly visit: Visit;
  readonly suspects: readonly Suspect[];
  readonly film: FilmReading;
  readonly impacts: ReadonlyMap<string, FilmedSuspect>;
  /** Looks like background: what the page is to be loaded without. */
  readonly held: readonly Held[];
  /** Content that may have no effect: the same, the latest first. */
  readonly trials: readonly Held[];
}

/** What was tried while the page was still watched. */
export interface Early {
  readonly scene: Scene;
  readonly ablated: Ablated | undefined;
}

/** Reads the film of a load, and decides what the page is to be loaded without. */
export async function sceneOf(visit: Visit, policy: Policy, ablation: boolean): Promise<Scene> {
  const { recording, timeline } = visit;
  const suspects = suspectsOf(visit);
  const possible = ablation ? trialsOf(visit, policy) : [];
  const { film, impacts } = await onFilm([...suspects, ...possible], visit);
  const unseen = unseenTrials(possible, impacts, visit, recording.pictures);
  const all = ablation ? holdable([...worthHolding(suspects, impacts), ...unseen], timeline) : [];
  const isTrial = ({ suspect }: Held): boolean => unseen.includes(suspect);
  const held = all.filter((each) => !isTrial(each));
  return { visit, suspects, film, impacts, held, trials: all.filter(isTrial) };
}

/** What the film shows of those in question. */
async function onFilm(inQuestion: readonly Suspect[], visit: Visit): Promise<Pick<Scene, 'film' | 'impacts'>> {
  const { recording, complete } = visit;
  const questions = filmQuestions(inQuestion);
  const film = await runInSlices(
    readFilm({
      frames: decodeFilm(recording.frames),
      suspects: questions.map(({ suspect, arrivals }) => ({ endpoint: suspect.key, arrivals })),
      foregroundArrivals: contentArrivals(visit, inQuestion),
      completeAt: countedUntil(complete, recording),
      until: recording.observedUntil,
      ...defined({ canvases: recording.canvases }),
      clocks: clocksIn(recording.numbers ?? [], recording.earlierNumbers ?? []),
    }),
  );
  return { film, impacts: filmAnswers(questions, film.impacts, recording.observedUntil) };
}

/**
 * What this build's page needs of what is background by the rules of the other build: the film shows it, or the page is
 * another without it. Nothing is loaded where both builds agree.
 *
 * @param policy with what this build has taught itself
 */
export async function contest(
  scene: Scene,
  policy: Policy,
  ofOther: readonly EndpointRule[],
  options: WithoutOptions & { readonly ablation: boolean },
): Promise<readonly EndpointRule[]> {
  const contested = contestedIn(scene.visit, policy, ofOther);
  if (contested.length === 0) return [];
  const { impacts } = await onFilm([...scene.suspects, ...contested], scene.visit);
  const trials = options.ablation ? holdable(contested, scene.visit.timeline) : [];
  const ablated = trials.length > 0 ? await loadWithout({ ...scene, trials }, options) : undefined;
  const without = ablated ? trials.map((each) => [each.suspect.key, ablated.free.includes(each)] as const) : [];
  return keptByItself(contested, impacts, new Map(without));
}

/**
 * Does what was tried without them so far hold to the end? The same is in question, and nothing of it has shown any more
 * since: a page that was the same without a job until it was done says nothing of its result.
 */
export function holdsToTheEnd(soFar: Scene, atLast: Scene): boolean {
  const questions = ({ held, trials, impacts }: Scene): string => {
    const seen = ({ suspect: { key } }: Held) => [key, impacts.get(key)?.impact, impacts.get(key)?.changedAt.length];
    return JSON.stringify([held.map(seen), trials.map(seen)]);
  };
  return questions(soFar) === questions(atLast);
}

/** How the page is loaded without something. */
interface WithoutOptions {
  readonly policy: Policy;
  /** The number of the ablation run. */
  readonly ablationIndex: number;
  readonly loads: ProofLoads;
}

/** Loads the page without what is in question; undefined where nothing is, or no load is left for it. */
export async function loadWithout(
  { visit, suspects, film, held, trials }: Scene,
  { policy, ablationIndex, loads }: WithoutOptions,
): Promise<Ablated | undefined> {
  if (held.length + trials.length === 0) return undefined;
  const expected = learnExpected(undefined, visit, policy.quietWindow);
  const watchUntil = lastOwnChange(visit, suspects, film) + AFTER_LAST_CHANGE_MS;
  // What the page tries instead may never answer. By then it has had its chance.
  const timeout = Math.min(policy.timeout, watchUntil + policy.observation.suspectMs);
  return await holdBack(held, trials, async (some) => {
    const patterns = patternsOf(some);
    // One pattern may hold several of them.
    const silent = [...held, ...trials].filter((each) => each.patterns.some((pattern) => patterns.includes(pattern)));
    const keys = silent.map(({ suspect }) => suspect.endpoint.key);
    const without = await loads.without(patterns, watchUntil, {
      index: ablationIndex,
      role: 'ablation',
      // Held back, they need not be watched: the page must only have had its chance.
      policy: {
        ...policy,
        timeout,
        learnt: rulesWithout(silent),
        ...defined({ expected: withoutEndpoints(expected, keys) }),
      },
      with: { film: true, hold: patterns, watchUntil },
    });
    return without && compareWithout(visit.recording, without, some, film);
  });
}

/**
 * Endpoints that changed nothing so far, neither in the film nor by their absence, and for which the page does not wait as
 * for a job or an answer.
 */
export function sameWithout({ scene: { visit, suspects, film, impacts, held }, ablated }: Early): readonly string[] {
  if (!ablated?.same) return [];
  const shown = { moves: film.moving !== undefined, saysBusy: visit.recording.saysBusy };
  const proved = new Set(held.map(({ suspect }) => suspect.key));
  const isOpen = ({ key, kind, requests }: Suspect): boolean => {
    const impact = impacts.get(key)?.impact;
    if (!proved.has(key) || impact === 'first-content' || impact === 'continuous') return true;
    const { family } = KINDS[kind];
    return (family === 'series' && mayBeJob(requests, shown)) || (family === 'stream' && mayBeAnswer(requests));
  };
  const open = new Set(suspects.filter(isOpen).map(({ endpoint }) => endpoint.key));
  return [...new Set(suspects.map(({ endpoint }) => endpoint.key))].filter((key) => !open.has(key));
}

/** The last change of the picture that no suspect may have caused: the page without them must get that far. */
function lastOwnChange(visit: Visit, suspects: readonly Suspect[], { changes }: FilmReading): Ms {
  const arrivals = suspects.flatMap((suspect) => suspect.arrivals);
  const own = changes.filter(({ at }) => !follows(at, arrivals));
  return Math.max(completedAt(visit.complete) ?? 0, own.at(-1)?.at ?? 0);
}
