import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/report.ts';
import { renderHtml } from '../../src/report/html/index.tsx';
import { measureContrast } from './contrast.ts';
import { drawn } from './example-pictures.ts';
import { analysisReport, exampleReport, failedReport, hugeReport, reportOf } from './example-report.ts';
import { type Opened, openReportBrowser, type ReportBrowser, type View } from './report-browser.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await openReportBrowser();
});
afterAll(() => browser?.close());

const withReport = (report: AuditReport, view: View, look: (opened: Opened) => Promise<void>): Promise<void> =>
  browser.show(renderHtml(report), view, look);

const shownRows = (page: Page): Promise<readonly string[]> =>
  page.$$eval('.r:not([hidden]) .n span', (names) => names.map((name) => name.textContent ?? ''));

const panelText = (page: Page): Promise<string | undefined> =>
  page.$eval('.panel', (panel) => (panel instanceof HTMLElement && !panel.hidden ? panel.innerText : undefined));

/** Brings the waterfall to a place where a panel has room, and waits until scrolling is over. */
async function toWaterfall(page: Page): Promise<void> {
  await page.$eval('.frame', (frame) => frame.scrollIntoView());
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

async function rowNamed(page: Page, name: string) {
  for (const row of await page.$$('.r:not([hidden])')) {
    if ((await row.$eval('.n span', (span) => span.textContent)) === name) return row;
  }
  throw new Error(`No row is named ${name}.`);
}

async function button(page: Page, words: string): Promise<void> {
  const found = await page.$$('.tools button');
  for (const each of found) {
    if ((await each.evaluate((element) => element.textContent ?? '')).trim().startsWith(words)) return each.click();
  }
  throw new Error(`No button says ${words}.`);
}

describe('details', () => {
  test('a mouse over a row shows them, away from it hides them', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await toWaterfall(page);
      expect(await panelText(page)).toBeUndefined();
      await (await rowNamed(page, 'hero-1280.webp')).hover();
      const text = (await panelText(page)) ?? '';
      expect(text).toContain('GET https://cdn.shop.example/img/hero-1280.webp');
      expect(text).toMatch(/wait\s+71 ms/);
      expect(text).toMatch(/receive\s+244 ms/);
      expect(text).toMatch(/size\s+212 kB on the wire, 551 kB decoded/);
      expect(text).toMatch(/initiator\s+https:\/\/shop.example\/ line 12/);
      await page.mouse.move(1, 1);
      expect(await panelText(page)).toBeUndefined();
    }));

  test('a click keeps them until Escape or the cross', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
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

  test('the keyboard reaches every row', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await toWaterfall(page);
      await page.focus('input[type=search]');
      await page.keyboard.press('Tab');
      expect(await panelText(page)).toContain('https://shop.example/');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      expect(await panelText(page)).toContain('base.4f1c.css');
      expect(
        await page.$eval('.list', (list) => {
          const active = document.getElementById(list.getAttribute('aria-activedescendant') ?? '');
          return [active?.getAttribute('aria-selected'), active?.className];
        }),
      ).toEqual(['true', 'r active']);
      await page.keyboard.press('End');
      expect(await panelText(page)).toContain('poll');
      expect(
        await page.$eval('.r.active', (row) => {
          const frame = row.closest('.frame')?.getBoundingClientRect();
          const box = row.getBoundingClientRect();
          return frame !== undefined && box.top >= frame.top && box.bottom <= frame.bottom + 1;
        }),
      ).toBe(true);
      await page.keyboard.press('Home');
      expect(await panelText(page)).toContain('document');
      await page.keyboard.press('Escape');
      expect(await panelText(page)).toBeUndefined();
      await page.keyboard.press('Enter');
      expect(await page.$eval('.panel', (panel) => panel.classList.contains('pinned'))).toBe(true);
    }));

  test('a flagged row says its kind and reason', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await toWaterfall(page);
      await (await rowNamed(page, 'events?channel=stock')).click();
      const text = (await panelText(page)) ?? '';
      expect(text).toContain('sse text/event-stream: by its protocol it never ends (certain)');
      expect(text).toMatch(/in all\s+11\.9 s and still open/);
      expect(text).toMatch(/arrived in\s+24 pieces/);
    }));
});

describe('filters', () => {
  test('by type, one or several', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      const everything = (await shownRows(page)).length;
      await button(page, 'CSS');
      expect(await shownRows(page)).toEqual(['base.4f1c.css', 'product.88ab.css']);
      await button(page, 'Font');
      expect(await shownRows(page)).toHaveLength(4);
      expect(await page.$eval('.shown', (count) => count.textContent)).toBe(`4 of ${everything} requests`);
      await button(page, 'All');
      expect(await shownRows(page)).toHaveLength(everything);
    }));

  test('background only, and background hidden', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      const everything = (await shownRows(page)).length;
      await button(page, 'Background only');
      expect(await shownRows(page)).toHaveLength(17);
      await button(page, 'Background hidden');
      expect(await shownRows(page)).toHaveLength(everything - 17);
    }));

  test('by text, down to nothing', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await page.type('input[type=search]', 'RECOMMENDATIONS/');
      expect(await shownRows(page)).toEqual(['a.webp', 'b.webp', 'c.webp']);
      await page.type('input[type=search]', 'nothing');
      expect(await shownRows(page)).toEqual([]);
      expect(await page.$eval('.none', (none) => none.checkVisibility())).toBe(true);
    }));

  test('the keyboard skips what is filtered out', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await button(page, 'Font');
      await page.focus('.list');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      expect(await panelText(page)).toContain('text-600.woff2');
    }));
});

