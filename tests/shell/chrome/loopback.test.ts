import type { CDPSession } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { reachesLoopback } from '../../../src/shell/chrome/loopback.ts';

/** Asks a page that opens addresses as `open` does, and remembers the address. */
async function ask(open: (url: string) => Promise<unknown>, timeout?: number) {
  let address = '';
  const send = (_: string, { url }: { readonly url: string }): Promise<unknown> => {
    address = url;
    return open(url);
  };
  const answer = await reachesLoopback({ send } as unknown as CDPSession, timeout);
  return { answer, address };
}

it('knows by the visit, whatever the page says of it', async () => {
  expect((await ask(fetch)).answer).toBe(true);
  const thenSilent = ask((url) => fetch(url).then(() => new Promise(() => undefined)), 200);
  expect((await thenSilent).answer).toBe(true);
});

it.each([
  ['is refused', async () => ({ errorText: 'net::ERR_CONNECTION_REFUSED' })],
  ['finds another server at that port of its own loopback', async () => ({ loaderId: '1' })],
  ['comes by another path, which others may guess', (url: string) => fetch(new URL('/', url))],
])('does not take it for a visit when the page %s', async (_, open) => {
  expect((await ask(open)).answer).toBe(false);
});

it.each([
  ['says nothing in time', () => new Promise(() => undefined)],
  ['is gone', () => Promise.reject(new Error('Target closed'))],
])('does not know when the page %s', async (_, open) => {
  expect((await ask(open, 0)).answer).toBeUndefined();
});

it('leaves no server behind, not even while a connection to it is open', async () => {
  const { address } = await ask((url) => fetch(url, { headers: { connection: 'keep-alive' } }));
  await expect(fetch(address)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});
