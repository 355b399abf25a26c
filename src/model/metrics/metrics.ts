import type { CodePlace } from '../main-thread.ts';
import type { Ms, Unit } from '../units.ts';

/** A metric by its key in result.json. The list in `core/metrics/index.ts` holds one metric for each. */
export type MetricName =
  | 'pageComplete'
  | 'mostlyComplete'
  | 'networkComplete'
  | 'timeToFirstByte'
  | 'firstContentfulPaint'
  | 'largestContentfulPaint'
  | 'domContentLoaded'
  | 'load'
  | 'totalBlockingTime'
  | 'interactionToNextPaint'
  | 'cumulativeLayoutShift'
  | 'mainThreadTime'
  | 'cpuTime'
  | 'stolenTime'
  | 'waitTime'
  | 'serverCpuTime'
  | 'transferSize'
  | 'requestCount';

/** A metric that the user defines. */
export interface OwnMetric {
  /**
   * Its key in result.json, in camel case.
   *
   * @pattern ^[a-z][a-zA-Z0-9]*$
   */
  readonly name: string;
  /** Where its figure comes from: 'measure:checkout-ready', 'js:items.length'. The kinds: core/metrics/own/index.ts. */
  readonly from: string;
  readonly unit: Unit;
  readonly better: 'lower' | 'higher';
  /** What it measures. */
  readonly description?: string;
}

/** Something of each metric that is known, by its name. Those beside ours are the user's own. */
export interface ByMetric<T> extends Readonly<Partial<Record<MetricName, T>>> {
  readonly [own: string]: T | undefined;
}

/** The figures of a run, by their metrics. */
export interface RunMetrics extends ByMetric<number> {}

/** What people call some of them. */
export type MetricAbbreviation = 'CLS' | 'DCL' | 'FCP' | 'INP' | 'LCP' | 'TBT' | 'TTFB';

/** A task of 50 ms or more on the main thread. Source: Long Tasks API. */
export interface LongTask {
  readonly at: Ms;
  readonly duration: number;
}

/** A part of the viewport, as shares of its width and height: from 0 to 1 within it. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** An element that moved, and from where to where. */
export interface ShiftSource {
  /** As a CSS selector: 'img#hero.wide'. */
  readonly selector: string;
  readonly from?: Box;
  readonly to?: Box;
}

/** A layout shift without recent input. Source: Layout Instability API. */
export interface LayoutShift {
  readonly at: Ms;
  readonly score: number;
  /** The elements that moved most, at most five; absent where the browser names none. */
  readonly sources?: readonly ShiftSource[];
}

/** A frame of which the main thread worked for more than 50 ms. Source: Long Animation Frames API. */
export interface LongFrame {
  readonly at: Ms;
  readonly duration: number;
  /** How long input would have had to wait in it. */
  readonly blocking: number;
  /** When its style and layout began, which end with it. Absent where nothing was rendered, and in earlier recordings. */
  readonly styleFrom?: Ms;
  /** Its scripts of more than 5 ms. */
  readonly scripts: readonly LongFrameScript[];
}

/** A script in a long frame. */
export interface LongFrameScript {
  readonly at: Ms;
  readonly duration: number;
  /** Empty where the browser does not name it. */
  readonly url: string;
  readonly name?: string;
  /** 'DOMWindow.onload', 'Window.setTimeout', the address of a script that was evaluated. */
  readonly invoker?: string;
  /** Where it begins: characters of the script before it, UTF-16. Of a promise, where it was waited for. */
  readonly position?: number;
  /** The same in lines, and in the source; absent where the script was not read. */
  readonly place?: CodePlace;
  /** Style and layout that it forced. */
  readonly forced: number;
}

/** A part of an interaction, in order of time: before its handlers, in them, and from then to the paint. */
export type InteractionPart = 'inputDelay' | 'processing' | 'presentation';

/** A script that ran while an interaction waited for its paint. */
export interface InteractionScript extends Pick<LongFrameScript, 'url' | 'name' | 'invoker' | 'place' | 'forced'> {
  /** The part in which most of it ran. */
  readonly part: InteractionPart;
  /** How long it ran in the interaction. */
  readonly ms: Ms;
}

/** An event of an interaction. Source: Event Timing API, which rounds durations to 8 ms. */
export interface Interaction {
  /** When the user did it. */
  readonly at: Ms;
  /** Until the next paint. */
  readonly duration: number;
  /** Equal for the events of one interaction. */
  readonly id: number;
  /** 'pointerup', 'click', 'keydown' … */
  readonly type: string;
  /** How long it waited for the main thread, how long its handlers ran, and from then to the paint; they add up. */
  readonly inputDelay: number;
  readonly processing: number;
  readonly presentation: number;
  /**
   * Scripts of long frames that ran meanwhile, in order of time; of very many the longest. Absent where the browser does
   * not tell (Long Animation Frames: Chrome 123), and of single events.
   */
  readonly scripts?: readonly InteractionScript[];
  /** Of a journey: the step that it was in; `at` counts from the step's zero. */
  readonly step?: string;
}

/** What was done in the steps after a load, together. */
export interface Journey {
  /** How many interactions there were, also those that were too fast to be reported. */
  readonly count: number;
  /** Those that were reported, each with its slowest event. */
  readonly interactions: readonly Interaction[];
}

/** A mark that the page set. Source: User Timing. */
export interface UserMark {
  readonly at: Ms;
  readonly name: string;
}

/** A time that the page measured. Source: User Timing. */
export interface UserMeasure extends UserMark {
  readonly duration: number;
}

/** When an element with the attribute `elementtiming` was painted. Source: Element Timing API. */
export interface ElementPaint {
  readonly at: Ms;
  /** The attribute's value. */
  readonly name: string;
}

/** Entries of the page's performance timeline; absent where they were not collected. How each is: core/rendering/page-timings.ts. */
export interface TimingEntries {
  readonly longTasks?: readonly LongTask[];
  readonly layoutShifts?: readonly LayoutShift[];
  readonly longFrames?: readonly LongFrame[];
  readonly interactions?: readonly Interaction[];
  readonly userMarks?: readonly UserMark[];
  readonly userMeasures?: readonly UserMeasure[];
  readonly elementPaints?: readonly ElementPaint[];
}
