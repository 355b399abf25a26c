import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** One message of the DevTools protocol. */
export interface WireMessage {
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

/**
 * Stands between Quiesce and Chrome and writes down every message of both.
 *
 * @param onHeard called with what Chrome sent, before Quiesce receives it
 */
export async function tap(target: string, onHeard: (message: WireMessage) => void = () => undefined) {
  const said: WireMessage[] = [];
  const heard: WireMessage[] = [];
  const http = createServer();
  const wss = new WebSocketServer({ server: http, maxPayload: 0 });
  wss.on('connection', (near) => {
    const far = new WebSocket(target, { maxPayload: 0 });
    const waiting: string[] = [];
    near.on('message', (text) => {
      said.push(JSON.parse(String(text)));
      if (far.readyState === WebSocket.OPEN) far.send(String(text));
      else waiting.push(String(text));
    });
    far.on('open', () => {
      for (const text of waiting) far.send(text);
    });
    far.on('message', (text) => {
      const message = JSON.parse(String(text)) as WireMessage;
      heard.push(message);
      onHeard(message);
      near.send(String(text));
    });
    far.on('close', () => near.close());
    near.on('close', () => far.close());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    /** What Quiesce asked for. */
    said,
    /** What Chrome sent. */
    heard,
    close: () => {
      for (const client of wss.clients) client.terminate();
      http.close();
    },
  };
}
