import type { Protocol } from 'puppeteer-core';
import type { BrowserSessions } from '../connect/browser.ts';
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
  /** Calls `own` as soon as the request is known to be the load's, `foreign` when it is another's or that is not known in time. */
  whenKnown(paused: PausedRequest, own: () => void, foreign: () => void): void;
  /** Decides that requests which still wait are foreign. */
  end(): void;
}

/** What one load knows, for the others in its browser: what is theirs need not wait until nobody has claimed it. */
interface Claims {
  owns(id: string): boolean;
  claimed(id: string, isOwn: boolean): void;
}

const loadsIn = new WeakMap<BrowserSessions, Set<Claims>>();

/** The ownership of one load. */
export function createRequestOwnership(browser: BrowserSessions): RequestOwnership {
  /** Ids of this load's targets, frames and requests. */
  const known = new Set<string>();
  const waiting = new Map<string, { readonly ids: readonly string[]; own(): void; foreign(): void }>();
  const timers = new Map<string, NodeJS.Timeout>();
  const settle = (requestId: string, isOwn: boolean): void => {
    const decision = waiting.get(requestId);
    clearTimeout(timers.get(requestId));
    timers.delete(requestId);
    waiting.delete(requestId);
    if (isOwn) decision?.own();
    else decision?.foreign();
  };
  const loads = loadsIn.get(browser) ?? new Set<Claims>();
  loadsIn.set(browser, loads);
  const claims: Claims = {
    owns: (id) => known.has(id),
    claimed(id, isOwn) {
      for (const [requestId, { ids }] of waiting) if (ids.includes(id)) settle(requestId, isOwn);
    },
  };
  const add = (id: string): void => {
    known.add(id);
    for (const load of loads) load.claimed(id, load === claims);
  };
  return {
    beforeStart(session, _kind, targetId) {
      loads.add(claims);
      add(targetId);
      session.on('Page.frameAttached', ({ frameId }) => add(frameId));
      session.on('Network.requestWillBeSent', ({ requestId }) => add(requestId));
    },
    whenKnown({ requestId, networkId, frameId }, own, foreign) {
      const ids = [networkId, frameId].filter((id) => id !== undefined);
      if (ids.some((id) => known.has(id))) own();
      else if (ids.some((id) => [...loads].some((load) => load.owns(id)))) foreign();
      else {
        waiting.set(requestId, { ids, own, foreign });
        timers.set(
          requestId,
          setTimeout(() => settle(requestId, false), DECIDE_WITHIN_MS),
        );
      }
    },
    end() {
      for (const requestId of [...waiting.keys()]) settle(requestId, false);
      loads.delete(claims);
    },
  };
}
