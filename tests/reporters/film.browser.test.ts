import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { comparisonReport } from './comparison.ts';
import { measureContrast } from './contrast.ts';
import { drawn } from './example-pictures.ts';
import { exampleReport } from './example-report.ts';
import { openReportBrowser, type ReportBrowser, type View } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

const withReport = (report: AuditReport, view: View, look: (page: Page) => Promise<void>): Promise<void> =>
  browser.show(renderHtml(report), view, ({ page }) => look(page));
const withComparison = (view: View, look: (page: Page) => Promise<void>): Promise<void> =>
  browser.show(renderComparisonHtml(comparisonReport()), view, ({ page }) => look(page));

/** The words of the picture that is enlarged; undefined when none is. */
const enlarged = (page: Page): Promise<string | undefined> =>
  page.$eval('.viewer', (viewer) =>
    viewer instanceof HTMLDialogElement && viewer.open ? (viewer.querySelector('img')?.alt ?? '') : undefined,
  );

describe.each([
  ['with a script', {}],
  ['without a script', { script: false }],
  ['on paper', { media: 'print' }],
] as const)('%s', (_, view) => {
  test('every picture is drawn wherever it is shown', () =>
    withReport(exampleReport(), view, async (page) => {
      // What is drawn is told by its pixels: the page's own drawing of the first frame with a dark header.
      const shown = await page.$$eval('.shot svg', (pictures) =>
        pictures.map((picture) => {
          const use = picture.querySelector('use');
          const box = use?.getBBox();
          const { width, height } = picture.getBoundingClientRect();
          return { drawn: [box?.width, box?.height], visible: width > 40 && height > 25 };
        }),
      );
      expect(shown.length).toBeGreaterThanOrEqual(8);
      for (const each of shown) expect(each).toEqual({ drawn: [480, 300], visible: true });
      const file = await (await page.$('.strip li:nth-child(3) .shot svg'))?.screenshot({ encoding: 'base64' });
      const dark = await page.evaluate(async (png) => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        const context = canvas.getContext('2d');
        canvas.width = image.width;
        canvas.height = image.height;
        context?.drawImage(image, 0, 0);
        return [...(context?.getImageData(image.width / 2, 4, 1, 1).data ?? [])];
      }, file ?? '');
      expect(dark[0]).toBeLessThan(90);
    }));
});

describe('pictures', () => {
  test('are enlarged by the keyboard, compared with the arrows, and closed where they were opened', () =>
    withReport(exampleReport(), {}, async (page) => {
      await page.$eval('#t1-background-traffic', (title) => title.closest('summary')?.click());
      await page.focus('.trio a.picture');
      await page.keyboard.press('Enter');
      expect(await enlarged(page)).toBe('The page with every request answered');
      await page.keyboard.press('ArrowRight');
      expect(await enlarged(page)).toBe('The page with 2 endpoints blocked');
      expect(await page.$eval('.viewer-words', (words) => words.textContent)).toContain('Complete at 1.24 s');
      expect(await page.$eval('.viewer a', (link) => link.getAttribute('href'))).toMatch(/\/evidence\/ablation\.png$/);
      const size = await page.$eval('.viewer img', async (image) => {
        if (!(image instanceof HTMLImageElement)) return [];
        await image.decode();
        return [image.naturalWidth, image.naturalHeight];
      });
      expect(size).toEqual([480, 300]);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      expect(await enlarged(page)).toContain('What differs');
      await page.keyboard.press('Escape');
      expect(await enlarged(page)).toBeUndefined();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('evidence/04-end.png');
    }));

  test('close by the cross and beside the picture', () =>
    withReport(exampleReport(), {}, async (page) => {
      const first = 'The page at 0 ms, 0% of the final page is visible';
      await page.click('.strip a.picture');
      expect(await enlarged(page)).toBe(first);
      await page.click('.viewer-close');
      expect(await enlarged(page)).toBeUndefined();
      await page.click('.strip a.picture');
      expect(await enlarged(page)).toBe(first);
      await page.mouse.click(3, 3);
      expect(await enlarged(page)).toBeUndefined();
    }));

  test.each([
    [1280, 3],
    [768, 3],
    [390, 1],
  ])('of the proof: at %i px %i stand side by side', (width, beside) =>
    withReport(exampleReport(), { width }, async (page) => {
      const lefts = await page.$$eval('.trio .shot', (shots) => shots.map((shot) => shot.getBoundingClientRect().left));
      expect(new Set(lefts).size).toBe(beside);
    }),
  );

  test('of a tall screen do not fill the page', () => {
    const report = exampleReport();
    const tall = drawn([], [200, 210, 220], 390, 844);
    const targets = report.targets.map((target) => ({
      ...target,
      pictures: Object.fromEntries(Object.keys(target.pictures ?? {}).map((file) => [file, tall])),
    }));
    return withReport({ ...report, targets }, {}, async (page) => {
      const sizes = await page.$$eval('.strip .shot svg, .trio .shot svg', (pictures) =>
        pictures.map((picture) => {
          const { width, height } = picture.getBoundingClientRect();
          return { height, ratio: width / height };
        }),
      );
      expect(sizes.length).toBeGreaterThanOrEqual(8);
      for (const { height, ratio } of sizes) {
        expect(height).toBeLessThanOrEqual(400);
        expect(ratio).toBeCloseTo(390 / 844, 2);
      }
    });
  });
});

