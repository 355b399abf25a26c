import axe from 'axe-core';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { exampleReport, hugeReport, reportOf } from './example-report.ts';
import { openReportBrowser, type ReportBrowser, type View } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

const EXAMPLE = exampleReport();
const HUGE = hugeReport(10_000);

/** Pages that are shown again and again are rendered once. */
const rendered = new Map<AuditReport, string>();

/** A report as it is seen at first. */
function withFirstSight(report: AuditReport, view: View, look: (page: Page) => Promise<void>): Promise<void> {
  const html = rendered.get(report) ?? renderHtml(report);
  rendered.set(report, html);
  return browser.show(html, view, ({ page }) => look(page));
}

/** The same with all its rows, and with the filters, groups and order, which are folded. */
function withReport(report: AuditReport, view: View, look: (page: Page) => Promise<void>): Promise<void> {
  return withFirstSight(report, view, async (page) => {
    await page.$$eval('.more-tools, .few-or-all button', (all) => {
      for (const each of all) if (each instanceof HTMLElement) each.click();
    });
    await look(page);
  });
}

/** The names of the rows that exist, in order. */
const names = (page: Page): Promise<readonly string[]> =>
  page.$$eval('.r:not(.head-of) .n > span', (cells) => cells.map((cell) => cell.textContent ?? ''));

const heads = (page: Page): Promise<readonly string[]> =>
  page.$$eval('.r.head-of .n', (cells) => cells.map((cell) => cell.textContent ?? ''));

const told = (page: Page): Promise<string | null> => page.$eval('.shown', (count) => count.textContent);

const panelText = (page: Page): Promise<string | undefined> =>
  page.$eval('.panel', (panel) => (panel instanceof HTMLElement && !panel.hidden ? panel.innerText : undefined));

const settled = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** Brings the waterfall to a place where a panel has room, and waits until scrolling is over. */
async function toWaterfall(page: Page): Promise<void> {
  await page.$eval('.frame', (frame) => frame.scrollIntoView());
  await settled(page);
}

async function rowNamed(page: Page, name: string) {
  for (const row of await page.$$('.r')) {
    if ((await row.$eval('.n > span', (span) => span.textContent)) === name) return row;
  }
  throw new Error(`No row is named ${name}.`);
}

async function button(page: Page, words: string): Promise<void> {
  for (const each of await page.$$('.tools button')) {
    if ((await each.evaluate((element) => element.textContent ?? '')).trim().startsWith(words)) return each.click();
  }
  throw new Error(`No button says ${words}.`);
}

/** The keyboard on the table's first line. */
async function focusTable(page: Page): Promise<void> {
  await page.focus('.grid');
  await page.keyboard.press('Home');
}

const activeName = (page: Page): Promise<string | null | undefined> =>
  page.$eval('.grid', (grid) => {
    const row = document.getElementById(grid.getAttribute('aria-activedescendant') ?? '');
    return row?.querySelector('.n > span')?.textContent;
  });

describe('at first sight', () => {
  const few = (page: Page) => page.waitForSelector('.few-or-all button');
  const PATH = ['shop.example/', 'app.20c9.js', 'recommendations?limit=8', 'c.webp'];

  test('are the rows that explain the load; one button shows all, and again few', () =>
    withFirstSight(EXAMPLE, {}, async (page) => {
      const [first, shown] = [await told(page), await names(page)];
      expect(first).toMatch(/^\d+ of 49 requests$/);
      expect(shown).toEqual(expect.arrayContaining([...PATH, 'tag.js', 'hero-1280.webp']));
      await (await few(page))?.click();
      expect(await told(page)).toBe('49 requests');
      await (await few(page))?.click();
      expect(await told(page)).toBe(first);
    }));

  test('filters, links to a row and paper know all of them', () =>
    withFirstSight(EXAMPLE, {}, async (page) => {
      const first = await names(page);
      await page.click('.more-tools');
      await button(page, 'Background only');
      expect(await told(page)).toBe('17 of 49 requests');
      expect(await page.$('.few-or-all')).toBeNull();
      await button(page, 'Reset');
      expect(await names(page)).toEqual(first);
      await page.emulateMediaType('print');
      await page.waitForFunction(() => document.querySelectorAll('.r').length === 49);
      await page.emulateMediaType('screen');
      await page.waitForFunction((count) => document.querySelectorAll('.r').length === count, {}, first.length);
      await page.evaluate(() => {
        location.hash = '#t1-run3-req49';
      });
      await page.waitForSelector('.r.active[aria-posinset="49"]');
    }));
});

