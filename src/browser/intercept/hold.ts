import type { CDPSession, Protocol } from 'puppeteer-core';
import { matchesPattern } from '../../core/background/pattern.ts';
import type { RequestOwnership } from '../record/request-ownership.ts';
import type { BeforeStart } from '../record/targets.ts';
import { holdSockets } from './held-sockets.ts';

/** Holds requests of a load back. */
export interface Hold {
  /** Starts pausing requests, on a session with the browser. */
  intercept(root: CDPSession): Promise<void>;
  readonly beforeStart: BeforeStart;
  /** Ends the held requests. Without that Chrome would continue them at the end of the session, and send some of them. */
  release(): Promise<void>;
}

/**
 * Holds all requests of a load that match one of the patterns (`*` stands for anything): they are neither answered nor
 * refused, and never reach the network, so that they do not take connections from others.
 *
 * The whole browser is intercepted, not each target: a shared worker can no longer be intercepted when its session is
 * there. Interception sees every hop of a redirect, preflights, frames, beacons and the requests of all workers. It does not
 * see sockets: those are held by a replacement in the page, and the recording does not show them. The page's own document
 * is never held: there would be nothing to see.
 */
export function holdRequests(patterns: readonly string[], ownership: RequestOwnership): Hold {
  const isHeld = (url: string): boolean => patterns.some((pattern) => matchesPattern(pattern, url));
  const script = `(${holdSockets})(${JSON.stringify(patterns)}, ${matchesPattern})`;
  const held = new Set<string>();
  let root: CDPSession | undefined;
  let mainFrame: string | undefined;
  let released = false;

  // Both may fail when the request or the browser is gone: then there is nothing left to do.
  const proceed = (requestId: string): void => {
    root?.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  };
  const fail = async (requestId: string): Promise<void> => {
    await root?.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => undefined);
  };
  const keep = (requestId: string): void => {
    if (released) void fail(requestId);
    else held.add(requestId);
  };
  const onPaused = (paused: Paused): void => {
    const { requestId, frameId, request, resourceType } = paused;
    const isDocument = resourceType === 'Document' && frameId === mainFrame;
    const matches = isHeld(request.url) || (request.urlFragment !== undefined && isHeld(urlOf(request)));
    if (isDocument || !matches) proceed(requestId);
    else
      ownership.whenKnown(
        paused,
        () => keep(requestId),
        () => proceed(requestId),
      );
  };

  return {
    async intercept(session) {
      root = session;
      session.on('Fetch.requestPaused', onPaused);
      await session.send('Fetch.enable', {
        patterns: patterns.map((pattern) => ({
          urlPattern: protocolPattern(pattern),
          requestStage: 'Request' as const,
        })),
      });
    },
    beforeStart(session, kind, targetId) {
      const isFrame = kind === 'page' || kind === 'iframe';
      if (kind === 'page') mainFrame = targetId;
      const replacement = isFrame
        ? session.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
        : session.send('Runtime.evaluate', { expression: script });
      replacement.catch(() => undefined);
    },
    async release() {
      released = true;
      await Promise.all([...held].map(fail));
    },
  };
}

type Paused = Protocol.Fetch.RequestPausedEvent;

function urlOf({ url, urlFragment }: Protocol.Network.Request): string {
  return url + (urlFragment ?? '');
}

/**
 * The pattern in the protocol's syntax, which matches whole URLs and has `?` for any one character. It may match too much
 * (open ends, other fragments): every paused request is checked again.
 */
function protocolPattern(pattern: string): string {
  // The protocol compares URLs without their fragments.
  const literal = (pattern.split('#')[0] ?? '').replace(/[\\?]/g, '\\$&');
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) ? `${literal}*` : `*${literal}*`;
}
