import type { ResourceType } from '../../../../model/network/network.ts';
import type { Waterfall, WaterfallRow } from '../../../../model/result/report.ts';
import type { Ms } from '../../../../model/units.ts';
import { byTime } from '../../../../result/order.ts';
import { taskNameInWords } from '../../../../wording/main-thread.ts';
import { elide, plain, safeHref } from '../../../../wording/text/text.ts';
import { type Axis, PHASES } from '../geometry.ts';

/** A word on a row that one of two builds has, or has in another size. */
export type RowMark = 'new' | 'gone' | 'grown' | 'shrunk';

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

/**
 * One row of a waterfall as it is drawn, on the server and in the browser: plain JSON, its texts harmless, its times
 * milliseconds in tenths.
 */
export interface ShownRow {
  /** Its position in the waterfall, from 0 on: the order in which requests began. */
  readonly index: number;
  readonly url: string;
  /** Host and port; empty where the address has none. */
  readonly host: string;
  readonly method: string;
  readonly type: string;
  readonly group: Group;
  readonly status?: number | undefined;
  readonly mimeType?: string | undefined;
  readonly protocol?: string | undefined;
  readonly fromCache?: string | undefined;
  readonly priority?: string | undefined;
  readonly renderBlocking?: true | undefined;
  /** It brought the picture of the largest contentful paint. */
  readonly largestPaint?: true | undefined;
  /** Names and values of the answer's headers. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly initiator?: string | undefined;
  readonly outcome?: string | undefined;
  readonly startedAt: Ms;
  readonly endsAt: Ms;
  readonly open: boolean;
  readonly failed: boolean;
  /** True when a link to the address is safe. */
  readonly followed: boolean;
  /** Their names are positions in `PHASES`. */
  readonly phases: readonly { readonly name: number; readonly from: Ms; readonly to: Ms }[];
  /** When pieces of the body came; only as many as can be seen. */
  readonly ticks: readonly Ms[];
  /** How many pieces of body or messages came. */
  readonly pieces: number;
  readonly transferSize?: number | undefined;
  readonly contentSize: number;
  /** The position of the row whose answer asked for this one. */
  readonly initiatorRow?: number | undefined;
  /** Which step of the critical path it is, from 1 on. */
  readonly step?: number | undefined;
  readonly mark?: RowMark | undefined;
  readonly background?: ShownBackground | undefined;
}

/** Why a row is background. */
interface ShownBackground {
  readonly kind: string;
  readonly because: string;
  readonly confidence: string;
  readonly countsUntil?: Ms | undefined;
  /** True in the first row that has this reason: it tells it for all. */
  readonly tells: boolean;
}

/** One waterfall as it is drawn. */
export interface ShownWaterfall {
  readonly run: number;
  readonly rows: readonly ShownRow[];
  /** In order of time; `look` is a CSS class. */
  readonly milestones: readonly { readonly label: string; readonly at: Ms; readonly look: string }[];
  readonly quiet?: { readonly from: Ms; readonly to: Ms } | undefined;
  /** What network idle says. */
  readonly raw?: { readonly state: string; readonly at?: Ms | undefined } | undefined;
  /** Long tasks. */
  readonly tasks?: readonly { readonly from: Ms; readonly to: Ms; readonly name?: string | undefined }[] | undefined;
  /** What came on the wire: the highest average rate of half a second in bytes a second, and the rate of each `step` milliseconds in percent of it. */
  readonly wire?: { readonly step: Ms; readonly peak: number; readonly heights: readonly number[] } | undefined;
  /** Positions of rows, in order of time. */
  readonly critical: readonly number[];
}

/** Longest name of a long task: what ran it, and in which script. */
const LONGEST_TASK_NAME = 120;
/** Longest URL that is kept whole: a `data:` URL can be as long as the picture in it. */
const LONGEST_URL = 20_000;
/** Ticks nearer than three of this many pixels cannot be told from each other, nor can spans of the wire's lane nearer than one. */
const PIXELS = 800;
/** Most ticks that a row can have, over the whole axis. */
const MOST_TICKS = 1500;

const tenth = (ms: Ms): Ms => Math.round(ms * 10) / 10;

const spanOf = ({ from, to }: { readonly from: Ms; readonly to: Ms }) => ({ from: tenth(from), to: tenth(to) });

