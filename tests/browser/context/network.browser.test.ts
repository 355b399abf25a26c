import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { measuredNetwork, networkFindings } from '../../../src/core/conditions/measured.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { measure as measureRun, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import type { MeasuredNetwork, NetworkConditions } from '../../../src/model/host/conditions.ts';
import type { FindingFact } from '../../../src/model/result/finding.ts';
import { type AuditOptions, loadOptionsOf } from '../../support/jobs.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

const policy = { ...QUICK, quietWindow: 1_000 };
const KB = 1_000;
/** A script that says nothing, of so many bytes, which do not compress away. */
const script = (bytes: number): string => `/*${'x'.repeat(bytes - 4)}*/`;

let lab: ChromeLab;
let server: Server;
let url: string;
beforeAll(async () => {
  lab = await sharedLab();
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    for await (const _ of request);
    response.setHeader('cache-control', 'no-store');
    const bytes = Number(searchParams.get('bytes') ?? 0);
    const page = PAGES[pathname];
    if (page !== undefined) response.setHeader('content-type', 'text/html').end(page);
    else if (pathname === '/large') response.setHeader('access-control-allow-origin', '*').end('x'.repeat(400 * KB));
    else if (pathname === '/slow') setTimeout(() => response.end('late'), Number(searchParams.get('ms')));
    else
      response.setHeader('content-type', 'text/javascript').end(SCRIPTS[pathname] ?? (bytes > 0 ? script(bytes) : ''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  // A frame of another site, and a body of the page's own that is asked for when the frame asks for its own.
  PAGES['/apart'] =
    `<title>x</title><p>x</p><script>navigator.serviceWorker.register('/service-worker.js'); onmessage = () => fetch('/large').then((response) => response.text());</script><iframe src="http://localhost:${port}/frame"></iframe>`;
});
afterAll(async () => {
  await lab?.close();
  server?.closeAllConnections();
  server?.close();
});

const PAGES: Record<string, string> = {
  '/half-a-megabyte': `<title>x</title><p>x</p>${[1, 2, 3, 4, 5].map((n) => `<script src="/file.js?${n}&bytes=${100 * KB}"></script>`).join('')}`,
  '/small': '<title>x</title><p>x</p><script src="/file.js?bytes=200"></script>',
  '/upload': `<title>x</title><p>x</p><script>fetch('/to', { method: 'POST', body: 'x'.repeat(${150 * KB}) });</script>`,
  '/shared': `<title>x</title><p>x</p><script>new SharedWorker('/shared.js')</script>`,
  '/worker': `<title>x</title><p>x</p><script>new Worker('/worker.js')</script>${[1, 2, 3].map((n) => `<script src="/file.js?${n}&bytes=${100 * KB}" async></script>`).join('')}`,
  '/frame': '<p>x</p><script>fetch("/large"); parent.postMessage("", "*")</script>',
  '/thinks': '<title>x</title><p>x</p><script>fetch("/slow?ms=900")</script>',
};

const SCRIPTS: Readonly<Record<string, string>> = {
  '/worker.js': 'fetch("/large")',
  '/service-worker.js':
    'self.oninstall = (event) => event.waitUntil(fetch("/large").then((response) => response.text()));',
};

async function measure(
  path: string,
  network: NonNullable<AuditOptions['network']>,
): Promise<{
  asked: NetworkConditions;
  got: MeasuredNetwork | undefined;
  findings: readonly FindingFact[];
  firstByte: number | undefined;
  incidents: readonly string[];
  complete: number;
}> {
  const options = loadOptionsOf({ network });
  const recording = await recordIn(lab, url + path, policy, options);
  const visit = visitOf(recording, policy);
  const asked = options.conditions.network ?? { name: 'none', latency: 0 };
  const measured = measureRun(visit, policy);
  // The HAR of the run says the same.
  const har = buildHar(recording, visit.timeline, { version: '1', policy });
  const [read] = readHar(JSON.parse(JSON.stringify(har))).recordings;
  if (!read) throw new Error('no recording in the HAR');
  const again = measureRun(visitOf(recordingOfHar(read), policy), policy);
  expect(again.network).toEqual(measured.network);
  expect(again.metrics.timeToFirstByte).toBeCloseTo(measured.metrics.timeToFirstByte ?? Number.NaN, 0);
  return {
    asked,
    got: measured.network,
    findings: measured.findings.filter(({ code }) => code.startsWith('network-')),
    firstByte: measured.metrics.timeToFirstByte,
    incidents: recording.incidents.map(({ code }) => code),
    complete: visit.complete.state === 'complete' ? visit.complete.at : Number.NaN,
  };
}

/** Not faster than it was asked for; how much slower is a matter of the machine. What is read of a rate comes in lumps. */
function expectNoFaster({ asked, got }: Pick<Awaited<ReturnType<typeof measure>>, 'asked' | 'got'>): void {
  expect(got).toBeDefined();
  if (got?.rtt !== undefined) expect(got.rtt).toBeGreaterThanOrEqual(asked.latency);
  if (got?.download !== undefined) expect(got.download).toBeLessThan(1.15 * (asked.download ?? 0));
  if (got?.upload !== undefined) expect(got.upload).toBeLessThan(1.15 * (asked.upload ?? 0));
}

describe('a network is in force, and a run can tell', () => {
  it.each([['slow-4g'], ['300ms,4Mbps,2Mbps'], ['200,8000,1000']] as const)('half a megabyte over %s', async (name) => {
    const { asked, got, complete, findings, firstByte } = await measure('/half-a-megabyte', name);
    expect(firstByte).toBeGreaterThan(asked.latency);
    expectNoFaster({ asked, got });
    expect(findings).toEqual([]);
    // The document's latency, the files', and 500 kB through the line.
    const least = 2 * asked.latency + (500 * KB * 8) / (asked.download ?? 1);
    expect(complete).toBeGreaterThan(0.95 * least);
  });

  it('what is sent', async () => {
    const { asked, got, findings } = await measure('/upload', '200ms,8Mbps,1Mbps');
    expect(got?.upload).toBeDefined();
    expectNoFaster({ asked, got });
    expect(findings).toEqual([]);
  });

  it('a page that never fills the line says nothing of its width', async () => {
    const { asked, got, findings } = await measure('/small', 'slow-4g');
    expectNoFaster({ asked, got });
    expect(got).toEqual({ rtt: expect.any(Number) });
    expect(findings).toEqual([]);
  });

  it('a server that thinks longer than the latency is not the line', async () => {
    const { asked, got, findings } = await measure('/thinks', '500ms,8Mbps,8Mbps');
    expectNoFaster({ asked, got });
    expect(findings).toEqual([]);
  });

  it('what a shared worker asks for is told to come at full speed', async () => {
    expect((await measure('/shared', 'slow-4g')).incidents).toEqual(['network-not-in-shared-workers']);
  });

  it('a worker shares the limit of its page', async () => {
    const { findings } = await measure('/worker', '100ms,4Mbps,4Mbps');
    expect(findings).toEqual([]);
  });

  it('says so when frames of other sites and service workers load beyond the limit of the page', async () => {
    const { findings } = await measure('/apart', '100ms,2Mbps,2Mbps');
    expect(findings).toMatchObject([{ code: 'network-limit-exceeded', facts: { network: '100ms,2Mbps,2Mbps' } }]);
    const [finding] = findings;
    if (finding?.code !== 'network-limit-exceeded') return;
    const { download, lasted, shortBy } = finding.facts;
    expect(download.asked).toBe(2_000);
    expect(download.got).toBeGreaterThan(download.asked);
    // What came beyond the limit is what a line with the limit would bring in that time.
    expect(shortBy / (lasted * (download.got / download.asked - 1))).toBeCloseTo(1, 2);
  });

  it('a network that is not in force is off', async () => {
    const slow4g = loadOptionsOf({ network: 'slow-4g' }).conditions.network;
    const recording = await recordIn(lab, `${url}/half-a-megabyte`, policy);
    const { timeline, verdicts } = visitOf(recording, policy);
    if (!slow4g) throw new Error('no network');
    const [finding] = networkFindings(slow4g, measuredNetwork(timeline, verdicts, slow4g));
    expect(finding).toMatchObject({ code: 'network-conditions-off', facts: { rtt: { asked: 562.5 } } });
  });
});
