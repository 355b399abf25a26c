import type { CDPSession } from 'puppeteer-core';
import { toMicroseconds } from '../../core/time.ts';
import type { PageTimings } from '../../model/recording.ts';
import type { Mark } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { type RendererMetrics, readRenderer } from './clock.ts';
import { WORLD } from './complete-on.ts';
import { type PageReading, readPage } from './in-page.ts';

/** What a page says of itself when watching is over. */
export interface PageReport {
  readonly timings: PageTimings;
  /** Candidates for the largest contentful paint. */
  readonly paints: readonly Mark[];
  readonly metrics: RendererMetrics;
}

/**
 * Reads the page's own performance timeline.
 *
 * @param at puts the browser's monotonic seconds on the recording's axis
 */
export async function readPageReport(page: CDPSession, at: (browserSeconds: number) => Ms): Promise<PageReport> {
  const { frameTree } = await page.send('Page.getFrameTree');
  const world = await page.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: WORLD });
  const [{ result }, metrics] = await Promise.all([
    page.send('Runtime.evaluate', {
      expression: `(${readPage})()`,
      contextId: world.executionContextId,
      returnByValue: true,
    }),
    readRenderer(page),
  ]);
  const reading = result.value as PageReading;
  // The document's own zero lies later than ours when a client-side redirect came before it.
  const zero = at(metrics.navigationStart);
  const shift = (time: number | undefined): Ms | undefined =>
    time === undefined || time === 0 ? undefined : toMicroseconds(zero + time);
  const { loaderId } = frameTree.frame;
  return {
    timings: timingsOf(reading, shift),
    paints: reading.largest.map(({ startTime, what, url }) => ({
      name: 'largest-contentful-paint',
      at: toMicroseconds(zero + startTime),
      loaderId,
      ...(what !== '' && { detail: what }),
      // A picture can be written out in its address, which Chrome then cuts short.
      ...(/^https?:/i.test(url) && { url }),
    })),
    metrics,
  };
}

function timingsOf(reading: PageReading, shift: (time: number | undefined) => Ms | undefined): PageTimings {
  const { navigation, paints } = reading;
  const named = {
    responseStart: shift(navigation?.responseStart),
    responseEnd: shift(navigation?.responseEnd),
    domInteractive: shift(navigation?.domInteractive),
    domContentLoadedEnd: shift(navigation?.domContentLoadedEventEnd),
    loadEnd: shift(navigation?.loadEventEnd),
    firstPaint: shift(paints.find((paint) => paint.name === 'first-paint')?.startTime),
    firstContentfulPaint: shift(paints.find((paint) => paint.name === 'first-contentful-paint')?.startTime),
  };
  const known = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return {
    finalUrl: reading.url,
    title: reading.title,
    ...known,
    longTasks: reading.longTasks.map(({ startTime, duration }) => ({ at: shift(startTime) ?? 0, duration })),
    layoutShifts: reading.shifts.map(({ startTime, value }) => ({ at: shift(startTime) ?? 0, score: value })),
  };
}
