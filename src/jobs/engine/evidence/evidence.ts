import { knownCausesOf } from '../../../core/causes/lookup.ts';
import { type LearntPolicy, learntPolicyOf } from '../../../core/completion/learnt-policy.ts';
import { withSmallSources } from '../../../core/completion/mostly-complete.ts';
import { provePage } from '../../../core/evidence/prove-page.ts';
import {
  asFilmed,
  contest,
  type Early,
  holdsToTheEnd,
  loadWithout,
  onlyUpdating,
  sameWithout,
  sceneOf,
} from '../../../core/evidence/scene.ts';
import { type LoadWithout, patternsOf } from '../../../core/evidence/without.ts';
import { isCalm } from '../../../core/host/calm.ts';
import { takenShare } from '../../../core/host/taken.ts';
import { mainThreadFindings } from '../../../core/main-thread/findings.ts';
import { visitSoFar } from '../../../core/measure.ts';
import { defined } from '../../../core/text/defined.ts';
import type { EndpointRule, Policy } from '../../../model/background/verdict.ts';
import type { LoadedFile } from '../../../model/compare/why.ts';
import type { KnownCause } from '../../../model/completion/causes.ts';
import type { Drawing } from '../../../model/completion/drawing.ts';
import type { Coverage } from '../../../model/coverage.ts';
import type { MainThread } from '../../../model/main-thread.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type { Evidence, HostResult } from '../../../model/result/result.ts';
import type { Loading } from '../../../settings/resolved.ts';
import { runInSlices } from '../../../shell/process/slices.ts';
import { coverageOf } from '../code/coverage.ts';
import { loadedFilesOf } from '../code/loaded-files.ts';
import { mainThreadOf, type TraceUse } from '../code/main-thread.ts';
import { type FinishedRun, judgeRun, type PlannedRun, withTraced } from '../run.ts';
import { ablationOf, comparedWithWhole, judgeWithProof, preparePictures, type RunWithout } from './ablation.ts';
import { readFrames, readSteps } from './film.ts';
import { filmedProgress, filmStripOf } from './film-strip.ts';
import { createEvidenceImages, type EvidenceImages } from './images.ts';
import { createProofLoads, type ProofLoads } from './proof-loads.ts';

/** What the untimed runs of one page gave. */
export interface Proof {
  /** For the runs that follow: what is background, and what is waited for. */
  readonly learntPolicy: LearntPolicy;
  /** How the page draws when its network is quiet. */
  readonly drawing?: Drawing;
  readonly evidence?: Evidence;
  /** Which code kept the main thread busy; absent where nothing was traced. */
  readonly mainThread?: MainThread;
  /** What made the page ask for its requests; absent where nothing was traced, or the browser does not tell. */
  readonly causes?: readonly KnownCause[];
  /** How much of the loaded code was used; absent where nothing was traced. */
  readonly coverage?: Coverage;
  /** What is told of its files; absent where nothing was traced. */
  readonly files?: readonly LoadedFile[];
  /** URL patterns of what the ablation run held; absent when there was none. */
  readonly held?: readonly string[];
  /** Small copies of the pictures, as data URLs, by their path beside the result. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** The untimed runs themselves, judged with these rules. */
  readonly runs: readonly FinishedRun[];
  /** What this page needs of what another build's page can do without (`contest` in scene.ts); absent where nothing was filmed. */
  readonly contest?: (ofOther: readonly EndpointRule[]) => Promise<readonly EndpointRule[]>;
}

/** What gathering evidence needs. */
export interface EvidenceOptions extends TraceUse, Pick<Loading, 'policy' | 'trace' | 'ablation' | 'includesLate'> {
  /** Never two loads of the page at a time: where all come as one user, one may change what the other sees, or log it out. */
  readonly oneAtATime: boolean;
  /** The number of the ablation run. */
  readonly ablationIndex: number;
  /** Loads and judges; undefined when the user ended it. */
  load(planned: PlannedRun): Promise<FinishedRun | undefined>;
  /** Writes a picture beside the result. */
  write(name: string, content: Uint8Array): Promise<void>;
  /**
   * Called once, when nothing more is loaded beside the film, and the page is only watched for what may still come; never for
   * a page that keeps the machine busy.
   */
  onOnlyWatched?(): void;
  /** Called before the page is filmed once more, because the machine was busy with other things. */
  onFilmedAgain?(host: HostResult): void;
}

