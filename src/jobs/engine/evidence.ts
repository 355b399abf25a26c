import {
  contentArrivals,
  type FilmedSuspect,
  filmAnswers,
  filmQuestions,
  type Held,
  holdable,
  prove,
  type Suspect,
  suspectsOf,
} from '../../core/background/evidence-rules.ts';
import { withoutOwnOrigin } from '../../core/changes/own-origin.ts';
import { defined } from '../../core/defined.ts';
import { drawnLateAt, withDrawing } from '../../core/late-drawing.ts';
import { visitOf } from '../../core/measure.ts';
import { rulesWithoutEffect, trialsOf, unseenTrials } from '../../core/no-effect.ts';
import { maskToText } from '../../core/visual/grid.ts';
import { type FilmReading, FOLLOWS_WITHIN_MS, readFilm } from '../../core/visual/impact.ts';
import { keyFrames } from '../../core/visual/key-frames.ts';
import { completeSeenAt, paintSeenAt } from '../../core/visual/paint-to-frame.ts';
import { progressOf, shareAt, speedIndexOf } from '../../core/visual/progress.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { Recording } from '../../model/recording.ts';
import type { Evidence, EvidencePicture, FilmFrame, RunResult } from '../../model/result.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { decodeFilm, decodePng } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';
import { ablationOf, compareWithout, holdBack, patternsOf, rulesWithout } from './ablation.ts';
import { createEvidenceImages, type EvidenceImages } from './evidence-images.ts';
import { type FinishedRun, judgeRun, type LoadedRun, type PlannedRun } from './run.ts';

/** Frames of the film that are kept: as many as stand side by side on a wide screen and can still be distinguished. */
const KEY_FRAMES = 12;
/** How much longer than the last change the page without its suspects is watched, ms: it must have had its chance. */
const AFTER_LAST_CHANGE_MS = 500;
/** More pictures than this of what suspects changed show nothing new. */
const PICTURES_OF_CHANGES = 4;

/** What the untimed runs of one page gave. */
export interface Proof {
  /** What is background, for the runs that follow. */
  readonly rules: readonly EndpointRule[];
  /** How the page draws when its network is quiet. */
  readonly drawing?: Drawing;
  readonly evidence?: Evidence;
  /** URL patterns of what the ablation run held; absent when there was none. */
  readonly held?: readonly string[];
  /** Small copies of the pictures, as data URLs, by their path beside the result. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** The untimed runs themselves, judged with these rules. */
  readonly runs: readonly FinishedRun[];
}

/** What gathering evidence needs. */
export interface EvidenceOptions {
  readonly policy: Policy;
  /** Hold the suspects back in one more run. */
  readonly ablation: boolean;
  /** The number of the ablation run. */
  readonly ablationIndex: number;
  /** Loads and judges; undefined when the user ended it. */
  load(planned: PlannedRun): Promise<FinishedRun | undefined>;
  /** Writes a picture beside the result. */
  write(name: string, content: Uint8Array): Promise<void>;
}

/**
 * Loads the page once on film and, when there are suspects, once more with them held back; proves from both what is
 * background. Undefined when the user ended it before the film was taken; later, what was filmed is kept.
 */
