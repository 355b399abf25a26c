import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { foldTimeline } from '../../src/core/timeline/fold.ts';
import type { Policy } from '../../src/model/background/verdict.ts';
import type { NetworkEvent, ResourceType, TargetKind } from '../../src/model/network/network.ts';
import type { Mark, Timeline } from '../../src/model/network/timeline.ts';
import type { Lab, LoadOutcome, LoadRequest } from '../../src/model/recording/lab.ts';
import type { Recording } from '../../src/model/recording/recording.ts';

/** One request of a scripted page: when it starts and, unless it stays open, when it ends. */
export interface Scripted {
  readonly path: string;
  /** Where it is asked for; the page's own origin where nothing is said. */
  readonly origin?: string;
  readonly from: number;
  readonly to?: number;
  readonly type?: ResourceType;
  readonly method?: string;
  readonly status?: number;
  readonly mimeType?: string;
  /** Times at which a piece of 10 bytes came. */
  readonly pieces?: readonly number[];
  /** No answer came, though it may have ended. */
  readonly unanswered?: boolean;
  readonly canceled?: boolean;
  readonly failed?: boolean;
  /** Where in the browser it comes from; from the page where nothing is said. */
  readonly target?: TargetKind;
  readonly initiator?: 'script' | 'parser' | 'other';
  /** The timer that started it. */
  readonly timer?: 'setInterval' | 'setTimeout';
  /** The line of a script that asks for it, and its path: that of the page's own where nothing is said. */
  readonly line?: number;
  readonly script?: string;
  /** Times at which a message of 5 bytes was received. */
  readonly messages?: readonly number[];
  readonly length?: number;
  readonly keepalive?: boolean;
  /** Text of a JSON body. */
  readonly body?: string;
  /** When it left the browser; it waited for a connection before. */
  readonly sentAt?: number;
}

/** A page by what came over the wire; load and DOMContentLoaded are null when they never fired. */
export interface Script {
  readonly requests: readonly Scripted[];
  readonly dcl?: number | null;
  readonly load?: number | null;
  readonly paints?: readonly number[];
  readonly ownMark?: number;
  readonly until: number;
}

export const ORIGIN = 'https://shop.test';

export function eventsOf(requests: readonly Scripted[]): readonly NetworkEvent[] {
  const events = requests.flatMap((each, i): readonly NetworkEvent[] => {
    const id = `r${i}`;
    const answeredAt = each.pieces?.[0] ?? (each.to === undefined ? each.from + 1 : Math.max(each.from, each.to - 1));
    const started: NetworkEvent = {
      kind: 'request',
      at: each.from,
      id,
      requestId: id,
      url: (each.origin ?? ORIGIN) + each.path,
      method: each.method ?? 'GET',
      type: each.type ?? 'fetch',
      headers: [],
      target: each.target ?? 'page',
      initiator: {
        type: each.initiator ?? 'script',
        ...(each.timer && { scheduledBy: each.timer }),
        ...(each.line && {
          stack: [{ functionName: '', url: ORIGIN + (each.script ?? '/app.js'), line: each.line, column: 1 }],
        }),
      },
      ...(each.keepalive && { keepalive: true }),
      ...(each.body !== undefined && {
        postBody: { mimeType: 'application/json', size: each.body.length, text: each.body },
      }),
      mainDocument: each.type === 'document' && i === 0,
    };
    const answered: readonly NetworkEvent[] = each.unanswered
      ? []
      : [
          {
            kind: 'response',
            at: answeredAt,
            id,
            status: each.status ?? 200,
            statusText: '',
            mimeType: each.mimeType ?? 'application/json',
            headers: each.length === undefined ? [] : [{ name: 'Content-Length', value: String(each.length) }],
            hasExtraInfo: false,
            protocol: 'http/1.1',
            ...(each.sentAt !== undefined && { timing: { requestedAt: each.from, sendStart: each.sentAt } }),
          },
        ];
    const messages = (each.messages ?? []).map(
      (at): NetworkEvent => ({ kind: 'message', at, id, direction: 'received', bytes: 5 }),
    );
    const pieces = (each.pieces ?? []).map((at): NetworkEvent => ({ kind: 'data', at, id, bytes: 10 }));
    const ended: readonly NetworkEvent[] =
      each.to === undefined
        ? []
        : each.failed || each.canceled
          ? [{ kind: 'failed', at: each.to, id, error: 'net::ERR_FAILED', ...(each.canceled && { canceled: true }) }]
          : [{ kind: 'finished', at: each.to, id, encodedBytes: 100 }];
    return [started, ...answered, ...pieces, ...messages, ...ended];
  });
  return events.sort((a, b) => a.at - b.at);
}

