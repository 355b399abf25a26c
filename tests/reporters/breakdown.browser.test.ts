import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import type { CriticalPath } from '../../src/model/result/result.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { longPath, shopPath } from './breakdown.ts';
import { measureContrast } from './contrast.ts';
import { exampleReport } from './example-report.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

/** The example with a critical path in the run that stands for it. */
function reportWith(criticalPath: CriticalPath): AuditReport {
  const report = exampleReport();
  return {
    ...report,
    targets: report.targets.map((target) =>
      target.representative === undefined
        ? target
        : { ...target, representative: { ...target.representative, criticalPath } },
    ),
  };
}

describe.each([
  [390, 'dark'],
  [1280, 'light'],
  [2560, 'dark'],
] as const)('the critical path at %i px, %s', (width, scheme) => {
  test('is in view and can be read', async () => {
    await browser.show(renderHtml(reportWith(shopPath)), { width, scheme }, async ({ page }) => {
      await measureContrast(page);
      const seen = await page.evaluate(() => {
        const part = document.querySelector('.critical');
        if (part === null) throw new Error('the page has a critical path');
        const texts = [...part.querySelectorAll('*')].filter((element) =>
          [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ''),
        );
        const bars = [...part.querySelectorAll('.path-step .path-bar')];
        const labels = [...part.querySelectorAll('.path-axis text')]
          .map((label) => label.getBoundingClientRect())
          .filter(({ width }) => width > 0);
        return {
          labels: labels.map(({ left, right }) => ({ left, right })),
          beyond: document.documentElement.scrollWidth - innerWidth,
          contrast: Math.min(...texts.map((element) => contrastOf(element))),
          bars: bars.map((bar) => {
            const box = bar.getBoundingClientRect();
            const pieces = [...bar.querySelectorAll('.piece:not(.beyond)')].map((piece) =>
              piece.getBoundingClientRect(),
            );
            return {
              from: (Math.min(...pieces.map((piece) => piece.left)) - box.left) / box.width,
              to: (Math.max(...pieces.map((piece) => piece.right)) - box.left) / box.width,
            };
          }),
        };
      });
      expect(seen.beyond).toBeLessThanOrEqual(0);
      expect(seen.labels.length).toBeGreaterThan(2);
      for (const [index, { left }] of seen.labels.entries()) {
        expect(left).toBeGreaterThan((seen.labels[index - 1]?.right ?? -1) + 2);
      }
      expect(seen.contrast).toBeGreaterThanOrEqual(4.5);
      // One after the other, from the left edge to the right one.
      expect(seen.bars).toHaveLength(4);
      expect(seen.bars[0]?.from).toBeCloseTo(0, 1);
      expect(seen.bars[3]?.to).toBeCloseTo(1, 1);
      for (const [index, bar] of seen.bars.entries()) {
        expect(bar.from).toBeCloseTo(seen.bars[index - 1]?.to ?? 0, 1);
      }
    });
  });
});

test('kinds of waiting differ in shape, not in colour alone', async () => {
  await browser.show(renderHtml(reportWith(shopPath)), {}, async ({ page }) => {
    const looks = await page.$$eval('.path-key .path-bar', (samples) =>
      samples.map((sample) => {
        const [piece, hatch] = sample.querySelectorAll('rect');
        return `${piece?.getBoundingClientRect().height} ${getComputedStyle(piece as Element).strokeDasharray} ${hatch !== undefined}`;
      }),
    );
    expect(looks).toHaveLength(4);
    expect(new Set(looks).size).toBe(4);
  });
});

test('a long chain unfolds with the keyboard', async () => {
  await browser.show(renderHtml(reportWith(longPath)), {}, async ({ page }) => {
    const shown = () => page.$$eval('.path-step', (steps) => steps.filter((step) => step.checkVisibility()).length);
    const before = await shown();
    expect(before).toBeLessThan(30);
    await page.focus('.path-fold summary');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (folded) => {
        const steps = [...document.querySelectorAll('.path-step')];
        return steps.filter((step) => step.checkVisibility()).length > folded;
      },
      {},
      before,
    );
  });
});
