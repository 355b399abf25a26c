import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { measureContrast } from './contrast.ts';
import { analysisReport, exampleReport, failedReport, reportOf } from './example-report.ts';
import { type Opened, openReportBrowser, type ReportBrowser, type View } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

const withReport = (report: AuditReport, view: View, look: (opened: Opened) => Promise<void>): Promise<void> =>
  browser.show(renderHtml(report), view, look);

describe.each([390, 720, 1280])('at %i px', (width) => {
  test('nothing overflows sideways, with a long address neither', () =>
    withReport(exampleReport(), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      // A finger scrolls the contents sideways; a mouse does not.
      const bar = await page.$eval('.contents-bar ul', (list) => list.scrollWidth - list.clientWidth);
      if (width > 390) expect(bar).toBe(0);
      const [target] = exampleReport().targets;
      if (target === undefined) return;
      const long = `https://shop.example/${'x'.repeat(5000)}`;
      const { result, ...rest } = target;
      const report = reportOf({
        ...result,
        ...rest,
        url: long,
        finalUrl: `${long}y`,
        title: 'y'.repeat(900),
        sentence: long,
        background: result.background.map((endpoint) => ({
          ...endpoint,
          endpoint: `GET ${long}`,
          because: long,
          overruledBy: long,
        })),
        ...(result.evidence?.ablation && {
          evidence: {
            ...result.evidence,
            watchedBecause: long,
            pictures: result.evidence.pictures.map((picture) => ({ ...picture, caption: long })),
            ablation: { ...result.evidence.ablation, held: [long], sentence: long },
          },
        }),
      });
      await withReport(report, { width }, async ({ page: second }) => {
        expect(await second.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      });
    }));
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test('text can be read', () =>
    withReport(exampleReport(), { scheme }, async ({ page }) => {
      await page.$$eval('details', (all) => {
        for (const details of all) details.open = true;
      });
      await page.click('.more-tools');
      await measureContrast(page);
      const poor = await page.evaluate(() => {
        const found: string[] = [];
        for (const selector of [
          'body',
          '.statement',
          '.subject a',
          '.judged',
          '.because',
          '.trust a',
          '.figure',
          '.figures .rating',
          '.figures b',
          '.folded h3',
          '.folded .line',
          '.path-sentence',
          '.contents-bar a',
          '.copy',
          '.notes li',
          '.lead',
          '.notice',
          'thead th',
          'tbody th small',
          'td',
          '.outcome',
          '.host',
          '.fair dt',
          'td small',
          'td code',
          '.urls a',
          '.proof .sentence',
          '.shot figcaption span',
          '.held h4',
          '.r:not(.f) i',
          '.r .n span',
          '.r.f .n span',
          '.r.g .n b',
          '.r.g i',
          '.tools button',
          '.tools button[aria-pressed=true]',
          '.tools small',
          '.shown',
          '.keys',
          '.legend li',
          '.facts dt',
          '.head [role=columnheader]',
          '.track span',
          '.track b',
          '.n abbr',
          '.tools label',
        ]) {
          const element = document.querySelector(selector);
          if (element === null) {
            found.push(`${selector} is missing`);
            continue;
          }
          const ratio = contrastOf(element);
          if (ratio < 4.5) found.push(`${selector} ${ratio.toFixed(2)}`);
        }
        return found;
      });
      expect(poor).toEqual([]);
      const body = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(body).toBe(scheme === 'dark' ? 'rgb(19, 22, 24)' : 'rgb(246, 245, 241)');
    }));
});

test('an analysis fits every width', async () => {
  for (const width of [390, 768, 1280]) {
    await withReport(analysisReport(), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await page.$eval('.target > .notice', (notice) => notice.textContent)).toMatch(/1\.79\ss more of silence/);
    });
  }
});

test.each([{ script: false }, { media: 'print' }] as const)('%o: nothing is folded', (view) =>
  withReport(exampleReport(), view, async ({ page }) => {
    const hidden = await page.$$eval('.part.folded', (parts) =>
      parts
        .filter((part) =>
          [...part.querySelectorAll(':scope > :not(.explained)')].some(
            (child) => !child.checkVisibility({ contentVisibilityAuto: true }),
          ),
        )
        .map((part) => part.querySelector('h3')?.textContent),
    );
    expect(hidden).toEqual([]);
    const heights = await page.$$eval('.part.folded', (parts) =>
      parts.map((part) => part.getBoundingClientRect().height),
    );
    expect(Math.min(...heights)).toBeGreaterThan(80);
  }),
);

test('an audit is about four screens', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_600);
    expect(await page.$$eval('.part.folded', (parts) => parts.length)).toBeGreaterThan(4);
  }));

test('a link unfolds the chapter that it leads to, and the one around a row', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    const isOpen = () => page.$eval('#t1-all-figures', (title) => title.closest('details')?.open);
    expect(await isOpen()).toBe(false);
    await page.focus('.contents-bar a[href="#t1-all-figures"]');
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(true);
    // Again, where the address stays the same.
    await page.$eval('#t1-all-figures', (title) => title.closest('summary')?.click());
    await page.focus('.contents-bar a[href="#t1-all-figures"]');
    await page.keyboard.press('Enter');
    expect(await isOpen()).toBe(true);
    await page.goto(`${page.url().replace(/#.*/, '')}#every-run-row2`);
    await page.reload();
    expect(await page.$eval('#every-run-row2', (row) => row.checkVisibility({ contentVisibilityAuto: true }))).toBe(
      true,
    );
  }));

test('without a script the rows of the median run, the tables and the titles are there', () =>
  withReport(exampleReport(), { script: false }, async ({ page }) => {
    expect(await page.$$eval('.run', (runs) => runs.filter((run) => run.checkVisibility()).length)).toBe(1);
    expect(await page.$eval('.r', (row) => row.getAttribute('title'))).toBe('GET https://shop.example/');
    expect(await page.$$eval('.tools, .chooser', (tools) => tools.some((tool) => tool.checkVisibility()))).toBe(false);
    expect(await page.$$eval('a.picture', (links) => links.map((link) => link.getAttribute('href')))).toContain(
      'evidence/ablation.png',
    );
  }));

test('a report of failures only is quiet', () =>
  withReport(failedReport(), {}, async ({ page }) => {
    expect(await page.$eval('.notice', (notice) => notice.textContent)).toContain('No such host');
  }));
