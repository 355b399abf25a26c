import type { Box } from '../metrics/metrics.ts';
import type { Bytes, Ms } from '../units.ts';
import type { CacheKind, Header, Initiator, PostBody, ResourceTiming, ResourceType, TargetKind } from './network.ts';

/** One piece of a body, as it arrived. */
export interface Chunk {
  readonly at: Ms;
  readonly bytes: Bytes;
}

/** One message of a WebSocket or an event stream. */
export interface Message extends Chunk {
  readonly direction: 'sent' | 'received';
  readonly text?: string;
  readonly opcode?: number;
  readonly eventName?: string;
  readonly eventId?: string;
  /** What it is like, and what it is about, where that is known without its text (core/background/content/message-shape.ts). */
  readonly shape?: string;
  readonly places?: readonly string[];
  readonly wider?: readonly string[];
  readonly fields?: readonly string[];
  /** What joins it with its question or its answer. */
  readonly joins?: readonly string[];
}

export const OUTCOMES = [
  'open',
  'finished',
  'redirected',
  'failed',
  'canceled',
  'lost',
  'blocked',
] as const satisfies readonly string[];

/**
 * How a hop stands at the end of observation:
 * `open` – no end was seen · `finished` – answered whole · `redirected` – answered with another address ·
 * `failed` – the network or the server broke it · `canceled` – the page gave it up · `lost` – its target went away and
 * nobody can tell · `blocked` – the user had it refused inside the browser: it never left, and nobody waited for it.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** What the server said. */
export interface Response {
  readonly at: Ms;
  /** The status on the wire; for cache hits the cached one. */
  readonly status: number;
  readonly statusText: string;
  readonly mimeType: string;
  readonly headers: readonly Header[];
  readonly headersText?: string;
  readonly protocol?: string;
  readonly remoteAddress?: string;
  readonly connectionId?: string;
  readonly connectionReused?: boolean;
  readonly fromCache?: CacheKind;
  readonly fromServiceWorker?: boolean;
  readonly redirectUrl?: string;
}

/** One hop, everything known about it folded together. */
export interface Request {
  readonly id: string;
  readonly requestId: string;
  /** Position in its redirect chain, from 0. */
  readonly hop: number;
  readonly url: string;
  readonly method: string;
  readonly type: ResourceType;
  readonly initiator?: Initiator;
  readonly priority?: string;
  readonly target: TargetKind;
  readonly frameId?: string;
  readonly loaderId?: string;
  readonly mainDocument: boolean;
  readonly keepalive: boolean;
  readonly requestHeaders: readonly Header[];
  readonly postBody?: PostBody;
  readonly startedAt: Ms;
  /** Absent while open. */
  readonly endedAt?: Ms;
  readonly outcome: Outcome;
  /** Why it failed or was canceled, in the browser's words. */
  readonly error?: string;
  readonly response?: Response;
  readonly timing?: ResourceTiming;
  readonly chunks: readonly Chunk[];
  readonly messages: readonly Message[];
  /** Transferred bytes, headers included; absent when unknown (open, failed, service worker). */
  readonly transferSize?: Bytes;
  /** Body bytes on the wire. */
  readonly bodySize?: Bytes;
  /** Body bytes after decoding, as far as they arrived. */
  readonly contentSize: Bytes;
  /** Milliseconds since the Unix epoch at which it was issued. */
  readonly wallTime?: number;
  /** It belongs to a page that a client-side redirect has since replaced: nothing of it is waited for. */
  readonly fromPreviousDocument: boolean;
}

/** The names of milestones. */
export const MARKS = [
  'navigation-start',
  'document-commit',
  'dom-content-loaded',
  'load',
  'first-paint',
  'first-contentful-paint',
  'largest-contentful-paint',
  'complete-on',
  // The document's first script, where the debugger tells of it: the evidence run.
  'script-parsed',
  // A long task of the main thread, from `since` on.
  'main-thread-busy',
  // A worker, or a frame of another site, was busy when all that was expected had come.
  'other-thread-busy',
  // The film first showed something in a document for which the browser had reported no paint.
  'content-visible',
  // The last change of the picture by content, drawn after the network was quiet.
  'content-drawn',
  // Another load proved that the page is the same without an endpoint, whose key is the detail.
  'same-without',
  // The film showed that an endpoint, whose key is the detail, brings only updates any more.
  'only-updating',
  // Of a step after the load, which has no navigation start: its zero, and when the script's action was over.
  'step-start',
  'action-end',
] as const satisfies readonly string[];

/** Milestones of a load; several of a name are allowed (paint candidates, documents after a client-side redirect). */
export interface Mark {
  readonly name: (typeof MARKS)[number];
  readonly at: Ms;
  /** When it began, for what takes time. */
  readonly since?: Ms;
  /** Of which document. */
  readonly loaderId?: string;
  /** What was painted, which user mark was met, or that an animation drew it. */
  readonly detail?: string;
  /** The address of the picture that was painted. */
  readonly url?: string;
  /** Where what was painted stands at the end of watching. */
  readonly box?: Box;
}

/** All that is known of one page load up to `observedUntil`. */
export interface Timeline {
  /** Ordered by start. */
  readonly requests: readonly Request[];
  readonly marks: readonly Mark[];
  readonly observedUntil: Ms;
}
