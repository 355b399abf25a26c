import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import { openChromeLab } from '../../../src/browser/lab.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Lab } from '../../../src/model/recording/lab.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { BrowserSettings } from '../../../src/model/settings.ts';
import { type Fleet, type ForeignChrome, startFleet, startForeignChrome } from '../../browser/fleet.ts';
import { auditInChrome, chromeSettings } from '../../support/chrome.ts';
import { factsOf } from '../../support/facts.ts';
import { compare, doctor, loadOptionsOf } from '../../support/jobs.ts';
import { recordIn } from '../../support/lab.ts';
import { messagesOf } from '../../support/problems.ts';
import { POLICY } from '../../support/scripted.ts';

const MEMBERS = fileURLToPath(new URL('scripts/members.ts', import.meta.url));
const TOKEN = 'canary-8d1f60b2aa';
const PASSWORD = 'canary pässword/7';
const CANARIES = [TOKEN, PASSWORD, encodeURIComponent(PASSWORD), Buffer.from(`ann:${PASSWORD}`).toString('base64')];
const ELSEWHERE = 'the browser runs on another machine, whose load cannot be seen from here';

let server: FixtureServer;
let chrome: ForeignChrome;
let fleet: Fleet;
beforeAll(async () => {
  [server, chrome] = await Promise.all([startFixtureServer(), startForeignChrome()]);
  fleet = await startFleet(() => chrome.ws, { password: PASSWORD, token: TOKEN });
});
afterAll(async () => {
  await fleet?.close();
  await chrome?.close();
  await server?.close();
});

/** The browser is on this machine, as the clocks say; these tests want one that is not. */
const onAnotherMachine = (settings: BrowserSettings): Promise<Lab> =>
  openChromeLab(settings, undefined, async () => true);

it('does everything over one connection to a browser elsewhere, and tells nobody how it got in', async () => {
  const told: Progress[] = [];
  const files = new Map<string, string>();
  const before = fleet.connections();
  const { result, exit, problems, ...rest } = await auditInChrome(
    {
      targets: [server.url('members')],
      browserWs: fleet.ws,
      quietWindow: 600,
      device: 'phone',
      network: '40ms,4Mbps,1Mbps',
      cpu: 2,
      header: ['X-Way-In: open'],
      script: MEMBERS,
      background: ['/api/stock', '/api/prices'],
      format: ['html', 'json', 'har', 'md', 'junit', 'csv'],
    },
    { openLab: onAnotherMachine, onProgress: (event) => told.push(event) },
    async (folder) => {
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (file.isFile()) files.set(file.name, await readFile(path.join(file.parentPath, file.name), 'latin1'));
      }
    },
  );
  expect(problems).toEqual([]);
  expect(exit).toBe(0);
  // A second connection to this address might have led to another browser.
  expect(fleet.connections() - before).toBe(1);
  expect(result.targets.map(({ step }) => step)).toEqual([undefined, 'Add to basket!', 'open orders']);
  for (const { runs } of result.targets) {
    for (const { host } of runs) {
      expect(host?.verdict).toBe('unknown');
      expect(host?.reasons[0]).toBe(ELSEWHERE);
      expect(host).not.toHaveProperty('busyByOthers');
    }
  }
  expect(result.browser).toMatchObject({ elsewhere: true, notes: [expect.stringContaining('--disable-quic')] });
  expect(result.settings).toMatchObject({ browserWs: `ws://${new URL(fleet.ws).host}/…` });
  expect(result.settings).not.toHaveProperty('sandbox');
  const requests = server.loads.findLast(({ scenario }) => scenario.name === 'members')?.requests ?? [];
  expect(requests[0]?.headers).toMatchObject({ 'x-way-in': 'open' });
  expect(requests[0]?.headers['user-agent']).toContain('Mobile');

  const notes = told.filter((event) => event.kind === 'note').map(({ message }) => message);
  expect(notes.filter((line) => line.includes('started with its own arguments'))).toHaveLength(1);
  expect(notes.filter((line) => line.includes('so it looks for'))).toHaveLength(1);
  expect(files.get('index.html')).toContain('whose load could not be seen');
  expect(files.get('summary.md')).toContain('whose load could not be seen');
  const everything = { ...Object.fromEntries(files), told: JSON.stringify(told), rest: JSON.stringify([result, rest]) };
  const holders = Object.entries(everything).flatMap(([name, text]) =>
    CANARIES.filter((canary) => text.includes(canary)).map((canary) => `${name}: ${canary}`),
  );
  expect(holders).toEqual([]);
  expect(await chrome.left()).toEqual({ pages: ['about:blank'], contexts: 0 });
});

