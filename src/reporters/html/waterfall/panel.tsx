// biome-ignore-all lint/a11y/useSemanticElements: a fieldset has a look of its own
import type { JSX, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount, formatValue } from '../../../wording/text/format.ts';
import { elide, shortName } from '../../../wording/text/text.ts';
import { type Fact, Facts } from '../components/facts.tsx';
import { copyText } from '../links/copy.ts';
import { Outside } from '../links/outside.tsx';
import { PHASES } from './geometry.ts';
import type { ShownRow, ShownWaterfall } from './table/rows.ts';

/** Most rows that are listed as asked for. */
const MAX_ROWS = 5;

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
  /** A hint beside the mouse, which must not hide the bars that one wants to compare. */
  readonly brief: boolean;
  /** Where the row is linked, within the page. */
  readonly hash: string;
  readonly onClose: () => void;
  /** Goes to another row. */
  readonly onJump: (index: number) => void;
}): JSX.Element {
  const { panel, load, row, pinned, brief, hash, onClose, onJump } = props;
  return (
    <div
      ref={panel}
      class={`panel${pinned ? ' pinned' : ''}${brief ? ' brief' : ''}${row?.failed === true ? ' bad' : ''}`}
      hidden={row === undefined}
      role="group"
      aria-label="Request"
    >
      <button type="button" class="panel-close" aria-label="Close" onClick={onClose}>
        ×
      </button>
      <div class="panel-body" aria-live="polite">
        {row !== undefined && brief && <Hint row={row} />}
        {row !== undefined && !brief && (
          <>
            <p class="panel-head">
              <b>{row.method}</b> <RowAddress row={row} />
            </p>
            <Reason row={row} />
            <Facts look="panel-times" facts={timesOf(row)} />
            <Facts look="panel-facts" facts={factsOf(row, load, onJump)} />
            <Headers row={row} />
            {pinned && <Copies row={row} hash={hash} />}
          </>
        )}
      </div>
    </div>
  );
}

/** The few words that stand beside the mouse. */
function Hint({ row }: { readonly row: ShownRow }): JSX.Element {
  const { method, url, status, outcome, startedAt, endsAt, open, transferSize, background } = row;
  const words = [
    status ?? outcome,
    `${formatValue(startedAt, 'ms')} + ${formatValue(endsAt - startedAt, 'ms')}${open ? ', still open' : ''}`,
    transferSize === undefined ? undefined : formatValue(transferSize, 'bytes'),
    row.largestPaint && 'LCP',
    row.renderBlocking && 'render-blocking',
    background?.kind,
  ];
  return (
    <>
      <p class="panel-head">
        <b>{method === 'GET' ? '' : `${method} `}</b>
        <span class="panel-url" dir="ltr">
          {elide(shortName(url), HINT)}
        </span>
      </p>
      <p>{words.filter(Boolean).join(' · ')}</p>
    </>
  );
}

/** Longest name in a hint. */
const HINT = 60;

