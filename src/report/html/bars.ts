import type { Ms } from '../../model/units.ts';
import type { Span } from './geometry.ts';
import type { ShownRow } from './island-read.ts';
import type { Sketch, Sketcher } from './sketch.tsx';

/** What of a row its bar is drawn from. */
export type BarRow = Pick<ShownRow, 'startedAt' | 'endsAt' | 'open' | 'phases' | 'ticks'>;

/** How bars are drawn. */
export interface BarDrawing {
  /** The bar of a row on the part of the axis that is looked at: what is background is hatched, up to where it counts it is not. */
  bars(row: BarRow & Pick<ShownRow, 'background'>, span: Span): readonly Sketch[];
  /** The thin bar of a group, from its first start to its last end. */
  extent(of: { readonly from: Ms; readonly to: Ms }, span: Span): Sketch | undefined;
}

/** Draws bars. Self-contained (see `client-elements.ts`). */
export function barDrawing(sketch: Sketcher): BarDrawing {
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

  const placeOn = ({ from, to }: Span): ((at: Ms) => number) => {
    const unit = WIDTH / (to - from);
    return (at) => Math.round(Math.min(Math.max((at - from) * unit, -BEYOND), WIDTH + BEYOND));
  };
  const box = (x: number, width: number, thickness: number): string =>
    `M${x} ${(HEIGHT - thickness) / 2}h${width}v${thickness}h-${width}z`;
  const isSeen = (row: { readonly from: Ms; readonly to: Ms }, { from, to }: Span): boolean =>
    row.to >= from && row.from <= to;
  const drawing = (className: string | undefined, ...children: readonly (Sketch | undefined)[]): Sketch =>
    sketch('svg', { class: className, viewBox: '0 0 1e5 20', preserveAspectRatio: 'none' }, ...children);

  /** Where pieces of the body came, one tick in three pixels. */
  const ticksOf = (row: BarRow, span: Span, x: (at: Ms) => number): Sketch | undefined => {
    const column = (WIDTH / PIXELS) * 3;
    const columns = new Set<number>();
    for (const at of row.ticks) {
      if (at >= span.from && at <= span.to) columns.add(Math.round(x(at) / column));
    }
    if (columns.size === 0) return undefined;
    return sketch('path', { class: 't', d: [...columns].map((each) => `M${Math.round(each * column)} 2v5`).join('') });
  };

  /** Bars have a stroke that does not shrink (style sheet), so that the shortest still is a pixel wide. */
  const barOf = (row: BarRow, span: Span, className?: string, edge?: Ms): Sketch | undefined => {
    if (!isSeen({ from: row.startedAt, to: row.endsAt }, span)) return undefined;
    const x = placeOn(span);
    const start = x(row.startedAt);
    const end = x(row.endsAt);
    const last = row.phases.at(-1);
    const lastPhase = last?.name ?? WAIT;

    let solidUntil = end;
    if (row.open) {
      const sign = row.ticks.at(-1) ?? (last !== undefined && last.to < row.endsAt ? last.to : last?.from);
      solidUntil = Math.max(start, Math.min(x(sign ?? row.startedAt), end - FADE));
    }
    const paths: Sketch[] = [];
    for (const phase of row.phases) {
      const from = x(phase.from);
      const to = Math.min(x(phase.to), solidUntil);
      if (to > from && phase.to - phase.from >= (span.to - span.from) / PIXELS) {
        paths.push(sketch('path', { class: `p${phase.name}`, d: box(from, to - from, THICKNESS[phase.name] ?? 12) }));
      }
    }
    if (paths.length === 0 && !row.open) {
      paths.push(sketch('path', { class: `p${lastPhase}`, d: box(start, end - start, 12) }));
    }
    // Its gradients exist once, in the page's first drawing.
    const fade = Math.max(1, end - solidUntil);
    return drawing(
      className,
      ...paths,
      row.open
        ? sketch('rect', {
            x: solidUntil,
            y: 4,
            width: fade,
            height: 12,
            fill: `url(#fade${lastPhase >= WAIT ? lastPhase : 0})`,
          })
        : undefined,
      ticksOf(row, span, x),
      edge === undefined ? undefined : sketch('path', { class: 'u', d: `M${x(edge)} 0v${HEIGHT}` }),
    );
  };

  /** The part of a row between two moments. */
  const between = (row: BarRow, from: Ms, to: Ms): BarRow => ({
    startedAt: from,
    endsAt: to,
    open: row.open && to === row.endsAt,
    phases: row.phases.flatMap((phase) => {
      const piece = { ...phase, from: Math.max(from, phase.from), to: Math.min(to, phase.to) };
      return piece.to > piece.from ? [piece] : [];
    }),
    ticks: row.ticks.filter((at) => at > from && at <= to),
  });

  return {
    bars: (row, span) => {
      const { background, startedAt, endsAt } = row;
      const counts = background?.countsUntil ?? startedAt;
      const drawn =
        background === undefined || counts >= endsAt
          ? [barOf(row, span)]
          : counts <= startedAt
            ? [barOf(row, span, 'h')]
            : [
                barOf(between(row, counts, endsAt), span, 'h'),
                barOf(between(row, startedAt, counts), span, undefined, counts),
              ];
      return drawn.filter((each) => each !== undefined);
    },
    extent: (of, span) => {
      if (!isSeen(of, span)) return undefined;
      const x = placeOn(span);
      const start = x(of.from);
      return drawing('ext', sketch('path', { d: box(start, x(of.to) - start, 4) }));
    },
  };
}
