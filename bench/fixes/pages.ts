/** Small pages for `npm run bench:fixes`, each with a fault and without it, and their servers in a process of their own. */

import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { FIXTURE_TLS } from '../../fixtures/http2.ts';
import type { FixCode } from '../../src/model/fixes.ts';
import type { CoverageFact } from '../../src/model/result/finding.ts';
import type { Pictures } from './pictures.ts';

/** One answer of a page's server. */
interface Answer {
  readonly body: string | Buffer;
  readonly type: string;
  /** How long the server thinks, ms. */
  readonly after?: number;
  /** So many bytes of the body are sent every ten ms; all at once when absent. */
  readonly pace?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** The origins that the pages use. */
export interface Origins {
  readonly own: string;
  /** Another site on the same machine. */
  readonly other: string;
  /** Another origin, whose connections take `HANDSHAKE_MS` to encrypt. */
  readonly slow: string;
}

/** What the pages show. */
export interface Shown {
  readonly pictures: Pictures;
  readonly font: Buffer;
}

type Files = Readonly<Record<string, Answer>>;

/** A page with a fault and without. */
export interface FaultyPage {
  readonly name: string;
  /** The fix that names the fault. */
  readonly code: FixCode | CoverageFact['code'];
  files(faulty: boolean, origins: Origins, shown: Shown): Files;
}

const HANDSHAKE_MS = 200;

const html = (body: string, head = ''): Answer => ({
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fixes</title><link rel="icon" href="data:,">${head}</head><body><h1>A page</h1>${body}</body></html>`,
  type: 'text/html',
  after: 60,
});
const script = (body: string, after = 0): Answer => ({ body, type: 'text/javascript', after });
const data = (after: number): Answer => ({ body: '{"items":[]}', type: 'application/json', after });
const svg = (after: number): Answer => ({
  body:
    '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="400"><rect width="700" height="400" fill="#247"/><text x="20" y="90" font-size="70" fill="#fff">Picture</text>' +
    // Chrome takes a picture of few bytes for a background, which is no largest paint.
    `<!-- ${text(6_000)} --></svg>`,
  type: 'image/svg+xml',
  after,
});
/** A picture as a slow line brings it. */
const photo = (body: Buffer, type: string): Answer => ({ body, type, pace: 6_000 });
const show = (file: string): string =>
  `fetch('${file}').then((r) => r.json()).then(() => document.body.append('Loaded. '));`;
/** Work of a script that takes as long on any machine. */
const compute = (ms: number): string => `for (const until = performance.now() + ${ms}; performance.now() < until; );`;
const insert = (file: string): string =>
  `document.head.append(Object.assign(document.createElement('script'), { src: '${file}' }));`;
/** Text that compresses to about a third, as scripts do. */
const text = (bytes: number): string => {
  const words: string[] = [];
  let state = 1;
  for (let length = 0; length < bytes; ) {
    state = (state * 48_271) % 2_147_483_647;
    const word = `name${state % 4_000}`;
    length += word.length + 3;
    words.push(word);
  }
  return `/* ${words.join(' = ')} */`;
};

/** Functions that nobody calls, as text of about so many bytes. */
const unused = (bytes: number): string =>
  Array.from({ length: 20 }, (_, i) => `function unused${i}() { ${text(bytes / 20)} return ${i}; }`).join('\n');

/** All pages, by the fault that they have. */
export const PAGES: readonly FaultyPage[] = [
  {
    name: 'redirect to the document',
    code: 'redirect',
    files: (faulty): Files => ({
      ...(faulty
        ? { '': { body: '', type: 'text/plain', status: 302, after: 180, headers: { location: 'page' } } }
        : { '': html('<img src="a.svg" alt="">') }),
      page: html('<img src="a.svg" alt="">'),
      'a.svg': svg(120),
    }),
  },
  {
    name: 'script without compression',
    code: 'no-compression',
    files: (faulty): Files => {
      const body = `${text(240_000)}\n${show('items')}`;
      return {
        '': html('<script src="app.js"></script>'),
        'app.js': faulty
          ? { ...script(body), pace: 4_000 }
          : { ...script(''), body: gzipSync(body), pace: 4_000, headers: { 'content-encoding': 'gzip' } },
        items: data(80),
      };
    },
  },
  {
    name: 'script of which most is not used',
    code: 'unused-code',
    files: (faulty): Files => ({
      '': html('<script src="app.js"></script>'),
      'app.js': { ...script(`${faulty ? unused(200_000) : ''}\n${show('items')} // ${text(40_000)}`), pace: 4_000 },
      items: data(80),
    }),
  },
  {
    name: 'chain of three scripts',
    code: 'late-discovery',
    files: (faulty): Files => ({
      '': html(
        '<script src="a.js"></script>',
        faulty
          ? ''
          : '<link rel="preload" as="script" href="b.js"><link rel="preload" as="script" href="c.js"><link rel="preload" as="fetch" href="items" crossorigin>',
      ),
      'a.js': script(insert('b.js'), 150),
      'b.js': script(insert('c.js'), 150),
      'c.js': script(show('items'), 150),
      items: data(80),
    }),
  },
  {
    name: 'chain of style sheets',
    code: 'late-discovery',
    files: (faulty): Files => ({
      '': html(
        '<p>Text</p>',
        `<link rel="stylesheet" href="a.css">${faulty ? '' : '<link rel="preload" as="style" href="b.css">'}`,
      ),
      'a.css': { body: '@import "b.css"; p { color: navy }', type: 'text/css', after: 200 },
      'b.css': { body: 'p { background: url(c.svg) }', type: 'text/css', after: 200 },
      'c.svg': svg(100),
    }),
  },
  {
    name: 'blocking script in the head',
    code: 'render-blocking',
    files: (faulty): Files => ({
      '': html(`<script>${show('items')}</script>`, `<script src="slow.js"${faulty ? '' : ' defer'}></script>`),
      'slow.js': script('window.ready = true;', 350),
      items: data(300),
    }),
  },
  {
    name: 'script that computes',
    code: 'slow-script',
    files: (faulty): Files => ({
      '': html('<script src="vendor.js"></script><script src="app.js"></script>'),
      'vendor.js': script(faulty ? compute(250) : 'window.ready = true;', 40),
      'app.js': script(show('items'), 20),
      items: data(200),
    }),
  },
  {
    name: 'slow server of the data',
    code: 'slow-server',
    files: (faulty): Files => ({
      '': html('<script src="app.js"></script>'),
      'app.js': script(show('items'), 50),
      items: data(faulty ? 500 : 100),
    }),
  },
  {
    name: 'the same data twice',
    code: 'duplicate-request',
    files: (faulty): Files => ({
      '': html('<script src="app.js"></script>'),
      'app.js': script(
        faulty
          ? `fetch('list').then((r) => r.json()).then(() => fetch('list')).then((r) => r.json()).then(() => { ${show('items')} });`
          : `fetch('list').then((r) => r.json()).then(() => { ${show('items')} });`,
        50,
      ),
      list: { ...data(200), body: JSON.stringify({ list: text(4_000) }), headers: { 'cache-control': 'no-store' } },
      items: data(80),
    }),
  },
  {
    name: 'picture that a script inserts',
    code: 'late-picture',
    files: (faulty): Files => ({
      '': html(`${faulty ? '' : '<img src="a.svg" alt="">'}<script src="app.js"></script>`),
      'app.js': script(faulty ? `document.body.append(Object.assign(new Image(), { src: 'a.svg' }));` : '', 300),
      'a.svg': svg(200),
    }),
  },
  {
    name: 'connection to another origin',
    code: 'late-connection',
    // A small request opens the connection: the measured Chrome ignores `<link rel="preconnect">`.
    files: (faulty, { slow }): Files => ({
      '': html('<script src="app.js"></script>', faulty ? '' : `<script>fetch('${slow}/open')</script>`),
      'app.js': script(show(`${slow}/items`), 250),
    }),
  },
  {
    name: 'script of another site',
    code: 'third-party',
    files: (faulty, { other }): Files => ({
      '': html(`${faulty ? `<script src="${other}/widget.js"></script>` : ''}<script src="app.js"></script>`),
      'app.js': script(show('items'), 50),
      items: data(200),
    }),
  },
  {
    name: 'picture of four times the pixels',
    code: 'large-picture',
    files: (faulty, _origins, { pictures: { large, small } }): Files => ({
      '': html('<img src="a.jpg" alt="" width="800" height="600">'),
      'a.jpg': photo(faulty ? large : small, 'image/jpeg'),
    }),
  },
  {
    name: 'JPEG instead of WebP',
    code: 'old-format',
    files: (faulty, _origins, { pictures: { large, webp } }): Files => ({
      '': html('<img src="a" alt="" width="1600" height="1200">'),
      a: faulty ? photo(large, 'image/jpeg') : photo(webp, 'image/webp'),
    }),
  },
  {
    name: 'PNG instead of WebP',
    code: 'old-format',
    files: (faulty, _origins, { pictures: { png, lossless } }): Files => ({
      '': html('<img src="a" alt="" width="400" height="300">'),
      a: faulty ? photo(png, 'image/png') : photo(lossless, 'image/webp'),
    }),
  },
  {
    name: 'font that hides its text',
    code: 'hidden-text',
    files: (faulty, _origins, { font }): Files => ({
      '': html(
        '<p>Text in a font of its own.</p>',
        `<style>@font-face { font-family: Own; src: url(own.woff2); font-display: ${faulty ? 'block' : 'swap'} } p { font: 2em Own }</style>`,
      ),
      'own.woff2': { body: font, type: 'font/woff2', after: 400 },
    }),
  },
  {
    name: 'polls that hold all connections',
    code: 'stream-starvation',
    files: (faulty): Files => {
      const poll = `for (const room of 'abcdef') { const ask = () => fetch('wait?' + room).then((r) => r.json()).then(ask); ask(); }`;
      return {
        '': html('<script src="app.js"></script>'),
        'app.js': script(
          faulty ? `${poll} ${show('items')}` : `${show('items')} setTimeout(() => { ${poll} }, 600);`,
          50,
        ),
        wait: { ...data(700), headers: { 'cache-control': 'no-store' } },
        items: data(100),
      };
    },
  },
  {
    name: 'files that wait for connections',
    code: 'connection-limit',
    files: (faulty): Files => {
      const names = Array.from({ length: faulty ? 18 : 6 }, (_, i) => `part-${i}.js`);
      return {
        '': html(names.map((name) => `<script src="${name}" async></script>`).join('')),
        ...Object.fromEntries(names.map((name) => [name, script('', 100)])),
      };
    },
  },
];

