// biome-ignore-all lint/a11y/useSemanticElements: a fieldset has a look of its own
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { formatCount, formatValue } from '../../../wording/format.ts';
import { shortName } from '../../../wording/text.ts';
import { PHASES } from './geometry.ts';
import type { ShownRow, ShownWaterfall } from './rows.ts';

/** Most rows that are listed as asked for. */
const LISTED = 5;

/** Whose details are shown, and how they came to be. */
export interface Details {
  /** The row's position in the load. */
  readonly row: number;
  /** The panel stands from here on, px. */
  readonly x: number;
  /** By the keyboard, and not only by the mouse passing. */
  readonly asked: boolean;
  /** They stay until they are closed. */
  readonly pinned: boolean;
}

/** All that is known of one row; without one it is there, but not seen. */
export function DetailPanel(props: {
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly load: ShownWaterfall;
  readonly row: ShownRow | undefined;
  readonly pinned: boolean;
  readonly onClose: () => void;
  /** Goes to another row. */
  readonly onJump: (index: number) => void;
}): JSX.Element {
  const { panel, load, row, pinned, onClose, onJump } = props;
  return (
    <div
      ref={panel}
      class={`panel${pinned ? ' pinned' : ''}${row?.failed === true ? ' bad' : ''}`}
      hidden={row === undefined}
      role="group"
      aria-label="Request"
    >
      <button type="button" class="panel-close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      <div class="panel-body" aria-live="polite">
        {row !== undefined && (
          <>
            <p class="panel-head">
              <b>{row.method}</b> <RowAddress row={row} />
            </p>
            <Reason row={row} />
            <Pairs class="panel-times" pairs={timesOf(row)} />
            <Pairs class="panel-facts" pairs={factsOf(row, load, onJump)} />
          </>
        )}
      </div>
    </div>
  );
}

function RowAddress({ row }: { readonly row: ShownRow }): JSX.Element {
  const { url, followed } = row;
  if (!followed) {
    return (
      <span class="panel-url" dir="ltr">
        {url}
      </span>
    );
  }
  return (
    <a class="panel-url" dir="ltr" href={url} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
      {url}
    </a>
  );
}

/** Why the row is background. */
function Reason({ row: { background } }: { readonly row: ShownRow }): JSX.Element | undefined {
  if (background === undefined) return undefined;
  const { kind, because, confidence, countsUntil } = background;
  const sure = confidence === '' ? '' : ` (${confidence})`;
  const counts = countsUntil === undefined ? '' : `; counts until ${formatValue(countsUntil, 'ms')}`;
  return (
    <p class="panel-because">
      <b class="kind">{kind}</b>
      {` ${because}${sure}${counts}`}
    </p>
  );
}

type Pair = readonly [term: string, value: ComponentChildren];

function Pairs({ class: className, pairs }: { readonly class: string; readonly pairs: readonly Pair[] }): JSX.Element {
  return (
    <dl class={className}>
      {pairs.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function timesOf({ phases, startedAt, endsAt, open }: ShownRow): readonly Pair[] {
  const whole = formatValue(endsAt - startedAt, 'ms');
  return [
    ...phases.map(
      ({ name, from, to }): Pair => [
        PHASES[name] ?? '',
        <span class={`swatch s${name}`}>{formatValue(to - from, 'ms')}</span>,
      ],
    ),
    ['in all', open ? `${whole} and still open` : whole],
  ];
}

function factsOf(row: ShownRow, load: ShownWaterfall, onJump: (index: number) => void): readonly Pair[] {
  const joined = (...parts: readonly unknown[]): string => parts.filter(Boolean).join(' · ');
  const link = (to: ShownRow): JSX.Element => (
    <button type="button" class="jump" dir="ltr" onClick={() => onJump(to.index)}>
      {shortName(to.url).slice(0, 60).toWellFormed()}
    </button>
  );
  const asker = load.rows[row.initiatorRow ?? -1];
  const asked = load.rows.filter(({ initiatorRow }) => initiatorRow === row.index);
  const more = asked.length - LISTED;
  const via = joined(row.protocol, row.fromCache);
  const sizes = [row.transferSize, row.contentSize].map((size) => formatValue(size, 'bytes'));
  const facts: readonly (Pair | false | undefined)[] = [
    ['status', joined(row.status, row.outcome) || '–'],
    ['type', joined(row.type, row.mimeType)],
    ['started', formatValue(row.startedAt, 'ms')],
    ['size', `${sizes[0]} transferred, ${sizes[1]} decoded`],
    row.pieces > 1 && ['arrived in', formatCount(row.pieces, 'piece')],
    via !== '' && ['via', via],
    row.priority !== undefined && ['priority', row.priority],
    (asker ?? row.initiator) !== undefined && [
      'initiator',
      <span>
        {asker !== undefined && link(asker)}
        {asker !== undefined && row.initiator !== undefined && ' · '}
        {row.initiator}
      </span>,
    ],
    asked.length > 0 && [
      'requested',
      <span class="asked">
        {asked.slice(0, LISTED).map((to) => [link(to), ' '])}
        {more > 0 && `and ${formatValue(more, 'count')} more`}
      </span>,
    ],
    row.step !== undefined && ['critical path', `◆ step ${row.step} of ${load.critical.length}`],
  ];
  return facts.filter((fact) => fact !== false && fact !== undefined);
}
