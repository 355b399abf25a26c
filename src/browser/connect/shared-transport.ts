import type { ConnectionTransport } from 'puppeteer-core';
import WebSocket from 'ws';
import { answeredStatus } from './connection-error.ts';

/** The largest message that is accepted, bytes: Puppeteer's own limit, for traces and pictures. */
export const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
/** How long a connection may take to open, ms: a fleet lets clients wait until it has a browser for them. */
const OPEN_TIMEOUT_MS = 30_000;
/** How often the browser is asked whether it is there, ms. It also keeps proxies from ending an idle connection. */
const HEARTBEAT_MS = 10_000;
/** After so many questions without an answer it counts as gone: a machine that is switched off ends no connection. */
const MAX_UNANSWERED = 3;

/** How long the other side may take to close, ms. */
const CLOSE_TIMEOUT_MS = 1_000;

/** What carries the messages of one connection, each whole and in order. */
export interface Wire {
  /** Sends a message; nothing once the wire is cut. */
  send(text: string): void;
  /** Hands over what comes, one message in each turn of the event loop, as Puppeteer expects it; and the end, by either side. */
  listen(on: { message(text: string): void; closed(): void }): void;
  /** Ends it in order. */
  close(): void;
  /** Ends it at once. */
  cut(): void;
}

/**
 * One connection to a browser that several clients share. Some addresses lead every connection to another browser, so that
 * a second one would not find the page of the first.
 */
export interface SharedTransport extends ConnectionTransport {
  /** Resolves when the connection is closed, by either side. */
  readonly gone: Promise<void>;
  /**
   * A transport inside this one, for another client. Its commands are sent in a session with the browser. From then on it
   * alone receives the messages of that session and of those below it.
   *
   * @param sessionId of a session with the browser that is used for nothing else
   * @param closed called when the client closes it
   */
  sessionTransport(sessionId: string, closed: () => void): ConnectionTransport;
}

/**
 * Opens a connection to a browser. Rejects with the reason.
 *
 * @param heartbeat how often the browser is asked whether it is there, ms
 */
export async function openSharedTransport(endpoint: string, heartbeat = HEARTBEAT_MS): Promise<SharedTransport> {
  return shareWire(socketWire(await openSocket(endpoint)), heartbeat);
}

/** Shares a connection that is open. `heartbeat` as above. */
export function shareWire(wire: Wire, heartbeat = HEARTBEAT_MS): SharedTransport {
  const clients = new Map<string, Client>();
  /** Commands under way that were not sent by `shared.send`: their numbers are negative, Puppeteer's are not. */
  const asked = new Map<number, { readonly client: Client; readonly id: number } | undefined>();
  let lastId = 0;
  let unanswered = 0;
  const put = (message: object): void => shared.send(JSON.stringify(message));
  const beat = setInterval(() => {
    // Counted, not timed: a machine that slept has received nothing for hours.
    if (unanswered >= MAX_UNANSWERED) return wire.cut();
    unanswered += 1;
    lastId -= 1;
    asked.set(lastId, undefined);
    put({ id: lastId, method: 'Browser.getVersion' });
  }, heartbeat).unref();

  const gone = Promise.withResolvers<void>();
  const shared: SharedTransport = {
    gone: gone.promise,
    send: (text) => wire.send(text),
    close: () => wire.close(),
    sessionTransport(sessionId, closed) {
      const client: Client = {
        root: sessionId,
        sessions: new Set([sessionId]),
        transport: {
          send(text) {
            const { id, ...command } = JSON.parse(text) as Message & { readonly id: number };
            lastId -= 1;
            asked.set(lastId, { client, id });
            put({ ...command, id: lastId, sessionId: command.sessionId ?? sessionId });
          },
          close() {
            if (clients.delete(sessionId)) closed();
          },
        },
      };
      clients.set(sessionId, client);
      return client.transport;
    },
  };

  /** Hands a message to the client that it is for. False when it is for the owner of the connection. */
  const dispatch = (message: Message): boolean => {
    if (message.id !== undefined && message.id < 0) {
      const command = asked.get(message.id);
      asked.delete(message.id);
      if (command) deliver(command.client, { ...message, id: command.id });
      return true;
    }
    const client = [...clients.values()].find(({ sessions }) => sessions.has(message.sessionId ?? ''));
    if (!client) return false;
    if (message.method === 'Target.attachedToTarget') client.sessions.add(sessionIn(message));
    deliver(client, message);
    if (message.method === 'Target.detachedFromTarget') client.sessions.delete(sessionIn(message));
    return true;
  };
  const deliver = (client: Client, { sessionId, ...message }: Message): void => {
    const isRoot = sessionId === undefined || sessionId === client.root;
    client.transport.onmessage?.(JSON.stringify(isRoot ? message : { ...message, sessionId }));
  };

  wire.listen({
    message(text) {
      unanswered = 0;
      // Not a message of the protocol, but the last words of a proxy, for example: nothing after it can be trusted.
      if (!text.startsWith('{')) return wire.cut();
      // Mostly there are no other clients: then a message is not parsed twice, which would cost a load time.
      if (clients.size + asked.size > 0 && dispatch(JSON.parse(text) as Message)) return;
      shared.onmessage?.(text);
    },
    closed() {
      clearInterval(beat);
      gone.resolve();
      for (const { transport } of clients.values()) transport.onclose?.();
      shared.onclose?.();
    },
  });
  return shared;
}

/** The parts of a protocol message that say for whom it is. */
interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
}

/** Another client of the connection. */
interface Client {
  readonly root: string;
  readonly sessions: Set<string>;
  readonly transport: ConnectionTransport;
}

function sessionIn({ params }: Message): string {
  return (params as { readonly sessionId?: string } | undefined)?.sessionId ?? '';
}

function socketWire(socket: WebSocket): Wire {
  return {
    send(text) {
      // Commands may still come after the end.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    listen({ message, closed }) {
      socket.on('message', (bytes: Buffer) => message(bytes.toString()));
      socket.on('close', closed);
      // Every error is followed by "close".
      socket.on('error', () => undefined);
    },
    close() {
      socket.close();
      setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    },
    cut: () => socket.terminate(),
  };
}

function openSocket(endpoint: string): Promise<WebSocket> {
  const socket = new WebSocket(endpoint, {
    followRedirects: true,
    perMessageDeflate: false,
    // Puppeteer expects messages one at a time and in order.
    allowSynchronousEvents: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: OPEN_TIMEOUT_MS,
  });
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => {
      const status = UNEXPECTED_STATUS.exec(error.message)?.[1];
      reject(status === undefined ? error : answeredStatus(Number(status)));
    };
    socket.once('open', () => {
      socket.off('error', failed);
      resolve(socket);
    });
    socket.once('error', failed);
  });
}

/** How `ws` reports another answer to its handshake. */
const UNEXPECTED_STATUS = /^Unexpected server response: (\d+)$/;
