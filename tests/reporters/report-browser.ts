import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { findBrowser } from '../../src/browser/install/find.ts';

/** How a reader looks at a report. */
export interface View {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly script?: boolean;
  readonly media?: 'print';
}

/** A report that is open. */
export interface Opened {
  readonly page: Page;
  /** Console messages, page errors, policy violations and requests beyond the file itself. */
  readonly trouble: readonly string[];
}

/** Opens reports in a real browser; close it in `afterAll`. */
export interface ReportBrowser {
  /** Opens a report, lets the test look at it, and holds that nothing went wrong and nothing was asked for meanwhile. */
  show(html: string, view: View, look: (opened: Opened) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Waterfalls are unpacked after the page has loaded. */
const isLive = (): boolean =>
  [...document.querySelectorAll('.waterfalls')].every(
    (group) => !group.checkVisibility() || group.querySelector('.live') !== null,
  );

let shared: Promise<Browser> | undefined;

/** The browser of this process in which reports are opened, each in a page of its own. It ends with the process. */
export async function readersBrowser(): Promise<Browser> {
  shared ??= start();
  return shared;
}

async function start(): Promise<Browser> {
  const { path: executablePath } = await findBrowser(undefined, process.env);
  const browser = await puppeteer.launch({
    executablePath,
    args: [
      '--headless=new',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
    ],
  });
  // Vitest ends its workers so, and waits only half a second for what they still have to do.
  process.prependOnceListener('SIGTERM', () => browser.process()?.kill('SIGKILL'));
  return browser;
}

/** Opens reports, in the browser that all tests of the process share. */
export async function openReportBrowser(): Promise<ReportBrowser> {
  const browser = await readersBrowser();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-report-'));
  let files = 0;
  return {
    async show(html, { width = 1280, scheme = 'light', script = true, media }, look) {
      const file = path.join(folder, `report-${files++}.html`);
      await writeFile(file, html);
      const own = pathToFileURL(file).href;
      const page = await browser.newPage();
      const trouble: string[] = [];
      try {
        await page.setViewport({ width, height: 900 });
        await page.setJavaScriptEnabled(script);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        if (media !== undefined) await page.emulateMediaType(media);
        page.on('console', (message) => trouble.push(`${message.type()}: ${message.text()}`));
        page.on('pageerror', (error) => trouble.push(String(error)));
        page.on('request', (request) => {
          if (request.url().replace(/#.*/, '') !== own && !request.url().startsWith('data:'))
            trouble.push(request.url());
        });
        await page.goto(own);
        if (script) await page.waitForFunction(isLive);
        // Paper has one page unless all is asked for.
        if (media === 'print') {
          await page.$$eval('.print-all', (boxes) => {
            for (const box of boxes) if (box instanceof HTMLInputElement) box.checked = true;
          });
        }
        await look({ page, trouble });
        expect(trouble).toEqual([]);
      } finally {
        await page.close();
      }
    },
    async close() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
