import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { places, wait } from '../../../fixtures/servers/work.ts';
import { type PageJob, pageUnderLoad } from '../../../src/jobs/capacity/page-under-load.ts';
import { autocannonEngine } from '../../../src/shell/load/autocannon.ts';
import { pageSentence } from '../../../src/wording/capacity.ts';
import { loadOptionsOf } from '../../support/jobs.ts';
import { sharedLab } from '../../support/lab.ts';
import { POLICY } from '../../support/scripted.ts';

const KNEE = 4;
const SERVICE = 100;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A page whose server works on one request at a time, and knows how many it had when a browser came. */
async function start(failFrom = Number.POSITIVE_INFINITY) {
  const alone = places(1);
  let running = 0;
  let answered = 0;
  const met: number[] = [];
  server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    const isBrowser = /Chrome/.test(request.headers['user-agent'] ?? '');
    if (isBrowser) met.push(running);
    answered += 1;
    if (!isBrowser && answered > failFrom) return void response.writeHead(503).end();
    running += 1;
    void alone(() => wait(SERVICE)).then(() => {
      running -= 1;
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><link rel="icon" href="data:,"><h1>Here</h1>');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, met };
}

const jobFor = (url: string, over: Partial<PageJob> = {}): PageJob => ({
  url,
  knee: KNEE,
  engine: autocannonEngine(1),
  requests: { targets: [{ url, weight: 1, headers: [] }], method: 'GET', timeout: 10_000 },
  options: loadOptionsOf({ targets: [url] }),
  policy: { ...POLICY, quietWindow: 500 },
  seed: 1,
  rounds: 3,
  signal: new AbortController().signal,
  lab: sharedLab,
  onProgress: () => undefined,
  ...over,
});

test('the page at no load, half of the knee and the knee, in turns', async () => {
  const { url, met } = await start();
  const { points } = await pageUnderLoad(jobFor(url));
  expect(points.map(({ load, concurrency, n, of }) => [load, concurrency, n, of])).toEqual([
    ['none', 0, 3, 3],
    ['half', KNEE / 2, 3, 3],
    ['knee', KNEE, 3, 3],
  ]);
  // Each round has each load once, and the order is not the same in all of them. A connection may be between two requests.
  const rounds = Array.from({ length: 3 }, (_, i) => met.slice(3 * i, 3 * i + 3));
  const near = (running: number) => (running === 0 ? 0 : running <= KNEE / 2 ? KNEE / 2 : KNEE);
  for (const round of rounds) expect(round.map(near).toSorted()).toEqual([0, KNEE / 2, KNEE]);
  expect(new Set(rounds.map((round) => round.map(near).join())).size).toBeGreaterThan(1);
  for (const { pageComplete = 0, low = 0, high = 0, basePage = 0 } of points) {
    expect(basePage).toBeGreaterThanOrEqual(SERVICE);
    expect(pageComplete).toBeGreaterThanOrEqual(basePage);
    expect(low).toBeLessThanOrEqual(pageComplete);
    expect(high).toBeGreaterThanOrEqual(pageComplete);
  }
  // Who comes to the knee waits for those before, of whom one may be nearly done.
  const atKnee = met.filter((running) => near(running) === KNEE);
  expect(points[2]?.basePage).toBeGreaterThan(Math.min(...atKnee) * SERVICE);
  expect(pageSentence({ points }, 'cpu')).toMatch(/^The page is complete .*: base page \+/);
});

test('a load that is ended before its server has answered leaves nothing running', async () => {
  const ending = new AbortController();
  const stop = vi.fn(async () => undefined);
  const asked: number[] = [];
  const engine: PageJob['engine'] = {
    ...autocannonEngine(1),
    async start(plan) {
      asked.push(plan.most);
      ending.abort(new Error('ended'));
      return { pids: [], broken: new Promise<never>(() => undefined), stop };
    },
  };
  const job = jobFor('http://127.0.0.1:9/', { engine, signal: ending.signal, knee: 1, seed: 2 });
  await expect(pageUnderLoad(job)).rejects.toThrow('ended');
  // The load before which the page is alone with its server asks once.
  expect(asked).toEqual([1]);
  expect(stop).toHaveBeenCalled();
});

test('a server that only refuses by then is no reason to wait for ever', async () => {
  const { url } = await start(0);
  const { points } = await pageUnderLoad(jobFor(url, { knee: 1, rounds: 1 }));
  expect(points.map(({ load, n }) => [load, n])).toEqual([
    ['none', 1],
    ['knee', 1],
  ]);
});
