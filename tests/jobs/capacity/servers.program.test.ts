import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { FIXTURE_TLS } from '../../../fixtures/http2.ts';
import { capacity } from '../../../src/jobs/capacity/capacity.ts';
import { readOptions } from '../../../src/settings/gather.ts';
import type { OptionsOf } from '../../../src/settings/options.ts';
import { resolveCapacity } from '../../../src/settings/resolve.ts';
import { autocannonEngine } from '../../../src/shell/load/autocannon.ts';
import type { LiveEngine } from '../../../src/shell/load/engine.ts';
import { folderForAll } from '../../support/folders.ts';

/** Real sockets and the real engine, at short levels: what is told of them is exact in the tests of the core. */
const QUICK: OptionsOf<'capacity'> = { levels: [1, 4], levelTime: 300, page: false, format: [], seed: 1 };

const folder = folderForAll('capacity');
const servers: (http.Server | net.Server)[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(server: http.Server | net.Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const serve = (listener: RequestListener) => listen(http.createServer(listener));
const page: RequestListener = (_request, response) =>
  void setTimeout(() => response.setHeader('content-type', 'text/html').end('<p>Here'), 5);

/** autocannon, as on a machine that has nothing else to do: how busy this one is decides nothing here. */
const ENGINE: LiveEngine = {
  ...autocannonEngine(1),
  start: (plan, onTick) => autocannonEngine(1).start(plan, (tick) => onTick({ ...tick, cpu: 0, waiting: 0 })),
};

async function run(urls: readonly string[], options: OptionsOf<'capacity'> = {}) {
  const settings = resolveCapacity(readOptions('capacity', urls, { ...QUICK, ...options }, { env: {}, isRoot: false }));
  return capacity(settings, { engine: ENGINE });
}

test('levels of a server, in every format', async () => {
  const url = await serve(page);
  const out = path.join(folder(), 'out');
  const { result, files, exit } = await run([url], {
    out,
    format: ['html', 'json', 'md', 'csv'],
    budget: ['capacity=1'],
  });
  expect(exit).toBe(0);
  expect(result).toMatchObject({
    kind: 'capacity',
    load: 'closed',
    shared: true,
    levels: [{ concurrency: 1 }, { concurrency: 4 }],
  });
  for (const level of result.levels) {
    expect(level.throughput).toBeGreaterThan(0);
    expect(level.mean).toBeGreaterThan(4);
    expect(level.errors).toBe(0);
    expect(level.p90).toBeLessThanOrEqual(level.p99 ?? 0);
  }
  expect(result.engine).toMatch(/^autocannon \d/);
  expect(files.map((file) => path.basename(file)).toSorted()).toEqual([
    'index.html',
    'result.csv',
    'result.json',
    'summary.md',
  ]);
  expect(JSON.parse(readFileSync(path.join(out, 'result.json'), 'utf8'))).toMatchObject({ sentence: result.sentence });
});

test('a budget that only warns fails nothing where there is no figure, as those of pages', async () => {
  const url = await serve(page);
  const { result, exit, problems } = await run([url], { levels: [1], p90: 1, budget: ['capacity=1000:warn'] });
  expect(result.budgets).toMatchObject([{ severity: 'warn', state: 'unknown' }]);
  expect([exit, problems]).toEqual([0, []]);
});

test('a folder that cannot be written to is told before the server is asked anything', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.end();
  });
  const file = path.join(folder(), 'taken');
  writeFileSync(file, '');
  await expect(run([url], { format: ['json'], out: path.join(file, 'out') })).rejects.toMatchObject({
    code: 'out-not-writable',
  });
  expect(asked).toBe(0);
});

test('a server that was not asked often enough, or is not there, is not blamed', async () => {
  const url = await serve(page);
  const few = await run([url], { levels: [4], maxRequests: 3 });
  expect(few.problems).toMatchObject([{ code: 'capacity-too-few-requests' }]);
  await expect(run([url], { serverPid: 2 ** 22 + 1 })).rejects.toMatchObject({
    code: 'option-invalid',
    message: `--server-pid: there is no process ${2 ** 22 + 1}.`,
  });
});

test('a server keeps up with a low rate, however few answers that are', async () => {
  const url = await serve(page);
  const { result } = await run([url], { levels: undefined, rate: [3], levelTime: 1_500 });
  expect(result.limit).toBe('not-reached');
  expect(result.levels[0]?.requests).toBeGreaterThan(0);
});

test('an open load is as fast as it was asked for, and times what stalls', async () => {
  const url = await serve(page);
  const { result } = await run([url], { levels: undefined, rate: [100], levelTime: 1_000 });
  const [level] = result.levels;
  expect(level).toMatchObject({ rate: 100, concurrency: 100 });
  // Not above it, however slow the machine is.
  expect(level?.throughput).toBeLessThan(110);
  expect(result.load).toBe('open');
});

