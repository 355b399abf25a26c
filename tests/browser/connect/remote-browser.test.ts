import os from 'node:os';
import { expect, it } from 'vitest';
import { isRemoteAddress } from '../../../src/browser/connect/remote-browser.ts';

it.each(['ws://127.0.0.1:9222/x', 'http://localhost:9222', 'wss://[::1]/', 'ws://127.8.9.10/'])(
  '%s is this machine',
  async (address) => {
    expect(await isRemoteAddress(address)).toBe(false);
  },
);

it('so are its own addresses', async () => {
  const own = Object.values(os.networkInterfaces()).flatMap((each) => each ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const { address, family } of own) {
    // A link's own address has a zone, which addresses in URLs cannot have.
    if (address.startsWith('fe80')) continue;
    expect(await isRemoteAddress(`ws://${family === 'IPv6' ? `[${address}]` : address}:9222/`), address).toBe(false);
  }
});

// Addresses for documentation, which are no machine's. Source: RFC 5737, RFC 3849.
it.each([
  'ws://203.0.113.7:4444/session/1/se/cdp',
  'http://[2001:db8::7]:9222',
  'wss://no-such-host.invalid/',
  'no address',
])('%s is another machine', async (address) => {
  expect(await isRemoteAddress(address)).toBe(true);
});
