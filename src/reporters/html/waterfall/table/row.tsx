// biome-ignore-all lint/a11y/noSvgWithoutTitle: the row's cells say the same in words
// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: short names, since there are thousands of cells
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: its role stands in its attributes
// biome-ignore-all lint/a11y/useSemanticElements: a table's elements lose their roles where they are laid out as a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the table, which names its active row
import type { HTMLAttributes, JSX } from 'preact';
import { formatValue } from '../../../../wording/text/format.ts';
import { elide, shortName } from '../../../../wording/text/text.ts';
import { percent, place } from '../../../scale.ts';
import { Bars, Extent } from '../bars.tsx';
import { type Look, labelRoom } from '../geometry.ts';
import type { ShownRow } from './rows.ts';

/** A number of rows that stand together under a head. */
export interface RowGroup {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** Transferred bytes. */
  readonly bytes: number;
  /** From the first start to the last end, ms. */
  readonly from: number;
  readonly to: number;
  readonly folded: boolean;
}

/** Where a row stands in a list that may be longer than what exists of it. Positions begin at 1. */
export interface RowPlace {
  /** 1: a head, or a row without one; 2: a row under a head. */
  readonly level: number;
  /** Among its siblings. */
  readonly position: number;
  readonly size: number;
  /** Among all rows; the head of the table is the first. */
  readonly line: number;
}

interface Placed {
  /** Absent in a list that is all there, where no script opens a panel: its rows have their addresses as tooltips. */
  readonly place?: RowPlace | undefined;
  readonly look: Look;
  /** The element's id while the row is the active one. */
  readonly activeId?: string | undefined;
}

/** Enough of a URL to know it by; the panel has all of it. */
const TITLE = 400;
const NAME = 90;
/** Longest reason beside a bar. */
const WHY = 64;

/** One request. */
export function Row({ row, place, look, activeId }: Placed & { readonly row: ShownRow }): JSX.Element {
  const { background, failed, open, status, mark, step } = row;
  const method = row.method === 'GET' ? '' : `${row.method} `;
  const looks = [
    background !== undefined && 'g',
    failed && 'f',
    open && 'o',
    step !== undefined && 'c',
    place?.level === 2 && 'in',
  ];
  return (
    <div {...attributesOf(looks, place, activeId)} title={place === undefined ? tooltip(row) : undefined}>
      <span role="rowheader" class={`n ${row.group}`}>
        <span>{elide(method + shortName(row.url), NAME)}</span>
        {step !== undefined && <abbr title="on the critical path">◆</abbr>}
        {mark !== undefined && <b class={`ch c-${mark}`}>{mark}</b>}
        {row.largestPaint && (
          <abbr class="flag lcp" title="the image of the largest contentful paint">
            LCP
          </abbr>
        )}
        {row.renderBlocking && (
          <abbr class="flag" title="blocks rendering">
            blocking
          </abbr>
        )}
        {background !== undefined && <b>{background.kind}</b>}
      </span>
      <i role="gridcell">{failed && status === undefined ? 'failed' : String(status ?? '')}</i>
      <i role="gridcell">{sizeOf(row)}</i>
      <i role="gridcell">{open ? 'open' : formatValue(row.endsAt - row.startedAt, 'ms')}</i>
      <em role="gridcell">
        {place && <Begins at={row.startedAt} />}
        <Bars row={row} span={look} />
        <Reason row={row} look={look} />
        {row.startedAt > look.to && <s class="after">{`${formatValue(row.startedAt, 'ms')} →`}</s>}
        {row.endsAt < look.from && <s>{`← ${formatValue(row.startedAt, 'ms')}`}</s>}
      </em>
    </div>
  );
}

/** The head of a group. */
export function GroupRow({ group, place, look, activeId }: Placed & { readonly group: RowGroup }): JSX.Element {
  return (
    <div {...attributesOf(['head-of'], place, activeId)} aria-expanded={!group.folded}>
      <span role="rowheader" class="n">
        <span>{elide(group.name, NAME)}</span>
        <small>{formatValue(group.count, 'count')}</small>
      </span>
      <i role="gridcell" />
      <i role="gridcell">{formatValue(group.bytes, 'bytes')}</i>
      <i role="gridcell">{formatValue(group.to - group.from, 'ms')}</i>
      <em role="gridcell">
        <Begins at={group.from} />
        <Extent from={group.from} to={group.to} span={look} />
      </em>
    </div>
  );
}

const attributesOf = (
  looks: readonly (string | false)[],
  place: RowPlace | undefined,
  activeId: string | undefined,
): HTMLAttributes<HTMLDivElement> => ({
  class: ['r', ...looks, activeId !== undefined && 'active'].filter(Boolean).join(' '),
  role: 'row',
  'aria-level': place?.level,
  'aria-posinset': place?.position,
  'aria-setsize': place?.size,
  'aria-rowindex': place?.line,
  ...(activeId !== undefined && { id: activeId, 'aria-selected': true }),
});

const tooltip = ({ method, url, outcome, failed, background }: ShownRow): string =>
  [
    `${method} ${elide(url, TITLE)}`,
    outcome ?? (failed ? 'failed' : ''),
    background === undefined ? '' : `${background.kind}: ${background.because}`,
    background?.countsUntil === undefined ? '' : `counts until ${formatValue(background.countsUntil, 'ms')}`,
  ]
    .filter((part) => part !== '')
    .join(' — ');

function sizeOf({ fromCache, transferSize }: ShownRow): string {
  if (fromCache === undefined) return formatValue(transferSize, 'bytes');
  return fromCache === 'service worker' ? 'worker' : 'cached';
}

/** What the place of a bar says. */
const Begins = ({ at }: { readonly at: number }): JSX.Element => (
  <b class="unseen">{`from ${formatValue(at, 'ms')}`}</b>
);

/** Words beside the bar: why an endpoint is background, once for each reason. */
function Reason({ row, look }: { readonly row: ShownRow; readonly look: Look }): JSX.Element | undefined {
  const { background } = row;
  const room = background?.tells === true ? labelRoom(row, look, look.width) : undefined;
  if (background === undefined || room === undefined) return undefined;
  const most = Math.min(WHY, room.letters);
  const { because } = background;
  return (
    <svg class="why">
      <text
        x={percent(place(room.at, look))}
        y={14}
        dx={room.before ? -8 : 8}
        text-anchor={room.before ? 'end' : undefined}
      >
        {because.length > most ? `${because.slice(0, most - 1).toWellFormed()}…` : because}
      </text>
    </svg>
  );
}