/** The headers of the answer that hold no secrets, folded: the two that matter most are told above them. */
function Headers({ row: { headers = [] } }: { readonly row: ShownRow }): JSX.Element | undefined {
  if (headers.length === 0) return undefined;
  return (
    <details class="panel-headers">
      <summary>{formatCount(headers.length, 'header')} of the response</summary>
      <dl>
        {headers.map(([name, value], index) => (
          <div key={index}>
            <dt>{name}</dt>
            <dd dir="ltr">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Copies({ row, hash }: { readonly row: ShownRow; readonly hash: string }): JSX.Element {
  const [copied, setCopied] = useState('');
  const texts: readonly (readonly [string, () => string])[] = [
    ['URL', () => row.url],
    ['cURL', () => curlOf(row)],
    ['link to this row', () => `${location.href.replace(/#.*$/s, '')}#${hash}`],
  ];
  return (
    <p class="panel-copy">
      Copy{' '}
      {texts.map(([says, text]) => (
        <button
          key={says}
          type="button"
          onClick={async () => {
            if (await copyText(text())) setCopied(says);
          }}
        >
          {says}
          {copied === says && ' ✓'}
        </button>
      ))}
    </p>
  );
}

/** The request as a command for a shell; secrets are not in the report, and so not in it. */
export function curlOf({ method, url }: Pick<ShownRow, 'method' | 'url'>): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  return ['curl', quoted(url), ...(method === 'GET' ? [] : ['-X', quoted(method)]), '--compressed'].join(' ');
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
    <Outside class="panel-url" dir="ltr" href={url}>
      {url}
    </Outside>
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

function timesOf({ phases, startedAt, endsAt, open }: ShownRow): readonly Fact[] {
  const whole = formatValue(endsAt - startedAt, 'ms');
  return [
    ...phases.map(
      ({ name, from, to }): Fact => [
        PHASES[name] ?? '',
        <span class={`swatch s${name}`}>{formatValue(to - from, 'ms')}</span>,
      ],
    ),
    ['in all', open ? `${whole} and still open` : whole],
  ];
}

function factsOf(row: ShownRow, load: ShownWaterfall, onJump: (index: number) => void): readonly Fact[] {
  const joined = (...parts: readonly unknown[]): string => parts.filter(Boolean).join(' · ');
  const link = (to: ShownRow): JSX.Element => (
    <button type="button" class="jump" dir="ltr" onClick={() => onJump(to.index)}>
      {shortName(to.url).slice(0, 60).toWellFormed()}
    </button>
  );
  const asker = load.rows[row.initiatorRow ?? -1];
  const asked = load.rows.filter(({ initiatorRow }) => initiatorRow === row.index);
  const more = asked.length - MAX_ROWS;
  const via = joined(row.protocol, row.fromCache);
  const { encoding, caching } = packingOf(row);
  const sizes = [row.transferSize, row.contentSize].map((size) => formatValue(size, 'bytes'));
  const facts: readonly (Fact | false | undefined)[] = [
    ['status', joined(row.status, row.outcome) || '–'],
    ['type', joined(row.type, row.mimeType)],
    ['started', formatValue(row.startedAt, 'ms')],
    ['size', `${sizes[0]} transferred, ${sizes[1]} decoded`],
    row.pieces > 1 && ['arrived in', formatCount(row.pieces, 'piece')],
    via !== '' && ['via', via],
    row.priority !== undefined && ['priority', row.priority],
    row.renderBlocking && ['rendering', 'blocked until it has arrived'],
    row.largestPaint && ['LCP', 'the image of the largest contentful paint'],
    encoding !== undefined && ['encoding', encoding],
    caching !== undefined && ['cache', caching],
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
        {asked.slice(0, MAX_ROWS).map((to) => [link(to), ' '])}
        {more > 0 && `and ${formatValue(more, 'count')} more`}
      </span>,
    ],
    row.step !== undefined && ['critical path', `◆ step ${row.step} of ${load.critical.length}`],
  ];
  return facts.filter((fact) => fact !== false && fact !== undefined);
}

/** How the answer was packed, and for how long a browser may keep it; undefined where its headers are not known. */
export function packingOf({ headers = [], contentSize }: Pick<ShownRow, 'headers' | 'contentSize'>): {
  readonly encoding: string | undefined;
  readonly caching: string | undefined;
} {
  if (headers.length === 0) return { encoding: undefined, caching: undefined };
  const of = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const control = (of('cache-control') ?? '').toLowerCase();
  const seconds = /\bmax-age\s*=\s*"?(\d+)/.exec(control)?.[1];
  const caching = /\bno-store\b/.test(control)
    ? 'never cached (no-store)'
    : /\bno-cache\b/.test(control)
      ? 'cached, but checked with the server each time (no-cache)'
      : seconds === undefined
        ? of('expires') === undefined
          ? 'no lifetime given'
          : `until ${of('expires')}`
        : `kept for ${lifetimeInWords(Number(seconds))}`;
  return { encoding: of('content-encoding') ?? (contentSize > 0 ? 'none' : undefined), caching };
}

const SPANS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** "30 days", "10 minutes", "0 seconds". */
function lifetimeInWords(seconds: number): string {
  const [length, name] = SPANS.find(([span]) => seconds >= span) ?? [1, 'second'];
  return formatCount(Math.round(seconds / length), name);
}
