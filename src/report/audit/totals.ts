import type { Party, SiteTotals, TypeTotals } from '../../model/result/result.ts';
import { ABSENT, formatCount, formatShare, formatValue, joined } from '../../wording/text/format.ts';
import { type ColumnOf, details, paragraph, table } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Sites of one company, and types in the line of the chapter, that are named. */
const MAX_SITES = 3;

interface Row extends TypeTotals {
  readonly name: string;
}

const PARTIES: Readonly<Record<Party, string>> = { first: "the page's own site", third: 'another site' };

/** What the page downloaded until it was complete, by type and by who sent it. */
export const totals: Chapter = ({ target, detail }) => {
  const { byType = {}, byParty, bySite = [] } = target.result.totals ?? {};
  const types = largestFirst(Object.entries(byType).map(([name, total]): Row => ({ name, ...total })));
  if (types.length === 0) return [];
  const all = sumOf(types, 'transferSize');
  const share = (bytes: number): string => formatShare(all > 0 ? bytes / all : 0);
  const third = byParty?.third;
  const others =
    third === undefined
      ? 'all of it from its own site'
      : `${formatValue(third.transferSize, 'bytes')} (${share(third.transferSize)}) in ${formatCount(third.requests, 'request')} from other sites`;
  const columns = (title: string): readonly ColumnOf<Row>[] => [
    { title, cell: ({ name }) => name },
    { title: 'Requests', figures: true, cell: ({ requests }) => formatValue(requests, 'count') },
    { title: 'Transferred', figures: true, cell: ({ transferSize }) => formatValue(transferSize, 'bytes') },
    { title: 'Share', figures: true, cell: ({ transferSize }) => share(transferSize) },
  ];
  const named = types
    .filter(({ transferSize }) => transferSize > 0)
    .slice(0, MAX_SITES)
    .map(({ name, transferSize }) => `${name} ${share(transferSize)}`);
  const total = `${formatValue(all, 'bytes')} in ${formatCount(sumOf(types, 'requests'), 'request')}`;
  return details(
    'What it downloaded',
    [
      ...paragraph(`${formatValue(all, 'bytes')} up to page complete, without background traffic; ${others}.`),
      {
        kind: 'side-by-side',
        parts: [
          ...table(types, columns('Type'), detail, { title: 'By type' }),
          ...table(companiesOf(bySite), columns('Site'), detail, { title: 'By site', noun: 'site' }),
        ],
      },
    ],
    detail,
    { line: named.length === 0 ? total : `${total}: ${joined(named)}` },
  );
};

const sumOf = (rows: readonly TypeTotals[], of: keyof TypeTotals): number =>
  rows.reduce((sum, row) => sum + row[of], 0);

const largestFirst = (rows: readonly Row[]): readonly Row[] => rows.toSorted((a, b) => b.transferSize - a.transferSize);

/** Sites that one company runs stand together; what is the page's own, and what nobody is known to run, is named by its site. */
function companiesOf(bySite: readonly SiteTotals[]): readonly Row[] {
  const groups = Map.groupBy(bySite, ({ site, entity, party }) => `${party} ${entity ?? ''} ${entity ? '' : site}`);
  return largestFirst(
    [...groups.values()].map((group): Row => {
      const [{ entity, party }] = group as [SiteTotals];
      const sites = joined([...new Set(group.map(({ site }) => (site === '' ? ABSENT : site)))], MAX_SITES);
      const whose = PARTIES[party] ?? ABSENT;
      return {
        name: party === 'first' || entity === undefined ? `${sites} (${whose})` : `${entity} (${sites})`,
        requests: sumOf(group, 'requests'),
        transferSize: sumOf(group, 'transferSize'),
      };
    }),
  );
}