describe('details', () => {
  test('a mouse over a row shows a hint, away from it hides it', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      expect(await panelText(page)).toBeUndefined();
      await (await rowNamed(page, 'hero-1280.webp')).hover();
      const text = (await panelText(page)) ?? '';
      expect(text).toMatch(/hero-1280\.webp\s+200 · 352 ms \+ 317 ms · 212 kB · LCP/);
      expect(text).not.toContain('initiator');
      await page.mouse.move(1, 1);
      expect(await panelText(page)).toBeUndefined();
    }));

  test('a click on a row shows everything, with its headers and what can be copied', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'hero-1280.webp')).click();
      const text = (await panelText(page)) ?? '';
      expect(text).toContain('GET https://cdn.shop.example/img/hero-1280.webp');
      expect(text).toMatch(/wait\s+71 ms/);
      expect(text).toMatch(/receive\s+244 ms/);
      expect(text).toMatch(/size\s+212 kB transferred, 551 kB decoded/);
      expect(text).toMatch(/initiator\s+shop.example\/ · https:\/\/shop.example\/ line 12/);
      expect(text).toMatch(/encoding\s+none/);
      expect(text).toMatch(/cache\s+kept for 30 days/);
      expect(text).toMatch(/2 headers of the response/);
      expect(text).toMatch(/Copy\s+URL\s+cURL\s+link to this row/);
    }));

  test('the address of a row opens it, in its own run', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await page.evaluate(() => {
        location.hash = '#t1-run5-req9';
      });
      await settled(page);
      expect(await page.$eval('.run', (run) => run.getAttribute('data-run'))).toBe('5');
      expect(await page.$eval('.r.active', (row) => row.ariaPosInSet)).toBe('9');
      expect(await page.$eval('.panel', (panel) => panel.classList.contains('pinned'))).toBe(true);
    }));

  test('a click keeps them until Escape or the cross', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'logo.svg')).click();
      await page.mouse.move(1, 1);
      expect(await panelText(page)).toContain('logo.svg');
      expect(await page.$eval('.r.active .n span', (name) => name.textContent)).toBe('logo.svg');
      await page.keyboard.press('Escape');
      expect(await panelText(page)).toBeUndefined();
      await (await rowNamed(page, 'app.20c9.js')).click();
      await page.click('.panel-close');
      expect(await panelText(page)).toBeUndefined();
    }));

  test('the cross takes the panel away for good, whatever comes to lie under the mouse', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'shop.example/')).click();
      await page.click('.panel-close');
      // Two frames are what a browser takes to tell the row under a resting mouse.
      await settled(page);
      expect(await panelText(page)).toBeUndefined();
    }));

  test('a flagged row says its kind and reason', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'events?channel=stock')).click();
      const text = (await panelText(page)) ?? '';
      expect(text).toContain('sse text/event-stream: by its protocol it never ends (certain); counts until 640 ms');
      expect(text).toMatch(/in all\s+11\.86 s and still open/);
      expect(text).toMatch(/arrived in\s+24 pieces/);
    }));

  test('name what asked for a row and what it asked for, and go there, out of filters and folded groups too', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'recommendations?limit=8')).click();
      expect(await panelText(page)).toMatch(/initiator\s+app\.20c9\.js .*\nrequested\s+a\.webp\s+b\.webp\s+c\.webp/);
      expect(await panelText(page)).toMatch(/critical path\s+◆ step 3 of 4/);
      await button(page, 'Fetch/XHR');
      await page.select('select[name=group]', 'host');
      await button(page, 'Fold all');
      expect(await names(page)).toEqual([]);
      await button(page, 'Unfold all');
      await (await rowNamed(page, 'recommendations?limit=8')).click();
      await page.click('.panel .jump');
      expect(await activeName(page)).toBe('app.20c9.js');
      expect(await panelText(page)).toMatch(/requested\s+session\s+cart/);
      expect(await told(page)).toBe('49 requests');
    }));
});

