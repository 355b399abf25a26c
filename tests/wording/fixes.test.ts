import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIXES } from '../../src/core/fixes/index.ts';
import type { FixCode, FixFact } from '../../src/model/fix.ts';
import { fixesOf, otherAdvice } from '../../src/result/fixes.ts';
import { findingInWords } from '../../src/wording/findings.ts';
import { fixMessage, fixPage, fixText, fixTitle, savingInWords } from '../../src/wording/fixes.ts';

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
  'large-picture': [
    {
      requests: 1,
      bytes: 200_000,
      savesBytes: 150_000,
      natural: { width: 1600, height: 1200 },
      shown: { width: 800, height: 600 },
    },
    '1 picture has more pixels than the screen shows: /a.js. It has 1600 × 1200, and 800 × 600 are shown. In that size, about 150 kB of 200 kB are saved: use "srcset" and "sizes".',
  ],
  'old-format': [
    { requests: 2, bytes: 200_000, savesBytes: 50_000 },
    '2 pictures (200 kB) are JPEG, PNG or GIF: /a.js. As WebP of the same quality, at least 50 kB are saved; AVIF saves more.',
  ],
  'hidden-text': [
    { families: ['Inter'], hidden: 420 },
    'Text in “Inter” is not shown for 420 ms, until its font has come: /a.js. Write font-display: swap or optional into its @font-face. The page is complete no sooner by this, because it waits for the font in any case; its text can be read sooner.',
  ],
  'font-shift': [
    { families: ['Inter', 'Lora'], score: 0.08 },
    'The page moved when the font “Inter” and “Lora” replaced another one (layout shift 0.080): /a.js. Preload it, give the other font its size with size-adjust, or write font-display: optional. The page is complete no sooner by this.',
  ],
  'stream-starvation': [
    {
      connections: 6,
      origin: 'https://shop.example',
      url: `${PAGE}photo.jpg`,
      from: 220,
      to: 4_200,
      others: 1,
      culprits: [`${PAGE}events-a`, `${PAGE}events-b`],
    },
    '6 background requests used all connections to https://shop.example: /photo.jpg could not be sent from 220 ms to 4.20 s, and 1 other request for a shorter time. Serve it over HTTP/2, or let the streams share one connection. Culprits: /events-a and /events-b.',
  ],
  'connection-limit': [
    { origin: 'https://shop.example', requests: 90, longest: 840 },
    '90 requests to https://shop.example waited for a free connection, up to 840 ms: /a.js. Over HTTP/1.1, a browser opens six connections to one server. HTTP/2 and HTTP/3 send all requests over one; fewer files, or files that are requested when they are seen (loading="lazy"), help as well.',
  ],
  'duplicate-poll': [
    { url: A, times: 12, again: 6, savesBytes: 6_000 },
    '/a.js is polled by several parts of the page: 6 of 12 polls asked what another one asked already. Poll once and share the answer: 6.0 kB less. Page complete does not wait for it.',
  ],
};
const factOf = (code: string): FixFact =>
  ({ code, urls: [A], savesMs: 120, facts: SAMPLES[code as FixCode][0] }) as FixFact;

describe('fixes in words', () => {
  it.each(Object.entries(SAMPLES))('says what to do about %s', (code, [, message]) => {
    expect(fixMessage(factOf(code), PAGE)).toBe(message);
    expect(fixTitle(code)).toMatch(/^[A-Z][a-zA-Z0-9/ ]+$/);
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
    const facts = { requests: 90, bytes: 23_900_000, savesBytes: 23_000_000 };
    expect([{ savesMs: 120, facts }, { savesMs: 0, facts }, { savesMs: 0 }].map(savingInWords)).toEqual([
      '−120 ms',
      '−23.0 MB',
      '0 ms',
    ]);
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
    // A traced load is slower: what it could save says nothing of the one that is shown.
    const evidence = { index: 2, role: 'evidence', ok: true, findings: [finding(90)] };
    expect(of(evidence).map(({ savesMs }) => savesMs)).toEqual([20, 0]);
    const none = { result: { runs: [] } } as unknown as Parameters<typeof fixesOf>[0];
    expect(fixesOf(none)).toEqual([]);
  });

  it('leaves out what most runs do not show, and takes the median saving of all', () => {
    const complete = { state: 'complete', at: 1_000 };
    const fix = (code: string, savesMs: number, file: string) => ({
      code,
      message: '',
      urls: [`${PAGE}${file}`],
      savesMs,
    });
    const run = (index: number, ...findings: readonly object[]) => ({
      ...{ index, role: 'timed', ok: true, pageComplete: complete, findings },
    });
    const shown = run(1, fix('slow-server', 300, 'a'), fix('redirect', 90, 'r?id=1'), fix('slow-server', 40, 'b'));
    const runs = [shown, run(2, fix('redirect', 80, 'r?id=2'), fix('slow-server', 50, 'b')), run(3)];
    const target = { representative: shown, result: { runs } } as unknown as Parameters<typeof fixesOf>[0];
    expect(fixesOf(target).map(({ code, savesMs }) => [code, savesMs])).toEqual([
      ['redirect', 80],
      ['slow-server', 40],
    ]);
  });

  it('adds what Lighthouse says of the same, and leaves to Lighthouse what no fix says', () => {
    const finding = { code: 'render-blocking', message: 'It blocks.', urls: [], savesMs: 90 };
    const target = {
      representative: { index: 1, role: 'timed', ok: true, findings: [finding] },
      result: {
        runs: [],
        lighthouse: {
          opportunities: [
            { id: 'render-blocking-insight', title: 'Render blocking requests', savingsMs: 300, savingsBytes: 4_000 },
            { id: 'dom-size-insight', title: 'Optimize DOM size', savingsMs: 40 },
          ],
        },
      },
    } as unknown as Parameters<typeof fixesOf>[0];
    expect(fixesOf(target).map(fixText)).toEqual(['It blocks. Lighthouse says so, too: up to 300 ms, 4.0 kB.']);
    expect(otherAdvice(target).map(({ id }) => id)).toEqual(['dom-size-insight']);
  });
});
