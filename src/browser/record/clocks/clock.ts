import { performance } from 'node:perf_hooks';
import type { CDPSession } from 'puppeteer-core';

/** Counters of a renderer, in the browser's monotonic seconds. */
export interface RendererMetrics {
  readonly timestamp: number;
  readonly navigationStart: number;
  readonly taskDuration: number;
  /** The same by the processor's clock; absent where it is not read. */
  readonly processorTime?: number;
}

/** The sessions in which the clocks of a page's main thread are read: one session can read but one of them. */
export interface RendererClocks {
  /** The page's own: by the wall's clock. */
  readonly page: CDPSession;
  /** A second one, by the processor's; absent where the browser or its system has none. */
  readonly processor?: CDPSession;
}

/**
 * Both readings are one after the other. What a task takes in between is counted by one clock only; after as much as this,
 * seconds, the second reading is of another moment.
 */
const LONGEST_BETWEEN = 0.02;

/**
 * Resolves when the main thread has had a turn: after the task that runs now. The answer itself says nothing. Not by the
 * counters: Chrome interrupts a script to read those.
 */
export async function turnOf(session: CDPSession): Promise<void> {
  await session.send('Runtime.getIsolateId');
}

/** The same of a worker, or of a frame of another site. A worker answers other questions in the middle of a script. */
export async function turnOfOther(session: CDPSession): Promise<void> {
  await session.send('Runtime.evaluate', { expression: '0' });
}

/** Reads the counters, also in the middle of a task; `timestamp` says when that was. */
export async function readRenderer(session: CDPSession): Promise<RendererMetrics> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return {
    timestamp: value('Timestamp'),
    navigationStart: value('NavigationStart'),
    taskDuration: value('TaskDuration'),
  };
}

/** Reads both clocks. */
export async function readClocks({ page, processor }: RendererClocks): Promise<RendererMetrics> {
  const [wall, used] = await Promise.all([
    readRenderer(page),
    processor && readRenderer(processor).catch(() => undefined),
  ]);
  const isSame =
    used?.navigationStart === wall.navigationStart && Math.abs(used.timestamp - wall.timestamp) <= LONGEST_BETWEEN;
  return isSame ? { ...wall, processorTime: used.taskDuration } : wall;
}

/** Reads both clocks at one moment, where that can be had: a busy machine may keep the second answer back once. */
export async function readClocksTogether(clocks: RendererClocks): Promise<RendererMetrics> {
  const reading = await readClocks(clocks);
  return clocks.processor === undefined || reading.processorTime !== undefined ? reading : readClocks(clocks);
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
