import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTroubleServer, type TroubleServer } from '../../../fixtures/trouble.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { auditInChrome } from '../../support/chrome.ts';

let trouble: TroubleServer;
beforeAll(async () => {
  trouble = await startTroubleServer();
});
afterAll(() => trouble.close());

/** A chat: what is in its room comes by polls that are answered when there is news. */
async function startRoom() {
  const client = await readFile(createRequire(import.meta.url).resolve('socket.io-client/dist/socket.io.js'));
  const page = `<!doctype html><title>Room</title><link rel="icon" href="data:,"><h1>The room</h1><ul id="list"></ul>
    <script src="/client.js"></script><script>
      const socket = io({ transports: ['polling'] });
      socket.on('connect', () => socket.emit('join'));
      const show = (text) => list.append(Object.assign(document.createElement('li'), { textContent: text }));
      socket.on('said', show);
      socket.on('history', (texts) => { texts.forEach(show); fetch('/members').then((answer) => answer.text()).then(show); });
      for (const name of ['theme', 'flags']) fetch('/' + name).then((answer) => answer.json());
    </script>`;
  const http = createServer(({ url = '' }, response) => {
    if (url.startsWith('/socket.io/')) return;
    const [type, body] =
      url === '/'
        ? ['text/html', page]
        : url === '/client.js'
          ? ['text/javascript', client]
          : ['application/json', '{}'];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  const sockets = new Server(http, { pingInterval: 60_000 });
  sockets.on('connection', (socket) => {
    socket.on('join', () => {
      setTimeout(() => socket.emit('history', ['Hello', 'How are you?', 'Fine.']), 120);
      const saying = setInterval(() => socket.emit('said', 'And you?'), 2_000);
      socket.on('disconnect', () => clearInterval(saying));
    });
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, close: () => sockets.close() };
}

/** The loads of an audit, in order. */
async function audited(url: string, runs: number, timeout: number) {
  const roles: string[] = [];
  const { result } = await auditInChrome(
    { targets: [url], runs, timeout, evidence: true, ablation: true },
    { onProgress: (event: Progress) => void (event.kind === 'run-started' && roles.push(event.role)) },
  );
  return { roles, target: result.targets[0] };
}

it('a room on a socket, whose page is another one without it, is proved in a few loads', async () => {
  const room = await startRoom();
  const { roles, target } = await audited(room.url, 1, 15_000);
  room.close();
  expect(target?.runs.find(({ role }) => role === 'timed')).toMatchObject({ ok: true });
  expect(target?.evidence?.ablation?.same).toBe(false);
  expect(roles.filter((role) => role === 'ablation').length).toBeLessThanOrEqual(8);
});

it.each([
  ['/freeze', 4_000, ['evidence', 'timed', 'timed']],
  ['/never', 4_000, ['evidence']],
  // On a busy machine the twenty documents before it counts as a loop take longer than these seconds.
  ['/script-loop', 60_000, ['evidence']],
] as const)('%s is not loaded again and again', async (path, timeout, loads) => {
  expect((await audited(trouble.url(path), 2, timeout)).roles).toEqual(loads);
});
