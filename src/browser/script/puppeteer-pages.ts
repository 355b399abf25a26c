import puppeteer, { type Browser, type ConnectionTransport, type Page } from 'puppeteer-core';
import type { ScriptWire } from '../../model/recording/script.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { withTimeout } from '../connect/with-timeout.ts';

/** A Puppeteer page of a running browser, for code that is not ours: scripts, Lighthouse. */
export interface PuppeteerPage {
  readonly page: Page;
  /** Disconnects Puppeteer. The page itself stays open. */
  release(): Promise<void>;
}

/** How Puppeteer is connected to a page. */
export interface PageOptions {
  /**
   * Do not attach to workers and to frames of other processes: the load that records the page decides when they run.
   * Scripts cannot look into such frames then.
   */
  readonly pageAlone?: boolean;
  /** Called with each command before it is sent; the command waits for the promise that is returned. */
  onCommand?(method: string): Promise<void> | undefined;
}

/** How long Puppeteer may take to find the page, ms. */
const FIND_TIMEOUT_MS = 15_000;

/**
 * Connects Puppeteer to the page that is open in a context, over a connection of its own.
 *
 * Rejects when the browser is gone, or when the context has no page.
 */
export async function pageInContext(
  browser: RunningBrowser,
  browserContextId: string,
  options: PageOptions = {},
): Promise<PuppeteerPage> {
  return pageOver(await openPageWire(browser, browserContextId, options), browserContextId);
}

/** Connects Puppeteer to the page at the other end of a connection. Rejects when it is gone. */
export async function pageOver(wire: ScriptWire, browserContextId: string): Promise<PuppeteerPage> {
  let puppeteerBrowser: Browser;
  try {
    puppeteerBrowser = await puppeteer.connect({
      transport: wire as ConnectionTransport,
      protocol: 'cdp',
      defaultViewport: null,
      issuesEnabled: false,
    });
  } catch (error) {
    wire.close();
    throw error;
  }
  const release = async (): Promise<void> => {
    await withTimeout(puppeteerBrowser.disconnect());
    wire.close();
  };
  try {
    wire.attach();
    const target = await puppeteerBrowser.waitForTarget(
      (each) => each.type() === 'page' && each.browserContext().id === browserContextId,
      { timeout: FIND_TIMEOUT_MS },
    );
    const page = await target.page();
    if (page === null) throw new Error('the target is not a page');
    return { page, release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** A command as it goes to the browser. */
interface Command {
  readonly id: number;
  readonly method: string;
  readonly sessionId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * One more connection to a browser, on which Puppeteer only sees the page that is open in a context. Left alone, it would
 * attach to all targets of the browser, pause them and resume them.
 *
 * Rejects when the browser is gone, or when the context has no page.
 */
export async function openPageWire(
  browser: RunningBrowser,
  browserContextId: string,
  options: PageOptions = {},
): Promise<ScriptWire> {
  const { pageAlone = false } = options;
  const { targetInfos } = await browser.root.send('Target.getTargets', { filter: [{ type: 'tab' }] });
  const tabs = targetInfos.filter((target) => target.browserContextId === browserContextId);
  if (tabs.length === 0) throw new Error('the context has no page');
  const connection = await browser.openTransport();
  /** Sessions of the attached tabs: Puppeteer may attach to their pages. */
  const tabSessions = new Set<string>();
  // Puppeteer numbers its commands from 1.
  let ownId = 0;
  const put = (command: Command): void => connection.send(JSON.stringify(command));
  /** Commands that wait for `onCommand`, with all that were sent after them. */
  let held: Promise<void> | undefined;
  const wire: ScriptWire = {
    send(text) {
      const command = withoutSideEffects(JSON.parse(text) as Command, tabSessions, pageAlone);
      const hold = options.onCommand?.(command.method);
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
    attach() {
      for (const { targetId } of tabs) {
        ownId -= 1;
        put({ id: ownId, method: 'Target.attachToTarget', params: { targetId, flatten: true } });
      }
    },
    close: () => connection.close(),
  };
  connection.onmessage = (text) => {
    const message = JSON.parse(text) as { readonly id?: number };
    // An answer to `attach`: the event before it is all that Puppeteer needs.
    if (message.id !== undefined && message.id < 0) return;
    const session = tabSessionIn(message);
    if (session !== undefined) tabSessions.add(session);
    wire.onmessage?.call(null, text);
  };
  connection.onclose = () => wire.onclose?.call(null);
  return wire;
}

/** A command without what would disturb the recording of the page. */
function withoutSideEffects(command: Command, tabSessions: ReadonlySet<string>, pageAlone: boolean): Command {
  const { method, sessionId, params } = command;
  if (method === 'Target.setAutoAttach') {
    const finds = sessionId !== undefined && (tabSessions.has(sessionId) || !pageAlone);
    return { ...command, params: finds ? { ...params } : OFF };
  }
  // Each session would keep all bodies, and no script reads them.
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
