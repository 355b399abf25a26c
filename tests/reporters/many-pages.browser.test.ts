import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { PAGES_AT_ONCE } from '../../src/reporters/html/index-page/search.ts';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import {
  examplePage,
  exampleReport,
  failedReport,
  reportOf,
  singleRunReport,
  sketchesOf,
  type TargetSketch,
} from './example-report.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

/** A page by its name, complete after so many milliseconds, with so many kilobytes. */
function named(name: string, median: number, size: number): TargetSketch {
  const sketch = examplePage();
  const { pageComplete, transferSize } = sketch.summary;
  if (pageComplete === undefined || transferSize === undefined) throw new Error('no example');
  const summary = {
    ...sketch.summary,
    pageComplete: { ...pageComplete, median },
    transferSize: { ...transferSize, median: size * 1000 },
  };
  return { ...sketch, title: name, target: `https://shop.example/${name}/`, summary };
}

const step = (sketch: TargetSketch, name: string): TargetSketch => ({ ...sketch, step: name });

/** Five pages, one with a step, one that nobody could measure. */
function index(): string {
  const [chairs, parasols, basket] = [
    named('chairs', 2_000, 90),
    named('parasols', 900, 400),
    named('basket', 1_500, 250),
  ];
  const all = [chairs, step(chairs, 'choose a colour'), parasols, basket, ...sketchesOf(failedReport())];
  const report = reportOf(...all, ...sketchesOf(singleRunReport()));
  const targets = report.targets.map(toTargetSummary);
  return renderHtml({ ...report, targets, pages: targets.map((_, i) => `pages/${i}.html`) });
}

const shown = (page: Page): Promise<readonly string[]> =>
  page.$$eval('table.index tbody tr:not([hidden]) th a:not(.anchor)', (all) => all.map((link) => link.textContent));
const status = (page: Page): Promise<string> => page.$eval('.index-tools [role=status]', (line) => line.textContent);
const press = (page: Page, name: string): Promise<void> =>
  page.$$eval('button', (all, words) => all.find((each) => each.textContent.startsWith(words))?.click(), name);

const WORST_FIRST = [
  'https://gone.example/',
  'chairs',
  'then: choose a colour',
  'basket',
  'https://shop.example/',
  'parasols',
];

test('pages are found by parts of their names and addresses, with their steps', () =>
  browser.show(index(), {}, async ({ page }) => {
    expect(await shown(page)).toEqual(WORST_FIRST);
    expect(await status(page)).toBe('');
    await page.type('.index-tools input', 'Shop CHAIR');
    expect(await shown(page)).toEqual(['chairs', 'then: choose a colour']);
    expect(await status(page)).toBe('1 of 5 pages found');
    await page.type('.index-tools input', ' nothing');
    expect(await shown(page)).toEqual([]);
    expect(await status(page)).toBe('0 of 5 pages found');
  }));

test('the table is narrowed to one kind of answer', () =>
  browser.show(index(), {}, async ({ page }) => {
    await press(page, 'not measured');
    expect(await shown(page)).toEqual(['https://gone.example/']);
    expect(await page.$$eval('.index-tools [aria-pressed=true]', (all) => all.map((each) => each.textContent))).toEqual(
      ['not measured 1'],
    );
    await press(page, 'all');
    expect(await shown(page)).toEqual(WORST_FIRST);
  }));

test('columns sort it, from the greatest on and back, and steps stay with their page', () =>
  browser.show(index(), {}, async ({ page }) => {
    const sorted = () => page.$$eval('table.index [aria-sort]', (all) => all.map((each) => each.ariaSort));
    await press(page, 'Size');
    expect(await sorted()).toEqual(['descending']);
    expect(await shown(page)).toEqual([
      'https://shop.example/',
      'parasols',
      'basket',
      'chairs',
      'then: choose a colour',
      'https://gone.example/',
    ]);
    await press(page, 'Size');
    expect(await sorted()).toEqual(['ascending']);
    // What has no figure stands last in either order.
    expect(await shown(page)).toEqual([
      'chairs',
      'then: choose a colour',
      'basket',
      'parasols',
      'https://shop.example/',
      'https://gone.example/',
    ]);
    await press(page, 'Page');
    expect((await shown(page)).slice(0, 2)).toEqual(['basket', 'chairs']);
    // A drawing cannot be sorted by, nor what no page has: the network is never idle here.
    expect(
      await page.$$eval('table.index thead th:not(:has(button))', (all) => all.map((each) => each.textContent)),
    ).toEqual([expect.stringMatching(/^0 to /), 'Network idle']);
  }));

