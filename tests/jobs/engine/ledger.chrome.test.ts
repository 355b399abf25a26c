import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import { findBrowser } from '../../../src/browser/install/find.ts';
import { openChromeLab } from '../../../src/browser/lab.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { tap } from '../../browser/tap.ts';
import { recordIn } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let server: FixtureServer;
let chrome: Awaited<ReturnType<typeof puppeteer.launch>>;
beforeAll(async () => {
  const { path } = await findBrowser(undefined, process.env);
  server = await startFixtureServer();
  chrome = await puppeteer.launch({
    executablePath: path,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
});
afterAll(async () => {
  await chrome?.close();
  await server?.close();
});

it('writes one entry for every hop that Chrome announced, on a page that has all of them', async () => {
  const wire = await tap(chrome.wsEndpoint());
  const lab = await openChromeLab({ browserWs: wire.url, sandbox: true, browserArg: [] }, undefined);
  const recording = await recordIn(lab, server.url('ledger'), QUICK);
  const heardByThen = [...wire.heard];
  await lab.close();
  wire.close();

  // Counted from the raw messages, with nothing of Quiesce's own: a hop is told apart by its id, address and time.
  const announced = new Set<string>();
  let origin: number | undefined;
  for (const { method, params } of heardByThen) {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, timestamp, request } = params as {
        requestId: string;
        timestamp: number;
        request: { url: string };
      };
      if (request.url === server.url('ledger')) origin ??= timestamp;
      // What was asked while the page was read for the last time belongs to no answer.
      if ((timestamp - (origin ?? timestamp)) * 1_000 > recording.observedUntil) continue;
      if (/^https?:/.test(request.url)) announced.add(`${requestId} ${request.url} ${timestamp}`);
    } else if (method === 'Network.webSocketCreated' || method === 'Network.webTransportCreated') {
      announced.add(JSON.stringify(params?.requestId ?? params?.transportId));
    }
  }
  const { timeline, verdicts } = visitOf(recording, QUICK);
  const { entries } = buildHar(recording, timeline, { version: '0', verdicts: [...verdicts.values()] }).log;
  expect(entries).toHaveLength(announced.size);
  expect(recording.announcedHops).toBe(announced.size);
  expect(new Set(entries.map((entry) => entry._id)).size).toBe(entries.length);

  // The page really has all of them.
  const outcomes = new Set(timeline.requests.map((each) => each.outcome));
  for (const outcome of ['finished', 'redirected', 'failed', 'canceled', 'open'] as const)
    expect(outcomes, outcome).toContain(outcome);
  const types = new Set(timeline.requests.map((each) => each.type));
  for (const type of [
    'document',
    'stylesheet',
    'script',
    'image',
    'font',
    'fetch',
    'eventsource',
    'websocket',
    'ping',
    'preflight',
  ] as const) {
    expect(types, type).toContain(type);
  }
  const targets = new Set(timeline.requests.map((each) => each.target));
  for (const target of ['page', 'iframe', 'worker', 'service-worker'] as const)
    expect(targets, target).toContain(target);
  const statuses = new Set(timeline.requests.map((each) => each.response?.status));
  for (const status of [101, 200, 204, 302, 404, 500]) expect(statuses, String(status)).toContain(status);
  // What reached the server was announced, too.
  const paths = new Set(timeline.requests.map((each) => new URL(each.url).pathname));
  for (const { path } of server.loads.at(-1)?.requests ?? []) expect(paths, path).toContain(path.split('?')[0]);
});
