import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { partInWords, wordsIn } from '../support/visible-text.ts';
import {
  analysisReport,
  exampleReport,
  exampleTarget,
  exampleWith,
  failedReport,
  reportOf,
  shopWaterfall,
  sketchesOf,
} from './example-report.ts';
import { expectSelfContained, markup, waterfallsIn } from './markup.ts';

describe('the example', () => {
  const html = renderHtml(exampleReport());

  test('has a row for each request without the help of a script', () => {
    const [waterfall] = exampleReport().targets[0]?.waterfalls ?? [];
    expect(html.match(/role="row" title=/g)).toHaveLength(waterfall?.rows.length ?? 0);
    expect(html).toContain('title="GET https://cdn.shop.example/img/hero-1280.webp"');
  });

  test('asks for nothing else and lets nothing else run', () => {
    expectSelfContained(html);
  });
});

describe('findings', () => {
  test('are the same when ids and figures alone differ', () => {
    const report = exampleWith(({ runs }) => ({
      runs: runs.map((run) => ({
        ...run,
        findings:
          run.index > 4
            ? []
            : [
                {
                  code: 'late-content',
                  message: `waited ${run.index}.5 s`,
                  urls: [`https://shop.example/job/${run.index}?t=${run.index}`],
                },
              ],
      })),
    }));
    const text = partInWords(renderHtml(report), 'Findings');
    expect(text).toContain('in 4 of 5 runs');
    // In the line that it unfolds from, and below it.
    expect(text.match(/Late content/g)).toHaveLength(2);
  });
});

