import type { ResourceType } from '../../model/network.ts';
import type { Waterfall, WaterfallRow } from '../../model/report.ts';
import { elide, plain, safeHref } from '../text.ts';
import { PHASES } from './geometry.ts';

/**
 * What the detail panel and the filters need of one row, by position so that ten thousand rows stay small. Numbers that
 * say `word` point into `Island.words`; 0 is the empty word.
 */
export type IslandRow = readonly [
  url: string,
  /** 1 open · 2 failed · 4 the URL may be followed · 8 background */
  flags: number,
  startedAt: number,
  endsAt: number,
  status: number,
  group: number,
  method: number,
  type: number,
  mimeType: number,
  protocol: number,
  fromCache: number,
  priority: number,
  initiator: number,
  outcome: number,
  kind: number,
  because: number,
  confidence: number,
  transferSize: number | null,
  contentSize: number,
  /** How many pieces of body or messages came. */
  chunks: number,
  /** Position in `PHASES`, from, to; and again. */
  phases: readonly number[],
  /** Until when a background row counts all the same. */
  countsUntil: number | null,
];

/** The rows of one waterfall, as the page's script reads them. */
export interface Island {
  readonly words: readonly string[];
  readonly rows: readonly IslandRow[];
}

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

/** Longest URL that is kept whole: a `data:` URL can be as long as the picture in it. */
const LONGEST_URL = 20_000;

const tenth = (value: number): number => Math.round(value * 10) / 10;

/** The island of one waterfall. */
export function islandOf(waterfall: Waterfall): Island {
  const words = [''];
  const known = new Map<string, number>([['', 0]]);
  const word = (text: string | undefined): number => {
    const clean = plain(text ?? '');
    const seen = known.get(clean);
    if (seen !== undefined) return seen;
    known.set(clean, words.length);
    return words.push(clean) - 1;
  };
  const rowOf = (row: WaterfallRow): IslandRow => [
    plain(elide(row.url, LONGEST_URL)),
    (row.open ? 1 : 0) |
      (row.failed ? 2 : 0) |
      (row.url.length > LONGEST_URL || safeHref(row.url) === undefined ? 0 : 4) |
      (row.background === undefined ? 0 : 8),
    tenth(row.startedAt),
    tenth(row.endsAt),
    row.status ?? 0,
    GROUPS.indexOf(groupOf(row.type)),
    word(row.method),
    word(row.type),
    word(row.mimeType),
    word(row.protocol),
    word(row.fromCache),
    word(row.priority),
    word(row.initiator),
    word(row.outcome),
    word(row.background?.kind),
    word(row.background?.because),
    word(row.background?.confidence),
    row.transferSize ?? null,
    row.contentSize,
    row.chunks.length,
    row.phases.flatMap((phase) => [PHASES.indexOf(phase.name), tenth(phase.from), tenth(phase.to)]),
    row.background?.countsUntil === undefined ? null : tenth(row.background.countsUntil),
  ];
  const rows = waterfall.rows.map(rowOf);
  return { words, rows };
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
