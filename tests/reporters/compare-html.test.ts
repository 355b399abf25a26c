import { describe, expect, test } from 'vitest';
import type { CompareReport, WaterfallRow } from '../../src/model/result/report.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { windowOf } from '../../src/reporters/html/compare/load-strip.tsx';
import { matches, rowMarks } from '../../src/reporters/html/compare/row-marks.ts';
import { axisOf } from '../../src/reporters/html/waterfall/geometry.ts';
import { wordsIn } from '../support/visible-text.ts';
import { comparisonReport } from './comparison.ts';
import { onTwoMachines } from './examples.ts';
import { expectSelfContained, waterfallsIn } from './markup.ts';

const html = renderComparisonHtml(comparisonReport({ dropped: 2 }));

describe('the example', () => {
  test('asks for nothing else and lets nothing else run', () => {
    expectSelfContained(html);
  });

  test('no id is given twice', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('a machine that was not fit is told beside the answer, with the way to why', () => {
  const report = comparisonReport();
  const host = {
    ...report.result.host,
    verdict: 'unfit',
    sentence: 'The machine was busy in 20 of 20 loads.',
  } as const;
  const page = renderComparisonHtml({ ...report, result: { ...report.result, host } });
  const [before = ''] = page.split('<dl class="answers"');
  const [, id] = /The machine was busy in 20 of 20 loads\. <a href="#([^"]+)">/.exec(before) ?? [];
  expect(page).toContain(`id="${id}">Was it fair?`);
  // What is not valid has said so, and why.
  const invalid = renderComparisonHtml(comparisonReport({ outcome: 'invalid' })).split('<dl class="answers"')[0];
  expect(invalid).not.toContain(`<a href="#${id}">Why`);
});

describe('every load', () => {
  const strips = [...html.matchAll(/<svg class="loads" [\s\S]*?<\/figure>/g)].map(([strip]) => strip);

  test('is in the strip of each metric that decides, also those that do not count', () => {
    expect(strips).toHaveLength(2);
    // 14 blocks of four, of which two loads failed.
    for (const strip of strips) {
      expect(strip.match(/class="load of-base/g)?.length ?? 0).toBeGreaterThan(20);
      expect(strip.match(/class="load of-(base|candidate)/g)).toHaveLength(54);
      expect(strip.match(/class="load of-(base|candidate) out/g)).toHaveLength(6);
      expect(strip.match(/class="gone-band"/g)).toHaveLength(2);
    }
  });

  test('says which it is', () => {
    expect(strips[0]).toMatch(/<title>(base|candidate), block 1, load 1: 1\.\d\d s<\/title>/);
    expect(strips[0]).toMatch(/<title>(base|candidate), block 3, load \d: [\d.]+ m?s, does not count<\/title>/);
  });

  test('of several machines has no order in time, and names its machine', () => {
    expect(renderComparisonHtml(onTwoMachines())).toMatch(/<title>(base|candidate), block 1, machine 2, load 1: /);
  });

  test('that lies far out is drawn at the edge and told', () => {
    const values = [...Array.from({ length: 40 }, (_, i) => 100 + (i % 10)), 900];
    const window = windowOf(values);
    expect(window.from).toBeLessThan(100);
    expect(window.to).toBeGreaterThan(109);
    expect(window.to).toBeLessThan(200);
  });

  test('of a metric that never changes has room all the same', () => {
    for (const value of [0, 500]) {
      const { from, to } = windowOf([value, value, value]);
      expect(from).toBeLessThan(value);
      expect(to).toBeGreaterThan(value);
    }
  });
});

describe('an interval', () => {
  const intervals = (page: string): readonly string[] =>
    [...page.matchAll(/<svg class="interval [^"]*" height="62"[\s\S]*?<\/g><\/svg>/g)].map(([drawing]) => drawing);

  test('is drawn against the smallest effect of interest', () => {
    const [first = '', second = ''] = intervals(html);
    expect(first).toContain('class="interval worse"');
    expect(second).toContain('class="interval same"');
    expect(first).toContain('class="band"');
    expect(first).not.toContain('class="arrow"');
    const number = (drawing: string, of: RegExp): number => Number(of.exec(drawing)?.[1]);
    const bandEnd =
      number(first, /class="band" x="([\d.]+)%/) + number(first, /class="band" x="[\d.]+%" width="([\d.]+)%/);
    expect(number(first, /class="bar" x="([\d.]+)%/)).toBeGreaterThan(bandEnd);
  });

  test.each([
    ['both', 2],
    ['low', 1],
    ['high', 1],
  ] as const)('without an end (%s) has an arrow there', (unbounded, arrows) => {
    const page = renderComparisonHtml(comparisonReport({ outcome: 'unsure', blocks: 3, unbounded }));
    for (const drawing of intervals(page)) expect(drawing.match(/class="arrow"/g)).toHaveLength(arrows);
  });
});

test('what is better is nowhere dressed as worse', () => {
  const faster = renderComparisonHtml(comparisonReport({ outcome: 'faster', unchanged: true }));
  const badges = [...faster.matchAll(/<span class="badge (\w+)">([\s\S]*?)<\/span> ([a-z]+)/g)];
  expect(badges.length).toBeGreaterThan(3);
  const better = badges.filter(([, , , word]) => word === 'faster');
  expect(better.length).toBeGreaterThan(1);
  for (const [, tone] of better) expect(tone).toBe('better');
  expect(faster).toContain('<p class="verdict better"><span aria-hidden="true">▼</span> Faster');
});

test('a comparison that is not valid shows figures and decides nothing', () => {
  const invalid = renderComparisonHtml(comparisonReport({ outcome: 'invalid' }));
  expect(invalid).not.toContain('class="badge');
  expect(invalid).toContain('class="target distrusted"');
});

test('what is not decided shows no estimate as its answer', () => {
  const unsure = renderComparisonHtml(comparisonReport({ outcome: 'unsure' }));
  expect(unsure).toMatch(/<div class="answer change unsure"><dt>Page complete<\/dt><dd><span class="big">−[\d.]+% to /);
});

test('below the answer every chapter is a row with what it comes to', () => {
  expect(html).not.toContain('<section class="part">');
  const rows = [...html.matchAll(/<h3 id="compare-([^"]+)">[^<]*<\/h3> <span class="line">([^<]*)</g)];
  const lines = Object.fromEntries(rows.map(([, name, line]) => [name, line?.replaceAll('\u00a0', ' ')]));
  expect(lines['the-metrics-that-decide']).toMatch(/^Page complete \+[\d.]+% \(\+[\d.]+% to \+[\d.]+%\); /);
  expect(lines.waterfalls).toMatch(/^Base: \d+ requests, page complete: [\d.]+ m?s; Candidate: \d+ requests, /);
});

describe('waterfalls', () => {
  test('stand on one axis', async () => {
    const report = comparisonReport();
    const [base] = report.base.waterfalls;
    if (base === undefined) throw new Error('the example has a waterfall');
    const short = { ...base, observedUntil: 4000, rows: base.rows.filter((row) => row.endsAt < 4000) };
    const page = renderComparisonHtml({ ...report, base: { ...report.base, waterfalls: [short] } });
    const groups = await waterfallsIn(page);
    expect(groups.map(({ figures }) => figures.map(({ id }) => id))).toEqual([['base', 'candidate']]);
    expect(groups[0]?.axis).toEqual(axisOf(short, ...report.candidate.waterfalls));
    const scales = [...page.matchAll(/<svg class="ticks".*?<\/svg>/gs)].map(([scale]) => scale);
    expect(scales).toHaveLength(2);
    expect(scales[0]).toBe(scales[1]);
  });

  test('mark what only one build has, or has in another size', () => {
    const marks = [
      ...html.matchAll(/<span>([^<]+)<\/span>(?:<abbr[^>]*>◆<\/abbr>)?<b class="ch c-\w+">(\w+)<\/b>/g),
    ].map(([, name, mark]) => `${mark} ${name}`);
    expect(marks).toEqual([
      'shrunk product.88ab.css',
      'grown app.20c9.js',
      'gone old-banner.js',
      'shrunk product.88ab.css',
      'grown app.77be.js',
      'new widget.js',
      'new summary',
      ...[0, 1, 2, 3].map((i) => `new presence?at=${i}`),
    ]);
  });

  /** The marks of rows, by their id, when one name was added. */
  function marked(name: string, rows: Readonly<Record<string, Partial<WaterfallRow>>>): readonly string[] {
    const report = comparisonReport();
    const [waterfall] = report.candidate.waterfalls;
    const [row] = waterfall?.rows ?? [];
    if (waterfall === undefined || row === undefined) throw new Error('the example has rows');
    const listed = Object.entries(rows).map(([id, sketch]) => ({ ...row, ...sketch, id }));
    const changes = {
      ...report.result.changes,
      added: [{ name, url: 'http://elsewhere.example/', type: 'script' as const }],
      grown: [],
      shrunk: [],
    };
    const marks = rowMarks(
      {
        ...report,
        candidate: { ...report.candidate, waterfalls: [{ ...waterfall, rows: listed }] },
        result: { ...report.result, changes },
      },
      'candidate',
    );
    return [...marks.keys()];
  }

  test('rows are known by a name without their own origin, hashes and values', () => {
    const own = comparisonReport().candidate.result.url;
    expect(
      marked('GET /js/app.*.js?a=*&v=*', {
        own: { url: `${own}js/app.3f2a.js?v=12&a=1` },
        other: { url: 'https://other.example/js/app.3f2a.js?v=12&a=1' },
        post: { url: `${own}js/app.3f2a.js?v=12&a=1`, method: 'POST' },
        elsewhere: { url: `${own}js/app.3f2a.js?v=12&b=1` },
        background: {
          url: `${own}js/app.3f2a.js?v=12&a=1`,
          background: { kind: 'poll', because: '', confidence: '' },
        },
      }),
    ).toEqual(['own']);
    expect(marked('GET /style.css?*', { bare: { url: `${own}style.css?16970` } })).toEqual(['bare']);
    expect(marked('GET ws:/live', { socket: { url: `${own.replace('http', 'ws')}live` } })).toEqual(['socket']);
    expect(marked('GET https://cdn.example/x.js', { far: { url: 'https://cdn.example/x.js' } })).toEqual(['far']);
  });

  test('a redirect is another thing than what is behind it, and an operation is not guessed at', () => {
    const url = 'https://cdn.example/x';
    const rows = { hop: { url, status: 302 }, end: { url, status: 200 }, kept: { url, status: 304 } };
    expect(marked('GET https://cdn.example/x (redirect)', rows)).toEqual(['hop']);
    expect(marked('GET https://cdn.example/x', rows)).toEqual(['end', 'kept']);
    expect(marked('GET https://cdn.example/x (Products)', rows)).toEqual([]);
  });

  test.each([
    ['GET /a/*/b', 'GET /a/1/2/b', true],
    ['GET /a/*/b', 'GET /a/1/c', false],
    ['*', '', true],
    ['a*', 'a', true],
    ['a*b*c', 'a1b2b3c', true],
    ['a.c', 'abc', false],
    ['', 'a', false],
    [`${'*a'.repeat(50)}b`, 'a'.repeat(2000), false],
  ])('%s against %s', (pattern, address, expected) => {
    expect(matches(pattern, address)).toBe(expected);
  });
});

test('the order of the loads of each block is told', () => {
  const order = [...html.matchAll(/\b(\d+) ([BC]{4})\b/g)].map(([, block, builds = '']) => {
    expect([...builds].filter((build) => build === 'B')).toHaveLength(2);
    return Number(block);
  });
  expect(order).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
});
test('both builds load side by side, before any figure', () => {
  const first = html.slice(0, html.indexOf('>The metrics that decide</h3>'));
  const shown = /<figure class="race">(.*)/s.exec(first)?.[1] ?? '';
  const used = [...shown.matchAll(/<use href="#([^"]+)"/g)].map(([, id]) => id);
  expect(used.length).toBeGreaterThan(3);
  // What they refer to stands in the page, once.
  for (const id of used) expect(html.split(`id="${id}"`)).toHaveLength(2);
});

test('on a pull request it is the change that makes the page slower', () => {
  const whole = comparisonReport();
  const headline = (over: Partial<CompareReport['result']>): string =>
    /<h1[^>]*>([^<]*)/.exec(renderComparisonHtml({ ...whole, result: { ...whole.result, ...over } }))?.[1] ?? '';
  expect(headline({})).toBe('The candidate is slower.');
  const source = { commit: 'a'.repeat(40) };
  expect(headline({ source })).toBe('The candidate is slower.');
  expect(headline({ source: { ...source, pullRequest: true } })).toBe('Your change makes the page slower.');
  const settings = { ...whole.result.settings, baseRef: 'main' };
  expect(headline({ settings, decision: 'faster' })).toBe('Your change makes the page faster.');
});

test('an undecided answer is one sentence; the figures behind it stand below it', () => {
  const report = comparisonReport({ outcome: 'unsure', blocks: 20 });
  const undecided = renderComparisonHtml(report);
  const [, headline = '', rest = ''] = /<h1[^>]*>(.*?)<span class="second">(.*?)<\/span>/s.exec(undecided) ?? [];
  expect(headline).not.toMatch(/\d/);
  const gates = report.result.comparisons.filter(({ gate, decision }) => gate && decision === 'unsure');
  expect(wordsIn(rest).trim()).toBe(gates.map(({ sentence }) => sentence).join(' '));
});
