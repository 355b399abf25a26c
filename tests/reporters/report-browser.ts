import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type ConsoleMessage, type HTTPRequest, type Page } from 'puppeteer-core';
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

/** Waterfalls are unpacked after the page has loaded, or once they are unfolded. */
export const isLive = (): boolean =>
  [...document.querySelectorAll('.waterfalls')].every(
    (group) => !group.checkVisibility() || group.querySelector('.live') !== null,
  );

let shared: Promise<Browser> | undefined;

/**
 * Tabs that showed a report to a test that passed, for the next report: another document in the same tab needs half of the
 * processor's time of a new tab with a process of its own.
 */
const idle: Page[] = [];

/** The browser of this process in which reports are opened. It ends with the process. */
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

/** Opens reports, each in a tab where nobody else looks at one, in the browser that all tests of the process share. */
export async function openReportBrowser(): Promise<ReportBrowser> {
  const browser = await readersBrowser();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-report-'));
  let files = 0;
  return {
    async show(html, { width = 1280, scheme = 'light', script = true, media }, look) {
      const file = path.join(folder, `report-${files++}.html`);
      await writeFile(file, html);
      const own = pathToFileURL(file).href;
      const page = idle.pop() ?? (await browser.newPage());
      const trouble: string[] = [];
      const onConsole = (message: ConsoleMessage): void => void trouble.push(`${message.type()}: ${message.text()}`);
      const onError = (error: unknown): void => void trouble.push(String(error));
      const onRequest = (request: HTTPRequest): void => {
        const url = request.url();
        if (url.replace(/#.*/, '') !== own && !url.startsWith('data:')) trouble.push(url);
      };
      try {
        // Everything that a test before may have left another way.
        await page.mouse.move(0, 0);
        await page.setViewport({ width, height: 900 });
        await page.setJavaScriptEnabled(script);
        // Sets the medium back to the screen, too.
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        if (media !== undefined) await page.emulateMediaType(media);
        page.on('console', onConsole).on('pageerror', onError).on('request', onRequest);
        await page.goto(own);
        if (script) await page.waitForFunction(isLive);
        await look({ page, trouble });
        expect(trouble).toEqual([]);
      } catch (error) {
        await page.close();
        throw error;
      }
      page.off('console', onConsole).off('pageerror', onError).off('request', onRequest);
      idle.push(page);
    },
    async close() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}
