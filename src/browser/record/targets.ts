import type { CDPSession, Protocol } from 'puppeteer-core';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import { isReadInParts, type StreamedContent } from '../../core/sources/cdp-messages.ts';
import type { Device } from '../../model/host/conditions.ts';
import type { TargetKind } from '../../model/network/network.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { isProfile } from '../connect/profile.ts';
import { rejectOnAbort } from '../connect/reject-on-abort.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { windowOf } from '../context/window.ts';

/** Receives what the targets of a load send. */
export interface TargetListener {
  message(message: Omit<CdpMessage, 'arrivedAt'>): void;
  gone(sessionId: string): void;
  /** The page opened another one. */
  popup(target: Protocol.Target.TargetInfo): void;
}

/** Request bodies up to this many bytes come with the request's message. */
const MAX_POST_BYTES = 65_536;
/** Response bodies are kept in the browser up to this size, bytes, when they will be read. */
const MAX_BODY_BYTES = 100 * 1024 * 1024;
/** Else only the beginnings of bodies, bytes: what came of a stream before its bytes were asked for. */
const BEGINNINGS = { maxTotalBufferSize: 4 * 1024 * 1024, maxResourceBufferSize: 64 * 1024 };

const KINDS: Readonly<Record<string, TargetKind>> = {
  page: 'page',
  iframe: 'iframe',
  worker: 'worker',
  service_worker: 'service-worker',
  shared_worker: 'shared-worker',
};

/** Targets that belong to a load although the page is not their parent. */
const TOP_LEVEL_FILTER = [{ type: 'page' }, { type: 'service_worker' }, { type: 'shared_worker' }, { exclude: true }];

/** Puppeteer's sessions emit every message as '*', too, which their types leave out. */
interface WildcardEmitter {
  on(type: '*', handler: (method: unknown, params: unknown) => void): void;
}

/**
 * Sends commands that have to be in force before a target runs. They are not awaited: the browser executes commands in
 * order, and the one that starts the target comes after them. Rejections must be caught.
 */
export type BeforeStart = (session: CDPSession, kind: TargetKind, targetId: string) => void;

/** How a page is opened. */
export interface PageOptions {
  /** Keep the bodies of responses. */
  readonly content: boolean;
  /** What its window has to show. */
  readonly device: Device;
  readonly beforeStart: readonly BeforeStart[];
  /** Called with the load's own session with the browser before anything is opened. */
  onRoot?(root: CDPSession): Promise<void>;
  /** Aborted when the page is no longer awaited. */
  readonly gaveUp?: AbortSignal;
}

/** A page and everything below it: workers, frames of other sites. Each target is paused until its session is set up. */
export interface TargetWatch {
  /** The page's own session. */
  readonly page: CDPSession;
  readonly targetId: string;
  /** The sessions of frames of other sites. */
  frames(): readonly CDPSession[];
  /** The sessions of all that has a thread beside the page's: frames of other sites, workers and shared workers. */
  others(): readonly CDPSession[];
  /** Closes the page and stops listening. Other targets of the profile (service workers) stay. */
  dispose(): Promise<void>;
}

