import type { FilmedSuspect } from '../../../core/background/content/evidence-rules.ts';
import { type Source, timesOf } from '../../../core/background/content/source.ts';
import { pageUrlOf } from '../../../core/requests/page-url.ts';
import { completedAt } from '../../../core/time/completed-at.ts';
import { changesBy, type FilmReading } from '../../../core/visual/impact.ts';
import { keyFrames } from '../../../core/visual/key-frames.ts';
import { completeSeenAt, paintSeenAt } from '../../../core/visual/paint-to-frame.ts';
import type { Sketch } from '../../../core/visual/progress.ts';
import { progressOf, shareAt, speedIndexOf } from '../../../core/visual/progress.ts';
import type { Visit } from '../../../model/network/visit.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type {
  Evidence,
  EvidencePicture,
  FilmFrame,
  PictureMoment,
  RunResult,
  VisualProgress,
} from '../../../model/result/result.ts';
import type { Ms } from '../../../model/units.ts';
import { decodePng } from '../../../shell/disk/pictures.ts';
import { momentInWords } from '../../../wording/completion/evidence.ts';
import type { FinishedRun } from '../run.ts';
import type { EvidenceImages } from './images.ts';

/** Frames of the film that are kept: as many as stand side by side on a wide screen and can still be distinguished. */
const KEY_FRAMES = 12;
/** More pictures than this of what suspects changed show nothing new. */
const PICTURES_OF_CHANGES = 4;

/** A moment that a reader asks for, and when the film shows it. */
interface Moment {
  readonly at: Ms;
  readonly seenAt: Ms;
  readonly moment: PictureMoment;
  readonly endpoint?: string;
}

/** How much of what a filmed load shows at page complete was there by when. */
export function filmedProgress(
  visit: Visit,
  suspects: readonly Source[],
  { sketches, moving }: Pick<FilmReading, 'moving'> & { readonly sketches: readonly Sketch[] },
): readonly VisualProgress[] {
  return progressOf(sketches, goalOf(visit, suspects), moving);
}

/** When the film shows the page complete, ms; where it never was, its end. */
function goalOf({ complete, recording: { observedUntil } }: Visit, suspects: readonly Source[]): Ms {
  const arrivals = suspects.flatMap(({ arrivals: own }) => timesOf(own));
  const completeAt = completedAt(complete);
  return completeAt === undefined ? observedUntil : completeSeenAt(completeAt, arrivals, observedUntil);
}

/** The filmstrip with the moments in it, and how much was there by when. */
export async function filmStripOf(
  { run, visit }: FinishedRun,
  suspects: readonly Source[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading & { readonly sketches: readonly Sketch[]; readonly progress: readonly VisualProgress[] },
  images: EvidenceImages,
): Promise<Pick<Evidence, 'pictures' | 'film' | 'progress' | 'speedIndex'>> {
  if (!visit) return { pictures: [] };
  const { recording } = visit;
  const { frames } = recording;
  const goalAt = goalOf(visit, suspects);
  const { sketches, moving, progress } = film;
  const moments = momentsOf(run, goalAt, suspects, impacts, film, recording);
  const changedAt = film.changes.map(({ at }) => at);
  const times = keyFrames(
    { sketches, changedAt, moving },
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
    strip.push({ at, file, progress: share });
  }
  const speedIndex = speedIndexOf(progress);
  return {
    pictures: moments.flatMap(({ at, seenAt, ...seen }): readonly EvidencePicture[] => {
      const shown = strip.findLast((each) => each.at <= seenAt) ?? strip[0];
      const caption = momentInWords(seen, pageUrlOf(recording));
      return shown ? [{ at: Math.max(0, at), file: shown.file, caption, ...seen }] : [];
    }),
    ...(strip.length > 0 && { film: strip }),
    ...(progress.length > 0 && { progress }),
    speedIndex,
  };
}

/** First and largest contentful paint, page complete, what suspects changed first, and the end, in order of time. */
function momentsOf(
  { metrics, pageComplete }: RunResult,
  goalAt: Ms,
  suspects: readonly Source[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading,
  recording: Recording,
): readonly Moment[] {
  const { observedUntil } = recording;
  const changedAt = film.changes.map(({ at }) => at);
  const paint = (at: Ms | undefined, moment: PictureMoment): readonly Moment[] =>
    at === undefined ? [] : [{ at, seenAt: paintSeenAt(at, changedAt), moment }];
  const completeAt = pageComplete?.state === 'complete' ? pageComplete.at : undefined;
  const changed = suspects.flatMap(({ key, endpoint: { label } }): readonly Moment[] => {
    const [at] = changesBy(impacts.get(key) ?? { effects: [] });
    return at === undefined ? [] : [{ at, seenAt: at, moment: 'data-arrived', endpoint: label }];
  });
  return [
    ...paint(metrics?.firstContentfulPaint, 'first-contentful-paint'),
    ...paint(metrics?.largestContentfulPaint, 'largest-contentful-paint'),
    ...(completeAt === undefined ? [] : [{ at: completeAt, seenAt: goalAt, moment: 'page-complete' as const }]),
    ...changed.slice(0, PICTURES_OF_CHANGES),
    { at: observedUntil, seenAt: observedUntil, moment: 'end' as const },
  ].sort((a, b) => a.at - b.at);
}
