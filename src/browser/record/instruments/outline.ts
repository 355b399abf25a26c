import type { CDPSession } from 'puppeteer-core';
import { defined } from '../../../core/text/defined.ts';
import { withTimeout } from '../../connect/with-timeout.ts';
import { type Outline, readOutline } from '../outline.ts';
import type { TargetWatch } from '../targets.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** How long after the network is quiet its last answer is in the document, ms; then half of the usual quiet window is left. */
const DRAWN_BY_THEN_MS = 1_500;

/** What there is to be seen in a filmed document. */
export function createOutline({ request }: MeasuredLoad): Instrument | undefined {
  if (!request.film) return undefined;
  let targets: TargetWatch | undefined;
  const earlier = readEarlier(() => targets?.page);
  return {
    async start(opened) {
      targets = opened;
    },
    ...(request.onlyWatched && { quiet: earlier.soon, busyAgain: earlier.forget }),
    async read({ answers }) {
      const outline = answers && targets ? await withTimeout(readOutline(targets.page, targets.frames())) : undefined;
      if (!outline) return {};
      const before = earlier.outline();
      return { ...outline, ...defined({ earlierOutline: before?.outline, earlierNumbers: before?.numbers }) };
    },
    stop: earlier.forget,
  };
}

/** What counts by itself differs between now and later, when the page is compared: nothing else changes any more. */
function readEarlier(page: () => CDPSession | undefined) {
  let earlier: Outline | undefined;
  let waiting: NodeJS.Timeout | undefined;
  return {
    outline: () => earlier,
    soon(): void {
      const session = page();
      if (!session || waiting) return;
      const timer = setTimeout(async () => {
        const outline = await withTimeout(readOutline(session));
        // Content may have come while it was read.
        if (waiting === timer) earlier = outline;
      }, DRAWN_BY_THEN_MS);
      waiting = timer;
    },
    forget(): void {
      clearTimeout(waiting);
      waiting = undefined;
      earlier = undefined;
    },
  };
}
