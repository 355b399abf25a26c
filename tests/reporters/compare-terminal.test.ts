import { describe, expect, test } from 'vitest';
import { columns as columnsOf } from '../../src/reporters/terminal/columns.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { comparisonReport } from './comparison.ts';

const PLAIN = { color: false, width: 120 };
const EVIL = '\u001b[31mred\u001b[0m \u202eevil\u0007 | @team \n new line';

test('the decision comes first', () => {
  expect(renderComparison(comparisonReport(), PLAIN)).toMatchInlineSnapshot(`
    "▲ The candidate is slower. Page complete is 8.5% slower (6.6% to 10.4%).
      Why: new poll /api/presence, new widget.js, new summary

      base       ./dist-base  (http://127.0.0.1:41001/)
      candidate  ./dist-candidate  (http://127.0.0.1:41002/)

      metric                      base  candidate   change  interval           better ◂ 0 ▸ worse      decision
    ● Page complete             1.26 s     1.37 s    +8.5%  +6.6% to +10%   ───────[────┼────]─━━●━━─  ▲ slower, gate fails
    ● Largest contentful paint  715 ms     715 ms    +0.1%  −1.0% to +1.6%  ───────[───━●━━──]───────  = same
      Network complete          1.26 s     1.37 s    +8.5%  +7.2% to +9.8%  ───────[────┼────]─━━●━──  ▲ slower
      Time to first byte        214 ms     233 ms    +8.5%  +7.2% to +9.8%  ───────[────┼────]─━━●━──  ▲ slower
      First contentful paint    418 ms     421 ms    +0.7%  −0.3% to +2.0%  ───────[────┼●━──]───────  = same
      DOM content loaded        554 ms     603 ms    +8.5%  +7.2% to +9.8%  ───────[────┼────]─━━●━──  ▲ slower
      Load event                695 ms     757 ms    +8.5%  +7.2% to +9.8%  ───────[────┼────]─━━●━──  ▲ slower
      Total blocking time         0 ms      15 ms  +8.0 ms  0 ms to +22 ms  ───────[────┼━━━●]━━━━━━─  ? unsure
      Cumulative layout shift        0          0        0  0               ───────[────●────]───────  = same
      Transfer size             982 kB    1.06 MB    +8.0%  +8.0%           ───────[────┼────]──●────  ▲ larger
      Requests                      32         34    +6.3%  +6.3%           ───────[────┼────]●──────  ▲ more
      ● gate metric: it decides. Intervals hold the true change in 97.5% (gates) and 95% of such comparisons; [ ] is the
      smallest change that matters.
      The change is the typical difference of two loads that were made side by side (Hodges–Lehmann). It can differ from
      that of the medians, which do not know which loads belong together.

    = Largest contentful paint did not change by more than 5% (−1.0% to 1.6%).

    Background traffic that only one build has:
    + poll GET https://shop.example/api/presence?*
      asked again every 1.00 s (jitter 2%), 9 times, from setInterval in app.js; only in the candidate

    Besides time
    2 requests added
      + GET https://reviews.example/widget.js  61 kB
      + GET https://shop.example/api/reviews/summary  2.4 kB
    1 request removed
      − GET https://shop.example/old-banner.js  480 B
    1 request grown
      ▲ GET https://cdn.shop.example/js/app.*.js  97 kB → 168 kB (+72 kB)
    1 request shrunk
      ▼ GET https://cdn.shop.example/css/product.*.css  18 kB → 14 kB (−4.2 kB)
    Transferred bytes
      script      245 kB → 377 kB (+132 kB)
      stylesheet  28 kB → 24 kB (−4.2 kB)
      fetch       9.7 kB → 12 kB (+2.4 kB)
    Other sites that only the candidate talks to: reviews.example
    ! Third party blocking, only in the candidate: A script of reviews.example kept the main thread busy for 132 ms before
      the first paint.
    ! Broken request, only in the base: 1 request of the page failed, https://shop.example/old-banner.js with HTTP 404.

    – 24 pairs of loads in 12 blocks of four, in random order (seed 4711); a change within ±5% does not matter.
    – Every gate metric was decided after 24 pairs; 40 had been planned at most.
    – 3 loads were repeated because the machine was busy with other work.
    ✓ The machine was the same for both builds: its own speed differed by 0.1% (−0.6% to 0.9%).
    "
  `);
});