/** A waterfall as it is drawn on an axis; `marks` are those of its rows, by their ids. */
export function shownWaterfall(
  waterfall: Waterfall,
  axis: Axis,
  marks: ReadonlyMap<string, RowMark> = new Map(),
): ShownWaterfall {
  const near = axis.near ?? axis.span;
  const column = Math.max((near / PIXELS) * 3, axis.span / MOST_TICKS);
  const positions = new Map(waterfall.rows.map(({ id }, index) => [id, index]));
  const critical = (waterfall.critical ?? []).flatMap((id) => positions.get(id) ?? []);
  const steps = new Map(critical.map((index, step) => [index, step + 1]));
  const reasons = new Set<string>();
  const tells = (reason: string): boolean => reasons.size < reasons.add(reason).size;
  const { quietWindow, raw, longTasks, bandwidth } = waterfall;
  return {
    run: waterfall.run,
    rows: waterfall.rows.map((row, index) => ({
      ...shownRow(row, column),
      index,
      initiatorRow: positions.get(row.initiatorRow ?? ''),
      step: steps.get(index),
      mark: marks.get(row.id),
      background: row.background && shownBackground(row.background, tells),
    })),
    milestones: byTime(waterfall.milestones).map((milestone) => ({
      label: plain(milestone.label),
      // As it is: rounded twice, 559.47 ms would be 560 here and 559 ms elsewhere.
      at: Math.round(milestone.at * 1000) / 1000,
      look: lookOf(milestone),
    })),
    quiet: quietWindow && spanOf(quietWindow),
    raw: raw && { state: plain(raw.state), at: raw.at === undefined ? undefined : tenth(raw.at) },
    tasks: longTasks
      ?.toSorted((a, b) => a.from - b.from)
      .map((task) => ({
        ...spanOf(task),
        name: task.name && plain(elide(taskNameInWords(task.name), LONGEST_TASK_NAME)),
      })),
    wire: bandwidth && wireOf(bandwidth, near),
    critical,
  };
}

function shownRow(row: WaterfallRow, column: Ms): Omit<ShownRow, 'index'> {
  const url = plain(elide(row.url, LONGEST_URL));
  const text = (foreign: string | undefined): string | undefined => (foreign ? plain(foreign) : undefined);
  return {
    url,
    host: /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url)?.[1] ?? '',
    method: plain(row.method),
    type: plain(row.type),
    group: groupOf(row.type),
    status: row.status,
    mimeType: text(row.mimeType),
    protocol: text(row.protocol),
    fromCache: text(row.fromCache),
    priority: text(row.priority),
    renderBlocking: row.renderBlocking || undefined,
    largestPaint: row.largestPaint || undefined,
    headers: row.headers?.map(({ name, value }) => [plain(name), plain(value)] as const),
    initiator: text(row.initiator),
    outcome: text(row.outcome),
    startedAt: tenth(row.startedAt),
    endsAt: tenth(row.endsAt),
    open: row.open,
    failed: row.failed,
    followed: row.url.length <= LONGEST_URL && safeHref(row.url) !== undefined,
    phases: row.phases
      .map((phase) => ({ name: PHASES.indexOf(phase.name), ...spanOf(phase) }))
      .filter(({ from, to }) => to > from),
    ticks: ticksOf(row.chunks, column),
    pieces: row.chunks.length,
    transferSize: row.transferSize,
    contentSize: row.contentSize,
  };
}

function shownBackground(
  { kind, because, confidence, countsUntil }: NonNullable<WaterfallRow['background']>,
  tells: (reason: string) => boolean,
): ShownBackground {
  return {
    kind: plain(kind),
    because: plain(because),
    confidence: plain(confidence),
    countsUntil: countsUntil === undefined ? undefined : tenth(countsUntil),
    tells: tells(`${kind} ${confidence} ${because}`),
  };
}

/** When pieces of the body came, one in a column of the drawing; a body that came at once needs none. */
function ticksOf(chunks: readonly Ms[], column: Ms): readonly Ms[] {
  const ticks = chunks.filter(
    (at, i) => i === 0 || Math.round(at / column) !== Math.round((chunks[i - 1] ?? 0) / column),
  );
  return ticks.length < 2 ? [] : ticks.map(tenth);
}

/** The wire's lane, in spans that can be told from each other. */
function wireOf(bandwidth: NonNullable<Waterfall['bandwidth']>, near: Ms): NonNullable<ShownWaterfall['wire']> {
  const joined = Math.max(1, Math.floor(near / PIXELS / bandwidth.step));
  const step = bandwidth.step * joined;
  const sums: number[] = [];
  bandwidth.bytes.forEach((bytes, index) => {
    const place = Math.floor(index / joined);
    sums[place] = (sums[place] ?? 0) + bytes;
  });
  const most = Math.max(1, ...sums);
  const heights = sums.map((sum) => (sum === 0 ? 0 : Math.max(1, Math.round((sum / most) * 100))));
  return { step: tenth(step), peak: peakOf(bandwidth, near), heights };
}

/**
 * A peak is the average of so long, ms: what an emulated network holds back comes in bursts, each of them faster than the
 * line. Of a shorter load it is that of the whole.
 */
export const PEAK_MS = 500;

/** The most that came within any such time, bytes a second. */
function peakOf({ step, bytes }: NonNullable<Waterfall['bandwidth']>, near: Ms): number {
  const spans = Math.max(1, Math.round(Math.min(PEAK_MS, near) / step));
  let sum = 0;
  let most = 0;
  bytes.forEach((each, index) => {
    sum += each - (bytes[index - spans] ?? 0);
    most = Math.max(most, sum);
  });
  return Math.round((most / (spans * step)) * 1000);
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
