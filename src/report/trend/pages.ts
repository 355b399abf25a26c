import type { MetricTrend, TrendPage } from '../../model/trend.ts';
import { ABSENT, andMore, formatCount, formatShare, formatValue } from '../../wording/text/format.ts';
import { unmeasuredSentence } from '../../wording/trend/trend.ts';
import { FEWEST_RESULTS, shiftText, spanInWords } from '../../wording/trend/words.ts';
import { alert, type Cell, type Detail, type Details, type Item, list, paragraph, table } from '../parts.ts';
import { MAX_PAGES, type TrendChapter } from './chapter.ts';

/** Each page: what it is now, its history, and what changed. */
export const pages: TrendChapter = ({ pages: all }, detail) => {
  const left = all.length - MAX_PAGES;
  return [
    ...all.slice(0, MAX_PAGES).map((page): Details => pageParts(page, detail)),
    ...(left > 0 && detail !== 'normal' ? paragraph(`${andMore(left, 'page')}, which the report shows`) : []),
  ];
};

function pageParts(page: TrendPage, detail: Detail): Details {
  const { metrics } = page;
  return {
    kind: 'details',
    title: { code: page.page },
    line: resultsInWords(page),
    parts: [
      ...alert(unmeasuredSentence(page)),
      ...table(
        metrics,
        [
          { title: 'Metric', cell: ({ title }) => title },
          { title: 'Now', figures: true, cell: ({ values, unit }) => formatValue(values.at(-1)?.median, unit) },
          { title: 'Last change', cell: lastOf },
          { title: 'Varies by', figures: true, worth: 1, cell: (metric) => variesBy(metric) ?? ABSENT },
        ],
        'all',
        { drawings: [{ name: 'history', title: 'Over time', rows: metrics }] },
      ),
      // Of what did not change, the table says it.
      ...list(
        metrics.filter(({ changes, pending }) => changes.length > 0 || pending !== undefined).flatMap(findingsOf),
        detail,
        { noun: 'earlier change' },
      ),
    ],
  };
}

/** "40 results, 1 Jan 2026 to 9 Feb 2026". */
export function resultsInWords({ points }: TrendPage): string {
  const [first, last] = [points[0], points.at(-1)];
  const span = first === undefined || last === undefined ? '' : `, ${spanInWords(first.at, last.at)}`;
  return `${formatCount(points.length, 'result')}${span}`;
}

function lastOf({ changes, pending, values, unit }: MetricTrend): Cell {
  const last = changes.at(-1);
  if (last !== undefined) return { mark: last.direction, text: shiftText(last, { unit }) };
  if (pending !== undefined) return { mark: 'unknown', text: 'no change yet' };
  return { mark: 'same', text: values.length < FEWEST_RESULTS ? 'too few results' : 'no change' };
}

/** By how much it differs from one result to the next. */
function variesBy({ noise, scale, unit }: MetricTrend): string | undefined {
  if (noise === undefined) return undefined;
  return scale === 'ratio' ? formatShare(noise) : formatValue(noise, unit);
}

/** What the history of a metric says, newest first; where nothing changed, how much could have gone unseen. */
export function findingsOf(metric: MetricTrend): readonly Item[] {
  const { changes, pending, values } = metric;
  const said: readonly Item[] = [
    ...(pending === undefined ? [] : [{ mark: 'unknown' as const, text: pending.sentence }]),
    ...changes.toReversed().map(({ direction, sentence }) => ({ mark: direction, text: sentence })),
  ];
  if (said.length > 0) return said;
  if (values.length < FEWEST_RESULTS) {
    const few = `${formatCount(values.length, 'result')}: changes are marked from ${FEWEST_RESULTS} results on.`;
    return [{ mark: 'same', text: few }];
  }
  const spread = variesBy(metric);
  const varies = spread === undefined ? '' : ` From one result to the next it varies by ${spread}.`;
  return [{ mark: 'same', text: `No change in ${formatCount(values.length, 'result')}.${varies}` }];
}
