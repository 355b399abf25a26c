import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { openSharedTransport } from '../../../src/browser/connect/shared-transport.ts';

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

let server: WebSocketServer;
let endpoint: string;
beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  endpoint = `ws://127.0.0.1:${(server.address() as { port: number }).port}/any/path`;
});
afterEach(async () => {
  for (const client of server.clients) client.terminate();
  server.close();
  await once(server, 'close');
});

/** A transport, and the browser's end of it. */
async function connected(heartbeat?: number) {
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const transport = await openSharedTransport(endpoint, heartbeat);
  const [browser] = await accepted;
  const said: Message[] = [];
  browser.on('message', (text: Buffer) => said.push(JSON.parse(text.toString()) as Message));
  const heard: Message[] = [];
  transport.onmessage = (text) => heard.push(JSON.parse(text) as Message);
  const tell = (message: Message): void => browser.send(JSON.stringify(message));
  /** Waits until all that was sent before has come, both ways. */
  const settled = async (): Promise<void> => {
    transport.send('{"id":999,"method":"Test.ping"}');
    await expect.poll(() => said.some(({ id }) => id === 999)).toBe(true);
    tell({ id: 999 });
    await expect.poll(() => heard.some(({ id }) => id === 999)).toBe(true);
    said.splice(0, said.length, ...said.filter(({ id }) => id !== 999));
    heard.splice(0, heard.length, ...heard.filter(({ id }) => id !== 999));
  };
  return { transport, browser, said, heard, tell, settled };
}

it('gives a client the messages of its session and those below, and the rest to the owner', async () => {
  const { transport, said, heard, tell, settled } = await connected();
  let closed = 0;
  const client = transport.sessionTransport('root', () => {
    closed += 1;
  });
  const received: Message[] = [];
  client.onmessage = (text) => received.push(JSON.parse(text) as Message);

  transport.send('{"id":1,"method":"Browser.getVersion"}');
  client.send('{"id":1,"method":"Target.getTargets"}');
  client.send('{"id":2,"method":"Page.enable","sessionId":"child"}');
  await settled();
  const [own, root, child] = said;
  expect(own).toEqual({ id: 1, method: 'Browser.getVersion' });
  expect(root).toMatchObject({ method: 'Target.getTargets', sessionId: 'root' });
  expect(child).toMatchObject({ method: 'Page.enable', sessionId: 'child' });
  expect(new Set(said.map(({ id }) => id)).size).toBe(3);

  tell({ id: root?.id ?? 0, sessionId: 'root', result: 'targets' });
  tell({ id: child?.id ?? 0, sessionId: 'child', result: 'enabled' });
  tell({ id: 1, result: 'version' });
  tell({ method: 'Target.attachedToTarget', sessionId: 'root', params: { sessionId: 'child' } });
  tell({ method: 'Page.loaded', sessionId: 'child' });
  tell({ method: 'Page.loaded', sessionId: 'other' });
  tell({ method: 'Target.detachedFromTarget', sessionId: 'root', params: { sessionId: 'child' } });
  tell({ method: 'Page.late', sessionId: 'child' });
  await settled();
  expect(received).toEqual([
    { id: 1, result: 'targets' },
    { id: 2, sessionId: 'child', result: 'enabled' },
    { method: 'Target.attachedToTarget', params: { sessionId: 'child' } },
    { method: 'Page.loaded', sessionId: 'child' },
    { method: 'Target.detachedFromTarget', params: { sessionId: 'child' } },
  ]);
  expect(heard).toEqual([
    { id: 1, result: 'version' },
    { method: 'Page.loaded', sessionId: 'other' },
    { method: 'Page.late', sessionId: 'child' },
  ]);

  client.close();
  client.close();
  expect(closed).toBe(1);
  tell({ method: 'Target.targetCreated', sessionId: 'root' });
  await settled();
  expect(received).toHaveLength(5);
  transport.close();
  await transport.gone;
});

it('tells owner and clients when the browser ends the connection', async () => {
  const { transport, browser } = await connected();
  const ended: string[] = [];
  transport.onclose = () => ended.push('owner');
  transport.sessionTransport('root', () => undefined).onclose = () => ended.push('client');
  browser.close();
  await transport.gone;
  expect(ended.sort()).toEqual(['client', 'owner']);
  // What comes too late is not an error.
  transport.send('{"id":1,"method":"Browser.getVersion"}');
});

it('gives up a browser that does not answer any more, though the connection stands', async () => {
  const { transport, browser, said } = await connected(5);
  browser.on('close', () => undefined);
  await transport.gone;
  expect(said.filter(({ method }) => method === 'Browser.getVersion').length).toBeGreaterThanOrEqual(3);
});

it('keeps one that answers', async () => {
  const { transport, browser, heard, tell } = await connected(5);
  let asked = 0;
  let isOver = false;
  void transport.gone.then(() => {
    isOver = true;
  });
  browser.on('message', (text: Buffer) => {
    asked += 1;
    tell({ id: (JSON.parse(text.toString()) as Message).id ?? 0, result: {} });
  });
  await expect.poll(() => asked).toBeGreaterThan(10);
  expect(isOver).toBe(false);
  // Nobody else is bothered with the answers.
  expect(heard).toEqual([]);
  transport.close();
  await transport.gone;
});
