import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { answeredStatus } from '../../../src/browser/connect/connection-error.ts';
import { connectTo } from '../../../src/browser/connect/devtools-address.ts';
import { startBrowser } from '../../../src/browser/connect/start-browser.ts';
import { QuiesceError } from '../../../src/wording/messages/messages.ts';

/** How the server answers, and what it was asked. */
let answer: (request: IncomingMessage) => { readonly status: number; readonly text: string };
let asked: IncomingMessage[];
let server: Server;
let sockets: WebSocketServer;
let port: number;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    const { status, text } = answer(request);
    response.writeHead(status).end(text);
  });
  sockets = new WebSocketServer({
    server,
    verifyClient({ req }: { readonly req: IncomingMessage }, decide) {
      asked.push(req);
      const { status } = answer(req);
      decide(status === 200, status);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const client of sockets.clients) client.terminate();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const telling = (webSocketDebuggerUrl: string) => () => ({
  status: 200,
  text: JSON.stringify({ webSocketDebuggerUrl }),
});

it.each([
  // The path is the browser's, the host is where it was asked: it may not know how it can be reached.
  ['/', 'ws://127.0.0.1:9222/devtools/browser/x', '/json/version', '/devtools/browser/x'],
  ['/?token=a', 'ws://0.0.0.0:3000', '/json/version?token=a', '/?token=a'],
  ['/proxy/1/', 'ws://pod/devtools/browser/x', '/proxy/1/json/version', '/proxy/1/devtools/browser/x'],
  ['/', 'ws://pod/chrome?id=7', '/json/version', '/chrome?id=7'],
  ['/?token=a&id=6', 'ws://pod/chrome?id=7', '/json/version?token=a&id=6', '/chrome?id=7&token=a'],
])('asks the DevTools at http://host%s for the WebSocket', async (given, told, first, second) => {
  answer = telling(told);
  const wire = await connectTo(`http://ann:p%40ss@127.0.0.1:${port}${given}`);
  expect(asked.map(({ url }) => url)).toEqual([first, second]);
  const login = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`;
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([login, login]);
  wire.close();
  await wire.gone;
});

it.each(['http', 'ws'])('looks a name up when the browser does not answer to it, over %s', async (scheme) => {
  answer = ({ headers }) =>
    headers.host?.startsWith('localhost')
      ? { status: 500, text: 'Host header is specified and is not an IP address or localhost.' }
      : telling('ws://127.0.0.1/devtools/browser/x')();
  const wire = await connectTo(`${scheme}://localhost:${port}/`);
  expect(asked.map(({ headers }) => headers.host)).toContain(`localhost:${port}`);
  expect(asked.at(-1)?.headers.host).toBe(`127.0.0.1:${port}`);
  wire.close();
  await wire.gone;
});

it('finds the WebSocket of a Chrome of which only host and port are given', async () => {
  answer = ({ url }) => {
    if (url === '/json/version') return telling('ws://127.0.0.1/devtools/browser/x')();
    return { status: url === '/' ? 404 : 200, text: '' };
  };
  const wire = await connectTo(`ws://127.0.0.1:${port}`);
  expect(asked.map(({ url }) => url)).toEqual(['/', '/json/version', '/devtools/browser/x']);
  wire.close();
  await wire.gone;
});

it.each([
  ['an echo', (text: string) => text, 'the program that answers does not speak the DevTools protocol of a browser'],
  [
    'WebDriver BiDi',
    () => '{"type":"error","id":1,"error":"unknown command","message":"Browser.getVersion"}',
    'the program that answers does not speak the DevTools protocol of a browser',
  ],
  [
    'a fleet that is full',
    () => '{"id":1,"error":{"code":-32000,"message":"No free slot, token s3cr3t-value"}}',
    'the program that answers does not speak the DevTools protocol of a browser: No free slot, token [redacted]',
  ],
  ['a web page', () => '<p>hello', 'the connection ended before the browser had shown what it can do'],
  ['nothing', () => 'null', 'the connection ended before the browser had shown what it can do'],
  [
    'a page of a browser',
    (text: string) => {
      const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
      const result = { product: 'Chrome/1', userAgent: 'Chrome' };
      const refused = { error: { code: -32000, message: 'Not allowed' } };
      return JSON.stringify({ id, ...(method === 'Browser.getVersion' ? { result } : refused) });
    },
    'it refuses a session with the whole browser, as the address of a page does: Protocol error (Target.attachToBrowserTarget): Not allowed',
  ],
  [
    'a browser that has no contexts',
    (text: string) => {
      const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
      const answers: Record<string, object> = {
        'Browser.getVersion': { result: { product: 'Chrome/1', userAgent: 'Chrome' } },
        'Target.attachToBrowserTarget': { result: { sessionId: 'root' } },
      };
      const attached = { method: 'Target.attachedToTarget', params: { sessionId: 'root', targetInfo: {} } };
      const answered = answers[method] ?? { error: { code: -32000, message: 'Not allowed' } };
      const sessionId = answers[method] ? {} : { sessionId: 'root' };
      const said = JSON.stringify({ id, ...sessionId, ...answered });
      return method === 'Target.attachToBrowserTarget' ? [JSON.stringify(attached), said] : said;
    },
    'it refuses a page in a context of its own: Protocol error (Target.createBrowserContext): Not allowed',
  ],
])('says in one line that %s is no browser to measure in', async (_, reply, reason) => {
  answer = () => ({ status: 200, text: '' });
  sockets.on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      for (const line of [reply(text.toString())].flat()) socket.send(line);
    });
  });
  const browserWs = `ws://127.0.0.1:${port}/?token=s3cr3t-value`;
  await expect(startBrowser({ browserWs, sandbox: true, browserArg: [] }, undefined)).rejects.toThrow(
    `No browser answers at ws://127.0.0.1:${port}/… (${reason}). Check --browser-ws.`,
  );
});

