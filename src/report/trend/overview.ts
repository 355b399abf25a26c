import type { TrendPage } from '../../model/trend.ts';
import { ABSENT, andMore, formatCount, formatValue } from '../../wording/format.ts';
import { lastChange, shiftText, shortPointName } from '../../wording/trend-words.ts';
import { type Cell, paragraph, type Text, table } from '../parts.ts';
import { MAX_PAGES, type TrendChapter } from './chapter.ts';

/** Every page at a glance; who reads in a terminal has them below. */
export const overview: TrendChapter = ({ pages }, detail) => {
  if (detail !== 'normal') return [];
  const left = pages.length - MAX_PAGES;
  return [
    ...table(
      pages.slice(0, MAX_PAGES),
      [
        { title: 'Page', cell: ({ page }) => ({ code: page }) },
        { title: 'Results', figures: true, cell: ({ points }) => formatValue(points.length, 'count') },
        {
          title: 'Now',
          figures: true,
          cell: ({ metrics: [first] }) => formatValue(first?.values.at(-1)?.median, first?.unit ?? 'ms'),
        },
        { title: 'Last change', cell: changeOf },
      ],
      'all',
    ),
    ...(left > 0 ? paragraph(`${andMore(left, 'page')}, which the report shows`) : []),
  ];
};

function changeOf(page: TrendPage): Cell | Text {
  const last = lastChange(page);
  if (last === undefined)
    return page.points.length === 0 ? ABSENT : `no change in ${formatCount(page.points.length, 'result')}`;
  const { change, metric } = last;
  const since = shortPointName(page.points[change.point]);
  return { mark: change.direction, text: `${metric.title} ${shiftText(change, metric)} since ${since}` };
}
