import type { Protocol } from 'puppeteer-core';
import type { BeforeStart } from './targets.ts';

/**
 * How long a request that may be another page's waits for a sign that it is this load's, ms: a new frame or a request
 * is announced within a few milliseconds of being stopped.
 */
const CLAIM_MS = 1_000;

/** What tells whose a request is: the ids of it and of its frame. */
type Stopped = Pick<Protocol.Fetch.RequestPausedEvent, 'requestId' | 'networkId' | 'frameId'>;

/** Tells which of the requests that were stopped in a whole browser are one load's. */
export interface Claims {
  /** Learns which targets, frames and requests are the load's. */
  readonly beforeStart: BeforeStart;
  /** Calls `ours` as soon as the request turns out to be the load's, `others` when that does not happen in time. */
  sort(paused: Stopped, ours: () => void, others: () => void): void;
  /** What still waits is another's. */
  end(): void;
}

/** Claims of one load. */
export function createClaims(): Claims {
  /** Ids of this load's targets, frames and requests. */
  const known = new Set<string>();
  const waiting = new Map<string, { readonly ids: readonly string[]; ours(): void; others(): void }>();
  const timers = new Map<string, NodeJS.Timeout>();
  const settle = (requestId: string): void => {
    clearTimeout(timers.get(requestId));
    timers.delete(requestId);
    waiting.delete(requestId);
  };
  const claim = (id: string): void => {
    known.add(id);
    for (const [requestId, { ids, ours }] of waiting) {
      if (!ids.includes(id)) continue;
      settle(requestId);
      ours();
    }
  };
  return {
    beforeStart(session, _kind, targetId) {
      claim(targetId);
      session.on('Page.frameAttached', ({ frameId }) => claim(frameId));
      session.on('Network.requestWillBeSent', ({ requestId }) => claim(requestId));
    },
    sort({ requestId, networkId, frameId }, ours, others) {
      const ids = [networkId, frameId].filter((id) => id !== undefined);
      if (ids.some((id) => known.has(id))) {
        ours();
        return;
      }
      waiting.set(requestId, { ids, ours, others });
      timers.set(
        requestId,
        setTimeout(() => {
          settle(requestId);
          others();
        }, CLAIM_MS),
      );
    },
    end() {
      for (const [requestId, { others }] of [...waiting]) {
        settle(requestId);
        others();
      }
    },
  };
}
