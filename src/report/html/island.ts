import type { ResourceType } from '../../model/network.ts';
import type { Waterfall, WaterfallRow } from '../../model/report.ts';
import { byTime } from '../select.ts';
import { elide, plain, safeHref } from '../text.ts';
import { type Axis, PHASES } from './geometry.ts';

/** A word on a row that one of two builds has, or has in another size. */
export type RowMark = 'new' | 'gone' | 'grown' | 'shrunk';

/** Words for what a row can be marked with in a comparison, by position; 0 is no mark. */
export const ROW_MARKS: readonly (RowMark | '')[] = ['', 'new', 'gone', 'grown', 'shrunk'];

/** The groups that rows are filtered by, in order. */
export const GROUPS = ['doc', 'css', 'js', 'font', 'img', 'media', 'xhr', 'stream', 'other'] as const;

/** A group of resource types. */
export type Group = (typeof GROUPS)[number];

/** Groups in words. */
export const GROUP_NAMES: Readonly<Record<Group, string>> = {
  doc: 'Document',
  css: 'CSS',
  js: 'Script',
  font: 'Font',
  img: 'Image',
  media: 'Media',
  xhr: 'Fetch/XHR',
  stream: 'Stream',
  other: 'Other',
};

/** The group that a type is filtered with. */
export function groupOf(type: ResourceType): Group {
  switch (type) {
    case 'document':
      return 'doc';
    case 'stylesheet':
      return 'css';
    case 'script':
      return 'js';
    case 'font':
      return 'font';
    case 'image':
      return 'img';
    case 'media':
    case 'texttrack':
      return 'media';
    case 'xhr':
    case 'fetch':
      return 'xhr';
    case 'eventsource':
    case 'websocket':
    case 'webtransport':
      return 'stream';
    default:
      return 'other';
  }
}

/** What the waterfalls of one page have in common: the loads of a page ask for much the same. */
export interface Vocabulary {
  /** Every text but addresses, once; the first is the empty one. */
  readonly words: readonly string[];
  /** Every address, once: the position of its beginning among the words, and what follows. */
  readonly urls: readonly (number | string)[];
  /** Every combination of method, type, MIME type, protocol, cache, priority and group (words), and of status (0: none). */
  readonly kinds: readonly (readonly number[])[];
  /** Every reason for which rows are background: kind, because and confidence, as words. */
  readonly reasons: readonly (readonly number[])[];
}

/**
 * One row, as short as it can be: 0s at the end are left out. Times are tenths of milliseconds, `word` is a position in
 * `Vocabulary.words`. `readIsland` is the other direction.
 */
export type IslandRow = readonly [
  url?: number,
  kind?: number,
  /** Its start, from the start of the row before. */
  start?: number,
  /** A position in `PHASES`, or one beyond them for a gap, and how long it lasted; and again. They go on from each other. */
  phases?: readonly number[] | 0,
  transferSize?: number | null,
  contentSize?: number,
  initiator?: number,
  /** How many rows above its initiator's row is; 0: there is none. */
  initiatorRow?: number,
  /** How many pieces of body or messages came. */
  pieces?: number,
  /** When they came, each from the one before, the first from the start; only as many as can be seen. */
  ticks?: readonly number[] | 0,
  /** 1 open · 2 failed · 4 the address must not be followed · 8 `counts` is there */
  flags?: number,
  outcome?: number,
  /** A position among the reasons, from 1 on. */
  reason?: number,
  /** Until how long after its start a background row counts all the same. */
  counts?: number,
  /** A position in `ROW_MARKS`. */
  mark?: number,
];

/** One waterfall as the page's script reads it. Times are tenths of milliseconds. */
export interface Island {
  readonly run: number;
  readonly end: number;
  readonly rows: readonly IslandRow[];
  /** Words of the milestones' labels, their times, and their looks (a CSS class). */
  readonly marks: readonly (readonly [label: number, at: number, look: number])[];
  readonly quiet?: readonly [from: number, to: number];
  /** What plain quiescence says: a word for the state, and when. */
  readonly raw?: readonly [state: number, at?: number];
  /** Long tasks: each begins this long after the end of the one before, and lasts this long. */
  readonly tasks?: readonly number[];
  /** Bytes on the wire: spans of `step`, the highest rate in bytes a second, and heights in percent of it: how many spans are empty, then a height; and again. */
  readonly wire?: { readonly step: number; readonly peak: number; readonly heights: readonly number[] };
  /** Positions of rows. */
  readonly critical: readonly number[];
}

