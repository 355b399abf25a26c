/**
 * One job of `bench/scale/index.ts` in a process of its own, so that its memory is its own: an audit of many pages in a lab
 * that makes recordings up, or the merge of its shards. Prints what it took as one line of JSON.
 *
 *   node --expose-gc bench/scale/job.ts audit <pages> <out> [<shard>]
 *   node --expose-gc bench/scale/job.ts merge <out> <dir> …
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { NetworkEvent } from '../../src/model/network/network.ts';
import type { Lab } from '../../src/model/recording/lab.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { Progress } from '../../src/model/result/progress.ts';

import { syntheticRecording } from '../support/synthetic.ts';

/** What a job took. Times in milliseconds, the lab's own and that of looking at the heap taken off. */
export interface Taken {
  readonly wall: number;
  readonly cpu: number;
  /** Loading, judging and storing. */
  readonly loading: number;
  /** Making the runs of each page agree. */
  readonly settling: number;
  /** Writing reports. */
  readonly reporting: number;
  /** Bytes alive after a collection, at the most: of objects, and of what lies beside them (buffers). */
  readonly heap: number;
  readonly beside: number;
  /** Bytes of the process at the most, whatever nobody had collected yet included. */
  readonly rss: number;
  /** Bytes of all that lies in the folder. */
  readonly written: number;
  /** Bytes of index.html and result.json, and files in all. */
  readonly index: number;
  readonly result: number;
  readonly files: number;
  readonly targets: number;
}

/** Requests of a page. Source: HTTP Archive, 2024: the median page has 71, the 75th percentile 115. */
const REQUESTS = 100;
const RUNS = 5;
/** Every so many pages one has a poll that never ends. */
const POLLED = 3;
/** So often in a job the heap is collected and looked at. */
const LOOKS = 60;

const collect = globalThis.gc;
if (collect === undefined) throw new Error('run with --expose-gc');

// The built package: reports are TSX.
const DIST = process.env.QUIESCE_DIST ?? new URL('../../dist/', import.meta.url).href;

// --- The lab ------------------------------------------------------------------------------------------------------

const plain = syntheticRecording(REQUESTS);

/** A number of 0 to 1 that is always the same for the same words. */
function drawn(...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const letter of words.join(' ')) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return (Math.imul(hash ^ (hash >>> 15), 2_246_822_519) >>> 0) / 2 ** 32;
}

function poll(origin: string, number: number): readonly NetworkEvent[] {
  const [at, id] = [500 + number * 1_000, `poll-${number}`];
  return [
    {
      kind: 'request',
      at,
      id,
      requestId: id,
      url: `${origin}/api/messages?since=${number}`,
      method: 'GET',
      type: 'fetch',
      headers: [],
      target: 'page',
      initiator: { type: 'script', url: `${origin}/app.js`, line: 7, scheduledBy: 'setInterval' },
      mainDocument: false,
    },
    {
      kind: 'response',
      at: at + 25,
      id,
      status: 200,
      statusText: 'OK',
      mimeType: 'application/json',
      headers: [],
      hasExtraInfo: false,
      protocol: 'h2',
    },
    { kind: 'finished', at: at + 30, id, encodedBytes: 90 },
  ];
}

/** One load of a page: each page has its own addresses and speed, and no two loads take the same time. */
function loadOf(address: string, load: number): Recording {
  const { origin, pathname } = new URL(address);
  const page = Number(/\d+/.exec(pathname)?.[0] ?? 0);
  const slow = (0.5 + drawn(page)) * (1 + 0.04 * drawn(page, load));
  const own = plain.events.map(
    (event): NetworkEvent => ({
      ...event,
      at: event.at * slow,
      ...(event.kind === 'request' && {
        url: event.mainDocument ? address : event.url.replace('https://bench.test/assets', `${origin}/p${page}`),
      }),
    }),
  );
  const polls = page % POLLED === 0 ? Array.from({ length: 12 }, (_, i) => poll(origin, i)).flat() : [];
  return {
    ...plain,
    navigation: { ...plain.navigation, url: address },
    events: [...own, ...polls].sort((a, b) => a.at - b.at),
    marks: plain.marks.map((mark) => ({ ...mark, at: mark.at * slow })),
    ...(plain.page && { page: { ...plain.page, finalUrl: address, title: `Page ${page} of the bench` } }),
    observedUntil: 12_000,
    announcedHops: REQUESTS + polls.length / 3,
  };
}

// --- The measurement ----------------------------------------------------------------------------------------------

/** Looks at the clock, the processor and the heap, and leaves out what is not the job's. */
class Meter {
  readonly #from = performance.now();
  readonly #cpu = process.cpuUsage();
  #aside = 0;
  #asideCpu = 0;
  heap = 0;
  beside = 0;

  /** Time so far, ms. */
  get now(): number {
    return performance.now() - this.#from - this.#aside;
  }

