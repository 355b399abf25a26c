import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StaticServer, serveBuilds, serveFolder } from '../../../src/shell/servers/static-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A plain HTTP request: `fetch` would decode bodies and tidy paths before they reach the server. */
function ask(
  server: StaticServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  return new Promise((done, fail) => {
    const { port } = new URL(server.url);
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
    })
      .on('error', fail)
      .end();
  });
}

describe('a published package', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  let server: StaticServer;
  beforeAll(async () => {
    server = await serveFolder(folder);
  });
  afterAll(() => server.close());

  it('is on the loopback interface', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it('serves the index at the root', async () => {
    const answer = await ask(server, '/');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body.toString()).toContain('swagger-ui');
  });

  it.each(['/swagger-ui.css', '/swagger-ui-bundle.js'])('compresses %s as the client wants it', async (path) => {
    const size = statSync(join(folder, path)).size;
    const [plain, br, gz] = await Promise.all([
      ask(server, path),
      ask(server, path, { 'accept-encoding': 'gzip, deflate, br, zstd' }),
      ask(server, path, { 'accept-encoding': 'gzip' }),
    ]);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(br.headers['content-encoding']).toBe('br');
    expect(gz.headers['content-encoding']).toBe('gzip');
    expect(plain.body).toHaveLength(size);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(gz.body).equals(plain.body)).toBe(true);
    for (const answer of [plain, br, gz]) {
      expect(answer.headers['content-length']).toBe(String(answer.body.length));
      expect(answer.headers.vary).toBe('Accept-Encoding');
      expect(answer.headers['content-type']).toBe(plain.headers['content-type']);
      expect(answer.headers.etag).toBe(plain.headers.etag);
    }
  });

  it('does not compress pictures', async () => {
    const answer = await ask(server, '/favicon-32x32.png', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('image/png');
  });

  it.each([
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0.9', 'br'],
    ['gzip;q=0.9, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
  ])('reads Accept-Encoding: %s', async (accepted, encoding) => {
    const answer = await ask(server, '/swagger-ui.css', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBe(encoding);
  });

  it.each<Record<string, string>>([{}, { 'accept-encoding': 'br' }])(
    'answers 304 to its own ETag with %j',
    async (headers) => {
      const { etag = '' } = (await ask(server, '/swagger-ui.css', headers)).headers;
      expect(etag).not.toBe('');
      const again = await ask(server, '/swagger-ui.css', { ...headers, 'if-none-match': etag });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
    },
  );

  it('answers HEAD without a body, with the length of one', async () => {
    const answer = await ask(server, '/swagger-ui.css', { 'accept-encoding': 'br' }, 'HEAD');
    expect(answer.status).toBe(200);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(1000);
    expect(answer.body).toHaveLength(0);
  });

  it('gives ranges out of the uncompressed file', async () => {
    const answer = await ask(server, '/swagger-ui.css', { 'accept-encoding': 'br', range: 'bytes=0-9' });
    expect(answer.status).toBe(206);
    expect(answer.body).toHaveLength(10);
  });

  it('refuses to be written to', async () => {
    const answer = await ask(server, '/', {}, 'POST');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});

describe('a folder of its own', () => {
  const parent = mkdtempSync(join(tmpdir(), 'quiesce-site-'));
  const folder = join(parent, 'site');
  let server: StaticServer;
  beforeAll(async () => {
    for (const path of ['docs', 'assets', '.git', '.well-known', 'empty'])
      mkdirSync(join(folder, path), { recursive: true });
    const files = {
      'index.html': '<h1>Home</h1>',
      'about.html': '<h1>About</h1>',
      'docs/index.html': '<h1>Docs</h1>',
      'docs/grüße & more.txt': 'hello',
      'big.js': `export const big = '${'x'.repeat(4000)}';`,
      'small.js': 'export {};',
      'assets/app-DiwrgTda.js': `export const app = '${'x'.repeat(4000)}';`,
      'assets/styles.3f2a1b9c.css': 'a { color: red }',
      'assets/picture-1.png': 'picture',
      '.env': 'TOKEN=1',
      '.git/config': '[core]',
      '.well-known/security.txt': 'Contact: mailto:nobody@example.com',
      '../secret.txt': 'secret',
    };
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
    symlinkSync(join(parent, 'secret.txt'), join(folder, 'linked.txt'));
    symlinkSync(parent, join(folder, 'out'));
    symlinkSync(join(folder, 'small.js'), join(folder, 'inside.js'));
    server = await serveFolder(folder);
  });
  afterAll(async () => {
    await server.close();
    rmSync(parent, { recursive: true });
  });

  it.each([
    ['/', 'Home'],
    ['/docs/', 'Docs'],
    ['/about', 'About'],
    ['/docs/gr%C3%BC%C3%9Fe%20&%20more.txt', 'hello'],
    ['/inside.js', 'export'],
    ['/.well-known/security.txt', 'Contact'],
    ['/some/deep/route', 'Home'],
    ['/some/route?with=a.query', 'Home'],
    ['/empty/', 'Home'],
  ])('answers %s with %s', async (path, text) => {
    const answer = await ask(server, path);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toContain(text);
  });

  it.each([
    '/missing.js',
    '/deep/missing.png',
    '/.env',
    '/.git/config',
    '/.hidden',
    '/.well-known/missing',
    '/linked.txt',
    '/out/secret.txt',
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/docs/..%5c..%5csecret.txt',
    '/small.js/',
    '/index.html%00.png',
  ])('does not answer %s', async (path) => {
    const answer = await ask(server, path);
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).not.toContain('secret');
  });

  it('answers what cannot be decoded with 400', async () => {
    expect((await ask(server, '/%E0%A4%A')).status).toBe(400);
  });

  it('sends a folder to its address with a slash, within the site', async () => {
    expect((await ask(server, '/docs?a=b')).headers.location).toBe('/docs/?a=b');
    // Two slashes at the start of a Location would name another host.
    expect((await ask(server, '//docs')).headers.location).toBe('/docs/');
  });

  it.each([
    ['/', 'no-cache'],
    ['/about', 'no-cache'],
    ['/some/deep/route', 'no-cache'],
    ['/assets/app-DiwrgTda.js', 'public, max-age=31536000, immutable'],
    ['/assets/styles.3f2a1b9c.css', 'public, max-age=31536000, immutable'],
    ['/assets/picture-1.png', 'public, max-age=600'],
    ['/small.js', 'public, max-age=600'],
    ['/big.js', 'public, max-age=600'],
  ])('lets %s be kept as a host of built sites does: %s', async (path, expected) => {
    const plain = await ask(server, path);
    const compressed = await ask(server, path, { 'accept-encoding': 'br' });
    const again = await ask(server, path, { 'if-none-match': plain.headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(plain.headers.etag).toBe(compressed.headers.etag);
    expect([plain, compressed, again].map(({ headers }) => headers['cache-control'])).toEqual(Array(3).fill(expected));
  });

  it('leaves small files as they are', async () => {
    const answer = await ask(server, '/small.js', { 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('compresses again what was built again', async () => {
    const read = async () =>
      brotliDecompressSync((await ask(server, '/big.js', { 'accept-encoding': 'br' })).body).toString();
    expect(await read()).toContain('xxxx');
    writeFileSync(join(folder, 'big.js'), `export const big = '${'y'.repeat(4000)}';`);
    utimesSync(join(folder, 'big.js'), new Date(), new Date(Date.now() + 5000));
    expect(await read()).toContain('yyyy');
  });
});

describe('two builds at one address', () => {
  const parent = mkdtempSync(join(tmpdir(), 'quiesce-builds-'));
  const folders = ['base', 'candidate'].map((name) => join(parent, name));
  beforeAll(() => {
    folders.forEach((folder, i) => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'index.html'), `<h1>Build ${i}</h1>`);
      writeFileSync(join(folder, 'big.js'), `export const build = '${String(i).repeat(4000)}';`);
    });
  });
  afterAll(() => rmSync(parent, { recursive: true }));

  it('serves one at a time, each with its own compressed bodies', async () => {
    const server = await serveBuilds(folders);
    const big = async () =>
      brotliDecompressSync((await ask(server, '/big.js', { 'accept-encoding': 'br' })).body).toString();
    expect((await ask(server, '/')).body.toString()).toContain('Build 0');
    expect(await big()).toContain('0000');
    for (const i of [1, 0, 0, 1]) {
      server.use(i);
      expect((await ask(server, '/')).body.toString()).toContain(`Build ${i}`);
      expect(await big()).toContain(String(i).repeat(4));
    }
    expect(() => server.use(2)).toThrow(RangeError);
    await server.close();
  });

  it('serves one of them at another port as well, until all is closed', async () => {
    const server = await serveBuilds(folders);
    const beside = { ...server, url: await server.serveBeside(1) };
    expect((await ask(server, '/')).body.toString()).toContain('Build 0');
    expect((await ask(beside, '/')).body.toString()).toContain('Build 1');
    await server.close();
    await expect(ask(beside, '/')).rejects.toThrow();
  });

  it('ends kept-alive connections when it switches, to the same build too', async () => {
    const server = await serveBuilds(folders);
    for (const i of [1, 1]) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      const ended = new Promise((done) => socket.once('close', done));
      const answered = new Promise((done) => socket.once('data', done));
      socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n');
      await answered;
      server.use(i);
      await ended;
    }
    expect((await ask(server, '/')).body.toString()).toContain('Build 1');
    await server.close();
  });

  it('is at the port that is asked for, or at another when that one is taken', async () => {
    const first = await serveBuilds(folders);
    const port = Number(new URL(first.url).port);
    const second = await serveBuilds(folders, port);
    expect(second.url).not.toBe(first.url);
    await first.close();
    const again = await serveBuilds(folders, port);
    expect(again.url).toBe(first.url);
    await Promise.all([second.close(), again.close()]);
  });

  it('says which folder has no index', async () => {
    const empty = join(parent, 'empty');
    mkdirSync(empty);
    await expect(serveBuilds([folders[0] ?? '', empty])).rejects.toMatchObject({ code: 'folder-without-index' });
  });
});

it('says what is missing in a folder without an index', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'quiesce-empty-'));
  await expect(serveFolder(empty)).rejects.toMatchObject({ code: 'folder-without-index' });
  rmSync(empty, { recursive: true });
});

it('ends kept-alive sockets when it closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-site-'));
  writeFileSync(join(folder, 'index.html'), '<h1>Home</h1>');
  const server = await serveFolder(folder);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const ended = new Promise((done) => socket.once('close', done));
  const answered = new Promise((done) => socket.once('data', done));
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n');
  await answered;
  await server.close();
  await ended;
  await expect(ask(server, '/')).rejects.toThrow(/ECONNREFUSED/);
  rmSync(folder, { recursive: true });
});
