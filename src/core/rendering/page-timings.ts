import type { CodePlace, SourcePlace } from '../../model/main-thread.ts';
import type {
  Box,
  ElementPaint,
  Interaction,
  LayoutShift,
  LongFrame,
  LongFrameScript,
  LongTask,
  ShiftSource,
  TimingEntries,
  UserMark,
  UserMeasure,
} from '../../model/metrics/metrics.ts';
import type { Mark } from '../../model/network/timeline.ts';
import type { Milestones, PageTimings } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import type { Codec, Writing } from '../har-codec.ts';
import * as keep from '../har-codec.ts';
import { type Fields, fields, finite, list, moment, positive } from '../requests/har-fields.ts';
import { defined } from '../text/defined.ts';

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
  /** How a HAR keeps an entry. */
  readonly kept: Codec<Entry>;
  /**
   * The browser's fields by the names of ours; undefined for an entry that is not wanted.
   *
   * @param entry its fields, with `at` in ms since the recording's zero
   */
  ours?(entry: Fields): Fields | undefined;
}

type TimingName = keyof TimingEntries;
type EntryOf<Name extends TimingName> = NonNullable<TimingEntries[Name]>[number];

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

/** How a HAR keeps a box. */
export const BOX: Codec<Box> = { read: boxOf, write: (box) => box };

/** The browser names as many. Source: Layout Instability API, `LayoutShift.sources`. */
const MOST_SOURCES = 5;

const SOURCES = keep.listOf(keep.object<ShiftSource>({ selector: keep.text, 'from?': BOX, 'to?': BOX }));

const PLACE = keep.object<CodePlace>({
  line: keep.count,
  column: keep.count,
  'source?': keep.object<SourcePlace>({
    file: keep.text,
    line: keep.count,
    'name?': keep.text,
    'package?': keep.text,
  }),
});

const SCRIPT = keep.object<LongFrameScript>({
  at: keep.moment,
  duration: keep.duration,
  url: keep.or(keep.url, ''),
  'name?': keep.text,
  'invoker?': keep.text,
  'position?': keep.count,
  'place?': PLACE,
  forced: keep.or(keep.duration, 0),
});

const INTERACTION = keep.object<Interaction>({
  at: keep.moment,
  duration: keep.duration,
  id: keep.finite,
  type: keep.plain,
  inputDelay: keep.or(keep.duration, 0),
  processing: keep.or(keep.duration, 0),
  presentation: keep.or(keep.duration, 0),
  'scripts?': keep.unread,
  'step?': keep.unread,
});

/** All timings, by their names in a recording. */
export const TIMINGS: { readonly [Name in TimingName]-?: Timing<EntryOf<Name>> } = {
  longTasks: {
    entryType: 'longtask',
    fields: ['duration'],
    kept: keep.object<LongTask>({ at: keep.moment, duration: keep.duration }),
  },
  layoutShifts: {
    entryType: 'layout-shift',
    fields: ['value', 'hadRecentInput', 'sources'],
    kept: keep.object<LayoutShift>({
      at: keep.moment,
      score: keep.finite,
      'sources?': {
        write: SOURCES.write,
        read(value) {
          const sources = SOURCES.read(list(value).slice(0, MOST_SOURCES)) ?? [];
          return sources.length > 0 ? sources : undefined;
        },
      },
    }),
    ours: (entry) => (entry.hadRecentInput === true ? undefined : { ...entry, score: entry.value }),
  },
  longFrames: {
    entryType: 'long-animation-frame',
    fields: ['duration', 'blockingDuration', 'scripts', 'styleAndLayoutStart'],
    kept: keep.object<LongFrame>({
      at: keep.moment,
      duration: keep.duration,
      blocking: keep.or(keep.duration, 0),
      'styleFrom?': keep.moment,
      scripts: keep.or(keep.listOf(SCRIPT), []),
    }),
    ours: longFrame,
  },
  interactions: {
    entryType: 'event',
    fields: ['name', 'duration', 'interactionId', 'processingStart', 'processingEnd'],
    // The least that there is; only slower ones are kept for those who come late.
    options: { durationThreshold: 16 },
    kept: {
      write: INTERACTION.write,
      read(value) {
        const entry = INTERACTION.read(value);
        // Without an id it is no interaction: a mouse that moves.
        if (!entry?.id) return undefined;
        return { ...entry, presentation: Math.max(0, entry.duration - entry.inputDelay - entry.processing) };
      },
    },
    ours(entry) {
      const [started, from, to] = [entry.startTime, entry.processingStart, entry.processingEnd].map(finite);
      const known = started !== undefined && from !== undefined && to !== undefined;
      return {
        ...entry,
        id: entry.interactionId,
        type: entry.name,
        ...(known && { inputDelay: Math.max(0, from - started), processing: Math.max(0, to - from) }),
      };
    },
  },
  userMarks: {
    entryType: 'mark',
    fields: ['name'],
    kept: keep.object<UserMark>({ at: keep.moment, name: keep.text }),
  },
  userMeasures: {
    entryType: 'measure',
    fields: ['name', 'duration'],
    kept: keep.object<UserMeasure>({ at: keep.moment, name: keep.text, duration: keep.duration }),
  },
  elementPaints: {
    entryType: 'element',
    fields: ['identifier'],
    kept: keep.object<ElementPaint>({ at: keep.moment, name: keep.text }),
    ours: (entry) => ({ ...entry, name: entry.identifier }),
  },
};

