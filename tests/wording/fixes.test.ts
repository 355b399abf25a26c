import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIXES } from '../../src/core/fixes/index.ts';
import type { FixCode, FixFact } from '../../src/model/fix.ts';
import { fixesOf } from '../../src/result/fixes.ts';
import { findingInWords } from '../../src/wording/findings.ts';
import { fixMessage, fixPage, fixTitle, savingInWords } from '../../src/wording/fixes.ts';

const PAGE = 'https://shop.example/';
const A = `${PAGE}a.js`;

type Sample<C extends FixCode> = readonly [facts: Extract<FixFact, { code: C }>['facts'], message: string];

const SAMPLES: { readonly [C in FixCode]: Sample<C> } = {
  'render-blocking': [
    { scripts: 1, styles: 1 },
    '1 script and 1 style sheet block the page: /a.js. If nothing needs them at once, load scripts with "defer" or "async", and put the styles of the first view into the document.',
  ],
  'late-discovery': [
    { requests: 1 },
    'The browser learns of this file only from another file: /a.js. Name it in the document with <link rel="preload"> or "modulepreload".',
  ],
  'slow-server': [
    { url: A, wait: 480, target: 100 },
    'The first byte of /a.js came 480 ms after the request. The saving is that of a server that answers in 100 ms.',
  ],
  'no-compression': [
    { requests: 1, bytes: 240_000, savesBytes: 168_000 },
    '1 text file (240 kB) is sent without compression: /a.js. With gzip or Brotli it is about 168 kB smaller.',
  ],
  'duplicate-request': [
    { url: A, times: 2, savesBytes: 4_000 },
    '/a.js was downloaded 2 times, with the same size. Request it once: 4.0 kB less.',
  ],
  redirect: [{ redirects: 1, to: `${PAGE}home` }, 'The page waits for 1 redirect: /a.js. Link to /home directly.'],
  'late-connection': [
    { origin: 'https://cdn.example', took: 210 },
    'Connecting to https://cdn.example took 210 ms at the moment it was needed. Connect earlier, with <link rel="preconnect">, or serve it from the page\'s own origin.',
  ],
  'late-picture': [
    { url: A, after: 320, priority: 'Low' },
    'The largest picture, /a.js, was requested 320 ms after the document began to arrive with priority Low. Put it into the document as <img fetchpriority="high">, without loading="lazy", or preload it.',
  ],
  'third-party': [
    { site: 'ads.example', requests: 1 },
    "The page waits for 1 request to ads.example: /a.js. Load it after the page's own content, host it yourself, or remove it.",
  ],
  'short-cache': [
    { requests: 3, unkept: 1, bytes: 90_000 },
    'Browsers may keep 3 files (90 kB) for less than 30 days, 1 of them not without asking the server each time: /a.js. A first visit gets no faster by this; later visits do.',
  ],
};
const factOf = (code: string): FixFact =>
  ({ code, urls: [A], savesMs: 120, facts: SAMPLES[code as FixCode][0] }) as FixFact;

describe('fixes in words', () => {
  it.each(Object.entries(SAMPLES))('says what to do about %s', (code, [, message]) => {
    expect(fixMessage(factOf(code), PAGE)).toBe(message);
    expect(fixTitle(code)).toMatch(/^[A-Z][a-z ]+$/);
    expect(findingInWords(factOf(code), PAGE)).toMatchObject({ code, message, savesMs: 120 });
  });

  it('has a section of docs/fix.md for every fix, and no other', () => {
    const text = readFileSync(new URL('../../docs/fix.md', import.meta.url), 'utf8');
    const sections = [...text.matchAll(/^### (\S+)$/gm)].map(([, code]) => code);
    const codes = [...Object.keys(FIXES), 'unused-code'];
    expect(sections.toSorted()).toEqual(codes.toSorted());
    for (const code of codes) expect(fixPage(code)).toMatch(new RegExp(`/docs/fix\\.md#${code}$`));
  });

  it('tells a saving, and what a later version wrote', () => {
    expect([savingInWords(120), savingInWords(0)]).toEqual(['−120 ms', '0 ms']);
    expect([fixTitle('to-string'), fixTitle('toString'), fixPage('toString')]).toEqual([
      'To string',
      'ToString',
      undefined,
    ]);
  });
});

describe('fixesOf', () => {
  it('lists what the representative run shows, the largest saving first', () => {
    const finding = (savesMs?: number) => ({
      code: 'x',
      message: '',
      urls: [],
      ...(savesMs !== undefined && { savesMs }),
    });
    const run = { index: 1, role: 'timed', ok: true, findings: [finding(0), finding(), finding(20)] } as const;
    const of = (...runs: readonly object[]) =>
      fixesOf({ representative: run, result: { runs: [run, ...runs] } } as unknown as Parameters<typeof fixesOf>[0]);
    expect(of().map(({ savesMs }) => savesMs)).toEqual([20, 0]);
    // What was not used only the evidence run tells; what it says besides, the representative run says better.
    const unused = { ...finding(50), code: 'unused-code' };
    const evidence = { index: 2, role: 'evidence', ok: true, findings: [unused, finding(90)] };
    expect(of(evidence).map(({ savesMs }) => savesMs)).toEqual([50, 20, 0]);
    const none = { result: { runs: [] } } as unknown as Parameters<typeof fixesOf>[0];
    expect(fixesOf(none)).toEqual([]);
  });
});