/** What the other origins have. */
const SHARED: Files = { items: data(100), open: data(0), 'widget.js': script('window.widget = 1;', 300) };

async function send(response: ServerResponse, answer: Answer | undefined): Promise<void> {
  if (answer === undefined) {
    response.writeHead(404).end();
    return;
  }
  const { body, type, after = 0, pace, headers, status = 200 } = answer;
  if (after > 0) await sleep(after);
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'access-control-allow-origin': '*',
    'cache-control': 'max-age=31536000',
    ...headers,
  });
  if (pace !== undefined) {
    const from = performance.now();
    for (let sent = 0; sent < bytes.length; ) {
      // So many as are due: a timer that comes late does not make the line slower.
      const due = Math.min(bytes.length, Math.ceil(((performance.now() - from) / 10 + 1) * pace));
      response.write(bytes.subarray(sent, due));
      sent = due;
      await sleep(10);
    }
  }
  response.end(pace === undefined ? bytes : undefined);
}

async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Starts the servers; pages are at `<own>/<index>/faulty/` and `<own>/<index>/fixed/`. */
async function serve(shown: Shown): Promise<Origins> {
  const shared: RequestListener = (request, response) => void send(response, SHARED[(request.url ?? '').slice(1)]);
  const other = `http://localhost:${await listen(createServer(shared), 'localhost')}`;
  const inner = await listen(createSecureServer({ ...FIXTURE_TLS }, shared), '127.0.0.1');
  const slowly = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    void sleep(HANDSHAKE_MS).then(() => {
      const line = connect(inner, '127.0.0.1');
      line.on('error', () => socket.destroy());
      socket.pipe(line).pipe(socket);
    });
  });
  const slow = `https://localhost:${await listen(slowly, 'localhost')}`;
  const own = createServer((request, response) => {
    const [, index = '', state, file = ''] = (request.url ?? '').split('/');
    void send(response, PAGES[Number(index)]?.files(state === 'faulty', origins, shown)[file.replace(/\?.*$/s, '')]);
  });
  const origins: Origins = { own: `http://127.0.0.1:${await listen(own, '127.0.0.1')}`, other, slow };
  return origins;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.once('disconnect', () => process.exit());
  process.once('message', (shown: Shown) => void serve(shown).then((origins) => process.send?.(origins)));
}