/** Longest URL that is kept whole: a `data:` URL can be as long as the picture in it. */
const LONGEST_URL = 20_000;
/** Ticks nearer than three of this many pixels cannot be told from each other, nor can spans of the wire's lane nearer than one. */
const PIXELS = 800;
/** Most ticks that a row can have, over the whole axis. */
const MOST_TICKS = 1500;

const tenths = (ms: number): number => Math.round(ms * 10);

/** Waterfalls that share a page, each with the marks of its rows, as one vocabulary and an island each. */
export function islandsOf(
  waterfalls: readonly { readonly waterfall: Waterfall; readonly marks?: ReadonlyMap<string, RowMark> }[],
  axis: Axis,
): { readonly vocabulary: Vocabulary; readonly islands: readonly Island[] } {
  const words = listing<string>((text) => text);
  words.add('');
  const word = (text: string | undefined): number => words.add(plain(text ?? ''));
  const urls: (number | string)[] = [];
  const knownUrls = new Map<string, number>();
  const addUrl = (url: string): number => {
    const known = knownUrls.get(url);
    if (known !== undefined) return known;
    const [, start = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/(?:[^?#]*\/)?)?(.*)$/is.exec(url) ?? [];
    const position = urls.push(words.add(start), rest) / 2 - 1;
    knownUrls.set(url, position);
    return position;
  };
  const kinds = listing<readonly number[]>(String);
  const reasons = listing<readonly number[]>(String);
  const near = axis.near ?? axis.span;
  const column = Math.max((near / PIXELS) * 3, axis.span / MOST_TICKS);

  const islandOf = (waterfall: Waterfall, marks: ReadonlyMap<string, RowMark> | undefined): Island => {
    const positions = new Map(waterfall.rows.map((row, index) => [row.id, index] as const));
    let before = 0;
    const rowOf = (row: WaterfallRow, index: number): IslandRow => {
      const start = tenths(row.startedAt);
      const { background } = row;
      const counts = background?.countsUntil;
      const initiator = row.initiatorRow === undefined ? undefined : positions.get(row.initiatorRow);
      const followed = row.url.length <= LONGEST_URL && safeHref(row.url) !== undefined;
      const values: IslandRow = [
        addUrl(plain(elide(row.url, LONGEST_URL))),
        kinds.add([
          word(row.method),
          word(row.type),
          word(row.mimeType),
          word(row.protocol),
          word(row.fromCache),
          word(row.priority),
          word(groupOf(row.type)),
          row.status ?? 0,
        ]),
        start - before,
        phasesOf(row),
        row.transferSize ?? null,
        row.contentSize,
        word(row.initiator),
        initiator === undefined ? 0 : index - initiator,
        row.chunks.length,
        ticksOf(row, column),
        (row.open ? 1 : 0) | (row.failed ? 2 : 0) | (followed ? 0 : 4) | (counts === undefined ? 0 : 8),
        word(row.outcome),
        background === undefined
          ? 0
          : reasons.add([word(background.kind), word(background.because), word(background.confidence)]) + 1,
        counts === undefined ? 0 : tenths(counts) - start,
        ROW_MARKS.indexOf(marks?.get(row.id) ?? ''),
      ];
      before = start;
      return trimmed(values);
    };
    const { quietWindow, raw, longTasks, bandwidth } = waterfall;
    const rows = waterfall.rows.map(rowOf);
    return {
      run: waterfall.run,
      end: tenths(waterfall.observedUntil),
      rows,
      marks: byTime(waterfall.milestones).map((mark) => [word(mark.label), tenths(mark.at), word(lookOf(mark))]),
      ...(quietWindow && { quiet: [tenths(quietWindow.from), tenths(quietWindow.to)] as const }),
      ...(raw && {
        raw: raw.at === undefined ? ([word(raw.state)] as const) : ([word(raw.state), tenths(raw.at)] as const),
      }),
      ...(longTasks && { tasks: apart(longTasks.toSorted((a, b) => a.from - b.from)) }),
      ...(bandwidth && { wire: wireOf(bandwidth, near) }),
      critical: (waterfall.critical ?? []).flatMap((id) => positions.get(id) ?? []),
    };
  };
  const islands = waterfalls.map(({ waterfall, marks }) => islandOf(waterfall, marks));
  return { vocabulary: { words: words.all, urls, kinds: kinds.all, reasons: reasons.all }, islands };
}

/** A list of things that are listed once, and where each is in it. */
function listing<T>(key: (thing: T) => string): { readonly all: readonly T[]; add(thing: T): number } {
  const all: T[] = [];
  const known = new Map<string, number>();
  return {
    all,
    add: (thing) => {
      const name = key(thing);
      const position = known.get(name) ?? all.push(thing) - 1;
      known.set(name, position);
      return position;
    },
  };
}

/** The steps of a row and the gaps between them, from its start to its end. */
function phasesOf(row: WaterfallRow): readonly number[] {
  const steps: number[] = [];
  let at = tenths(row.startedAt);
  const until = (name: number, to: number): void => {
    if (to !== at) steps.push(name, to - at);
    at = to;
  };
  for (const phase of row.phases) {
    until(PHASES.length, tenths(phase.from));
    until(PHASES.indexOf(phase.name), tenths(phase.to));
  }
  until(PHASES.length, tenths(row.endsAt));
  return steps;
}

/** When pieces of the body came, one in a column of the drawing; a body that came at once needs none. */
function ticksOf(row: WaterfallRow, column: number): readonly number[] | 0 {
  const ticks: number[] = [];
  let last: number | undefined;
  let before = tenths(row.startedAt);
  for (const at of row.chunks) {
    const place = Math.round(at / column);
    if (place === last) continue;
    last = place;
    ticks.push(tenths(at) - before);
    before = tenths(at);
  }
  return ticks.length < 2 ? 0 : ticks;
}

/** Spans in order of time as distances: from the end of the one before, and how long. */
function apart(spans: readonly { readonly from: number; readonly to: number }[]): readonly number[] {
  let before = 0;
  return spans.flatMap(({ from, to }) => {
    const pair = [tenths(from) - before, tenths(to) - tenths(from)];
    before = tenths(to);
    return pair;
  });
}

/** The wire's lane, in spans that can be told from each other. */
function wireOf(bandwidth: NonNullable<Waterfall['bandwidth']>, near: number): NonNullable<Island['wire']> {
  const { bytes } = bandwidth;
  const joined = Math.max(1, Math.floor(near / PIXELS / bandwidth.step));
  const step = bandwidth.step * joined;
  const sums: number[] = [];
  bytes.forEach((each, index) => {
    const place = Math.floor(index / joined);
    sums[place] = (sums[place] ?? 0) + each;
  });
  const most = Math.max(1, ...sums);
  const heights: number[] = [];
  let empty = 0;
  for (const sum of sums) {
    const height = sum === 0 ? 0 : Math.max(1, Math.round((sum / most) * 100));
    if (height === 0) empty++;
    else {
      heights.push(empty, height);
      empty = 0;
    }
  }
  return { step: tenths(step), peak: sums.length === 0 ? 0 : Math.round((most / step) * 1000), heights };
}

/** Which colour a milestone has. */
function lookOf(milestone: { readonly name: string; readonly label: string }): string {
  const name = `${milestone.name} ${milestone.label}`.toLowerCase().replace(/[^a-z]/g, '');
  if (name.startsWith('pagecomplete')) return 'm-complete';
  if (name.includes('firstcontentful') || name.includes('fcp')) return 'm-fcp';
  if (name.includes('largestcontentful') || name.includes('lcp')) return 'm-lcp';
  if (name.includes('dom') || name.includes('dcl')) return 'm-dcl';
  if (name.includes('load')) return 'm-load';
  return '';
}

/** Without the 0s at its end. */
function trimmed(values: IslandRow): IslandRow {
  const last = values.findLastIndex((value) => value !== 0);
  return values.slice(0, last + 1) as unknown as IslandRow;
}

/**
 * JSON for a `<script type="application/json">`: `<` could end the element or open a comment, and U+2028/9 end a line
 * where the text is read as script.
 */
export function islandJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
