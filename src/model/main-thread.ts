import type { Ms } from './units.ts';

/** What a main thread does, in the groups that Lighthouse and DevTools use. */
export type MainThreadCategory =
  | 'scriptEvaluation'
  | 'scriptCompile'
  | 'parseHtml'
  | 'styleLayout'
  | 'paint'
  | 'garbageCollection'
  | 'other';

/** Time by category, ms; what there was none of is absent. */
export type CategoryTimes = Readonly<Partial<Record<MainThreadCategory, Ms>>>;

/** Time of one thing, by category: the categories add up to `ms`. */
export interface SpentTime {
  readonly ms: Ms;
  readonly byCategory: CategoryTimes;
}

/** A place in the source that a script was built from, read from its source map. Lines and columns count from 1. */
export interface SourcePlace {
  /** As the source map names it, without what a bundler puts before it: `src/chart.ts`. */
  readonly file: string;
  readonly line: number;
  /** The function's name before it was minified, where the map knows it. */
  readonly name?: string;
  /** The npm package that it belongs to. */
  readonly package?: string;
}

/** A place in a script. Lines and columns count from 1. */
export interface CodePlace {
  readonly line: number;
  readonly column: number;
  readonly source?: SourcePlace;
}

/** A function in a script. */
export interface NamedPlace extends CodePlace {
  /** `(anonymous)` where it has none. */
  readonly name: string;
}

/** A source map that a script names, but whose functions could not be led through it. */
export interface UnreadMap {
  readonly url: string;
  /** The map as the script names it. */
  readonly map: string;
  /** Maps were not requested; it is not on the script's origin; there was no answer, or one with an error; it is no map. */
  readonly reason:
    | { readonly code: 'not-asked' | 'elsewhere' | 'no-answer' | 'no-map' }
    | { readonly code: 'status'; readonly status: number };
}

/** A function of a script and the time that it ran. */
export interface FunctionTime extends NamedPlace {
  /** Of itself alone, with what the browser did for it: the functions of a script add up. */
  readonly ms: Ms;
  /** With everything that it called. */
  readonly withCalled: Ms;
}

/** What one script cost the main thread: running and compiling it, the layouts that it forced, its garbage. */
export interface ScriptTime extends SpentTime {
  readonly url: string;
  /** Who runs the host that it is from, `Google Tag Manager`, or the site where that is not known: `shop.example`. */
  readonly party: string;
  /** True when that is not the page's own. */
  readonly thirdParty: boolean;
  /** Those that took longest, the longest first. */
  readonly functions: readonly FunctionTime[];
  /** Time of all its functions that are not listed, and what belongs to no function (compiling). */
  readonly restMs: Ms;
  /** By npm package, where its source map tells; what is left is the page's own. */
  readonly byPackage?: readonly { readonly package: string; readonly ms: Ms }[];
}

/** A task of 50 ms or more, and what most of it was. */
export interface NamedTask {
  readonly at: Ms;
  readonly duration: Ms;
  readonly category: MainThreadCategory;
  /** The script in which most of it was spent; absent where it was no script. */
  readonly url?: string;
  /** How much of it that script was. */
  readonly scriptMs?: Ms;
  /** The script's function that took longest in it, with those that it called. */
  readonly function?: NamedPlace;
}

/** A function, and the script that it is in. */
export interface ScriptPlace extends NamedPlace {
  readonly url: string;
}

/** A place in a script; of the function as far as it is known. Lines and columns count from 1. */
export interface StepPlace {
  readonly url: string;
  readonly line?: number;
  readonly column?: number;
  readonly function?: string;
  /** The same in the source that it was built from, where a map tells. */
  readonly source?: SourcePlace;
}

/** A stretch in which a main thread worked for one script, or did one kind of work for no script. */
export interface Work {
  readonly at: Ms;
  /** Until when it was over. */
  readonly until: Ms;
  /** How long it worked between the two. */
  readonly ms: Ms;
  /** Most of it; absent where it is not known. */
  readonly category?: MainThreadCategory;
  readonly place?: StepPlace;
}

/** Layouts that scripts forced in between: each was computed at once, because a script asked for a size. */
export interface ForcedLayouts {
  readonly count: number;
  readonly ms: Ms;
  /** The function that most of the time was forced from. */
  readonly place?: ScriptPlace;
}

/** A single piece of work that took long. */
export interface LongWork {
  readonly at: Ms;
  readonly duration: Ms;
  /** Elements whose style was computed. */
  readonly elements?: number;
  /** The document that was parsed, and how many lines of it. */
  readonly url?: string;
  readonly lines?: number;
  /** The script that asked for it. */
  readonly place?: ScriptPlace;
}

/** Work for the page that is not done on its main thread: it is not part of the sum. */
export interface OtherThread extends SpentTime {
  readonly kind: 'frame' | 'worker';
  /** Its document or script, where that is known. */
  readonly url?: string;
}

/**
 * What one script did in the long frames of a timed run until page complete. Scripts are those that the browser called: what
 * they call in other files counts for them. Source: Long Animation Frames API.
 */
export interface BlockingScript {
  /** Empty where the browser does not name it. */
  readonly url: string;
  /** As in `ScriptTime`; absent in results of earlier versions. */
  readonly party?: string;
  readonly thirdParty?: boolean;
  /** How long it ran in them. */
  readonly ms: Ms;
  /** Its share of what they blocked: input had to wait for so long. */
  readonly blocking: Ms;
  /** Of `ms`: style and layout that it forced. */
  readonly forced: Ms;
  /** What the browser called in it for longest; absent where it does not say what that was. */
  readonly longest?: CalledTime;
}

