import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { client } from '../../src/report/html/client.ts';
import { renderHtml } from '../../src/report/html/index.tsx';
import { islandJson } from '../../src/report/html/island.ts';
import { sha256Base64 } from '../../src/report/html/sha256.ts';
import { exampleReport, failedReport, reportOf, shopWaterfall, singleRunReport, summarise } from './example-report.ts';

const SCRIPT = /<script>([\s\S]*?)<\/script>/;
const STYLE = /<style>([\s\S]*?)<\/style>/;

/** The report without its own script and style. */
function markup(html: string): string {
  return html.replace(SCRIPT, '').replace(STYLE, '');
}

/** What a reader sees, tags and islands taken away. */
function words(html: string): string {
  return markup(html)
    .replace(/<script type="application\/json"[\s\S]*?<\/script>/g, '')
    .replace(/<noscript[\s\S]*?<\/noscript>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

describe('the example', () => {
  const html = renderHtml(exampleReport());
  const text = words(html);

  test('says when the page was complete, and what plain quiescence would have said', () => {
    expect(text).toContain('The page was complete at 1.24 s');
    expect(text).toContain('1.21–1.27 s · 93 % interval of 5 runs');
    expect(text).toMatch(/Plain quiescence never with every request counted/);
  });

  test('holds every part', () => {
    for (const title of ['Where the time went', 'Metrics', 'Background traffic', 'Findings', 'Waterfall', 'Runs']) {
      expect(html, title).toMatch(new RegExp(`<h3[^>]*>${title}</h3>`));
    }
    expect(text).toContain('1 of 6 runs could not be measured.');
    expect(text).toContain('every moment is one or the other');
    expect(html).toContain('href="run-3.har"');
  });

  test('has a row for each request without the help of a script', () => {
    const [waterfall] = exampleReport().targets[0]?.waterfalls ?? [];
    const first = html.replace(/<noscript[\s\S]*?<\/noscript>/g, '');
    expect(first.match(/role="option"/g)).toHaveLength(waterfall?.rows.length ?? 0);
    expect(text).toContain('hero-1280.webp');
    expect(first).toContain('title="GET https://cdn.shop.example/img/hero-1280.webp"');
  });

  test('asks for nothing else and lets nothing else run', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const hash = (of: RegExp): string =>
      createHash('sha256')
        .update(of.exec(html)?.[1] ?? '')
        .digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${hash(SCRIPT)}'`);
    expect(policy).toContain(`style-src 'sha256-${hash(STYLE)}'`);
    expect(policy).not.toContain('unsafe');
    const rest = markup(html);
    expect(rest).not.toMatch(/\s(style|src|srcset|on[a-z]+)=/);
    expect(rest).not.toMatch(/<(img|iframe|object|embed|link rel="stylesheet")/);
  });
});

test('only failed runs: their messages, no empty tables', () => {
  const html = renderHtml(failedReport());
  expect(words(html)).toContain('2 of 2 runs could not be measured.');
  expect(words(html)).toContain('Run 2: No such host: https://gone.example/. Check the spelling.');
  for (const title of ['Metrics', 'Waterfall', 'Background traffic', 'Where the time went']) {
    expect(html, title).not.toContain(`>${title}</h3>`);
  }
});

test('one run: no interval, no breakdown, no choice of runs', () => {
  const html = renderHtml(singleRunReport());
  expect(words(html)).toContain('1 run, no interval');
  expect(words(html)).toContain('one run');
  expect(html).not.toContain('aria-label="Stages');
  expect(html).not.toContain('<select');
  expect(words(html)).toContain('None was seen: every request counts.');
});

test('a page that never completed says so', () => {
  const single = singleRunReport();
  const [target] = single.targets;
  const [run] = target?.result.runs ?? [];
  if (target === undefined || run === undefined) throw new Error('the example has a run');
  const never = {
    ...run,
    pageComplete: {
      state: 'never' as const,
      observedUntil: 60_000,
      raw: { state: 'never' as const },
      waitingFor: ['https://shop.example/slow'],
    },
    metrics: { load: 688 },
  };
  const html = renderHtml(
    reportOf({
      ...target.result,
      runs: [never],
      summary: summarise([never]),
      sentence: 'Never complete within 60 s: still waiting for https://shop.example/slow.',
      notes: [],
      representative: never,
      waterfalls: [{ run: 1, rows: [], milestones: [], observedUntil: 60_000 }],
    }),
  );
  expect(words(html)).toMatch(/Page complete never/);
  expect(words(html)).toContain('No requests were recorded.');
  expect(words(html)).not.toContain('median run');
});

test('an interrupted audit says so', () => {
  const report = exampleReport();
  expect(words(renderHtml({ ...report, result: { ...report.result, interrupted: true } }))).toContain(
    'This audit was ended early.',
  );
});

test('several targets have contents and a section each', () => {
  const both = [exampleReport(), failedReport()].flatMap((report) =>
    report.targets.map(({ result, ...rest }) => ({ ...result, ...rest })),
  );
  const html = renderHtml(reportOf(...both));
  expect(html).toContain('href="#t2"');
  expect(html.match(/<article/g)).toHaveLength(2);
  const ids = [...html.replace(/<noscript[\s\S]*?<\/noscript>/g, '').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
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
    const report = exampleReport();
    const [target] = report.targets;
    if (target === undefined) throw new Error('the example has a target');
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
      background: target.result.background.map((endpoint) => ({ ...endpoint, endpoint: evil, because: evil })),
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
    expect(html.match(/<\/noscript/g)).toHaveLength(1);
    // One for the page's own script, one for each island.
    expect(html.match(/<\/script/g)).toHaveLength(3);
    expect(html.match(/<\/style/g)).toHaveLength(1);
  });

  test('holds no invisible characters and no halves of pairs', () => {
    expect(html.isWellFormed()).toBe(true);
    expect(markup(html)).not.toMatch(/[\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
    expect(html).toContain('[U+202E]');
  });

  test('makes links of http and https only', () => {
    for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g))
      expect(href).toMatch(/^(https?:\/\/|data:image\/svg|#)/);
    expect(html).not.toMatch(/href="[^"]*javascript:/);
    for (const [anchor] of html.matchAll(/<a [^>]*target="_blank"[^>]*>/g)) expect(anchor).toContain('noopener');
  });

  test('long URLs are shortened in sight and whole in the details', () => {
    expect(words(html)).not.toContain('a'.repeat(1000));
    expect(html).toContain(long);
  });

  test('an island reads back as it was', () => {
    const value = { a: '</script><!--\u2028\u2029<' };
    expect(islandJson(value)).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(islandJson(value))).toEqual(value);
  });
});

test('the script needs nothing from outside', () => {
  const source = client.toString();
  expect(source).not.toMatch(/__vi|__name|__vite|_jsx|import\(|require\(|import\.meta/);
  expect(source).not.toContain('</');
  expect(() => new Function(`return ${source}`)).not.toThrow();
});

test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 5000])('sha256 of %i characters', (length) => {
  const text = 'aé€😀'.repeat(length).slice(0, length).toWellFormed();
  expect(sha256Base64(text)).toBe(createHash('sha256').update(text).digest('base64'));
});
