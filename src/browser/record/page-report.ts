import type { CDPSession } from 'puppeteer-core';
import { defined } from '../../core/defined.ts';
import { milestones, TIMINGS, timingEntries } from '../../core/page-timings.ts';
import { toMicroseconds } from '../../core/time.ts';
import type { PageTimings } from '../../model/recording.ts';
import type { Mark } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { type RendererMetrics, readRenderer } from './clock.ts';
import { type PageReading, readPage, type WantedEntries } from './in-page.ts';
import { isolatedWorldOf } from './isolated-world.ts';

/** What a page says of itself when watching is over. */
export interface PageReport {
  readonly timings: PageTimings;
  /** Candidates for the largest contentful paint. */
  readonly paints: readonly Mark[];
  readonly metrics: RendererMetrics;
}

const LARGEST_CONTENTFUL_PAINT = 'largest-contentful-paint';

/** Entries that are read of the page's performance timeline. */
const WANTED: readonly WantedEntries[] = [
  { type: 'paint', fields: ['name'] },
  { type: LARGEST_CONTENTFUL_PAINT, fields: ['element', 'url'] },
  ...Object.values(TIMINGS).map(({ entryType, fields, options }) =>
    defined({
      type: entryType,
      fields,
      options,
    }),
  ),
];
const EXPRESSION = `(${readPage})(${JSON.stringify(WANTED)})`;

/**
 * Reads the page's own performance timeline.
 *
 * @param at converts the browser's monotonic seconds to ms since the recording's zero
 */
export async function readPageReport(page: CDPSession, at: (browserSeconds: number) => Ms): Promise<PageReport> {
  const { contextId, frame } = await isolatedWorldOf(page);
  const [{ result }, metrics] = await Promise.all([
    page.send('Runtime.evaluate', { expression: EXPRESSION, contextId, returnByValue: true }),
    readRenderer(page),
  ]);
  const { url: finalUrl, title, navigation, entries } = result.value as PageReading;
  // The document's own zero is later than the recording's after a client-side redirect.
  const zero = at(metrics.navigationStart);
  const shift = (time: number): Ms => toMicroseconds(zero + time);
  /** 0 stands for "not yet" in the navigation entry. */
  const reached = (time: number | undefined): Ms | undefined => (time ? shift(time) : undefined);
  const { loaderId } = frame;
  return {
    timings: {
      finalUrl,
      title,
      ...milestones((milestone) =>
        reached(
          milestone.navigation === undefined
            ? entries.paint?.find(({ name }) => name === milestone.paint)?.startTime
            : navigation[milestone.navigation],
        ),
      ),
      ...timingEntries(({ entryType }) =>
        entries[entryType]?.map((entry) => ({ ...entry, at: shift(entry.startTime) })),
      ),
    },
    paints: (entries[LARGEST_CONTENTFUL_PAINT] ?? []).map(({ startTime, element, url }) => ({
      name: LARGEST_CONTENTFUL_PAINT,
      at: shift(startTime),
      loaderId,
      ...(typeof element === 'string' && { detail: element }),
      // The address of an inline picture is its content, which Chrome then cuts short.
      ...(typeof url === 'string' && /^https?:/i.test(url) && { url }),
    })),
    metrics,
  };
}
