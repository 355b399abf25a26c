import type { CDPSession } from 'puppeteer-core';
import { defined } from '../../../core/text/defined.ts';
import type { Frame } from '../../../model/recording/recording.ts';
import type { Ms } from '../../../model/units.ts';
import { type Film, startFilm } from '../../film/film.ts';
import { traceAsyncStacks } from '../async-stacks.ts';
import { reportViolations } from '../page-errors.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** A film of the viewport: of the whole load, or from when the network is quiet on. */
export interface Filming extends Instrument {
  /** A film is taken now. */
  isOn(): boolean;
  frames(until: Ms): readonly Frame[];
  stop(): void;
}

export function createFilming({ request, clock }: MeasuredLoad): Filming {
  let page: CDPSession | undefined;
  let film: Film | undefined;
  /** A film that begins when the network is quiet was begun. */
  let filming = false;
  let isWanted = false;

  const frames = (until: Ms): readonly Frame[] =>
    film?.frames({ at: (seconds) => clock.at(seconds), startedAt: clock.startedAt(), until }) ?? [];
  const start = (session: CDPSession): Promise<Film> => startFilm(session, () => clock.browserNow());
  const filmFromNowOn = async (): Promise<void> => {
    isWanted = true;
    if (filming || !page) return;
    filming = true;
    film = await start(page).catch(() => undefined);
    // The page may have begun to load again while the film was started.
    if (!isWanted) filmLater();
  };
  /** What the page still loads must not share the machine with a film of it. */
  const filmLater = (): void => {
    isWanted = false;
    if (!film) return;
    film.stop();
    film = undefined;
    filming = false;
  };
  return {
    beforeStart: request.film ? [traceAsyncStacks, reportViolations] : [],
    async start(targets) {
      page = targets.page;
      if (request.film) film = await start(page);
    },
    ...(request.filmWhenQuiet && { quiet: () => void filmFromNowOn(), busyAgain: filmLater }),
    read: ({ until }) => ({ frames: frames(until), ...defined({ animations: film?.animations(clock) }) }),
    stop: () => film?.stop(),
    isOn: () => film !== undefined,
    frames,
  };
}
