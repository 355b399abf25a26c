import type {
  ForcedLayouts,
  LongWork,
  MainThread,
  MainThreadCategory,
  NamedTask,
  OtherThread,
  ScriptPlace,
  SourcePlace,
  StepPlace,
  Work,
} from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';
import { finite } from '../requests/har-fields.ts';
import { toMicroseconds } from '../time/time.ts';
import { type CategorySum, createCategorySum } from './categories.ts';
import { ANONYMOUS, createSampleReader, type StackFrame, samplesOf } from './samples.ts';
import { createScriptSum, spent } from './scripts.ts';
import { type Segment, type Span, segmentsOf } from './segments.ts';
import { type SourceLookup, sourceOfFunction } from './source-map.ts';
import { type PageThread, threadsOf } from './threads.ts';
import { detailOf, filled, type TraceEvent, traceEvent } from './trace-events.ts';

/** A task longer than this is long. Source: Long Tasks API. */
const LONG_TASK_MS = 50;
/** A single recalculation of style, or a piece of a document parsed at once, that makes a task long by itself. */
const LONG_WORK_MS = 50;
/** Tasks, and pieces of long work, that are listed. */
const MAX_TASKS = 50;
/** Shorter work of one script is left out, as the browser leaves it out of long frames. Source: Long Animation Frames API. */
const LEAST_WORK_MS = 5;

/** What a trace tells of a page's main thread. */
export interface ReadMainThread extends Omit<MainThread, 'trace'> {
  /** What it did, in order of time, without what took less than 5 ms. */
  readonly work: readonly Work[];
}

/** Which part of a trace is read. */
export interface TraceScope {
  /** The page's outermost frame. */
  readonly frameId: string;
  /** The recording's zero, microseconds of the trace's clock. */
  readonly zero: number;
  /** Until when, ms: page complete. */
  readonly until: Ms;
  readonly pageUrl: string;
  /** Source maps by the address of their script. */
  readonly sources?: ReadonlyMap<string, SourceLookup>;
}

/**
 * What the main thread of a page did, out of the events of a trace; undefined when there is none of its main thread.
 *
 * @param raw `traceEvents` of a parsed trace: anything may stand in it
 */
export function readMainThread(raw: readonly unknown[], scope: TraceScope): ReadMainThread | undefined {
  const { frameId, until, pageUrl } = scope;
  const zero = Math.round(scope.zero);
  const events = raw.map(traceEvent).filter((event) => event !== undefined);
  const threads = threadsOf(events, frameId, zero);
  const byThread = Map.groupBy(events, ({ pid, tid }) => `${pid}:${tid}`);
  const chunks = events.filter(({ name }) => name === 'ProfileChunk');
  const sourceOf = (frame: StackFrame): SourcePlace | undefined =>
    sourceOfFunction(scope.sources?.get(frame.url), frame);
  const to = zero + Math.round(until * 1000);
  const at = (microseconds: number): Ms => toMicroseconds((microseconds - zero) / 1000);

  const all = createCategorySum();
  const scripts = createScriptSum();
  const tasks: TaskSum[] = [];
  const forced = createForcedSum();
  const work: Span[] = [];
  const places = new Map<Span, StackFrame>();
  let isThere = false;
  for (const thread of threads.filter(({ kind }) => kind === 'main')) {
    const own = byThread.get(keyOf(thread)) ?? [];
    const { segments, spans } = segmentsOf(own, zero, to);
    if (segments.length > 0) isThere = true;
    const profiles = own.filter(({ name }) => name === 'Profile');
    const samples = samplesOf(profiles, chunks);
    const read = createSampleReader(samples);
    const profiledFrom = samples.find(({ frame }) => frame !== undefined)?.at ?? zero;
    const sums = new Map<Span, TaskSum>();
    for (const segment of segments) {
      const { span } = segment;
      const { task } = span;
      const ofTask = sums.get(task) ?? createTaskSum(task);
      sums.set(task, ofTask);
      for (const { frame, url, ms, category = span.category } of piecesOf(segment, read, profiledFrom)) {
        all.add(category, ms);
        scripts.add(url, frame, category, ms);
        ofTask.add(url, frame, category, ms, segment);
        if (category === 'styleLayout' && isForced(span)) forced.add(span, frame, ms);
        if (frame && !places.has(span)) places.set(span, frame);
      }
    }
    tasks.push(...sums.values());
    work.push(...spans);
  }
  if (!isThere) return undefined;
  const longTasks = tasks
    .map((task) => task.named(at, sourceOf))
    .filter(({ duration }) => duration >= LONG_TASK_MS)
    .toSorted((a, b) => a.at - b.at);
  const long = (names: readonly string[], own: boolean): readonly LongWork[] =>
    longWork(work, names, own, at, (span) => scriptPlaceOf(places.get(span), sourceOf)).slice(0, MAX_TASKS);
  const longStyles = long(['UpdateLayoutTree', 'RecalculateStyles'], false);
  const longParses = long(['ParseHTML'], true);
  const forcedLayouts = forced.result(sourceOf);
  return {
    until,
    ...spent(all),
    ...scripts.result(pageUrl, sourceOf),
    longTasks: longTasks.slice(0, MAX_TASKS),
    ...(forcedLayouts && { forcedLayouts }),
    ...(longStyles.length > 0 && { longStyles }),
    ...(longParses.length > 0 && { longParses }),
    elsewhere: elsewhereOf(threads, byThread, zero, to),
    work: tasks.flatMap((task) => task.work(at, sourceOf)).toSorted((a, b) => a.at - b.at),
  };
}

