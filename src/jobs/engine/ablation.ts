import { keyOf, ruleFrom } from '../../core/background/consensus.ts';
import type { Held } from '../../core/background/evidence-rules.ts';
import { completedAt } from '../../core/completed-at.ts';
import { defined } from '../../core/defined.ts';
import { pageUrlOf } from '../../core/page-url.ts';
import { compare, looksSame } from '../../core/visual/compare.ts';
import type { FilmReading } from '../../core/visual/impact.ts';
import { sameFrames, sameOutline } from '../../core/visual/outline.ts';
import { type Shades, sameShades, shadesIn } from '../../core/visual/shades.ts';
import type { Picture } from '../../model/picture.ts';
import type { Recording } from '../../model/recording.ts';
import type { Ablation, PageCompleteResult } from '../../model/result.ts';
import type { EndpointRule } from '../../model/verdict.ts';
import { decodeFilm, decodePng } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';
import { ablationSentence } from '../../wording/evidence.ts';
import type { EvidenceImages } from './evidence-images.ts';
import { type FinishedRun, judgeRun } from './run.ts';

/** So many of the last frames show every state that a page moves through by itself. */
const LATE_FRAMES = 60;
/** So many frames show how much the colours of a moving picture vary. */
const FRAMES_OF_MOVEMENT = 20;
/** How many more loads may find out which of several requests matters. */
const MAX_MORE_LOADS = 3;

/** What one load without some endpoints showed. */
export interface Trial {
  readonly held: readonly Held[];
  readonly without: FinishedRun;
  readonly before: Picture;
  readonly after: Picture;
  /** Share of the pixels that differ, 0 to 1. */
  readonly share: number;
  readonly difference: Picture;
  /** The picture is the same. */
  readonly same: boolean;
  /** The picture and the document are. */
  readonly samePage: boolean;
}

/** What the loads without suspects and trials showed together. */
export interface Ablated {
  /** The load that reports show: without all that the page is the same without. */
  readonly trial: Trial;
  /** Suspects that were held back, and whether the picture was the same without them. */
  readonly suspects: readonly Held[];
  readonly same: boolean;
  /** Trials without which the page was the same. */
  readonly free: readonly Held[];
  /** How many loads it took. */
  readonly loads: number;
}

/**
 * Loads the page without suspects (what looks like background) and trials (content that may have no effect, the latest
 * first). Where it differs, the suspects are held back alone, and the trials from the latest on, until it is known which
 * one matters first; once more without what is behind that one. Undefined when nothing could be compared. Where
 * `tryWithout` gives nothing, because no load is left for it or the user ended it, that stays open: trials count.
 */
export async function holdBack(
  suspects: readonly Held[],
  trials: readonly Held[],
  tryWithout: (held: readonly Held[]) => Promise<Trial | undefined>,
): Promise<Ablated | undefined> {
  const all = await tryWithout([...suspects, ...trials]);
  if (!all) return undefined;
  if (trials.length === 0 || all.samePage) {
    return { trial: all, suspects, same: all.same, free: trials, loads: 1 };
  }
  let loads = 1;
  const once = async (held: readonly Held[]): Promise<Trial | undefined> => {
    const found = await tryWithout(held);
    if (found) loads += 1;
    return found;
  };
  const alone = suspects.length > 0 ? await once(suspects) : undefined;
  // Without a load of their own nobody knows whether it was the suspects that the page missed.
  if (suspects.length > 0 && !alone) return { trial: all, suspects: [], same: all.same, free: [], loads };
  const beside = alone?.samePage ? suspects : [];
  let trial = alone ?? all;
  let free: readonly Held[] = [];
  /** Are these trials free: is the page the same without them? Then they are, from now on. */
  const tryFree = async (some: readonly Held[]): Promise<boolean> => {
    const found = await once([...beside, ...some]);
    if (!found?.samePage) return false;
    free = some;
    if (beside.length === suspects.length) trial = found;
    return true;
  };
  let tooMany = trials.length + (beside.length < suspects.length ? 1 : 0);
  for (let more = 0; more < MAX_MORE_LOADS && tooMany - free.length > 1; more += 1) {
    const some = trials.slice(0, Math.ceil((free.length + tooMany) / 2));
    if (!(await tryFree(some))) tooMany = some.length;
  }
  // What came before the first that matters need not matter: it stands behind it only because it ended sooner.
  const rest = trials.slice(tooMany);
  if (rest.length > 0 && tooMany - free.length === 1) await tryFree([...free, ...rest]);
  return { trial, suspects, same: alone ? alone.same : all.same, free, loads };
}