describe('the keyboard', () => {
  test('is explained where it works, and nowhere else', async () => {
    for (const script of [true, false]) {
      await withReport(EXAMPLE, { script }, async (page) => {
        expect(await page.$eval('.legend ~ .keys', (keys) => keys.hasAttribute('hidden'))).toBe(!script);
      });
    }
  });

  test('reaches every row, with one stop for Tab', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await page.focus('.head button[data-sort=duration]');
      await page.keyboard.down('Shift');
      for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
      await page.keyboard.up('Shift');
      expect(await panelText(page)).toContain('https://shop.example/');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await panelText(page)).toContain('base.4f1c.css');
      expect(await activeName(page)).toBe('base.4f1c.css');
      expect(await page.$$eval('.r[aria-selected=true]', (rows) => rows.map((row) => row.ariaPosInSet))).toEqual(['2']);
      await page.keyboard.press('End');
      expect(await panelText(page)).toContain('poll');
      expect(
        await page.$eval('.r.active', (row) => {
          const head = row.closest('.frame')?.querySelector('.head')?.getBoundingClientRect();
          const lanes = row.closest('.frame')?.querySelector('.tracks')?.getBoundingClientRect();
          const box = row.getBoundingClientRect();
          return [box.top >= (head?.bottom ?? 0) - 1, box.bottom <= (lanes?.top ?? 0) + 1];
        }),
      ).toEqual([true, true]);
      await page.keyboard.press('Home');
      expect(await panelText(page)).toContain('document');
      await page.keyboard.press('Escape');
      expect(await panelText(page)).toBeUndefined();
      await page.keyboard.press('Enter');
      expect(await page.$eval('.panel', (panel) => panel.classList.contains('pinned'))).toBe(true);
    }));

  test('goes from a row into its details and back', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await focusTable(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const focused = () => page.evaluate(() => document.activeElement?.className);
      for (let i = 0; i < 12 && (await focused()) !== 'jump'; i++) await page.keyboard.press('Tab');
      expect(await focused()).toBe('jump');
      await page.keyboard.press('Enter');
      expect(await activeName(page)).toBe('shop.example/');
      expect(await focused()).toBe('grid');
    }));

  test('skips what is filtered out', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await button(page, 'Font');
      await focusTable(page);
      await page.keyboard.press('ArrowDown');
      expect(await panelText(page)).toContain('text-600.woff2');
    }));

  test('folds and unfolds groups', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await page.select('select[name=group]', 'type');
      await focusTable(page);
      expect(await activeName(page)).toBe('Document');
      await page.keyboard.press('ArrowRight');
      expect(await activeName(page)).toBe('shop.example/');
      await page.keyboard.press('ArrowLeft');
      expect(await activeName(page)).toBe('Document');
      await page.keyboard.press('ArrowLeft');
      const expanded = () => page.$eval('.r.active', (row) => row.ariaExpanded);
      expect(await expanded()).toBe('false');
      await page.keyboard.press('ArrowDown');
      expect(await activeName(page)).toBe('CSS');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowRight');
      expect(await expanded()).toBe('true');
    }));

  test('looks closer, moves along and comes back', () =>
    withReport(EXAMPLE, {}, async (page) => {
      const ticks = () => page.$$eval('.timeline .ticks text', (texts) => texts.map((text) => text.textContent));
      const whole = await ticks();
      await focusTable(page);
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      const close = await ticks();
      expect(close).not.toEqual(whole);
      await page.keyboard.down('Shift');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.up('Shift');
      expect((await ticks())[0]).not.toBe(close[0]);
      await page.keyboard.press('0');
      expect(await ticks()).toEqual(whole);
    }));
});

