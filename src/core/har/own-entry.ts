import { CACHES, RESOURCE_TYPES, type ResourceTiming, TARGETS } from '../../model/network/network.ts';
import { OUTCOMES } from '../../model/network/timeline.ts';
import * as keep from '../har-codec.ts';
import { INITIATOR } from './initiator.ts';

const TEXTS = keep.listOf(keep.plain);

/** A message in the form of DevTools: `time` is in seconds since the Unix epoch. */
const MESSAGES = keep.listOf(
  keep.fieldsOf({
    _at: keep.moment,
    _bytes: keep.or(keep.size, 0),
    'type?': keep.oneOf(['send', 'receive']),
    'data?': keep.plain,
    /** What it is like, and hashes of what it is about (core/background/content/message-shape.ts). */
    '_shape?': keep.plain,
    '_places?': TEXTS,
    '_wider?': TEXTS,
    '_fields?': TEXTS,
    '_joins?': TEXTS,
    /** What the text is, when it is not simply the text. */
    '_data?': keep.or(keep.oneOf(['redacted', 'unknown']), 'unknown'),
    'time?': keep.finite,
    /** Of a WebSocket. */
    'opcode?': keep.finite,
    /** Of a server-sent event. */
    'eventName?': keep.plain,
    'eventId?': keep.plain,
  }),
);
export type HarMessage = keep.ReadBy<typeof MESSAGES>[number];

/** The pieces of a body. */
export const CHUNKS = keep.listOf(keep.fieldsOf({ ts: keep.moment, bytes: keep.size }));

/** Which cache answered. */
export const CACHE = keep.oneOf(CACHES);

/** What Quiesce writes of a hop beside the standard fields. An entry without the required ones is another tool's. */
export const ENTRY = keep.fieldsOf({
  _id: keep.plain,
  _requestId: keep.plain,
  _startedAt: keep.moment,
  _outcome: keep.oneOf(OUTCOMES),
  _hop: keep.or(keep.finite, 0),
  _resourceType: keep.or(keep.oneOf(RESOURCE_TYPES), 'other'),
  _target: keep.or(keep.oneOf(TARGETS), 'page'),
  _mainDocument: keep.or<boolean, boolean>(keep.flag, false),
  _keepalive: keep.or<boolean, boolean>(keep.flag, false),
  '_endedAt!': keep.moment,
  '_pending?': keep.flag,
  '_error?': keep.text,
  '_responseAt?': keep.moment,
  '_timing?': keep.object<ResourceTiming>({
    requestedAt: keep.moment,
    'proxyStart?': keep.moment,
    'proxyEnd?': keep.moment,
    'dnsStart?': keep.moment,
    'dnsEnd?': keep.moment,
    'connectStart?': keep.moment,
    'connectEnd?': keep.moment,
    'sslStart?': keep.moment,
    'sslEnd?': keep.moment,
    'workerStart?': keep.moment,
    'workerReady?': keep.moment,
    'sendStart?': keep.moment,
    'sendEnd?': keep.moment,
    'headersStart?': keep.moment,
    'headersEnd?': keep.moment,
  }),
  '_priority?': keep.plain,
  '_initiator?': INITIATOR,
  '_frameId?': keep.plain,
  '_loaderId?': keep.plain,
  '_fromPreviousDocument?': keep.flag,
  /** Milliseconds since the Unix epoch. */
  '_wallTime?': keep.finite,
  '_fromCache?': CACHE,
  '_fetchedViaServiceWorker?': keep.flag,
  '_connectionId?': keep.plain,
  '_connectionReused?': keep.boolean,
  /** The address as the browser gave it, where it is not a plain IP address. */
  '_remoteAddress?': keep.plain,
  '_bodySize?': keep.size,
  '_chunks?': CHUNKS,
  '_webSocketMessages?': MESSAGES,
  '_eventSourceMessages?': MESSAGES,
  /** Life signs of anything else, such as WebTransport. */
  '_messages?': MESSAGES,
  /** As what it is background, and why. */
  '_background?': keep.unread,
});
export type OwnEntry = keep.ReadBy<typeof ENTRY>;
