import { performance } from 'node:perf_hooks';
import type { CDPSession } from 'puppeteer-core';

/** Counters of a renderer, in the browser's monotonic seconds. */
export interface RendererMetrics {
  readonly timestamp: number;
  readonly navigationStart: number;
  readonly taskDuration: number;
}

/** Reads the counters. The answer comes when the main thread is free, and `timestamp` says when that was. */
export async function readRenderer(session: CDPSession): Promise<RendererMetrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    timestamp: value('Timestamp'),
    navigationStart: value('NavigationStart'),
    taskDuration: value('TaskDuration'),
  };
}

/** The browser's monotonic clock, computed from this program's. */
export interface BrowserClock {
  /** Seconds, as CDP timestamps are. */
  now(): number;
  /** By how much `now` may be wrong, seconds. */
  readonly error: number;
}

/** How often the browser's clock is read. On a busy machine one answer of a few comes at once. */
const READINGS = 5;

/**
 * Sets the clock by the reading with the shortest round trip, as if it had been made half-way: its error is at most half
 * the round trip. A page that is just starting may take hundreds of milliseconds for the first answer.
 */
export async function browserClock(session: CDPSession): Promise<BrowserClock> {
  let shortest = Number.POSITIVE_INFINITY;
  let offset = 0;
  for (let i = 0; i < READINGS; i += 1) {
    const asked = performance.now();
    const { timestamp } = await readRenderer(session);
    const took = performance.now() - asked;
    if (took >= shortest) continue;
    shortest = took;
    offset = timestamp - (asked + took / 2) / 1000;
  }
  return { now: () => performance.now() / 1000 + offset, error: shortest / 2000 };
}
