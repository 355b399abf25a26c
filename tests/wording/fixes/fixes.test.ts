import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aboutOf } from '../../../src/core/fixes/about.ts';
import { FIXES } from '../../../src/core/fixes/index.ts';
import type { FixCode, FixFact } from '../../../src/model/fixes.ts';
import { fixesOf, otherAdvice, type Problem, targetFixes } from '../../../src/result/fixes.ts';
import {
  fixMessage,
  fixPage,
  fixText,
  fixTitle,
  problemText,
  problemTitle,
  savingInWords,
} from '../../../src/wording/fixes/fixes.ts';
import { findingInWords } from '../../../src/wording/result/findings.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const PAGE = 'https://shop.example/';
const A = `${PAGE}a.js`;

const SAMPLES: { readonly [C in FixCode]: readonly [Extract<FixFact, { code: C }>['facts']] } = {
  'render-blocking': [{ scripts: 1, styles: 1 }],
  'late-discovery': [{ requests: 1 }],
  'slow-server': [{ url: A, wait: 480, target: 100 }],
  'slow-script': [{ url: A, ms: 181, function: 'renderBadges', bytes: 120_000, unused: 118_800 }],
  'slow-layout': [{ ms: 140 }],
  'no-compression': [{ requests: 1, bytes: 240_000, savesBytes: 168_000 }],
  'duplicate-request': [{ url: A, times: 2, savesBytes: 4_000 }],
  redirect: [{ redirects: 1, to: `${PAGE}home` }],
  'late-connection': [{ origin: 'https://cdn.example', took: 210 }],
  'late-picture': [{ url: A, after: 320, priority: 'Low' }],
  'third-party': [{ site: 'ads.example', requests: 1 }],
  'short-cache': [{ requests: 3, unkept: 1, bytes: 90_000 }],
  'large-picture': [
    {
      requests: 1,
      bytes: 200_000,
      savesBytes: 150_000,
      natural: { width: 1600, height: 1200 },
      shown: { width: 800, height: 600 },
    },
  ],
  'old-format': [{ requests: 2, bytes: 200_000, savesBytes: 50_000 }],
  'hidden-text': [{ families: ['Inter'], hidden: 420 }],
  'font-shift': [{ families: ['Inter', 'Lora'], score: 0.08 }],
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
  ],
  'connection-limit': [{ origin: 'https://shop.example', requests: 90, longest: 840 }],
  'duplicate-poll': [{ url: A, times: 12, again: 6, savesBytes: 6_000 }],
};
const factOf = (code: string): FixFact =>
  ({ code, urls: [A], savesMs: 120, facts: SAMPLES[code as FixCode][0] }) as FixFact;

describe('fixes in words', () => {
  it('says what to do about each', async () => {
    const codes = Object.keys(SAMPLES);
    const said = codes.map((code) => [`${fixTitle(code)} (${code})`, fixMessage(factOf(code), PAGE)]);
    await expectApproved('wording/fixes', outlined(Object.fromEntries(said)));
    for (const code of codes) {
      const message = fixMessage(factOf(code), PAGE);
      expect(findingInWords(factOf(code), PAGE)).toMatchObject({ code, message, savesMs: 120 });
    }
  });

  it('has a section of docs/fix.md for every fix, and no other', () => {
    const text = readFileSync(new URL('../../../docs/fix.md', import.meta.url), 'utf8');
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
    const target = { representative: shown, result: { url: PAGE, runs } } as unknown as Parameters<typeof fixesOf>[0];
    expect(fixesOf(target).map(({ code, savesMs }) => [code, savesMs])).toEqual([
      ['redirect', 80],
      ['slow-server', 40],
    ]);
  });

  it('takes fixes of one file, and of one third party, for one problem', () => {
    const fix = (code: string, savesMs: number, ...urls: readonly string[]) => ({ code, message: code, urls, savesMs });
    const hero = `${PAGE}hero.jpg`;
    const representative = {
      ...{ index: 1, role: 'timed', ok: true },
      findings: [
        fix('old-format', 39.9, hero),
        fix('late-picture', 40.1, hero),
        fix('large-picture', 39.9, hero),
        fix('no-compression', 12, A, `${PAGE}b.js`),
        fix('slow-server', 30, 'https://ads.example/tag.js'),
        fix('third-party', 80, 'https://ads.example/tag.js', 'https://ads.example/ad.js'),
      ],
    };
    const target = { representative, result: { url: PAGE, runs: [] } } as unknown as Parameters<typeof fixesOf>[0];
    const problems = fixesOf(target);
    expect(
      problems.map((each) => [
        problemTitle(each, PAGE),
        each.who,
        each.savesMs,
        each.alternatives.map(({ code }) => code),
      ]),
    ).toEqual([
      ["ads.example: Don't let other origins block the page", 'third-party', 80, ['slow-server']],
      ['/hero.jpg: Request the largest image earlier', 'front-end', 40.1, ['old-format', 'large-picture']],
      ['/a.js and /b.js: Compress text', 'server', 12, []],
    ]);
    expect(problemText(problems[1] as Problem)).toBe(
      'late-picture Or: Use a modern image format (−40 ms) and Serve images at the size they are displayed (−40 ms).',
    );
    expect(targetFixes(target)?.[0]).toEqual({
      ...fix('third-party', 80, 'https://ads.example/tag.js', 'https://ads.example/ad.js'),
      about: 'ads.example',
      who: 'third-party',
      alternatives: [fix('slow-server', 30, 'https://ads.example/tag.js')],
    });
  });

  it('another port of the same host is the page’s own', () => {
    expect(aboutOf('slow-server', ['http://127.0.0.1:9001/api'], 'http://127.0.0.1:9000/')).toEqual({
      about: 'http://127.0.0.1:9001/api',
      who: 'server',
    });
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
    expect(fixesOf(target).map(fixText)).toEqual(['It blocks. Lighthouse agrees: up to 300 ms, 4.0 kB.']);
    expect(otherAdvice(target).map(({ id }) => id)).toEqual(['dom-size-insight']);
  });
});
