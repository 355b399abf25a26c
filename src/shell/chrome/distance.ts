import type { CDPSession } from 'puppeteer-core';

/** How often the browser is asked; the soonest answer counts, because a busy one may take its time. */
const QUESTIONS = 5;
/** From this distance on, ms, waiting for commands can be seen in the figures of a load of about a second. */
const FAR_MS = 20;

/** How long a command to the browser and its answer take on the way, ms. */
export async function roundTrip(root: CDPSession): Promise<number> {
  let soonest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < QUESTIONS; i += 1) {
    const asked = performance.now();
    await root.send('Browser.getVersion');
    soonest = Math.min(soonest, performance.now() - asked);
  }
  return soonest;
}

/** What a reader should know of a browser that is far away; nothing of one that is near. */
export function noteOnDistance(ms: number): readonly string[] {
  if (ms < FAR_MS) return [];
  // One digit: a browser that is connected to once more is not another distance away.
  const about = Number(ms.toPrecision(1));
  return [
    `The browser is about ${about} ms away, there and back: so much later begin workers and frames of other sites, and with --header or --basic-auth all requests to the page's own origin (docs/recipes.md, "A browser elsewhere"). Run Quiesce close to the browser.`,
  ];
}