function keyOf({ pid, tid }: Pick<PageThread, 'pid' | 'tid'>): string {
  return `${pid}:${tid}`;
}

/** A part of a segment that one function ran, or no script. */
interface Piece {
  readonly frame: StackFrame | undefined;
  readonly url: string | undefined;
  readonly ms: number;
  /** Where it is not that of the segment. */
  readonly category?: MainThreadCategory;
}

/** Cuts a segment by who ran it: by the CPU profile inside of scripts, and by what the events say where that has no answer. */
function* piecesOf(
  { from, to, span }: Segment,
  read: ReturnType<typeof createSampleReader>,
  profiledFrom: number,
): Iterable<Piece> {
  const compiled = span.category === 'scriptCompile' ? addressOf(span.event) : undefined;
  if (compiled !== undefined) {
    yield { frame: undefined, url: compiled, ms: (to - from) / 1000 };
    return;
  }
  if (!runsScript(span)) {
    yield { frame: undefined, url: undefined, ms: (to - from) / 1000 };
    return;
  }
  const samples = read(from, to);
  if (samples.length === 0) {
    yield { ...saidByEvents(span), ms: (to - from) / 1000 };
    return;
  }
  for (const [i, { at, frame }] of samples.entries()) {
    const ends = Math.min(to, samples[i + 1]?.at ?? to);
    const ms = (ends - Math.min(at, to)) / 1000;
    // The profiler starts inside of the first script, and sweeps the heap for that: 20 ms and more that are not the page's.
    if (!frame && ends <= profiledFrom) yield { frame, url: undefined, ms, category: 'other' };
    else yield frame ? { frame, url: frame.url, ms } : { ...saidByEvents(span), ms };
  }
}

/** True inside of a script: also of a layout that it forced, and of garbage that was collected while it ran. */
function runsScript(span: Span): boolean {
  for (let each: Span | undefined = span; each; each = each.parent) {
    if (each.category === 'scriptEvaluation') return true;
  }
  return false;
}

/** The innermost event around that says which function was called. */
function saidByEvents(span: Span): Pick<Piece, 'frame' | 'url'> {
  for (let each: Span | undefined = span; each; each = each.parent) {
    const url = addressOf(each.event);
    if (url === undefined || each.category !== 'scriptEvaluation') continue;
    const { functionName, lineNumber, columnNumber } = detailOf(each.event);
    const line = finite(lineNumber);
    if (each.event.name !== 'FunctionCall' || line === undefined) return { frame: undefined, url };
    // These count from 1, unlike those of a profile.
    const column = finite(columnNumber) ?? 1;
    return { url, frame: { url, name: filled(functionName) ?? ANONYMOUS, line, column, caller: undefined } };
  }
  return { frame: undefined, url: undefined };
}