export function marksOf(script: Script): readonly Mark[] {
  const mark = (name: Mark['name'], at: number | null | undefined): readonly Mark[] =>
    at === null || at === undefined ? [] : [{ name, at }];
  return [
    ...mark('dom-content-loaded', script.dcl === undefined ? 50 : script.dcl),
    ...mark('load', script.load === undefined ? 60 : script.load),
    ...(script.paints ?? []).flatMap((at) => mark('largest-contentful-paint', at)),
    ...mark('complete-on', script.ownMark),
  ];
}

/** The timeline as it was known at `until`: nothing that happened later is in it. */
export function timelineOf(script: Script): Timeline {
  const known = eventsOf(script.requests).filter((event) => event.at <= script.until);
  const marks = marksOf(script).filter((mark) => mark.at <= script.until);
  return foldTimeline(known, marks, script.until);
}

export function recordingOf(script: Script): Recording {
  const events = eventsOf(script.requests).filter((event) => event.at <= script.until);
  return {
    navigation: { url: `${ORIGIN}/`, startedAt: 1_700_000_000_000, browser: 'Scripted/1', userAgent: 'scripted' },
    events,
    marks: marksOf(script).filter((mark) => mark.at <= script.until),
    frames: [],
    hostSamples: [],
    mainThread: [{ at: script.until, taskTime: script.until / 10 }],
    page: {
      finalUrl: `${ORIGIN}/`,
      title: 'Scripted',
      responseStart: 10,
      loadEnd: 60,
      longTasks: [],
      layoutShifts: [],
    },
    incidents: [],
    bodies: [],
    observedUntil: script.until,
    announcedHops: events.filter((event) => event.kind === 'request').length,
  };
}

export const POLICY: Policy = {
  quietWindow: 3_000,
  maxInflight: 0,
  timeout: 60_000,
  observation: DEFAULT_POLICY.observation,
  background: [],
  foreground: [],
};

/** A page with a document from 0 to 40, and whatever else. */
export function page(...requests: readonly Scripted[]): readonly Scripted[] {
  return [{ path: '/', from: 0, to: 40, type: 'document', mimeType: 'text/html', initiator: 'other' }, ...requests];
}

/** A lab that gives back prepared outcomes, one a load, without a browser. */
export function scriptedLab(
  outcomes: readonly (LoadOutcome | Error)[],
): Lab & { readonly loads: string[]; readonly requests: LoadRequest[] } {
  const queue = [...outcomes];
  const loads: string[] = [];
  const requests: LoadRequest[] = [];
  let alive = true;
  return {
    loads,
    requests,
    product: 'Scripted/1',
    userAgent: 'scripted',
    sandbox: true,
    alive: () => alive,
    async record(request, signal) {
      signal.throwIfAborted();
      loads.push(request.url);
      requests.push(request);
      request.justBefore?.();
      const next = queue.shift();
      if (next === undefined) throw new Error('the script has no more loads');
      if (next instanceof Error) throw next;
      if (!next.ok && next.failure.code === 'browser-died') alive = false;
      return next;
    },
    async close() {
      alive = false;
    },
  };
}

/** A lab that answers every load by itself, without a browser. */
export function answeringLab(
  load: (request: LoadRequest) => LoadOutcome | Promise<LoadOutcome>,
  product = 'Scripted/1',
): () => Promise<Lab> {
  return async () => ({
    product,
    userAgent: 'scripted',
    sandbox: true,
    alive: () => true,
    close: async () => undefined,
    async record(request, signal) {
      signal.throwIfAborted();
      request.justBefore?.();
      return load(request);
    },
  });
}