describe('filters', () => {
  test('by type, one or several', () =>
    withReport(EXAMPLE, {}, async (page) => {
      expect(await told(page)).toBe('49 requests');
      await button(page, 'CSS');
      expect(await names(page)).toEqual(['base.4f1c.css', 'product.88ab.css']);
      await button(page, 'Font');
      expect(await names(page)).toHaveLength(4);
      expect(await told(page)).toBe('4 of 49 requests');
      await button(page, 'All');
      expect(await told(page)).toBe('49 requests');
    }));

  test('background only, and background hidden', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await button(page, 'Background only');
      expect(await names(page)).toHaveLength(17);
      await button(page, 'Background hidden');
      expect(await names(page)).toHaveLength(32);
    }));

  test('failed ones, the critical path, and none of them again', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await button(page, 'Failed only');
      expect(await names(page)).toEqual(['tag.js', 'old-banner.js']);
      await button(page, 'Failed only');
      await button(page, 'Critical only');
      expect(await names(page)).toEqual(['shop.example/', 'app.20c9.js', 'recommendations?limit=8', 'c.webp']);
      await page.select('select[name=group]', 'host');
      await button(page, 'Reset');
      expect(await told(page)).toBe('49 requests');
      expect(await heads(page)).toEqual([]);
      expect(
        await page.$eval('button[data-reset]', (reset) => reset.checkVisibility({ visibilityProperty: true })),
      ).toBe(false);
    }));

  test('by address or kind, down to nothing', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await page.type('input[type=search]', 'long-poll');
      expect(await names(page)).toHaveLength(4);
      await page.$eval('input[type=search]', (input) => (input as HTMLInputElement).select());
      await page.type('input[type=search]', 'RECOMMENDATIONS/');
      expect(await names(page)).toEqual(['a.webp', 'b.webp', 'c.webp']);
      await page.type('input[type=search]', 'nothing');
      expect(await names(page)).toEqual([]);
      expect(await page.$eval('.none', (none) => none.checkVisibility())).toBe(true);
    }));
});

describe('order', () => {
  test('by the heads of columns, up and down', () =>
    withReport(EXAMPLE, {}, async (page) => {
      const sorted = () =>
        page.$$eval('.waterfall [role=columnheader]', (each) =>
          each.map((head) => `${head.textContent} ${head.ariaSort}`).slice(0, 4),
        );
      await page.click('button[data-sort=size]');
      expect((await names(page)).slice(0, 2)).toEqual(['hero-1280.webp', 'vendor.71d0.js']);
      expect(await sorted()).toEqual(['Request none', 'Status null', 'Size descending', 'Time none']);
      await page.click('button[data-sort=size]');
      expect(await sorted()).toEqual(['Request none', 'Status null', 'Size ascending', 'Time none']);
      await page.select('select[name=sort]', 'name');
      expect((await names(page))[0]).toBe('a.webp');
      expect((await sorted())[0]).toBe('Request ascending');
    }));

  test('by host, each with its count, bytes and span; folded by a click', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await page.select('select[name=group]', 'host');
      const [first] = await page.$$('.r.head-of');
      expect(
        await first?.evaluate((head) =>
          [...head.querySelectorAll('.n span, small, i, path')].map((part) => part.textContent),
        ),
      ).toEqual(['shop.example', '22', '', '35 kB', '12.40 s', '']);
      const before = (await names(page)).length;
      await first?.click();
      expect(await heads(page)).toContain('shop.example22');
      expect((await names(page)).includes('session')).toBe(false);
      expect((await names(page)).length).toBeLessThanOrEqual(before);
      await button(page, 'Fold all');
      expect(await page.$$eval('.r', (rows) => rows.map((row) => row.ariaExpanded))).toEqual(Array(4).fill('false'));
      await button(page, 'Unfold all');
      expect(await told(page)).toBe('49 requests');
    }));
});

