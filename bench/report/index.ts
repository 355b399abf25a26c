/**
 * How large a report is, and how soon it is open: the file in a fresh tab of Chrome, from its navigation to its load event,
 * and until its waterfalls can be used; and the longest task of its main thread while the first of them is scrolled through.
 *
 *   node bench/report/index.ts [index.html …] [--repeat 7]
 *
 * Without a file: the example report of this repository. Wants a machine that does little else.
 */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer, { type Page } from 'puppeteer-core';
import { findBrowser } from '../../src/browser/install/find.ts';
import { median } from '../../src/core/time/median.ts';
import { formatValue } from '../../src/wording/text/format.ts';
import { table } from '../support/table.ts';

/** Turns of the mouse's wheel. */
const MOST_TURNS = 200;
const EXAMPLE = path.join(import.meta.dirname, '../../reports/example/index.html');

const { values, positionals } = parseArgs({
  options: { repeat: { type: 'string', default: '7' } },
  allowPositionals: true,
});
const repeat = Number(values.repeat);
if (!Number.isInteger(repeat) || repeat < 1) throw new Error('--repeat needs a whole number of at least 1.');

/** Waterfalls are drawn after the page has loaded. */
const isLive = (): boolean =>
  [...document.querySelectorAll('.waterfalls')].every(
    (group) => !group.checkVisibility() || group.querySelector('.live') !== null,
  );

/** Scrolls the first waterfall to its end as a hand does, now and then far. Gives its longest task, ms; 0 below 50 ms. */
async function longestScrolling(page: Page): Promise<number> {
  const frame = await page.$('.frame.live');
  const box = await frame?.scrollIntoView().then(() => frame.boundingBox());
  if (!frame || !box) return 0;
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    if (await frame.evaluate((it) => it.scrollTop + it.clientHeight + 1 >= it.scrollHeight)) break;
    await page.mouse.wheel({ deltaY: turn % 5 === 4 ? 20_000 : 240 });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  return page.evaluate(() => Math.max(0, ...(globalThis as unknown as { seen: number[] }).seen));
}

const { path: executablePath } = await findBrowser(undefined, process.env);
const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
const browser = await puppeteer.launch({ executablePath, args });
try {
  const rows: string[][] = [];
  for (const file of positionals.length > 0 ? positionals : [EXAMPLE]) {
    const loaded: number[] = [];
    const live: number[] = [];
    const longest: number[] = [];
    // The first tab of a browser is slower than the others, and is not counted.
    for (let i = 0; i <= repeat; i += 1) {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(path.resolve(file)).href);
      await page.waitForFunction(isLive);
      const [usable, load] = await page.evaluate(() => [
        performance.now(),
        performance
          .getEntriesByType('navigation')
          .map((entry) => (entry as PerformanceNavigationTiming).loadEventEnd)[0],
      ]);
      const scrolling = await longestScrolling(page);
      await page.close();
      if (i === 0) continue;
      longest.push(scrolling);
      loaded.push(load ?? Number.NaN);
      live.push(usable ?? Number.NaN);
    }
    const { size } = await stat(file);
    rows.push([
      path.relative(process.cwd(), file),
      formatValue(size, 'bytes'),
      formatValue(median(loaded), 'ms'),
      formatValue(median(live), 'ms'),
      median(longest) === 0 ? 'below 50 ms' : formatValue(median(longest), 'ms'),
    ]);
  }
  console.log(
    table(
      ['report', 'size', `load event (median of ${repeat})`, 'waterfalls usable', 'longest task while scrolled'],
      rows,
    ),
  );
} finally {
  await browser.close();
}
