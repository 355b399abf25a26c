/** The tools whose HARs bench/hars/index.ts reads: installed into a folder of its own, they record pages as their users do. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { browsertimeArguments, installBrowsertime } from '../support/browsertime.ts';
import { installNpm } from '../support/install-npm.ts';

const run = promisify(execFile);

/** The versions that the figures in docs/internals/benchmarks.md are of. */
const NPM = { 'playwright-core': '1.65.1', 'puppeteer-har': '1.1.2', 'chrome-har': '1.3.1' } as const;
/** The last one for Python 3.11 and older; newer ones write the same HAR. */
const MITMPROXY = '11.0.2';

export interface Recorder {
  readonly name: string;
  /** Records one load into the file, and goes on for so many ms after the load event. */
  record(url: string, file: string, afterLoad: number): Promise<void>;
}

export interface ToolOptions {
  /** Where tools are installed, and browsers have their profiles. */
  readonly folder: string;
  /** Of Chrome or Chromium. */
  readonly executable: string;
  /** Of the chromedriver that fits it; browsertime is left out without one. */
  readonly chromedriver: string | undefined;
}

const CHROME_ARGS = [
  '--headless=new',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** A page that is never loaded must not end the recording of all others, ms. */
const LOAD_LIMIT_MS = 15_000;

/** Installs what can be installed, and says what cannot. */
export async function recorders(options: ToolOptions): Promise<readonly Recorder[]> {
  const found = await Promise.all(
    [npmTools, browsertime, mitmproxy].map((tool) =>
      tool(options).catch((error: unknown) => {
        console.error(`${tool.name} is left out: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }),
    ),
  );
  return found.flat();
}

// --- Playwright, puppeteer-har, chrome-har ------------------------------------------------------------------------

interface PlaywrightPage {
  goto(url: string, options: object): Promise<unknown>;
  waitForTimeout(ms: number): Promise<void>;
}
interface PlaywrightContext {
  newPage(): Promise<PlaywrightPage>;
  close(): Promise<void>;
}
interface Playwright {
  readonly chromium: {
    launch(
      options: object,
    ): Promise<{ newContext(options: object): Promise<PlaywrightContext>; close(): Promise<void> }>;
  };
}
type PuppeteerHar = new (
  page: Page,
) => { start(options: { readonly path: string }): Promise<void>; stop(): Promise<void> };
interface ChromeHar {
  harFromMessages(messages: readonly object[], options: object): object;
}

async function npmTools({ folder, executable }: ToolOptions): Promise<readonly Recorder[]> {
  const require = createRequire(path.join(await installNpm(path.join(folder, 'npm'), NPM), 'package.json'));
  const { chromium } = require('playwright-core') as Playwright;
  const Har = require('puppeteer-har') as PuppeteerHar;
  const { harFromMessages } = require('chrome-har') as ChromeHar;
  const playwright = (mode: 'full' | 'minimal'): Recorder => ({
    name: `playwright-${mode}`,
    async record(url, file, afterLoad) {
      const browser = await chromium.launch({ executablePath: executable, args: CHROME_ARGS });
      try {
        const context = await browser.newContext({ recordHar: { path: file, mode, content: 'omit' } });
        const page = await context.newPage();
        await page.goto(url, { timeout: LOAD_LIMIT_MS }).catch(() => undefined);
        await pause(afterLoad);
        await context.close();
      } finally {
        await browser.close();
      }
    },
  });
  return [
    playwright('full'),
    playwright('minimal'),
    {
      name: 'puppeteer-har',
      record: (url, file, afterLoad) =>
        withPage(executable, [], async (page) => {
          const har = new Har(page);
          await har.start({ path: file });
          await load(page, url, afterLoad);
          await har.stop();
        }),
    },
    {
      name: 'chrome-har',
      record: (url, file, afterLoad) =>
        withPage(executable, [], async (page) => {
          const messages: object[] = [];
          const session = await page.createCDPSession();
          const keep = (method: unknown, params: unknown): void => {
            if (typeof method === 'string' && /^(?:Page|Network)\./.test(method)) messages.push({ method, params });
          };
          // Its types know one argument only.
          session.on('*', keep as never);
          await session.send('Page.enable');
          await session.send('Network.enable');
          await load(page, url, afterLoad);
          await writeFile(file, JSON.stringify(harFromMessages(messages, {})));
        }),
    },
  ];
}

async function load(page: Page, url: string, afterLoad: number): Promise<void> {
  await page.goto(url, { timeout: LOAD_LIMIT_MS }).catch(() => undefined);
  await pause(afterLoad);
}

async function withPage(
  executable: string,
  args: readonly string[],
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const browser: Browser = await puppeteer.launch({ executablePath: executable, args: [...CHROME_ARGS, ...args] });
  try {
    await use(await browser.newPage());
  } finally {
    await browser.close();
  }
}

// --- browsertime --------------------------------------------------------------------------------------------------

async function browsertime({ folder, executable, chromedriver }: ToolOptions): Promise<readonly Recorder[]> {
  if (chromedriver === undefined) throw new Error('there is no chromedriver (--chromedriver)');
  const home = path.join(folder, 'browsertime');
  const bin = await installBrowsertime(home);
  const chromeArgs = CHROME_ARGS.map((arg) => arg.slice(2)).filter((arg) => !arg.startsWith('headless'));
  return [
    {
      name: 'browsertime',
      async record(url, file, afterLoad) {
        const out = await mkdtemp(path.join(home, 'out-'));
        await run(
          process.execPath,
          [
            bin,
            ...browsertimeArguments({ executable, chromedriver }, 1, out, chromeArgs),
            ...['--maxLoadTime', String(LOAD_LIMIT_MS)],
            ...['--pageCompleteCheckStartWait', '500', '--pageCompleteWaitTime', String(afterLoad)],
            ...[
              '--pageCompleteCheck',
              `return performance.timing.loadEventEnd > 0 && Date.now() - performance.timing.loadEventEnd > ${afterLoad}`,
            ],
            url,
          ],
          { cwd: home },
        ).catch((error: unknown) => error);
        const har = (await readdir(out)).find((name) => /\.har(?:\.gz)?$/.test(name));
        if (har === undefined) throw new Error('browsertime wrote no HAR');
        await copyFile(path.join(out, har), har.endsWith('.gz') ? `${file}.gz` : file);
        await rm(out, { recursive: true, force: true });
      },
    },
  ];
}

// --- mitmproxy ----------------------------------------------------------------------------------------------------

async function mitmproxy({ folder, executable }: ToolOptions): Promise<readonly Recorder[]> {
  const venv = path.join(folder, 'mitmproxy');
  const dump = path.join(venv, 'bin', 'mitmdump');
  if (!existsSync(dump)) {
    await run('python3', ['-m', 'venv', venv]);
    await run(path.join(venv, 'bin', 'pip'), ['install', '-q', `mitmproxy==${MITMPROXY}`]);
  }
  return [
    {
      name: 'mitmproxy',
      async record(url, file, afterLoad) {
        const proxy = spawn(dump, ['--listen-host', '127.0.0.1', '-p', '0', '--set', `hardump=${file}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const ended = once(proxy, 'exit');
        try {
          const port = await new Promise<string>((resolve, reject) => {
            let said = '';
            proxy.stdout.on('data', (chunk: Buffer) => {
              said += chunk.toString();
              const found = /listening at \S*?:(\d+)/.exec(said)?.[1];
              if (found !== undefined) resolve(found);
            });
            proxy.once('exit', () => reject(new Error('mitmdump does not start')));
          });
          const args = [`--proxy-server=http://127.0.0.1:${port}`, '--proxy-bypass-list=<-loopback>'];
          await withPage(executable, args, (page) => load(page, url, afterLoad));
        } finally {
          proxy.kill('SIGINT');
          await ended;
        }
      },
    },
  ];
}