const PAGE_SCRIPT = /^(?:https?|blob|data|file|webpack|wasm):/i;

function addressOf(event: TraceEvent): string | undefined {
  const detail = detailOf(event);
  const url = filled(detail.url) ?? filled(event.args.fileName);
  return url !== undefined && PAGE_SCRIPT.test(url) ? url : undefined;
}

// --- Tasks ---------------------------------------------------------------------------------------------------------

interface TaskSum {
  add(
    url: string | undefined,
    frame: StackFrame | undefined,
    category: MainThreadCategory,
    ms: number,
    within: Pick<Segment, 'from' | 'to'>,
  ): void;
  named(at: (microseconds: number) => Ms, sourceOf: SourceOf): NamedTask;
  /** What was done in it: for each script, and of each kind for no script. */
  work(at: (microseconds: number) => Ms, sourceOf: SourceOf): readonly Work[];
}

/** What a task did for one script, or of one kind for none. */
interface WorkSum {
  readonly url: string | undefined;
  readonly from: number;
  to: number;
  readonly sum: CategorySum;
}

function createTaskSum(task: Span): TaskSum {
  const categories = createCategorySum();
  const scripts = new Map<string, number>();
  const functions = new Map<string, { readonly frame: StackFrame; ms: number }>();
  const works = new Map<string, WorkSum>();
  const longestIn = (url: string | undefined): StackFrame | undefined =>
    [...functions.values()].filter(({ frame }) => frame.url === url).toSorted((a, b) => b.ms - a.ms)[0]?.frame;
  return {
    add(url, frame, category, ms, { from, to }) {
      categories.add(category, ms);
      const who = url ?? category;
      const done = works.get(who) ?? { url, from, to, sum: createCategorySum() };
      works.set(who, done);
      done.to = to;
      done.sum.add(category, ms);
      if (url === undefined) return;
      scripts.set(url, (scripts.get(url) ?? 0) + ms);
      if (!frame) return;
      const key = `${frame.line}:${frame.column} ${frame.url}`;
      const known = functions.get(key) ?? { frame, ms: 0 };
      known.ms += ms;
      functions.set(key, known);
    },
    named(at, sourceOf) {
      const [script] = [...scripts].toSorted(([, a], [, b]) => b - a);
      const first = longestIn(script?.[0]);
      const isScript = script !== undefined && script[1] * 2 >= categories.ms;
      return {
        at: at(task.from),
        duration: toMicroseconds((task.to - task.from) / 1000),
        category: mostOf(categories),
        ...(isScript && { url: script[0], scriptMs: toMicroseconds(script[1]) }),
        ...(isScript && first && { function: positionOf(first, sourceOf) }),
      };
    },
    work: (at, sourceOf) =>
      [...works.values()].flatMap(({ url, from, to, sum }): readonly Work[] => {
        if (sum.ms < LEAST_WORK_MS) return [];
        const place = url === undefined ? undefined : stepPlaceOf(url, longestIn(url), sourceOf);
        return [{ at: at(from), until: at(to), ms: toMicroseconds(sum.ms), category: mostOf(sum), place }];
      }),
  };
}

function mostOf({ byCategory }: CategorySum): MainThreadCategory {
  return (Object.keys(byCategory)[0] ?? 'other') as MainThreadCategory;
}

function stepPlaceOf(url: string, frame: StackFrame | undefined, sourceOf: SourceOf): StepPlace {
  if (!frame) return { url };
  const { name, ...position } = positionOf(frame, sourceOf);
  return { url, ...position, function: name };
}

/** Where a function is in the source, where a map tells. */
type SourceOf = (frame: StackFrame) => SourcePlace | undefined;

