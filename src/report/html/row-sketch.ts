import type { NumberFormat } from '../format.ts';
import type { elide, shortName } from '../text.ts';
import type { BarDrawing } from './bars.ts';
import type { Geometry, Span } from './geometry.ts';
import type { ShownRow } from './island-read.ts';
import type { Sketch, Sketcher } from './sketch.tsx';

/** A number of rows that stand together under a head. */
export interface RowGroup {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** Bytes on the wire. */
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

/** The part of the axis that is looked at, and how many pixels wide it is. */
export interface Look extends Span {
  readonly width: number;
}

/** How the rows of a waterfall look. */
export interface RowDrawing {
  /** Without a place: in a list that is all there, where no script opens a panel, with its address as the browser's own tooltip. */
  row(row: ShownRow, place: RowPlace | undefined, look: Look): Sketch;
  group(group: RowGroup, place: RowPlace, look: Look): Sketch;
}

/** Draws rows, on the server and in the browser. Self-contained (see `client-elements.ts`). */
export function rowDrawing(
  sketch: Sketcher,
  format: NumberFormat,
  drawing: BarDrawing,
  { percent, roomBeside }: Geometry,
  text: { readonly elide: typeof elide; readonly shortName: typeof shortName },
): RowDrawing {
  /** Enough of a URL to know it by; the panel has all of it. */
  const TITLE = 400;
  const NAME = 90;
  /** Longest reason beside a bar. */
  const WHY = 64;

  const cut = (words: string, most: number): string =>
    words.length > most ? `${words.slice(0, most - 1).toWellFormed()}…` : words;
  /** What the place of a bar says. */
  const begins = (at: number): Sketch => sketch('b', { class: 'unseen' }, `from ${format.value(at, 'ms')}`);
  const cell = (words: string): Sketch => sketch('i', { role: 'gridcell' }, words);
  const placed = (place: RowPlace | undefined): Sketch['attributes'] => ({
    role: 'row',
    'aria-level': place?.level,
    'aria-posinset': place?.position,
    'aria-setsize': place?.size,
    'aria-rowindex': place?.line,
  });

  const sizeOf = (row: ShownRow): string => {
    if (row.fromCache === '') return format.value(row.transferSize, 'bytes');
    return row.fromCache.includes('worker') ? 'worker' : 'cached';
  };

  /** Words beside the bar: why an endpoint is background, once for each reason. */
  const why = ({ background, ...row }: ShownRow, look: Look): Sketch | undefined => {
    if (background?.tells !== true) return undefined;
    const room = roomBeside(row, look, look.width);
    if (room === undefined) return undefined;
    const at = {
      x: percent(room.at, look),
      y: 14,
      dx: room.before ? -8 : 8,
      'text-anchor': room.before ? 'end' : undefined,
    };
    return sketch('svg', { class: 'why' }, sketch('text', at, cut(background.because, Math.min(WHY, room.letters))));
  };

  /** Where a row is that lies outside what is looked at. */
  const aside = (row: ShownRow, look: Look): Sketch | undefined => {
    if (row.startedAt > look.to) return sketch('s', { class: 'after' }, `${format.value(row.startedAt, 'ms')} →`);
    return row.endsAt < look.from ? sketch('s', {}, `← ${format.value(row.startedAt, 'ms')}`) : undefined;
  };

  return {
    row: (row, place, look) => {
      const { background, failed, open, status, mark, step } = row;
      const method = row.method === 'GET' ? '' : `${row.method} `;
      const title = [
        `${row.method} ${text.elide(row.url, TITLE)}`,
        row.outcome || (failed ? 'failed' : ''),
        background === undefined ? '' : `${background.kind}: ${background.because}`,
        background?.countsUntil === undefined ? '' : `counts until ${format.value(background.countsUntil, 'ms')}`,
      ];
      return sketch(
        'div',
        {
          class: `r${background === undefined ? '' : ' g'}${failed ? ' f' : ''}${open ? ' o' : ''}${step === undefined ? '' : ' c'}${place?.level === 2 ? ' in' : ''}`,
          ...placed(place),
          title: place === undefined ? title.filter((part) => part !== '').join(' — ') : undefined,
        },
        sketch(
          'span',
          { role: 'rowheader', class: `n ${row.group}` },
          sketch('span', {}, text.elide(method + text.shortName(row.url), NAME)),
          step !== undefined && sketch('abbr', { title: 'on the critical path' }, '◆'),
          mark !== undefined && sketch('b', { class: `ch c-${mark}` }, mark),
          background !== undefined && sketch('b', {}, background.kind),
        ),
        cell(failed && status === undefined ? 'failed' : String(status ?? '')),
        cell(sizeOf(row)),
        cell(open ? 'open' : format.value(row.endsAt - row.startedAt, 'ms')),
        sketch(
          'u',
          { role: 'gridcell' },
          place && begins(row.startedAt),
          ...drawing.bars(row, look),
          why(row, look),
          aside(row, look),
        ),
      );
    },
    group: (group, place, look) =>
      sketch(
        'div',
        { class: 'r head-of', ...placed(place), 'aria-expanded': String(!group.folded) },
        sketch(
          'span',
          { role: 'rowheader', class: 'n' },
          sketch('span', {}, text.elide(group.name, NAME)),
          sketch('small', {}, format.value(group.count, 'count')),
        ),
        cell(''),
        cell(format.value(group.bytes, 'bytes')),
        cell(format.value(group.to - group.from, 'ms')),
        sketch('u', { role: 'gridcell' }, begins(group.from), drawing.extent(group, look)),
      ),
  };
}
