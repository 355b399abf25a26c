import type { ConnectionTransport } from 'puppeteer-core';
import WebSocket from 'ws';

/** Largest message that is taken: Puppeteer's own limit, for traces and pictures. */
const MOST_BYTES = 256 * 1024 * 1024;
/** How long a connection may take to open, ms: a fleet keeps one waiting until it has a browser. */
const OPEN_TIMEOUT_MS = 30_000;
/** How often the browser is asked whether it is there, ms. It also keeps proxies, which end what is silent, from ending it. */
const BEAT_MS = 10_000;
/** So often it is asked in vain before it counts as gone: a machine that was switched off ends no connection. */
const IN_VAIN = 3;

/** How long the other side may take to say goodbye, ms. */
const GOODBYE_MS = 1_000;

/**
 * One connection to a browser that several can talk over. Some addresses lead every connection to a browser of its own, so
 * that a second one would not find the page of the first.
 */
export interface Wire extends ConnectionTransport {
  /** Settles when the connection is over, wanted or not. */
  readonly gone: Promise<void>;
  /**
   * A connection inside of this one. What is said on it is said in a session with the browser, and it hears that session
   * and those below it, which nobody else hears from then on.
   *
   * @param sessionId of a session with the browser that is used for nothing else
   * @param closed called when it is closed by whoever talks over it
   */
  branch(sessionId: string, closed: () => void): ConnectionTransport;
}

/**
 * Opens a connection to a browser. Rejects with the reason.
 *
 * @param beatEvery how often the browser is asked whether it is there, ms
 */
export async function openWire(endpoint: string, beatEvery = BEAT_MS): Promise<Wire> {
  const socket = await openSocket(endpoint);
  const branches = new Map<string, Branch>();
  /** Commands under way that were not sent by `wire.send`: their numbers are negative, Puppeteer's are not. */
  const asked = new Map<number, { readonly branch: Branch; readonly id: number } | undefined>();
  let lastId = 0;
  let inVain = 0;
  const put = (message: object): void => wire.send(JSON.stringify(message));
  const beat = setInterval(() => {
    // Counted, not timed: a machine that slept has heard nothing for hours.
    if (inVain >= IN_VAIN) return socket.terminate();
    inVain += 1;
    lastId -= 1;
    asked.set(lastId, undefined);
    put({ id: lastId, method: 'Browser.getVersion' });
  }, beatEvery).unref();

  const wire: Wire = {
    gone: new Promise((resolve) => socket.once('close', () => resolve())),
    send(text) {
      // What comes too late is for nobody.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close() {
      socket.close();
      setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
    },
    branch(sessionId, closed) {
      const branch: Branch = {
        root: sessionId,
        sessions: new Set([sessionId]),
        transport: {
          send(text) {
            const { id, ...command } = JSON.parse(text) as Message & { readonly id: number };
            lastId -= 1;
            asked.set(lastId, { branch, id });
            put({ ...command, id: lastId, sessionId: command.sessionId ?? sessionId });
          },
          close() {
            if (branches.delete(sessionId)) closed();
          },
        },
      };
      branches.set(sessionId, branch);
      return branch.transport;
    },
  };

  /** True when it was for a branch, or for nobody. */
  const taken = (message: Message): boolean => {
    if (message.id !== undefined && message.id < 0) {
      const command = asked.get(message.id);
      asked.delete(message.id);
      if (command) hand(command.branch, { ...message, id: command.id });
      return true;
    }
    const branch = [...branches.values()].find(({ sessions }) => sessions.has(message.sessionId ?? ''));
    if (!branch) return false;
    if (message.method === 'Target.attachedToTarget') branch.sessions.add(sessionIn(message));
    hand(branch, message);
    if (message.method === 'Target.detachedFromTarget') branch.sessions.delete(sessionIn(message));
    return true;
  };
  const hand = (branch: Branch, { sessionId, ...message }: Message): void => {
    const isRoot = sessionId === undefined || sessionId === branch.root;
    branch.transport.onmessage?.(JSON.stringify(isRoot ? message : { ...message, sessionId }));
  };

  socket.on('message', (bytes: Buffer) => {
    inVain = 0;
    const text = bytes.toString();
    // No message of the protocol, such as the farewell of a proxy: what comes after it is not to be trusted either.
    if (!text.startsWith('{')) return socket.terminate();
    // Most of the time nobody else is there, and a load that is timed pays for no second reading.
    if (branches.size + asked.size > 0 && taken(JSON.parse(text) as Message)) return;
    wire.onmessage?.(text);
  });
  socket.on('close', () => {
    clearInterval(beat);
    for (const { transport } of branches.values()) transport.onclose?.();
    wire.onclose?.();
  });
  // Whatever it is, the connection is closed after it.
  socket.on('error', () => undefined);
  return wire;
}

/** A message of the protocol, as far as it says for whom it is. */
interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
}

interface Branch {
  readonly root: string;
  readonly sessions: Set<string>;
  readonly transport: ConnectionTransport;
}

function sessionIn({ params }: Message): string {
  return (params as { readonly sessionId?: string } | undefined)?.sessionId ?? '';
}

function openSocket(endpoint: string): Promise<WebSocket> {
  const socket = new WebSocket(endpoint, {
    followRedirects: true,
    perMessageDeflate: false,
    // Answers and events are heard one at a time, in order, as Puppeteer wants them.
    allowSynchronousEvents: false,
    maxPayload: MOST_BYTES,
    handshakeTimeout: OPEN_TIMEOUT_MS,
  });
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      const status = UNEXPECTED_STATUS.exec(error.message)?.[1];
      reject(status === undefined ? error : new HttpError(Number(status)));
    };
    socket.once('open', () => {
      socket.off('error', failed);
      resolve(socket);
    });
    socket.once('error', failed);
  });
}

/** How `ws` says that the answer to its handshake was another one. */
const UNEXPECTED_STATUS = /^Unexpected server response: (\d+)$/;

/** An answer by HTTP that is not what was wanted. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`it answered HTTP ${status}${WHAT_TO_DO[status] ?? ''}`);
    this.name = 'HttpError';
    this.status = status;
  }
}

/** For those answers that have one reason. */
const WHAT_TO_DO: Readonly<Record<number, string>> = {
  200: ', and no WebSocket is there',
  401: ': it wants a login or a token in the address',
  403: ': it wants another login or token in the address',
};