test('a mix of URLs, headers, a method and a body', async () => {
  const seen = new Map<string, number>();
  const heads = new Set<string>();
  const url = await serve((request, response) => {
    seen.set(request.url ?? '', (seen.get(request.url ?? '') ?? 0) + 1);
    heads.add(`${request.method} ${request.headers['x-who']}`);
    request.resume().on('end', () => response.end('ok'));
  });
  const file = path.join(folder(), 'mix.txt');
  writeFileSync(file, `/often 3\n${url}seldom?x=1 1\n`);
  await run([url], { urlsFile: file, header: ['X-Who: me'], method: 'post', body: 'a=1', requests: 80, levels: [1] });
  expect([...heads]).toEqual(['POST me']);
  const [often = 0, seldom = 0] = [seen.get('/often'), seen.get('/seldom?x=1')];
  expect(often / seldom).toBeGreaterThan(2);
  expect(often / seldom).toBeLessThan(4);
  for (const [line, problem] of [
    ['http://example.com/ 1', 'http://example.com is not the server under test'],
    ['http:// 1', '"http://" is neither a URL nor a path'],
    ['/ many', '"many" is not a weight: use a number above 0 and up to 1000'],
  ] as const) {
    writeFileSync(file, `${line}\n`);
    await expect(run([url], { urlsFile: file })).rejects.toThrow(`line 1: ${problem}`);
  }
});

test('a login is sent to the addresses that it is for, and stands in no result', async () => {
  const seen = new Set<string>();
  const url = await serve((request, response) => {
    seen.add(`${request.url} ${request.headers.cookie} ${request.headers.authorization}`);
    page(request, response);
  });
  const storageState = path.join(folder(), 'auth.json');
  const cookie = { domain: 'localhost', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' };
  const cookies = [
    { ...cookie, name: 'session', value: 'session-of-jane', path: '/' },
    { ...cookie, name: 'seller', value: 'only-in-the-shop', path: '/shop' },
  ];
  writeFileSync(storageState, JSON.stringify({ cookies, origins: [] }));
  const urlsFile = path.join(folder(), 'mix.txt');
  writeFileSync(urlsFile, '/\n/shop/1\n');
  const { result } = await run([url], {
    ...{ urlsFile, storageState, levels: [1], requests: 20, page: false },
    cookie: ['language=de'],
    basicAuth: 'jane:open-sesame',
  });
  const login = `Basic ${btoa('jane:open-sesame')}`;
  expect([...seen].toSorted()).toEqual([
    `/ session=session-of-jane; language=de ${login}`,
    `/shop/1 session=session-of-jane; seller=only-in-the-shop; language=de ${login}`,
  ]);
  expect(JSON.stringify(result)).not.toMatch(/session-of-jane|only-in-the-shop|open-sesame|language=de/);
});

test('answers that close their connection, and answers that end with it', async () => {
  const closing = await serve((_request, response) => response.setHeader('connection', 'close').end('bye'));
  const { result } = await run([closing], { levels: [2], requests: 20 });
  expect(result.levels[0]).toMatchObject({ errors: 0 });
  const old = await listen(
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end'));
    }),
  );
  const { result: other } = await run([old], { levels: [2], requests: 20 });
  expect(other.levels[0]?.requests).toBeGreaterThan(10);
  expect(other.levels[0]).toMatchObject({ errors: 0 });
});