/** What the browser called in a script, and how long that ran. */
export interface CalledTime {
  readonly ms: Ms;
  readonly name?: string;
  /** How the browser came to call it: 'DOMWindow.onload', 'Window.setTimeout'. */
  readonly invoker?: string;
  /** Where it is; absent where the script was not read. */
  readonly place?: CodePlace;
}

/** Who ran most of a long task. */
export interface TaskName {
  readonly url: string;
  readonly ms: Ms;
  readonly function?: string;
  /** How the browser came to call it: 'DOMWindow.onload', 'Window.setTimeout'. */
  readonly invoker?: string;
  readonly place?: CodePlace;
}

/**
 * Which code kept the main thread busy until page complete, from the trace of the evidence run. That run is not timed:
 * tracing slows scripts down, so what counts here are shares and names. `byScript`, `otherScripts` and `noScript` add up
 * to `ms`, and so do the categories.
 */
export interface MainThread extends SpentTime {
  /** Page complete of the evidence run; the end of watching when there was none. */
  readonly until: Ms;
  /** The longest first. */
  readonly byScript: readonly ScriptTime[];
  /** Scripts that are not listed. */
  readonly otherScripts?: SpentTime & { readonly count: number };
  /** What was done for no script: parsing, rendering, and the browser's own tasks. */
  readonly noScript: SpentTime;
  /** Time of scripts by site, the longest first. */
  readonly byParty: readonly { readonly party: string; readonly thirdParty: boolean; readonly ms: Ms }[];
  /** In order of time. */
  readonly longTasks: readonly NamedTask[];
  readonly forcedLayouts?: ForcedLayouts;
  /** Single recalculations of style, and pieces of a document parsed at once, of 50 ms or more. */
  readonly longStyles?: readonly LongWork[];
  readonly longParses?: readonly LongWork[];
  /** Frames of other processes and workers, the longest first. */
  readonly elsewhere: readonly OtherThread[];
  /** Of the listed scripts. Absent where there are none. */
  readonly unreadMaps?: readonly UnreadMap[];
  /** Path beside result.json; absent where no file is kept. */
  readonly trace?: string;
}

/** A function in the profiled loads of one build. */
export interface ProfiledFunction extends NamedPlace {
  /** Of itself alone, in each load; without garbage. */
  readonly ms: readonly Ms[];
  /** With everything that it called. */
  readonly withCalled: readonly Ms[];
}

/**
 * What a build's scripts took until page complete in several loads of which only a CPU profile was taken. They are made
 * unless the timed runs show that two builds do not differ, to find out which code that is; single loads cannot tell.
 */
export interface CodeProfile {
  readonly loads: number;
  readonly scripts: readonly {
    readonly url: string;
    readonly ms: readonly Ms[];
    /** In the order of the script. */
    readonly functions: readonly ProfiledFunction[];
  }[];
}

/** How much longer something took, over several loads of each build, with its interval. */
export interface ChangeOverLoads {
  /** Medians of timed runs, means of profiled loads. */
  readonly base: Ms;
  readonly candidate: Ms;
  /** Candidate − base. */
  readonly difference?: Ms;
  readonly low?: Ms;
  readonly high?: Ms;
  readonly level: number;
}

/** A function of two builds. */
export interface FunctionChange extends NamedPlace, ChangeOverLoads {
  /** The figures are with all that it called; without it, its own. */
  readonly withCalled?: true;
  /** The only build that ran a function of this name: it may stand for one of another name. */
  readonly only?: 'base' | 'candidate';
}

/** A script of two builds; 0 where a build has no time of it. */
export interface CodeChange {
  /** Its address without what changes from build to build: hashes, the page's own origin. */
  readonly name: string;
  /** As it was seen: the candidate's, or the base's when only that one has it. */
  readonly url: string;
  /** In the traced load of each build: one load, so a difference of both may be noise. 0 in a step, which is not traced. */
  readonly base: Ms;
  readonly candidate: Ms;
  /** The kind of work that changed most in the traced loads. */
  readonly category?: MainThreadCategory;
  /** What its own functions took in the profiled loads; absent where there are none. */
  readonly profiled?: ChangeOverLoads;
  /**
   * Functions whose own time surely changed in them, those that changed most first; where the change is spread over many,
   * the innermost that has most of it with what it called is before them.
   */
  readonly functions?: readonly FunctionChange[];
  /** In long frames of the timed runs. Absent unless every timed run tells. */
  readonly timed?: ChangeOverLoads;
}

/**
 * Which code of the candidate took longer or shorter than the base's: information, no decision. What has an interval is over
 * several loads of each build; the rest is from one traced load of each.
 */
export interface CodeChanges {
  /** In the traced load of each build; absent in a step, which is not traced. */
  readonly base?: Ms;
  readonly candidate?: Ms;
  /** How long the main thread was busy until page complete in the timed runs. Absent unless every timed run tells. */
  readonly timed?: ChangeOverLoads;
  /** Profiled loads of each build. Absent where there were none: the timed runs show no difference. */
  readonly profiledLoads?: number;
  /** Those that changed most first. */
  readonly byCategory: readonly { readonly category: MainThreadCategory; readonly base: Ms; readonly candidate: Ms }[];
  readonly byScript: readonly CodeChange[];
  /** Packages whose change is proven in the profiled loads, where source maps tell. */
  readonly byPackage: readonly ({ readonly package: string } & ChangeOverLoads)[];
  /** Of the listed scripts, of either build. Absent where there are none. */
  readonly unreadMaps?: readonly UnreadMap[];
  /** In plain words, with figures. */
  readonly sentence: string;
}

/** The same before it is put into words. */
export type CodeChangesFacts = Omit<CodeChanges, 'sentence'>;