describe('the filmstrip', () => {
  test('has frames that are large enough to be read, as wide as its curve', () =>
    withReport(exampleReport(), {}, async (page) => {
      const widths = await page.$$eval('.strip .shot svg', (all) =>
        all.map((each) => each.getBoundingClientRect().width),
      );
      expect(widths.length).toBeGreaterThan(5);
      for (const width of widths) expect(width).toBeGreaterThan(110);
      const [strip, curve] = await Promise.all(
        ['.strip', '.curve'].map((each) => page.$eval(each, (element) => element.clientWidth)),
      );
      expect(curve).toBe(strip);
    }));

  test.each([390, 1280, 2560])('at %i px nothing overflows the page, and labels of the curve do not touch', (width) =>
    withReport(exampleReport(), { width }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const boxes = await page.$$eval('.curve .labels text', (labels) =>
        labels.map((label) => label.getBoundingClientRect().toJSON() as DOMRect),
      );
      expect(boxes.length).toBeGreaterThanOrEqual(4);
      for (const [i, a] of boxes.entries()) {
        expect(a.left).toBeGreaterThanOrEqual(0);
        expect(a.right).toBeLessThanOrEqual(width);
        for (const b of boxes.slice(i + 1)) {
          const touch = a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
          expect(touch).toBe(false);
        }
      }
    }),
  );

  test.each(['light', 'dark'] as const)('can be read in %s', (scheme) =>
    withReport(exampleReport(), { scheme }, async (page) => {
      await measureContrast(page);
      const poor = await page.$$eval('.strip figcaption *, .curve text, .film .keys', (all) =>
        all.filter((each) => contrastOf(each) < 4.5).map((each) => each.outerHTML),
      );
      expect(poor).toEqual([]);
    }),
  );
});

describe('two filmstrips', () => {
  test.each([390, 1280, 2560])('at %i px stand in step, and scroll by themselves', (width) =>
    withComparison({ width }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const rows = await page.$$eval('.steps tr', (all) =>
        all.map((row) => [...row.children].slice(1).map((cell) => Math.round(cell.getBoundingClientRect().left))),
      );
      expect(rows).toHaveLength(3);
      expect(rows[1]).toEqual(rows[0]);
      expect(rows[2]).toEqual(rows[0]);
    }),
  );

  test('are leafed through from frame to frame', () =>
    withComparison({}, async (page) => {
      await page.$eval('.steps', (steps) => steps.closest('details')?.querySelector('summary')?.click());
      await page.focus('.steps tbody tr:first-child td:nth-of-type(6) a.picture');
      await page.keyboard.press('Enter');
      expect(await enlarged(page)).toMatch(/^Base\. The page at 8\.74 s.*page complete/);
      await page.keyboard.press('ArrowRight');
      expect(await enlarged(page)).toMatch(/^Base\. The page at 9\.41 s/);
    }));

  test('can be read in both schemes', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      await withComparison({ scheme }, async (page) => {
        await measureContrast(page);
        const poor = await page.$$eval('.steps th, .steps figcaption *, .curve text', (all) =>
          all.filter((each) => each.textContent?.trim() !== '' && contrastOf(each) < 4.5).map((each) => each.outerHTML),
        );
        expect(poor).toEqual([]);
      });
    }
  });
});
