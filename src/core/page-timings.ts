import type { CodePlace } from '../model/main-thread.ts';
import type {
  Box,
  Interaction,
  LayoutShift,
  LongFrame,
  LongFrameScript,
  LongTask,
  ShiftSource,
  TimingEntries,
} from '../model/metrics.ts';
import type { Milestones, PageTimings } from '../model/recording.ts';
import type { Mark } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import { defined } from './defined.ts';
import { duration, type Fields, fields, finite, list, moment, optional, positive, text } from './har-fields.ts';

/*
 * What is collected of a page's own performance timeline: how it is observed in the page, how it is cut to a step, and
 * how a HAR holds it, in a field of its page that is named after it: `_longTasks`. A metric that is computed from entries
 * names them (`Metric.timing`). To collect one more: a field of `TimingEntries` and a row in TIMINGS.
 */

/** How entries of one type are collected. */
export interface Timing<Entry> {
  /** The type that the page's PerformanceObserver observes. */
  readonly entryType: string;
  /** Further options of `observe()`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Fields of a browser's entry that are read, beside its `startTime`. */
  readonly fields: readonly string[];
  /**
   * An entry out of the browser's fields, or out of a HAR's; undefined for one that is not wanted.
   *
   * @param entry its fields, with `at` in ms since the recording's zero
   */
  read(entry: Fields): Entry | undefined;
}

type TimingName = keyof TimingEntries;
type EntryOf<Name extends TimingName> = NonNullable<TimingEntries[Name]>[number];

/** All timings, by their names in a recording. */
export const TIMINGS: { readonly [Name in TimingName]-?: Timing<EntryOf<Name>> } = {
  longTasks: {
    entryType: 'longtask',
    fields: ['duration'],
    read(entry): LongTask | undefined {
      const [at, length] = [moment(entry.at), duration(entry.duration)];
      return at === undefined || length === undefined ? undefined : { at, duration: length };
    },
  },
  layoutShifts: {
    entryType: 'layout-shift',
    fields: ['value', 'hadRecentInput', 'sources'],
    read(entry): LayoutShift | undefined {
      const [at, score] = [moment(entry.at), finite(entry.score ?? entry.value)];
      if (at === undefined || score === undefined || entry.hadRecentInput === true) return undefined;
      const sources = list(entry.sources).slice(0, MOST_SOURCES).map(fields).flatMap(sourceOf);
      return { at, score, ...(sources.length > 0 && { sources }) };
    },
  },
  longFrames: {
    entryType: 'long-animation-frame',
    fields: ['duration', 'blockingDuration', 'scripts', 'styleAndLayoutStart'],
    read: longFrame,
  },
  interactions: {
    entryType: 'event',
    fields: ['name', 'duration', 'interactionId', 'processingStart', 'processingEnd'],
    // The least that there is; only slower ones are kept for those who come late.
    options: { durationThreshold: 16 },
    read: interaction,
  },
};

/** The browser names as many. Source: Layout Instability API, `LayoutShift.sources`. */
const MOST_SOURCES = 5;

function sourceOf({ selector, from, to }: Fields): readonly ShiftSource[] {
  const named = text(selector);
  return named === undefined
    ? []
    : [{ selector: named, ...optional('from', boxOf(from)), ...optional('to', boxOf(to)) }];
}

/** A box is as exact as a pixel of a wide screen. */
const SHARES = 10_000;

/** A box whose four sides are known; undefined for anything else. */
export function boxOf(value: unknown): Box | undefined {
  const { x, y, width, height } = fields(value);
  const sides = [x, y, width, height].flatMap((side) => finite(side) ?? []);
  if (sides.length < 4) return undefined;
  const [left = 0, top = 0, wide = 0, tall = 0] = sides.map((side) => Math.round(side * SHARES) / SHARES);
  return { x: left, y: top, width: wide, height: tall };
}

/** Of the browser's fields, or of a HAR's, which are ours. */
function interaction(entry: Fields): Interaction | undefined {
  const [at, length, id] = [moment(entry.at), duration(entry.duration), finite(entry.id ?? entry.interactionId)];
  const type = text(entry.type ?? entry.name);
  // Without an id it is no interaction: a mouse that moves.
  if (at === undefined || length === undefined || !id || type === undefined) return undefined;
  const started = finite(entry.startTime);
  const [from, to] = [finite(entry.processingStart), finite(entry.processingEnd)];
  const known = started !== undefined && from !== undefined && to !== undefined;
  const inputDelay = known ? Math.max(0, from - started) : (duration(entry.inputDelay) ?? 0);
  const processing = known ? Math.max(0, to - from) : (duration(entry.processing) ?? 0);
  return {
    at,
    duration: length,
    id,
    type,
    inputDelay,
    processing,
    presentation: Math.max(0, length - inputDelay - processing),
  };
}

/** Of the browser's fields, or of a HAR's, which are ours. */
function longFrame(entry: Fields): LongFrame | undefined {
  const [at, length] = [moment(entry.at), duration(entry.duration)];
  if (at === undefined || length === undefined) return undefined;
  const blocking = duration(entry.blocking ?? entry.blockingDuration) ?? 0;
  const zero = at - (finite(entry.startTime) ?? 0);
  const scripts = list(entry.scripts)
    .map((script) => longFrameScript(fields(script), zero))
    .filter((script) => script !== undefined);
  // The browser says 0 where it rendered nothing.
  const styled = positive(entry.styleAndLayoutStart);
  const styleFrom = moment(entry.styleFrom ?? (styled === undefined ? undefined : zero + styled));
  return { at, duration: length, blocking, ...optional('styleFrom', styleFrom), scripts };
}

