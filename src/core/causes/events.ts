import type { StepPlace } from '../../model/main-thread.ts';
import { fields, finite, list, text } from '../requests/har-fields.ts';

/*
 * Which events of a trace lead from a request's bytes to the request that its code sends, and to what it draws. Source:
 * Chrome's categories `devtools.timeline` (requests, scripts, timers, messages), `disabled-by-default-devtools.timeline`
 * (tasks, frames), `….timeline.invalidationTracking` (changes of documents), `v8.execute` (microtasks) and
 * `disabled-by-default-v8.inspector` (asynchronous steps, as the debugger counts them).
 */

/** A thread, by process and number. */
export type ThreadKey = string;

/** Something with a beginning and an end, microseconds of the browser's clock. */
export interface CauseSpan {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** The script that it evaluates, or the address that an XMLHttpRequest asked for. */
  readonly url?: string;
  /** What kind of event was dispatched, or of asynchronous step. */
  readonly type?: string;
}

/** A moment of a request on a thread. */
export interface RequestPoint {
  readonly at: number;
  readonly what: 'sent' | 'answered' | 'data' | 'ended' | 'message';
  readonly id: string;
}

/** A request as its thread sent it. */
export interface SentRequest {
  readonly id: string;
  readonly url: string;
  readonly at: number;
  readonly thread: ThreadKey;
  /** As the renderer says: 'parser', 'script', 'other'. */
  readonly initiator?: string;
  /** The document, script or style sheet that the renderer names, where it names one. */
  readonly initiatorUrl?: string;
  /** A script waits for its body: `fetch`. */
  readonly isFetch: boolean;
  readonly place?: StepPlace;
}

/** Where an asynchronous step, or a message, comes from. */
export interface FlowStart {
  readonly thread: ThreadKey;
  readonly at: number;
}

/** A node was inserted, removed or changed. */
export interface DocumentChange {
  readonly at: number;
  readonly frame?: string;
}

/** What is kept of a thread. */
export interface CauseThread {
  readonly spans: CauseSpan[];
  readonly points: RequestPoint[];
  /** Flows that end here, by the moment of the span that they end in. */
  readonly arrivals: Map<number, string>;
  /** Flows that begin here, by the moment that they begin at. */
  readonly departures: Map<number, string>;
  /** What changed in documents and has to be drawn. */
  readonly changes: DocumentChange[];
  /** When a frame was handed over to be drawn. */
  readonly commits: number[];
}

export function createCauseThread(): CauseThread {
  return { spans: [], points: [], arrivals: new Map(), departures: new Map(), changes: [], commits: [] };
}

/** What is kept of a trace: no event itself. */
export interface CauseEvents {
  readonly threads: Map<ThreadKey, CauseThread>;
  readonly flows: Map<string, FlowStart[]>;
  /** Where flows end. */
  readonly ends: Map<string, FlowStart>;
  readonly sent: SentRequest[];
  /** Requests whose answer is a stream of messages. */
  readonly streams: Set<string>;
  /** Frames within others, and these. */
  readonly parents: Map<string, string>;
}

const ASYNC = 'v8::Debugger::Async';
const SPANS: ReadonlySet<string> = new Set([
  'RunTask',
  'RunMicrotasks',
  'v8::Debugger::AsyncTaskRun',
  'v8::Debugger::AsyncTaskScheduled',
  'EvaluateScript',
  'v8.evaluateModule',
  'FunctionCall',
  'EventDispatch',
  'TimerFire',
  'FireAnimationFrame',
  'FireIdleCallback',
  'HandlePostMessage',
  'XHRLoad',
  'XHRReadyStateChange',
  'UpdateLayoutTree',
  'Layout',
  'ParseHTML',
  'ParseAuthorStyleSheet',
]);
/** Reading a document, also by the scanner that runs ahead of the parser. */
const READS_DOCUMENT = /^(?:HTMLDocumentParser|DocumentLoader)::/;
const POINTS: Readonly<Record<string, RequestPoint['what']>> = {
  ResourceReceiveResponse: 'answered',
  ResourceReceivedData: 'data',
  ResourceFinish: 'ended',
  WebSocketReceive: 'message',
};
/** A node was inserted, removed or changed, in a way that may be seen. */
const CHANGES: ReadonlySet<string> = new Set([
  'StyleRecalcInvalidationTracking',
  'ScheduleStyleInvalidationTracking',
  'LayoutInvalidationTracking',
]);
const SENT: ReadonlySet<string> = new Set(['ResourceSendRequest', 'WebSocketCreate']);

