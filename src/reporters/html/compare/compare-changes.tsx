import type { JSX } from 'preact';
import type { Changes, RequestChange } from '../../../model/comparison.ts';
import type { CompareReport } from '../../../model/report.ts';
import type { Finding } from '../../../model/result.ts';
import { changesInShort } from '../../../report/compare/changes.ts';
import { formatCount, formatValue } from '../../../wording/format.ts';
import { hostWithEntity } from '../../../wording/parties.ts';
import { findingTitle } from '../../../wording/words.ts';
import { anythingChanged, requestSize, sizeChange } from '../../comparison.ts';
import { Endpoint } from '../background/background.tsx';
import { Address, foreign, Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { RowMark } from '../waterfall/rows.ts';

/** Requests that are seen at once; of more, the rest is folded away. */
const FEW = 12;
/** Requests that are listed at most. */
const MOST = 200;
/** Hosts and findings that are listed. */
const LISTED = 20;

interface Marked extends RequestChange {
  readonly mark: RowMark;
}

const COLUMNS: readonly Column<Marked>[] = [
  { title: 'Request', className: 'wide', cell: ({ name }) => <Endpoint label={name} /> },
  { title: 'Change', cell: ({ mark }) => <b class={`ch c-${mark}`}>{mark}</b> },
  { title: 'Type', cell: ({ type }) => foreign(type) },
  {
    title: 'Transferred',
    className: 'some',
    cell: requestSize,
  },
  {
    title: 'Requests',
    cell: ({ base, candidate }) => {
      const [before, after] = [base?.requests, candidate?.requests];
      if (before !== undefined && after !== undefined && before !== after) {
        return `${formatValue(before, 'count')} → ${formatValue(after, 'count')}`;
      }
      return formatValue(after ?? before, 'count');
    },
  },
];

/** Everything that changed besides time. */
export function CompareChangesPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { changes, design } = report.result;
  if (!anythingChanged(report)) {
    if (design.pairs === 0) return undefined;
    return (
      <Part
        id="compare"
        title="What changed besides time"
        short="Changes"
        line="Nothing: requests, sizes, other sites and findings are the same"
      >
        <p class="soft">Medians over the loads of each build were compared.</p>
      </Part>
    );
  }
  const rows: readonly Marked[] = [
    ...changes.added.map((change) => ({ ...change, mark: 'new' as const })),
    ...changes.removed.map((change) => ({ ...change, mark: 'gone' as const })),
    ...changes.grown.map((change) => ({ ...change, mark: 'grown' as const })),
    ...changes.shrunk.map((change) => ({ ...change, mark: 'shrunk' as const })),
  ];
  const more = rows.slice(FEW, MOST);
  return (
    <Part
      id="compare"
      title="What changed besides time"
      short="Changes"
      line={changesInShort(report)}
      lead="Medians over the loads of each build."
    >
      {rows.length > 0 && <Table caption="Requests that changed" columns={COLUMNS} rows={rows.slice(0, FEW)} />}
      {more.length > 0 && (
        <details class="more">
          <summary>{formatCount(rows.length - FEW, 'more request')}</summary>
          <Table caption="More requests that changed" columns={COLUMNS} rows={more} />
        </details>
      )}
      <div class="columns">
        <Bytes changes={changes} />
        <Hosts changes={changes} />
      </div>
      <Findings changes={changes} />
    </Part>
  );
}

function Bytes({ changes }: { readonly changes: Changes }): JSX.Element | undefined {
  const { bytes } = changes;
  if (bytes.length === 0) return undefined;
  const most = Math.max(1, ...bytes.flatMap(({ base, candidate }) => [base, candidate]));
  const share = (size: number): string => `${Number(((size / most) * 100).toFixed(2))}%`;
  return (
    <div>
      <h4>Transferred bytes</h4>
      <dl class="bytes">
        {bytes.map(({ type, base, candidate }) => (
          <div key={type}>
            <dt>{foreign(type)}</dt>
            <dd>
              <svg height="14" aria-hidden="true">
                <rect class="of-base" width={share(base)} height="6" y="0" />
                <rect class="of-candidate" width={share(candidate)} height="6" y="8" />
              </svg>
              <span>{sizeChange(base, candidate)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Hosts({ changes }: { readonly changes: Changes }): JSX.Element | undefined {
  const { added, removed } = changes.thirdParties;
  if (added.length + removed.length === 0) return undefined;
  const list = (hosts: readonly string[], mark: RowMark) =>
    hosts.slice(0, LISTED).map((host) => (
      <li key={`${mark} ${host}`}>
        <b class={`ch c-${mark}`}>{mark}</b> <bdi dir="ltr">{foreign(hostWithEntity(host))}</bdi>
      </li>
    ));
  const others = Math.max(0, added.length - LISTED) + Math.max(0, removed.length - LISTED);
  return (
    <div>
      <h4>Other sites</h4>
      <ul class="hosts">
        {list(added, 'new')}
        {list(removed, 'gone')}
        {others > 0 && <li class="soft">and {formatValue(others, 'count')} more</li>}
      </ul>
    </div>
  );
}

function Findings({ changes }: { readonly changes: Changes }): JSX.Element | undefined {
  const { added, removed } = changes.findings;
  if (added.length + removed.length === 0) return undefined;
  const items = (findings: readonly Finding[], mark: RowMark, where: string) =>
    findings.slice(0, LISTED).map((finding, index) => (
      <li key={`${mark} ${index}`} class={mark === 'gone' ? 'settled' : undefined}>
        <h4>{foreign(findingTitle(finding.code))}</h4> <span class="soft">{where}</span>
        <p>{sentence(finding.message)}</p>
        {finding.urls.length > 0 && (
          <ul class="urls">
            {finding.urls.slice(0, 3).map((url) => (
              <li key={url}>
                <Address url={url} />
              </li>
            ))}
          </ul>
        )}
      </li>
    ));
  return (
    <>
      <h4>Findings</h4>
      <ul class="findings">
        {items(added, 'new', 'only in the candidate')}
        {items(removed, 'gone', 'only in the base')}
      </ul>
    </>
  );
}
