import { defined } from '../../core/text/defined.ts';
import type { LoadRequest } from '../../model/recording/lab.ts';
import type { Ms } from '../../model/units.ts';
import type { NavigationClock } from './clocks/navigation.ts';
import type { Filming } from './instruments/film.ts';
import { paced } from './paced.ts';
import type { Recorder } from './recorder.ts';

/** How often a film is looked at while it is taken, ms. */
const LOOK_AT_FILM_EVERY_MS = 500;

/** Looks at the film of a load while it is taken. */
export interface FilmWatch {
  /** The answer is known: is content still drawn? As long as that is not known, it is. */
  isStillDrawing(now: Ms): boolean;
  /** What becomes visible by its opacity or its place alone is no paint to Chrome. A film shows it. */
  lookForContent(): void;
  /** The page is only watched: does what still comes only update it? */
  lookForUpdates(): void;
}

export function watchFilm(
  { stillDraws, visibleAt, onlyUpdating, policy }: LoadRequest,
  clock: NavigationClock,
  recorder: Recorder,
  film: Filming,
): FilmWatch {
  const lookAtDrawing = paced(LOOK_AT_FILM_EVERY_MS);
  const lookForContent = paced(LOOK_AT_FILM_EVERY_MS);
  // The whole film is read for it, and less than a quiet window shows nothing new.
  const lookForUpdates = paced(policy.quietWindow);
  /** When the answer was known first, and that nothing has been drawn since then. */
  let drawnFrom: Ms | undefined;
  let hasDrawn = false;

  return {
    isStillDrawing(now) {
      drawnFrom ??= now;
      const patienceEnds = drawnFrom + policy.observation.suspectMs;
      if (!stillDraws || !film.isOn() || hasDrawn || now > patienceEnds) return false;
      lookAtDrawing.at(now, async () => {
        const soFar = { ...recorder.observed(now), frames: film.frames(now) };
        hasDrawn = !(await stillDraws(soFar).catch(() => false));
      });
      return true;
    },
    lookForContent() {
      if (!visibleAt || !film.isOn() || !recorder.watch.waitingFor().some(({ code }) => code === 'first-paint')) return;
      const now = clock.now();
      lookForContent.at(now, async () => {
        const commit = recorder.lastCommit();
        // What the document before it had drawn stands until this one draws.
        const frames = film.frames(now).filter(({ at }) => at > (commit?.at ?? 0));
        const at = await visibleAt(frames).catch(() => undefined);
        if (at === undefined || commit !== recorder.lastCommit()) return;
        recorder.addMark(defined({ name: 'content-visible', at, loaderId: commit?.loaderId }));
        recorder.watch.markMet();
      });
    },
    lookForUpdates() {
      const now = clock.now();
      if (!onlyUpdating || !film.isOn() || now < policy.observation.suspectMs) return;
      lookForUpdates.at(now, async () => {
        const soFar = { ...recorder.observed(now), frames: film.frames(now) };
        const endpoints = await onlyUpdating(soFar).catch(() => []);
        for (const detail of endpoints) recorder.addMark({ name: 'only-updating', at: now, detail });
        recorder.watch.markMet();
      });
    },
  };
}
