import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { measureContrast } from './contrast.ts';
import {
  analysisReport,
  exampleReport,
  failedReport,
  reportOf,
  singleRunReport,
  sketchesOf,
} from './example-report.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

/** More pages than are unfolded at once. */
const many = (): AuditReport =>
  reportOf(...[exampleReport, failedReport, singleRunReport, singleRunReport].flatMap((each) => sketchesOf(each())));

test('a link of the index unfolds its page, also without a script', async () => {
  for (const script of [true, false]) {
    await browser.show(renderHtml(many()), { script }, async ({ page }) => {
      const seen = () => page.$eval('#t3', (article) => article.checkVisibility({ contentVisibilityAuto: true }));
      const open = () => page.$eval('#t3', (article) => article.closest('details')?.open);
      expect(await open()).toBe(false);
      await page.focus('.contents a[href="#t3"]');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('#t3')?.closest('details')?.open === true, {
        polling: 'raf',
      });
      expect(await seen()).toBe(true);
      expect(await page.$eval('#t3', (article) => article.getBoundingClientRect().top < innerHeight)).toBe(true);
    });
  }
});

test('a page that is unfolded by hand shows its waterfall', () =>
  browser.show(renderHtml(many()), {}, async ({ page }) => {
    await page.$eval('#t1', (article) => article.closest('details')?.querySelector('summary')?.click());
    await page.waitForFunction(
      () => [...document.querySelectorAll('#t1 .frame')].some((frame) => frame.getBoundingClientRect().height > 100),
      { polling: 'raf' },
    );
    expect(await page.$eval('#t1 .frame', (frame) => frame.textContent)).toContain('hero-1280.webp');
  }));

test('paper shows what is folded on the screen', () =>
  browser.show(renderHtml(many()), { media: 'print' }, async ({ page }) => {
    const heights = await page.$$eval('details.one-of-many:not([open]) article', (all) =>
      all.map((article) => article.getBoundingClientRect().height),
    );
    expect(heights).toHaveLength(4);
    for (const height of heights) expect(height).toBeGreaterThan(100);
  }));

const STATES: Readonly<Record<string, () => AuditReport>> = {
  'an audit': exampleReport,
  'several pages': many,
  'a failed audit': failedReport,
  'an analysis': analysisReport,
};

test.each(Object.keys(STATES).flatMap((state) => [390, 1280, 2560].map((width) => [state, width] as const)))(
  '%s fits into %i px',
  (state, width) =>
    browser.show(renderHtml((STATES[state] ?? exampleReport)()), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }),
);

test.each(['light', 'dark'] as const)('every text of the new parts can be read, %s', (scheme) =>
  browser.show(renderHtml(many()), { scheme }, async ({ page }) => {
    await page.$$eval('details', (all) => {
      for (const details of all) details.open = true;
    });
    await measureContrast(page);
    const poor = await page.$$eval(
      '.statement span, .figures *, .contents *, .one-of-many summary *, .even td *, .host *, .fair *, .downloads *, .notes li',
      (all) =>
        all
          .filter((element) => !(element instanceof SVGElement) && (element.textContent ?? '').trim() !== '')
          .filter((element) => globalThis.contrastOf(element) < 4.5)
          .map((element) => `${element.className}: ${element.textContent?.slice(0, 40)}`),
    );
    expect(poor).toEqual([]);
  }),
);
