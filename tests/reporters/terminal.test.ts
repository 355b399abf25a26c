import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/default-policy.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { columns as columnsOf, fit, pad, wrap } from '../../src/reporters/terminal/columns.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { analysisReport, exampleReport, failedReport, reportOf, singleRunReport } from './example-report.ts';
import { BUDGETS } from './lab-example.ts';

const PLAIN = { color: false, width: 100 };

test('pages are called by their names; of many only a line each is shown', () => {
  const { result, columns, targets } = exampleReport();
  const [page] = targets;
  if (page === undefined) throw new Error('the example has a page');
  const pages = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...page, result: { ...page.result, name: `Page ${i + 1}` } }));
  const few = renderTerminal({ result, columns, targets: pages(2) }, PLAIN);
  expect(few).toMatch(/^ {2}Page 2 +1\.24 s/m);
  expect(few).toMatch(/^Page 2 {2}https:\/\/shop\.example\/$/m);
  const many = renderTerminal({ result, columns, targets: pages(11) }, PLAIN)
    .trimEnd()
    .split('\n');
  expect(many).toHaveLength(15);
  expect(many.slice(-2)).toEqual([
    '11 pages: 11 good; the slowest is complete at 1.24 s.',
    'The report has the details of each.',
  ]);
  // What is said of them together must not scroll away.
  const very = renderTerminal({ result, columns, targets: pages(1000) }, PLAIN)
    .trimEnd()
    .split('\n');
  expect(very).toHaveLength(45);
  expect(very).toContain('  and 960 more, which the report lists');
});

test('a folder is called what it was typed as', () => {
  const { result, columns, targets } = exampleReport();
  const typed = (target: string) =>
    renderTerminal(
      { result, columns, targets: targets.map((each) => ({ ...each, result: { ...each.result, target } })) },
      PLAIN,
    );
  expect(typed('./dist')).toMatch(/^\.\/dist {2}https:\/\/shop\.example\/\n/);
  for (const target of ['https://shop.example/', 'https://shop.example', 'shop.example', '/']) {
    expect(typed(target)).toMatch(/^https:\/\/shop\.example\/\n/);
  }
});

test('how long a page was watched is told where that is longer than its own quiet window asks for', () => {
  const { result, columns, targets } = exampleReport();
  const watched = (quietWindow: number): boolean => {
    const policy = { ...DEFAULT_POLICY, quietWindow };
    const all = targets.map((each) => ({ ...each, result: { ...each.result, policy } }));
    return renderTerminal({ result, columns, targets: all }, PLAIN).includes('Watched for 12.40 s');
  };
  expect([3_000, 12_000].map(watched)).toEqual([true, false]);
});

