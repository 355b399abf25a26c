import type { PhaseName, Waterfall, WaterfallRow } from '../../model/report.ts';
import type { Ms } from '../../model/units.ts';

/** Width of a row's drawing in its own units; fine enough to be magnified to the load within a minute of recording. */
export const WIDTH = 100_000;
/** Height of a row's drawing in its own units, which are CSS pixels. */
export const HEIGHT = 20;

/** Pixels of a wide axis: what is smaller than one is not drawn on its own. */
const PIXELS = 800;
/** Most ticks that a row can have. */
const MOST_TICKS = 3000;
/** The part of an open bar that fades out, at least. */
const FADE = 2600;

/** Phases in the order of an exchange; a bar's class is `p` + the position here. */
export const PHASES: readonly PhaseName[] = ['queue', 'stall', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'];

/** Waiting is thin, connecting is medium, the exchange itself is full height: shape tells it without colour, too. */
const THICKNESS: Readonly<Record<PhaseName, number>> = {
  queue: 4,
  stall: 4,
  dns: 8,
  connect: 8,
  ssl: 8,
  send: 12,
  wait: 12,
  receive: 12,
};

/** A time axis from navigation start. */
export interface Axis {
  /** Its end, ms. */
  readonly span: Ms;
  /** The end of a closer look at the load itself, where that is worth having. */
  readonly near?: Ms;
}

/** A labelled time on an axis. */
export interface Tick {
  readonly at: Ms;
  readonly step: Ms;
}

/** The axis that holds all of some waterfalls, so that they can be compared at a glance. */
export function axisOf(...waterfalls: readonly Waterfall[]): Axis {
  let span = 1;
  let load = 0;
  for (const waterfall of waterfalls) {
    span = Math.max(span, waterfall.observedUntil);
    for (const row of waterfall.rows) span = Math.max(span, row.endsAt);
    for (const milestone of waterfall.milestones) load = Math.max(load, milestone.at);
  }
  span = Math.max(span, load);
  const near = load * 1.3;
  return near > 0 && near < span * 0.6 ? { span, near } : { span };
}

/** At most `most` round times, 0 first. */
export function ticksUpTo(end: Ms, most: number): readonly Tick[] {
  const rough = end / most;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((candidate) => candidate >= rough) ?? rough;
  const ticks: Tick[] = [];
  // The label of the last tick needs room to its right.
  for (let i = 0; i * step < end * 0.97; i++) ticks.push({ at: Number((i * step).toPrecision(12)), step });
  return ticks;
}

/** A position as an SVG percentage. */
export function percent(at: Ms, span: Ms): string {
  return `${Number(((Math.min(Math.max(at, 0), span) / span) * 100).toFixed(3))}%`;
}

/** The part of a row before a moment and the part after it; nothing where the row has no such part. */
export function splitAt(row: WaterfallRow, at: Ms): { readonly before?: WaterfallRow; readonly after?: WaterfallRow } {
  if (at <= row.startedAt) return { after: row };
  if (at >= row.endsAt) return { before: row };
  const phases = (from: Ms, to: Ms): WaterfallRow['phases'] =>
    row.phases.flatMap((phase) => {
      const piece = { ...phase, from: Math.max(from, phase.from), to: Math.min(to, phase.to) };
      return piece.to > piece.from ? [piece] : [];
    });
  return {
    before: {
      ...row,
      endsAt: at,
      open: false,
      phases: phases(row.startedAt, at),
      chunks: row.chunks.filter((chunk) => chunk <= at),
    },
    after: {
      ...row,
      startedAt: at,
      phases: phases(at, row.endsAt),
      chunks: row.chunks.filter((chunk) => chunk > at),
    },
  };
}

/** What is drawn of one row. */
export interface Bars {
  readonly paths: readonly { readonly phase: number; readonly d: string }[];
  /** The fading end of an open row. */
  readonly fade?: { readonly x: number; readonly width: number; readonly phase: number };
  readonly ticks?: string;
}

/**
 * The drawing of one row. Bars have a stroke that does not shrink (style sheet), so that the shortest still is a pixel
 * wide at any magnification.
 */
export function barsOf(row: WaterfallRow, { span, near = span }: Axis): Bars {
  const unit = WIDTH / span;
  const x = (at: Ms): number => Math.round(Math.min(Math.max(at, 0), span) * unit);
  const start = x(row.startedAt);
  const end = x(row.endsAt);
  const last = row.phases.at(-1);
  const lastPhase = PHASES.indexOf(last?.name ?? 'wait');

  let solidUntil = end;
  if (row.open) {
    const sign = row.chunks.at(-1) ?? (last !== undefined && last.to < row.endsAt ? last.to : last?.from);
    solidUntil = Math.max(start, Math.min(x(sign ?? row.startedAt), end - FADE));
  }

  const paths: { phase: number; d: string }[] = [];
  for (const phase of row.phases) {
    const from = x(phase.from);
    const to = Math.min(x(phase.to), solidUntil);
    if (to > from && phase.to - phase.from >= near / PIXELS) {
      paths.push({ phase: PHASES.indexOf(phase.name), d: box(from, to - from, THICKNESS[phase.name]) });
    }
  }
  if (paths.length === 0 && !row.open) paths.push({ phase: lastPhase, d: box(start, end - start, 12) });

  const ticks = ticksOf(row, Math.max(near / PIXELS, span / MOST_TICKS) * unit, x);
  return {
    paths,
    ...(row.open && { fade: { x: solidUntil, width: Math.max(1, end - solidUntil), phase: lastPhase } }),
    ...(ticks !== undefined && { ticks }),
  };
}

function box(x: number, width: number, thickness: number): string {
  return `M${x} ${(HEIGHT - thickness) / 2}h${width}v${thickness}h-${width}z`;
}

/** Where pieces of the body came, one tick a pixel; a body that came at once needs none. */
function ticksOf(row: WaterfallRow, pixel: number, x: (at: Ms) => number): string | undefined {
  // Ticks nearer than three pixels cannot be told from each other.
  const column = Math.max(1, pixel * 3);
  const columns = new Set<number>();
  for (const at of row.chunks) columns.add(Math.round(x(at) / column));
  if (columns.size < 2) return undefined;
  return [...columns].map((each) => `M${Math.round(each * column)} 2v5`).join('');
}

/** Room for words beside a bar. */
export interface Room {
  readonly at: Ms;
  readonly before: boolean;
  /** Letters that fit on a wide screen. */
  readonly letters: number;
}

/** The wider of the two sides of a bar, on an axis of which [0, `end`] is seen; nothing where neither has room. */
export function roomBeside(row: Pick<WaterfallRow, 'startedAt' | 'endsAt'>, end: Ms): Room | undefined {
  if (row.startedAt >= end) return undefined;
  const before = row.startedAt > end - row.endsAt;
  const free = before ? row.startedAt : end - row.endsAt;
  // A letter of the small face takes about six of some 640 pixels.
  const letters = Math.floor(((free / end) * 640 - 20) / 6);
  return letters < 16 ? undefined : { at: before ? row.startedAt : row.endsAt, before, letters };
}

/** A place for the label of a vertical line: which line of text it stands on, and to which side of its mark. */
export interface LabelPlace {
  readonly lane: number;
  readonly toLeft: boolean;
}

/**
 * Places for labels beside vertical lines so that none covers another: a label that would touch an earlier one goes a
 * line lower. Self-contained, since the report's script carries its source and calls it again when widths change. `at` and `width` are pixels, `at` ascending.
 */
export function placeLabels(
  labels: readonly { readonly at: number; readonly width: number }[],
  total: number,
): readonly LabelPlace[] {
  const placed: { from: number; to: number; lane: number }[] = [];
  const taken = (lane: number, at: number, from: number, to: number): boolean =>
    placed.some(
      (other) =>
        (other.lane === lane && from < other.to && to > other.from) ||
        // The line goes down from its label, through the labels that stand lower.
        (other.lane > lane && at > other.from && at < other.to),
    );
  const wanted = labels.map(({ at, width }, index) => {
    const toLeft = at + width > total && at - width > 0;
    return { index, at, toLeft, from: toLeft ? at - width : at, to: toLeft ? at : at + width };
  });
  // Labels to the left of their lines come first, from the right: so they stand above the lines of the others.
  const order = [...wanted.filter((label) => label.toLeft).reverse(), ...wanted.filter((label) => !label.toLeft)];
  const places: LabelPlace[] = [];
  for (const { index, at, toLeft, from, to } of order) {
    let lane = 0;
    while (taken(lane, at, from, to)) lane++;
    placed.push({ from, to, lane });
    places[index] = { lane, toLeft };
  }
  return places;
}
