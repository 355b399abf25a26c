/** A site whose pages fight back. Each says when it was complete: the server saw its last answer leave. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as settle } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { empty, html, json, script, send } from '../../fixtures/answers.ts';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';

export const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>';
/** How long the picture takes that an ordinary page waits for, ms. */
export const PICTURE_MS = 400;

export const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fault</title><link rel="icon" href="data:,">${head}</head><body><h1>A page</h1><img src="/picture.svg" width="300" height="200" alt="">${body}</body></html>`;
const withScript = (source: string): string => page(`<script>${source}</script>`);
/** Runs when the page has loaded, and its picture is there. */
const afterLoad = (source: string): string =>
  withScript(`addEventListener('load', () => setTimeout(() => { ${source} }, 50));`);

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown;

/** Pages by their path. */
const PAGES: Readonly<Record<string, string>> = {
  '/plain': page(''),
  '/alerts': withScript(`for (let i = 0; i < 400; i++) alert('No ' + i);`),
  '/prints': afterLoad('for (let i = 0; i < 20; i++) print();'),
  '/popups': withScript(`setInterval(() => open('/plain', '_blank'), 40);`),
  '/downloads': afterLoad(`setInterval(() => { location.href = '/file.zip'; }, 150);`),
  '/navigates': withScript(`setTimeout(() => location.replace('/navigates?' + Math.random()), 60);`),
  '/history': withScript(
    `setInterval(() => { for (let i = 0; i < 40; i++) history.pushState({}, '', '/history?' + Math.random()); }, 10);`,
  ),
  '/rewrites': afterLoad(
    `setInterval(() => { document.open(); document.write('<h1>New ' + Math.random() + '</h1>'); document.close(); }, 100);`,
  ),
  '/overrides': page(
    '',
    `<script>
      const broken = () => { throw new Error('mine'); };
      for (const name of ['MutationObserver', 'PerformanceObserver', 'IntersectionObserver', 'Promise', 'Map', 'Set']) window[name] = broken;
      performance.now = () => -1;
      performance.getEntriesByType = broken;
      Array.prototype.map = Array.prototype.flatMap = broken;
      Object.prototype.toJSON = broken;
      Object.defineProperty(document, 'title', { get: broken });
      JSON.stringify = broken;
    </script>`,
  ),
  '/names': page(
    '<img name="head"><form name="body"><input name="children"></form><a id="performance" name="documentElement"></a>',
  ),
  '/workers': withScript(`for (let i = 0; i < 6; i++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])));`),
  '/service-worker': withScript(`navigator.serviceWorker?.register('/sw.js').catch(() => {});`),
  '/freezes': afterLoad('for (;;);'),
  '/freezes-at-once': withScript('for (;;);'),
  '/memory': afterLoad(`const all = []; setInterval(() => all.push(new Array(4e6).fill(Math.random())), 1);`),
  '/requests': withScript(`for (let i = 0; i < 10000; i++) fetch('/small?n=' + i).catch(() => {});`),
  '/streams': withScript(`for (let i = 0; i < 1000; i++) new EventSource('/stream?n=' + i);`),
  '/requests-50000': withScript(`for (let i = 0; i < 50000; i++) fetch('/small?n=' + i).catch(() => {});`),
  '/streams-5000': withScript(`for (let i = 0; i < 5000; i++) new EventSource('/stream?n=' + i);`),
  '/message-50mb': withScript(`console.log('x'.repeat(5e7));`),
  '/answer-50mb': withScript(`fetch('/large').then((answer) => answer.text());`),
  '/frames': withScript(
    `for (let i = 0; i < 150; i++) { const f = document.createElement('iframe'); f.src = '/small?f=' + i; document.body.append(f); }`,
  ),
  '/frame-in-itself': page('<iframe src="/frame-in-itself?again"></iframe>'),
  '/bomb': page('<script src="/bomb.js"></script>'),
  '/bomb-of-markup': '',
  '/slow-bytes': page('<script async src="/drops.js"></script>'),
  '/long-address': withScript(`fetch('/small?' + 'x'.repeat(1_900_000)).catch(() => {});`),
  '/long-texts': withScript(
    `document.title = '\\u202e\\u001b[31m' + 't'.repeat(1e6); console.error('e'.repeat(1e6)); throw new Error('::error::' + 'x'.repeat(1e6));`,
  ),
  '/throws': withScript(`setInterval(() => { throw new Error('again'); }, 0);`),
  '/rejects': withScript(`setInterval(() => Promise.reject(new Error('again')), 0);`),
  '/dom': withScript(`setInterval(() => { document.body.innerHTML = '<p>x</p>'.repeat(3000); }, 0);`),
  '/deep': withScript(
    `let d = document.body; for (let i = 0; i < 20000; i++) d = d.appendChild(document.createElement('div'));`,
  ),
  '/sockets': withScript(`for (let i = 0; i < 300; i++) new WebSocket('ws://' + location.host + '/socket');`),
  '/closes': afterLoad('window.close();'),
  '/blobs': withScript(`for (let i = 0; i < 300; i++) fetch(URL.createObjectURL(new Blob(['x'.repeat(1e5)])));`),
  '/data-urls': withScript(
    `for (let i = 0; i < 60; i++) { const p = new Image(); p.src = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg">' + ' '.repeat(3e5) + '</svg>'); document.body.append(p); }`,
  ),
  '/marks': withScript(
    `setInterval(() => { for (let i = 0; i < 500; i++) performance.mark('m' + Math.random()); }, 5);`,
  ),
  '/console': withScript(
    `setInterval(() => { for (let i = 0; i < 200; i++) console.log({ a: Array(100).fill('x') }); }, 5);`,
  ),
  '/debugger': withScript('setInterval(() => { debugger; }, 20);'),
  '/refreshes': page('', '<meta http-equiv="refresh" content="0; url=/refreshes?again">'),
  '/csp': page('', `<meta http-equiv="content-security-policy" content="default-src 'none'; img-src *">`),
  '/animates': page(
    '<p id="a">x</p>',
    '<style>#a { animation: a 0.01s infinite alternate } @keyframes a { to { transform: rotate(360deg) } }</style>',
  ),
};