/** Reads the events of a trace one by one, in any order, as Chrome sends them. */
export interface CauseReader {
  /** True where the event told something. */
  add(raw: unknown): boolean;
  /** What was kept. */
  end(): CauseEvents;
}

/** Nothing was read yet. */
export function createCauseReader(): CauseReader {
  const threads = new Map<ThreadKey, CauseThread>();
  const flows = new Map<string, FlowStart[]>();
  const ends = new Map<string, FlowStart>();
  const sent: SentRequest[] = [];
  const streams = new Set<string>();
  const parents = new Map<string, string>();
  const threadOf = (key: ThreadKey): CauseThread => {
    const known = threads.get(key) ?? createCauseThread();
    threads.set(key, known);
    return known;
  };
  return {
    add(raw) {
      const { name, ph, ts, dur, pid, tid, id, args } = fields(raw);
      const [at, ofProcess, ofThread] = [finite(ts), finite(pid), finite(tid)];
      if (typeof name !== 'string' || at === undefined || ofProcess === undefined || ofThread === undefined)
        return false;
      const thread = `${ofProcess}:${ofThread}`;
      if (ph === 's' || ph === 'f') {
        if (!(name.startsWith(ASYNC) || name.endsWith('PostMessage'))) return false;
        const flow = String(id);
        if (ph === 'f') {
          threadOf(thread).arrivals.set(at, flow);
          ends.set(flow, { thread, at });
        } else {
          threadOf(thread).departures.set(at, flow);
          flows.set(flow, [...(flows.get(flow) ?? []), { thread, at }]);
        }
        return true;
      }
      const { data, ...own } = fields(args);
      const detail = fields(data);
      if (CHANGES.has(name)) {
        threadOf(thread).changes.push({ at, frame: filled(detail.frame) });
        return true;
      }
      if (name === 'FrameCommittedInBrowser') {
        const [frame, parent] = [filled(detail.frame), filled(detail.parent)];
        if (frame !== undefined && parent !== undefined) parents.set(frame, parent);
        return parent !== undefined;
      }
      if (name === 'Commit' && ph === 'X' && own.layerTreeId !== undefined) {
        threadOf(thread).commits.push(at);
        return true;
      }
      if (ph === 'X' && (SPANS.has(name) || READS_DOCUMENT.test(name))) {
        const url = filled(detail.url) ?? filled(own.fileName);
        const type = filled(detail.type) ?? filled(own.taskName);
        threadOf(thread).spans.push({
          name: SPANS.has(name) ? name : 'ParseHTML',
          from: at,
          to: at + Math.max(0, finite(dur) ?? 0),
          url,
          type,
        });
        return true;
      }
      const request = filled(detail.requestId) ?? socketId(ofProcess, detail.identifier);
      if (request === undefined) return false;
      if (SENT.has(name)) {
        sent.push(sentRequest(request, at, thread, detail));
        threadOf(thread).points.push({ at, what: 'sent', id: request });
        return true;
      }
      const what = POINTS[name];
      if (what === undefined) return false;
      if (detail.mimeType === 'text/event-stream') streams.add(request);
      threadOf(thread).points.push({ at, what, id: request });
      return true;
    },
    end() {
      for (const { spans, points, changes, commits } of threads.values()) {
        changes.sort((a, b) => a.at - b.at);
        commits.sort((a, b) => a - b);
        spans.sort((a, b) => a.from - b.from || b.to - a.to);
        points.sort((a, b) => a.at - b.at);
      }
      sent.sort((a, b) => a.at - b.at);
      return { threads, flows, ends, sent, streams, parents };
    },
  };
}

/** A text that is not empty. */
const filled = (value: unknown): string | undefined => (value === '' ? undefined : text(value));

/** Sockets have a number of their process. */
function socketId(pid: number, identifier: unknown): string | undefined {
  const number = finite(identifier);
  return number === undefined ? undefined : `${pid}.${number}`;
}

function sentRequest(
  id: string,
  at: number,
  thread: ThreadKey,
  { url, initiator, stackTrace }: Readonly<Record<string, unknown>>,
): SentRequest {
  const { type, url: named, fetchType } = fields(initiator);
  const [frame] = list(stackTrace).map(fields);
  const address = filled(frame?.url);
  const [line, column, called] = [finite(frame?.lineNumber), finite(frame?.columnNumber), filled(frame?.functionName)];
  const [initiatedBy, initiatorUrl] = [filled(type), filled(named)];
  return {
    id,
    url: filled(url) ?? '',
    at,
    thread,
    isFetch: fetchType === 'fetch',
    initiator: initiatedBy,
    initiatorUrl,
    ...(address !== undefined && {
      place: {
        url: address,
        line,
        column,
        function: called,
      },
    }),
  };
}
