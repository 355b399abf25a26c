import { keyOf } from '../../../core/background/content/consensus.ts';
import type { Ablated, Likeness, PageWithout } from '../../../core/evidence/without.ts';
import { pageUrlOf } from '../../../core/requests/page-url.ts';
import { completedAt } from '../../../core/time/completed-at.ts';
import { type Difference, differenceOf } from '../../../core/visual/difference.ts';
import { drawDifference } from '../../../core/visual/draw-difference.ts';
import type { Mask } from '../../../core/visual/mask.ts';
import { type Shades, sameShades, shadesIn } from '../../../core/visual/shades.ts';
import type { EndpointRule } from '../../../model/background/verdict.ts';
import type { DecodedFrame, Picture } from '../../../model/recording/picture.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type { Ablation, PageCompleteResult } from '../../../model/result/result.ts';
import { decodeFilm, decodePng } from '../../../shell/disk/pictures.ts';
import { nextTurn } from '../../../shell/process/slices.ts';
import { ablationSentence } from '../../../wording/completion/evidence.ts';
import { type FinishedRun, judgeRun } from '../run.ts';
import type { EvidenceImages } from './images.ts';

/** So many of the last frames show every state that a page moves through by itself. */
const LATE_FRAMES = 60;
/** So many frames show how much the colors of a moving picture vary. */
const FRAMES_OF_MOVEMENT = 20;

/** The last pictures of the whole page and of the one without something. */
interface LastPictures {
  readonly before: Picture;
  readonly after: Picture;
}

/** A load without some endpoints, beside the whole one. */
export interface RunWithout extends PageWithout {
  readonly run: FinishedRun;
  /** Absent where one of the two has none. */
  readonly pictures?: LastPictures;
}

/** Puts a load without some endpoints beside the whole one. */
export function comparedWithWhole(recording: Recording, run: FinishedRun): RunWithout {
  const { visit } = run;
  if (!visit) return { run };
  const pictures = lastPictures(recording, visit.recording);
  if (!pictures) return { run, visit };
  return { run, visit, pictures, likeness: likenessOf(pictures, recording, visit.recording) };
}

/** Both pages at the end: in full size, or, where the browser was too busy for that, as they were filmed. */
function lastPictures(recording: Recording, without: Recording): LastPictures | undefined {
  const inFull = [recording.lastPicture, without.lastPicture];
  const [before, after] = inFull.every((picture) => picture !== undefined)
    ? inFull
    : [recording.frames.at(-1), without.frames.at(-1)];
  return before && after ? { before: decodePng(before.image), after: decodePng(after.image) } : undefined;
}

/** Pictures are read when they are asked for, one at a turn. */
export function likenessOf({ before, after }: LastPictures, recording: Recording, without: Recording): Likeness {
  return {
    last: differenceOf(before, after),
    late: () => lateDifferences(recording, without),
    async sameColors(places) {
      return sameShades([await shadesOf(recording, places), await shadesOf(without, places)]);
    },
  };
}

async function* lateDifferences(recording: Recording, without: Recording): AsyncGenerator<Difference> {
  const goal = without.frames.at(-1);
  if (!goal) return;
  const since = recording.observedUntil / 2;
  const late = recording.frames.filter(({ at }) => at >= since).slice(-LATE_FRAMES);
  const last = decodePng(goal.image);
  // The same file needs no decoding.
  if (late.some(({ image }) => image === goal.image)) yield differenceOf(last, last);
  for (const { picture } of decodeFilm(late)) {
    yield differenceOf(picture, last);
    await nextTurn();
  }
}

async function shadesOf({ frames }: Recording, places: Mask): Promise<readonly Shades[]> {
  const shades: Shades[] = [];
  for (const { picture } of decodeFilm(frames.slice(-FRAMES_OF_MOVEMENT)) as readonly DecodedFrame[]) {
    shades.push(shadesIn(picture, places));
    await nextTurn();
  }
  return shades;
}

/**
 * The load judged with what the whole film proved of everything else, too: it is not watched for long enough to know that a
 * request is never answered.
 */
export function judgeWithProof({ loaded }: FinishedRun, rules: readonly EndpointRule[]): FinishedRun {
  const own = loaded.policy.learnt ?? [];
  const known = new Set(own.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const learnt = [...own, ...rules.filter(({ endpoint, fixed }) => !known.has(keyOf(endpoint, fixed)))];
  return judgeRun({ ...loaded, policy: { ...loaded.policy, learnt } }, []);
}

/** The picture of the difference. */
function differenceIn({ before, after }: LastPictures, { last }: Likeness, moving: Mask | undefined): Picture {
  return drawDifference(before, after, last, moving);
}

/** Makes the pictures of its result ahead, one at a turn. */
export function* preparePictures({ trial }: Ablated<RunWithout>, images: EvidenceImages): Generator<undefined, void> {
  const { pictures } = trial.without;
  for (const picture of pictures ? [pictures.before, pictures.after] : []) {
    yield;
    images.prepareExact(picture);
  }
}

/**
 * The result of an ablation, with its pictures written. Undefined where there are none to compare.
 *
 * @param judged its load, judged with what was proved
 */
export async function ablationOf(
  { trial, loads }: Ablated<RunWithout>,
  judged: FinishedRun,
  raw: PageCompleteResult['raw'],
  moving: Mask | undefined,
  images: EvidenceImages,
): Promise<Ablation | undefined> {
  const { held, without, share, same } = trial;
  const { pictures, likeness } = without;
  if (!pictures || !likeness) return undefined;
  const complete = judged.visit?.complete;
  const pageUrl = judged.visit ? pageUrlOf(judged.visit.recording) : '';
  const completeAt = completedAt(complete);
  const labels = [...new Set(held.map(({ suspect }) => suspect.endpoint.label))];
  return {
    held: labels,
    difference: share,
    same,
    ...(loads > 1 && { loads }),
    completeAt,
    pictures: {
      with: await images.addExact(pictures.before),
      without: await images.addExact(pictures.after),
      ...(!same && { difference: await images.addExact(differenceIn(pictures, likeness, moving)) }),
    },
    sentence: ablationSentence(labels, { same, share }, completeAt, raw, pageUrl),
  };
}
