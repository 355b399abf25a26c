import type { CDPSession } from 'puppeteer-core';
import { ERROR_TEXT } from '../../core/health/shown.ts';
import { entriesOf, expressionsOf } from '../../core/metrics/own/index.ts';
import { boxOf, browserTimings, milestones, TIMINGS, type Timing } from '../../core/rendering/page-timings.ts';
import { finite, optional } from '../../core/requests/har-fields.ts';
import { defined } from '../../core/text/defined.ts';
import { toMicroseconds } from '../../core/time/time.ts';
import type { ShownPage } from '../../model/health.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import type { Mark } from '../../model/network/timeline.ts';
import type { DomChange, PageTimings } from '../../model/recording/recording.ts';
import type { Rendered } from '../../model/recording/rendered.ts';
import type { Ms } from '../../model/units.ts';
import { type RendererClocks, type RendererMetrics, readClocks } from './clocks/clock.ts';
import { DOM_CHANGES } from './dom-changes.ts';
import { evaluateAll } from './expressions.ts';
import {
  countInteractions,
  keepEntries,
  type PageReading,
  type ReadEntry,
  readPage,
  readShown,
  type WantedEntries,
} from './in-page.ts';
import { ISOLATED_WORLD, isolatedWorldOf } from './isolated-world.ts';
import { readRendered } from './read-rendered.ts';
import type { BeforeStart } from './targets.ts';

/** What a page says of itself when watching is over. */
export interface PageReport {
  readonly timings: PageTimings;
  /** Candidates for the largest contentful paint. */
  readonly paints: readonly Mark[];
  readonly metrics: RendererMetrics;
  readonly shown?: ShownPage;
  readonly rendered?: Rendered;
  /** When scripts changed the document; only where that was noted. */
  readonly domChanges?: readonly DomChange[];
  /** Changes of the address after an interaction, without another document; only what the browser tells of. */
  readonly softNavigations: readonly SoftNavigation[];
}

/** A change of the address that the browser takes for a navigation. Source: https://wicg.github.io/soft-navigations/ */
export interface SoftNavigation {
  /** When the interaction began. */
  readonly at: Ms;
  readonly firstContentfulPaint: Ms;
  /** Candidates for the largest contentful paint. */
  readonly paints: readonly Mark[];
}

/** What the script in the page returns. */
interface Reading extends PageReading {
  readonly shown?: ShownPage;
  readonly rendered?: Rendered;
  /** Of its own clock. */
  readonly domChanges?: readonly DomChange[];
}

const LARGEST_CONTENTFUL_PAINT = 'largest-contentful-paint';
/** From the interaction to its first paint. */
const SOFT_NAVIGATION = 'soft-navigation';
/** From an interaction to a larger paint than those before. */
const INTERACTION_PAINT = 'interaction-contentful-paint';

/**
 * Entries that are read of the page's performance timeline.
 *
 * @param named entries of these names are read also of a page that has very many
 */
const wanted = (named: readonly string[]): readonly WantedEntries[] => [
  { type: 'paint', fields: ['name'] },
  { type: LARGEST_CONTENTFUL_PAINT, fields: ['element', 'url'] },
  { type: SOFT_NAVIGATION, fields: ['duration', 'navigationId'] },
  { type: INTERACTION_PAINT, fields: ['duration', 'navigationId', 'largestContentfulPaint'] },
  ...Object.values(TIMINGS).map(({ entryType, fields, options }) =>
    defined({
      type: entryType,
      fields,
      options,
      named,
    }),
  ),
];
const expressionFor = (named: readonly string[]): string => `({
  ...(${readPage})(${JSON.stringify(wanted(named))}),
  shown: (${readShown})(${JSON.stringify(ERROR_TEXT.source)}, ${JSON.stringify(ERROR_TEXT.flags)}),
  rendered: (${readRendered})(),
  domChanges: globalThis[${JSON.stringify(DOM_CHANGES)}],
})`;

const keeping = (types: readonly Pick<Timing<unknown>, 'entryType' | 'options'>[]): string =>
  `(${keepEntries})(${JSON.stringify(types.map(({ entryType, options }) => ({ ...options, type: entryType })))});`;