it.each([
  ['ws', '/devtools/browser/canary-5d0e91b7?token=s3cr3t-value', { status: 404, text: '' }, 'it answered HTTP 404'],
  [
    'ws',
    '/?token=s3cr3t-value',
    { status: 401, text: '' },
    'it answered HTTP 401: it needs a login or a token in the address',
  ],
  [
    'http',
    '/?token=s3cr3t-value',
    { status: 403, text: '' },
    'it answered HTTP 403: it needs another login or token in the address',
  ],
  ['http', '/?token=s3cr3t-value', { status: 200, text: '<p>hello' }, 'the program that answers is not a browser'],
  [
    'http',
    '/?token=s3cr3t-value',
    { status: 200, text: '{"webSocketDebuggerUrl":7}' },
    'the program that answers is not a browser',
  ],
  ['http', '/%E0%A4%A?token=s3cr3t-value', { status: 500, text: '' }, 'it answered HTTP 500'],
])('says in one line why there is no browser at %s://…%s, and no secret', async (scheme, path, given, reason) => {
  answer = () => given;
  const browserWs = `${scheme}://ann:canary-77aa01@127.0.0.1:${port}${path}`;
  const error = await startBrowser({ browserWs, sandbox: true, browserArg: [] }, undefined).catch((each) => each);
  expect(error).toBeInstanceOf(QuiesceError);
  expect(error.message).toBe(`No browser answers at ${scheme}://127.0.0.1:${port}/… (${reason}). Check --browser-ws.`);
  // With --verbose causes are printed, too.
  expect(error.cause).toBeUndefined();
});

it('says what to look at where a page answers instead of a WebSocket', () => {
  expect(answeredStatus(200).message).toBe('it answered HTTP 200, and no WebSocket is there');
});

it('says so when nothing listens, or nobody knows the name', async () => {
  const line = async (browserWs: string): Promise<string> =>
    (await startBrowser({ browserWs, sandbox: true, browserArg: [] }, undefined).catch((each) => each)).message;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  expect(await line(`ws://localhost:${port}/`)).toContain('ECONNREFUSED');
  expect(await line(`http://localhost:${port}/`)).toContain('ECONNREFUSED');
  expect(await line('http://no-such-host.invalid/')).toMatch(/ENOTFOUND|EAI_AGAIN/);
  server.listen(0);
});
