import type { JSX } from 'preact';
import type { CriticalPath, CriticalStep } from '../../../model/result/result.ts';
import {
  calledOf,
  isUnknown,
  lengthOf,
  longestFirst,
  type Piece,
  type PieceKind,
  pathSentence,
  pieceInWords,
  piecesOf,
  shareOf,
} from '../../../report/critical-path.ts';
import { formatCount, formatShare, formatTick, formatValue } from '../../../wording/text/format.ts';
import { capitalized, shortName } from '../../../wording/text/text.ts';
import { percent, place, ticksWithin } from '../../scale.ts';
import { foreign, sentence } from '../components/part.tsx';
import { Table } from '../components/table.tsx';

/** Steps that are drawn one by one; of a longer chain the ends and the longest are, and the others fold. */
const DRAWN = 14;
/** First and last steps of a long chain that are drawn whatever they took. */
const ENDS = 3;
/** Pieces that are listed at all. */
const MOST_LISTED = 60;

const KINDS: Readonly<Record<PieceKind, { readonly title: string; readonly means: string }>> = {
  delay: {
    title: 'Until it was requested',
    means: 'Idle gap before the request: parsing, scripts or a timer',
  },
  work: {
    title: 'Main thread at work',
    means: 'Scripts, style or layout that the next step had to wait for',
  },
  queue: {
    title: 'Until a connection was free',
    means: 'Over HTTP/1.1, a browser opens six to one server',
  },
  wait: {
    title: 'Until the first byte',
    means: 'Connecting, or waiting for the server',
  },
  receive: { title: 'Downloading', means: 'Up to the part that requests the next file' },
  rest: { title: 'After the last response', means: 'Scripts, painting, the load event' },
};

const ORDER: readonly PieceKind[] = ['delay', 'work', 'queue', 'wait', 'receive', 'rest'];

/** Kinds that most paths do not have. */
const RARE: ReadonlySet<PieceKind> = new Set(['work', 'queue', 'rest']);

/** The chain of requests that determined page complete: each could start only after the one before it. */
export function CriticalPathFigure(props: {
  readonly path: CriticalPath;
  readonly id: string;
}): JSX.Element | undefined {
  const { path, id } = props;
  const total = lengthOf(path);
  const headline = pathSentence(path);
  if (headline === undefined) return undefined;
  return (
    <div class="critical">
      <p class="path-sentence">{sentence(headline)}</p>
      <Key path={path} total={total} id={id} />
      <Drawing path={path} total={total} id={id} />
      <details class="more">
        <summary>Every wait, the longest first</summary>
        <Waits path={path} total={total} />
      </details>
    </div>
  );
}