test('the example', () => {
  expect(renderTerminal(exampleReport(), PLAIN)).toMatchInlineSnapshot(`
    "https://shop.example/

    The page is complete after 1.24 s (1.21–1.27 s from 5 runs, stable). Tools that wait for a silent
    network would never finish here: a stream and a “notify” long poll keep the network busy.

      metric                    median  interval          runs
      Page complete             1.24 s  1.21–1.27 s  93%  stable
      Time to first byte        212 ms  207–217 ms   93%  stable
      First contentful paint    412 ms  402–421 ms   93%  stable
      Largest contentful paint  702 ms  569–932 ms   93%  disagrees
      Load event                688 ms  671–703 ms   93%  stable
      Total blocking time        99 ms  89–109 ms    93%  disagrees
      Cumulative layout shift    0.021  0.021        93%  stable
      Transfer size             982 kB  982 kB       93%  stable
      Requests                      32  32           93%  stable

    – The last thing the page needed was recommendations/c.webp.
    – wss://shop.example/chat/* looks like background (websocket), but counts: --foreground /chat.
    – Watched for 12.40 s: a poll every 1.00 s was asked twice more to be sure of its rhythm.
    ✓ With 2 endpoints blocked, the page looks the same (0.0% of pixels differ) and is complete at
      1.24 s, where network idle never calls it complete.

    Critical path: the page → app.20c9.js → /api/products → /api/reviews
    Half of the 1.24 s was spent waiting for the first byte of /api/reviews, requested by app.20c9.js:1
    after /api/products finished.

    4 background endpoints left out, and what counting each would do:
      sse        GET https://shop.example/events?*       never complete
                 text/event-stream: by its protocol it never ends (certain); its first content counts
      long-poll  GET https://shop.example/notify/poll?*  never complete
                 the answer was withheld for 3.1 s and asked for again 12 ms after it came, 3 times
                 (certain); changes nothing on the screen
      poll       GET https://shop.example/api/stock?*           +6.66 s
                 asked again every 1.00 s (jitter 1%), 11 times, from setInterval in app.js (likely);
                 keeps changing the screen
      beacon     POST https://metrics.example/collect           +179 ms
                 sendBeacon after the load event, answered 204 (certain)

    2 endpoints recognised as background, and counted:
      websocket    GET wss://shop.example/chat/*         counted
                   a WebSocket with 3 messages (certain); counted anyway, because of --foreground /chat
      http-stream  GET https://shop.example/api/reviews  counted
                   its headers came after 40 ms, then 9 pieces about 50 ms apart, with no length
                   (possible); counted anyway, because the page looks different without it

    ! stream-starvation (in 5 of 5 runs): 6 open streams filled all 6 connections to
      https://shop.example: img/late.webp waited 3.98 s for one, until 4.20 s.
      https://shop.example/events?channel=stock
      https://shop.example/img/late.webp
    ! live-content (in 5 of 5 runs): GET /api/stock keeps changing the screen. Its first content counts,
      its updates do not.
      https://shop.example/api/stock?sku=4107&t=1700000000
    ! broken-request (in 5 of 5 runs): 2 requests of the page failed, first
      https://shop.example/old-banner.js with HTTP 404.
      https://shop.example/old-banner.js
      https://ads.example/tag.js

    ✗ run 6 failed: Nothing listens at https://shop.example/ (net::ERR_CONNECTION_REFUSED). Start the
      server, or check the port.
    "
  `);
});

test('only failed runs', () => {
  expect(renderTerminal(failedReport(), PLAIN)).toMatchInlineSnapshot(`
    "https://gone.example/

    The page could not be measured: both runs failed.

    ✗ run 1 failed: No such host: https://gone.example/. Check the spelling.
    ✗ run 2 failed: No such host: https://gone.example/. Check the spelling.
    "
  `);
});

test('a single run has no interval', () => {
  const text = renderTerminal(singleRunReport(), PLAIN);
  expect(text).toMatch(/Page complete\s+1\.24 s\s+–\s+one run/);
});

test('an audit that was ended early says so', () => {
  const report = exampleReport();
  const text = renderTerminal({ ...report, result: { ...report.result, interrupted: true } }, PLAIN);
  expect(text).toContain('Ended early');
});

test('only headline metrics are shown', () => {
  const text = renderTerminal(exampleReport(), PLAIN);
  expect(text).toContain('Largest contentful paint');
  expect(text).not.toContain('Network complete');
});

test.each([40, 60, 80, 120, 200])('no line is wider than %i columns', (width) => {
  for (const report of [exampleReport(), analysisReport()]) {
    for (const line of renderTerminal(report, { color: false, width }).split('\n')) {
      expect(columnsOf(line), line).toBeLessThanOrEqual(width);
    }
  }
});

test('an analysis begins with all pages at a glance', () => {
  const text = renderTerminal(analysisReport(), { color: false, width: 80 });
  expect(text.split('\n\n')[0]).toMatchInlineSnapshot(`
    "  recorded page            page complete   network idle  background
      recordings/broken.har     not analysed              –           –
      recordings/checkout.har  not confirmed  not confirmed           0
      shop.example.har.gz             1.24 s          never           4"
  `);
  expect(text).toContain('What is missing:\n  – 1.79 s more of silence\n  – the load event: the file has no onLoad\n');
  expect(text).toContain('✗ log.entries[12].startedDateTime: not a date');
  expect(text).toMatch(/metric +value\n/);
  expect(text).not.toMatch(/median|\brun\b/);
});

test('pages with budgets have a column for them, also where there is no room for others', () => {
  const { targets } = exampleReport();
  const several = [...targets, ...targets].map(({ result, ...rest }, i) => ({
    ...rest,
    result: { ...result, target: `page ${i}`, ...(i === 0 && { budgets: BUDGETS }) },
  }));
  const lines = (width: number) =>
    renderTerminal({ ...exampleReport(), targets: several }, { color: false, width })
      .split('\n')
      .slice(0, 3);
  expect(lines(100)).toMatchInlineSnapshot(`
    [
      "  page    page complete  budgets       runs    network idle  background",
      "  page 0         1.24 s  ✗ 2 exceeded  stable         never           4",
      "  page 1         1.24 s  –             stable         never           4",
    ]
  `);
  expect(lines(40)).toMatchInlineSnapshot(`
    [
      "  page    page complete  budgets",
      "  page 0         1.24 s  ✗ 2 exceeded",
      "  page 1         1.24 s  –",
    ]
  `);
});

