import { describe, expect, test } from 'vitest';
import type { WaterfallRow } from '../../src/model/report.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { windowOf } from '../../src/reporters/html/compare/load-strip.tsx';
import { matches, rowMarks } from '../../src/reporters/html/compare/row-marks.ts';
import { axisOf } from '../../src/reporters/html/waterfall/geometry.ts';
import { comparisonReport } from './comparison.ts';
import { expectSelfContained, markup, waterfallsIn } from './markup.ts';

/** What a reader sees, tags, drawings' titles and packed waterfalls taken away. */
function words(html: string): string {
  return markup(html)
    .replace(/<script type="text\/plain"[\s\S]*?<\/script>/g, '')
    .replace(/<title>[\s\S]*?<\/title>/g, '')
    .replace(/<wbr\/?>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

/** A part of the page, from its title to the next. */
function part(html: string, title: string): string {
  return words(html.slice(html.indexOf(`>${title}</h3>`)).split('<section class="part"')[0] ?? '');
}

const html = renderComparisonHtml(comparisonReport({ dropped: 2 }));
const text = words(html);

describe('the example', () => {
  test('says the decision before everything else', () => {
    expect(text).toMatch(/▲ Slower · the gate fails The candidate is slower\. Page complete is \d\.\d% slower/);
    expect(text.indexOf('Slower')).toBeLessThan(text.indexOf('+'));
    expect(html).toMatch(/<title>Slower: Garden chairs – Shop – Quiesce<\/title>/);
  });

  test('holds every part', () => {
    expect([...html.matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)].map(([, title]) => title)).toEqual([
      'The metrics that decide',
      'Background traffic that changed',
      'What changed besides time',
      'Every other metric',
      'Critical path',
      'The two waterfalls',
      'What both builds looked like',
      'Was it fair?',
    ]);
  });

  test('asks for nothing else and lets nothing else run', () => {
    expectSelfContained(html);
  });

  test('no id is given twice', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('pages that differ are told before any figure', () => {
  const different = words(renderComparisonHtml(comparisonReport({ different: true })));
  const body = different.slice(different.indexOf('Base'));
  expect(body.indexOf('two different pages were loaded')).toBeGreaterThan(0);
  expect(body.indexOf('two different pages were loaded')).toBeLessThan(body.search(/\d%/));
});

test('other traffic alone is told after the answer, and in one sentence', () => {
  const report = comparisonReport();
  const pageDifferences = [{ code: 'background', message: 'The builds differ in their background traffic.' }] as const;
  const page = words(renderComparisonHtml({ ...report, result: { ...report.result, pageDifferences } }));
  expect(page).toMatch(
    /The candidate is slower\. .*Page complete \+.*The builds differ in their background traffic\. /,
  );
  expect(page).not.toContain('The two pages differ');
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
    const report = comparisonReport();
    const machines = (build: 'base' | 'candidate', lost: number) => {
      const { result } = report[build];
      const runs = result.runs
        .filter(({ block }) => block !== lost)
        .map((run) => (run.block === undefined ? run : { ...run, machine: 1 + (run.block % 2) }));
      return { ...report[build], result: { ...result, runs } };
    };
    const joined = { ...report, base: machines('base', 4), candidate: machines('candidate', 4) };
    const merged = renderComparisonHtml(joined);
    expect(merged).toMatch(/<title>(base|candidate), block 1, machine 2, load 1: /);
    expect(part(merged, 'The metrics that decide')).toContain(
      'Every load, block by block, one band per block on one machine; the lines are medians over all machines. Empty bands are blocks that are missing.',
    );
    expect(part(html, 'The metrics that decide')).not.toContain('Empty');
  });

  test('that lies far out is drawn at the edge and told', () => {
    const values = [...Array.from({ length: 40 }, (_, i) => 100 + (i % 10)), 900];
    const window = windowOf(values);
    expect(window.from).toBeLessThan(100);
    expect(window.to).toBeGreaterThan(109);
    expect(window.to).toBeLessThan(200);
    expect(part(html, 'The metrics that decide')).toMatch(/\d loads? (?:is|are) outside the chart, up to [\d.]+ s/);
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
    expect(words(page)).toContain(unbounded === 'both' ? 'too few pairs for a 97.5% interval' : 'or ');
  });
});

test('what is better is nowhere dressed as worse', () => {
  const faster = renderComparisonHtml(comparisonReport({ outcome: 'faster', unchanged: true }));
  const badges = [...faster.matchAll(/<span class="badge (\w+)">([\s\S]*?)<\/span> ([a-z]+)/g)];
  expect(badges.length).toBeGreaterThan(8);
  const better = badges.filter(([, , , word]) => word === 'faster');
  expect(better.length).toBeGreaterThan(2);
  for (const [, tone] of better) expect(tone).toBe('better');
  expect(faster).toContain('<p class="verdict better"><span aria-hidden="true">▼</span> Faster');
});

test('a comparison that is not valid shows figures and decides nothing', () => {
  const invalid = renderComparisonHtml(comparisonReport({ outcome: 'invalid' }));
  expect(words(invalid)).toContain('No figure below can be trusted.');
  expect(invalid).not.toContain('class="badge');
  expect(invalid).toContain('class="target distrusted"');
  expect(part(invalid, 'Was it fair?')).toContain('✗ The machine was 4.1');
});

test('what is not decided shows no estimate as its answer', () => {
  const unsure = renderComparisonHtml(comparisonReport({ outcome: 'unsure' }));
  expect(unsure).toMatch(/<div class="answer change unsure"><dt>Page complete<\/dt><dd><span class="big">−[\d.]+% to /);
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

describe('fairness', () => {
  const fair = part(html, 'Was it fair?');

  test('names the seed, the pairs, what was repeated and the control', () => {
    expect(fair).toContain('Pairs that count 24 in 12 blocks of four');
    expect(fair).toContain('Seed of the order 4711');
    expect(fair).toContain('Loads that were repeated 3, because the machine was busy');
    expect(fair).toContain('+0.1%, 99% interval −0.6% to +0.9%: no difference between the builds');
    expect(fair).toContain('Looked at after 10, 16, 22 pairs; planned were 10, 16, 22, 28, 34, 40');
  });

  test('names what does not count, and the order of all loads', () => {
    expect(fair).toContain('Block 7 does not count: a load of the candidate failed twice: HTTP 503.');
    const order = [...html.matchAll(/<small>(\d+)<\/small> ([BC]{4})</g)].map(([, block, builds = '']) => {
      expect([...builds].filter((build) => build === 'B')).toHaveLength(2);
      return Number(block);
    });
    expect(order).toEqual(Array.from({ length: 14 }, (_, i) => i + 1));
  });
});

test('nothing changed is said, nothing measured is bearable', () => {
  expect(part(renderComparisonHtml(comparisonReport({ unchanged: true })), 'What changed besides time')).toContain(
    'Nothing: requests, sizes, other sites and findings are the same.',
  );
  const empty = renderComparisonHtml(comparisonReport({ empty: true }));
  expect(words(empty)).toContain('Undecided: nothing could be compared.');
  expect(empty).not.toContain('class="run"');
});

test('a comparison that was ended early says how to go on', () => {
  expect(words(renderComparisonHtml(comparisonReport({ interrupted: true })))).toContain('--resume continues it');
});

test('both builds are shown as they were when complete, before any figure', () => {
  const first = html.slice(0, html.indexOf('>The metrics that decide</h3>'));
  const shown = /<div class="both-pictures">(.*)/s.exec(first)?.[1] ?? '';
  expect(words(shown)).toMatch(/Base Page complete in the filmed load Candidate Page complete in the filmed load/);
  expect(shown.match(/<use href="#/g)).toHaveLength(2);
  // What they refer to stands in the page, once.
  for (const [, id] of shown.matchAll(/<use href="#([^"]+)"/g)) expect(html.split(`id="${id}"`)).toHaveLength(2);
});

test('an undecided answer is one sentence; the figures behind it stand below it', () => {
  const report = comparisonReport({ outcome: 'unsure', blocks: 20 });
  const undecided = renderComparisonHtml(report);
  const [, headline = '', rest = ''] = /<h1[^>]*>(.*?)<span class="second">(.*?)<\/span>/s.exec(undecided) ?? [];
  expect(words(headline)).toBe('Undecided: the loads vary too much for the number of pairs.');
  const gates = report.result.comparisons.filter(({ gate, decision }) => gate && decision === 'unsure');
  expect(words(rest).trim()).toBe(gates.map(({ sentence }) => sentence).join(' '));
});
