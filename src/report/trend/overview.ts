import type { TrendPage } from '../../model/trend.ts';
import { ABSENT, andMore, formatCount, formatValue } from '../../wording/text/format.ts';
import { lastChange, shiftText, shortPointName, unmeasuredSince } from '../../wording/trend/words.ts';
import { type Cell, type ColumnOf, paragraph, type Text, table } from '../parts.ts';
import { MAX_PAGES, type TrendChapter } from './chapter.ts';

/** Every page at a glance; who reads in a terminal has them below. */
export const overview: TrendChapter = ({ pages }, detail) => {
  if (detail !== 'normal') return [];
  const left = pages.length - MAX_PAGES;
  return [
    ...table(
      pages.slice(0, MAX_PAGES),
      [{ title: 'Page', cell: ({ page }) => ({ code: page }) }, ...overviewColumns(pages)],
      'all',
    ),
    ...(left > 0 ? paragraph(`${andMore(left, 'page')}, which the report shows`) : []),
  ];
};

/** What is said of each page beside its name. */
export function overviewColumns(pages: readonly TrendPage[]): readonly ColumnOf<TrendPage>[] {
  const [title, ...others] = new Set(pages.map(({ metrics: [first] }) => first?.title ?? ''));
  return [
    { title: 'Results', figures: true, cell: ({ points }) => formatValue(points.length, 'count') },
    { title: others.length === 0 ? `${title} now` : 'Now', figures: true, cell: nowOf },
    { title: 'Last change', cell: changeOf },
  ];
}

function nowOf(page: TrendPage): Cell | Text {
  if (unmeasuredSince(page) !== undefined) return { mark: 'invalid', text: 'not measured' };
  const [first] = page.metrics;
  return formatValue(first?.values.at(-1)?.median, first?.unit ?? 'ms');
}

function changeOf(page: TrendPage): Cell | Text {
  const last = lastChange(page);
  if (last === undefined) {
    if (page.metrics.some(({ pending }) => pending)) return { mark: 'unknown', text: 'perhaps in the last result' };
    return page.points.length === 0 ? ABSENT : `no change in ${formatCount(page.points.length, 'result')}`;
  }
  const { change, metric } = last;
  const since = shortPointName(page.points[change.point]);
  return { mark: change.direction, text: `${metric.title} ${shiftText(change, metric)} since ${since}` };
}
