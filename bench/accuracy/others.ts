/** When other tools say that a page is loaded, each asked in a real load of its own. */
import type { Browser, Page } from 'puppeteer-core';

/** What a tool said: idle, after so many ms, at that time since the Unix epoch; or nothing before its own limit. */
export type Said =
  | { readonly state: 'idle'; readonly after: number; readonly epoch: number }
  | { readonly state: 'timeout'; readonly after: number }
  | { readonly state: 'failed'; readonly because: string };

/** How long Puppeteer waits unless told otherwise, ms. */
const PUPPETEER_LIMIT_MS = 30_000;

/** The tools, in the order of the table. */
export const OTHERS = ['networkidle0', 'networkidle2', 'lighthouse'] as const;
export type Other = (typeof OTHERS)[number];

const now = (): number => performance.timeOrigin + performance.now();

/** Loads the address in a fresh context and lets the tool wait; the page stays open until `afterwards` is done. */
export async function ask(
  tool: Other,
  browser: Browser,
  url: string,
  afterwards: (said: Said) => Promise<void>,
): Promise<Said> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.setViewport({ width: 1350, height: 940 });
    const said = await (tool === 'lighthouse' ? askLighthouse(page, url) : askPuppeteer(page, url, tool));
    await afterwards(said);
    return said;
  } catch (error) {
    return { state: 'failed', because: error instanceof Error ? error.message : String(error) };
  } finally {
    await context.close();
  }
}

async function askPuppeteer(page: Page, url: string, waitUntil: 'networkidle0' | 'networkidle2'): Promise<Said> {
  const from = now();
  try {
    await page.goto(url, { waitUntil, timeout: PUPPETEER_LIMIT_MS });
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'TimeoutError') throw error;
    return { state: 'timeout', after: now() - from };
  }
  const epoch = now();
  return { state: 'idle', after: epoch - from, epoch };
}

/** As much of Lighthouse's own modules as is used; their types would pull a global namespace into this project's. */
interface LighthouseDriver {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}
interface LighthouseModules {
  readonly Driver: new (page: Page) => LighthouseDriver;
  gotoURL(driver: LighthouseDriver, url: string, options: object): Promise<{ readonly warnings: readonly unknown[] }>;
  readonly defaultSettings: object;
}

async function lighthouseModules(): Promise<LighthouseModules> {
  const root = 'lighthouse/core/';
  const [driver, navigation, constants] = await Promise.all(
    ['gather/driver.js', 'gather/driver/navigation.js', 'config/constants.js'].map((file) => import(root + file)),
  );
  return { ...driver, ...navigation, defaultSettings: constants.defaultSettings };
}

/** Lighthouse's waiting as its navigation mode does it, without its audits and without throttling. */
async function askLighthouse(page: Page, url: string): Promise<Said> {
  const { Driver, gotoURL, defaultSettings } = await lighthouseModules();
  const driver = new Driver(page);
  await driver.connect();
  try {
    const from = now();
    const { warnings } = await gotoURL(driver, url, { ...defaultSettings, waitUntil: ['fcp', 'load', 'navigated'] });
    const epoch = now();
    // It warns of redirects, too; only the limit is told by the time it took.
    const limit = (defaultSettings as { maxWaitForLoad: number }).maxWaitForLoad;
    if (warnings.length > 0 && epoch - from >= limit) return { state: 'timeout', after: epoch - from };
    return { state: 'idle', after: epoch - from, epoch };
  } finally {
    await driver.disconnect();
  }
}
