import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { findBrowser } from '../../src/browser/install/find.ts';

/** A Chrome that somebody else has started, with arguments of his own. */
export interface ForeignChrome {
  /** Of the browser, as Chrome says it. */
  readonly ws: string;
  /** Where its DevTools answer. */
  readonly http: string;
  /** Addresses of the pages that are open in it, and how many contexts it has beside the first. */
  left(): Promise<{ readonly pages: readonly string[]; readonly contexts: number }>;
  close(): Promise<void>;
}

/** Starts a Chrome that Quiesce knows nothing of, with more arguments than it needs. */
export async function startForeignChrome(more: readonly string[] = []): Promise<ForeignChrome> {
  const profile = await mkdtemp(path.join(os.tmpdir(), 'foreign-chrome-'));
  const { path: executable } = await findBrowser(undefined, process.env);
  const child = spawn(
    executable,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      '--no-first-run',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--user-data-dir=${profile}`,
      ...more,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, TMPDIR: profile } },
  );
  const ws = await toldEndpoint(child);
  return {
    ws,
    http: `http://${new URL(ws).host}`,
    left: () => leftIn(ws),
    async close() {
      const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      child.kill();
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function toldEndpoint(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const piece of child.stderr ?? []) {
    said += piece;
    const endpoint = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (endpoint === undefined) continue;
    // What nobody reads would fill the pipe.
    child.stderr?.resume();
    return endpoint;
  }
  throw new Error(`Chrome did not start: ${said}`);
}

async function leftIn(ws: string) {
  const socket = new WebSocket(ws);
  await once(socket, 'open');
  const ask = async (id: number, method: string): Promise<unknown> => {
    socket.send(JSON.stringify({ id, method }));
    for (;;) {
      const [text] = (await once(socket, 'message')) as [Buffer];
      const answer = JSON.parse(text.toString()) as { readonly id?: number; readonly result?: unknown };
      if (answer.id === id) return answer.result;
    }
  };
  const { targetInfos } = (await ask(1, 'Target.getTargets')) as { targetInfos: { type: string; url: string }[] };
  const { browserContextIds } = (await ask(2, 'Target.getBrowserContexts')) as { browserContextIds: string[] };
  socket.close();
  return {
    pages: targetInfos.filter(({ type }) => type === 'page').map(({ url }) => url),
    contexts: browserContextIds.length,
  };
}

/** What stands before a browser in a grid or a fleet: an address that is none of Chrome's own, and a token to be let in. */
export interface Fleet {
  /** With the token. */
  readonly ws: string;
  /** The same to ask for the WebSocket's address. */
  readonly http: string;
  /** How many connections were let in. */
  connections(): number;
  /** Ends all connections, as a time-out on the way does. */
  drop(): void;
  close(): Promise<void>;
}

/** @param chrome gives the browser's address for each connection */
export async function startFleet(
  chrome: () => string,
  { user = 'ann', password = '', token = '' } = {},
): Promise<Fleet> {
  let connections = 0;
  const server = createServer((request, response) => {
    if (request.url !== `/json/version?token=${token}`) return void response.writeHead(404).end();
    // As a container says it that does not know its own address.
    response.end(JSON.stringify({ Browser: 'Chrome/1', webSocketDebuggerUrl: 'ws://0.0.0.0:3000/session/s1/se/cdp' }));
  });
  const sockets = new WebSocketServer({
    server,
    maxPayload: 0,
    verifyClient({ req }: { readonly req: IncomingMessage }) {
      const login = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      const isKnown = password === '' || req.headers.authorization === login;
      return isKnown && req.url === `/session/s1/se/cdp?token=${token}`;
    },
  });
  sockets.on('connection', (near) => {
    connections += 1;
    const far = new WebSocket(chrome(), { maxPayload: 0 });
    const opened = once(far, 'open').catch(() => near.terminate());
    near.on('message', (text) => void opened.then(() => far.readyState === WebSocket.OPEN && far.send(String(text))));
    far.on('message', (text) => near.send(String(text)));
    far.on('error', () => near.terminate());
    far.on('close', () => near.close());
    near.on('close', () => far.close());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const login = password === '' ? '' : `${user}:${encodeURIComponent(password)}@`;
  return {
    ws: `ws://${login}127.0.0.1:${port}/session/s1/se/cdp?token=${token}`,
    http: `http://${login}127.0.0.1:${port}/?token=${token}`,
    connections: () => connections,
    drop() {
      for (const client of sockets.clients) client.terminate();
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
