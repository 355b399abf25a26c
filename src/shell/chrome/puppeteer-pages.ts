import puppeteer, { type Browser, type ConnectionTransport, type Page } from 'puppeteer-core';
import type { RunningBrowser } from './browser.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** A page of a running browser as Puppeteer knows it, for code that is not ours: scripts, Lighthouse. */
export interface PuppeteerPage {
  readonly page: Page;
  /** Lets go of it, and of everything that Puppeteer had put into it. The page itself stays open. */
  release(): Promise<void>;
}

/** How a page is taken. */
export interface PageTaking {
  /**
   * Leave frames of other processes and workers alone: a load listens to the page, and decides when they run. Their frames
   * cannot be looked into then.
   */
  readonly pageAlone?: boolean;
  /** Told each command before it goes out, which waits for what is given back. */
  onCommand?(method: string): Promise<void> | undefined;
  /** How long Puppeteer waits for the browser's answers, ms; its own default (180 s) when absent. */
  readonly protocolTimeout?: number;
}

/** How long the browser may take to hand out a page that is there, ms. */
const TAKE_TIMEOUT_MS = 15_000;

/**
 * The page that is open in a context, over a connection of its own. Sessions of other connections, and pages of other
 * contexts, are not touched: Puppeteer would attach to all that the browser has, stop it, and let it run.
 *
 * Rejects when the browser is gone, or when the context has no page.
 */
export async function pageInContext(
  browser: RunningBrowser,
  browserContextId: string,
  taking: PageTaking = {},
): Promise<PuppeteerPage> {
  const { targetInfos } = await browser.root.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const tabs = targetInfos.filter((target) => target.browserContextId === browserContextId);
  if (tabs.length === 0) throw new Error('the context has no page');
  const transport = await openTransport(browser, taking);
  let puppet: Browser;
  try {
    puppet = await puppeteer.connect({
      transport,
      protocol: 'cdp',
      defaultViewport: null,
      issuesEnabled: false,
      ...(taking.protocolTimeout !== undefined && { protocolTimeout: taking.protocolTimeout }),
    });
  } catch (error) {
    transport.close();
    throw error;
  }
  const release = async (): Promise<void> => {
    await within(LAST_WORD_MS, puppet.disconnect());
    transport.close();
  };
  try {
    for (const { targetId } of tabs) transport.attach(targetId);
    const target = await puppet.waitForTarget(
      (each) => each.type() === 'page' && each.browserContext().id === browserContextId,
      { timeout: TAKE_TIMEOUT_MS },
    );
    const page = await target.page();
    if (page === null) throw new Error('the target is no page');
    return { page, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A way to the browser that attaches to nothing by itself. */
interface QuietTransport extends ConnectionTransport {
  /** Attaches to one tab; Puppeteer finds its page from there. */
  attach(tabId: string): void;
}

/** A command as it goes to the browser. */
interface Command {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

async function openTransport(browser: RunningBrowser, taking: PageTaking): Promise<QuietTransport> {
  const { pageAlone = false } = taking;
  const line = await browser.openLine();
  /** Sessions of the tabs that were asked for: what is found from there are their pages. */
  const tabSessions = new Set<string>();
  // Puppeteer numbers its commands from 1.
  let ownId = 0;
  const put = (command: Command): void => line.send(JSON.stringify(command));
  /** What is held back, with all that must not overtake it. */
  let held: Promise<void> | undefined;
  const transport: QuietTransport = {
    send(text) {
      const command = tamed(JSON.parse(text) as Command, tabSessions, pageAlone);
      const hold = taking.onCommand?.(command.method);
      if (hold === undefined && held === undefined) {
        put(command);
        return;
      }
      const before = Promise.allSettled([held, hold]);
      const mine: Promise<void> = before.then(() => {
        put(command);
        if (held === mine) held = undefined;
      });
      held = mine;
    },
    attach(targetId) {
      ownId -= 1;
      put({ id: ownId, method: 'Target.attachToTarget', params: { targetId, flatten: true } });
    },
    close: () => line.close(),
  };
  line.onmessage = (text) => {
    const message = JSON.parse(text) as { readonly id?: number };
    // The event that comes before this answer is all that Puppeteer needs of it.
    if (message.id !== undefined && message.id < 0) return;
    const session = tabSessionIn(message);
    if (session !== undefined) tabSessions.add(session);
    transport.onmessage?.call(null, text);
  };
  line.onclose = () => transport.onclose?.call(null);
  return transport;
}

/** What Puppeteer asks for, as far as it is good for others too. */
function tamed(command: Command, tabSessions: ReadonlySet<string>, pageAlone: boolean): Command {
  const { method, sessionId, params } = command;
  if (method === 'Target.setAutoAttach') {
    const finds = sessionId !== undefined && (tabSessions.has(sessionId) || !pageAlone);
    return { ...command, params: finds ? { ...params } : OFF };
  }
  // Two sessions would keep every body twice; nobody reads those of a page that is measured.
  if (method === 'Network.enable' && pageAlone) {
    return { ...command, params: { ...params, maxTotalBufferSize: 0, maxResourceBufferSize: 0 } };
  }
  return command;
}

const OFF = { autoAttach: false, waitForDebuggerOnStart: false, flatten: true };

function tabSessionIn(message: object): string | undefined {
  const { method, params } = message as {
    readonly method?: string;
    readonly params?: { readonly sessionId?: string; readonly targetInfo?: { readonly type?: string } };
  };
  return method === 'Target.attachedToTarget' && params?.targetInfo?.type === 'tab' ? params.sessionId : undefined;
}
