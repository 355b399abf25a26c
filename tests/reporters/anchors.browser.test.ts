import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderTrendHtml } from '../../src/reporters/html/trend/trend.tsx';
import { comparisonReport } from './comparison.ts';
import { exampleReport } from './example-report.ts';
import { labReport } from './lab-example.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';
import { usual } from './trend-example.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

const REPORTS: Readonly<Record<string, () => string>> = {
  'an audit': () => renderHtml(exampleReport()),
  'several pages with steps': () => renderHtml(labReport()),
  'a comparison': () => renderComparisonHtml(comparisonReport()),
  'a trend': () => renderTrendHtml(usual),
};

test.each(Object.keys(REPORTS))('%s: every heading and every row of a table has a link to itself', (name) =>
  browser.show(REPORTS[name]?.() ?? '', {}, async ({ page }) => {
    const places = await page.$$eval(
      'main :is(h2, h3, h4, h5, tbody tr):not(.unseen, .which, summary *, .explained *)',
      (all) =>
        all.map((place) => {
          const inside = [...place.querySelectorAll('a')].some((link) => link.hash === `#${place.id}`);
          const beside = [...(place.parentElement?.querySelectorAll(':scope > a') ?? [])];
          const has =
            inside || beside.some((link) => link instanceof HTMLAnchorElement && link.hash === `#${place.id}`);
          return { id: place.id, has, text: place.textContent?.trim().slice(0, 40) };
        }),
    );
    expect(places.length).toBeGreaterThan(10);
    expect(places.filter(({ id, has }) => id === '' || !has)).toEqual([]);
    expect(new Set(places.map(({ id }) => id)).size).toBe(places.length);
  }),
);

test('a link to a row leads there, and is reached with the keyboard', () =>
  browser.show(renderHtml(exampleReport()), {}, async ({ page }) => {
    await page.$eval('#t1-all-figures', (title) => title.closest('details')?.setAttribute('open', ''));
    await page.focus('#all-figures-row3 .anchor');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#all-figures-row3');
    expect(await page.$eval('#all-figures-row3', (row) => row.matches(':target'))).toBe(true);
    await page.reload();
    const top = await page.$eval('#all-figures-row3', (row) => row.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(900);
  }));

test('without a script, a row has its address all the same', () =>
  browser.show(renderHtml(exampleReport()), { script: false }, async ({ page }) => {
    expect(
      await page.$$eval('main tbody tr:not(.explained *)', (rows) => rows.filter(({ id }) => id === '').length),
    ).toBe(0);
  }));
