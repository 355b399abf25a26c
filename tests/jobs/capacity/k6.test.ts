import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http, { type RequestListener } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { FIXTURE_TLS } from '../../../fixtures/http2.ts';
import { capacity } from '../../../src/jobs/capacity/capacity.ts';
import { readOptions } from '../../../src/settings/gather.ts';
import type { OptionsOf } from '../../../src/settings/options.ts';
import { resolveCapacity } from '../../../src/settings/resolve.ts';
import { folderForAll } from '../../support/folders.ts';

/** A real k6 where one is installed: what it writes is in the tests of the core, as it wrote it. */
const hasK6 = ((): boolean => {
  try {
    return execFileSync('k6', ['version'], { encoding: 'utf8' }).includes('k6');
  } catch {
    return false;
  }
})();

const QUICK: OptionsOf<'capacity'> = {
  engine: 'k6',
  levels: [1, 4],
  levelTime: 1_000,
  page: false,
  format: [],
  seed: 1,
};

const folder = folderForAll('k6');
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const serve = async (listener: RequestListener) => `http://${await listen(http.createServer(listener))}`;
const slowly: RequestListener = (_request, response) => void wait(10).then(() => response.end('ok'));

function run(url: string, options: OptionsOf<'capacity'> = {}) {
  return capacity(
    resolveCapacity(readOptions('capacity', [url], { ...QUICK, ...options }, { env: {}, isRoot: false })),
  );
}

describe.skipIf(!hasK6)('k6', { timeout: 60_000 }, () => {
  test('levels, with intervals and percentiles, and what it uses itself', async () => {
    const { result, exit } = await run(await serve(slowly));
    expect(exit).toBe(0);
    expect(result.engine).toMatch(/^k6 \d+\.\d+/);
    expect(result.levels.map(({ concurrency }) => concurrency)).toEqual([1, 4]);
    for (const level of result.levels) {
      expect(level).toMatchObject({ errors: 0, littlesLaw: expect.any(Number), driver: { own: expect.any(Number) } });
      expect(level.throughputLow).toBeLessThan(level.throughput);
      expect(level.mean).toBeGreaterThanOrEqual(9);
      expect(level.p90).toBeGreaterThan(0);
      // No connection asks again before it has its answer.
      expect(level.throughput).toBeLessThanOrEqual((level.concurrency * 1000) / 9);
    }
  });

  test('a mix of URLs, headers, a method and a body', async () => {
    const seen = new Map<string, number>();
    const heads = new Set<string>();
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      seen.set(request.url ?? '', (seen.get(request.url ?? '') ?? 0) + 1);
      heads.add(`${request.method} ${request.headers['x-who']} ${body}`);
      slowly(request, response);
    });
    const urlsFile = path.join(folder(), 'mix.txt');
    writeFileSync(urlsFile, '/often 3\n/seldom?x=1 1\n');
    await run(url, { urlsFile, header: ['X-Who: me'], method: 'post', body: 'a=1', levels: [2] });
    expect([...heads]).toEqual(['POST me a=1']);
    const share = (seen.get('/often') ?? 0) / (seen.get('/seldom?x=1') ?? 1);
    expect(share).toBeGreaterThan(2.5);
    expect(share).toBeLessThan(3.5);
  });

  test('an open load is as fast as it was asked for', async () => {
    const { result } = await run(await serve(slowly), { levels: undefined, rate: [50] });
    expect(result).toMatchObject({ load: 'open', levels: [{ rate: 50 }] });
    expect(result.levels[0]?.throughput).toBeLessThan(60);
    expect(result.levels[0]?.throughput).toBeGreaterThan(0);
  });

  test('why requests fail, and no more of them than are allowed', async () => {
    let running = 0;
    const url = await serve((_request, response) => {
      running += 1;
      const status = running > 2 ? 503 : 200;
      void wait(10).then(() => {
        running -= 1;
        response.writeHead(status).end();
      });
    });
    const { result } = await run(url, { levels: [1, 2, 8, 16] });
    expect(result.ended).toMatchObject({ code: 'errors', concurrency: 8 });
    expect(result.levels.at(-1)?.errorKinds).toHaveProperty(['HTTP 503']);
    let asked = 0;
    const counting = await serve((request, response) => {
      asked += 1;
      slowly(request, response);
    });
    const { result: cut } = await run(counting, { levels: [1, 2, 4, 8], maxRequests: 300 });
    expect(cut.ended?.code).toBe('max-requests');
    // Besides the one before the load, and those that were on their way.
    expect(asked).toBeLessThanOrEqual(310);
  });

  test('answers that never come are time-outs', async () => {
    let isFirst = true;
    const url = await serve((_request, response) => {
      if (isFirst) response.end('once');
      isFirst = false;
    });
    const { result, exit } = await run(url, { levels: [2, 4], timeout: 200 });
    expect(exit).toBe(3);
    expect(result.levels[0]?.errorKinds).toEqual({ timeout: expect.any(Number) });
    expect(result.ended?.code).toBe('timeouts');
  });

  test('a server that speaks HTTP/2 only', async () => {
    const server = http2.createSecureServer(
      FIXTURE_TLS,
      (_request, response) => void wait(5).then(() => response.end('ok')),
    );
    const url = `https://${await listen(server)}`;
    await expect(run(url)).rejects.toThrow(/certificate .* is not valid/);
    const { result } = await run(url, { ignoreCertificateErrors: true, levels: [2] });
    expect(result.levels[0]).toMatchObject({ errors: 0 });
    expect(result.levels[0]?.requests).toBeGreaterThan(0);
  });
});
