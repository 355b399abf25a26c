import { describe, expect, test } from 'vitest';
import { columns as columnsOf, fit, pad, wrap } from '../../src/report/terminal/columns.ts';
import { renderTerminal } from '../../src/report/terminal/index.ts';
import { exampleReport, failedReport, reportOf, singleRunReport } from './example-report.ts';

const PLAIN = { color: false, width: 100 };

test('the example', () => {
  expect(renderTerminal(exampleReport(), PLAIN)).toMatchInlineSnapshot(`
    "https://shop.example/

      metric                    median  interval           runs
      Page complete             1.24 s  1.21–1.27 s  93 %  stable
      Time to first byte        212 ms  207–217 ms   93 %  stable
      First contentful paint    412 ms  402–421 ms   93 %  stable
      Largest contentful paint  702 ms  569–932 ms   93 %  disagrees
      Load event                688 ms  671–703 ms   93 %  stable
      Total blocking time        99 ms  89–109 ms    93 %  disagrees
      Cumulative layout shift    0.021  0.021        93 %  stable
      Transfer size             982 kB  982 kB       93 %  stable
      Requests                      32  32           93 %  stable

    The page was complete at 1.24 s, when the last response that it needed arrived:
    recommendations/c.webp.

    – Plain quiescence would never have called it complete: /events and /notify/poll were still open
      after 12.4 s.
    – Left out as background: 4 endpoints with 17 requests.

    4 background endpoints left out, and what counting it would cost:
      sse        GET https://shop.example/events?*       never complete
                 1 request, still open; text/event-stream: by its protocol it never ends (certain)
      long-poll  GET https://shop.example/notify/poll?*  never complete
                 4 requests, every 3.12 s, still open; the answer was withheld for 3.1 s and asked for
                 again 12 ms after it came, 3 times (certain)
      poll       GET https://shop.example/api/stock?*           +9.79 s
                 11 requests, every 1.00 s; asked again every 1.00 s (jitter 1 %), 11 times, from
                 setInterval in app.js (likely)
      beacon     POST https://metrics.example/collect           +179 ms
                 1 request; sendBeacon after the load event, answered 204 (certain)

    ! broken-request: 2 requests of the page failed, first https://shop.example/old-banner.js with HTTP
      404.

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
  for (const line of renderTerminal(exampleReport(), { color: false, width }).split('\n')) {
    expect(columnsOf(line), line).toBeLessThanOrEqual(width);
  }
});

test('colour is added and takes nothing away', () => {
  const coloured = renderTerminal(exampleReport(), { color: true, width: 100 });
  expect(coloured).toContain('\u001b[32mstable\u001b[39m');
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
