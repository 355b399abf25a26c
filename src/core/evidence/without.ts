import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { ruleFrom } from '../background/content/consensus.ts';
import type { Held } from '../background/content/evidence-rules.ts';
import { type Difference, visiblePixels } from '../visual/difference.ts';
import type { FilmReading } from '../visual/impact.ts';
import type { Mask } from '../visual/mask.ts';
import { sameFrames, sameOutline } from '../visual/outline.ts';

/** How many more loads may find out which of several requests matters. */
const MAX_MORE_LOADS = 3;

/** How a page looks beside another load of it, as far as pictures tell. Each question is answered when it is asked: pictures are large. */
export interface Likeness {
  /** Between the last pictures, in full size where both loads have them. */
  readonly last: Difference;
  /** From each frame near the end of this film to the last one of the other. */
  late(): AsyncIterable<Difference> | Iterable<Difference>;
  /** Do these places show the same colors in both films, whatever moves in them? */
  sameColors(places: Mask): Promise<boolean>;
}

/** A load without some endpoints. */
export interface PageWithout {
  readonly visit?: Visit;
  /** Absent where one of the two has no picture. */
  readonly likeness?: Likeness;
}

/** What a load without some endpoints is asked for. */
export interface WithoutRequest {
  /** URL patterns whose requests are held back. */
  readonly patterns: readonly string[];
  readonly watchUntil: Ms;
  readonly policy: Policy;
}

/** Gives undefined where no load is left for it, or the user ended it. */
export type LoadWithout<P extends PageWithout = PageWithout> = (request: WithoutRequest) => Promise<P | undefined>;

/** What one load without some endpoints showed. */
export interface Trial<P extends PageWithout = PageWithout> {
  readonly held: readonly Held[];
  readonly without: P;
  /** Share of the pixels that differ, 0 to 1. */
  readonly share: number;
  /** The picture is the same. */
  readonly same: boolean;
  /** The picture and the document are. */
  readonly samePage: boolean;
}

/** What the loads without suspects and trials showed together. */
export interface Ablated<P extends PageWithout = PageWithout> {
  /** The load that reports show: without all that the page is the same without. */
  readonly trial: Trial<P>;
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
export async function holdBack<P extends PageWithout>(
  suspects: readonly Held[],
  trials: readonly Held[],
  tryWithout: (held: readonly Held[]) => Promise<Trial<P> | undefined>,
): Promise<Ablated<P> | undefined> {
  const all = await tryWithout([...suspects, ...trials]);
  if (!all) return undefined;
  if (trials.length === 0 || all.samePage) {
    return { trial: all, suspects, same: all.same, free: trials, loads: 1 };
  }
  let loads = 1;
  const once = async (held: readonly Held[]): Promise<Trial<P> | undefined> => {
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
    ruleFrom({ ...suspect, reason: { code: 'held-back' }, confidence: 'certain' }, { content: [] }),
  );
}

export function patternsOf(held: readonly Held[]): readonly string[] {
  return [...new Set(held.flatMap(({ patterns }) => patterns))];
}

/** Compares the page with the one that was loaded without some endpoints; undefined where one of them has no picture. */
export async function compareWithout<P extends PageWithout>(
  recording: Recording,
  without: P,
  held: readonly Held[],
  film: FilmReading,
): Promise<Trial<P> | undefined> {
  const { visit, likeness } = without;
  if (!visit || !likeness) return undefined;
  const { recording: other } = visit;
  const { last } = likeness;
  const seen = visiblePixels(last, film.moving);
  const askedBy = new Set(held.flatMap(({ suspect }) => suspect.requests.flatMap(({ frameId }) => frameId ?? [])));
  // A page that could not be read is not known to be the same.
  const sameDocument =
    recording.outline !== undefined &&
    other.outline !== undefined &&
    sameOutline(recording.outline, other.outline, recording.earlierOutline) &&
    sameFrames(recording.frameOutlines ?? [], other.frameOutlines ?? [], askedBy);
  const same =
    seen === 0 ||
    (await looksLikeAnyOf(likeness, film)) ||
    (sameDocument && (await isSameBesideMovingPlaces(likeness, film)));
  const share = same ? 0 : seen / Math.max(1, last.viewWidth * last.viewHeight);
  return { held, without, share, same, samePage: same && sameDocument };
}

/**
 * Is the page the same but for canvases in which everything moves, and do these show the same colors? What is drawn at
 * random never looks the same twice.
 */
async function isSameBesideMovingPlaces(likeness: Likeness, { movingPlaces }: FilmReading): Promise<boolean> {
  if (!movingPlaces || visiblePixels(likeness.last, movingPlaces) > 0) return false;
  return await likeness.sameColors(movingPlaces);
}

/**
 * Does the page without its suspects look as the whole page did at some moment near the end? A carousel need not have
 * stopped at the same slide for its page to be the same.
 */
async function looksLikeAnyOf(likeness: Likeness, { moving }: FilmReading): Promise<boolean> {
  for await (const difference of likeness.late()) if (visiblePixels(difference, moving) === 0) return true;
  return false;
}
