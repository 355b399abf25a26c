import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import puppeteer, { type Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTroubleServer, type TroubleServer } from '../../../fixtures/trouble.ts';
import { findBrowser } from '../../../src/browser/install/find.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { isBroken } from '../../../src/result/health.ts';
import { tap, type WireMessage } from '../../browser/tap.ts';
import { auditInChrome, chromeProcesses } from '../../support/chrome.ts';
import { messagesOf } from '../../support/problems.ts';

let server: TroubleServer;
beforeAll(async () => {
  server = await startTroubleServer();
});
afterAll(() => server.close());

/** An address at which surely nobody listens: one that was just given back. */
async function unusedPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('a target that cannot be measured ends with one line and exit 3', () => {
  const cases: readonly (readonly [string, () => string | Promise<string>, string, RegExp])[] = [
    ['host not found', () => 'http://no-such-host.invalid/', 'host-not-found', /No such host.*spelling/],
    [
      'connection refused',
      async () => `http://127.0.0.1:${await unusedPort()}/`,
      'connection-refused',
      /Nothing listens/,
    ],
    ['TLS not valid', () => server.tlsUrl, 'tls-invalid', /certificate.*not valid/],
    ['HTTP 404', () => server.url('/404'), 'http-error', /HTTP 404/],
    ['HTTP 500', () => server.url('/500'), 'http-error', /HTTP 500/],
    ['a download', () => server.url('/download'), 'not-a-page', /a download/],
    ['JSON', () => server.url('/json'), 'not-a-page', /application\/json/],
    ['a picture', () => server.url('/image.png'), 'not-a-page', /image\/png/],
    ['a PDF', () => server.url('/pdf'), 'not-a-page', /application\/pdf/],
    ['an empty answer', () => server.url('/empty204'), 'not-a-page', /HTTP 204/],
    ['a redirect loop', () => server.url('/redirect-loop'), 'redirect-loop', /loop/],
    ['a page that replaces itself for ever', () => server.url('/script-loop'), 'redirect-loop', /replaced itself/],
    ['a connection that is reset', () => server.url('/reset'), 'connection-failed', /broke/],
    ['a document that stops in the middle', () => server.url('/mid-body'), 'truncated', /in the middle/],
  ];

  it.concurrent.each(cases)('%s', async (_name, url, code, line) => {
    const { exit, problems, result } = await auditInChrome({ targets: [await url()] });
    expect(messagesOf(problems)).toEqual([expect.stringMatching(line)]);
    expect(problems[0]?.message).not.toContain('\n');
    expect(exit).toBe(3);
    expect(result.targets[0]?.runs).toEqual([
      expect.objectContaining({ ok: false, role: 'discarded', failure: expect.objectContaining({ code }) }),
    ]);
  });

  it('a server that never answers, after the time-out', async () => {
    const { exit, problems } = await auditInChrome({ targets: [server.url('/never')], timeout: 4_000 });
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/did not answer within 4 s.*--timeout/)]);
    expect(exit).toBe(3);
  });

  it('a page whose renderer crashes', async () => {
    const crash = async ({ kind }: Progress): Promise<void> => {
      if (kind !== 'run-progress') return;
      const renderers = (await chromeProcesses()).filter(({ args }) => args.includes('--type=renderer'));
      for (const { pid } of renderers) {
        try {
          process.kill(pid, 'SIGSEGV');
        } catch {
          // It has gone by itself since it was listed.
        }
      }
    };
    const { exit, problems } = await auditInChrome(
      { targets: [server.url('/crash')], quietWindow: 5_000 },
      { onProgress: (event) => void crash(event) },
    );
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/^The page \S+ crashed\./)]);
    expect(exit).toBe(3);
  });
});