describe('arrows', () => {
  const path = (page: Page, name: string): Promise<string> =>
    page.$eval(`.links .${name}`, (drawn) => drawn.getAttribute('d') ?? '');

  test('lead from what asked for the row under the mouse, and to what it asked for', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'app.20c9.js')).hover();
      expect(await path(page, 'asker')).toMatch(/^M/);
      // Its start, its way and its head: three strokes an arrow.
      expect((await path(page, 'asked')).split('M').length - 1).toBeGreaterThanOrEqual(6);
      const ends = await page.$eval('.links', (links) => {
        const asker = links.querySelector('.asker')?.getBoundingClientRect();
        const rows = [...document.querySelectorAll('.r')].map((row) => row.getBoundingClientRect());
        return rows.findIndex(
          ({ top, bottom }) => asker !== undefined && asker.bottom >= top && asker.bottom <= bottom,
        );
      });
      expect(ends).toBe(4);
      await page.mouse.move(1, 1);
      expect(await page.$$('.links .asker')).toHaveLength(0);
    }));

  test('show the critical path, whose rows have a sign at all times', () =>
    withReport(EXAMPLE, {}, async (page) => {
      // The frame takes the size of a viewport that was just set a moment later, and rows beyond it do not exist yet.
      await page.waitForFunction(() => document.querySelectorAll('.r:has(abbr:not(.flag)) .n > span').length === 4);
      expect(await page.$('.links .chain')).toBeNull();
      await button(page, '◆ Critical path');
      expect((await path(page, 'chain')).split('M').length - 1).toBe(6);
    }));
});

test('another run can be chosen, with filters, groups and order kept', () =>
  withReport(EXAMPLE, {}, async (page) => {
    await button(page, 'Font');
    await page.select('select[name=group]', 'type');
    await page.select('.chooser select', '5');
    expect(await page.$eval('.run', (run) => run.getAttribute('data-run'))).toBe('5');
    expect(await names(page)).toEqual(['text-400.woff2', 'text-600.woff2']);
    expect(await heads(page)).toEqual(['Font2']);
    await (await rowNamed(page, 'text-400.woff2')).click();
    expect(await panelText(page)).toContain('text-400.woff2');
    await page.click('.chooser button[data-step="-1"]');
    expect(await page.$eval('.run', (run) => run.getAttribute('data-run'))).toBe('4');
    expect(await page.$eval('.grid', (grid) => grid.ariaLabel)).toContain('Run 4');
    expect(await panelText(page)).toBeUndefined();
    await page.select('.chooser select', '3');
    await page.click('.chooser button[data-step="-1"]');
    expect(await page.$eval('.run', (run) => run.getAttribute('data-run'))).toBe('3');
  }));

