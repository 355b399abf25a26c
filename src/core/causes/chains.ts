import type { RequestCause } from '../../model/background/request-reason.ts';
import { defined } from '../text/defined.ts';
import {
  type CauseEvents,
  type CauseSpan,
  type CauseThread,
  createCauseThread,
  type RequestPoint,
  type SentRequest,
  type ThreadKey,
} from './events.ts';
import { createThreadReader, type ThreadReader } from './thread.ts';

/** Steps of a chain that is followed; no page's own chain is longer, and a hostile one may be endless. */
const LONGEST_CHAIN = 64;

/** What led to a moment on a thread. */
export interface Led {
  readonly cause: RequestCause;
  /** The request whose answer, message or code it was, by the browser's id; absent of a document's own code. */
  readonly by?: string;
  /** When the code that it set going first ran; absent where nothing runs. */
  readonly since?: number;
}

/** Nothing tells. */
export const UNKNOWN: Led = { cause: 'unknown' };

/** Timers by the names that the debugger has for them; of a frame of the display, it is the frame. */
const TIMERS: Readonly<Record<string, RequestCause>> = {
  setTimeout: 'timer',
  setInterval: 'timer',
  requestIdleCallback: 'timer',
  postTask: 'timer',
  'scheduler.yield': 'timer',
  requestAnimationFrame: 'render',
  postMessage: 'message',
};

/** A moment on a thread. */
export interface Moment {
  readonly thread: ThreadKey;
  readonly at: number;
  /** The file whose code was running, where a stack was kept: of modules nothing else names it. */
  readonly file?: string;
}

/** Where an asynchronous step was registered. */
interface Registered extends Moment {
  /** As the debugger calls it: 'await', 'setTimeout'. */
  readonly type: string;
}

/** Answers questions about what led to what in a trace. */
export interface Chains {
  led(moment: Moment): Led;
  readerOf(thread: ThreadKey): ThreadReader;
  /** The last request for an address that a thread's process had sent by then, by the browser's id. */
  fileOf(url: string | undefined, moment: Moment): string | undefined;
}

/**
 * The chains of a trace: from code that runs to what made it run, and so on back to an answer, a message, or the file that the
 * code is in. What the events do not tell is unknown: nothing is concluded from times alone.
 */