describe('an accident in an untimed load is no finding: it is loaded once more', () => {
  let chrome: Browser;
  beforeAll(async () => {
    const { path } = await findBrowser(undefined, process.env);
    chrome = await puppeteer.launch({
      executablePath: path,
      args: ['--disable-gpu', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    });
  });
  afterAll(() => chrome?.close());

  /** Kills the renderers as soon as Chrome says that there is a page, for so many pages: while it is opened. */
  async function killRenderers(times: number) {
    const opened = new Set<string>();
    let isDoomed = false;
    return await tap(chrome.wsEndpoint(), ({ method, params }: WireMessage) => {
      const { targetInfo, waitingForDebugger } = (params ?? {}) as Attached;
      // The page that only looks at the browser is not waited for.
      if (method === 'Target.attachedToTarget' && targetInfo?.type === 'page' && waitingForDebugger) {
        isDoomed ||= opened.size < times && !opened.has(targetInfo.targetId);
        opened.add(targetInfo.targetId);
      }
      // Its process may still be starting: then it is killed with the next message.
      isDoomed &&= method !== 'Inspector.targetCrashed';
      if (isDoomed) for (const pid of renderersOf(chrome.process()?.pid)) process.kill(pid, 'SIGKILL');
    });
  }

  it('a renderer that is killed while its page is opened', async () => {
    const wire = await killRenderers(1);
    const { exit, problems, result } = await auditInChrome({
      targets: [server.url('/plain')],
      browserWs: wire.url,
      timeout: 20_000,
    });
    wire.close();
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    expect(result.targets[0]?.runs[0]).toMatchObject({ ok: true, attempts: 2 });
  });

  it('but one that is killed each time fails with one line, and the browser is fit for the next page', async () => {
    const wire = await killRenderers(2);
    const asked = { targets: [server.url('/plain')], browserWs: wire.url, timeout: 20_000 };
    const { exit, problems } = await auditInChrome(asked);
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/^The page \S+ crashed\./)]);
    expect(exit).toBe(3);
    expect(await auditInChrome(asked)).toMatchObject({ exit: 0, problems: [] });
    wire.close();
  });

  it('a connection that is reset', async () => {
    const { exit, problems, result } = await auditInChrome({ targets: [server.url('/reset-twice')] });
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    expect(result.targets[0]?.runs[0]).toMatchObject({ ok: true, attempts: 2 });
  });
});

describe('a page that makes trouble is measured all the same', () => {
  it.concurrent.each([
    ['/dialog', 'dialog', /\(prompt\), which was dismissed/],
    ['/beforeunload', 'client-redirect', /replaced itself/],
    ['/blank', undefined, undefined],
    ['/popup', undefined, undefined],
  ] as const)('%s', async (path, code, message) => {
    const { exit, problems, result } = await auditInChrome({ targets: [server.url(path)], allowBroken: true });
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    const run = result.targets[0]?.runs[1];
    expect(run?.pageComplete?.state).toBe('complete');
    if (code)
      expect(run?.findings).toContainEqual(
        expect.objectContaining({ code, message: expect.stringMatching(message), urls: [] }),
      );
  });

  it('but one that stops answering is broken', async () => {
    const asked = { targets: [server.url('/freeze')], evidence: true, timeout: 10_000 };
    const { result } = await auditInChrome(asked);
    const [target] = result.targets;
    expect(target?.runs.map(({ role }) => role)).toEqual(['evidence', 'timed']);
    for (const run of target?.runs ?? []) {
      expect(run.findings).toContainEqual(
        expect.objectContaining({ code: 'stopped-answering', facts: { silent: 5_000, isBroken: true } }),
      );
    }
    expect(target && isBroken(target)).toBe(true);
  });

  it('closes a popup and says so', async () => {
    const { exit, result } = await auditInChrome({
      targets: [server.url('/popup')],
      browserArg: ['--disable-popup-blocking'],
    });
    expect(exit).toBe(0);
    expect(result.targets[0]?.runs[1]?.findings).toContainEqual(expect.objectContaining({ code: 'popup' }));
  });
});

interface Attached {
  readonly targetInfo?: { readonly targetId: string; readonly type: string };
  readonly waitingForDebugger?: boolean;
}

/** The renderers of a browser, read at once: they must not have time to finish what is to be interrupted. */
function renderersOf(browser: number | undefined): readonly number[] {
  const parents = new Map<number, { readonly parent: number; readonly args: string }>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), { parent: Number(parent), args: readFileSync(`/proc/${name}/cmdline`, 'utf8') });
    } catch {
      // It has gone since it was listed.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)?.parent;
    return parent !== undefined && (parent === browser || isBelow(parent));
  };
  return [...parents].flatMap(([pid, { args }]) => (args.includes('--type=renderer') && isBelow(pid) ? pid : []));
}
