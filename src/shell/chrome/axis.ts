import type { CDPSession, Protocol } from 'puppeteer-core';
import { toMicroseconds } from '../../core/time.ts';
import type { Ms } from '../../model/units.ts';
import { type BrowserClock, readRenderer } from './clock.ts';

/** Milliseconds since navigation start, told from the browser's monotonic clock. */
export interface TimeAxis {
  /** Whether navigation start is known; times are provisional before. */
  isKnown(): boolean;
  /** Sets the clock by which `now` goes. */
  setClock(clock: BrowserClock): void;
  /** The first request of a document is the first sign of the navigation, and tells the time of day. */
  requestSent(request: Protocol.Network.RequestWillBeSentEvent): void;
  /** A document is there: its renderer knows when the navigation began. */
  askRenderer(page: CDPSession): Promise<void>;
  /** Nobody else will tell any more: navigation starts with its first request. */
  settle(): void;
  at(browserSeconds: number): Ms;
  now(): Ms;
  /** Now on the browser's clock, seconds. */
  browserNow(): number;
  /** Whether a request for a document was seen. */
  hasRequest(): boolean;
  /** Milliseconds since the Unix epoch at navigation start. */
  startedAt(): number;
}

/** An axis whose zero is still to be found; `found` is called once, with navigation start on the browser's clock. */
export function createAxis(found: (origin: number) => void): TimeAxis {
  let clock: BrowserClock | undefined;
  let origin: number | undefined;
  let requestedAt: number | undefined;
  let requestedAtEpoch = 0;

  const setOrigin = (seconds: number): void => {
    if (origin !== undefined) return;
    origin = seconds;
    found(seconds);
  };
  const at = (seconds: number): Ms => toMicroseconds((seconds - (origin ?? requestedAt ?? seconds)) * 1000);

  return {
    isKnown: () => origin !== undefined,
    setClock(given) {
      clock = given;
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
      const tellsOurs =
        metrics && before !== undefined && metrics.navigationStart <= before && metrics.navigationStart > 0;
      setOrigin(tellsOurs ? metrics.navigationStart : (before ?? clock?.now() ?? 0));
    },
    settle: () => setOrigin(requestedAt ?? clock?.now() ?? 0),
    at,
    now: () => (clock ? at(clock.now()) : 0),
    browserNow: () => clock?.now() ?? 0,
    hasRequest: () => requestedAt !== undefined,
    startedAt: () =>
      requestedAtEpoch - (requestedAt !== undefined && origin !== undefined ? (requestedAt - origin) * 1000 : 0),
  };
}
