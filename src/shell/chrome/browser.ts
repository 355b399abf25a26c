import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type CDPSession, Connection, type ConnectionTransport } from 'puppeteer-core';
import { secretsInAddress, shownAddress } from '../../core/access/browser-address.ts';
import { createEraser } from '../../core/access/secrets.ts';
import { startTrouble } from '../../core/browser-start.ts';
import { REDACTED } from '../../core/har/redact.ts';
import { UsageError } from '../../core/messages.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import { noteOnDistance, roundTrip } from './distance.ts';
import { connectTo } from './endpoint.ts';
import { chromeArguments, noteOnArguments } from './flags.ts';
import { type Greeting, greet } from './greet.ts';
import { reachesLoopback } from './loopback.ts';
import { createPatience } from './patience.ts';
import { onBlankPage } from './rehearsal.ts';
import { runsElsewhere, type Whereabouts } from './whereabouts.ts';
import { openWire, type Wire } from './wire.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** How long a browser may take to come up or go down, ms. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
/** How long a browser that was connected to may take until it has shown that it can be measured in, ms. */
const FIRST_WORDS_TIMEOUT_MS = 30_000;

/** A running browser, ready for loads. */
export interface RunningBrowser {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
  /** Undefined where nobody tells. */
  readonly sandbox: boolean | undefined;
  readonly path: string | undefined;
  /** True when it was only connected to. */
  readonly connected: boolean;
  /** True when it runs on another machine than this program. */
  readonly elsewhere: boolean;
  /** True when it runs on this machine, but has loopback addresses of its own, as in a container. */
  readonly apart: boolean;
  /** What a reader should know of it, a sentence each. */
  readonly notes: readonly string[];
  /** One more connection to the same browser, for whoever numbers commands by himself. */
  openLine(): Promise<ConnectionTransport>;
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

/**
 * Starts the executable at `executablePath`, or connects when the settings name a running browser.
 *
 * @param whereabouts tells whether a browser that was connected to runs on another machine
 */
export async function startBrowser(
  settings: BrowserSettings,
  executablePath: string | undefined,
  whereabouts: Whereabouts = runsElsewhere,
): Promise<RunningBrowser> {
  if (settings.browserWs !== undefined) return connect(settings.browserWs, whereabouts);
  if (executablePath === undefined) throw new UsageError('browser-not-found');
  const profile = await mkdtemp(path.join(os.tmpdir(), 'quiesce-profile-'));
  let child: ChildProcess | null = null;
  // Last resort: a program that is ended at once must leave neither the browser nor the profile behind.
  const endAtOnce = (): void => {
    child?.kill('SIGKILL');
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The browser's children still write there. What is thrown here would keep Puppeteer from ending one that is coming up.
    }
  };
  process.once('exit', endAtOnce);
  const removeProfile = async (): Promise<void> => {
    process.off('exit', endAtOnce);
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
    const trouble = startTrouble(error instanceof Error ? error.message : String(error));
    throw new UsageError('browser-start-failed', { path: executablePath, ...trouble }, { cause: error });
  }
  child = browser.process();
  const exited = new Promise<void>((resolve) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return {
    ...(await running(browser)),
    sandbox: settings.sandbox,
    path: executablePath,
    connected: false,
    elsewhere: false,
    apart: false,
    notes: [],
    openLine: () => openWire(browser.wsEndpoint()),
    pid: child?.pid,
    async close() {
      await Promise.race([browser.close().catch(() => undefined), delay(STOP_TIMEOUT_MS)]);
      if (child && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await Promise.race([exited, delay(STOP_TIMEOUT_MS)]);
      await removeProfile();
    },
  };
}

/** Its types leave the constructor out; Puppeteer's `connect` calls it like this. */
const ConnectionOver = Connection as unknown as new (url: string, transport: ConnectionTransport) => Connection;

/**
 * Everything goes over one connection: at the same address the next one may be another browser. Puppeteer's `Browser` is
 * not used: of several clients that a browser has it takes any for its own, and its sessions end with theirs.
 */
async function connect(address: string, whereabouts: Whereabouts): Promise<RunningBrowser> {
  let wire: Wire | undefined;
  const patience = createPatience(
    FIRST_WORDS_TIMEOUT_MS,
    () => new Error(`it said nothing more within ${FIRST_WORDS_TIMEOUT_MS / 1000} s`),
  );
  try {
    wire = await connectTo(address);
    // Fleets may be slow to let somebody in; that has a limit of its own.
    patience.restart();
    return await Promise.race([getToKnow(wire, address, whereabouts), endOf(wire), patience.lost]);
  } catch (error) {
    wire?.close();
    const erase = createEraser(secretsInAddress(address));
    const reason = firstLine(error);
    // The error itself stays here: a token may stand in it.
    throw new UsageError('browser-unreachable', {
      url: shownAddress(address),
      detail: erase?.(reason, REDACTED) ?? reason,
    });
  } finally {
    patience.stop();
  }
}

async function endOf(wire: Wire): Promise<never> {
  await wire.gone;
  throw new Error('the connection ended before the browser had shown what it can do');
}

async function getToKnow(wire: Wire, address: string, whereabouts: Whereabouts): Promise<RunningBrowser> {
  const connected = await conversationOver(wire, await greet(wire));
  const { root, product } = connected;
  const commandLine = await argumentsOf(root);
  // What stands before a browser may let only a part of the protocol through: better said now than in the middle.
  const place = await onBlankPage(root, async (page) => {
    const elsewhere = await whereabouts(page, address);
    return { elsewhere, apart: !elsewhere && (await reachesLoopback(page)) === false };
  });
  return {
    ...connected,
    sandbox: commandLine === undefined ? undefined : !/(?:^|\s)--no-sandbox(?:\s|$)/.test(commandLine),
    path: undefined,
    connected: true,
    ...place,
    notes: [...noteOnArguments(commandLine, product), ...noteOnDistance(await roundTrip(root))],
    pid: undefined,
  };
}

async function conversationOver(
  wire: Wire,
  { product, userAgent }: Greeting,
): Promise<Conversation & Pick<RunningBrowser, 'openLine' | 'close'>> {
  const connection = new ConnectionOver('', wire);
  const newRoot = async (): Promise<CDPSession> => {
    const { sessionId } = await connection.send('Target.attachToBrowserTarget');
    const session = connection.session(sessionId);
    if (!session) throw new Error('the browser gave no session');
    return session;
  };
  return {
    product,
    userAgent,
    root: await newRoot().catch((error: unknown): never => {
      throw new Error(
        `it gives nobody a session with the whole browser, as the address of a page does not: ${firstLine(error)}`,
      );
    }),
    newRoot,
    session: (sessionId) => connection.session(sessionId) ?? undefined,
    async openLine() {
      const session = await newRoot();
      return wire.branch(session.id(), () => void session.detach().catch(() => undefined));
    },
    gone: wire.gone,
    close: async () => connection.dispose(),
  };
}

/** With which arguments a browser was started; undefined where it does not tell. They may hold secrets: only to be looked at. */
async function argumentsOf(root: CDPSession): Promise<string | undefined> {
  const told = (await within(LAST_WORD_MS, root.send('SystemInfo.getInfo')))?.commandLine;
  return told === '' ? undefined : told;
}

type Conversation = Pick<RunningBrowser, 'product' | 'userAgent' | 'root' | 'newRoot' | 'session' | 'gone'>;

async function running(browser: Browser): Promise<Conversation> {
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
    product,
    userAgent,
    root,
    newRoot,
    session: (sessionId) => connection?.session(sessionId) ?? undefined,
    gone: new Promise((resolve) => browser.once('disconnected', () => resolve())),
  };
}

/** The first line of an error that says something, for a one-line message. */
export function firstLine(error: unknown): string {
  // A name with several addresses fails with one reason for each.
  if (error instanceof AggregateError && error.message === '') return firstLine(error.errors[0]);
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
