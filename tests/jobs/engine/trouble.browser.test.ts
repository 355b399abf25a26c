import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTroubleServer, type TroubleServer } from '../../../fixtures/trouble.ts';
import type { Progress } from '../../../src/model/progress.ts';
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
    const { exit, problems } = await auditInChrome({ targets: [server.url('/never')], timeout: 1_500 });
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/did not answer within 1.5 s.*--timeout/)]);
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

describe('a page that makes trouble is measured all the same', () => {
  it.concurrent.each([
    ['/dialog', 'dialog', /\(prompt\), which was dismissed/],
    ['/beforeunload', 'client-redirect', /replaced itself/],
    ['/blank', undefined, undefined],
    ['/popup', undefined, undefined],
  ] as const)('%s', async (path, code, message) => {
    const { exit, problems, result } = await auditInChrome({ targets: [server.url(path)] });
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    const run = result.targets[0]?.runs[1];
    expect(run?.pageComplete?.state).toBe('complete');
    if (code)
      expect(run?.findings).toContainEqual(
        expect.objectContaining({ code, message: expect.stringMatching(message), urls: [] }),
      );
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
