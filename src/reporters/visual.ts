import type { Evidence, FilmFrame, RunResult, VisualProgress } from '../model/result/result.ts';
import type { Ms } from '../model/units.ts';
import { roundStep } from './scale.ts';

/** Frames of a filmstrip that are shown; more are said to be there. */
export const MOST_FRAMES = 12;

/** How long after a moment its picture may have been drawn, ms: as long as a change is put down to what came before. */
const DRAWN_WITHIN_MS = 400;

/** A moment that has a name, at its own time. */
interface Moment {
  readonly at: Ms;
  readonly caption: string;
}

/** A frame of the filmstrip with what happened while it was seen. */
export interface StripFrame extends FilmFrame {
  readonly moments: readonly Moment[];
}

/** A time of the filmed run with its name. */
export interface FilmMark {
  readonly name: 'fcp' | 'lcp' | 'load' | 'complete' | 'plain';
  readonly label: string;
  readonly at: Ms;
}

/**
 * The filmstrip, each moment at the frame that shows it. Of results that kept pictures of moments but no filmstrip, the
 * pictures. Once all is there, what comes later has no share any more.
 */
export function stripOf({ film = [], pictures, progress }: Evidence): readonly StripFrame[] {
  const until = progress?.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  const moments = new Map<FilmFrame, Moment[]>(film.map((frame) => [frame, []]));
  for (const { at, file, caption } of pictures) {
    const same = [...moments.keys()].filter((frame) => frame.file === file);
    const frame = same.findLast((each) => each.at <= at + DRAWN_WITHIN_MS) ?? same[0] ?? { at, file };
    moments.set(frame, [...(moments.get(frame) ?? []), { at, caption }]);
  }
  return [...moments]
    .map(([{ at, file, progress: share }, moments]): StripFrame => {
      return { at, file, ...(share !== undefined && at <= until && { progress: share }), moments };
    })
    .sort((a, b) => a.at - b.at);
}

/** Steps of a film, at most: so that its frames are large enough to be read. */
const MOST_STEPS = 8;

/**
 * The same in equal steps of a round length up to `until`, so that two films can be compared by eye; what happened since
 * the step before stands at each. What changed later follows at its own time.
 */
export function steppedStripOf(evidence: Evidence, until: Ms): readonly StripFrame[] {
  const strip = stripOf(evidence);
  const [first] = strip;
  if (first === undefined || evidence.film === undefined || strip.length < 2 || !(until > 0) || !Number.isFinite(until))
    return strip.slice(0, MOST_FRAMES);
  const step = roundStep(Math.max(10, until / MOST_STEPS));
  const count = Math.ceil(until / step);
  const last = count * step;
  const moments = strip.flatMap((frame) => frame.moments);
  const end = evidence.progress?.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  const steps = Array.from({ length: count + 1 }, (_, index): StripFrame => {
    const at = index * step;
    const { file } = strip.findLast((frame) => frame.at <= at) ?? first;
    const share = evidence.progress?.findLast((point) => point.at <= at)?.share;
    return {
      at,
      file,
      ...(share !== undefined && at < end + step && { progress: share }),
      moments: moments.filter((moment) => moment.at <= at && (index === 0 || moment.at > at - step)),
    };
  });
  const later = strip.flatMap((frame): readonly StripFrame[] => {
    const those = frame.moments.filter(({ at }) => at > last);
    const [moment] = those;
    return moment === undefined ? [] : [{ at: moment.at, file: frame.file, moments: those }];
  });
  return [...steps, ...later].slice(0, MOST_FRAMES);
}

/** The times of the filmed run that are marked on its curve, in order. */
export function filmMarks(run: RunResult | undefined): readonly FilmMark[] {
  const { metrics = {}, pageComplete } = run ?? {};
  const mark = (name: FilmMark['name'], label: string, at: Ms | undefined): readonly FilmMark[] =>
    at === undefined || !Number.isFinite(at) ? [] : [{ name, label, at }];
  return [
    ...mark('fcp', 'FCP', metrics.firstContentfulPaint),
    ...mark('lcp', 'LCP', metrics.largestContentfulPaint),
    ...mark('load', 'load', metrics.load),
    ...mark('complete', 'page complete', pageComplete?.state === 'complete' ? pageComplete.at : undefined),
    ...mark('plain', 'network idle', pageComplete?.raw.state === 'complete' ? pageComplete.raw.at : undefined),
  ].sort((a, b) => a.at - b.at);
}

/** From when on at least that share was there and stayed; undefined where there is no curve. */
export function thereFrom(progress: readonly VisualProgress[] | undefined, share: number): Ms | undefined {
  if (progress === undefined) return undefined;
  const below = progress.findLastIndex((point) => !(point.share >= share));
  return progress[below + 1]?.at;
}

/** Up to when a film is worth a close look: its curve, and every mark but network idle's. */
export function loadUntil(progress: readonly VisualProgress[] | undefined, marks: readonly FilmMark[]): Ms {
  return Math.max(0, progress?.at(-1)?.at ?? 0, ...marks.filter(({ name }) => name !== 'plain').map(({ at }) => at));
}