/** Opens a blank page in a profile, and attaches to it and to all targets that it opens. */
export async function openPage(
  browser: RunningBrowser,
  browserContextId: string,
  options: PageOptions,
  listener: TargetListener,
): Promise<TargetWatch> {
  // A session of its own: loads in the same browser must not pause or resume each other's targets.
  const root = await browser.newRootSession();
  const seen = new Map<string, string>();
  const frames = new Map<string, CDPSession>();
  const workers = new Map<string, CDPSession>();
  let pageTarget: string | undefined;
  const page = Promise.withResolvers<CDPSession>();

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
        if (method === 'Network.responseReceived') readParts(session, sessionId, kind, params);
      }
    });
  };

  /** Has the bytes of a body that is read in parts sent along as they come: what its parts are like tells what they are. */
  const readParts = (session: CDPSession, sessionId: string, target: TargetKind, params: unknown): void => {
    const received = params as Protocol.Network.ResponseReceivedEvent;
    if (!isReadInParts(received)) return;
    const { requestId } = received;
    session
      .send('Network.streamResourceContent', { requestId })
      .then(({ bufferedData: data }) => {
        const content: StreamedContent = { requestId, data };
        listener.message({ method: 'Network.streamedContent', params: content, sessionId, target });
      })
      // It may have ended already, or the browser may be older than the command.
      .catch(() => undefined);
  };

  const start = (session: CDPSession, kind: TargetKind, targetId: string): Promise<unknown> => {
    const isFrame = kind === 'page' || kind === 'iframe';
    for (const prepare of options.beforeStart) prepare(session, kind, targetId);
    // Sent at once and in order: the target only runs after all of them have taken effect.
    return Promise.allSettled([
      session.send('Network.enable', {
        maxPostDataSize: MAX_POST_BYTES,
        ...(options.content
          ? { maxTotalBufferSize: MAX_BODY_BYTES, maxResourceBufferSize: MAX_BODY_BYTES }
          : BEGINNINGS),
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
    const resumeAndDetach = (): void => {
      session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
      detach();
    };
    const belongsElsewhere = targetInfo.browserContextId !== browserContextId;
    // A service worker is a child of the browser and of its page: one session is enough. And a target of another load is
    // resumed by that load, once its session is set up. In both cases it is left without resuming it.
    if (seen.has(targetInfo.targetId) || (belongsElsewhere && isProfile(browser, targetInfo.browserContextId))) {
      detach();
      return;
    }
    // No load records these. They are resumed, or a worker would wait for ever. A prerendered page is not part of this one.
    const kind = KINDS[targetInfo.type];
    if (!kind || belongsElsewhere || targetInfo.subtype === 'prerender') {
      resumeAndDetach();
      return;
    }
    if (kind === 'page' && pageTarget !== undefined && targetInfo.targetId !== pageTarget) {
      listener.popup(targetInfo);
      resumeAndDetach();
      root.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined);
      return;
    }
    seen.set(targetInfo.targetId, sessionId);
    if (kind === 'iframe') frames.set(sessionId, session);
    if (kind === 'worker' || kind === 'shared-worker') workers.set(sessionId, session);
    listen(session, sessionId, kind);
    const started = start(session, kind, targetInfo.targetId);
    if (kind === 'page' && pageTarget === undefined) {
      pageTarget = targetInfo.targetId;
      void started.then(() => page.resolve(session));
    }
  };

  const detached = ({ sessionId }: Protocol.Target.DetachedFromTargetEvent): void => {
    // The target may come back (a service worker that is started again): then it is attached to again.
    for (const [targetId, known] of seen) if (known === sessionId) seen.delete(targetId);
    frames.delete(sessionId);
    workers.delete(sessionId);
    listener.gone(sessionId);
  };

  const onRoot = (event: Protocol.Target.AttachedToTargetEvent): void => attached(event, root);
  root.on('Target.attachedToTarget', onRoot);
  root.on('Target.detachedFromTarget', detached);
  const dispose = async (): Promise<void> => {
    root.off('Target.attachedToTarget', onRoot);
    root.off('Target.detachedFromTarget', detached);
    if (pageTarget !== undefined) await closeTarget(root, pageTarget);
    await root.detach().catch(() => undefined);
  };

  const open = async (): Promise<TargetWatch> => {
    await options.onRoot?.(root);
    await root.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: true,
      flatten: true,
      filter: TOP_LEVEL_FILTER,
    });
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...windowOf(options.device),
    });
    return {
      page: await page.promise,
      targetId,
      frames: () => [...frames.values()],
      others: () => [...frames.values(), ...workers.values()],
      dispose,
    };
  };
  const abortion = options.gaveUp && rejectOnAbort(options.gaveUp);
  try {
    return await (abortion ? Promise.race([open(), abortion.rejected]) : open());
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    abortion?.stop();
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
  if (closed) await withTimeout(gone);
}