/** Keeps the page's marks and measures, also those that it clears. */
export const keepUserTimings: BeforeStart = (session, kind) => {
  if (kind !== 'page') return;
  const source = keeping([TIMINGS.userMarks, TIMINGS.userMeasures]);
  session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD }).catch(() => undefined);
};

const FROM_NOW_ON = `${keeping([TIMINGS.interactions])}
  (${countInteractions})();
  globalThis[${JSON.stringify(DOM_CHANGES)}]?.splice(0);`;

/** Keeps the page's interactions from now on, also quick ones, and forgets how its document changed before. */
export async function reportFromNowOn(page: CDPSession): Promise<void> {
  const { contextId } = await isolatedWorldOf(page);
  await page.send('Runtime.evaluate', { expression: FROM_NOW_ON, contextId });
}

/**
 * Reads the page's own performance timeline, and then the user's own metrics.
 *
 * @param at converts the browser's monotonic seconds to ms since the recording's zero
 */
export async function readPageReport(
  clocks: RendererClocks,
  at: (browserSeconds: number) => Ms,
  own: readonly OwnMetric[] | undefined,
): Promise<PageReport> {
  const { page } = clocks;
  const { contextId, frame } = await isolatedWorldOf(page);
  const [{ result }, metrics] = await Promise.all([
    page.send('Runtime.evaluate', { expression: expressionFor(entriesOf(own)), contextId, returnByValue: true }),
    readClocks(clocks),
  ]);
  const {
    url: finalUrl,
    title,
    navigation,
    entries,
    interactionCount,
    shown,
    rendered,
    domChanges,
  } = result.value as Reading;
  // The document's own zero is later than the recording's after a client-side redirect.
  const zero = at(metrics.navigationStart);
  const shift = (time: number): Ms => toMicroseconds(zero + time);
  /** 0 stands for "not yet" in the navigation entry. */
  const reached = (time: number | undefined): Ms | undefined => (time ? shift(time) : undefined);
  const { loaderId } = frame;
  const paintAt =
    (timeOf: (entry: ReadEntry) => number) =>
    (entry: ReadEntry): Mark => ({
      name: LARGEST_CONTENTFUL_PAINT,
      at: shift(timeOf(entry)),
      loaderId,
      ...(typeof entry.element === 'string' && { detail: entry.element }),
      // The address of an inline picture is its content, which Chrome then cuts short.
      ...(typeof entry.url === 'string' && /^https?:/i.test(entry.url) && { url: entry.url }),
      ...optional('box', boxOf(entry.elementBox)),
    });
  const endOf = ({ startTime, duration }: ReadEntry): number => startTime + (finite(duration) ?? 0);
  // Last: an expression may change the page.
  const evaluated = await evaluateAll(page, expressionsOf(own));
  return {
    timings: {
      finalUrl,
      title,
      ...defined({ interactionCount, evaluated: evaluated.length > 0 ? evaluated : undefined }),
      ...milestones((milestone) =>
        reached(
          milestone.navigation === undefined
            ? entries.paint?.find(({ name }) => name === milestone.paint)?.startTime
            : navigation[milestone.navigation],
        ),
      ),
      ...browserTimings((entryType) => entries[entryType]?.map((entry) => ({ ...entry, at: shift(entry.startTime) }))),
    },
    paints: (entries[LARGEST_CONTENTFUL_PAINT] ?? []).map(paintAt(({ startTime }) => startTime)),
    softNavigations: (entries[SOFT_NAVIGATION] ?? []).map((entry) => ({
      at: shift(entry.startTime),
      firstContentfulPaint: shift(endOf(entry)),
      paints: (entries[INTERACTION_PAINT] ?? [])
        .filter(({ navigationId }) => navigationId === entry.navigationId)
        .map(paintAt(endOf)),
    })),
    metrics,
    ...defined({
      shown,
      rendered,
      domChanges: domChanges?.map((change) => ({
        ...change,
        at: shift(change.at),
        rendering: toMicroseconds(change.rendering),
        paintedAt: shift(change.paintedAt),
      })),
    }),
  };
}
