import type { Protocol } from 'puppeteer-core';
import type { BeforeStart } from './targets.ts';

/**
 * How long a request that may belong to another page waits, ms. A new frame, or the request itself, is announced within a
 * few milliseconds after it was paused.
 */
const DECIDE_WITHIN_MS = 1_000;

/** The ids of a paused request and of its frame. */
type PausedRequest = Pick<Protocol.Fetch.RequestPausedEvent, 'requestId' | 'networkId' | 'frameId'>;

/** Decides which of the requests that are paused in the whole browser belong to one load. */
export interface RequestOwnership {
  /** Collects the ids of the load's targets, frames and requests. */
  readonly beforeStart: BeforeStart;
  /** Calls `own` as soon as the request is known to be the load's, `foreign` when that does not happen in time. */
  whenKnown(paused: PausedRequest, own: () => void, foreign: () => void): void;
  /** Decides that requests which still wait are foreign. */
  end(): void;
}

/** The ownership of one load. */
export function createRequestOwnership(): RequestOwnership {
  /** Ids of this load's targets, frames and requests. */
  const known = new Set<string>();
  const waiting = new Map<string, { readonly ids: readonly string[]; own(): void; foreign(): void }>();
  const timers = new Map<string, NodeJS.Timeout>();
  const settle = (requestId: string): void => {
    clearTimeout(timers.get(requestId));
    timers.delete(requestId);
    waiting.delete(requestId);
  };
  const add = (id: string): void => {
    known.add(id);
    for (const [requestId, { ids, own }] of waiting) {
      if (!ids.includes(id)) continue;
      settle(requestId);
      own();
    }
  };
  return {
    beforeStart(session, _kind, targetId) {
      add(targetId);
      session.on('Page.frameAttached', ({ frameId }) => add(frameId));
      session.on('Network.requestWillBeSent', ({ requestId }) => add(requestId));
    },
    whenKnown({ requestId, networkId, frameId }, own, foreign) {
      const ids = [networkId, frameId].filter((id) => id !== undefined);
      if (ids.some((id) => known.has(id))) {
        own();
        return;
      }
      waiting.set(requestId, { ids, own, foreign });
      timers.set(
        requestId,
        setTimeout(() => {
          settle(requestId);
          foreign();
        }, DECIDE_WITHIN_MS),
      );
    },
    end() {
      for (const [requestId, { foreign }] of [...waiting]) {
        settle(requestId);
        foreign();
      }
    },
  };
}
