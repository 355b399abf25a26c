import type { CDPSession } from 'puppeteer-core';
import { SAMPLE_EVERY_MS } from '../../core/main-thread/samples.ts';
import { withTimeout } from '../connect/with-timeout.ts';

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
    await page.send('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_MS * 1000 });
    await page.send('Profiler.start');
  } catch {
    return undefined;
  }
  return { end: async () => (await withTimeout(page.send('Profiler.stop')))?.profile };
}
