import { ruleFrom } from '../../core/background/consensus.ts';
import {
  contentArrivals,
  type Held,
  holdable,
  prove,
  type Suspect,
  suspectsOf,
} from '../../core/background/evidence-rules.ts';
import { withoutOwnOrigin } from '../../core/changes/own-origin.ts';
import { defined } from '../../core/defined.ts';
import { compare } from '../../core/visual/compare.ts';
import { type FilmReading, FOLLOWS_WITHIN_MS, readFilm } from '../../core/visual/impact.ts';
import { keyFrames } from '../../core/visual/key-frames.ts';
import { completeSeenAt, paintSeenAt } from '../../core/visual/paint-to-frame.ts';
import { progressOf, shareAt, speedIndexOf } from '../../core/visual/progress.ts';
import type { Picture } from '../../model/picture.ts';
import type { Recording } from '../../model/recording.ts';
import type {
  Ablation,
  Evidence,
  EvidencePicture,
  FilmFrame,
  PageCompleteResult,
  RunResult,
} from '../../model/result.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { decodeFilm, decodePng } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';
import { ablationSentence } from '../../wording/evidence.ts';
import { createEvidenceImages, type EvidenceImages } from './evidence-images.ts';
import { type FinishedRun, judgeRun, type PlannedRun } from './run.ts';

/** Frames of the film that are kept: as many as stand side by side on a wide screen and can still be distinguished. */
const KEY_FRAMES = 12;
/** How much longer than the last change the page without its suspects is watched, ms: it must have had its chance. */
const AFTER_LAST_CHANGE_MS = 500;
/** So many of the last frames show every state that a page moves through by itself. */
const LATE_FRAMES = 60;
/** More pictures than this of what suspects changed show nothing new. */
const PICTURES_OF_CHANGES = 4;

/** What the untimed runs of one page gave. */
export interface Proof {
  /** What is background, for the runs that follow. */
  readonly rules: readonly EndpointRule[];
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
  const { pageComplete } = filmed.run;
  const images = createEvidenceImages(options.write);
  const film = await runInSlices(
    readFilm({
      frames: decodeFilm(recording.frames),
      suspects: suspects.map(({ key, arrivals }) => ({ endpoint: key, arrivals })),
      foregroundArrivals: contentArrivals(visit, suspects),
      completeAt: visit.complete.state === 'complete' ? visit.complete.at : recording.observedUntil,
      until: recording.observedUntil,
    }),
  );
  const held = options.ablation ? holdable(suspects, visit.timeline) : [];
  const watchUntil = lastOwnChange(visit, suspects, film) + AFTER_LAST_CHANGE_MS;
  const without =
    held.length === 0
      ? undefined
      : await options.load({
          index: options.ablationIndex,
          role: 'ablation',
          policy: { ...policy, learnt: rulesWithout(held) },
          with: { film: true, hold: patternsOf(held), watchUntil },
        });
  const ablation =
    without &&
    (await compareWithout(recording, without, held, film, pageComplete?.raw ?? { state: 'unconfirmed' }, images));
  const impacts = new Map(film.impacts.map((impact) => [impact.endpoint, impact]));
  const rules = prove(visit, suspects, impacts, ablation && { held, same: ablation.same });
  // What the film taught may have moved the answer.
  const proved = rules.length === 0 ? filmed : judgeRun(filmed.loaded, rules);
  const strip = await stripOf(proved, suspects, film, images);
  return {
    rules,
    evidence: {
      watchedUntil: recording.observedUntil,
      watchedBecause: pageComplete?.watchedBecause ?? '',
      ...(pageComplete?.watchedReason && { watchedReason: pageComplete.watchedReason }),
      ...strip,
      ...defined({ ablation }),
    },
    ...(without && { held: patternsOf(held) }),
    thumbnails: images.thumbnails,
    runs: (without ? [proved, without] : [proved]).map(withoutPictures),
  };
}

/** A film is large; once it has been read, nobody needs it. */
function withoutPictures(done: FinishedRun): FinishedRun {
  const { outcome } = done.loaded;
  if (!outcome.recording) return done;
  const { lastPicture: _last, ...rest } = outcome.recording;
  const recording: Recording = { ...rest, frames: [] };
  return {
    ...done,
    loaded: { ...done.loaded, outcome: outcome.ok ? { ...outcome, recording } : { ...outcome, recording } },
    ...(done.visit && { visit: { ...done.visit, recording } }),
  };
}