describe('what cannot be loaded', () => {
  test.each<[what: string, listener: RequestListener, message: RegExp]>([
    ['a page that is missing', (_q, response) => response.writeHead(404).end(), /answered HTTP 404 instead/],
    [
      'a redirect',
      (_q, response) => response.writeHead(302, { location: '/there' }).end(),
      /redirects to \/there, and a load test does not follow/,
    ],
    [
      'a body that never ends',
      (_q, response) => void response.writeHead(200).write('and so on'),
      /sent an answer that did not end within 0.3 s/,
    ],
    ['an answer that breaks off', (_q, response) => response.socket?.destroy(), /broke \(ECONNRESET\)/],
  ])('%s', async (_what, listener, message) => {
    await expect(run([await serve(listener)], { timeout: 300 })).rejects.toThrow(message);
  });

  test('a port where nobody listens, another protocol, and a host of others', async () => {
    const gone = http.createServer();
    const url = await listen(gone);
    gone.close();
    await once(gone, 'close');
    await expect(run([url])).rejects.toThrow(/Nothing listens at/);
    const strange = await listen(
      net.createServer((socket) => socket.on('error', () => undefined).end('SSH-2.0-server\r\n')),
    );
    await expect(run([strange])).rejects.toThrow(/does not speak HTTP\/1.1/);
    await expect(run(['http://198.51.100.7/'])).rejects.toThrow(/--i-may-load-this-host 198.51.100.7$/);
  });

  test('a certificate that is not valid, unless that is allowed', async () => {
    const url = (await listen(https.createServer(FIXTURE_TLS, page))).replace('http:', 'https:');
    await expect(run([url])).rejects.toThrow(/certificate .* is not valid .*--ignore-certificate-errors/);
    const { result } = await run([url], { ignoreCertificateErrors: true, levels: [2], requests: 20 });
    expect(result.levels[0]).toMatchObject({ errors: 0 });
  });

  test.each([
    ['with TLS', () => http2.createSecureServer(FIXTURE_TLS, (_q, response) => response.end()), 'https:'],
    ['without', () => http2.createServer((_q, response) => response.end()), 'http:'],
  ])('a server that speaks HTTP/2 only, %s', async (_how, create, scheme) => {
    const server = create().on('sessionError', () => undefined);
    const url = (await listen(server)).replace('http:', scheme);
    await expect(run([url], { ignoreCertificateErrors: true })).rejects.toThrow(
      scheme === 'https:' ? /does not speak HTTP\/1\.1 .*--engine k6/ : /does not speak HTTP\/1\.1 .* uses\.$/,
    );
  });

  test.each<[what: string, listener: RequestListener, kind: string]>([
    ['redirects', (_q, response) => response.writeHead(302, { location: '/login' }).end(), 'HTTP 302'],
    ['answers 404', (_q, response) => response.writeHead(404).end(), 'HTTP 404'],
  ])('a server that %s as soon as it is loaded', async (_what, listener, kind) => {
    let count = 0;
    const url = await serve((request, response) =>
      count++ === 0 ? response.end('once') : listener(request, response),
    );
    const { result, exit, problems } = await run([url]);
    expect(exit).toBe(3);
    expect(result.levels).toHaveLength(1);
    expect(result.ended?.code).toBe('errors');
    expect(result.findings[0]).toMatchObject({ code: 'errors', facts: { kind } });
    expect(result.max).toBeUndefined();
    expect(problems.map(({ message }) => message)).toEqual([
      `No level could be measured at ${url}: requests fail (${kind}). Look for the cause in the server's log.`,
    ]);
  });

  test('a server whose answers do not end any more as soon as it is loaded', async () => {
    let count = 0;
    const url = await serve((_request, response) =>
      count++ === 0 ? response.end('once') : response.write('and so on'),
    );
    const { result, exit, problems } = await run([url]);
    expect(exit).toBe(3);
    expect(result.ended?.code).toBe('timeouts');
    expect(result.findings[0]?.code).toBe('timeouts');
    expect(problems[0]?.message).toMatch(/no request was answered in time/);
  });

  test('a server that fails under load ends the ramp, and the level before is kept', async () => {
    let running = 0;
    const url = await serve((_request, response) => {
      running += 1;
      const status = running > 2 ? 503 : 200;
      setTimeout(() => {
        running -= 1;
        response.writeHead(status).end();
      }, 10);
    });
    const { result, exit } = await run([url], { levels: [1, 2, 8, 16] });
    expect(exit).toBe(0);
    expect(result.levels.map(({ concurrency }) => concurrency)).toEqual([1, 2, 8]);
    expect(result).toMatchObject({ ended: { code: 'errors', concurrency: 8 } });
    expect(result.max?.concurrency).toBeLessThan(8);
    expect(result.levels[2]?.errorKinds).toHaveProperty(['HTTP 503']);
  });
});

test('what another tool measured', async () => {
  const file = path.join(folder(), 'levels.csv');
  writeFileSync(file, 'level,throughput\n1,1833\n10,18226\n50,74684\n100,86069\n200,88455\n300,88375\n');
  const { result, exit } = await run([], { levels: undefined, import: [file] });
  expect(exit).toBe(0);
  expect(result).toMatchObject({ engine: 'a table', knee: { concurrency: 100 }, ended: { code: 'imported' } });
  writeFileSync(file, 'colour\nred\n');
  await expect(run([], { import: [file] })).rejects.toThrow(/levels.csv cannot be read: no column is called level/);
  writeFileSync(file, '\u0000');
  await expect(run([], { import: [file] })).rejects.toThrow('it is not the result of a load test');
});

test('options that exclude each other', async () => {
  await expect(run([])).rejects.toThrow(/Give the URL of a server/);
  await expect(run(['http://127.0.0.1/'], { rate: [5] })).rejects.toThrow(/--rate and --levels contradict/);
  await expect(run(['http://127.0.0.1/'], { levels: [4, 2] })).rejects.toThrow(/levels must be rising numbers/);
  await expect(run(['http://127.0.0.1/'], { rate: ['fast'] })).rejects.toThrow(/rate must be rising rates/);
});