test('pages that stand in the same file are searched as well, and open where the list leads to them', () => {
  const report = reportOf(...['a', 'b', 'c', 'd', 'e'].map((name, i) => named(name, 500 + 100 * i, 10)));
  return browser.show(renderHtml(report), {}, async ({ page }) => {
    const open = () =>
      page.$$eval('.one-of-many > summary h2', (all) =>
        all.filter((each) => each.checkVisibility()).map((each) => each.textContent),
      );
    expect(await open()).toEqual([]);
    await page.type('.index-tools input', 'b');
    expect(await shown(page)).toEqual(['b']);
    await page.click('table.index tbody tr:not([hidden]) th a');
    expect(await open()).toEqual(['b']);
  });
});

/** More pages than are shown at once, the slowest first: the last is called 0. */
function veryMany(): string {
  const [target] = reportOf(named('0', 500, 10)).targets.map(toTargetSummary);
  if (target === undefined) throw new Error('there is one');
  const { pageComplete } = target.result.summary;
  if (pageComplete === undefined) throw new Error('it has a time');
  const targets = Array.from({ length: PAGES_AT_ONCE + 50 }, (_, i) => {
    const summary = { ...target.result.summary, pageComplete: { ...pageComplete, median: 500 + i } };
    return { ...target, result: { ...target.result, title: `page ${i}`, summary } };
  });
  return renderHtml({ ...exampleReport(), targets, pages: targets.map((_, i) => `pages/${i}.html`) });
}

test('of very many the first are shown, and all when they are asked for', () =>
  browser.show(veryMany(), {}, async ({ page }) => {
    // Before the script took over, the style sheet showed as many.
    expect(await page.$eval('style', (style) => style.textContent)).toContain(`nth-child(n+${PAGES_AT_ONCE + 1})`);
    const visible = () =>
      page.$$eval('table.index tbody tr', (all) => all.filter((row) => row.checkVisibility()).length);
    expect(await visible()).toBe(PAGES_AT_ONCE);
    expect((await shown(page))[0]).toBe(`page ${PAGES_AT_ONCE + 49}`);
    await press(page, 'Page complete');
    await press(page, 'Page complete');
    expect(await shown(page)).toHaveLength(PAGES_AT_ONCE);
    expect((await shown(page))[0]).toBe('page 0');
    await page.type('.index-tools input', 'page 24');
    // 24, 124, 224 and 240 to 249, in whatever place they stand.
    expect(await shown(page)).toHaveLength(13);
    // By name 24 comes before 124.
    await press(page, 'Page');
    expect((await shown(page)).slice(0, 2)).toEqual(['page 24', 'page 124']);
    await page.$eval('.index-tools input', (input) => {
      (input as HTMLInputElement).value = '';
      input.dispatchEvent(new Event('input'));
    });
    await press(page, `Show all ${PAGES_AT_ONCE + 50} pages`);
    expect(await visible()).toBe(PAGES_AT_ONCE + 50);
    expect(await page.$eval('.index-more', (button) => button.checkVisibility())).toBe(false);
  }));

test.each([{ script: false }, { media: 'print' }] as const)('all of them are there with %o', (view) =>
  browser.show(veryMany(), view, async ({ page }) => {
    if ('media' in view) await page.evaluate(() => void dispatchEvent(new Event('beforeprint')));
    expect(await page.$$eval('table.index tbody tr', (all) => all.filter((row) => row.checkVisibility()).length)).toBe(
      PAGES_AT_ONCE + 50,
    );
  }),
);

test('without a script the table is whole, and nothing pretends to work', () =>
  browser.show(index(), { script: false }, async ({ page }) => {
    expect(await shown(page)).toEqual(WORST_FIRST);
    expect(await page.$eval('.index-tools', (tools) => getComputedStyle(tools).display)).toBe('none');
    expect(await page.$$('table.index button')).toEqual([]);
  }));

test.each(['light', 'dark'] as const)('it fits a telephone, %s', (scheme) =>
  browser.show(index(), { width: 390, scheme }, async ({ page }) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.$eval('.index-tools input', (input) => input.getBoundingClientRect().height)).toBeGreaterThan(24);
  }),
);