/** What the looks of the pieces mean, and what each kind took in all. */
function Key(props: { readonly path: CriticalPath; readonly total: number; readonly id: string }): JSX.Element {
  const { path, total, id } = props;
  const pieces = piecesOf(path);
  const shown = ORDER.map((kind) => ({
    kind,
    took: pieces.filter((piece) => piece.kind === kind).reduce((sum, { from, to }) => sum + to - from, 0),
  })).filter(({ kind, took }) => !RARE.has(kind) || took > 0);
  return (
    <dl class="split path-key">
      {shown.map(({ kind, took }) => (
        <div key={kind} title={KINDS[kind].means}>
          <dt>
            <svg class="path-bar sample" aria-hidden="true">
              <Bar kind={kind} x="0" width="100%" id={id} />
            </svg>
            {KINDS[kind].title}
          </dt>
          <dd>
            <b>{formatValue(took, 'ms')}</b>
            <span>{formatShare(took / total)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const xOf = (at: number, total: number): string => percent(place(at, { from: 0, to: total }));

/** Where the rectangle of each kind begins, and how high it is. */
const SHAPES: Readonly<Record<PieceKind, readonly [y: string, height: string]>> = {
  delay: ['8', '2'],
  work: ['3', '12'],
  queue: ['6.5', '5'],
  wait: ['3', '12'],
  receive: ['3', '12'],
  rest: ['4.5', '9'],
};

/** A line is waiting to be asked for, a low box waits for a connection, a hatched box waits for the server, a full one receives or works, an open one comes after. */
function Bar(props: {
  readonly kind: PieceKind;
  readonly x: string;
  readonly width: string;
  readonly id: string;
}): JSX.Element {
  const { kind, x, width, id } = props;
  const [y, height] = SHAPES[kind];
  return (
    <>
      <rect class={`piece ${kind}`} x={x} y={y} width={width} height={height} />
      {kind === 'wait' && <rect x={x} y={y} width={width} height={height} fill={`url(#${id}-hatch)`} />}
    </>
  );
}

interface Row {
  readonly index: number;
  readonly step: CriticalStep;
  readonly pieces: readonly Piece[];
}

/** A run of steps: drawn, or folded into one line. */
interface Stretch {
  readonly folded: boolean;
  readonly rows: readonly Row[];
}

function stretchesOf(path: CriticalPath): readonly Stretch[] {
  const { steps } = path;
  const pieces = Map.groupBy(piecesOf(path), ({ step }) => step);
  const rows = steps.map((step, index): Row => ({ index, step, pieces: pieces.get(index) ?? [] }));
  if (rows.length <= DRAWN) return [{ folded: false, rows }];
  const drawn = new Set([...rows.slice(0, ENDS), ...rows.slice(-ENDS)]);
  for (const row of rows.toSorted((a, b) => shareOf(b.step) - shareOf(a.step))) {
    if (drawn.size < DRAWN) drawn.add(row);
  }
  const stretches: { folded: boolean; rows: Row[] }[] = [];
  for (const row of rows) {
    const folded = !drawn.has(row);
    const last = stretches.at(-1);
    if (last?.folded === folded) last.rows.push(row);
    else stretches.push({ folded, rows: [row] });
  }
  // A fold of one line saves nothing.
  return stretches.map((stretch) => (stretch.rows.length === 1 ? { ...stretch, folded: false } : stretch));
}

/** The steps below each other on one axis from 0 to page complete. */
function Drawing(props: { readonly path: CriticalPath; readonly total: number; readonly id: string }): JSX.Element {
  const { path, total, id } = props;
  return (
    <figure class="path-figure">
      <svg class="unseen" aria-hidden="true">
        <defs>
          <pattern id={`${id}-hatch`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch" width="2" height="5" />
          </pattern>
        </defs>
      </svg>
      <div class="path-scale">
        <svg class="path-axis" aria-hidden="true">
          {ticksWithin({ from: 0, to: total }, TICKS, END_LABEL).map(({ at, step }) => (
            <text key={at} class={at > total * NARROW_END ? 'near-end' : undefined} x={xOf(at, total)} y="12">
              {formatTick(at, step)}
            </text>
          ))}
          <text class="end" x="100%" y="12">
            {formatValue(total, 'ms')}
          </text>
        </svg>
      </div>
      <ol class="path-steps">
        {stretchesOf(path).map((stretch) =>
          stretch.folded ? (
            <Fold key={stretch.rows[0]?.index} stretch={stretch} path={path} total={total} id={id} />
          ) : (
            stretch.rows.map((row) => <StepRow key={row.index} row={row} path={path} total={total} id={id} />)
          ),
        )}
      </ol>
      <figcaption class="unseen">
        The axis ends at page complete, {formatValue(total, 'ms')} after the navigation began.
      </figcaption>
    </figure>
  );
}

interface RowPlace {
  readonly path: CriticalPath;
  readonly total: number;
  readonly id: string;
}

function Fold({ stretch, ...place }: { readonly stretch: Stretch } & RowPlace): JSX.Element {
  const took = stretch.rows.reduce((sum, { step }) => sum + shareOf(step), 0);
  return (
    <li class="path-fold">
      <details>
        <summary>
          {formatCount(stretch.rows.length, 'more step', 'more steps')}, {formatValue(took, 'ms')} in all
        </summary>
        <ol class="path-steps" start={(stretch.rows[0]?.index ?? 0) + 1}>
          {stretch.rows.map((row) => (
            <StepRow key={row.index} row={row} {...place} />
          ))}
        </ol>
      </details>
    </li>
  );
}

function StepRow({ row, path, total, id }: { readonly row: Row } & RowPlace): JSX.Element {
  const { index, step, pieces } = row;
  const spoken = pieces
    .map(({ kind, from, to }) => `${KINDS[kind].title.toLowerCase()} ${formatValue(to - from, 'ms')}`)
    .join(', ');
  const last = index === path.steps.length - 1;
  const isWork = step.cause === 'work';
  const title = isWork ? step.because : `${step.method} ${step.url}`;
  // Of an answer that goes on after the next request was asked for, the rest is drawn faintly.
  const until = pieces.at(-1)?.to ?? step.startedAt;
  return (
    <li class={isUnknown(step) ? 'path-step unknown' : 'path-step'}>
      <span class="path-name" title={foreign(title)}>
        <small aria-hidden="true">{index + 1}</small>
        <bdi dir="ltr">
          {index === 0 || isWork ? foreign(calledOf(path.steps, index)) : foreign(shortName(step.url))}
        </bdi>
      </span>
      <svg class="path-bar" aria-hidden="true">
        <line class="lane" x1="0" x2="100%" y1="9" y2="9" />
        {!last && step.endsAt > until && (
          <rect class="piece beyond" x={xOf(until, total)} y="6" width={xOf(step.endsAt - until, total)} height="6" />
        )}
        {pieces.map(({ kind, from, to }) => (
          <Bar key={kind} kind={kind} x={xOf(from, total)} width={xOf(to - from, total)} id={id} />
        ))}
      </svg>
      <span class="path-took">
        {formatValue(shareOf(step) + (last ? path.rest : 0), 'ms')}
        <span class="unseen">: {spoken}</span>
      </span>
    </li>
  );
}

/** Ticks at most, and the room that the label at the end needs, as a share of the drawing. */
const TICKS = 5;
const END_LABEL = 0.12;
/** Labels from here on touch that of the end where the drawing is as narrow as a phone, as a share of it. */
const NARROW_END = 0.74;

/** Where the time went piece by piece, the longest first, each with why it began when it did. */
function Waits({ path, total }: { readonly path: CriticalPath; readonly total: number }): JSX.Element {
  return (
    <Table
      caption="The waits of the critical path"
      className="path-waits"
      columns={[
        {
          title: 'Time',
          className: 'num',
          cell: ({ from, to }) => formatValue(to - from, 'ms'),
        },
        { title: 'Share', className: 'num', cell: ({ from, to }) => formatShare((to - from) / total) },
        {
          title: 'What it was',
          className: 'wide',
          cell: (piece) => {
            const step = path.steps[piece.step];
            const because =
              piece.kind === 'rest' || piece.step === 0 || step?.cause === 'work' ? undefined : step?.because;
            const said = sentence(pieceInWords(path, piece));
            return (
              <>
                {capitalized(said)}
                {because !== undefined && (
                  <small class={isUnknown(step) ? 'unknown' : undefined}>{sentence(because)}</small>
                )}
              </>
            );
          },
        },
      ]}
      rows={longestFirst(path).slice(0, MOST_LISTED)}
    />
  );
}