test('another run can be chosen, with the filters kept', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    await button(page, 'Font');
    await page.select('select', '5');
    expect(await page.$eval('.run', (run) => run.getAttribute('data-run'))).toBe('5');
    expect(await shownRows(page)).toEqual(['text-400.woff2', 'text-600.woff2']);
    await (await rowNamed(page, 'text-400.woff2')).click();
    expect(await panelText(page)).toContain('text-400.woff2');
    // Or the row that comes to lie under it would show its details.
    await page.mouse.move(1, 1);
    await page.select('select', '3');
    expect(await page.$$eval('.run', (runs) => runs.map((run) => run.getAttribute('data-run')))).toEqual(['3']);
    expect(await panelText(page)).toBeUndefined();
  }));

test('the whole recording and the load can be looked at', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    const quiet = () =>
      page.$eval('.quiet', (band) => {
        const frame = band.closest('.behind')?.getBoundingClientRect();
        const box = band.getBoundingClientRect();
        return frame === undefined ? Number.NaN : (box.right - frame.left) / frame.width;
      });
    expect(await quiet()).toBeGreaterThan(1);
    await button(page, 'Whole recording');
    expect(await quiet()).toBeCloseTo(4243 / 12_400, 1);
  }));

describe.each([390, 720, 1280])('at %i px', (width) => {
  test('nothing overflows sideways, with a long address neither', () =>
    withReport(exampleReport(), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
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

  test('milestone labels do not cover each other and names can be read', () =>
    withReport(exampleReport(), { width }, async ({ page }) => {
      const boxes = await page.$$eval('.labels .mark:not(.gone) text', (labels) =>
        labels.map((label) => {
          const { left, right, top, bottom } = label.getBoundingClientRect();
          return { left, right, top, bottom };
        }),
      );
      expect(boxes).toHaveLength(5);
      for (const [i, a] of boxes.entries()) {
        for (const b of boxes.slice(i + 1)) {
          const apart = a.right <= b.left || b.right <= a.left || a.bottom - 3 <= b.top || b.bottom - 3 <= a.top;
          expect(apart, JSON.stringify([a, b])).toBe(true);
        }
      }
      const shortest = await page.$$eval('.r .n span', (names) =>
        Math.min(...names.map((name) => name.getBoundingClientRect().width / Math.min(name.scrollWidth, 150))),
      );
      expect(shortest).toBeGreaterThan(0.95);
    }));
});

describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
  test('text can be read', () =>
    withReport(exampleReport(), { scheme }, async ({ page }) => {
      await measureContrast(page);
      const poor = await page.evaluate(() => {
        const found: string[] = [];
        for (const selector of [
          'body',
          '.statement',
          '.subject a',
          '.answer dt',
          '.answer .under',
          '.answer.ours .big',
          '.answer.plain .big',
          '.notes li',
          '.lead',
          '.notice',
          'thead th',
          'tbody th small',
          'td',
          '.kind',
          '.bad-text',
          '.agree.disagrees',
          '.findings h4',
          '.findings .soft',
          '.urls a',
          '.endpoint small',
          '.counted small',
          '.together span',
          '.overruled h4',
          '.proof .sentence',
          '.shot figcaption span',
          '.held h4',
          '.untimed th',
          '.untimed td',
          '.r:not(.f) i',
          '.r .n span',
          '.r.f .n span',
          '.r.g .n b',
          '.r.g i',
          '.r > u',
          '.tools button',
          '.tools button[aria-pressed=true]',
          '.tools small',
          '.shown',
          '.keys',
          '.legend li',
          '.facts dt',
          '.head .names',
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

describe('pictures', () => {
  const openedPicture = (page: Page): Promise<string | undefined> =>
    page.$eval('.viewer', (viewer) =>
      viewer instanceof HTMLDialogElement && viewer.open ? (viewer.querySelector('img')?.alt ?? '') : undefined,
    );

  test('are drawn', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      const widths = await page.$$eval('.shot img', (images) =>
        Promise.all(
          images.map(async (image) => {
            if (!(image instanceof HTMLImageElement)) return 0;
            await image.decode();
            return image.naturalWidth;
          }),
        ),
      );
      expect(widths).toEqual(Array(7).fill(480));
    }));

  test('are enlarged by the keyboard, compared with the arrows, and closed where they were opened', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await page.focus('.trio a.picture');
      await page.keyboard.press('Enter');
      expect(await openedPicture(page)).toBe('The page with every request answered');
      await page.keyboard.press('ArrowRight');
      expect(await openedPicture(page)).toBe('The page with 2 endpoints held back');
      expect(await page.$eval('.viewer-words', (words) => words.textContent)).toContain('Complete at 1.24 s');
      expect(await page.$eval('.viewer a', (link) => link.getAttribute('href'))).toMatch(/\/evidence\/ablation\.png$/);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      expect(await openedPicture(page)).toContain('What differs');
      await page.keyboard.press('Escape');
      expect(await openedPicture(page)).toBeUndefined();
      expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe('evidence/04-end.png');
    }));

  test('close by the cross and beside the picture', () =>
    withReport(exampleReport(), {}, async ({ page }) => {
      await page.click('.film a.picture');
      expect(await openedPicture(page)).toBe('The page at 412 ms: the first paint');
      await page.click('.viewer-close');
      expect(await openedPicture(page)).toBeUndefined();
      await page.click('.film a.picture');
      expect(await openedPicture(page)).toBe('The page at 412 ms: the first paint');
      await page.mouse.click(3, 3);
      expect(await openedPicture(page)).toBeUndefined();
    }));

  test.each([
    [1280, 3],
    [768, 3],
    [390, 1],
  ])('at %i px %i stand side by side', (width, beside) =>
    withReport(exampleReport(), { width }, async ({ page }) => {
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
    return withReport({ ...report, targets }, {}, async ({ page }) => {
      const sizes = await page.$$eval('.shot img', (images) =>
        images.map((image) => {
          const { width, height } = image.getBoundingClientRect();
          return { height, ratio: width / height };
        }),
      );
      expect(sizes).toHaveLength(7);
      for (const { height, ratio } of sizes) {
        expect(height).toBeLessThanOrEqual(400);
        expect(ratio).toBeCloseTo(390 / 844, 2);
      }
    });
  });
});

test('the cross takes the panel away for good, whatever comes to lie under the mouse', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    await toWaterfall(page);
    await (await rowNamed(page, 'shop.example/')).click();
    await page.click('.panel-close');
    // Two frames are what a browser takes to tell the row under a resting mouse.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await panelText(page)).toBeUndefined();
  }));

test('what counts of a background row is drawn in full, the rest is hatched', () =>
  withReport(exampleReport(), {}, async ({ page }) => {
    const masks = await (await rowNamed(page, 'events?channel=stock')).$$eval(':scope > svg[viewBox]', (drawings) =>
      drawings.map((drawing) => getComputedStyle(drawing).maskImage),
    );
    expect(masks.map((mask) => mask.startsWith('repeating-linear-gradient'))).toEqual([true, false]);
    const plain = await (await rowNamed(page, 'logo.svg')).$eval(
      'svg',
      (drawing) => getComputedStyle(drawing).maskImage,
    );
    expect(plain).toBe('none');
    await (await rowNamed(page, 'events?channel=stock')).click();
    expect(await panelText(page)).toContain('counts until 640 ms');
  }));

test('an analysis fits every width', async () => {
  for (const width of [390, 768, 1280]) {
    await withReport(analysisReport(), { width }, async ({ page }) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await page.$eval('.notice.missing', (notice) => notice.textContent)).toContain('1.79 s more of silence');
    });
  }
});

test('without a script the rows of every run, the tables and the titles are there', () =>
  withReport(exampleReport(), { script: false }, async ({ page }) => {
    expect(await page.$$eval('.run', (runs) => runs.filter((run) => run.checkVisibility()).length)).toBe(5);
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
      { ...row, url: `javascript:document.title='owned'`, initiator: evil, outcome: evil },
      {
        ...row,
        url: `https://shop.example/${evil}`,
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
  return withReport(report, {}, async ({ page }) => {
    await page.focus('.list');
    await page.keyboard.press('Home');
    expect(await page.$('.panel a')).toBeNull();
    await page.keyboard.press('ArrowDown');
    expect(await panelText(page)).toContain('</script><img src=x');
    expect(await page.$('.panel a')).toBeNull();
    await page.select('select', '1');
    await page.focus('.list');
    await page.keyboard.press('Home');
    expect(await page.title()).toBe('shop – Quiesce');
    expect(await page.$$('img:not(.shot img, .viewer img)')).toHaveLength(0);
  });
});

test('ten thousand rows can be filtered and walked', () =>
  withReport(hugeReport(10_000), {}, async ({ page }) => {
    expect(await page.$eval('.shown', (count) => count.textContent)).toBe('10,000 requests');
    await page.focus('.list');
    await page.keyboard.press('End');
    expect(await panelText(page)).toContain('n=9999');
    const height = () => page.$eval('.area', (area) => area.getBoundingClientRect().height);
    expect(await height()).toBeGreaterThan(10_000 * 24 - 1000);
    await page.type('input[type=search]', 'n=99');
    expect(await page.$eval('.shown', (count) => count.textContent)).toBe('111 of 10,000 requests');
    expect(Math.abs((await height()) - 111 * 24)).toBeLessThan(30);
  }));