/** Held back, a suspect never answers: the page must be complete without any part of it. */
export function rulesWithout(held: readonly Held[]): readonly EndpointRule[] {
  return held.map(({ suspect }) =>
    ruleFrom({ ...suspect, reason: { code: 'held-back' }, confidence: 'certain' }, { contentParts: 0, content: [] }),
  );
}

/**
 * The same, its load judged with what the whole film proved of everything else: that one is not watched for long enough to
 * know that a request is never answered.
 */
export function judgeWithProof({ trial, ...rest }: Ablated, rules: readonly EndpointRule[]): Ablated {
  const { loaded } = trial.without;
  const own = loaded.policy.learnt ?? [];
  const known = new Set(own.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const learnt = [...own, ...rules.filter(({ endpoint, fixed }) => !known.has(keyOf(endpoint, fixed)))];
  const without = judgeRun({ ...loaded, policy: { ...loaded.policy, learnt } }, []);
  return { ...rest, trial: { ...trial, without } };
}

export function patternsOf(held: readonly Held[]): readonly string[] {
  return [...new Set(held.flatMap(({ patterns }) => patterns))];
}

/** Compares the page with the one that was loaded without some endpoints; undefined where one of them has no picture. */
export async function compareWithout(
  recording: Recording,
  without: FinishedRun,
  held: readonly Held[],
  film: FilmReading,
): Promise<Trial | undefined> {
  if (!without.visit) return undefined;
  const { recording: other } = without.visit;
  const last = lastPictures(recording, other);
  if (!last) return undefined;
  const [before, after] = last;
  const whole = compare(before, after, film.moving);
  const askedBy = new Set(held.flatMap(({ suspect }) => suspect.requests.flatMap(({ frameId }) => frameId ?? [])));
  // A page that could not be read is not known to be the same.
  const sameDocument =
    recording.outline !== undefined &&
    other.outline !== undefined &&
    sameOutline(recording.outline, other.outline, recording.earlierOutline) &&
    sameFrames(recording.frameOutlines ?? [], other.frameOutlines ?? [], askedBy);
  const same =
    whole.same ||
    (await runInSlices(looksLikeAnyOf(recording, other, film))) ||
    (sameDocument && (await runInSlices(isSameBesideMovingPlaces([before, after], [recording, other], film))));
  const samePage = same && sameDocument;
  return { held, without, before, after, ...whole, share: same ? 0 : whole.share, same, samePage };
}

/** Makes the pictures of its result ahead, one at a turn. */
export function* preparePictures({ trial }: Ablated, images: EvidenceImages): Generator<undefined, void> {
  const { before, after, difference, same } = trial;
  for (const picture of [before, after, ...(same ? [] : [difference])]) {
    yield;
    images.prepareExact(picture);
  }
}

/** The result of an ablation, with its pictures written. */
export async function ablationOf(
  { trial, loads }: Ablated,
  raw: PageCompleteResult['raw'],
  images: EvidenceImages,
): Promise<Ablation> {
  const { held, without, before, after, share, same, difference } = trial;
  const complete = without.visit?.complete;
  const pageUrl = without.visit ? pageUrlOf(without.visit.recording) : '';
  const completeAt = completedAt(complete);
  const labels = [...new Set(held.map(({ suspect }) => suspect.endpoint.label))];
  return {
    held: labels,
    difference: share,
    same,
    ...(loads > 1 && { loads }),
    ...defined({ completeAt }),
    pictures: {
      with: await images.addExact(before),
      without: await images.addExact(after),
      ...(!same && { difference: await images.addExact(difference) }),
    },
    sentence: ablationSentence(labels, { same, share }, completeAt, raw, pageUrl),
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
 * Is the page the same but for canvases in which everything moves, and do these show the same colours? What is drawn at
 * random never looks the same twice. Interrupted after each picture.
 */
function* isSameBesideMovingPlaces(
  [before, after]: readonly [Picture, Picture],
  recordings: readonly [Recording, Recording],
  { movingPlaces }: FilmReading,
): Generator<undefined, boolean> {
  if (!movingPlaces || !compare(before, after, movingPlaces).same) return false;
  const films: [Shades[], Shades[]] = [[], []];
  for (const [i, { frames }] of recordings.entries()) {
    for (const { picture } of decodeFilm(frames.slice(-FRAMES_OF_MOVEMENT))) {
      films[i]?.push(shadesIn(picture, movingPlaces));
      yield;
    }
  }
  return sameShades(films);
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
  const goal = without.frames.at(-1);
  if (!goal) return false;
  const since = recording.observedUntil / 2;
  const late = recording.frames.filter(({ at }) => at >= since).slice(-LATE_FRAMES);
  if (late.some(({ image }) => image === goal.image)) return true;
  const last = decodePng(goal.image);
  for (const { picture } of decodeFilm(late)) {
    if (looksSame(picture, last, moving)) return true;
    yield;
  }
  return false;
}
