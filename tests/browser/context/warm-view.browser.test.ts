import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { LoadRequest } from '../../../src/model/recording/lab.ts';
import { loadOptionsOf } from '../../support/jobs.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

const policy = { ...QUICK, quietWindow: 800 };

let lab: ChromeLab;
let server: Server;
let url: string;
/** What the server saw, visit by visit: a visit begins with the page. */
let visits: { readonly path: string; readonly headers: IncomingHttpHeaders }[][] = [];
let broken = false;
beforeAll(async () => {
  lab = await sharedLab();
  server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/') visits.push([]);
    visits.at(-1)?.push({ path, headers: request.headers });
    if (path.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
    if (broken) response.writeHead(500);
    else if (path === '/') {
      response.setHeader('content-type', 'text/html').setHeader('cache-control', 'no-store');
      response.setHeader('set-cookie', 'visited=1');
    } else if (path === '/kept.js') response.setHeader('cache-control', 'max-age=3600');
    else if (path === '/asked.js') {
      response.setHeader('cache-control', 'no-cache').setHeader('etag', '"one"');
      if (request.headers['if-none-match'] === '"one"') response.writeHead(304);
    } else response.setHeader('cache-control', 'no-store');
    response.end(BODIES[path] ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  visits = [];
  broken = false;
});
afterAll(async () => {
  await lab?.close();
  server?.closeAllConnections();
  server?.close();
});

const BODIES: Readonly<Record<string, string>> = {
  '/': `<title>x</title><p>x</p><script src="/kept.js"></script><script src="/asked.js"></script><script src="/never.js"></script>
    <script>navigator.serviceWorker.register('/service.js'); fetch('/by-worker'); fetch('/poll')</script>`,
  '/service.js': `oninstall = (event) => event.waitUntil(caches.open('x').then((cache) => cache.put('/by-worker', new Response('mine'))));
    onfetch = (event) => { if (event.request.url.endsWith('/by-worker')) event.respondWith(caches.match('/by-worker')); };`,
};

async function load(more: Partial<LoadRequest> = {}) {
  const recording = await recordIn(lab, url, policy, { ...loadOptionsOf({ view: 'warm' }), ...more });
  const { requests } = foldTimeline(recording.events, recording.marks, recording.observedUntil);
  return { requests, of: (path: string) => requests.find((each) => new URL(each.url).pathname === path) };
}

it('finds what the first visit left: cache, cookies, service worker', async () => {
  const { requests, of } = await load();
  expect(visits).toHaveLength(2);
  const [first = [], second = []] = visits;
  const paths = (visit: typeof first): readonly string[] => visit.map(({ path }) => path);
  expect(paths(first)).toEqual(expect.arrayContaining(['/', '/kept.js', '/asked.js', '/never.js', '/by-worker']));
  expect(paths(second)).not.toContain('/kept.js');
  expect(paths(second)).not.toContain('/by-worker');
  expect(second.find(({ path }) => path === '/asked.js')?.headers['if-none-match']).toBe('"one"');
  expect(second.find(({ path }) => path === '/never.js')?.headers['if-none-match']).toBeUndefined();
  expect(first[0]?.headers.cookie).toBeUndefined();
  expect(second[0]?.headers.cookie).toBe('visited=1');
  // Only the second visit is in the recording.
  expect(requests.filter(({ mainDocument }) => mainDocument)).toHaveLength(1);
  expect(requests[0]).toBe(of('/'));
  expect(of('/kept.js')?.response?.fromCache).toBeDefined();
  expect(of('/by-worker')?.response?.fromServiceWorker).toBe(true);
});

it('films and holds in the second visit alone', async () => {
  const recording = await recordIn(
    lab,
    url,
    { ...policy, background: ['/poll'] },
    {
      ...loadOptionsOf({ view: 'warm' }),
      film: true,
      hold: ['/poll'],
    },
  );
  expect(recording.frames.length).toBeGreaterThan(0);
  expect(visits.map((visit) => visit.filter(({ path }) => path === '/poll').length)).toEqual([1, 0]);
});

it('fails with the first visit', async () => {
  broken = true;
  const outcome = await lab.record(
    { url, policy, content: false, ...loadOptionsOf({ view: 'warm' }) },
    new AbortController().signal,
  );
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'http-error' } });
  expect(visits).toHaveLength(1);
});

it('is not what the next load in the browser finds', async () => {
  await load();
  visits = [];
  await recordIn(lab, url, policy);
  expect(visits).toHaveLength(1);
  expect(visits[0]?.map(({ path }) => path)).toContain('/kept.js');
  expect(visits[0]?.[0]?.headers.cookie).toBeUndefined();
});