test('pages that differ are told before any figure', () => {
  const text = renderComparison(comparisonReport({ different: true }), PLAIN);
  const [before = ''] = text.split('The two pages are not the same page');
  expect(before).toBe('');
  expect(text.indexOf('two different pages were loaded')).toBeLessThan(text.search(/\d%/));
});

test('other traffic alone does not stand before the answer', () => {
  const report = comparisonReport();
  const pageDifferences = [{ code: 'background', message: 'The builds differ in their background traffic.' }] as const;
  const text = renderComparison({ ...report, result: { ...report.result, pageDifferences } }, PLAIN);
  expect(text).toMatch(
    /^▲ The candidate is slower\..*\n {2}Why: .*\n\n! The builds differ in their background traffic\.\n\n {2}base/,
  );
});

test('an interval without ends is said and drawn to be', () => {
  const text = renderComparison(comparisonReport({ outcome: 'unsure', blocks: 2, unbounded: 'both' }), PLAIN);
  expect(text).toMatch(/Page complete .* unbounded\s+◀━.*━▶\s+\? unsure/);
});

test('a comparison that is not valid decides nothing', () => {
  const text = renderComparison(comparisonReport({ outcome: 'invalid' }), { ...PLAIN, color: true });
  expect(text).toContain('✗ This comparison is not valid');
  // Red is what says so and the host; no metric.
  const metrics = text.split('\n').filter((line) => /Page complete|Load event/.test(line) && line.includes('▲'));
  expect(metrics.length).toBeGreaterThan(0);
  for (const line of metrics) expect(line).not.toContain('\u001b[31m');
});

test('what is better is never red', () => {
  const text = renderComparison(comparisonReport({ outcome: 'faster', unchanged: true }), { ...PLAIN, color: true });
  expect(text).toContain('\u001b[32m▼ faster');
  expect(text).not.toContain('\u001b[31m▼');
});

test('blocks that do not count, failures and an early end are told', () => {
  const text = renderComparison(comparisonReport({ dropped: 2, interrupted: true }), PLAIN);
  expect(text).toContain('! Block 3 does not count: a load of the candidate failed twice: HTTP 503.');
  expect(text).toMatch(/✗ The \w+ failed in \d of 31 loads: The server answered HTTP 503\./);
  expect(text).toContain('Ended early');
});

test('nothing measured is no table', () => {
  const text = renderComparison(comparisonReport({ empty: true }), PLAIN);
  expect(text).toContain('Undecided: nothing could be compared.');
  expect(text).not.toContain('metric');
  expect(text).not.toContain('nothing changed');
});

describe.each([40, 60, 80, 100, 120, 160, 200])('at %i columns', (width) => {
  test('no line is wider, and every change and decision is there', () => {
    for (const options of [
      { dropped: 2, different: true },
      { outcome: 'unsure', blocks: 2, unbounded: 'low' },
      { outcome: 'invalid' },
      { hostile: `https://shop.example/${'x'.repeat(3000)}` },
    ] as const) {
      const report = comparisonReport(options);
      const text = renderComparison(report, { color: false, width });
      for (const line of text.split('\n')) expect(columnsOf(line), line).toBeLessThanOrEqual(width);
      expect(text).toContain('Largest contentful paint');
      expect(text.match(/ [▲▼=?] (slower|faster|same|unsure)/g)?.length).toBeGreaterThan(4);
    }
  });
});

test('what a page says cannot move the cursor', () => {
  const text = renderComparison(comparisonReport({ hostile: EVIL, dropped: 1 }), PLAIN);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
  expect(text).toContain('[U+001B]');
});
