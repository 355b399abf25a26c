import type { Verdict } from '../../model/background/verdict.ts';
import type { MeasuredNetwork, NetworkConditions } from '../../model/host/conditions.ts';
import type { ResourceType } from '../../model/network/network.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { AskedAndGot, FindingFact } from '../../model/result/finding.ts';
import type { Ms } from '../../model/units.ts';
import { median } from '../time/median.ts';
import { busySpans } from '../timeline/inflight.ts';

/** Farther off than this share, a network is not the one that was asked for. */
export const TOLERANCE = 0.15;
/** So late may a busy machine be, ms: 25 ms instead of 20 is no other network. */
const TOLERANCE_MS = 10;
/** A rate is read where the line was full for this long: Chrome reports arrivals in lumps of up to 64 kB. */
const SATURATED_MS = 500;
const WINDOW_STEP_MS = 100;
/** Pieces so close to each other are one telling. */
const TOLD_TOGETHER_MS = 20;
/** Files that a server sends as fast as it can; other answers may be slow for reasons of their own. */
const FILES: ReadonlySet<ResourceType> = new Set(['image', 'script', 'stylesheet', 'font', 'media']);
/** Smaller files are over before the line is full, bytes. */
const LARGE_BYTES = 10_000;

/**
 * What a run got of the network that it requested, told from its own traffic.
 *
 * The latency is the least time from a request's last byte to its answer's headers: Chrome lets none come sooner, however
 * fast the server was. A server that takes longer by itself says nothing of it, unless connecting takes that long, too: then
 * the real line is slower than the one asked for. The rates are those of the stretches in which files were arriving, or a
 * body was being sent, without a gap. Only the page itself is looked at: frames of other sites, service workers and shared
 * workers have lines of their own in Chrome. Other workers share the line of what started them, so that the page's part of
 * it is not known while they download.
 */
export function measuredNetwork(
  timeline: Timeline,
  verdicts: ReadonlyMap<string, Verdict>,
  asked: NetworkConditions,
): MeasuredNetwork | undefined {
  const all = timeline.requests.filter(isFromServer);
  const requests = all.filter(
    ({ target, type, mainDocument }) => target === 'page' && (type !== 'document' || mainDocument),
  );
  const workers = all.filter(({ target }) => target === 'worker');
  const rtt = latencyOf(requests, asked.latency);
  const download = asked.download === undefined ? undefined : downloadOf(requests, verdicts, workers);
  const upload = asked.upload === undefined ? undefined : uploadOf(requests);
  if (rtt === undefined && download === undefined && upload === undefined) return undefined;
  return {
    rtt,
    download,
    upload,
  };
}

/** Did it come over the network, and not out of a cache or from a service worker? */
export function isFromServer({ response }: Request): boolean {
  return response?.fromCache === undefined && response?.fromServiceWorker !== true;
}

function latencyOf(requests: readonly Request[], asked: Ms): Ms | undefined {
  const telling: Ms[] = [];
  const connecting: Ms[] = [];
  for (const { timing } of requests) {
    if (!timing) continue;
    const { sendEnd, headersStart, headersEnd, connectStart, connectEnd, sslStart } = timing;
    if (connectStart !== undefined && connectEnd !== undefined)
      connecting.push((sslStart ?? connectEnd) - connectStart);
    if (sendEnd === undefined || headersStart === undefined || headersEnd === undefined) continue;
    if (headersStart - sendEnd < asked) telling.push(headersEnd - sendEnd);
  }
  if (telling.length > 0) return rounded(Math.min(...telling));
  const line = connecting.length === 0 ? 0 : Math.min(...connecting);
  return line > asked ? rounded(line) : undefined;
}

function downloadOf(
  requests: readonly Request[],
  verdicts: ReadonlyMap<string, Verdict>,
  workers: readonly Request[],
): number | undefined {
  const files = requests.flatMap((request) => {
    const { endedAt, outcome, type, id } = request;
    const startedAt = request.timing?.headersEnd ?? request.response?.at;
    const isFile = FILES.has(type) && outcome === 'finished' && bytesOf(request) >= LARGE_BYTES && !verdicts.has(id);
    return isFile && startedAt !== undefined && endedAt !== undefined ? [{ ...request, startedAt }] : [];
  });
  const pieces = requests.flatMap(piecesOf);
  const shared = workers.flatMap(piecesOf);
  const rates = busySpans(files, 0, Number.POSITIVE_INFINITY)
    .flatMap(windowsIn)
    .filter((window) => bytesIn(window, shared) === 0)
    .map((window) => (bytesIn(window, pieces) * 8) / SATURATED_MS);
  // In the middle: when exactly a piece came is not reported, so one window has too much of it and the next one too little.
  return rates.length === 0 ? undefined : rounded(median(rates));
}

