import { describe, expect, it } from 'vitest';
import { secretsInAddress, shownAddress } from '../../../src/core/access/browser-address.ts';

describe('the address of a browser', () => {
  it.each([
    ['ws://127.0.0.1:9222/devtools/browser/7c9a1f04-2a4b-4f0e-9c55-0f6f4f7f6a11', 'ws://127.0.0.1:9222/…'],
    ['wss://ann:pass-word@fleet.example/', 'wss://fleet.example'],
    ['wss://fleet.example?token=abcdef123456', 'wss://fleet.example/…'],
    ['http://grid:4444', 'http://grid:4444'],
  ])('%s is shown as %s', (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
  });

  it.each([
    ['wss://ann:pass%20word@fleet.example/', ['pass word']],
    ['wss://t0ken-alone@fleet.example/', ['t0ken-alone']],
    ['wss://fleet.example/?token=abc123&stealth=true&timeout=600000', ['abc123']],
    ['ws://grid/session/7c9a1f042a4b4f0e9c550f6f4f7f6a11/se/cdp', ['7c9a1f042a4b4f0e9c550f6f4f7f6a11']],
    ['ws://127.0.0.1:9222/chrome', []],
    ['ws://u:%E0%A4%A@host/', ['%E0%A4%A']],
    ['nothing like it', []],
  ])('%s holds these secrets: %j', (address, secrets) => {
    expect(secretsInAddress(address)).toEqual(secrets);
  });
});