describe('the axis', () => {
  const quietEnd = (page: Page): Promise<number> =>
    page.$eval('.quiet', (band) => {
      const frame = band.closest('.behind')?.getBoundingClientRect();
      const box = band.getBoundingClientRect();
      return frame === undefined ? Number.NaN : (box.right - frame.left) / frame.width;
    });

  test('shows the load or the whole recording', () =>
    withReport(EXAMPLE, {}, async (page) => {
      expect(await quietEnd(page)).toBeCloseTo(1, 2);
      await button(page, 'Whole recording');
      expect(await quietEnd(page)).toBeCloseTo(4243 / 12_400, 2);
    }));

  test('is looked at closely where the mouse draws over it', () =>
    withReport(EXAMPLE, {}, async (page) => {
      await toWaterfall(page);
      const box = await (await page.$('.timeline'))?.boundingBox();
      if (box === null || box === undefined) throw new Error('The scale is drawn.');
      const from = (share: number) => box.x + box.width * share;
      await page.mouse.move(from(0.25), box.y + 10);
      await page.mouse.down();
      await page.mouse.move(from(0.5), box.y + 10, { steps: 3 });
      await page.mouse.up();
      const ticks = await page.$$eval('.timeline .ticks text', (texts) =>
        texts.map(
          ({ textContent }) => Number.parseFloat(textContent ?? '') * (textContent?.endsWith(' ms') ? 0.001 : 1),
        ),
      );
      // A quarter of the load's 1.65 s, from its first quarter on.
      expect(ticks[0]).toBeGreaterThanOrEqual(0.4);
      expect(ticks.at(-1)).toBeLessThanOrEqual(0.83);
      // What ended before, or begins later, says where it is.
      expect(await (await rowNamed(page, 'shop.example/')).$eval('s', (aside) => aside.textContent)).toBe('← 0 ms');
      expect(await page.$$eval('s.after', (asides) => asides.length)).toBeGreaterThan(3);
      await page.mouse.click(from(0.5), box.y + 10);
      expect(await page.$$eval('.timeline .ticks text', (texts) => texts.length)).toBe(ticks.length);
    }));

  test('holds network idle, long tasks and the wire, by the same measure', () =>
    withReport(EXAMPLE, {}, async (page) => {
      expect(await page.$eval('.mark.m-raw text', (label) => label.textContent)).toBe('network idle never →');
      expect(
        await page.$$eval('.track', (lanes) => lanes.map((lane) => lane.querySelector('span')?.textContent)),
      ).toEqual(['Main thread 3 long tasks, 217 ms in all', 'Bandwidth peak 1.05 MB/s over 0.5 s']);
      const place = (selector: string) =>
        page.$eval(selector, (drawn) => {
          const frame = drawn.closest('svg')?.getBoundingClientRect();
          return frame === undefined ? Number.NaN : (drawn.getBoundingClientRect().left - frame.left) / frame.width;
        });
      const before = await place('.task');
      expect(before).toBeCloseTo(402 / 1651, 2);
      await button(page, 'Whole recording');
      expect(await place('.task')).toBeCloseTo(402 / 12_400, 2);
      const [target] = exampleReport().targets;
      const [waterfall] = target?.waterfalls ?? [];
      if (target === undefined || waterfall === undefined) throw new Error('The example has a waterfall.');
      const { result, ...rest } = target;
      const { longTasks: _, bandwidth: _wire, ...bare } = waterfall;
      const plain = reportOf({ ...result, ...rest, waterfalls: [{ ...bare, raw: { state: 'complete', at: 7904 } }] });
      await withReport(plain, {}, async (second) => {
        expect(await second.$$eval('.tracks', (lanes) => lanes.map((each) => each.checkVisibility()))).toEqual([false]);
        expect(await second.$eval('.m-raw text', (label) => label.textContent)).toBe('network idle 7.90 s →');
        await button(second, 'Whole recording');
        expect(await second.$eval('.m-raw text', (label) => label.textContent)).toBe('network idle 7.90 s');
        expect(await second.$$('.behind .m-raw')).toHaveLength(1);
      });
    }));

  test.each([390, 720, 1280, 2560])(
    'has labels that do not cover each other, and rows names that can be read, at %i px',
    (width) =>
      withReport(EXAMPLE, { width }, async (page) => {
        const boxes = await page.$$eval('.labels .mark text', (labels) =>
          labels.map((label) => {
            const { left, right, top, bottom } = label.getBoundingClientRect();
            return { left, right, top, bottom };
          }),
        );
        expect(boxes).toHaveLength(6);
        for (const [i, a] of boxes.entries()) {
          for (const b of boxes.slice(i + 1)) {
            const apart = a.right <= b.left || b.right <= a.left || a.bottom - 3 <= b.top || b.bottom - 3 <= a.top;
            expect(apart, JSON.stringify([a, b])).toBe(true);
          }
        }
        const shortest = await page.$$eval('.r .n > span', (cells) =>
          Math.min(...cells.map((cell) => cell.getBoundingClientRect().width / Math.min(cell.scrollWidth, 150))),
        );
        expect(shortest).toBeGreaterThan(0.95);
      }),
  );
});

