// biome-ignore-all lint/a11y/noSvgWithoutTitle: the row's cells say the same in words
import type { JSX } from 'preact';
import type { Ms } from '../../../model/units.ts';
import type { Span } from '../../scale.ts';
import type { ShownRow } from './table/rows.ts';

/** What of a row its bar is drawn from. */
export type BarRow = Pick<ShownRow, 'startedAt' | 'endsAt' | 'open' | 'phases' | 'ticks' | 'background'>;

/** A drawing's size in its own units; the height is CSS pixels. */
const WIDTH = 100_000;
const HEIGHT = 20;
/** Pixels of a wide axis: what is smaller than one is not drawn on its own. */
const PIXELS = 800;
/** The part of an open bar that fades out, at least. */
const FADE = 2600;
/** Beyond the edges by so much, so that what is cut off does not look as if it ended there. */
const BEYOND = 1000;
/** Waiting is thin, connecting is medium, the exchange itself is full height: shape tells it without colour, too. */
const THICKNESS = [4, 4, 8, 8, 8, 12, 12, 12];
const WAIT = 6;

/** The bar of a row on the part of the axis that is looked at: what is background is hatched, up to where it counts it is not. */
export function Bars({ row, span }: { readonly row: BarRow; readonly span: Span }): JSX.Element {
  const { background, startedAt, endsAt } = row;
  const counts = background?.countsUntil ?? startedAt;
  if (background === undefined || counts >= endsAt) return <Bar row={row} span={span} />;
  if (counts <= startedAt) return <Bar row={row} span={span} className="h" />;
  return (
    <>
      <Bar row={between(row, counts, endsAt)} span={span} className="h" />
      <Bar row={between(row, startedAt, counts)} span={span} edge={counts} />
    </>
  );
}

/** The thin bar of a group, from its first start to its last end. */
export function Extent({ from, to, span }: Span & { readonly span: Span }): JSX.Element | undefined {
  if (!isSeen(from, to, span)) return undefined;
  const x = placeOn(span);
  return (
    <svg class="ext" viewBox="0 0 1e5 20" preserveAspectRatio="none">
      <path d={box(x(from), x(to) - x(from), 4)} />
    </svg>
  );
}

/** Bars have a stroke that does not shrink (style sheet), so that the shortest still is a pixel wide. */
function Bar(props: {
  readonly row: BarRow;
  readonly span: Span;
  readonly className?: string;
  /** Where it begins not to count. */
  readonly edge?: Ms;
}): JSX.Element | undefined {
  const { row, span, className, edge } = props;
  if (!isSeen(row.startedAt, row.endsAt, span)) return undefined;
  const x = placeOn(span);
  const start = x(row.startedAt);
  const end = x(row.endsAt);
  const last = row.phases.at(-1);
  const lastPhase = last?.name ?? WAIT;
  const solidUntil = row.open ? Math.max(start, Math.min(x(lastSignOf(row)), end - FADE)) : end;
  const phases = row.phases.filter(
    ({ from, to }) => Math.min(x(to), solidUntil) > x(from) && to - from >= (span.to - span.from) / PIXELS,
  );
  const ticks = ticksPath(row, span, x);
  return (
    <svg class={className} viewBox="0 0 1e5 20" preserveAspectRatio="none">
      {phases.map(({ name, from, to }) => (
        <path class={`p${name}`} d={box(x(from), Math.min(x(to), solidUntil) - x(from), THICKNESS[name] ?? 12)} />
      ))}
      {phases.length === 0 && !row.open && <path class={`p${lastPhase}`} d={box(start, end - start, 12)} />}
      {row.open && (
        // Its gradients exist once, in the page's first drawing.
        <rect
          x={solidUntil}
          y={4}
          width={Math.max(1, end - solidUntil)}
          height={12}
          fill={`url(#fade${lastPhase >= WAIT ? lastPhase : 0})`}
        />
      )}
      {ticks !== '' && <path class="t" d={ticks} />}
      {edge !== undefined && <path class="u" d={`M${x(edge)} 0v${HEIGHT}`} />}
    </svg>
  );
}

/** When something of an open row was seen last. */
function lastSignOf({ phases, ticks, startedAt, endsAt }: BarRow): Ms {
  const last = phases.at(-1);
  return ticks.at(-1) ?? (last !== undefined && last.to < endsAt ? last.to : last?.from) ?? startedAt;
}

const placeOn = ({ from, to }: Span): ((at: Ms) => number) => {
  const unit = WIDTH / (to - from);
  return (at) => Math.round(Math.min(Math.max((at - from) * unit, -BEYOND), WIDTH + BEYOND));
};

const box = (x: number, width: number, thickness: number): string =>
  `M${x} ${(HEIGHT - thickness) / 2}h${width}v${thickness}h-${width}z`;

const isSeen = (from: Ms, to: Ms, span: Span): boolean => to >= span.from && from <= span.to;

/** Where pieces of the body came, one tick in three pixels. */
function ticksPath(row: BarRow, span: Span, x: (at: Ms) => number): string {
  const column = (WIDTH / PIXELS) * 3;
  const seen = row.ticks.filter((at) => isSeen(at, at, span));
  const columns = new Set(seen.map((at) => Math.round(x(at) / column)));
  return [...columns].map((each) => `M${Math.round(each * column)} 2v5`).join('');
}

/** The part of a row between two moments. */
function between(row: BarRow, from: Ms, to: Ms): BarRow {
  return {
    startedAt: from,
    endsAt: to,
    open: row.open && to === row.endsAt,
    phases: row.phases.flatMap((phase) => {
      const piece = { ...phase, from: Math.max(from, phase.from), to: Math.min(to, phase.to) };
      return piece.to > piece.from ? [piece] : [];
    }),
    ticks: row.ticks.filter((at) => at > from && at <= to),
  };
}