export async function gatherEvidence(options: EvidenceOptions): Promise<Proof | undefined> {
  const policy: Policy = { ...options.policy, thorough: true };
  const filmed = await options.load({ index: 0, role: 'evidence', policy, with: { film: true } });
  if (!filmed) return undefined;
  const { visit } = filmed;
  if (!visit) return { rules: [], thumbnails: {}, runs: [withoutPictures(filmed)] };
  const { recording } = visit;
  const suspects = suspectsOf(visit);
  const possible = options.ablation ? trialsOf(visit, policy) : [];
  const inQuestion = [...suspects, ...possible];
  const questions = filmQuestions(inQuestion);
  const { pageComplete } = filmed.run;
  const images = createEvidenceImages(options.write);
  const film = await runInSlices(
    readFilm({
      frames: decodeFilm(recording.frames),
      suspects: questions.map(({ suspect, arrivals }) => ({ endpoint: suspect.key, arrivals })),
      foregroundArrivals: contentArrivals(visit, inQuestion),
      completeAt: visit.complete.state === 'complete' ? visit.complete.at : recording.observedUntil,
      until: recording.observedUntil,
    }),
  );
  const impacts = filmAnswers(questions, film.impacts, recording.observedUntil);
  const trials = unseenTrials(possible, impacts);
  const held = options.ablation ? holdable([...suspects, ...trials], visit.timeline) : [];
  const isTrial = ({ suspect }: Held): boolean => trials.includes(suspect);
  const watchUntil = lastOwnChange(visit, suspects, film) + AFTER_LAST_CHANGE_MS;
  const ablated =
    held.length === 0
      ? undefined
      : await holdBack(
          held.filter((each) => !isTrial(each)),
          held.filter(isTrial),
          async (some) => {
            const without = await options.load({
              index: options.ablationIndex,
              role: 'ablation',
              policy: { ...policy, learnt: rulesWithout(some) },
              with: { film: true, hold: patternsOf(some), watchUntil },
            });
            return without && compareWithout(recording, without, some, film);
          },
        );
  const ablation = ablated && (await ablationOf(ablated, pageComplete?.raw ?? { state: 'unconfirmed' }, images));
  const proof = prove(visit, suspects, impacts, ablated && { held: ablated.suspects, same: ablated.same }, {
    quietWindow: policy.quietWindow,
    changes: film.changes,
  });
  const free = ablated?.free ?? [];
  const rules =
    free.length === 0
      ? proof
      : [...proof, ...rulesWithoutEffect(free, visitOf(recording, { ...policy, learnt: proof }), policy)];
  // What the film taught may have moved the answer.
  const taught = rules.length === 0 ? filmed : judgeRun(filmed.loaded, rules);
  const drawnAt = taught.visit && drawnLateAt(taught.visit, film.changes, policy);
  const proved = drawnAt === undefined ? taught : judgeRun(drawnLate(filmed.loaded, drawnAt), rules);
  const strip = await stripOf(proved, suspects, impacts, film, images);
  return {
    rules,
    drawing: { late: drawnAt !== undefined, ...(film.moving && { moving: maskToText(film.moving) }) },
    evidence: {
      watchedUntil: recording.observedUntil,
      watchedBecause: pageComplete?.watchedBecause ?? '',
      ...(pageComplete?.watchedReason && { watchedReason: pageComplete.watchedReason }),
      ...strip,
      ...defined({ ablation }),
    },
    ...(ablated && { held: patternsOf(ablated.trial.held) }),
    thumbnails: images.thumbnails,
    runs: (ablated ? [proved, ablated.trial.without] : [proved]).map(withoutPictures),
  };
}

/** The load with a mark where the page drew the last of its content. */
function drawnLate(loaded: LoadedRun, at: Ms): LoadedRun {
  const { outcome } = loaded;
  return outcome.ok ? { ...loaded, outcome: { ...outcome, recording: withDrawing(outcome.recording, at) } } : loaded;
}

/** A film is large; once it has been read, nobody needs it. */
function withoutPictures(done: FinishedRun): FinishedRun {
  const { outcome } = done.loaded;
  if (!outcome.recording) return done;
  const { lastPicture: _last, outline: _outline, ...rest } = outcome.recording;
  const recording: Recording = { ...rest, frames: [] };
  return {
    ...done,
    loaded: { ...done.loaded, outcome: outcome.ok ? { ...outcome, recording } : { ...outcome, recording } },
    ...(done.visit && { visit: { ...done.visit, recording } }),
  };
}

// --- The page without its suspects ---------------------------------------------------------------------------------