/**
 * Loads the page once on film and, when there are suspects, once more with them held back; proves from both what is
 * background. Undefined when the user ended it before the film was taken; later, what was filmed is kept.
 */
export async function gatherEvidence(options: EvidenceOptions): Promise<Proof | undefined> {
  const policy: Policy = { ...options.policy, thorough: true };
  const images = createEvidenceImages(options.write);
  const { timeout } = options.policy;
  const { filmed, before, loads } = await filmUndisturbed(options, policy, images);
  if (!filmed) return undefined;
  const { visit } = filmed;
  if (!visit) return { learntPolicy: {}, thumbnails: {}, runs: [withoutPictures(filmed)] };
  const { recording } = visit;
  const { pageComplete } = filmed.run;
  const { sketches, ...steps } = await readFrames(recording.frames);
  const scene = sceneOf(visit, steps, policy, options.ablation);
  const { suspects, film, impacts } = scene;
  const load = withoutThem(recording, loads, options.ablationIndex);
  // What is different without them may only have moved meanwhile: the whole film knows more of what moves by itself.
  const isProved = before?.ablated?.same === true && holdsToTheEnd(before.scene, asFilmed(scene, policy));
  const tried = isProved ? before.ablated : await loadWithout(scene, { policy: options.policy, load });
  const { learntPolicy, drawn } = provePage(scene, tried, policy, options.includesLate);
  const { drawing, lateContent } = drawn;
  const { learnt: lessons = [] } = learntPolicy;
  const judged = (of: Recording, given: readonly EndpointRule[]): FinishedRun =>
    judgeRun(
      { ...filmed.loaded, policy: drawn.policy, outcome: { ...filmed.loaded.outcome, ok: true, recording: of } },
      given,
    );
  const untraced = judged(drawn.recording, lessons);
  const progress = untraced.visit ? filmedProgress(untraced.visit, suspects, { ...film, sketches }) : [];
  const rules = untraced.visit ? withSmallSources(lessons, untraced.visit, progress, drawn.policy) : lessons;
  const without = tried && judgeWithProof(tried.trial.without.run, rules);
  const raw = pageComplete?.raw ?? { state: 'unconfirmed' };
  const ablation = tried && without && (await ablationOf(tried, without, raw, film.moving, images));
  const { mainThread, work } = (await mainThreadOf(untraced, options)) ?? {};
  const isSame = work === undefined && rules === lessons;
  const proved = isSame ? untraced : judged({ ...drawn.recording, ...defined({ work }) }, rules);
  const coverage = await coverageOf(proved, options.sources);
  const files = loadedFilesOf(proved);
  const traced = mainThread ? mainThreadFindings(mainThread) : [];
  const visited = withTraced({ ...proved, loaded: { ...proved.loaded, traced } });
  const filmedScene = proved.visit && { ...scene, visit: proved.visit };
  const strip = await filmStripOf(proved, suspects, impacts, { ...film, sketches, progress }, images);
  return {
    learntPolicy: learntPolicyOf({ ...learntPolicy, learnt: rules }),
    drawing,
    evidence: {
      watchedUntil: recording.observedUntil,
      watchedBecause: pageComplete?.watchedBecause ?? '',
      ...(pageComplete?.watchedReason && { watchedReason: pageComplete.watchedReason }),
      ...strip,
      ...defined({ lateContent, ablation }),
    },
    mainThread,
    coverage,
    files,
    causes: recording.causes && proved.visit && knownCausesOf(recording.causes, proved.visit.timeline),
    ...(tried && { held: patternsOf(tried.trial.held) }),
    thumbnails: images.thumbnails,
    runs: (without ? [visited, without] : [visited]).map(withoutPictures),
    ...(filmedScene && {
      contest: (ofOther) =>
        contest(filmedScene, proved.policy, ofOther, {
          policy: options.policy,
          ablation: options.ablation,
          load: withoutThem(recording, createProofLoads(options.load, timeout), options.ablationIndex),
        }),
    }),
  };
}

/** A page on film, and what was tried meanwhile. */
interface Filmed {
  readonly filmed: FinishedRun | undefined;
  readonly before: Early<RunWithout> | undefined;
  readonly loads: ProofLoads;
}

/**
 * Loads the page on film; once more where other programs had the processors meanwhile, if there is time: what a starved film
 * shows late, or not at all, is taken for what the page does. The better of the two counts.
 */
