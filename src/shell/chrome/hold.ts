import type { CDPSession, Protocol } from 'puppeteer-core';
import { matchesPattern } from '../../core/background/pattern.ts';
import { holdSockets } from './held-sockets.ts';
import type { BeforeStart } from './targets.ts';

/**
 * How long a request that may be another page's waits for a sign that it is this load's, ms: a new frame or a request
 * is announced within a few milliseconds of being stopped.
 */
const CLAIM_MS = 1_000;

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
  /** Ids of this load's targets, frames and requests. */
  const ours = new Set<string>();
  const held = new Set<string>();
  /** What is stopped and not known to be ours, by the ids that would tell. */
  const unclaimed = new Map<string, { readonly ids: readonly string[]; readonly timer: NodeJS.Timeout }>();
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
  const claim = (id: string): void => {
    ours.add(id);
    for (const [requestId, { ids, timer }] of unclaimed) {
      if (!ids.includes(id)) continue;
      clearTimeout(timer);
      unclaimed.delete(requestId);
      keep(requestId);
    }
  };
  const stopped = ({ requestId, networkId, frameId, request, resourceType }: Paused): void => {
    const isDocument = resourceType === 'Document' && frameId === mainFrame;
    const isMeant = isHeld(request.url) || (request.urlFragment !== undefined && isHeld(urlOf(request)));
    if (isDocument || !isMeant) {
      letGo(requestId);
      return;
    }
    const ids = [networkId, frameId].filter((id) => id !== undefined);
    if (ids.some((id) => ours.has(id))) {
      keep(requestId);
      return;
    }
    const timer = setTimeout(() => {
      unclaimed.delete(requestId);
      letGo(requestId);
    }, CLAIM_MS);
    unclaimed.set(requestId, { ids, timer });
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
      claim(targetId);
      session.on('Page.frameAttached', ({ frameId }) => claim(frameId));
      session.on('Network.requestWillBeSent', ({ requestId }) => claim(requestId));
      const standIn = isFrame
        ? session.send('Page.addScriptToEvaluateOnNewDocument', { source: script })
        : session.send('Runtime.evaluate', { expression: script });
      standIn.catch(() => undefined);
    },
    async release() {
      over = true;
      for (const [requestId, { timer }] of unclaimed) {
        clearTimeout(timer);
        letGo(requestId);
      }
      unclaimed.clear();
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
