import type { Chunk, Request, Timeline } from '../../model/network/timeline.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import { arrivalOf } from './initiators.ts';

/** Spans over the load, at most: about two pixels each in a wide waterfall. */
const MOST_SPANS_OF_LOAD = 200;
/** Spans over the whole recording, at most: a page that was watched for a minute need not be rounded to the millisecond. */
const MOST_SPANS = 1000;

/** Bytes that came evenly between two moments; at once, where those are one. */
interface Arrival {
  readonly from: Ms;
  readonly to: Ms;
  readonly bytes: Bytes;
}

/**
 * What arrived on the wire, in spans of a round length from navigation start to the end of observation.
 *
 * Pieces of a body are known by their decoded size; they are scaled such that they sum to the size on the wire where that
 * is known. A body of which one piece is known came somehow between the head and that piece, as in a HAR that tells
 * only sizes: it is spread over that time. Received WebSocket messages count, caches and service workers do not (what a
 * worker fetches is a request of its own). Undefined when no size is known.
 *
 * @param loadedAt where the load ends that is to be seen closely; the whole recording when absent
 */
export function bandwidthOf({ requests, observedUntil }: Timeline, loadedAt: Ms | undefined): Waterfall['bandwidth'] {
  const arrivals = requests.flatMap(arrivalsOf);
  if (arrivals.length === 0 || !(observedUntil > 0)) return undefined;
  const load = Math.min(loadedAt ?? observedUntil, observedUntil);
  const step = roundUp(Math.max(load / MOST_SPANS_OF_LOAD, observedUntil / MOST_SPANS, 1));
  const spans = Array.from({ length: Math.max(1, Math.ceil(observedUntil / step)) }, () => 0);
  const last = spans.length - 1;
  const place = (at: Ms): number => Math.min(Math.max(Math.floor(at / step), 0), last);
  const add = (index: number, bytes: Bytes): void => {
    spans[index] = (spans[index] ?? 0) + bytes;
  };
  for (const { from, to, bytes } of arrivals) {
    if (from >= to) {
      add(place(to), bytes);
      continue;
    }
    for (let index = place(from); index <= place(to); index += 1) {
      const start = index === 0 ? from : Math.max(from, index * step);
      const end = index === last ? to : Math.min(to, (index + 1) * step);
      add(index, (bytes * Math.max(0, end - start)) / (to - from));
    }
  }
  return { step, bytes: roundTogether(spans) };
}

function arrivalsOf(request: Request): readonly Arrival[] {
  const { response, chunks, transferSize, bodySize } = request;
  if (request.type === 'websocket' || request.type === 'webtransport') {
    return request.messages.flatMap(({ at, bytes, direction }) =>
      direction === 'received' && bytes > 0 ? [{ from: at, to: at, bytes }] : [],
    );
  }
  if (response === undefined || response.fromCache !== undefined || response.fromServiceWorker) return [];
  const head = Math.min(arrivalOf(request), request.endedAt ?? Number.POSITIVE_INFINITY);
  const headers = transferSize === undefined ? 0 : Math.max(0, transferSize - (bodySize ?? 0));
  return [{ from: head, to: head, bytes: headers }, ...bodyOf(chunks, bodySize, head, request.endedAt)].filter(
    ({ bytes }) => bytes > 0,
  );
}

function bodyOf(
  chunks: readonly Chunk[],
  bodySize: Bytes | undefined,
  head: Ms,
  endedAt: Ms | undefined,
): readonly Arrival[] {
  const decoded = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  if (decoded === 0) {
    return bodySize === undefined || endedAt === undefined ? [] : [{ from: head, to: endedAt, bytes: bodySize }];
  }
  const scale = bodySize === undefined ? 1 : bodySize / decoded;
  const [only] = chunks;
  if (chunks.length === 1 && only) return [{ from: Math.min(head, only.at), to: only.at, bytes: decoded * scale }];
  return chunks.map(({ at, bytes }) => ({ from: at, to: at, bytes: bytes * scale }));
}

/** The next of 1, 2, 5, 10, 20 … */
function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * decade).find((candidate) => candidate >= value) ?? 10 * decade;
}

/** Whole bytes whose sum is the whole of the sum. */
function roundTogether(values: readonly number[]): readonly Bytes[] {
  let sum = 0;
  let rounded = 0;
  return values.map((value) => {
    sum += value;
    const bytes = Math.round(sum) - rounded;
    rounded += bytes;
    return bytes;
  });
}