/** @param zero the document's own zero, in ms since the recording's */
function longFrameScript(script: Fields, zero: Ms): LongFrameScript | undefined {
  const started = finite(script.startTime);
  const [at, length] = [
    moment(script.at ?? (started === undefined ? undefined : zero + started)),
    duration(script.duration),
  ];
  if (at === undefined || length === undefined) return undefined;
  const name = text(script.name === 'script' ? undefined : script.name) ?? text(script.sourceFunctionName);
  const invoker = text(script.invoker);
  return {
    at,
    duration: length,
    url: text(script.url) ?? text(script.sourceURL) ?? '',
    ...(name && { name }),
    ...(invoker && { invoker }),
    ...optional('position', positive(script.position ?? script.sourceCharPosition)),
    ...optional('place', codePlaceOf(fields(script.place))),
    forced: duration(script.forced ?? script.forcedStyleAndLayoutDuration) ?? 0,
  };
}

/** Of a HAR: the browser knows no lines. */
function codePlaceOf({ line, column, source }: Fields): CodePlace | undefined {
  const [from, at] = [positive(line), positive(column)];
  if (from === undefined || at === undefined) return undefined;
  const { file, line: lineInSource, name, package: owner } = fields(source);
  const [inFile, inLine] = [text(file), positive(lineInSource)];
  const known = inFile !== undefined && inLine !== undefined;
  return {
    line: from,
    column: at,
    ...(known && { source: { file: inFile, line: inLine, ...defined({ name: text(name), package: text(owner) }) } }),
  };
}

/** Where a milestone is found: in the page's navigation or paint entries, and among a recording's marks. */
interface Milestone {
  /** A field of the navigation entry. */
  readonly navigation?: string;
  /** The name of a paint entry. */
  readonly paint?: string;
  readonly mark?: Mark['name'];
}

/** All milestones of a document. */
export const MILESTONES: { readonly [Name in keyof Milestones]-?: Milestone } = {
  responseStart: { navigation: 'responseStart' },
  domContentLoadedEnd: { navigation: 'domContentLoadedEventEnd', mark: 'dom-content-loaded' },
  loadEnd: { navigation: 'loadEventEnd', mark: 'load' },
  firstPaint: { paint: 'first-paint', mark: 'first-paint' },
  firstContentfulPaint: { paint: 'first-contentful-paint', mark: 'first-contentful-paint' },
};

/** Reads every milestone by `find`; those that it does not find are absent. */
export function milestones(find: (milestone: Milestone) => Ms | undefined): Milestones {
  const found = Object.entries(MILESTONES).map(([name, milestone]) => [name, find(milestone)] as const);
  return Object.fromEntries(found.filter(([, at]) => at !== undefined));
}

/**
 * Reads the entries of every timing.
 *
 * @param find raw entries of a timing, with `at` in ms since the recording's zero; undefined where they were not collected
 */
export function timingEntries(
  find: (timing: Timing<unknown>, name: string) => readonly Fields[] | undefined,
): TimingEntries {
  const found = Object.entries<Timing<{ readonly at: Ms }>>(TIMINGS).map(([name, timing]) => {
    const entries = find(timing, name)?.map((entry) => timing.read(entry));
    return [name, entries?.filter((entry) => entry !== undefined)] as const;
  });
  return Object.fromEntries(found.filter(([, entries]) => entries !== undefined));
}

/**
 * What the page's own timeline says of a step: its entries from the step's zero on.
 *
 * @param isNewDocument true when the step has opened a document: the milestones are that document's
 */
export function cutToStep(page: PageTimings, isNewDocument: boolean): PageTimings {
  const { finalUrl, title, interactionCount } = page;
  const isInStep = ({ at, duration = 0 }: { readonly at: Ms; readonly duration?: Ms }): boolean => at + duration >= 0;
  const entries = Object.keys(TIMINGS).map((name) => [name, page[name as TimingName]?.filter(isInStep)] as const);
  const ofStep = Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  return isNewDocument ? { ...page, ...ofStep } : { finalUrl, title, ...defined({ interactionCount }), ...ofStep };
}

/** The name of a timing's field in a HAR's page. */
export type HarField<Name extends string> = `_${Name}`;

/** The entries that a HAR holds, by the fields of its page. */
export type HarTimings = { [Name in TimingName as HarField<Name>]?: EntryOf<Name>[] };

/** The fields of a HAR's page with a recording's entries. */
export function toHarTimings(page: TimingEntries): HarTimings {
  const stored = (Object.keys(TIMINGS) as TimingName[]).flatMap((name) => {
    const valid = page[name]?.filter(({ at }) => moment(at) !== undefined);
    return valid === undefined ? [] : [[`_${name}`, valid.map((entry) => ({ ...entry }))]];
  });
  return Object.fromEntries(stored);
}

/** The entries that a HAR's page holds. */
export function fromHarTimings(page: Fields): TimingEntries {
  return timingEntries((_timing, name) => {
    const stored = page[`_${name}`];
    return Array.isArray(stored) ? stored.map(fields) : undefined;
  });
}
