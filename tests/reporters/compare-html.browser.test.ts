import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CompareReport } from '../../src/model/result/report.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { comparisonReport } from './comparison.ts';
import { measureContrast } from './contrast.ts';
import { isLive, openReportBrowser, type ReportBrowser, type View } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

/** Looks at a comparison with all its chapters unfolded, as they are without a script and on paper anyway. */
const withComparison = (report: CompareReport, view: View, look: (page: Page) => Promise<void>): Promise<void> =>
  browser.show(renderComparisonHtml(report), view, async ({ page }) => {
    if (view.script !== false && view.media === undefined) {
      await page.$$eval('details.folded', (chapters) => {
        for (const chapter of chapters) chapter.open = true;
      });
      await page.waitForFunction(isLive);
    }
    await look(page);
  });

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Looks at one report in windows of all widths, px. */
const atEveryWidth = (report: CompareReport, look: (page: Page, width: string) => Promise<void>): Promise<void> =>
  withComparison(report, {}, async (page) => {
    for (const width of [390, 768, 1024, 1280, 1920]) {
      await page.setViewport({ width, height: 900 });
      await look(page, `at ${width} px`);
    }
  });

describe('at every width', () => {
  test.each([
    ['a regression', { dropped: 2, different: true }],
    ['an interval without ends', { outcome: 'unsure', blocks: 2, unbounded: 'both', interrupted: true }],
    ['forty pairs', { outcome: 'unsure', blocks: 20 }],
    ['an address of five thousand letters', { hostile: `https://shop.example/${'x'.repeat(5000)}`, dropped: 3 }],
    ['a name without a break', { hostile: 'y'.repeat(900), dropped: 3 }],
  ] as const)('nothing overflows sideways: %s', (_, options) =>
    atEveryWidth(comparisonReport(options), async (page, width) => {
      expect(await overflow(page), width).toBeLessThanOrEqual(0);
    }),
  );

  test('drawings lie within their place', () =>
    atEveryWidth(comparisonReport({ dropped: 2 }), async (page, width) => {
      const outside = await page.$$eval('.gate', (gates) =>
        gates.flatMap((gate) => {
          const frame = gate.getBoundingClientRect();
          return [...gate.querySelectorAll('.load, .bar, .estimate, .ticks text')]
            .map((mark) => mark.getBoundingClientRect())
            .filter(
              (box) =>
                box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom,
            );
        }),
      );
      expect(outside, width).toEqual([]);
    }));

  test.each([0.01, 0.06, 0.15, 0.17, 0.18, 0.3, 2])(
    'labels of an interval up to %f do not cover each other',
    (high) => {
      const report = comparisonReport();
      const comparisons = report.result.comparisons.map((each) =>
        each.difference === undefined ? each : { ...each, difference: { ...each.difference, low: -0.01, high } },
      );
      return atEveryWidth({ ...report, result: { ...report.result, comparisons } }, async (page, width) => {
        const labels = await page.$$eval('.gate', (gates) =>
          gates.map((gate) =>
            [...gate.querySelectorAll('.ticks text')]
              .map((label) => label.getBoundingClientRect())
              .toSorted((a, b) => a.left - b.left)
              .every((box, i, all) => i === 0 || (all[i - 1]?.right ?? 0) <= box.left),
          ),
        );
        expect(labels, width).toEqual([true, true]);
      });
    },
  );
});

