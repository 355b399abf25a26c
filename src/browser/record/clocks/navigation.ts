import type { CDPSession, Protocol } from 'puppeteer-core';
import type { CdpMessage } from '../../../core/sources/cdp.ts';
import { toMicroseconds } from '../../../core/time/time.ts';
import type { Ms } from '../../../model/units.ts';
import { type BrowserClock, readRenderer } from './clock.ts';

/** Milliseconds since navigation start, computed from the browser's monotonic clock. */
export interface NavigationClock {
  /** Whether navigation start is known; times are provisional before. */
  isKnown(): boolean;
  /** Sets the clock that `now` reads. */
  setClock(clock: BrowserClock): void;
  /** Takes a request. The first one of a document is the first sign of the navigation, and has its time of day. */
  requestSent(request: Protocol.Network.RequestWillBeSentEvent): void;
  /** Reads navigation start from the renderer; to be called when a document is there. */
  askRenderer(page: CDPSession): Promise<void>;
  /** Takes the first request for navigation start, when nothing better is known. */
  settle(): void;
  at(browserSeconds: number): Ms;
  now(): Ms;
  /** Now on the browser's clock, seconds. */
  browserNow(): number;
  /**
   * When a message arrived, on the browser's clock, seconds: now, but never earlier than a time that an earlier message
   * carried. A socket is not older than the document that opened it, and the clock may be some milliseconds off.
   */
  arrival(message: Pick<CdpMessage, 'method' | 'params'>): number;
  /** Whether a request for a document was seen. */
  hasRequest(): boolean;
  /** Milliseconds since the Unix epoch at navigation start. */
  startedAt(): number;
}

/** A clock whose zero is still to be found; `found` is called once, with navigation start in the browser's seconds. */
export function createNavigationClock(found: (origin: number) => void): NavigationClock {
  let clock: BrowserClock | undefined;
  let origin: number | undefined;
  let requestedAt: number | undefined;
  let requestedAtEpoch = 0;
  /** The latest time that a message carried. */
  let latest = 0;

  const setOrigin = (seconds: number): void => {
    if (origin !== undefined) return;
    origin = seconds;
    found(seconds);
  };
  const at = (seconds: number): Ms => toMicroseconds((seconds - (origin ?? requestedAt ?? seconds)) * 1000);
  const browserNow = (): number => clock?.now() ?? 0;

  return {
    isKnown: () => origin !== undefined,
    setClock(browserClock) {
      clock = browserClock;
    },
    requestSent({ timestamp, wallTime, type, loaderId, requestId }) {
      if (requestedAt !== undefined || type !== 'Document' || loaderId !== requestId) return;
      requestedAt = timestamp;
      requestedAtEpoch = wallTime * 1000;
    },
    async askRenderer(page) {
      if (origin !== undefined) return;
      const before = requestedAt;
      const metrics = await readRenderer(page).catch(() => undefined);
      // A page that replaced itself at once answers with its successor's start, which is too late.
      const isOurs =
        metrics && before !== undefined && metrics.navigationStart <= before && metrics.navigationStart > 0;
      setOrigin(isOurs ? metrics.navigationStart : (before ?? browserNow()));
    },
    settle: () => setOrigin(requestedAt ?? browserNow()),
    at,
    now: () => (clock ? at(clock.now()) : 0),
    browserNow,
    arrival({ method, params }) {
      const { timestamp } = (params ?? {}) as { timestamp?: unknown };
      // Timestamps of other domains count from the Unix epoch.
      const isMonotonic = method.startsWith('Network.') || method === 'Page.lifecycleEvent';
      if (isMonotonic && typeof timestamp === 'number') latest = Math.max(latest, timestamp);
      return Math.max(browserNow(), latest);
    },
    hasRequest: () => requestedAt !== undefined,
    startedAt: () =>
      requestedAtEpoch - (requestedAt !== undefined && origin !== undefined ? (requestedAt - origin) * 1000 : 0),
  };
}
