import type { Client } from 'autocannon';

/** What autocannon's client has besides what its types tell. Its version is fixed in package.json, and a test holds this. */
interface InnerClient extends Client {
  conn?: { destroyed: boolean; prependListener(name: 'end', listener: () => void): unknown };
  parser: { reinitialize(type: string): void; finish(): unknown } & Record<number, (head: ResponseHead) => unknown>;
  timeoutTicker: { reschedule(ms: number): void };
  pipelinedRequests: { addBody(part: unknown): void; clear(): void };
  requestIterator: { nextRequest(): void };
  _connect(): void;
  _doRequest(): void;
  _resetConnection(): void;
}

interface ResponseHead {
  readonly shouldKeepAlive: boolean;
}

/** `HTTPParser.kOnHeadersComplete` of http-parser-js, as of Node.js. */
const ON_HEADERS_COMPLETE = 2;
/** What the parser is told to skip the body. */
const SKIP_BODY = 1;
/** A server that refuses is not asked again at once, ms. */
const RECONNECT_AFTER = 100;

/** Longer than any load, ms; timers take no more than 2^31. */
const NEVER = 2 ** 30;

/** How one connection behaves. */
export interface Pace {
  /** Since the load began, ms. */
  now(): number;
  readonly thinkTime: number;
  readonly timeout: number;
  /** Answers have no body, whatever their header says. */
  readonly headOnly: boolean;
  /** Places in the list of requests to go on before the first one: connections do not all ask for the same. */
  readonly skip: number;
  /** When the next request of all connections is due; at once when absent. */
  nextSlot?(): number;
  /** Whether one more request may be sent. */
  maySend(): boolean;
  onAnswer(status: number, from: number): void;
  onError(kind: string): void;
}

/** A connection, for those who count them. */
export interface PacedClient {
  isConnected(): boolean;
}

/**
 * Gives a client of autocannon a pace, and times of its own. A request that is due while its connection still waits for an
 * answer is timed from when it was due: that is what a user who came then would have waited ("coordinated omission").
 *
 * It also mends what breaks in servers that close connections: a request is not written to one that ends, an answer that
 * lasts until the end of the connection is an answer, and one that is cut off is an error.
 */
export function paceClient(given: Client, pace: Pace): PacedClient {
  const client = given as InnerClient;
  const { _connect: connect, _doRequest: doRequest } = client;
  let startedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  let isEnded = false;
  let isFirst = true;
  let failedAt = Number.NEGATIVE_INFINITY;

  const send = (at: number): void => {
    timer = undefined;
    if (isEnded || client.conn?.destroyed === true) return;
    startedAt = at;
    doRequest.call(client);
  };

  client._doRequest = () => {
    clearTimeout(timer);
    if (isEnded) return;
    if (isClosing) {
      isClosing = false;
      return client._resetConnection();
    }
    const now = pace.now();
    if (!pace.maySend()) return client.timeoutTicker.reschedule(NEVER);
    const due = pace.nextSlot?.() ?? (isFirst ? now : now + pace.thinkTime);
    isFirst = false;
    if (due <= now) return send(due);
    client.timeoutTicker.reschedule(due - now + pace.timeout);
    timer = setTimeout(() => send(due), due - now);
  };

  client._connect = () => {
    const wait = failedAt + RECONNECT_AFTER - pace.now();
    if (wait > 0) {
      timer = setTimeout(() => client._connect(), wait);
      return;
    }
    isEnded = false;
    isClosing = false;
    if (isFirst) prepare();
    client.parser.reinitialize('RESPONSE');
    client.pipelinedRequests.clear();
    connect.call(client);
    client.conn?.prependListener('end', () => {
      isEnded = true;
      client.parser.finish();
      if (startedAt === undefined) return;
      startedAt = undefined;
      failedAt = pace.now();
      pace.onError('connection closed');
    });
  };

  /** Once the client is there as a whole. */
  function prepare(): void {
    const onHead = client.parser[ON_HEADERS_COMPLETE]?.bind(client.parser);
    client.parser[ON_HEADERS_COMPLETE] = (head) => {
      onHead?.(head);
      isClosing = !head.shouldKeepAlive;
      return pace.headOnly ? SKIP_BODY : undefined;
    };
    // Bodies are not read, and one that never ends would fill the memory.
    client.pipelinedRequests.addBody = () => undefined;
    for (let i = 0; i < pace.skip; i += 1) client.requestIterator.nextRequest();
  }

  // Before the listeners of autocannon, which send the next request.
  client.on('response', (status) => {
    const from = startedAt;
    startedAt = undefined;
    if (from !== undefined) pace.onAnswer(status, from);
  });
  const events = client as unknown as NodeJS.EventEmitter;
  events.on('connError', (error: NodeJS.ErrnoException) => {
    startedAt = undefined;
    failedAt = pace.now();
    pace.onError(error.code ?? error.message);
  });
  events.on('timeout', () => {
    startedAt = undefined;
    pace.onError('timeout');
  });
  return { isConnected: () => client.conn !== undefined && !client.conn.destroyed };
}