test('a page full of trackers is cut short', () => {
  const report = exampleReport();
  const [target] = report.targets;
  const [model] = target?.result.background ?? [];
  if (target === undefined || model === undefined) throw new Error('the example has background traffic');
  const background = Array.from({ length: 30 }, (_, i) => ({ ...model, endpoint: `GET https://shop.example/b${i}` }));
  const { result, ...rest } = target;
  const text = renderTerminal(reportOf({ ...result, ...rest, background }), PLAIN);
  expect(text).toContain('30 background endpoints left out');
  expect(text).toContain('and 18 more, which the report lists');
});

test('what nobody can price has no price', () => {
  const report = exampleReport();
  const [target] = report.targets;
  if (target === undefined) throw new Error('the example has a target');
  const { result, ...rest } = target;
  const background = result.background.map(({ cost: _, countedState: _state, ...endpoint }) => endpoint);
  const text = renderTerminal(reportOf({ ...result, ...rest, background }), PLAIN);
  expect(text).toContain('4 background endpoints left out:\n  sse        GET https://shop.example/events?*\n');
});

test('what changes the page is told without a tick, and is no fault', () => {
  const report = exampleReport();
  const [target] = report.targets;
  const evidence = target?.result.evidence;
  if (target === undefined || evidence?.ablation === undefined) throw new Error('the example has evidence');
  const { result, ...rest } = target;
  const ablation = { ...evidence.ablation, same: false, sentence: 'It looks different.' };
  const text = renderTerminal(reportOf({ ...result, ...rest, evidence: { ...evidence, ablation } }), PLAIN);
  expect(text).toContain('– It looks different.');
  expect(text).not.toContain('✓');
});

test('colour is added and takes nothing away', () => {
  const coloured = renderTerminal(exampleReport(), { color: true, width: 100 });
  expect(coloured).toContain('\u001b[2mstable\u001b[22m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is taken out
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderTerminal(exampleReport(), PLAIN));
});

test('a page cannot write to the terminal', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202eevil\u009b31m\r\nline';
  const report = reportOf({
    target: evil,
    url: `https://shop.example/${evil}`,
    runs: [{ index: 1, role: 'timed', ok: false, failure: { code: 'x', message: evil } }],
    summary: {},
    background: [
      {
        kind: 'poll',
        endpoint: `GET ${evil}`,
        urls: [],
        requests: 2,
        firstStartedAt: 0,
        lastActivityAt: 1,
        stillOpen: false,
        because: evil,
        confidence: 'likely',
        excluded: false,
        visualImpact: 'unknown',
      },
    ],
    sentence: evil,
    notes: [evil],
    waterfalls: [],
  });
  const text = renderTerminal(report, PLAIN);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(text).toContain('[U+001B]');
});

describe('columns', () => {
  test('count what a terminal shows', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('日本')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('😀')).toBe(2);
  });

  test('fit keeps both ends', () => {
    expect(fit('https://shop.example/a/b/c', 11)).toBe('https…a/b/c');
    expect(fit('日本語日本語', 5)).toBe('日…語');
    expect(fit('abc', 3)).toBe('abc');
    expect(fit('abc', 1)).toBe('…');
    expect(fit('abc', 0)).toBe('');
  });

  test('pad fills and wrap breaks', () => {
    expect(pad('日', 4)).toBe('日  ');
    expect(wrap('one two  three', 7)).toEqual(['one two', 'three']);
    expect(wrap('https://shop.example/path', 11)).toEqual(['https…/path']);
    expect(wrap('', 10)).toEqual([]);
  });
});

test('what was recorded several times agrees or not in its recordings', () => {
  const { result, columns, targets } = exampleReport();
  const analysed = { result: { ...result, kind: 'analysis' as const }, columns, targets };
  expect(renderTerminal(analysed, PLAIN)).toMatch(/metric +median +interval +recordings\n/);
  expect(renderHtml(analysed)).toContain('Recordings agree');
});
