import type { CapacityLimit, PageUnderLoad } from '../../model/capacity.ts';
import { loadInWords } from '../../wording/capacity.ts';
import { formatInterval, formatShare, formatValue } from '../../wording/text/format.ts';
import { type Table, table } from '../parts.ts';

/** The page while its server is under load. */
export const underLoad = (page: PageUnderLoad | undefined, limit: CapacityLimit): readonly Table[] =>
  table(
    page?.points ?? [],
    [
      { title: 'Load', cell: (point) => loadInWords(point, limit) },
      { title: 'Connections', figures: true, cell: ({ concurrency }) => formatValue(concurrency, 'count') },
      { title: 'Page complete', figures: true, cell: ({ pageComplete }) => formatValue(pageComplete, 'ms') },
      { title: 'Interval (95%)', worth: 1, cell: ({ low, high }) => formatInterval(low, high, 'ms') },
      { title: 'Base page', figures: true, worth: 2, cell: ({ basePage }) => formatValue(basePage, 'ms') },
      {
        title: 'Loads',
        figures: true,
        worth: 3,
        cell: ({ n, of }) =>
          n === of ? formatValue(n, 'count') : `${n} of ${of} (${formatShare(n / Math.max(1, of))})`,
      },
    ],
    'all',
    { title: 'What people see' },
  );
