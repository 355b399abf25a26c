import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { withTimeout } from '../connect/with-timeout.ts';
import { createEventSplitter } from './event-splitter.ts';

/** The debugger's own events. What reads a trace by hand needs none of them, so they are not kept. */
export const ASYNC_STEPS = 'disabled-by-default-v8.inspector';
/** Each change of the document that has to be drawn. The same of these. */
export const INVALIDATIONS = 'disabled-by-default-devtools.timeline.invalidationTracking';

/**
 * What is traced: what DevTools' Performance panel and Perfetto draw, and nothing that they do not. Source: DevTools,
 * panels/timeline/TimelineController; without its categories for single steps of garbage collection and of compilation,
 * which on a page full of objects were a third of the trace.
 */
const CATEGORIES: readonly string[] = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'disabled-by-default-devtools.timeline.stack',
  'disabled-by-default-devtools.screenshot',
  'disabled-by-default-v8.cpu_profiler',
  'blink.user_timing',
  'latencyInfo',
  // What runs after an answer that a script awaited is in no other event.
  'v8.execute',
  'loading',
  // Which asynchronous step of a script was registered where: what led to a request. A fifteenth of all events.
  ASYNC_STEPS,
  // Which changes of the document it led to.
  INVALIDATIONS,
];
/** A page that is watched for a minute fills less; what comes when it is full is left out. */
const BUFFER_KB = 200 * 1024;
const READ_BYTES = 1024 * 1024;
/** How much of the JSON is read at once: the whole of it is a hundred megabytes on large pages. */
const PIECE_BYTES = 256 * 1024;
/**
 * How long the browser's processes may take to hand over what they have traced, ms. Mostly they take less than two seconds.
 * In some loads, Chrome waits for a process that has nothing to do, until a minute after the beginning: that is not awaited.
 */
const END_TIMEOUT_MS = 10_000;

/** A trace under way. The browser can have one at a time. */
export interface Trace {
  /** Ends it, and hands over its events one by one, as they were sent. False when they did not all come. */
  end(take: (event: unknown) => void): Promise<boolean>;
  /** Ends it without reading it, unless it has ended. */
  stop(): Promise<void>;
}

/** Starts a trace; undefined where the browser refuses one, as when another program traces it. */
export async function startTrace(page: CDPSession): Promise<Trace | undefined> {
  const traceConfig = {
    recordMode: 'recordUntilFull' as const,
    traceBufferSizeInKb: BUFFER_KB,
    includedCategories: [...CATEGORIES],
    excludedCategories: ['*'],
  } satisfies Protocol.Tracing.TraceConfig;
  try {
    await page.send('Tracing.start', { transferMode: 'ReturnAsStream', streamCompression: 'gzip', traceConfig });
  } catch {
    return undefined;
  }
  let ended = false;
  const end = async (): Promise<string | undefined> => {
    ended = true;
    const complete = Promise.withResolvers<string | undefined>();
    page.once('Tracing.tracingComplete', ({ stream }) => complete.resolve(stream));
    await page.send('Tracing.end');
    return complete.promise;
  };
  return {
    async end(take) {
      if (ended) return false;
      const stream = await withTimeout(end(), END_TIMEOUT_MS);
      if (stream === undefined) return false;
      return readTrace(page, stream, take).then(
        () => true,
        () => false,
      );
    },
    async stop() {
      if (!ended) await withTimeout(end(), END_TIMEOUT_MS);
    },
  };
}

async function readTrace(page: CDPSession, handle: string, take: (event: unknown) => void): Promise<void> {
  const splitter = createEventSplitter();
  await pipeline(
    piecesOf(page, handle),
    createGunzip({ chunkSize: PIECE_BYTES }),
    async (json: AsyncIterable<Buffer>) => {
      for await (const piece of json) for (const event of splitter.add(piece)) take(event);
    },
  );
  await page.send('IO.close', { handle });
}

async function* piecesOf(page: CDPSession, handle: string): AsyncGenerator<Buffer> {
  for (let eof = false; !eof; ) {
    const { data, base64Encoded = false, eof: isLast } = await page.send('IO.read', { handle, size: READ_BYTES });
    yield Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
    eof = isLast;
  }
}