  get cpu(): number {
    const { user, system } = process.cpuUsage(this.#cpu);
    return (user + system) / 1000 - this.#asideCpu;
  }

  /** Does what is not to be counted. */
  apart<T>(work: () => T): T {
    const from = performance.now();
    const cpu = process.cpuUsage();
    const done = work();
    const { user, system } = process.cpuUsage(cpu);
    this.#aside += performance.now() - from;
    this.#asideCpu += (user + system) / 1000;
    return done;
  }

  /** What is alive. */
  look(): void {
    this.apart(() => {
      collect?.();
      const { heapUsed, external } = process.memoryUsage();
      this.heap = Math.max(this.heap, heapUsed);
      this.beside = Math.max(this.beside, external);
    });
  }

  /** Looks every so many calls. */
  everyFew(of: number): () => void {
    const step = Math.max(1, Math.floor(of / LOOKS));
    let calls = 0;
    return () => {
      calls += 1;
      if (calls % step === 0) this.look();
    };
  }
}

async function bytesIn(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let bytes = 0;
  let files = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return { files, bytes };
}

async function taken(
  meter: Meter,
  out: string,
  targets: number,
  stages: Pick<Taken, 'loading' | 'settling' | 'reporting'>,
): Promise<Taken> {
  const [wall, cpu] = [meter.now, meter.cpu];
  meter.look();
  const sizeOf = async (name: string): Promise<number> => (await stat(path.join(out, name))).size;
  const { files, bytes } = await bytesIn(out);
  return {
    wall,
    cpu,
    ...stages,
    heap: meter.heap,
    beside: meter.beside,
    // Kilobytes, says getrusage.
    rss: process.resourceUsage().maxRSS * 1024,
    written: bytes,
    index: await sizeOf('index.html'),
    result: await sizeOf('result.json'),
    files,
    targets,
  };
}

/** A module of the build: reports are TSX, which Node does not run. */
async function built<T>(file: string): Promise<T> {
  return (await import(new URL(file, DIST).href)) as T;
}

// --- The jobs -----------------------------------------------------------------------------------------------------

async function auditPages(pages: number, out: string, shard: string | undefined): Promise<Taken> {
  const { audit } = await built<typeof import('../../src/jobs/audit/audit.ts')>('jobs/audit/audit.js');
  const { readOptions } = await built<typeof import('../../src/settings/gather.ts')>('settings/gather.js');
  const { resolveAudit } = await built<typeof import('../../src/settings/resolve.ts')>('settings/resolve.js');
  const meter = new Meter();
  const share = shard === undefined ? pages : Math.ceil(pages / Number(shard.split('/')[1]));
  const looks = { load: meter.everyFew(share * (RUNS + 1)), conclude: meter.everyFew(2 * share) };
  let loads = 0;
  let loaded = 0;
  let settled = 0;
  const lab: Lab = {
    product: 'Scripted/1',
    userAgent: 'scripted',
    sandbox: true,
    alive: () => true,
    close: async () => undefined,
    async record({ url }) {
      loads += 1;
      return { ok: true, recording: meter.apart(() => loadOf(url, loads)) };
    },
  };
  const onProgress = (event: Progress): void => {
    if (event.kind === 'run-finished') {
      looks.load();
      loaded = meter.now;
    }
    if (event.kind === 'settling' && settled === 0) loaded = meter.now;
    if (event.kind === 'settling') settled = meter.now;
    if (event.kind === 'settling' || event.kind === 'drawing') looks.conclude();
  };
  const targets = Array.from({ length: pages }, (_, i) => `https://shop-${i % 7}.bench.test/catalogue/${i}/`);
  const options = { out, runs: RUNS, evidence: false, ablation: false, ...(shard !== undefined && { shard }) };
  const settings = resolveAudit(readOptions('audit', targets, options, { env: process.env, isRoot: false }));
  meter.look();
  const { exit, report, problems } = await audit(settings, { openLab: async () => lab, onProgress });
  if (exit !== 0) throw new Error(`the audit ended with ${exit}: ${problems[0]?.message}`);
  const end = meter.now;
  // Of one page nobody is told when it is settled.
  settled = Math.max(settled, loaded);
  return taken(meter, out, report.targets.length, {
    loading: loaded,
    settling: settled - loaded,
    reporting: end - settled,
  });
}

/** Joins shards and writes the reports of the whole. */
async function mergeShards(out: string, dirs: readonly string[]): Promise<Taken> {
  const { merge } = await built<typeof import('../../src/index.ts')>('index.js');
  const meter = new Meter();
  const look = meter.everyFew(2 * LOOKS);
  let read = 0;
  const onProgress = ({ kind }: Progress): void => {
    look();
    if (kind === 'reading') read = meter.now;
  };
  const { exit, report } = await merge(dirs, { out, format: ['html', 'json'], onProgress });
  if (exit !== 0 || !('targets' in report)) throw new Error(`joining ended with ${exit}`);
  const end = meter.now;
  return taken(meter, out, report.targets.length, { loading: read, settling: 0, reporting: end - read });
}

const [what, ...words] = process.argv.slice(2);
if (what === 'audit') {
  const [pages, out = '', shard] = words;
  console.log(JSON.stringify(await auditPages(Number(pages), out, shard)));
} else {
  const [out = '', ...dirs] = words;
  console.log(JSON.stringify(await mergeShards(out, dirs)));
}
