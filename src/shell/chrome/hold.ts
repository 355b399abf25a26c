import type { CDPSession, Protocol } from 'puppeteer-core';
import { matchesPattern } from '../../core/background/pattern.ts';
import { createClaims } from './claims.ts';
import { holdSockets } from './held-sockets.ts';
import type { BeforeStart } from './targets.ts';

/** Requests that are held. */
export interface Hold {
  /** Stops requests from now on, on a session with the browser. */
  intercept(root: CDPSession): Promise<void>;
  readonly beforeStart: BeforeStart;
  /** Ends what is held. Chrome would let it go when nobody listens any more, and some of it would still be sent. */
  release(): Promise<void>;
}

/**
 * Holds all requests of a load that match one of the patterns (`*` stands for anything): they are neither answered nor
 * refused, and never reach the network, so that they take no connection away from others.
 *
 * The whole browser is intercepted, not each target: shared workers cannot be intercepted any more once they can be
 * listened to. Interception sees every hop of a redirect, preflights, frames, beacons and what workers of all kinds ask
 * for; what a service worker answers from its cache is no request. It does not see sockets: those are held by a
 * stand-in in the page, and the recording does not show them. The document of the page itself is never held: there
 * would be nothing to look at.
 */
export function holdRequests(patterns: readonly string[]): Hold {
  const isHeld = (url: string): boolean => patterns.some((pattern) => matchesPattern(pattern, url));
  const script = `(${holdSockets})(${JSON.stringify(patterns)}, ${matchesPattern})`;
  const claims = createClaims();
  const held = new Set<string>();
  let root: CDPSession | undefined;
  let mainFrame: string | undefined;
  let over = false;

  // Either may come too late, when the request or the browser is gone: then nothing is left to be done.
  const letGo = (requestId: string): void => {
    root?.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  };
  const fail = async (requestId: string): Promise<void> => {
    await root?.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }).catch(() => undefined);
  };
  const keep = (requestId: string): void => {
    if (over) void fail(requestId);
    else held.add(requestId);
  };
  const stopped = (paused: Paused): void => {
    const { requestId, frameId, request, resourceType } = paused;
    const isDocument = resourceType === 'Document' && frameId === mainFrame;
    const isMeant = isHeld(request.url) || (request.urlFragment !== undefined && isHeld(urlOf(request)));
    if (isDocument || !isMeant) letGo(requestId);
    else
      claims.sort(
        paused,
        () => keep(requestId),
        () => letGo(requestId),
      );
  };

  return {
    async intercept(session) {
      root = session;
      session.on('Fetch.requestPaused', stopped);
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
      claims.beforeStart(session, kind, targetId);
      const standIn = isFrame
        ? session.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
        : session.send('Runtime.evaluate', { expression: script });
      standIn.catch(() => undefined);
    },
    async release() {
      over = true;
      claims.end();
      await Promise.all([...held].map(fail));
    },
  };
}

type Paused = Protocol.Fetch.RequestPausedEvent;

function urlOf({ url, urlFragment }: Protocol.Network.Request): string {
  return url + (urlFragment ?? '');
}

/**
 * The pattern in the protocol's words, which match whole URLs and know `?` as any one character. It may match too much
 * (what is open at its ends, what differs in the fragment): every request that it stops is looked at again.
 */
function protocolPattern(pattern: string): string {
  // The protocol compares URLs without their fragments.
  const literal = (pattern.split('#')[0] ?? '').replace(/[\\?]/g, '\\$&');
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(pattern) ? `${literal}*` : `*${literal}*`;
}
