import type { Header, NetworkEvent, RequestEvent, ResourceType, ResponseEvent } from '../../model/network/network.ts';
import type { Chunk, Mark, Message, Outcome, Request, Response, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { headerOf } from '../text/header.ts';

/** Answers without a body, after which Chrome reports "canceled" because the body is not read on. Source: HAR.md, measured. */
const BODILESS_STATUS: ReadonlySet<number> = new Set([204, 205, 304]);

interface Draft {
  readonly start: RequestEvent;
  readonly hop: number;
  response?: ResponseEvent;
  chunks: Chunk[];
  messages: Message[];
  contentSize: number;
  /** Body bytes on the wire, as far as they were reported piece by piece. */
  wireSize: number;
  endedAt?: Ms;
  encodedBytes?: number;
  outcome: Outcome;
  error?: string;
  /** The last snapshot, until something new is known. */
  folded?: Request;
}

/** The real headers of a chain of hops, in order of arrival; which hop each belongs to is known only later. */
interface Extras {
  readonly sent: { headers: readonly Header[] }[];
  readonly received: { status: number; headers: readonly Header[]; headersText?: string }[];
}

/** Collects events as they come and gives out the timeline at any moment. */
export interface Fold {
  /** Takes the next event, in order of arrival. */
  add(event: NetworkEvent): void;
  /** Everything known up to `observedUntil`. */
  timeline(marks: readonly Mark[], observedUntil: Ms): Timeline;
}

/** A new, empty fold. Its state is its own: the same events in the same order give the same timeline. */
export function createFold(): Fold {
  const drafts = new Map<string, Draft>();
  const chains = new Map<string, Draft[]>();
  const extras = new Map<string, Extras>();

  const touchChain = (requestId: string): void => {
    for (const draft of chains.get(requestId) ?? []) delete draft.folded;
  };
  const extrasOf = (requestId: string): Extras => {
    const known = extras.get(requestId);
    if (known) return known;
    const fresh: Extras = { sent: [], received: [] };
    extras.set(requestId, fresh);
    return fresh;
  };

  const add = (event: NetworkEvent): void => {
    if (event.kind === 'request') {
      if (drafts.has(event.id)) return;
      const chain = chains.get(event.requestId) ?? [];
      const draft: Draft = {
        start: event,
        hop: chain.length,
        chunks: [],
        messages: [],
        contentSize: 0,
        wireSize: 0,
        outcome: 'open',
      };
      chain.push(draft);
      chains.set(event.requestId, chain);
      drafts.set(event.id, draft);
      return;
    }
    if (event.kind === 'request-headers') {
      extrasOf(event.requestId).sent.push({ headers: event.headers });
      touchChain(event.requestId);
      return;
    }
    if (event.kind === 'response-headers') {
      extrasOf(event.requestId).received.push({
        status: event.status,
        headers: event.headers,
        ...(event.headersText === undefined ? {} : { headersText: event.headersText }),
      });
      touchChain(event.requestId);
      return;
    }
    const draft = drafts.get(event.id);
    if (!draft) return;
    delete draft.folded;
    switch (event.kind) {
      case 'response':
        draft.response = event;
        // Which hop owns which real headers depends on the flags of the hops before it.
        touchChain(draft.start.requestId);
        break;
      case 'data':
        if (isReplacedForEver(draft)) reopen(draft);
        draft.chunks.push({ at: event.at, bytes: event.bytes });
        draft.contentSize += event.bytes;
        draft.wireSize += event.encodedBytes ?? 0;
        break;
      case 'message': {
        const { kind: _kind, id: _id, ...message } = event;
        draft.messages.push(message);
        break;
      }
      case 'finished':
        end(draft, event.at, draft.response?.redirectUrl === undefined ? 'finished' : 'redirected');
        if (event.encodedBytes !== undefined) draft.encodedBytes = event.encodedBytes;
        break;
      case 'failed':
        if (event.lost) end(draft, event.at, 'lost', event.error);
        else if (event.refused) end(draft, event.at, 'blocked');
        else if (event.canceled && isBodiless(draft)) end(draft, event.at, 'finished');
        else end(draft, event.at, event.canceled ? 'canceled' : 'failed', event.blockedReason ?? event.error);
        break;
    }
  };

  return {
    add,
    timeline(marks, observedUntil) {
      const commits = marks.filter((mark) => mark.name === 'document-commit');
      const requests: Request[] = [];
      for (const draft of drafts.values()) {
        draft.folded ??= foldHop(draft, chains.get(draft.start.requestId) ?? [], extras.get(draft.start.requestId));
        const replaced = commits.some(
          (commit) => draft.start.at < commit.at && draft.start.requestId !== commit.loaderId,
        );
        requests.push(replaced ? { ...draft.folded, fromPreviousDocument: true } : draft.folded);
      }
      requests.sort((a, b) => a.startedAt - b.startedAt);
      return { requests, marks, observedUntil };
    },
  };
}

/** All events at once. */
export function foldTimeline(events: readonly NetworkEvent[], marks: readonly Mark[], observedUntil: Ms): Timeline {
  const fold = createFold();
  for (const event of events) fold.add(event);
  return fold.timeline(marks, observedUntil);
}

function end(draft: Draft, at: Ms, outcome: Outcome, error?: string): void {
  if (draft.endedAt !== undefined) return;
  // DevTools can report the response later than the end: what ended cannot have ended before it was answered.
  draft.endedAt = Math.max(at, draft.start.at, draft.response?.timing?.headersEnd ?? at);
  draft.outcome = outcome;
  if (error !== undefined) draft.error = error;
}

/** Of a response that keeps replacing itself (a camera) Chrome reports an end with each part; the body goes on. */
function isReplacedForEver({ response }: Draft): boolean {
  return response?.mimeType.toLowerCase() === 'multipart/x-mixed-replace';
}

function reopen(draft: Draft): void {
  if (draft.outcome !== 'finished') return;
  delete draft.endedAt;
  delete draft.encodedBytes;
  draft.outcome = 'open';
}

function isBodiless(draft: Draft): boolean {
  return draft.response !== undefined && (draft.start.method === 'HEAD' || BODILESS_STATUS.has(draft.response.status));
}

/**
 * When the last byte of a body came that the page never read: Chrome reports no end then, though the server has long
 * delivered all that it announced. Common with `fetch()` calls whose answer is not read. An error is known by its status,
 * and what is said of it comes with it: a page that tries again need not read that.
 */
function wholeSince({ start, response, chunks, contentSize, wireSize }: Draft): Ms | undefined {
  if (!response || start.type === 'websocket' || start.type === 'webtransport') return undefined;
  const header = (name: string): string | undefined =>
    response.headers.find((each) => each.name.toLowerCase() === name)?.value;
  const announced = Number(header('content-length') ?? Number.NaN);
  const arrived = header('content-encoding') === undefined ? Math.max(contentSize, wireSize) : wireSize;
  const isWhole = arrived >= announced || (start.type === 'fetch' && response.status >= 400);
  return isWhole ? (chunks.at(-1)?.at ?? response.at) : undefined;
}

function foldHop(draft: Draft, chain: readonly Draft[], extras: Extras | undefined): Request {
  const { start, response } = draft;
  const unreadSince = draft.endedAt === undefined ? wholeSince(draft) : undefined;
  const endedAt = draft.endedAt ?? unreadSince;
  const outcome = unreadSince === undefined ? draft.outcome : 'finished';
  // Only hops that touched the network have real headers: the n-th such hop owns the n-th pair.
  const nth = chain.slice(0, draft.hop).filter((hop) => hop.response?.hasExtraInfo ?? true).length;
  const owns = response?.hasExtraInfo ?? true;
  const sent = owns ? extras?.sent[nth] : undefined;
  const received = owns ? extras?.received[nth] : undefined;
  const clamp = (at: Ms): Ms => Math.max(start.at, endedAt === undefined ? at : Math.min(at, endedAt));
  const folded = response === undefined ? undefined : foldResponse(response, received, clamp(response.at));
  const transferSize = transferSizeOf(draft, outcome);
  return {
    id: start.id,
    requestId: start.requestId,
    hop: draft.hop,
    url: start.url,
    method: start.method,
    type: typeOf(start.type, sent?.headers ?? start.headers),
    target: start.target,
    mainDocument: start.mainDocument ?? false,
    keepalive: start.keepalive ?? false,
    requestHeaders: sent?.headers ?? start.headers,
    startedAt: start.at,
    outcome,
    chunks: draft.chunks.map((chunk) => ({ ...chunk, at: clamp(chunk.at) })),
    messages: draft.messages.map((message) => ({ ...message, at: clamp(message.at) })),
    contentSize: draft.contentSize,
    fromPreviousDocument: false,
    ...(start.initiator && { initiator: start.initiator }),
    ...(start.priority !== undefined && { priority: start.priority }),
    ...(start.frameId !== undefined && { frameId: start.frameId }),
    ...(start.loaderId !== undefined && { loaderId: start.loaderId }),
    ...(start.postBody && { postBody: start.postBody }),
    ...(start.wallTime !== undefined && { wallTime: start.wallTime }),
    ...(endedAt !== undefined && { endedAt }),
    ...(draft.error !== undefined && { error: draft.error }),
    ...(folded && { response: folded }),
    ...(response?.timing && { timing: response.timing }),
    ...(transferSize !== undefined && {
      transferSize,
      bodySize: Math.max(0, transferSize - (response?.encodedBytes ?? 0)),
    }),
  };
}

/** Bodies that only the browser sends, about what a policy would have blocked. Sources: CSP level 3, Reporting API. */
const REPORTS: ReadonlySet<string> = new Set(['application/csp-report', 'application/reports+json']);

/** Chrome calls such reports "other" by now (seen in version 156). */
function typeOf(type: ResourceType, headers: readonly Header[]): ResourceType {
  if (type !== 'other') return type;
  const [contentType = ''] = (headerOf(headers, 'content-type') ?? '').split(';');
  const isReport = headerOf(headers, 'sec-fetch-dest') === 'report' || REPORTS.has(contentType.trim().toLowerCase());
  return isReport ? 'csp-violation-report' : type;
}

function foldResponse(event: ResponseEvent, received: Extras['received'][number] | undefined, at: Ms): Response {
  // On a cache hit the real status is that of the revalidation machinery, not of the answer.
  const status = event.fromCache === undefined ? (received?.status ?? event.status) : event.status;
  const { kind: _kind, id: _id, timing: _timing, encodedBytes: _bytes, hasExtraInfo: _extra, ...rest } = event;
  return {
    ...rest,
    at,
    status,
    headers: received?.headers ?? event.headers,
    ...(received?.headersText !== undefined && { headersText: received.headersText }),
  };
}

/** Transferred bytes, or undefined where the browser cannot know them. */
function transferSizeOf(draft: Draft, outcome: Outcome): number | undefined {
  const { response } = draft;
  if (
    response?.fromServiceWorker ||
    outcome === 'open' ||
    outcome === 'lost' ||
    outcome === 'failed' ||
    outcome === 'blocked'
  )
    return undefined;
  if (response?.fromCache !== undefined) return 0;
  if (draft.encodedBytes !== undefined || outcome !== 'finished') return draft.encodedBytes;
  // An answer whose end was not reported (an unread 204, an unread body) has cost its head and what came of it.
  const body = Math.max(draft.wireSize, draft.contentSize);
  return response?.encodedBytes === undefined ? undefined : response.encodedBytes + body;
}
