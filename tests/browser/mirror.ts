import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as it reached a server. */
export interface Mirrored {
  readonly site: 'own' | 'third';
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Two servers, of two sites, that write down what every request brought. */
export interface Mirror {
  /** The page under test: `http://127.0.0.1:…/`. */
  readonly url: string;
  readonly third: string;
  readonly seen: readonly Mirrored[];
  /** What each part of the page said of itself: 'page', 'frame', 'worker', 'shared', 'service'. */
  readonly said: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** Requests of a path, of either site. */
  to(path: string): readonly Mirrored[];
  close(): Promise<void>;
}

/** What a part of the page says of its surroundings; its source is sent to the page. */
const TELL = `
const tell = async (who, more = {}) => {
  const hints = navigator.userAgentData ? { mobile: navigator.userAgentData.mobile, platform: navigator.userAgentData.platform } : {};
  await fetch(OWN + '/tell?' + who, { method: 'POST', mode: 'no-cors', body: JSON.stringify({
    userAgent: navigator.userAgent, language: navigator.language, format: (1.5).toLocaleString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, hints, ...more }) });
};
const ask = (url) => fetch(url, { mode: 'no-cors' }).then(() => 'answered', () => 'refused');
const once = () => { const from = performance.now(); let n = 0; while (n < ROUNDS) n += 1; return performance.now() - from; };
const count = () => { const times = Array.from({ length: 60 }, once); return { least: Math.min(...times), mean: times.reduce((sum, time) => sum + time) / times.length }; };
const all = async (who, more) => {
  const refused = await ask(OWN + '/blocked/' + who);
  await ask(OWN + '/own-from-' + who);
  await ask(THIRD + '/third-from-' + who);
  await tell(who, { ...more, refused });
};
`;

const PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><title>Mirror</title>
<script src="/script.js?x=blocked"></script><script src="/kept.js"></script>
<body><img src="THIRD/picture.png"><a href="/to-third">x</a><script>TELL
const place = () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
  ({ coords }) => resolve([coords.latitude, coords.longitude]), (error) => resolve(error.message)));
(async () => {
  await ask('/redirect-to-third');
  await new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = THIRD + '/frame';
    addEventListener('message', resolve, { once: true }); document.body.append(frame); });
  const worker = new Worker('/worker.js'); await new Promise((resolve) => { worker.onmessage = resolve; });
  const shared = new SharedWorker('/shared.js'); await new Promise((resolve) => { shared.port.onmessage = resolve; });
  await navigator.serviceWorker.register('/service.js');
  const { active } = await navigator.serviceWorker.ready;
  await new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; active.postMessage('', [port2]); });
  navigator.sendBeacon('/beacon', 'x');
  await all('page', { width: innerWidth, height: innerHeight, ratio: devicePixelRatio, touch: navigator.maxTouchPoints,
    coarse: matchMedia('(pointer: coarse)').matches, place: WITH_PLACE ? await place() : undefined, counted: count() });
})();</script>`;

const PARTS: Readonly<Record<string, string>> = {
  '/worker.js': "TELL all('worker', { counted: count() }).then(() => postMessage('done'));",
  '/shared.js': "TELL onconnect = ({ ports: [port] }) => { all('shared').then(() => port.postMessage('done')); };",
  '/service.js':
    "TELL oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onmessage = (event) => { event.waitUntil(all('service').then(() => event.ports[0].postMessage('done'))); };",
  '/frame': "<script>TELL all('frame').then(() => parent.postMessage('done', '*'));</script>",
};

/**
 * Starts both servers. With `login`, they ask for that header; with `place`, the page asks where it is; with `counts`, it and its
 * worker say how long they take to count, sixty times: the least and the mean of them.
 */
export async function startMirror(
  options: { readonly login?: string; readonly place?: boolean; readonly counts?: boolean } = {},
): Promise<Mirror> {
  const seen: Mirrored[] = [];
  const said = new Map<string, Readonly<Record<string, unknown>>>();
  let origins = { own: '', third: '' };
  const serve = (site: Mirrored['site']): Server =>
    createServer(async (request, response) => {
      const path = request.url ?? '';
      seen.push({ site, method: request.method ?? '', path, headers: request.headers });
      let body = '';
      for await (const piece of request) body += String(piece);
      response.setHeader('cache-control', 'no-store');
      // Both sites ask for a login: one of them has no right to be told.
      const asks = options.login !== undefined && request.headers.authorization !== options.login;
      if (asks && (site === 'own' || path.startsWith('/third'))) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="mirror"', 'content-length': 0 }).end();
        return;
      }
      const fill = (text: string): string =>
        text
          .replace('TELL', `const OWN='${origins.own}',THIRD='${origins.third}';${TELL}`)
          .replaceAll('WITH_PLACE', String(options.place === true))
          .replace('ROUNDS', options.counts ? '4_000_000' : '0')
          .replace('src="THIRD/', `src="${origins.third}/`);
      if (path.startsWith('/tell?')) said.set(path.slice('/tell?'.length), JSON.parse(body));
      const part = PARTS[path];
      if (path === '/redirect-to-third') response.writeHead(302, { location: `${origins.third}/redirected` });
      else if (path === '/start') response.writeHead(302, { location: `${origins.third}/landed` });
      else if (path === '/' || path === '/frame' || path === '/landed') response.setHeader('content-type', 'text/html');
      else if (path.includes('.js')) response.setHeader('content-type', 'text/javascript');
      response.end(path === '/' ? fill(PAGE) : part === undefined ? '' : fill(part));
    });
  const servers = [serve('own'), serve('third')] as const;
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const port = (server: Server): number => (server.address() as AddressInfo).port;
  origins = { own: `http://127.0.0.1:${port(servers[0])}`, third: `http://localhost:${port(servers[1])}` };
  return {
    url: `${origins.own}/`,
    third: origins.third,
    seen,
    said,
    to: (path) => seen.filter((each) => each.path === path),
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}
