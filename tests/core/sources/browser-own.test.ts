import { describe, expect, it } from 'vitest';
import { isBrowsersOwn, isNotOfPage } from '../../../src/core/sources/browser-own.ts';

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
    expect(own('https://r4---sn-4g5e.gvt1.com/edgedl/release2/chrome_component/a.crx3')).toBe(true);
    expect(own('https://contile.services.mozilla.com/v1/tiles')).toBe(true);
    expect(own('https://dl.google.com/release2/chrome_component/a.crx3')).toBe(true);
    expect(own('https://dl.google.com/earth.exe')).toBe(false);
    expect(own('https://services.mozilla.com.example/')).toBe(false);
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

describe("a request that is not the page's", () => {
  const asked = (
    url: string,
    more: { sent?: Readonly<Record<string, string>>; mimeType?: string; by?: readonly string[] } = {},
  ) => {
    const headers = Object.entries(more.sent ?? {}).map(([name, value]) => ({ name, value }));
    const stack = more.by?.map((file) => ({ functionName: '', url: file, line: 1, column: 1 }));
    const response = { content: { mimeType: more.mimeType } };
    return isNotOfPage({ url, request: { headers }, response, initiator: stack && { type: 'script', stack } });
  };

  it('checks a certificate', () => {
    expect(asked('http://ocsp.ca.example/')).toBe(true);
    expect(asked('http://ocsp2.ca.example/MFEw')).toBe(true);
    expect(asked('http://r3.o.lencr.org/')).toBe(true);
    expect(asked('http://ca.example/', { mimeType: 'application/ocsp-response' })).toBe(true);
    expect(asked('http://ca.example/', { sent: { 'Content-Type': 'application/ocsp-request' } })).toBe(true);
    expect(asked('http://ca.example/all.crl', { mimeType: 'application/pkix-crl' })).toBe(true);
    expect(asked('https://ocsp.blog.example/')).toBe(false);
    expect(asked('http://shop.example/ocsp.html', { mimeType: 'text/html' })).toBe(false);
  });

  it("is an extension's", () => {
    const [own, page] = ['chrome-extension://abc/inject.js', 'https://shop.example/app.js'];
    expect(asked('https://words.example/check', { by: [own, own] })).toBe(true);
    expect(asked('https://words.example/check', { by: [own, page] })).toBe(false);
    expect(asked('https://words.example/check', { sent: { Origin: 'moz-extension://3f2a' } })).toBe(true);
    expect(asked('https://words.example/check', { sent: { Origin: 'https://shop.example' } })).toBe(false);
  });
});