describe('a row that is background', () => {
  test('is hatched, and up to where it counts it is not', () => {
    const html = renderHtml(exampleReport());
    expect(html.match(/<svg class="h" viewBox="0 0 1e5/g)).toHaveLength(17);
    const parted = /<div class="r g o"[^>]*events\?channel=stock[^>]*>[\s\S]*?<div class="r/.exec(html)?.[0] ?? '';
    expect(parted.match(/<svg [^>]*viewBox/g)).toHaveLength(2);
    // 640 of 12,400 ms.
    expect(parted).toContain('<path class="u" d="M5161 0v20"');
    expect(parted).toContain('counts until 640 ms');
  });
});

test('an analysis does not speak of runs, machines and evidence', () => {
  const html = renderHtml(analysisReport());
  expect(html).not.toMatch(/>(Film|Every run|Machine|Was it fair\?)</);
  expect(wordsIn(html)).not.toMatch(/\btimed\b|median|\binterval/i);
});

test('several targets have contents and a section each', () => {
  const html = renderHtml(reportOf(...[exampleReport(), failedReport()].flatMap(sketchesOf)));
  expect(html).toContain('href="#t2"');
  expect(html.match(/<article/g)).toHaveLength(2);
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('hostile text', () => {
  const evil = '</script></noscript></title></style><img src=x onerror=alert(1)>"\'`\u2028\u202e\ud800&lt;';
  const long = `https://shop.example/${'a'.repeat(10_000)}`;

  function hostileReport() {
    const waterfall = shopWaterfall(1);
    const [model] = waterfall.rows;
    if (model === undefined) throw new Error('the example has rows');
    const row = {
      ...model,
      url: `https://shop.example/${evil}`,
      method: evil,
      mimeType: evil,
      protocol: evil,
      priority: evil,
      initiator: evil,
      outcome: evil,
      fromCache: evil,
      background: { kind: 'poll' as const, because: evil, confidence: evil },
    };
    const rows = [row, { ...row, url: 'javascript:alert(1)' }, { ...row, url: long }];
    const hostile = { ...waterfall, rows, milestones: [{ name: evil, label: evil, at: 10 }] };
    const target = exampleTarget();
    const sketch = {
      ...target.result,
      target: evil,
      url: `javascript:alert("${evil}")`,
      finalUrl: long,
      title: evil,
      runs: target.result.runs.map((run) => ({
        ...run,
        har: `../${evil}`,
        failure: { code: evil, message: evil },
        findings: [{ code: evil, message: evil, urls: [evil, 'javascript:alert(1)', long] }],
        host: { verdict: 'unfit' as const, reasons: [evil] },
      })),
      background: target.result.background.map((endpoint) => ({
        ...endpoint,
        endpoint: evil,
        because: evil,
        overruledBy: evil,
      })),
      evidence: {
        watchedUntil: 1,
        watchedBecause: evil,
        pictures: [
          { at: 1, file: '../secret.png', caption: evil },
          { at: 2, file: 'javascript:alert(1)', caption: long },
          { at: 3, file: evil, caption: evil },
          { at: 4, file: '__proto__', caption: evil },
        ],
        ablation: {
          held: [evil, long],
          difference: Number.NaN,
          same: false,
          pictures: { with: 'evidence/a.png', without: '/etc/passwd', difference: '//other.example/x.png' },
          sentence: evil,
        },
      },
      pictures: {
        '../secret.png': 'https://other.example/x.png',
        'javascript:alert(1)': 'data:image/svg+xml;base64,PHN2Zy8+',
        'evidence/a.png': 'data:image/png;base64,AAAA" onerror="alert(1)',
      },
      sentence: evil,
      notes: [evil],
      ...(target.representative && { representative: target.representative }),
      waterfalls: [hostile, { ...hostile, run: 2 }],
    };
    const made = reportOf(sketch);
    return {
      ...made,
      result: {
        ...made.result,
        startedAt: evil,
        browser: { product: evil, userAgent: evil },
        settings: { [evil]: evil },
      },
    };
  }

  const html = renderHtml(hostileReport());

  test('opens no element and ends none', () => {
    expect(html).not.toContain('<img');
    expect(html.match(/<title>/g)?.length).toBe(html.match(/<\/title>/g)?.length);
    expect(html).not.toContain('</noscript');
    // One for the page's own script, one for what it draws the waterfalls from.
    expect(html.match(/<\/script/g)).toHaveLength(2);
    expect(html.match(/<\/style/g)).toHaveLength(1);
  });

  test('holds no invisible characters and no halves of pairs', () => {
    expect(html.isWellFormed()).toBe(true);
    expect(markup(html)).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('[U+202E]');
  });

  test('makes links of http and https only', () => {
    for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g))
      expect(href).toMatch(/^(https?:\/\/|data:image\/svg|#|evidence\/[\w-]+\.png$|result\.json$)/);
    expect(html).not.toMatch(/href="[^"]*javascript:/);
    for (const [anchor] of html.matchAll(/<a [^>]*target="_blank"[^>]*>/g)) expect(anchor).toContain('noopener');
  });

  test('long URLs are shortened in sight and whole in the details', async () => {
    expect(wordsIn(html)).not.toContain('a'.repeat(1000));
    const [group] = await waterfallsIn(html);
    expect(group?.figures[0]?.runs[0].load.rows[2]?.url).toBe(long);
  });

  test('is harmless in what the script draws from as well', async () => {
    const [group] = await waterfallsIn(html);
    const text = JSON.stringify(group);
    expect(text).toContain('[U+202E]');
    expect(text).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(text.isWellFormed()).toBe(true);
    const rows = group?.figures.flatMap(({ runs }) => runs.flatMap(({ load }) => load.rows)) ?? [];
    expect(rows.map(({ followed }) => followed)).toEqual([false, false, true, false, false, true]);
  });
});

test('the script needs nothing from outside', () => {
  const source = /<script>([\s\S]*)<\/script>/.exec(renderHtml(failedReport()))?.[1] ?? '';
  expect(source.length).toBeGreaterThan(10_000);
  expect(source).not.toMatch(/__vi|__name|__vite|_jsx|import\(|require\(|import\.meta/);
  expect(source).not.toContain('</');
  expect(() => new Function(source)).not.toThrow();
});

test('a folder is called what it was typed as, beside where it was served', () => {
  const report = exampleReport();
  const folder = report.targets.map((each) => ({ ...each, result: { ...each.result, target: './dist' } }));
  const subject = (html: string) => /<p class="subject">.*?<\/p>/s.exec(html)?.[0].replace(/<[^>]+>/g, '');
  expect(subject(renderHtml({ ...report, targets: folder }))).toMatch(/\.\/dist at https:\/\/shop\.example\/$/);
  expect(subject(renderHtml(report))).not.toContain(' at ');
});
