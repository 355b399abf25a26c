import { describe, expect, it } from 'vitest';
import { isBrowsersOwn } from '../../../src/core/sources/browser-own.ts';

const UPDATE = 'https://update.googleapis.com/service/update2/json';
const own = (url: string, headers: Readonly<Record<string, string>> = {}): boolean =>
  isBrowsersOwn(url, { headers: Object.entries(headers).map(([name, value]) => ({ name, value })) });

describe("a browser's own request", () => {
  it('is known by its host', () => {
    expect(own(UPDATE)).toBe(true);
    expect(own('https://optimizationguide-pa.googleapis.com/v1:GetHints', { 'Sec-Fetch-Mode': 'no-cors' })).toBe(true);
    expect(own('https://fonts.googleapis.com/css')).toBe(false);
    expect(own('https://update.googleapis.com.example/')).toBe(false);
    expect(own('no address')).toBe(false);
  });

  it('is none when a page asks, or a user opens a page', () => {
    expect(own(UPDATE, { Referer: 'https://e.com/' })).toBe(false);
    expect(own(UPDATE, { origin: 'https://e.com' })).toBe(false);
    expect(own(UPDATE, { 'Sec-Fetch-Mode': 'navigate' })).toBe(false);
    expect(own(UPDATE, { Accept: 'text/html,*/*' })).toBe(false);
  });

  it('is read from files that hold anything', () => {
    expect(isBrowsersOwn(UPDATE, {})).toBe(true);
    expect(isBrowsersOwn(UPDATE, { headers: [null, 5, { name: 7 }] })).toBe(true);
  });
});