/** The last change of the picture that no suspect may have caused: the page without them must get that far. */
function lastOwnChange(visit: Visit, suspects: readonly Suspect[], { changes }: FilmReading): Ms {
  const arrivals = suspects.flatMap((suspect) => suspect.arrivals);
  const own = changes.filter(({ at }) => !arrivals.some((came) => at >= came && at - came <= FOLLOWS_WITHIN_MS));
  const complete = visit.complete.state === 'complete' ? visit.complete.at : 0;
  return Math.max(complete, own.at(-1)?.at ?? 0);
}

// --- What it looked like -------------------------------------------------------------------------------------------

/** A moment that a reader asks for, and when the film shows it. */
interface Moment {
  readonly at: Ms;
  readonly seenAt: Ms;
  readonly caption: string;
  readonly endpoint?: string;
}

/** The filmstrip with the moments in it, and how much was there by when. */
async function stripOf(
  { run, visit }: FinishedRun,
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading,
  images: EvidenceImages,
): Promise<Pick<Evidence, 'pictures' | 'film' | 'progress' | 'speedIndex'>> {
  if (!visit) return { pictures: [] };
  const { complete, recording } = visit;
  const { frames, observedUntil } = recording;
  const arrivals = suspects.flatMap((suspect) => suspect.arrivals);
  const goalAt = complete.state === 'complete' ? completeSeenAt(complete.at, arrivals, observedUntil) : observedUntil;
  const { sketches, moving } = film;
  const progress = progressOf(sketches, goalAt, moving);
  const moments = momentsOf(run, goalAt, suspects, impacts, film, recording);
  const changedAt = film.changes.map(({ at }) => at);
  const times = keyFrames(
    defined({ sketches, changedAt, moving }),
    moments.map(({ seenAt }) => seenAt),
    goalAt,
    KEY_FRAMES,
  );
  const strip: FilmFrame[] = [];
  for (const at of times) {
    const frame = frames.find((each) => each.at === at);
    const share = shareAt(progress, at);
    if (!frame) continue;
    const file = await images.addFrame(decodePng(frame.image));
    strip.push({ at, file, ...defined({ progress: share }) });
  }
  const speedIndex = speedIndexOf(progress);
  return {
    pictures: moments.flatMap(({ at, seenAt, caption, endpoint }): readonly EvidencePicture[] => {
      const shown = strip.findLast((each) => each.at <= seenAt) ?? strip[0];
      return shown ? [{ at: Math.max(0, at), file: shown.file, caption, ...(endpoint && { endpoint }) }] : [];
    }),
    ...(strip.length > 0 && { film: strip }),
    ...(progress.length > 0 && { progress }),
    ...defined({ speedIndex }),
  };
}

/** First and largest contentful paint, page complete, what suspects changed first, and the end, in order of time. */
function momentsOf(
  { metrics, pageComplete }: RunResult,
  goalAt: Ms,
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading,
  { navigation, page, observedUntil }: Recording,
): readonly Moment[] {
  const changedAt = film.changes.map(({ at }) => at);
  const paint = (at: Ms | undefined, caption: string): readonly Moment[] =>
    at === undefined ? [] : [{ at, seenAt: paintSeenAt(at, changedAt), caption }];
  const completeAt = pageComplete?.state === 'complete' ? pageComplete.at : undefined;
  const changed = suspects.flatMap(({ key, endpoint: { label } }): readonly Moment[] => {
    const [at] = impacts.get(key)?.changedAt ?? [];
    if (at === undefined) return [];
    const name = withoutOwnOrigin(label, page?.finalUrl ?? navigation.url);
    return [{ at, seenAt: at, caption: `after data from ${name} arrived`, endpoint: label }];
  });
  return [
    ...paint(metrics?.firstContentfulPaint, 'first contentful paint'),
    ...paint(metrics?.largestContentfulPaint, 'largest contentful paint'),
    ...(completeAt === undefined ? [] : [{ at: completeAt, seenAt: goalAt, caption: 'page complete' }]),
    ...changed.slice(0, PICTURES_OF_CHANGES),
    { at: observedUntil, seenAt: observedUntil, caption: 'the end of watching' },
  ].sort((a, b) => a.at - b.at);
}
