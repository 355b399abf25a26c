import type { JSX } from 'preact';
import type { Party, SiteTotals, TypeTotals } from '../../../model/result.ts';
import { totalsLine } from '../../../report/chapter-lines.ts';
import { ABSENT, formatCount, formatShare, formatValue, joined } from '../../../wording/format.ts';
import { foreign, Part, type SectionProps } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** Sites that are seen at once; of more, the smallest are folded away. */
const FEW = 6;
/** Sites that are listed at all. */
const MOST = 100;

/** Sites of one company that are named. */
const SITES_NAMED = 3;

interface Row extends TypeTotals {
  readonly name: string;
}

const PARTIES: Readonly<Record<Party, string>> = { first: "the page's own site", third: 'another site' };

/** What the page downloaded until it was complete, by type and by who sent it. */
export function TotalsPart({ target, id }: SectionProps): JSX.Element | undefined {
  const { totals } = target.result;
  if (totals === undefined) return undefined;
  const { byType, byParty, bySite = [] } = totals;
  const types = Object.entries(byType)
    .map(([name, total]): Row => ({ name, ...total }))
    .toSorted((a, b) => b.transferSize - a.transferSize);
  if (types.length === 0) return undefined;
  const all = types.reduce((sum, { transferSize }) => sum + transferSize, 0);
  const third = byParty?.third;
  const sites = partyRows(bySite).slice(0, MOST);
  const table = (caption: string, title: string, rows: readonly Row[]): JSX.Element => (
    <Table caption={caption} columns={columnsOf(title, all)} rows={rows} />
  );
  return (
    <Part
      id={id}
      title="What it downloaded"
      line={totalsLine(target) ?? ''}
      lead={`${formatValue(all, 'bytes')} up to page complete, without background traffic; ${
        third === undefined
          ? 'all of it from its own site.'
          : `${formatValue(third.transferSize, 'bytes')} (${formatShare(all > 0 ? third.transferSize / all : 0)}) in ${formatCount(third.requests, 'request')} from other sites.`
      }`}
    >
      <div class="columns">
        <div>
          <h4>By type</h4>
          {table('Downloads by type', 'Type', types)}
        </div>
        {sites.length > 0 && (
          <div>
            <h4>By site</h4>
            {table('Downloads by site', 'Site', sites.slice(0, FEW))}
            {sites.length > FEW && (
              <details class="more">
                <summary>{formatCount(sites.length - FEW, 'more site')}</summary>
                {table('More downloads by site', 'Site', sites.slice(FEW))}
              </details>
            )}
          </div>
        )}
      </div>
    </Part>
  );
}

/** Sites that one company runs stand together; what is the page's own, and what nobody is known to run, is named by its site. */
function partyRows(bySite: readonly SiteTotals[]): readonly Row[] {
  return [
    ...Map.groupBy(bySite, ({ site, entity, party }) => `${party} ${entity ?? ''} ${entity ? '' : site}`).values(),
  ]
    .map((group): Row => {
      const [{ entity, party }] = group as [SiteTotals];
      const sites = joined([...new Set(group.map(({ site }) => (site === '' ? ABSENT : site)))], SITES_NAMED);
      const whose = PARTIES[party] ?? ABSENT;
      return {
        name: party === 'first' || entity === undefined ? `${sites} (${whose})` : `${entity} (${sites})`,
        requests: group.reduce((sum, { requests }) => sum + requests, 0),
        transferSize: group.reduce((sum, { transferSize }) => sum + transferSize, 0),
      };
    })
    .toSorted((a, b) => b.transferSize - a.transferSize);
}

const columnsOf = (title: string, all: number): readonly Column<Row>[] => [
  { title, className: 'some', cell: ({ name }) => <bdi dir="ltr">{foreign(name)}</bdi> },
  { title: 'Requests', className: 'num', cell: ({ requests }) => formatValue(requests, 'count') },
  { title: 'Transferred', className: 'num', cell: ({ transferSize }) => formatValue(transferSize, 'bytes') },
  {
    title: 'Share',
    className: 'num',
    cell: ({ transferSize }) => formatShare(all > 0 ? transferSize / all : 0),
  },
];
