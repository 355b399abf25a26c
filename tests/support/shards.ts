import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Random, randomFor } from '../../bench/statistics/random.ts';
import type { Build, CompareResult } from '../../src/model/compare/comparison.ts';
import type { LoadOutcome, LoadRequest } from '../../src/model/recording/lab.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import { type AuditOptions, audit, type CompareOptions, compare } from './jobs.ts';

import { answeringLab, ORIGIN, page, recordingOf, type Scripted } from './scripted.ts';
import { COMMON, COMPARING } from './settings.ts';

export const BASE = `${ORIGIN}/base`;
export const CANDIDATE = `${ORIGIN}/candidate`;

/** A load whose page is complete at `end`, ms. */
export function loadedBy(end: number, ...more: readonly Scripted[]): LoadOutcome {
  return {
    ok: true,
    recording: recordingOf({ requests: page({ path: '/api', from: 100, to: end }, ...more), until: end + 4_000 }),
  };
}

/** A load of a comparison in its place. */
export interface Place {
  readonly build: Build;
  readonly block: number;
  readonly order: number;
}

/** How a machine measures. */
export interface Machine {
  /** Everything takes this much longer on it. */
  readonly factor?: number;
  readonly product?: string;
  /** Ends it before this load, from 1. */
  readonly after?: number;
  /** What is loaded instead of an ordinary page, for the n-th load. */
  load?(request: LoadRequest, nth: number): LoadOutcome | undefined;
}

/** What a comparison without other settings is told. */
export const COMPARISON: CompareOptions = {
  ...COMPARING,
  targets: [BASE, CANDIDATE],
  maxPairs: 16,
  looks: [16],
};

/** Loads before the first block: one of each build. */
const UNTIMED = 2;

/** A time that follows from the place of the load alone, ms: the candidate is 10% slower. */
function timeAt({ build, block, order }: Place, factor: number): number {
  const noise = randomFor(block, order).normal();
  return Math.round(1_000 * factor * (build === 'candidate' ? 1.1 : 1) * Math.exp(0.03 * noise));
}

/**
 * Runs one shard of a comparison, '1/1' all of it, and gives its stored result. Times follow from the place of each load, so
 * that they are the same however the blocks are dealt.
 */
export async function comparedShard(
  out: string,
  shard: string,
  more: Partial<CompareOptions> = {},
  { factor = 1, product = 'Scripted/1', after, load }: Machine = {},
): Promise<CompareResult> {
  const [index = 1, of = 1] = shard.split('/').map(Number);
  const ending = new AbortController();
  let loads = 0;
  const place = (nth: number, build: Build): Place => ({
    build,
    block: index + of * Math.floor((nth - UNTIMED - 1) / 4),
    order: (nth - UNTIMED - 1) % 4,
  });
  await compare(
    { ...COMPARISON, out, shard, ...more },
    {
      signal: ending.signal,
      microBenchmark: () =>
        10 + randomFor(place(loads + 1, 'base').block, 100 + place(loads + 1, 'base').order).uniform(),
      openLab: answeringLab((request) => {
        loads += 1;
        if (loads === after) ending.abort();
        const build = request.url === CANDIDATE ? 'candidate' : 'base';
        return load?.(request, loads) ?? loadedBy(timeAt(place(loads, build), factor));
      }, product),
    },
  );
  return storedIn<CompareResult>(out);
}

/** Runs one shard of an audit, and gives its stored result. */
export async function auditedShard(
  out: string,
  shard: string,
  more: Partial<AuditOptions> = {},
  { factor = 1, product = 'Scripted/1', after, load }: Machine = {},
): Promise<AuditResult> {
  const random: Random = randomFor(Number.parseInt(shard, 10), 4);
  const ending = new AbortController();
  let loads = 0;
  await audit(
    { ...COMMON, targets: [], runs: 2, out, shard, ...more },
    {
      signal: ending.signal,
      openLab: answeringLab((request) => {
        loads += 1;
        if (loads === after) ending.abort();
        return load?.(request, loads) ?? loadedBy(Math.round(400 * factor * Math.exp(0.03 * random.normal())));
      }, product),
    },
  );
  return storedIn<AuditResult>(out);
}

/** Rewrites the result in a folder. */
export async function rewrite<T>(folder: string, change: (result: T) => unknown): Promise<void> {
  await writeFile(path.join(folder, 'result.json'), JSON.stringify(change(await storedIn<T>(folder))));
}

/** The result in a folder. */
export async function storedIn<T>(folder: string): Promise<T> {
  return JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8')) as T;
}
