import type { CDPSession } from 'puppeteer-core';
import type { BrowserNote } from '../../model/result/note.ts';

/** How often the round trip is measured. The shortest one counts, because a busy browser may be slow to answer. */
const MEASUREMENTS = 5;
/** From this round trip on, ms, waiting for commands shows in the figures of a load of about a second. */
const WORTH_NOTING_MS = 20;

/** How long a command to the browser and its answer take, ms. */
export async function roundTrip(root: CDPSession): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < MEASUREMENTS; i += 1) {
    const asked = performance.now();
    await root.send('Browser.getVersion');
    shortest = Math.min(shortest, performance.now() - asked);
  }
  return shortest;
}

/** Notes for the reader about a browser that is far away; none about a near one. */
export function noteOnDistance(ms: number): readonly BrowserNote[] {
  if (ms < WORTH_NOTING_MS) return [];
  // One digit: the note stays the same when the browser is connected to once more.
  return [{ code: 'far-browser', roundTrip: Number(ms.toPrecision(1)) }];
}
