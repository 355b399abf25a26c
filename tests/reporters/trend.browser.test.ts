import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrendResult } from '../../src/model/trend.ts';
import { renderTrendHtml } from '../../src/reporters/html/trend/trend.tsx';
import { renderTrend } from '../../src/reporters/terminal/trend.ts';
import { renderTrendCsv } from '../../src/reporters/trend-csv.ts';
import { auditOf, measuredTarget, nightlyAudits } from '../support/stored-results.ts';
import { expectSelfContained, markup } from './markup.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';
import { calm, slower, trendOf, usual } from './trend-example.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser.close());

const HOSTILE = '"></title><script>alert(1)</script>\u202egnp.\u0000<img src=x onerror=alert(1)>';

describe('the page of a trend', () => {
  it('is one file that asks for nothing else', () => {
    expectSelfContained(renderTrendHtml(usual));
  });

  it('says so where intervals reach beyond the drawing', () => {
    const pages = usual.pages.map((page) => ({
      ...page,
      metrics: page.metrics.map((metric) => ({
        ...metric,
        values: metric.values.map((value) => ({ ...value, high: 3 * value.median })),
      })),
    }));
    expect(renderTrendHtml({ ...usual, pages })).toContain('cut off at its edge');
    expect(renderTrendHtml(usual)).not.toContain('cut off');
  });

  it('says what changed in words and signs, worst page first, with what else changed about then', async () => {
    await browser.show(renderTrendHtml(usual), {}, async ({ page }) => {
      const text = (selector: string) => page.$$eval(selector, (found) => found.map((each) => each.textContent ?? ''));
      expect(await text('h1')).toEqual([
        expect.stringMatching(
          /^1 of 2 pages slower, in 40 results\. https:\/\/shop\.example\/: Page complete is \d+% slower since 21 Jan 2026, 03:15 UTC/,
        ),
      ]);
      expect(await text('.t-page h2')).toEqual(['https://shop.example/', 'dist']);
      const [finding] = await text('.t-findings li');
      expect(finding).toMatch(/^▲ Page complete is \d+% slower since 21 Jan 2026, 03:15 UTC, commit [0-9a-f]{7}/);
      expect(finding).toMatch(/browser: Chrome\/140 before, Chrome\/141 since/);
      expect(await text('.t-page:first-of-type .t-change')).toEqual([
        expect.stringMatching(/^▲ \+\d+%$/),
        expect.stringMatching(/^▲ \+\d+%$/),
      ]);
      expect(await text('.t-page:first-of-type .t-conditions li b')).toEqual(['browser']);
    });
  });

  it('draws the change between the nights that it lies between, and higher values higher', async () => {
    await browser.show(renderTrendHtml(usual), {}, async ({ page }) => {
      const drawn = await page.$eval('.t-chart', (chart) => {
        const box = chart.getBoundingClientRect();
        const share = (element: Element | null) =>
          ((element?.getBoundingClientRect().left ?? Number.NaN) - box.left) / box.width;
        const hits = [...chart.querySelectorAll('.t-hit')];
        const levels = [...chart.querySelectorAll('.t-level')].map((each) => each.getBoundingClientRect().top);
        return { change: share(chart.querySelector('.t-change line')), at: share(hits[20] ?? null), levels };
      });
      expect(drawn.change).toBeCloseTo(0.5, 2);
      expect(drawn.at).toBeCloseTo(0.5, 2);
      expect(drawn.levels[1]).toBeLessThan((drawn.levels[0] ?? 0) - 40);
    });
  });

  it('tells a pointer each value and leads to the report of its night', async () => {
    await browser.show(renderTrendHtml(usual), {}, async ({ page }) => {
      const hit = await page.$eval('.t-hit', (each) => [
        each.querySelector('title')?.textContent,
        each.closest('a')?.getAttribute('href'),
      ]);
      expect(hit).toEqual([
        expect.stringMatching(/^1 Jan 2026, 03:15, [0-9a-f]{7}: (1\.\d\d s|\d+ ms) \(.*\)$/),
        '../night%201/index.html',
      ]);
    });
  });

  it('is read with keys: drawings are passed over, the table holds every value and link', async () => {
    await browser.show(renderTrendHtml(usual), {}, async ({ page }) => {
      const reached: string[] = [];
      for (let i = 0; i < 12; i += 1) {
        await page.keyboard.press('Tab');
        reached.push(
          await page.evaluate(() => {
            const on = document.activeElement;
            return `${on?.closest('.t-chart') === null ? '' : 'drawing '}${on?.tagName.toLowerCase()}`;
          }),
        );
      }
      expect(reached.filter((each) => each.startsWith('drawing'))).toEqual([]);
      expect(reached).toContain('summary');
      const rows = await page.$$eval('.t-page:first-of-type .t-values tbody tr', (all) =>
        all.map((row) => [row.querySelector('a')?.getAttribute('href'), row.cells.length]),
      );
      expect(rows).toHaveLength(40);
      expect(rows[39]).toEqual(['../night%2040/index.html', 5]);
    });
  });

  it.each([390, 1280, 2560])('fits a screen of %i px, with nothing over the edge', async (width) => {
    await browser.show(renderTrendHtml(usual), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  });

  it('shows every state: one result, none of a metric, the last result off, hostile names', async () => {
    const ending = { ...slower, level: (night: number) => (night === 19 ? 2000 : 1000) };
    const target = measuredTarget('https://a.example/', [1000]);
    const bare = { ...target, runs: target.runs.map(({ metrics: _, ...run }) => run) };
    const hostile = auditOf([{ ...measuredTarget(HOSTILE, [900, 901]), title: HOSTILE }], {
      browser: { product: HOSTILE },
      source: { commit: '0123456', ref: HOSTILE },
      settings: { [HOSTILE]: HOSTILE },
    });
    const calmer = auditOf([measuredTarget(HOSTILE, [900, 901])], { startedAt: '2026-01-02T03:15:00.000Z' });
    const all: readonly (readonly [TrendResult, RegExp])[] = [
      [trendOf([auditOf([target])]), /1 result: changes are marked from 6 results on\./],
      [trendOf([auditOf([bare])]), /No result has this metric\./],
      [trendOf(nightlyAudits([ending], 20)), /The last result, of 20 Jan 2026, 03:15 UTC, differs/],
      [trendOf([hostile, calmer]), /Conditions that changed \(\d\)/],
    ];
    for (const [result, words] of all) {
      const html = renderTrendHtml(result);
      expect(markup(html)).not.toMatch(/<script>alert|<img|\u202e|NaN|Infinity|undefined/);
      await browser.show(html, { width: 390 }, async ({ page }) => {
        expect(await page.evaluate(() => document.body.innerText)).toMatch(words);
        expect(await page.$$eval('script, img, iframe, [onerror]', (all) => all.length)).toBe(1);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      });
      const plain = renderTrend(result, { color: false, width: 80 });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
      expect(renderTrendCsv(result)).not.toMatch(/NaN|undefined/);
    }
  });

  it('stays small and quick with a year of ten pages', async () => {
    const pages = Array.from({ length: 10 }, (_, i) => ({ ...calm, target: `https://shop.example/${i}`, url: '' }));
    const html = renderTrendHtml(trendOf(nightlyAudits([slower, ...pages.slice(1)], 365)));
    expect(html.length).toBeLessThan(3_500_000);
    await browser.show(html, {}, async ({ page }) => {
      // Pages that did not change are folded.
      expect(await page.$$eval('.t-folded:not([open])', (all) => all.length)).toBe(9);
    });
  }, 60_000);
});

describe('trend.csv', () => {
  it('has a row for each page, metric and result, with the change where it begins', () => {
    const [head, ...rows] = renderTrendCsv(usual).split('\r\n').filter(Boolean);
    expect(head).toBe('page,at,commit,ref,build,metric,unit,runs,median,low,high,level,change,changeBy,result');
    expect(rows).toHaveLength(2 * 2 * 40);
    const changed = rows.filter((row) => row.includes(',worse,'));
    expect(changed.map((row) => row.split(',').slice(0, 2))).toEqual([
      ['https://shop.example/', '2026-01-21T03:15:00.000Z'],
      ['https://shop.example/', '2026-01-21T03:15:00.000Z'],
    ]);
  });
});