test.each([390, 1280])(
  'breaks no rule of accessibility that axe knows, in groups and with details open, at %i px',
  (width) =>
    withReport(EXAMPLE, { width }, async (page) => {
      await page.select('select[name=group]', 'host');
      await button(page, '◆ Critical path');
      await focusTable(page);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await panelText(page)).toBeDefined();
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate("axe.run('.part:has(#t1-waterfall) .body')")) as axe.AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }),
);

test('what counts of a background row is drawn in full, the rest is hatched', () =>
  withReport(EXAMPLE, {}, async (page) => {
    const masks = await (await rowNamed(page, 'events?channel=stock')).$$eval('svg[viewBox]', (drawings) =>
      drawings.map((drawing) => getComputedStyle(drawing).maskImage),
    );
    expect(masks.map((mask) => mask.startsWith('repeating-linear-gradient'))).toEqual([true, false]);
    const plain = await (await rowNamed(page, 'logo.svg')).$eval(
      'svg',
      (drawing) => getComputedStyle(drawing).maskImage,
    );
    expect(plain).toBe('none');
  }));

test('hostile addresses do nothing', () => {
  const [target] = exampleReport().targets;
  const [waterfall] = target?.waterfalls ?? [];
  const [row] = waterfall?.rows ?? [];
  if (target === undefined || waterfall === undefined || row === undefined) throw new Error('the example has rows');
  const evil = '</script><img src=x onerror="document.title=\'owned\'">\u202e\u2028\ud800';
  const { result, ...rest } = target;
  const hostile = {
    ...waterfall,
    rows: [
      { ...row, id: 'a', url: `javascript:document.title='owned'`, initiator: evil, outcome: evil },
      {
        ...row,
        id: 'b',
        initiatorRow: 'a',
        url: `https://${evil}/${evil}`,
        background: { kind: 'poll' as const, because: evil, confidence: evil },
      },
    ],
  };
  const report = reportOf({
    ...result,
    ...rest,
    title: 'shop',
    sentence: evil,
    waterfalls: [hostile, { ...hostile, run: 1 }],
  });
  return withReport(report, {}, async (page) => {
    await focusTable(page);
    expect(await page.$('.panel a')).toBeNull();
    await page.keyboard.press('ArrowDown');
    expect(await panelText(page)).toContain('</script><img src=x');
    expect(await page.$('.panel a')).toBeNull();
    await page.select('select[name=group]', 'host');
    await page.select('.chooser select', '1');
    await focusTable(page);
    expect(await page.title()).toBe('shop – Quiesce');
    expect(await page.$$('img:not(.shot img, .viewer img)')).toHaveLength(0);
  });
});