export function createChains(events: CauseEvents): Chains {
  const readers = new Map<ThreadKey, ThreadReader>();
  const readerOf = (key: ThreadKey): ThreadReader => {
    const known = readers.get(key) ?? createThreadReader(events.threads.get(key) ?? NOTHING);
    readers.set(key, known);
    return known;
  };
  const byId = new Map(events.sent.map((each) => [each.id, each]));
  const bodies = new Map<ThreadKey, ReadonlyMap<CauseSpan, string>>();

  const byUrl = Map.groupBy(events.sent, ({ url }) => url);
  /** Requests for an address that a thread's process had sent by then: another page may load the same meanwhile. */
  const sentFor = (url: string | undefined, { thread, at }: Moment): readonly SentRequest[] => {
    const sent = ((url !== undefined && byUrl.get(url)) || []).filter((each) => each.at <= at);
    const own = sent.filter((each) => processOf(each.thread) === processOf(thread));
    return own.length > 0 ? own : sent;
  };
  const fileOf: Chains['fileOf'] = (url, moment) => sentFor(url, moment).at(-1)?.id;
  const answeredAt = new Map<string, number>();
  for (const { points } of events.threads.values()) {
    for (const { at, what, id } of points) {
      if (what !== 'sent') answeredAt.set(id, Math.min(at, answeredAt.get(id) ?? at));
    }
  }

  const registrations = new Map<string, Registered | undefined>();
  /**
   * Where an asynchronous step that runs in a span was registered, and what it is called. Each thread numbers its steps by
   * itself, and Chrome joins those of one number in a process: what belongs to another thread is only passed.
   */
  const registered = (thread: ThreadKey, run: CauseSpan): Registered | undefined => {
    const passed: string[] = [];
    let step: Registered | undefined;
    let where: Moment = { thread, at: run.from };
    for (;;) {
      const isOwn = where.thread === thread;
      const key = `${where.thread} ${where.at}`;
      if (isOwn && registrations.has(key)) {
        step = registrations.get(key);
        break;
      }
      if (isOwn) passed.push(key);
      const flow = events.threads.get(where.thread)?.arrivals.get(where.at);
      const before = where.at;
      const starts = (flow === undefined ? undefined : events.flows.get(flow))?.filter(({ at }) => at < before) ?? [];
      const from = starts.findLast((start) => start.thread === thread) ?? starts.at(-1);
      if (from === undefined) break;
      const found =
        from.thread === thread ? readerOf(thread).startingAt(from.at, 'v8::Debugger::AsyncTaskScheduled') : undefined;
      if (found !== undefined) {
        step = { ...from, type: found.type ?? '' };
        break;
      }
      // A step that runs again and again, as an interval's, leads to where it ran before.
      where = from;
    }
    for (const key of passed) registrations.set(key, step);
    return step;
  };

  /** Where a message was sent. One that is read by another thread at once may be noted there first. */
  const sentFrom = (thread: ThreadKey, { from }: CauseSpan): Moment | undefined => {
    const own = events.threads.get(thread);
    const flow = own?.arrivals.get(from);
    if (flow !== undefined) return events.flows.get(flow)?.findLast((start) => start.at <= from);
    const noted = own?.departures.get(from);
    return noted === undefined ? undefined : events.ends.get(noted);
  };

  const answers = (points: readonly RequestPoint[]): Led | undefined => {
    const came = points.filter(({ what }) => what !== 'sent');
    const ids = new Set(came.map(({ id }) => id));
    if (ids.size === 0) return undefined;
    const [id] = ids;
    if (ids.size > 1 || id === undefined) return UNKNOWN;
    const isMessage = events.streams.has(id) || came.some(({ what }) => what === 'message');
    return { cause: isMessage ? 'message' : 'response', by: id };
  };

  const led = ({ thread, at, file }: Moment, depth: number): Led => {
    if (depth > LONGEST_CHAIN) return UNKNOWN;
    const reader = readerOf(thread);
    const around = reader.around(at);
    const task = around.find(({ name }) => name === 'RunTask');
    return { since: at, ...insideOf(around, { thread, at, task, depth, file }) };
  };

  interface Inside extends Moment {
    readonly task: CauseSpan | undefined;
    readonly depth: number;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a case for each kind of event
  const insideOf = (around: readonly CauseSpan[], inside: Inside): Led => {
    const { thread, at, task, depth } = inside;
    const reader = readerOf(thread);
    for (const [i, span] of [...around.entries()].toReversed()) {
      const outer = around.slice(0, i);
      switch (span.name) {
        case 'RunMicrotasks':
          return inMicrotasks(outer, span, inside);
        case 'EvaluateScript':
        case 'v8.evaluateModule': {
          return defined({ cause: 'script' as const, by: fileOf(span.url ?? inside.file, inside) });
        }
        case 'XHRLoad':
        case 'XHRReadyStateChange': {
          const sent = sentFor(span.url, { thread, at });
          const by = (sent.findLast(({ id }) => (answeredAt.get(id) ?? at) < at) ?? sent.at(-1))?.id;
          return by === undefined ? UNKNOWN : { cause: 'response', by };
        }
        case 'HandlePostMessage': {
          const from = sentFrom(thread, span);
          if (from === undefined) break;
          const before = led(from, depth + 1);
          return before.cause === 'unknown' ? UNKNOWN : { ...before, cause: 'message' };
        }
        case 'UpdateLayoutTree':
        case 'Layout':
          return { cause: 'render' };
        case 'v8::Debugger::AsyncTaskRun': {
          const step = registered(thread, span);
          if (step === undefined) return UNKNOWN;
          // It runs as often as something comes: the span around it says what that was.
          if (step.type === 'XMLHttpRequest.send') break;
          if (step.type === 'PendingScript') break;
          // What is called when an element's file has come was registered with the element.
          if (step.type === 'script') return ofScriptElement(span, inside) ?? UNKNOWN;
          // Within microtasks, what woke it is known from there.
          if (outer.some(({ name }) => name === 'RunMicrotasks') && TIMERS[step.type] === undefined) break;
          const before = led(step, depth + 1);
          const kind = TIMERS[step.type];
          return kind === undefined ? before : { ...before, cause: before.cause === 'unknown' ? 'unknown' : kind };
        }
      }
    }
    return (task && answers(reader.pointsIn(task.from, at))) ?? UNKNOWN;
  };

  /** A script that has run, and then called who waits for it. */
  const ofScriptElement = (run: CauseSpan, { thread, at, task }: Inside): Led | undefined => {
    const ran = readerOf(thread)
      .within(task?.from ?? run.from, at)
      .findLast(({ name }) => name === 'EvaluateScript');
    const by = ran && fileOf(ran.url, { thread, at });
    if (by === undefined) return undefined;
    return { cause: ran !== undefined && ran.to >= at ? 'script' : 'response', by };
  };

  /** What runs in microtasks was woken by what ran, or came, before them in the same task; else a body has ended. */
  const inMicrotasks = (outer: readonly CauseSpan[], microtasks: CauseSpan, inside: Inside): Led => {
    const { thread, task, depth } = inside;
    const reader = readerOf(thread);
    const telling = outer.filter(({ name }) => name !== 'RunTask');
    if (telling.length > 0) {
      const within = insideOf(outer, { ...inside, at: microtasks.from });
      if (within.cause !== 'unknown') return within;
    }
    if (task === undefined) return UNKNOWN;
    const came = answers(reader.pointsIn(task.from, microtasks.from));
    if (came !== undefined) return came;
    const ran = reader.within(task.from, microtasks.from).filter(isScript);
    if (ran.length > 0) {
      const [outermost, ...others] = ran.filter((each) => !ran.some((other) => other !== each && covers(other, each)));
      if (outermost === undefined || others.length > 0) return UNKNOWN;
      return led({ thread, at: Math.max(outermost.from, outermost.to - 1) }, depth + 1);
    }
    const body = bodiesOn(thread).get(task);
    if (body !== undefined) return { cause: 'response', by: body };
    const [first] = reader.within(microtasks.from, microtasks.to).filter(isRun);
    const step = first && registered(thread, first);
    if (step === undefined || isEndOfBody(thread, task, step)) return UNKNOWN;
    return led(step, depth + 1);
  };

  /** Whether a body that ended meanwhile may be what woke a step. */
  const isEndOfBody = (thread: ThreadKey, task: CauseSpan, step: Moment): boolean =>
    readerOf(thread)
      .pointsIn(step.at, task.from)
      .some(({ what, id }) => what === 'ended' && byId.get(id)?.isFetch === true);

  /**
   * Which body ended before tasks that run nothing but microtasks: a promise for a body is kept in a task of its own, behind
   * the one in which its last byte came, in the order in which they ended. Of several that have ended it is the one that the
   * woken code asked for, or got the headers of; where that is not one, it is not known.
   */
  const bodiesOn = (thread: ThreadKey): ReadonlyMap<CauseSpan, string> => {
    const known = bodies.get(thread);
    if (known !== undefined) return known;
    const reader = readerOf(thread);
    const found = new Map<CauseSpan, string>();
    bodies.set(thread, found);
    const ended = (events.threads.get(thread)?.points ?? []).filter(
      ({ what, id }) => what === 'ended' && byId.get(id)?.isFetch === true,
    );
    let next = 0;
    let open: RequestPoint[] = [];
    for (const { task, microtasks } of reader.bareTasks()) {
      for (let each = ended[next]; each !== undefined && each.at < task.from; each = ended[next]) {
        open.push(each);
        next += 1;
      }
      if (open.length === 0) continue;
      const runs = reader.within(microtasks.from, microtasks.to).filter(isRun);
      // What the debugger does not see was woken by a body, too.
      if (runs.length === 0 && open.length === 1) open = [];
      const id = runs.map((run) => bodyOf(thread, run, open)).find((each) => each !== undefined);
      if (id === undefined) continue;
      found.set(task, id);
      const at = open.findIndex((each) => each.id === id);
      open = open.slice(at + 1);
    }
    return found;
  };

  const bodyOf = (thread: ThreadKey, run: CauseSpan, open: readonly RequestPoint[]): string | undefined => {
    const possible = (step: Moment): readonly RequestPoint[] => open.filter(({ at }) => at > step.at);
    let step = registered(thread, run);
    for (let hop = 0; step !== undefined && step.thread === thread && hop < LONGEST_CHAIN; hop += 1) {
      const reader = readerOf(thread);
      const around = reader.around(step.at);
      const task = around.find(({ name }) => name === 'RunTask');
      const outer = around.findLast(({ name }) => name === 'v8::Debugger::AsyncTaskRun') ?? task;
      if (outer === undefined) return undefined;
      const still = possible(step);
      const before = reader.pointsIn(outer.from, step.at);
      const answered = task ? reader.pointsIn(task.from, step.at).filter(({ what }) => what === 'answered') : [];
      // The code had just got the headers, or had just asked: that is what it waits for.
      const nearest = answered.at(-1)?.id ?? before.findLast(({ what }) => what === 'sent')?.id;
      const own = still.find(({ id }) => id === nearest);
      if (own !== undefined) return own.id;
      const sent = new Set(before.filter(({ what }) => what === 'sent').map(({ id }) => id));
      const among = still.filter(({ id }) => sent.has(id));
      if (among.length > 1) return undefined;
      const [only] = among;
      if (only !== undefined) return only.id;
      step = outer.name === 'v8::Debugger::AsyncTaskRun' ? registered(thread, outer) : undefined;
    }
    return undefined;
  };

  return { led: (moment) => led(moment, 0), readerOf, fileOf };
}

const processOf = (thread: ThreadKey): string => thread.slice(0, thread.indexOf(':'));

const NOTHING: CauseThread = createCauseThread();

const SCRIPTS: ReadonlySet<string> = new Set([
  'EvaluateScript',
  'v8.evaluateModule',
  'FunctionCall',
  'v8::Debugger::AsyncTaskRun',
]);
const isScript = ({ name }: CauseSpan): boolean => SCRIPTS.has(name);
const isRun = ({ name }: CauseSpan): boolean => name === 'v8::Debugger::AsyncTaskRun';
const covers = (outer: CauseSpan, inner: CauseSpan): boolean => outer.from <= inner.from && outer.to >= inner.to;

/** Spans in which scripts run, or go on. */
const BY_SCRIPT: ReadonlySet<string> = new Set([
  ...SCRIPTS,
  'RunMicrotasks',
  'EventDispatch',
  'HandlePostMessage',
  'XHRLoad',
]);
export const inScript = ({ name }: CauseSpan): boolean => BY_SCRIPT.has(name);
