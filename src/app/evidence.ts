import { lessonOf } from '../core/background/learn.ts';
import { contentArrivals, type Held, holdable, prove, type Suspect, suspectsOf } from '../core/background/prove.ts';
import { ablationSentence } from '../core/evidence-sentences.ts';
import { compare } from '../core/visual/compare.ts';
import { type FilmReading, FOLLOWS_WITHIN_MS, readFilm } from '../core/visual/impact.ts';
import { shrink } from '../core/visual/shrink.ts';
import type { Picture } from '../model/picture.ts';
import type { Frame, Recording } from '../model/recording.ts';
import type { Ablation, Evidence, EvidencePicture, PageCompleteResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import type { Learnt, Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { decodeFilm, decodePng, encodePng } from '../shell/pictures.ts';
import type { FinishedRun, LoadedRun, PlannedRun } from './run.ts';

/** Width of the copies that a report carries in itself, px. */
const THUMBNAIL_WIDTH = 480;
/** How much longer than the last change the page without its suspects is watched, ms: it must have had its chance. */
const AFTER_LAST_CHANGE_MS = 500;
/** So many of the last frames show every state that a page moves through by itself. */
const LATE_FRAMES = 60;
/** More pictures than this of what suspects changed tell nothing new. */
const PICTURES_OF_CHANGES = 4;

/** What the untimed runs of one page gave. */
export interface Proof {
  readonly learnt: readonly Learnt[];
  readonly evidence?: Evidence;
  /** URL patterns of what the ablation run held; absent when there was none. */
  readonly held?: readonly string[];
  /** Small copies of the pictures, as data URLs, by their path beside result.json. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** The untimed runs themselves. */
  readonly runs: readonly LoadedRun[];
}

/** What gathering evidence needs from its surroundings. */
export interface EvidenceSurroundings {
  readonly policy: Policy;
  /** Hold the suspects back in one more run. */
  readonly ablation: boolean;
  /** Prefix of file names: several targets share a folder. */
  readonly prefix: string;
  /** The number of the ablation run. */
  readonly ablationIndex: number;
  /** Loads and judges; undefined when the user ended it. */
  load(planned: PlannedRun): Promise<FinishedRun | undefined>;
  write(name: string, content: Uint8Array): Promise<void>;
}

/**
 * Loads the page once on film and, when there are suspects, once more with them held back; proves from both what is
 * background. Undefined when the user ended it before the film was taken; later, what was filmed is kept.
 */
export async function gatherEvidence(surroundings: EvidenceSurroundings): Promise<Proof | undefined> {
  const policy: Policy = { ...surroundings.policy, thorough: true };
  const filmed = await surroundings.load({ index: 0, role: 'evidence', policy, with: { film: true } });
  if (!filmed) return undefined;
  const { visit } = filmed;
  if (!visit) return { learnt: [], thumbnails: {}, runs: [withoutPictures(filmed.loaded)] };
  const { recording } = visit;
  const suspects = suspectsOf(visit);
  const { pageComplete } = filmed.run;
  const album = createAlbum(surroundings);
  const film = readFilm({
    frames: decodeFilm(recording.frames),
    suspects: suspects.map(({ key, arrivals }) => ({ endpoint: key, arrivals })),
    foregroundArrivals: contentArrivals(visit, suspects),
    completeAt: visit.complete.state === 'complete' ? visit.complete.at : recording.observedUntil,
    until: recording.observedUntil,
  });
  const held = surroundings.ablation ? holdable(suspects, visit.timeline) : [];
  const without = held.length === 0 ? undefined : await loadWithout(held, visit, suspects, film, surroundings);
  const ablated =
    without &&
    (await compareWithout(recording, without, held, film, pageComplete?.raw ?? { state: 'unconfirmed' }, album));
  const impacts = new Map(film.impacts.map((impact) => [impact.endpoint, impact]));
  const learnt = prove(visit, suspects, impacts, ablated && { held, same: ablated.same });
  const pictures = await picturesOf(recording, visit, suspects, film, album);
  return {
    learnt,
    evidence: {
      watchedUntil: recording.observedUntil,
      watchedBecause: pageComplete?.watchedBecause ?? '',
      pictures,
      ...(ablated && { ablation: ablated }),
    },
    ...(without && { held: held.flatMap(({ patterns }) => patterns) }),
    thumbnails: album.thumbnails,
    runs: [filmed, ...(without ? [without] : [])].map(({ loaded }) => withoutPictures(loaded)),
  };
}

/** A film is large; once it has been read, nobody needs it. */
function withoutPictures(loaded: LoadedRun): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.recording) return loaded;
  const { lastPicture: _last, ...recording } = outcome.recording;
  return { ...loaded, outcome: { ...outcome, recording: { ...recording, frames: [] } } as LoadedRun['outcome'] };
}

// --- The page without its suspects ---------------------------------------------------------------------------------