describe('ten thousand rows', () => {
  test('can be filtered and walked', () =>
    withReport(HUGE, {}, async (page) => {
      expect(await told(page)).toBe('10,000 requests');
      await page.focus('.grid');
      await page.keyboard.press('End');
      expect(await page.$eval('.r.active', (row) => [row.ariaPosInSet, row.ariaSetSize])).toEqual(['10000', '10000']);
      expect(await page.$$eval('.r', (rows) => rows.length)).toBeLessThan(100);
      const height = () => page.$eval('.list', (list) => list.getBoundingClientRect().height);
      expect(await height()).toBe(10_000 * 24);
      await page.type('input[type=search]', 'n=99');
      expect(await told(page)).toBe('111 of 10,000 requests');
      expect(await height()).toBe(111 * 24);
    }));

  test('are drawn a screen at a time, however they are scrolled through', () =>
    withReport(HUGE, {}, async (page) => {
      await toWaterfall(page);
      const box = await (await page.$('.frame'))?.boundingBox();
      if (box === null || box === undefined) throw new Error('The frame is drawn.');
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.evaluate(() => {
        const drawn = { rows: 0 };
        Object.assign(globalThis, { drawn });
        const observer = new MutationObserver((changes) => {
          for (const { addedNodes } of changes) {
            drawn.rows += [...addedNodes].filter((node) => node instanceof Element && node.matches('.r')).length;
          }
        });
        observer.observe(document.body, { childList: true, subtree: true });
      });
      const scrolled = () =>
        page.$eval('.frame', (frame) => {
          const { drawn } = globalThis as unknown as { drawn: { rows: number } };
          const added = drawn.rows;
          drawn.rows = 0;
          const isAtEnd = frame.scrollTop + frame.clientHeight + 1 >= frame.scrollHeight;
          return { added, isAtEnd, rows: frame.querySelectorAll('.r').length };
        });
      const seen: Awaited<ReturnType<typeof scrolled>>[] = [await scrolled()];
      // Slow turns as a hand makes them, and now and then one that goes far.
      while (seen.at(-1)?.isAtEnd === false && seen.length < 200) {
        await page.mouse.wheel({ deltaY: seen.length % 5 === 4 ? 20_000 : 240 });
        await settled(page);
        seen.push(await scrolled());
      }
      expect(seen.length).toBeGreaterThan(50);
      expect(await page.$$eval('.r', (rows) => rows.at(-1)?.ariaPosInSet)).toBe('10000');
      expect(Math.max(...seen.map(({ rows }) => rows))).toBeLessThan(100);
      // Something was drawn, and never more than was there before and is there now.
      expect(Math.max(...seen.map(({ added }) => added))).toBeLessThan(200);
      expect(seen.filter(({ added }) => added > 0).length).toBeGreaterThan(10);
    }));

  test('are on paper as far as paper goes, and say how many more there are', () =>
    withReport(HUGE, {}, async (page) => {
      await page.emulateMediaType('print');
      await settled(page);
      // At once: a sheet of that many rows is drawn for half a second before every answer.
      const drawn = await page.evaluate(() => {
        const rows = [...document.querySelectorAll('.r')];
        const beyond = document.querySelector('.beyond');
        return {
          rows: rows.length,
          high: rows.filter((row) => row.getBoundingClientRect().height === 24).length,
          beyond: beyond?.checkVisibility() ? beyond.textContent : '',
        };
      });
      expect(drawn).toEqual({ rows: 2000, high: 2000, beyond: 'and 8,000 more requests' });
      await page.emulateMediaType('screen');
      await settled(page);
      expect(await page.$$eval('.r', (rows) => rows.length)).toBeLessThan(100);
    }));

  test('are four hundred where no script runs', () =>
    withReport(HUGE, { script: false }, async (page) => {
      expect(await page.$$eval('.r', (rows) => rows.length)).toBe(400);
      expect(await page.$eval('.beyond', (rest) => rest.textContent)).toContain('9,600 more requests');
    }));
});

test('a table out of sight is read when it is unfolded', () => {
  const [target] = exampleReport().targets;
  if (target === undefined) throw new Error('The example has a target.');
  const { result, ...rest } = target;
  const many = Array.from({ length: 5 }, () => ({ ...result, ...rest }));
  return withReport(reportOf(...many), {}, async (page) => {
    const live = () => page.$$eval('.frame', (frames) => frames.map((frame) => frame.classList.contains('live')));
    expect(await live()).toEqual(Array(5).fill(false));
    await page.click('.contents a[href="#t3"]');
    await settled(page);
    expect((await live()).filter(Boolean)).toHaveLength(1);
  });
});