function positionOf(frame: StackFrame, sourceOf: SourceOf): Omit<ScriptPlace, 'url'> {
  const { name, line, column } = frame;
  const source = sourceOf(frame);
  return { name, line, column, source };
}

function scriptPlaceOf(frame: StackFrame | undefined, sourceOf: SourceOf): ScriptPlace | undefined {
  return frame && { url: frame.url, ...positionOf(frame, sourceOf) };
}

// --- Layouts and long work -----------------------------------------------------------------------------------------

/** A layout inside of a script: something asked for a size, and could not wait for the frame. */
function isForced(span: Span): boolean {
  return span.parent !== undefined && runsScript(span.parent);
}

function createForcedSum() {
  const layouts = new Set<Span>();
  const places = new Map<string, { readonly frame: StackFrame; ms: number }>();
  let total = 0;
  return {
    add(span: Span, frame: StackFrame | undefined, ms: number): void {
      // Style is computed as a part of it, in an event of its own.
      if (span.event.name === 'Layout') layouts.add(span);
      total += ms;
      if (!frame) return;
      const key = `${frame.line}:${frame.column} ${frame.url}`;
      const known = places.get(key) ?? { frame, ms: 0 };
      known.ms += ms;
      places.set(key, known);
    },
    result(sourceOf: SourceOf): ForcedLayouts | undefined {
      if (layouts.size === 0) return undefined;
      const [worst] = [...places.values()].toSorted((a, b) => b.ms - a.ms);
      const place = scriptPlaceOf(worst?.frame, sourceOf);
      return { count: layouts.size, ms: toMicroseconds(total), place };
    },
  };
}

/** @param own leave out what was done inside of it: scripts that a parser runs are not its work */
function longWork(
  spans: readonly Span[],
  names: readonly string[],
  own: boolean,
  at: (microseconds: number) => Ms,
  placeOfSpan: (span: Span) => ScriptPlace | undefined,
): readonly LongWork[] {
  const chosen = spans.filter(({ event, to, from }) => names.includes(event.name) && to - from >= LONG_WORK_MS * 1000);
  return chosen.flatMap((span): readonly LongWork[] => {
    const inside = own
      ? spans.filter((each) => each.parent === span).reduce((sum, { from, to }) => sum + to - from, 0)
      : 0;
    const duration = toMicroseconds((span.to - span.from - inside) / 1000);
    const { args, dur, tdur = dur } = span.event;
    // While the machine does something else, whatever the page does takes long.
    if (duration * Math.min(1, tdur / dur) < LONG_WORK_MS) return [];
    const begin = detailOf({ args: { data: args.beginData } });
    const elements = finite(args.elementCount);
    const ofDocument = begin.url === undefined ? (args.beginData as typeof begin | undefined) : begin;
    const url = filled(ofDocument?.url);
    const [first, last] = [
      finite(ofDocument?.startLine),
      finite((args.endData as { readonly endLine?: unknown } | undefined)?.endLine),
    ];
    const place = placeOfSpan(span);
    return [
      {
        at: at(span.from),
        duration,
        elements,
        url,
        ...(first !== undefined && last !== undefined && last > first && { lines: last - first }),
        place,
      },
    ];
  });
}

// --- Other threads -------------------------------------------------------------------------------------------------

function elsewhereOf(
  threads: readonly PageThread[],
  byThread: ReadonlyMap<string, readonly TraceEvent[]>,
  from: number,
  to: number,
): readonly OtherThread[] {
  return threads
    .flatMap((thread): readonly OtherThread[] => {
      const { kind, url } = thread;
      if (kind === 'main') return [];
      const sum = createCategorySum();
      const { segments } = segmentsOf(byThread.get(keyOf(thread)) ?? [], from, to);
      for (const segment of segments) sum.add(segment.span.category, (segment.to - segment.from) / 1000);
      const time = spent(sum);
      return time.ms === 0 ? [] : [{ kind, url, ...time }];
    })
    .toSorted((a, b) => b.ms - a.ms);
}