/** Held back, a suspect never answers: the page must be complete without any part of it. */
async function loadWithout(
  held: readonly Held[],
  visit: Visit,
  suspects: readonly Suspect[],
  film: FilmReading,
  { policy, ablationIndex, load }: EvidenceSurroundings,
): Promise<FinishedRun | undefined> {
  const learnt = held.map(({ suspect }) =>
    lessonOf({ ...suspect, because: 'held back', confidence: 'certain' }, { contentParts: 0 }),
  );
  return load({
    index: ablationIndex,
    role: 'ablation',
    policy: { ...policy, learnt },
    with: {
      film: true,
      hold: held.flatMap(({ patterns }) => patterns),
      watchUntil: lastOwnChange(visit, suspects, film) + AFTER_LAST_CHANGE_MS,
    },
  });
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
  album: Album,
): Promise<Ablation | undefined> {
  if (!without.visit) return undefined;
  const { recording: other, complete } = without.visit;
  const last = lastPictures(recording, other);
  if (!last) return undefined;
  const [before, after] = last;
  const whole = compare(before, after, film.moving);
  const alike = whole.same || looksLikeAnyOf(recording, other, film);
  const { share, same, difference } = alike ? { ...whole, share: 0, same: true } : whole;
  const labels = held.map(({ suspect }) => suspect.endpoint.label);
  const completeAt = complete.state === 'complete' ? complete.at : undefined;
  return {
    held: labels,
    difference: share,
    same,
    ...(completeAt !== undefined && { completeAt }),
    pictures: {
      with: await album.add('with', before),
      without: await album.add('without', after),
      ...(!same && { difference: await album.add('difference', difference) }),
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
 * stopped at the same slide for its page to be the same.
 */
function looksLikeAnyOf(recording: Recording, without: Recording, { moving }: FilmReading): boolean {
  const last = decodeFilm(without.frames.slice(-1))[0]?.picture;
  if (!last) return false;
  const since = recording.observedUntil / 2;
  return decodeFilm(recording.frames.filter(({ at }) => at >= since).slice(-LATE_FRAMES)).some(
    ({ picture }) => compare(picture, last, moving).same,
  );
}

// --- Pictures ------------------------------------------------------------------------------------------------------

interface Album {
  readonly thumbnails: Record<string, string>;
  /** Writes a picture to a file and gives its path beside result.json. */
  add(name: string, picture: Picture): Promise<string>;
}

function createAlbum({ prefix, write }: Pick<EvidenceSurroundings, 'prefix' | 'write'>): Album {
  const thumbnails: Record<string, string> = {};
  return {
    thumbnails,
    async add(name, picture) {
      const file = `evidence/${prefix}${name}.png`;
      await write(file, encodePng(picture));
      const small = encodePng(shrink(picture, THUMBNAIL_WIDTH));
      thumbnails[file] = `data:image/png;base64,${small.toString('base64')}`;
      return file;
    },
  };
}

/** First paint, page complete, what suspects changed first, and the end. */
async function picturesOf(
  recording: Recording,
  visit: Visit,
  suspects: readonly Suspect[],
  film: FilmReading,
  album: Album,
): Promise<readonly EvidencePicture[]> {
  const wanted: { at: Ms; name: string; caption: string }[] = [];
  const painted = recording.marks.find((mark) => mark.name === 'first-contentful-paint')?.at;
  if (painted !== undefined) wanted.push({ at: painted, name: 'first-paint', caption: 'first contentful paint' });
  if (visit.complete.state === 'complete') {
    wanted.push({ at: visit.complete.at, name: 'page-complete', caption: 'page complete' });
  }
  const changed = suspects.flatMap((suspect, i) => {
    const [at] = film.impacts[i]?.changedAt ?? [];
    return at === undefined ? [] : [{ at, label: suspect.endpoint.label }];
  });
  changed.slice(0, PICTURES_OF_CHANGES).forEach(({ at, label }, i) => {
    wanted.push({ at, name: `change-${i + 1}`, caption: `after ${label} had brought something` });
  });
  wanted.push({ at: recording.observedUntil, name: 'end', caption: 'the end of watching' });
  const pictures: EvidencePicture[] = [];
  for (const { at, name, caption } of wanted.sort((a, b) => a.at - b.at)) {
    const frame = frameAt(at, recording.frames);
    if (!frame) continue;
    pictures.push({ at: Math.max(0, at), file: await album.add(name, decodePng(frame.image)), caption });
  }
  return pictures;
}

/** What was to be seen at a moment: a paint is filmed a frame or two after it is reported. */
function frameAt(at: Ms, frames: readonly Frame[]): Frame | undefined {
  const PAINT_TO_FILM_MS = 50;
  return frames.findLast((frame) => frame.at <= at + PAINT_TO_FILM_MS) ?? frames[0];
}
