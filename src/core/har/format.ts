import type * as Standard from 'har-format';
import type { NetworkConditions } from '../../model/conditions.ts';
import type { CacheKind, ResourceTiming, ResourceType, TargetKind } from '../../model/network.ts';
import type { VerdictReason } from '../../model/reason.ts';
import type { FrameThread, MainThreadSample, WorkerThread } from '../../model/recording.ts';
import type { Rendered } from '../../model/rendered.ts';
import type { RunRole } from '../../model/result.ts';
import type { Mark, Outcome } from '../../model/timeline.ts';
import type { BackgroundKind, Confidence, EndpointRule, Policy, Verdict } from '../../model/verdict.ts';
import type { HarTimings } from '../page-timings.ts';

/*
 * HAR 1.2 and what Quiesce writes beside it. Standard fields are what other tools read; they are rounded, clamped and
 * cleaned to what those tools accept. Fields with an underscore are the evidence, exact, so that a HAR alone can be
 * judged again. Times in underscore fields are milliseconds since navigation start, unless said otherwise.
 */

/** A frame of a script stack in the form of CDP; lines and columns count from 0. */
export interface HarCallFrame {
  functionName: string;
  scriptId: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** A stack in the form of CDP. All frames stand in `callFrames`; `parent` only says what scheduled the script. */
export interface HarStack {
  callFrames: HarCallFrame[];
  parent?: { description: string; callFrames: HarCallFrame[] };
}

/** Who asked for a request, in the form of CDP and DevTools. `lineNumber` counts from 0. */
export interface HarInitiator {
  type: string;
  url?: string;
  lineNumber?: number;
  stack?: HarStack;
}

/** What the text of a message or body is, when it is not simply the text. */
export type HarTextState = 'redacted' | 'unknown';

/** A WebSocket frame in the form of DevTools: `time` is in seconds since the Unix epoch. */
export interface HarWebSocketMessage {
  type: 'send' | 'receive';
  time: number;
  opcode: number;
  data: string;
  _at: number;
  _bytes: number;
  _data?: HarTextState;
}

/** A server-sent event in the form of DevTools: `time` is in seconds since the Unix epoch. */
export interface HarEventSourceMessage {
  time: number;
  eventName: string;
  eventId: string;
  data: string;
  _at: number;
  _bytes: number;
  _data?: HarTextState;
}

/** A life sign of anything else, such as WebTransport. */
export interface HarOtherMessage {
  type: 'send' | 'receive';
  data: string;
  _at: number;
  _bytes: number;
  /** What it is like, and hashes of what it is about (core/message-shape.ts). */
  _shape?: string;
  _places?: string[];
  _wider?: string[];
  _fields?: string[];
  _joins?: string[];
  _data?: HarTextState;
}

/** Timings as DevTools exports them. */
export interface QuiesceTimings extends Standard.Timings {
  blocked: number;
  dns: number;
  connect: number;
  ssl: number;
  send: number;
  wait: number;
  receive: number;
  _blocked_queueing: number;
  _blocked_proxy?: number;
  /** Milliseconds since the network stack took the request, as in DevTools. */
  _workerStart?: number;
  _workerReady?: number;
}

/** The body that was sent. Always as `text`: HAR 1.2 allows either text or `params`, and DevTools reads the text. */
export interface QuiescePostData {
  mimeType: string;
  text: string;
  comment?: string;
  _text?: HarTextState;
  /** The operation that the body names (GraphQL, JSON-RPC …). */
  _operation?: string;
}

/** A request as HAR has it. */
export interface QuiesceRequest extends Omit<Standard.Request, 'postData'> {
  postData?: QuiescePostData;
  /** The address with its fragment and as the browser wrote it, where the standard field had to differ. */
  _url?: string;
}

/** A response with the fields that DevTools adds to it. */
export interface QuiesceResponse extends Standard.Response {
  /** Transferred bytes, headers included. */
  _transferSize?: number;
  _error?: string;
  _fetchedViaServiceWorker: boolean;
  /** True when `redirectURL` is where the browser went, not just a header. */
  _followed?: true;
}

/** One hop. */
export interface QuiesceEntry extends Omit<Standard.Entry, '_fromCache' | '_initiator' | '_chunks'> {
  pageref: string;
  request: QuiesceRequest;
  response: QuiesceResponse;
  timings: QuiesceTimings;
  _id: string;
  _requestId: string;
  _hop: number;
  _startedAt: number;
  _endedAt?: number;
  _outcome: Outcome;
  _pending?: true;
  _error?: string;
  _responseAt?: number;
  _timing?: ResourceTiming;
  _resourceType: ResourceType;
  _priority?: string;
  _initiator?: HarInitiator;
  _target: TargetKind;
  _frameId?: string;
  _loaderId?: string;
  _mainDocument: boolean;
  _keepalive: boolean;
  _fromPreviousDocument?: true;
  /** Milliseconds since the Unix epoch. */
  _wallTime?: number;
  _fromCache?: CacheKind;
  _fetchedViaServiceWorker?: true;
  _connectionId?: string;
  _connectionReused?: boolean;
  /** The address as the browser gave it, where it is not a plain IP address. */
  _remoteAddress?: string;
  _bodySize?: number;
  _chunks?: { ts: number; bytes: number }[];
  _webSocketMessages?: HarWebSocketMessage[];
  _eventSourceMessages?: HarEventSourceMessage[];
  _messages?: HarOtherMessage[];
  _background?: { kind: BackgroundKind; because: string; reason: VerdictReason; confidence: Confidence };
}

/** Milestones beside the standard ones. */
export interface QuiescePageTimings extends Standard.PageTiming {
  onContentLoad: number;
  onLoad: number;
  _firstPaint?: number;
  _firstContentfulPaint?: number;
  _largestContentfulPaint?: number;
}

/** One navigation. */
export interface QuiescePage extends Standard.Page, HarTimings {
  pageTimings: QuiescePageTimings;
  _url: string;
  _finalUrl?: string;
  _userAgent: string;
  /** The slower network that it was to have. */
  _network?: NetworkConditions;
  /** A visit that was not the first in its profile, as WebPageTest marks it. */
  _cached?: 1;
  /** The step after a load that was recorded, by its name. */
  _stepName?: string;
  /** Milliseconds since the Unix epoch: what 0 is in every other time. */
  _navigationStart: number;
  _observedUntil: number;
  _marks: Mark[];
  _announcedHops: number;
  /** The clocks of the main thread, wall and processor, read while the page loaded. */
  _mainThread?: MainThreadSample[];
  /** The same of frames that have a process of their own. */
  _frameThreads?: FrameThread[];
  /** Those of workers, by the kernel. */
  _workerThreads?: WorkerThread[];
  /** Sizes of the pictures, and how fonts are displayed, at the end. */
  _rendered?: Rendered;
  /** What the run was for: timed, evidence … */
  _role?: RunRole;
  _policy?: HarPolicy;
  _verdicts?: HarVerdict[];
}

/** The log of one navigation. */
export interface QuiesceLog extends Omit<Standard.Log, 'pages' | 'entries'> {
  browser: Standard.Browser;
  pages: QuiescePage[];
  entries: QuiesceEntry[];
}

/** A HAR 1.2 document as Quiesce writes it. */
export interface QuiesceHar {
  log: QuiesceLog;
}

/** `log.creator.name` of what Quiesce writes. */
export const CREATOR = 'quiesce';

/** What DevTools writes for a body whose type nobody said. */
export const UNKNOWN_MIME_TYPE = 'x-unknown';

/** A verdict with its reason in words. */
export type HarVerdict = Verdict & { readonly because: string };

/** A rule with its reason in words. */
export type HarRule = EndpointRule & { readonly because: string };

/** A policy whose rules say why they hold. */
export type HarPolicy = Omit<Policy, 'learnt'> & { readonly learnt?: readonly HarRule[] };
