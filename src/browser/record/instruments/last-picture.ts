import type { CDPSession } from 'puppeteer-core';
import { withTimeout } from '../../connect/with-timeout.ts';
import { takePicture } from '../../film/film.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** The viewport of a filmed load when watching is over, in full size. */
export function createLastPicture({ request, clock }: MeasuredLoad): Instrument | undefined {
  if (!request.film) return undefined;
  let page: CDPSession | undefined;
  return {
    async start(targets) {
      ({ page } = targets);
    },
    async read({ answers }) {
      const at = clock.now();
      const image = answers && page ? await withTimeout(takePicture(page)) : undefined;
      return image === undefined ? {} : { lastPicture: { at, image } };
    },
  };
}