async function filmUndisturbed(options: EvidenceOptions, policy: Policy, images: EvidenceImages): Promise<Filmed> {
  const { timeout } = options.policy;
  const began = performance.now();
  const film = async (): Promise<Filmed> => {
    // The film may take one time-out, and what it leaves open another.
    const loads = createProofLoads(options.load, 2 * timeout - (performance.now() - began));
    return { ...(await filmPage({ ...options, loads }, policy, images)), loads };
  };
  const first = await film();
  const host = first.filmed?.run.host;
  if (host === undefined || !wasTaken(host) || performance.now() - began > timeout) return first;
  options.onFilmedAgain?.(host);
  const second = await film();
  const again = second.filmed?.run.host;
  return again === undefined || takenShare(again) >= takenShare(host) ? first : second;
}

/** Did other programs have more of the processors than a fit machine gives them? */
function wasTaken({ verdict, reasonFacts = [] }: HostResult): boolean {
  return verdict === 'unfit' && reasonFacts.some(({ code }) => code === 'busy-by-others' || code === 'steal');
}

/**
 * Loads the page on film. As soon as it is only watched, another load holds the suspects back, where that is asked for and may
 * happen beside it: `before` is what that one showed of what was known by then.
 */
async function filmPage(
  options: EvidenceOptions & { readonly loads: ProofLoads },
  policy: Policy,
  images: EvidenceImages,
): Promise<Pick<Filmed, 'filmed' | 'before'>> {
  const { trace } = options;
  let early: Promise<Early<RunWithout>> | undefined;
  let prepared: Promise<void> | undefined;
  let onceQuiet: Recording | undefined;
  const filmed = await options.load({
    index: 0,
    role: 'evidence',
    policy,
    with: {
      film: true,
      trace,
      ...(options.ablation &&
        !options.oneAtATime && {
          async onlyWatched(soFar) {
            onceQuiet = soFar;
            early = (async () => {
              const steps = await readSteps(soFar.frames);
              const scene = sceneOf(visitSoFar(soFar, policy), steps, policy, true);
              const load = withoutThem(soFar, options.loads, options.ablationIndex);
              return { scene, ablated: await loadWithout(scene, { policy: options.policy, load }) };
            })();
            const found = await early;
            // Nobody waits for these while the page is still watched.
            if (found.ablated) prepared = runInSlices(preparePictures(found.ablated, images));
            // Where the load itself fails, nobody asks for them.
            prepared?.catch(() => undefined);
            if (isCalm(soFar)) options.onOnlyWatched?.();
            return sameWithout(found);
          },
          async onlyUpdating(soFar) {
            if (!onceQuiet) return [];
            const visit = visitSoFar({ ...onceQuiet, ...soFar }, policy);
            return onlyUpdating(sceneOf(visit, await readSteps(soFar.frames), policy, false), policy);
          },
        }),
    },
  });
  const before = await early;
  await prepared;
  return { filmed, before };
}

/** Loads of the page without something, each put beside this recording of the whole one. */
function withoutThem(recording: Recording, loads: ProofLoads, index: number): LoadWithout<RunWithout> {
  return async ({ patterns, watchUntil, policy }) => {
    const run = await loads.without(patterns, watchUntil, {
      index,
      role: 'ablation',
      policy,
      with: { film: true, hold: patterns, watchUntil },
    });
    return run && comparedWithWhole(recording, run);
  };
}

/** A film and a trace are large; once they have been read, nobody needs them. */
function withoutPictures(done: FinishedRun): FinishedRun {
  const { outcome } = done.loaded;
  if (!outcome.recording) return done;
  const {
    animations: _animations,
    lastPicture: _last,
    outline: _outline,
    frameOutlines: _frameOutlines,
    earlierOutline: _earlier,
    pictures: _pictures,
    saysBusy: _saysBusy,
    canvases: _canvases,
    numbers: _numbers,
    earlierNumbers: _earlierNumbers,
    causedFrames: _causedFrames,
    trace: _trace,
    coverage: _coverage,
    ...rest
  } = outcome.recording;
  const recording: Recording = { ...rest, frames: [] };
  return {
    ...done,
    loaded: { ...done.loaded, outcome: outcome.ok ? { ...outcome, recording } : { ...outcome, recording } },
    ...(done.visit && { visit: { ...done.visit, recording } }),
  };
}