/** So many bytes on the wire, between the telling before and this one. */
interface Piece {
  readonly from: Ms;
  readonly to: Ms;
  readonly bytes: number;
}

/**
 * What came when. Pieces are reported decoded, while their sum is known as it was sent; and of scripts all at once, when the
 * last one is there: what is reported together came since the telling before.
 */
export function piecesOf(request: Request): readonly Piece[] {
  const { chunks, contentSize, endedAt } = request;
  const wire = bytesOf(request);
  const begin = request.timing?.headersEnd ?? request.response?.at;
  if (begin === undefined || wire === 0) return [];
  if (contentSize === 0) return endedAt === undefined ? [] : [{ from: begin, to: endedAt, bytes: wire }];
  const pieces: Piece[] = [];
  for (const { at, bytes } of chunks) {
    const last = pieces.at(-1);
    const sent = (bytes * wire) / contentSize;
    if (last && at - last.to <= TOLD_TOGETHER_MS)
      pieces[pieces.length - 1] = { ...last, to: at, bytes: last.bytes + sent };
    else pieces.push({ from: Math.min(last?.to ?? begin, at), to: at, bytes: sent });
  }
  return pieces;
}

function bytesIn(window: { readonly from: Ms; readonly to: Ms }, pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { from, to, bytes }) => {
    if (to <= window.from || from > window.to) return sum;
    const share = to === from ? 1 : (Math.min(to, window.to) - Math.max(from, window.from)) / (to - from);
    return sum + bytes * Math.min(1, Math.max(0, share));
  }, 0);
}

function bytesOf({ bodySize, transferSize, contentSize }: Request): number {
  return bodySize ?? transferSize ?? contentSize;
}

/** Stretches of half a second, a new one every tenth. */
function windowsIn({ from, to }: { readonly from: Ms; readonly to: Ms }): readonly { from: Ms; to: Ms }[] {
  const many = Math.floor((to - from - SATURATED_MS) / WINDOW_STEP_MS) + 1;
  return Array.from({ length: Math.max(0, many) }, (_, i) => {
    const start = from + i * WINDOW_STEP_MS;
    return { from: start, to: start + SATURATED_MS };
  });
}

function uploadOf(requests: readonly Request[]): number | undefined {
  const sent = requests.flatMap((request) => {
    const { timing, postBody } = request;
    if (timing?.sendStart === undefined || timing.sendEnd === undefined || postBody === undefined) return [];
    const bytes = Math.max(postBody.size, announcedBytes(request));
    if (bytes < LARGE_BYTES) return [];
    return [{ request: { ...request, startedAt: timing.sendStart, endedAt: timing.sendEnd }, bytes }];
  });
  const full = busySpans(
    sent.map(({ request }) => request),
    0,
    Number.POSITIVE_INFINITY,
  ).filter(({ from, to }) => to - from >= SATURATED_MS);
  const amounts = full.map(({ from, to }) => ({
    time: to - from,
    bytes: sent
      .filter(({ request }) => request.startedAt >= from && request.endedAt <= to)
      .reduce((sum, { bytes }) => sum + bytes, 0),
  }));
  return rateOf(amounts);
}

/** Of large bodies the browser gives out neither text nor size: the header has it. */
function announcedBytes({ requestHeaders }: Request): number {
  const length = requestHeaders.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  return Number(length ?? 0);
}

/** Kilobit a second over the stretch that carried most. */
function rateOf(amounts: readonly { readonly time: Ms; readonly bytes: number }[]): number | undefined {
  const [most] = [...amounts].sort((a, b) => b.bytes - a.bytes);
  return most && rounded((most.bytes * 8) / most.time);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Says so when a run did not get the network that it requested. */
export function networkFindings(asked: NetworkConditions, got: MeasuredNetwork | undefined): readonly FindingFact[] {
  const off = (wanted: number | undefined, measured: number | undefined): AskedAndGot | undefined =>
    wanted !== undefined && wanted > 0 && measured !== undefined && Math.abs(measured / wanted - 1) > TOLERANCE
      ? { asked: wanted, got: measured }
      : undefined;
  const late = off(asked.latency, got?.rtt);
  const rtt = late && Math.abs(late.got - late.asked) > TOLERANCE_MS ? late : undefined;
  const download = off(asked.download, got?.download);
  const upload = off(asked.upload, got?.upload);
  if (!rtt && !download && !upload) return [];
  const facts = { network: asked.name, rtt, download, upload };
  return [{ code: 'network-conditions-off', urls: [], facts }];
}
