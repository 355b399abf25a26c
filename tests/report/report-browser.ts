import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { findBrowser } from '../../src/shell/browser/find.ts';

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

/** A real browser that opens reports; close it in `afterAll`. */
export interface ReportBrowser {
  /** Opens a report, lets the test look at it, and holds that nothing went wrong and nothing was asked for meanwhile. */
  show(html: string, view: View, look: (opened: Opened) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openReportBrowser(): Promise<ReportBrowser> {
  const { path: executablePath } = await findBrowser(undefined, process.env);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-report-'));
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
          if (request.url() !== own && !request.url().startsWith('data:')) trouble.push(request.url());
        });
        await page.goto(own);
        await look({ page, trouble });
        expect(trouble).toEqual([]);
      } finally {
        await page.close();
      }
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