it('films, holds suspects and runs Lighthouse over one connection', async () => {
  const before = fleet.connections();
  const lab = await openChromeLab({ browserWs: fleet.http, sandbox: true, browserArg: [] }, undefined);
  try {
    const policy = { ...POLICY, quietWindow: 500, background: ['/api/status'] };
    const held = await recordIn(lab, server.url('poll'), policy, { film: true, hold: ['*/api/status*'] });
    expect(held.frames.length).toBeGreaterThan(0);
    expect(held.lastPicture).toBeDefined();
    const polls = visitOf(held, policy).timeline.requests.filter(({ url }) => url.includes('/api/status'));
    // On a busy machine the page asks once more before it has been quiet.
    expect(new Set(polls.map(({ outcome }) => outcome))).toEqual(new Set(['open']));
    const outcome = await lab.lighthouse?.(
      { url: server.url('plain'), ...loadOptionsOf({}), block: [], firstVisit: 0, cap: 3_000 },
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ ok: true, lhr: { categories: { performance: expect.anything() } } });
  } finally {
    await lab.close();
  }
  expect(fleet.connections() - before).toBe(1);
  expect(await chrome.left()).toEqual({ pages: ['about:blank'], contexts: 0 });
});

it('compares two addresses in a browser elsewhere, without the machine as a control, and is not undecided because of that', async () => {
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
  let worked = 0;
  try {
    const { runs: _runs, ...settings } = chromeSettings({
      targets: [server.url('plain'), `${server.url('plain')}?candidate`],
      browserWs: fleet.ws,
      out,
      quietWindow: 300,
      format: ['html', 'json', 'md'],
    });
    const { result, problems } = await compare(
      {
        ...settings,
        minEffect: '5%',
        alpha: 0.05,
        gate: ['page-complete'],
        strict: false,
        resume: false,
        maxPairs: 2,
        seed: 7,
      },
      {
        openLab: onAnotherMachine,
        microBenchmark() {
          worked += 1;
          return 20;
        },
      },
    );
    expect(problems).toEqual([]);
    expect(worked).toBe(0);
    expect(result.design).toMatchObject({ pairs: 2, repeated: 0, stoppedBecause: 'max-pairs' });
    expect(result.host).toMatchObject({ verdict: 'unknown', unfitRuns: 0 });
    expect(result.host.sentence).toContain('the browser ran on another one');
    expect(await readFile(path.join(out, 'index.html'), 'utf8')).toContain('the browser ran on another one');
    expect(await readFile(path.join(out, 'summary.md'), 'utf8')).toContain('on another machine');
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});

it('judges the machine of a browser that it shares it with, and says what of Chrome’s arguments is missing', async () => {
  const lab = await openChromeLab({ browserWs: chrome.http, sandbox: true, browserArg: [] }, undefined);
  try {
    expect(lab).not.toHaveProperty('elsewhere');
    // Chrome tells with which arguments it runs.
    expect(lab.sandbox).toBe(process.getuid?.() !== 0);
    const { hostSamples } = await recordIn(lab, server.url('plain'), { ...POLICY, quietWindow: 300 });
    expect(hostSamples[0]).not.toHaveProperty('driver');
    expect(hostSamples.at(-1)?.browser).toBeGreaterThan(hostSamples[0]?.browser ?? Number.POSITIVE_INFINITY);
  } finally {
    await lab.close();
  }
});

it('is asked by the doctor', async () => {
  const { findings, result, exit } = await doctor(
    { browserWs: fleet.http, sandbox: true, browserArg: [] },
    { openLab: onAnotherMachine, readFacts: async () => factsOf({ idle: { watchedFor: 1_000, busy: 0.9 } }) },
    () => Promise.reject(new Error('nobody asked for a comparison')),
  );
  expect(exit).toBe(0);
  expect(findings.map(({ code, level }) => `${code} ${level}`).slice(0, 3)).toEqual([
    'browser ok',
    'browser warning',
    'browser-machine unknown',
  ]);
  expect(findings.find(({ code }) => code === 'busy')?.level).toBe('warning');
  expect(result).toMatchObject({ verdict: 'fit', browser: { elsewhere: true } });
  expect(JSON.stringify(result)).not.toContain(TOKEN);
});

it('two at once keep out of each other’s way', async () => {
  const labs = await Promise.all(
    [chrome.ws, fleet.ws].map((browserWs) => openChromeLab({ browserWs, sandbox: true, browserArg: [] }, undefined)),
  );
  try {
    const policy = { ...POLICY, quietWindow: 1_500 };
    const network = { name: 'slow', latency: 300, download: 8_000, upload: 8_000 };
    const slow = { ...loadOptionsOf({}).conditions, network };
    const [fast, late] = await Promise.all(
      labs.map((lab, i) => recordIn(lab, server.url('workers'), policy, i === 0 ? {} : { conditions: slow })),
    );
    const targets = (of: typeof fast) =>
      Map.groupBy(of ? visitOf(of, policy).timeline.requests : [], ({ target }) => target);
    const kinds = ['page', 'service-worker', 'shared-worker', 'worker'];
    expect([...targets(fast).keys()].sort()).toEqual(kinds);
    expect([...targets(late).keys()].sort()).toEqual(kinds);
    // What one asked for was in force for its own workers before they ran.
    for (const kind of ['worker', 'service-worker'] as const) {
      // One that is still open has no end to judge by.
      const ended = (targets(late).get(kind) ?? []).filter(({ endedAt }) => endedAt !== undefined);
      expect(ended.length).toBeGreaterThan(0);
      for (const { startedAt, endedAt = 0 } of ended) {
        expect(endedAt - startedAt).toBeGreaterThanOrEqual(network.latency - 1);
      }
    }
  } finally {
    await Promise.all(labs.map((lab) => lab.close()));
  }
  expect(await chrome.left()).toEqual({ pages: ['about:blank'], contexts: 0 });
});

/** Does something once, as soon as a run is under way. */
function inRun(index: number, act: () => void, times = 1): (event: Progress) => void {
  let left = times;
  return (event) => {
    if (event.kind !== 'run-progress' || event.index !== index || event.elapsed === 0 || left === 0) return;
    left -= 1;
    act();
  };
}

it.each([
  ['once', 1, 0, []],
  ['twice', 2, 3, [expect.stringMatching(/^The connection to the browser broke while loading \S+ \(two attempts\)\./)]],
])('is connected to again when the connection breaks %s', async (_, times, exit, problems) => {
  let drops = times;
  let dropped = false;
  const outcome = await auditInChrome(
    { targets: [server.url('plain')], browserWs: fleet.ws, quietWindow: 400 },
    {
      onProgress(event) {
        // What drops before is the connection that is still being made.
        if (event.kind === 'browser-started') dropped = false;
        if (event.kind !== 'run-progress' || event.index !== 1 || event.elapsed === 0 || dropped || drops === 0) return;
        drops -= 1;
        dropped = true;
        fleet.drop();
      },
    },
  );
  expect(messagesOf(outcome.problems)).toEqual(problems);
  expect(outcome.exit).toBe(exit);
  expect(outcome.result.targets[0]?.runs[1]).toMatchObject({ attempts: 2, ok: times === 1 });
  expect(await chrome.left()).toEqual({ pages: ['about:blank'], contexts: 0 });
});

it('ends with one line when the browser goes for good, and leaves nothing in it when the user ends it', async () => {
  const doomed = await startFleet(() => chrome.ws, { token: TOKEN });
  const gone = await auditInChrome(
    { targets: [server.url('plain')], browserWs: doomed.ws, runs: 3, quietWindow: 400 },
    { onProgress: inRun(1, () => void doomed.close()) },
  );
  expect(gone.exit).toBe(3);
  expect(messagesOf(gone.problems)).toEqual([
    expect.stringMatching(/^No browser answers at ws:\/\/127\.0\.0\.1:\d+\/… \(.*ECONNREFUSED/),
  ]);
  const abort = new AbortController();
  const ended = await auditInChrome(
    { targets: [server.url('plain')], browserWs: fleet.ws, runs: 3, quietWindow: 400 },
    { signal: abort.signal, onProgress: inRun(2, () => abort.abort()) },
  );
  expect(ended.exit).toBe(130);
  expect(ended.result.targets[0]?.runs.map(({ ok }) => ok)).toEqual([true, true]);
  expect(await chrome.left()).toEqual({ pages: ['about:blank'], contexts: 0 });
});
