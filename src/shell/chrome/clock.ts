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

/** Sets the clock by one reading; its error is at most the time that the answer took. */
export async function browserClock(session: CDPSession): Promise<BrowserClock> {
  const { timestamp } = await readRenderer(session);
  const offset = timestamp - performance.now() / 1000;
  return { now: () => performance.now() / 1000 + offset };
}
