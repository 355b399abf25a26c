import { performance } from 'node:perf_hooks';
import type { CDPSession } from 'puppeteer-core';

/** The renderer's counters that are read, in the browser's monotonic seconds. */
export interface RendererMetrics {
  readonly timestamp: number;
  readonly navigationStart: number;
  readonly taskDuration: number;
}

/** Reads the counters; the answer comes when the main thread is free, and says when that was. */
export async function readRenderer(session: CDPSession): Promise<RendererMetrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    timestamp: value('Timestamp'),
    navigationStart: value('NavigationStart'),
    taskDuration: value('TaskDuration'),
  };
}

/** The browser's monotonic clock, told from this program's. */
export interface BrowserClock {
  /** Seconds, as CDP timestamps are. */
  now(): number;
}

/** How often the browser is asked for its time; one answer of a few comes at once even on a busy machine. */
const READINGS = 5;

/**
 * Sets the clock by the reading that was answered soonest, as if it had been made half-way: its error is at most half
 * the time that this answer took. A page that is just starting may take hundreds of milliseconds for the first.
 */
export async function browserClock(session: CDPSession): Promise<BrowserClock> {
  let soonest = Number.POSITIVE_INFINITY;
  let offset = 0;
  for (let i = 0; i < READINGS; i += 1) {
    const asked = performance.now();
    const { timestamp } = await readRenderer(session);
    const took = performance.now() - asked;
    if (took >= soonest) continue;
    soonest = took;
    offset = timestamp - (asked + took / 2) / 1000;
  }
  return { now: () => performance.now() / 1000 + offset };
}