// --- The page without its suspects ---------------------------------------------------------------------------------

/** Held back, a suspect never answers: the page must be complete without any part of it. */
function rulesWithout(held: readonly Held[]): readonly EndpointRule[] {
  return held.map(({ suspect }) =>
    ruleFrom({ ...suspect, reason: { code: 'held-back' }, confidence: 'certain' }, { contentParts: 0 }),
  );
}

function patternsOf(held: readonly Held[]): readonly string[] {
  return held.flatMap(({ patterns }) => patterns);
}

/** The last change of the picture that no suspect may have caused: the page without them must get that far. */
function lastOwnChange(visit: Visit, suspects: readonly Suspect[], { changes }: FilmReading): Ms {
  const arrivals = suspects.flatMap((suspect) => suspect.arrivals);
  const own = changes.filter(({ at }) => !arrivals.some((came) => at >= came && at - came <= FOLLOWS_WITHIN_MS));
  const complete = visit.complete.state === 'complete' ? visit.complete.at : 0;
  return Math.max(complete, own.at(-1)?.at ?? 0);
}

async function compareWithout(
  recording: Recording,
  without: FinishedRun,
  held: readonly Held[],
  film: FilmReading,
  raw: PageCompleteResult['raw'],
  images: EvidenceImages,
): Promise<Ablation | undefined> {
  if (!without.visit) return undefined;
  const { recording: other, complete } = without.visit;
  const last = lastPictures(recording, other);
  if (!last) return undefined;
  const [before, after] = last;
  const whole = compare(before, after, film.moving);
  const alike = whole.same || (await runInSlices(looksLikeAnyOf(recording, other, film)));
  const { share, same, difference } = alike ? { ...whole, share: 0, same: true } : whole;
  const labels = held.map(({ suspect }) => suspect.endpoint.label);
  const completeAt = complete.state === 'complete' ? complete.at : undefined;
  return {
    held: labels,
    difference: share,
    same,
    ...defined({ completeAt }),
    pictures: {
      with: await images.addExact(before),
      without: await images.addExact(after),
      ...(!same && { difference: await images.addExact(difference) }),
    },
    sentence: ablationSentence(labels.length, { same, share }, completeAt, raw),
  };
}

/** Both pages at the end: in full size, or, where the browser was too busy for that, as they were filmed. */
function lastPictures(recording: Recording, without: Recording): readonly [Picture, Picture] | undefined {
  const inFull = [recording.lastPicture, without.lastPicture];
  const [before, after] = inFull.every((picture) => picture !== undefined)
    ? inFull
    : [recording.frames.at(-1), without.frames.at(-1)];
  return before && after ? [decodePng(before.image), decodePng(after.image)] : undefined;
}

/**
 * Does the page without its suspects look as the whole page did at some moment near the end? A carousel need not have
 * stopped at the same slide for its page to be the same. Interrupted after each picture.
 */
function* looksLikeAnyOf(
  recording: Recording,
  without: Recording,
  { moving }: FilmReading,
): Generator<undefined, boolean> {
  const last = decodeFilm(without.frames.slice(-1))[0]?.picture;
  if (!last) return false;
  const since = recording.observedUntil / 2;
  for (const { picture } of decodeFilm(recording.frames.filter(({ at }) => at >= since).slice(-LATE_FRAMES))) {
    if (compare(picture, last, moving).same) return true;
    yield;
  }
  return false;
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
  const moments = momentsOf(run, goalAt, suspects, film, recording);
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
  film: FilmReading,
  { navigation, page, observedUntil }: Recording,
): readonly Moment[] {
  const changedAt = film.changes.map(({ at }) => at);
  const paint = (at: Ms | undefined, caption: string): readonly Moment[] =>
    at === undefined ? [] : [{ at, seenAt: paintSeenAt(at, changedAt), caption }];
  const completeAt = pageComplete?.state === 'complete' ? pageComplete.at : undefined;
  const changed = suspects.flatMap(({ endpoint: { label } }, i): readonly Moment[] => {
    const [at] = film.impacts[i]?.changedAt ?? [];
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
