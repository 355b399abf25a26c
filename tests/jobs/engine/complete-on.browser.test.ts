import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import { auditInChrome } from '../../support/chrome.ts';
import { messagesOf } from '../../support/problems.ts';

let server: FixtureServer;
let strict: Server;
let strictUrl: string;
beforeAll(async () => {
  server = await startFixtureServer();
  // A page that forbids eval, and that shows what is waited for only after a redirect by script.
  strict = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('content-security-policy', "script-src 'nonce-x'");
    const script =
      request.url === '/' ? "location.replace('/second')" : 'window.appReady = true; performance.mark("done")';
    response.end(`<!doctype html><h1>Strict</h1><script nonce="x">${script}</script>`);
  }).listen(0, '127.0.0.1');
  await once(strict, 'listening');
  strictUrl = `http://127.0.0.1:${(strict.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  strict.close();
  strict.closeAllConnections();
  await server.close();
});

describe('--complete-on', () => {
  it('is believed, while a poll goes on', async () => {
    const completeOn = '#done';
    const { exit, result, problems } = await auditInChrome({ targets: [server.url('complete-on')], completeOn });
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    const run = result.targets[0]?.runs[1];
    expect(run?.pageComplete).toMatchObject({
      state: 'complete',
      because: `the page's own mark was reached: ${completeOn}`,
    });
    // The page sets it 600 ms after its script ran: it cannot come before.
    expect(run?.pageComplete?.at).toBeGreaterThanOrEqual(600);
  });

  it.each(['js:window.appReady', 'mark:done', 'h1'])(
    '%s works under a strict content security policy',
    async (completeOn) => {
      const { exit, result } = await auditInChrome({ targets: [strictUrl], completeOn });
      expect(exit).toBe(0);
      expect(result.targets[0]?.runs[1]?.pageComplete?.state).toBe('complete');
    },
  );

  it('says what it waited for when the mark never comes', async () => {
    const { exit, problems } = await auditInChrome({
      targets: [server.url('plain')],
      completeOn: '#never',
      timeout: 2_000,
    });
    expect(exit).toBe(4);
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/not complete within 2 s, while waiting for #never/)]);
  });

  it('refuses at once what is no selector', async () => {
    const { exit, problems } = await auditInChrome({ targets: [server.url('plain')], completeOn: '#[' });
    expect(exit).toBe(2);
    expect(messagesOf(problems)).toEqual(['--complete-on: "#[" is not a CSS selector.']);
  });
});
