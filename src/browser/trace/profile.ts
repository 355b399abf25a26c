import type { CDPSession } from 'puppeteer-core';
import { withTimeout } from '../connect/with-timeout.ts';

/** How often the profiler looks, microseconds: as often as DevTools does. */
const SAMPLE_EVERY_US = 200;

/** A CPU profile under way. */
export interface CpuProfile {
  /** Ends it; as the browser sent it, or undefined when it did not come. */
  end(): Promise<unknown>;
}

/**
 * Starts a CPU profile of a page that has not navigated yet; it goes on in the process of the document that comes.
 * Undefined where the browser refuses one. It takes no time to hand over, unlike a trace.
 */
export async function startProfile(page: CDPSession): Promise<CpuProfile | undefined> {
  try {
    await page.send('Profiler.enable');
    await page.send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
    await page.send('Profiler.start');
  } catch {
    return undefined;
  }
  return { end: async () => (await withTimeout(page.send('Profiler.stop')))?.profile };
}