function longFrame(entry: Fields): Fields {
  // The document's own zero, in ms since the recording's.
  const zero = (moment(entry.at) ?? 0) - (finite(entry.startTime) ?? 0);
  const shifted = (at: number | undefined): Ms | undefined => (at === undefined ? undefined : zero + at);
  return {
    ...entry,
    blocking: entry.blockingDuration,
    // The browser says 0 where it rendered nothing.
    styleFrom: shifted(positive(entry.styleAndLayoutStart)),
    scripts: list(entry.scripts).map((each) => {
      const script = fields(each);
      return {
        ...script,
        at: shifted(finite(script.startTime)),
        url: script.sourceURL,
        name: script.sourceFunctionName || undefined,
        invoker: script.invoker || undefined,
        position: script.sourceCharPosition,
        forced: script.forcedStyleAndLayoutDuration,
      };
    }),
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

/** The entries of every timing, as far as `find` gives a list. */
function timingEntries(find: (timing: Timing<unknown>, name: string) => unknown): TimingEntries {
  const found = Object.entries<Timing<unknown>>(TIMINGS).map(
    ([name, timing]) => [name, keep.listOf(timing.kept).read(find(timing, name))] as const,
  );
  return Object.fromEntries(found.filter(([, entries]) => entries !== undefined));
}

/**
 * The entries that a browser gave out.
 *
 * @param find entries of a type, with `at` in ms since the recording's zero; undefined where they were not collected
 */
export const browserTimings = (find: (entryType: string) => readonly Fields[] | undefined): TimingEntries =>
  timingEntries(({ entryType, ours = (entry) => entry }) => find(entryType)?.map(ours));

/**
 * What the page's own timeline says of a step: its entries from the step's zero on.
 *
 * @param isNewDocument true when the step has opened a document: the milestones are that document's
 * @param soft the soft navigation that the step was, with the milestone that it has
 */
export function cutToStep(
  page: PageTimings,
  isNewDocument: boolean,
  soft?: Pick<Milestones, 'firstContentfulPaint'>,
): PageTimings {
  const { finalUrl, title, interactionCount, evaluated } = page;
  const isInStep = ({ at, duration = 0 }: { readonly at: Ms; readonly duration?: Ms }): boolean => at + duration >= 0;
  const entries = Object.keys(TIMINGS).map((name) => [name, page[name as TimingName]?.filter(isInStep)] as const);
  const ofStep = Object.fromEntries(entries.filter(([, each]) => each !== undefined));
  return isNewDocument
    ? { ...page, ...ofStep }
    : {
        finalUrl,
        title,
        ...defined({ interactionCount, evaluated, firstContentfulPaint: soft?.firstContentfulPaint }),
        ...ofStep,
      };
}

/** The name of a timing's field in a HAR's page. */
export type HarField<Name extends string> = `_${Name}`;

/** The entries that a HAR holds, by the fields of its page. */
export type HarTimings = { [Name in TimingName as HarField<Name>]?: EntryOf<Name>[] };

/** The fields of a HAR's page with a recording's entries. */
export function toHarTimings(page: TimingEntries, writing: Writing): HarTimings {
  const stored = Object.entries<{ readonly kept: Codec<{ readonly at: Ms }> }>(TIMINGS).flatMap(([name, { kept }]) => {
    const valid = page[name as TimingName]?.filter(({ at }) => moment(at) !== undefined);
    return valid === undefined ? [] : [[`_${name}`, keep.listOf(kept).write(valid, writing)]];
  });
  return Object.fromEntries(stored);
}

/** The entries that a HAR's page holds. */
export const fromHarTimings = (page: Fields): TimingEntries => timingEntries((_timing, name) => page[`_${name}`]);