test('the two waterfalls are filtered, grouped, sorted and magnified together', () =>
  withComparison(comparisonReport(), {}, async (page) => {
    const shown = (selector: string) =>
      page.$$eval('.run', (runs, rows) => runs.map((run) => run.querySelectorAll(rows).length), selector);
    expect(await shown('.frame.live')).toEqual([1, 1]);
    await page.$$eval('.more-tools', (buttons) => buttons.map((button) => (button as HTMLButtonElement).click()));
    await page.type('.waterfall:nth-of-type(2) input[type=search]', 'old-banner');
    expect(await shown('.r')).toEqual([1, 0]);
    expect(
      await page.$$eval('input[type=search]', (inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).toEqual(['old-banner', 'old-banner']);
    await page.click('.waterfall button[data-reset]');
    await page.select('.waterfall select[name=group]', 'type');
    await page.click('.waterfall button[data-fold=all]');
    expect(await shown('.r.head-of')).toEqual([8, 8]);
    expect(await shown('.r:not(.head-of)')).toEqual([0, 0]);
    await page.click('.waterfall button[data-sort=size]');
    expect(await shown('[aria-sort=descending]')).toEqual([1, 1]);
    const quiet = () =>
      page.$$eval('.behind .quiet', (bands) => bands.map((band) => Math.round(band.getBoundingClientRect().width)));
    const [near = 0] = await quiet();
    await page.$$eval('.waterfall button', (buttons) =>
      buttons.find((button) => button.textContent.startsWith('Whole recording'))?.click(),
    );
    const [far = 0, other = 0] = await quiet();
    expect(far).not.toBe(near);
    expect(other).toBe(far);
  }));

test('the same moment is at the same place in both waterfalls', () =>
  withComparison(comparisonReport(), {}, async (page) => {
    const ticks = await page.$$eval('.run', (runs) =>
      runs.map((run) =>
        [...run.querySelectorAll('.ticks text')].map((tick) => [
          tick.textContent,
          Math.round(tick.getBoundingClientRect().left),
        ]),
      ),
    );
    expect(ticks[0]?.length).toBeGreaterThan(2);
    expect(ticks[0]).toEqual(ticks[1]);
  }));

test('details of a row of either build can be opened', () =>
  withComparison(comparisonReport(), {}, async (page) => {
    for (const build of ['base', 'candidate']) {
      await page.focus(`.waterfall[data-figure=${build}] .grid`);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      // One at a time, whichever waterfall it belongs to.
      expect(
        await page.$$eval('.panel:not([hidden])', (panels) => panels.map(({ textContent }) => textContent)),
      ).toEqual([expect.stringContaining('base.4f1c.css')]);
    }
  }));

test('hostile texts do nothing', () => {
  const hostile = `</script></style></svg><img src=x onerror="document.title='owned'"><a href="javascript:document.title='owned'">x</a>\u202e\u2028\ud800`;
  return withComparison(comparisonReport({ hostile, dropped: 1 }), {}, async (page) => {
    for (const summary of await page.$$('summary:not(.folded > summary)')) await summary.click();
    await page.focus('.grid');
    await page.keyboard.press('Home');
    expect(await page.title()).not.toBe('owned');
    expect(await page.$$('img:not(.shot img, .viewer img)')).toHaveLength(0);
    expect(await page.$$eval('a', (links) => links.filter((link) => link.protocol === 'javascript:').length)).toBe(0);
    expect(await page.$eval('h1', (title) => title.textContent)).toContain('</script></style></svg><img src=x');
  });
});

test('a load or an interval is never told by its colour alone', () =>
  withComparison(comparisonReport({ outcome: 'faster' }), {}, async (page) => {
    // A ring and a square.
    expect(await page.$$eval('.loads .of-base.load', (marks) => marks.every((mark) => mark.tagName !== 'rect'))).toBe(
      true,
    );
    expect(
      await page.$$eval('.loads .of-candidate.load', (marks) => marks.every((mark) => mark.tagName !== 'circle')),
    ).toBe(true);
    expect(
      await page.$$eval('.badge', (badges) => badges.every((badge) => /^[▲▼=?] \w+/.test(badge.textContent ?? ''))),
    ).toBe(true);
    const red = await page.$$eval('.badge.better, .verdict.better, .answer.better .big', (better) =>
      better.map((each) => getComputedStyle(each).color),
    );
    expect(red.length).toBeGreaterThan(2);
    for (const color of red) {
      const [r = 0, g = 0] = (color.match(/\d+/g) ?? []).map(Number);
      expect(r, color).toBeLessThan(g);
    }
  }));

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test.each(['slower', 'unsure', 'faster', 'invalid'] as const)(
    'text of a comparison that is %s can be read',
    (outcome) =>
      withComparison(comparisonReport({ outcome, different: true, dropped: 1 }), { scheme }, async (page) => {
        await measureContrast(page);
        const poor = await page.evaluate(() => {
          const found: string[] = [];
          for (const element of document.querySelectorAll(
            '.builds *, .notice *, .verdict *, .statement, .answer *, .gate *, .ch, .badge, .bytes *, .findings *, .host, .fair *, .change-cell *, .plot .axis span, .ticks text, .medians *',
          )) {
            const told = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
            if (!told || element.tagName === 'title') continue;
            const ratio = contrastOf(element);
            if (ratio < 4.5) found.push(`${element.tagName} ${element.getAttribute('class')} ${ratio.toFixed(2)}`);
          }
          return [...new Set(found)];
        });
        expect(poor).toEqual([]);
      }),
  );
});

test('without a script both waterfalls, the tables and the drawings are there', () =>
  withComparison(comparisonReport(), { script: false }, async (page) => {
    expect(await page.$$eval('.run', (runs) => runs.filter((run) => run.checkVisibility()).length)).toBe(2);
    expect(await page.$$eval('.loads', (strips) => strips.length)).toBeGreaterThan(10);
    expect(await page.$$eval('.tools', (tools) => tools.some((tool) => tool.checkVisibility()))).toBe(false);
  }));

test('on paper nothing is cut off at the side', () =>
  withComparison(comparisonReport({ dropped: 2 }), { media: 'print', width: 794 }, async (page) => {
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const cut = await page.$$eval(
      '.scroll',
      (tables) => tables.filter((each) => each.scrollWidth > each.clientWidth + 8).length,
    );
    expect(cut).toBe(0);
  }));
