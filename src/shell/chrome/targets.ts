import type { CDPSession, Protocol } from 'puppeteer-core';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import type { TargetKind } from '../../model/network.ts';
import type { RunningBrowser } from './browser.ts';
import { isProfile } from './profile.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** What the recorder is told about targets. */
export interface TargetListener {
  message(message: Omit<CdpMessage, 'arrivedAt'>): void;
  gone(sessionId: string): void;
  /** The page opened another one. */
  popup(target: Protocol.Target.TargetInfo): void;
}

/** Request bodies up to this many bytes are given out with the request. */
const MAX_POST_BYTES = 65_536;
/** Response bodies are kept in the browser only when somebody will ask for them. */
const MAX_BODY_BYTES = 100 * 1024 * 1024;

const KINDS: Readonly<Record<string, TargetKind>> = {
  page: 'page',
  iframe: 'iframe',
  worker: 'worker',
  service_worker: 'service-worker',
  shared_worker: 'shared-worker',
};

/** Top-level targets that belong to a load although the page is not their parent. */
const TOP_LEVEL_FILTER = [{ type: 'page' }, { type: 'service_worker' }, { type: 'shared_worker' }, { exclude: true }];

/** Puppeteer's sessions hand every message to '*', which their types leave out. */
interface WildcardEmitter {
  on(type: '*', handler: (method: unknown, params: unknown) => void): void;
}

/**
 * Sends what has to be in force before a target runs. It is not waited for: the browser takes commands in order, and
 * the target is let run after them. What fails must be caught.
 */
export type BeforeStart = (session: CDPSession, kind: TargetKind, targetId: string) => void;

/** How a page is opened. */
export interface PageOptions {
  /** Keep the bodies of responses. */
  readonly content: boolean;
  readonly beforeStart: readonly BeforeStart[];
  /** Called with the load's own session with the browser before anything is opened. */
  onRoot?(root: CDPSession): Promise<void>;
}

/** Attaches to a page and everything below it, each target paused until it is listened to. */
export interface TargetWatch {
  /** The page's own session, listened to and running. */
  readonly page: CDPSession;
  readonly targetId: string;
  /** Closes the page and stops listening. What else lives in the profile (service workers) goes on. */
  dispose(): Promise<void>;
}

/** Opens a blank page in a profile, and listens to it and to all targets that come from it. */
export async function openPage(
  browser: RunningBrowser,
  browserContextId: string,
  options: PageOptions,
  listener: TargetListener,
): Promise<TargetWatch> {
  // A session of its own: several loads in one browser do not see, hold up or let go each other's targets.
  const root = await browser.newRoot();
  const seen = new Map<string, string>();
  let mine: string | undefined;
  let ready: ((session: CDPSession) => void) | undefined;
  const page = new Promise<CDPSession>((resolve) => {
    ready = resolve;
  });

  const listen = (session: CDPSession, sessionId: string, kind: TargetKind): void => {
    const everything = session as unknown as WildcardEmitter;
    everything.on('*', (method, params) => {
      if (typeof method !== 'string') return;
      if (method === 'Target.attachedToTarget') {
        attached(params as Protocol.Target.AttachedToTargetEvent, session);
      } else if (method === 'Target.detachedFromTarget') {
        detached(params as Protocol.Target.DetachedFromTargetEvent);
      } else {
        listener.message({ method, params, sessionId, target: kind });
      }
    });
  };

  const start = (session: CDPSession, kind: TargetKind, targetId: string): Promise<unknown> => {
    const isFrame = kind === 'page' || kind === 'iframe';
    for (const prepare of options.beforeStart) prepare(session, kind, targetId);
    // Sent in one go and in order: the target runs on only after all of it has taken effect.
    return Promise.allSettled([
      session.send('Network.enable', {
        maxPostDataSize: MAX_POST_BYTES,
        maxTotalBufferSize: options.content ? MAX_BODY_BYTES : 0,
        maxResourceBufferSize: options.content ? MAX_BODY_BYTES : 0,
      }),
      ...(isFrame
        ? [session.send('Page.enable'), session.send('Page.setLifecycleEventsEnabled', { enabled: true })]
        : []),
      session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
  };

  const attached = ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent, parent: CDPSession): void => {
    const session = browser.session(sessionId);
    if (!session) return;
    const detach = (): void => {
      parent.send('Target.detachFromTarget', { sessionId }).catch(() => undefined);
    };
    const letGo = (): void => {
      session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
      detach();
    };
    const belongsElsewhere = targetInfo.browserContextId !== browserContextId;
    // A service worker is a child of the browser and of its page, and is listened to once; others' targets are none of
    // ours. Whoever listens lets them run when all that has to be in force by then is: it must not happen here.
    if (seen.has(targetInfo.targetId) || (belongsElsewhere && isProfile(browser, targetInfo.browserContextId))) {
      detach();
      return;
    }
    // Nobody else of us listens to these, and a worker that is merely left would wait for ever. A prerendered page is no
    // part of this one.
    const kind = KINDS[targetInfo.type];
    if (!kind || belongsElsewhere || targetInfo.subtype === 'prerender') {
      letGo();
      return;
    }
    if (kind === 'page' && mine !== undefined && targetInfo.targetId !== mine) {
      listener.popup(targetInfo);
      letGo();
      root.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined);
      return;
    }
    seen.set(targetInfo.targetId, sessionId);
    listen(session, sessionId, kind);
    const started = start(session, kind, targetInfo.targetId);
    if (kind === 'page' && mine === undefined) {
      mine = targetInfo.targetId;
      void started.then(() => ready?.(session));
    }
  };

  const detached = ({ sessionId }: Protocol.Target.DetachedFromTargetEvent): void => {
    // Should the target come back (a service worker that is started again), it is listened to again.
    for (const [targetId, known] of seen) if (known === sessionId) seen.delete(targetId);
    listener.gone(sessionId);
  };

  const onRoot = (event: Protocol.Target.AttachedToTargetEvent): void => attached(event, root);
  root.on('Target.attachedToTarget', onRoot);
  root.on('Target.detachedFromTarget', detached);
  const dispose = async (): Promise<void> => {
    root.off('Target.attachedToTarget', onRoot);
    root.off('Target.detachedFromTarget', detached);
    if (mine !== undefined) await closeTarget(root, mine);
    await root.detach().catch(() => undefined);
  };

  try {
    await options.onRoot?.(root);
    await root.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: TOP_LEVEL_FILTER,
    });
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    return { page: await page, targetId, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Closes a page and waits until it is gone: the next one in the profile must not take it for its own. */
async function closeTarget(root: CDPSession, targetId: string): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    root.on('Target.detachedFromTarget', (event) => {
      if (event.targetId === targetId) resolve();
    });
  });
  const closed = await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
  if (closed) await within(LAST_WORD_MS, gone);
}
