import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSitemap, type SitemapReading } from '../../../src/shell/servers/sitemap.ts';

const NS = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="${NS}">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const index = (...urls: string[]) =>
  `<sitemapindex xmlns="${NS}">${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

let server: Server;
let origin: string;
let folder: string;
/** What was asked for. */
let asked: string[];
let answer: RequestListener;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-sitemap-'));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** Serves these bodies by path. */
const serve = (bodies: Record<string, string | Buffer>) => {
  answer = (request, response) => {
    const body = bodies[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  };
};
const read = (source: string, more: Partial<SitemapReading> = {}) =>
  readSitemap(source, { most: 25, signal: new AbortController().signal, ...more });
const refused = (source: string, more: Partial<SitemapReading> = {}) =>
  read(source, more).then(
    () => 'was read',
    (error: Error) => error.message,
  );

test('gives pages of its own origin, each once, and says what it left out', async () => {
  serve({
    '/sitemap.xml': urlset(
      `${origin}/`,
      `${origin}/a`,
      `${origin}/`,
      'https://elsewhere.test/x',
      'ftp://x.test/',
      '/b',
    ),
  });
  expect(await read(`${origin}/sitemap.xml`)).toEqual({
    urls: [`${origin}/`, `${origin}/a`, `${origin}/b`],
    notes: [
      { code: 'other-origins', pages: 1, origin: 'https://elsewhere.test' },
      { code: 'unusable-entries', source: `${origin}/sitemap.xml`, entries: 1 },
    ],
  });
});

test('follows an index, gzipped or not, and no further than it needs', async () => {
  serve({
    '/index.xml': index(`${origin}/1.xml.gz`, `${origin}/2.xml`, `${origin}/3.xml`, 'https://elsewhere.test/4.xml'),
    '/1.xml.gz': gzipSync(urlset(`${origin}/1`, `${origin}/2`)),
    '/2.xml': urlset(`${origin}/3`, `${origin}/4`),
    '/3.xml': urlset(`${origin}/5`),
  });
  const { urls, notes } = await read(`${origin}/index.xml`, { most: 3 });
  expect(urls).toEqual([1, 2, 3].map((n) => `${origin}/${n}`));
  const source = `${origin}/index.xml`;
  expect(notes[0]).toEqual({ code: 'sitemap-cut', source, measured: 3, pages: 4, atLeast: true });
  expect(asked).toEqual(['/index.xml', '/1.xml.gz', '/2.xml']);
});

test('does not go round in circles, nor down for ever', async () => {
  let depth = 0;
  answer = (request, response) => {
    depth += 1;
    response.end(request.url === '/a' ? index(`${origin}/a`, `${origin}/deep-0`) : index(`${origin}/deep-${depth}`));
  };
  expect(await refused(`${origin}/a`)).toMatch(/it names no page/);
  expect(asked.length).toBeLessThan(5);
});

test('of an index with thousands of files reads fifty', async () => {
  answer = (request, response) =>
    response.end(
      request.url === '/i'
        ? index(...Array.from({ length: 3000 }, (_, i) => `${origin}/${i}`))
        : urlset(`${origin}/same`),
    );
  const { urls, notes } = await read(`${origin}/i`);
  expect(urls).toEqual([`${origin}/same`]);
  expect(notes[0]).toMatchObject({ measured: 1, pages: 1, atLeast: true });
  expect(asked).toHaveLength(50);
});

test('a redirect to the origin that it really has is followed', async () => {
  answer = (request, response) => {
    if (request.headers.host?.startsWith('localhost')) response.writeHead(301, { location: `${origin}/s.xml` }).end();
    else response.end(urlset(`${origin}/a`));
  };
  const asLocalhost = origin.replace('127.0.0.1', 'localhost');
  expect((await read(`${asLocalhost}/s.xml`)).urls).toEqual([`${origin}/a`]);
});

test('of a build names the pages where they are served', async () => {
  const file = path.join(folder, 'sitemap.xml');
  await writeFile(file, urlset('https://shop.test/', 'https://shop.test/a?b=1'));
  expect((await read(file)).urls).toEqual(['https://shop.test/', 'https://shop.test/a?b=1']);
  const movedTo = 'http://localhost:3000/';
  expect((await read(file, { movedTo })).urls).toEqual(['http://localhost:3000/', 'http://localhost:3000/a?b=1']);
  serve({ '/sitemap.xml': urlset('https://shop.test/x') });
  expect((await read('/sitemap.xml', { movedTo: origin })).urls).toEqual([`${origin}/x`]);
});

test('what is none is told in one line', async () => {
  serve({
    '/page': '<!doctype html><html></html>',
    '/empty': urlset(),
    '/foreign': urlset('https://a.test/', 'https://a.test/2', 'https://b.test/'),
    '/bomb.gz': gzipSync(Buffer.alloc(60 * 1024 * 1024)),
  });
  expect(await refused(`${origin}/page`)).toBe(
    `The sitemap ${origin}/page cannot be used: it is a web page. Check the URL, or list the pages with --urls-file.`,
  );
  expect(await refused(`${origin}/empty`)).toMatch(/it names no page\./);
  expect(await refused(`${origin}/foreign`)).toMatch(/no page of http:\/\/127.* but 2 pages of https:\/\/a\.test/);
  expect(await refused(`${origin}/bomb.gz`)).toMatch(/unpacked it has more than 50 MB/);
  expect(await refused(`${origin}/gone`)).toMatch(/HTTP 404/);
  expect(await refused(path.join(folder, 'gone.xml'))).toMatch(/no such file/);
  expect(await refused(folder)).toMatch(/it is a folder/);
});

test('one whose server ends the connection is not there', async () => {
  answer = (_request, response) => void response.destroy();
  expect(await refused(`${origin}/sitemap.xml`)).toMatch(/cannot be used: the connection broke\./);
});

test('one that never ends is given up when it is too large', async () => {
  const piece = Buffer.alloc(1024 * 1024, '<');
  answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(piece));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  expect(await refused(`${origin}/endless`)).toMatch(/it has more than 50 MB/);
});

test.skipIf(process.platform === 'win32')('a device is given up when it is too large', async () => {
  expect(await refused('/dev/zero')).toMatch(/it has more than 50 MB/);
});

test('the user need not wait for it', async () => {
  const abort = new AbortController();
  answer = () => abort.abort();
  expect(await refused(`${origin}/`, { signal: abort.signal })).not.toBe('was read');
});
