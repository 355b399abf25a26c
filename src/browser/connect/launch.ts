import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { startTrouble } from '../../core/browser-start.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import { inheritedEnvironment } from '../../shell/process/inherited-environment.ts';
import { QuiesceError } from '../../wording/messages.ts';
import type { BrowserSessions, RunningBrowser } from './browser.ts';
import { chromeArguments } from './flags.ts';
import { openSharedTransport } from './shared-transport.ts';

/** How long a browser may take to start, and each of the two steps of its end, ms. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;

/** Starts a browser with an empty profile. Rejects with the `QuiesceError` `browser-start-failed`. */
export async function launchBrowser(settings: BrowserSettings, executablePath: string): Promise<RunningBrowser> {
  const profile = mkdtempSync(path.join(os.tmpdir(), 'quiesce-profile-'));
  let browser: Browser | undefined;
  let sessions: BrowserSessions;
  // When this program is ended at once, neither the browser nor the profile may stay.
  const endAtOnce = (): void => {
    browser?.process()?.kill('SIGKILL');
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The browser's children still write there. An error would keep Puppeteer from ending a browser that is just starting.
    }
  };
  process.once('exit', endAtOnce);
  const removeProfile = async (): Promise<void> => {
    process.off('exit', endAtOnce);
    // Chrome's children may still write there while they end.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    browser = await puppeteer.launch({
      // Puppeteer starts and ends the browser; targets are driven over the protocol directly.
      targetFilter: () => false,
      networkEnabled: false,
      issuesEnabled: false,
      defaultViewport: null,
      protocol: 'cdp',
      executablePath,
      ignoreDefaultArgs: true,
      args: [
        ...chromeArguments(settings.browserArg),
        `--user-data-dir=${profile}`,
        ...(settings.sandbox ? [] : ['--no-sandbox']),
      ],
      // Chrome keeps its singleton's socket in the folder for temporary files, and leaves it there when it is killed.
      env: { ...inheritedEnvironment(), TMPDIR: profile },
      waitForInitialPage: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS,
    });
    sessions = await sessionsOf(browser);
  } catch (error) {
    browser?.process()?.kill('SIGKILL');
    await removeProfile();
    const trouble = startTrouble(error instanceof Error ? error.message : String(error));
    throw new QuiesceError('browser-start-failed', { path: executablePath, ...trouble }, { cause: error });
  }
  const launched = browser;
  const child = browser.process();
  const isRunning = (): boolean => child !== null && child.exitCode === null && child.signalCode === null;
  const exited = new Promise<void>((resolve) => {
    if (isRunning()) child?.once('exit', () => resolve());
    else resolve();
  });
  const stopTimeout = (): Promise<unknown> => setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false });
  return {
    ...sessions,
    sandbox: settings.sandbox,
    path: executablePath,
    isConnected: false,
    isRemote: false,
    notes: [],
    openTransport: () => openSharedTransport(launched.wsEndpoint()),
    pid: child?.pid,
    async close() {
      await Promise.race([launched.close().catch(() => undefined), stopTimeout()]);
      if (isRunning()) child?.kill('SIGKILL');
      await Promise.race([exited, stopTimeout()]);
      await removeProfile();
    },
  };
}

async function sessionsOf(browser: Browser): Promise<BrowserSessions> {
  const root = await browser.target().createCDPSession();
  const connection = root.connection();
  // Even with its target filter, Puppeteer attaches to every worker and lets it run at once: before the load that listens
  // to it has sent what must be in force by then.
  await connection?.send('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false, flatten: true });
  const [product, userAgent] = await Promise.all([browser.version(), browser.userAgent()]);
  // One after the other: of two sessions that are opened at once, Puppeteer believes that Chrome has attached the second
  // one by itself, and detaches it.
  let opening: Promise<unknown> = Promise.resolve();
  const newRootSession = (): Promise<CDPSession> => {
    const opened = opening.then(() => browser.target().createCDPSession());
    opening = opened.catch(() => undefined);
    return opened;
  };
  return {
    product,
    userAgent,
    root,
    newRootSession,
    session: (sessionId) => connection?.session(sessionId) ?? undefined,
    gone: new Promise((resolve) => browser.once('disconnected', () => resolve())),
  };
}
