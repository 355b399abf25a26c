import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { UsageError } from '../../core/messages.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import { chromeArguments } from './flags.ts';

/** How long a browser may take to come up or go down, ms. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** A running browser, ready for loads. */
export interface RunningBrowser {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
  readonly sandbox: boolean;
  readonly path: string | undefined;
  /** WebSocket address at which more connections to it can be made. */
  readonly endpoint: string;
  /** The browser's own session, for questions about the browser itself. */
  readonly root: CDPSession;
  /** One more session with the browser: what it attaches to is its own affair. */
  newRoot(): Promise<CDPSession>;
  /** The session of an attached target. */
  session(sessionId: string): CDPSession | undefined;
  /** Settles when the browser is gone, wanted or not. */
  readonly gone: Promise<void>;
  /** Process id of the browser, when this program started it. */
  readonly pid: number | undefined;
  /** Ends the browser and removes its profile; a browser that was only connected to is left running. */
  close(): Promise<void>;
}

/**
 * Puppeteer starts, connects and ends the browser; targets are driven over the protocol directly, so it is told to
 * keep its hands off them.
 */
const HANDS_OFF = {
  targetFilter: () => false,
  networkEnabled: false,
  issuesEnabled: false,
  defaultViewport: null,
  protocol: 'cdp',
} as const;

/** Starts the executable at `executablePath`, or connects when the settings name a running browser. */
export async function startBrowser(
  settings: BrowserSettings,
  executablePath: string | undefined,
): Promise<RunningBrowser> {
  if (settings.browserWs !== undefined) return connect(settings.browserWs);
  if (executablePath === undefined) throw new UsageError('browser-not-found');
  const profile = await mkdtemp(path.join(os.tmpdir(), 'quiesce-profile-'));
  // Last resort: a program that is ended at once must not leave the profile behind either.
  const removeAtExit = (): void => rmSync(profile, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const removeProfile = async (): Promise<void> => {
    process.off('exit', removeAtExit);
    // Chrome's children may still be writing while they go down.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  let browser: Browser;
  try {
    browser = await puppeteer.launch({
      ...HANDS_OFF,
      executablePath,
      ignoreDefaultArgs: true,
      args: [
        ...chromeArguments(settings.browserArg),
        `--user-data-dir=${profile}`,
        ...(settings.sandbox ? [] : ['--no-sandbox']),
        'about:blank',
      ],
      // Chrome keeps its singleton's socket in the folder for temporary files, and leaves it there when it is killed.
      env: { ...process.env, TMPDIR: profile },
      waitForInitialPage: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS,
    });
  } catch (error) {
    await removeProfile();
    throw new UsageError('browser-start-failed', { path: executablePath, detail: firstLine(error) }, { cause: error });
  }
  const child = browser.process();
  const exited = new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return running(browser, {
    sandbox: settings.sandbox,
    path: executablePath,
    pid: child?.pid,
    async close() {
      await Promise.race([browser.close().catch(() => undefined), delay(STOP_TIMEOUT_MS)]);
      if (child && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await Promise.race([exited, delay(STOP_TIMEOUT_MS)]);
      await removeProfile();
    },
  });
}

async function connect(browserWSEndpoint: string): Promise<RunningBrowser> {
  let browser: Browser;
  try {
    browser = await puppeteer.connect({ ...HANDS_OFF, browserWSEndpoint });
  } catch (error) {
    throw new UsageError('browser-unreachable', { url: browserWSEndpoint, detail: firstLine(error) }, { cause: error });
  }
  return running(browser, {
    sandbox: true,
    path: undefined,
    pid: undefined,
    close: () => browser.disconnect(),
  });
}

async function running(
  browser: Browser,
  own: Pick<RunningBrowser, 'sandbox' | 'path' | 'pid' | 'close'>,
): Promise<RunningBrowser> {
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  // Puppeteer attaches to every worker and lets it run at once, also with hands off: before whoever listens to it has
  // said what has to be in force by then.
  await connection?.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
  const [product, userAgent] = await Promise.all([browser.version(), browser.userAgent()]);
  // One after the other: Puppeteer takes the second of two that are opened at the same moment for one that Chrome attached
  // by itself, and detaches it.
  let opening: Promise<unknown> = Promise.resolve();
  const newRoot = (): Promise<CDPSession> => {
    const opened = opening.then(() => browser.target().createCDPSession());
    opening = opened.catch(() => undefined);
    return opened;
  };
  return {
    ...own,
    product,
    userAgent,
    endpoint: browser.wsEndpoint(),
    root,
    newRoot,
    session: (sessionId) => connection?.session(sessionId) ?? undefined,
    gone: new Promise((resolve) => browser.once('disconnected', () => resolve())),
  };
}

/** The first line of an error that says something, for a one-line message. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'no reason given'
  );
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
