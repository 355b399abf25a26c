import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/** One page for a test, with its log of what reached the server. */
export interface Site {
  readonly origin: string;
  /** The same server by another name: another origin and another site. */
  readonly crossOrigin: string;
  /** 'GET /path?query' for requests, 'SOCKET /path' for WebSocket handshakes, in order of arrival. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** Serves what `answers` has for a path, else an empty answer that every origin may read. Sockets echo. */
export async function serve(
  answers: (
    origin: string,
    crossOrigin: string,
  ) => Readonly<Record<string, string | ((response: ServerResponse) => void)>>,
): Promise<Site> {
  const seen: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answer = table[path] ?? '';
    if (typeof answer === 'function') return answer(response);
    response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(answer);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket: WebSocket, request) => {
    seen.push(`SOCKET ${request.url}`);
    socket.on('message', (text) => socket.send(String(text)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const crossOrigin = `http://localhost:${port}`;
  const table = answers(origin, crossOrigin);
  return {
    origin,
    crossOrigin,
    seen,
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
