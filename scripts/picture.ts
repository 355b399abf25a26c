/**
 * `npm run example`, second half: photographs the example report for the README, in light and in dark.
 * Takes the report's path and the folder for `report-light.png` and `report-dark.png`.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';
import { findBrowser } from '../src/browser/install/find.ts';

/** What a README on a wide screen shows without scrolling far, px. */
const SIZE = { width: 1280, height: 1500 };

const [report, folder] = process.argv.slice(2);
if (report === undefined || folder === undefined) throw new Error('usage: picture.ts <report.html> <folder>');

const { path: executablePath } = await findBrowser(undefined, process.env);
const browser = await puppeteer.launch({
  executablePath,
  args: ['--headless=new', '--disable-gpu', '--hide-scrollbars', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
try {
  const page = await browser.newPage();
  await page.setViewport(SIZE);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(pathToFileURL(path.resolve(report)).href);
    await page.screenshot({ path: path.join(folder, `report-${scheme}.png`), optimizeForSpeed: false });
  }
} finally {
  await browser.close();
}