const LARGE = Buffer.alloc(5e7, 'x');
const BOMB = gzipSync(Buffer.alloc(2 ** 28, ' '));

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/picture.svg': async (_request, response) => {
    await settle(PICTURE_MS);
    send(response, 'image/svg+xml', PICTURE);
  },
  '/small': (_request, response) => json(response, { fine: true }),
  '/large': (_request, response) => send(response, 'text/plain', LARGE),
  '/file.zip': (_request, response) =>
    send(response, 'application/zip', 'PK', { 'content-disposition': 'attachment; filename="a.zip"' }),
  '/sw.js': (_request, response) =>
    script(
      response,
      `oninstall = () => skipWaiting();
       onactivate = () => clients.claim();
       onfetch = (event) => event.respondWith(event.request.mode === 'navigate' ? Response.error() : new Response('no', { status: 599 - 100 }));`,
    ),
  '/stream': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    const timer = setInterval(() => response.write('data: 1\n\n'), 300);
    response.once('close', () => clearInterval(timer));
  },
  '/bomb.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'gzip' });
    response.end(BOMB);
  },
  '/bomb-of-markup': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
    const zip = createGzip();
    zip.pipe(response);
    const more = (): void => {
      while (!response.destroyed && zip.write('<div><p>a</p>'.repeat(1000)));
      zip.once('drain', more);
    };
    more();
    response.once('close', () => zip.destroy());
  },
  '/drops.js': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '100000' });
    const timer = setInterval(() => response.write(' '), 1_000);
    response.once('close', () => clearInterval(timer));
  },
  '/wrong-length': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '999999' });
    response.write(PAGES['/plain']);
    setTimeout(() => request.socket.destroy(), 200);
  },
  '/garbage': (request) => request.socket.end('\0\u0001\u0002 no HTTP at all \r\n\r\n'),
  '/many-headers': (_request, response) =>
    html(
      response,
      PAGES['/plain'] ?? '',
      Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x-${i}`, 'y'.repeat(15)])),
    ),
};

export const HOSTILE_PATHS: readonly string[] = [
  ...Object.keys(PAGES).filter((path) => path !== '/plain'),
  '/wrong-length',
  '/garbage',
  '/many-headers',
];

export interface HostileSite {
  readonly origin: string;
  /** Every n-th connection is cut; 0 for none. */
  dropEvery: number;
  /** Answers nothing and refuses connections until it is on again. */
  power(on: boolean): Promise<void>;
  close(): Promise<void>;
}

export async function startHostileSite(): Promise<HostileSite> {
  let connections = 0;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const answer = ANSWERS[url.pathname];
    const text = PAGES[url.pathname];
    if (answer) void answer(request, response, url);
    else if (text !== undefined) html(response, text);
    else empty(response, 404);
  };
  const site: HostileSite = {
    origin: '',
    dropEvery: 0,
    async power(on) {
      if (!on) await closeOn(servers);
      else servers = await listenOn(create, port);
    },
    close: () => closeOn(servers),
  };
  const create = (): Server => {
    const server = createServer({ maxHeaderSize: 4 * 2 ** 20 }, listener);
    server.on('connection', (socket) => {
      connections += 1;
      if (site.dropEvery > 0 && connections % site.dropEvery === 0) socket.resetAndDestroy();
    });
    return server;
  };
  let servers = await listenOn(create, 0);
  const port = portOf(servers);
  return Object.assign(site, { origin: `http://127.0.0.1:${port}` });
}
