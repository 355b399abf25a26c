import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Random, randomFor } from '../../bench/statistics/random.ts';
import type { AuditResult, RunResult, Source, TargetResult } from '../../src/model/result/result.ts';

/** How a page behaves over many nights. */
export interface Nights {
  readonly target: string;
  readonly url?: string;
  /** Page complete without noise, ms, of each night, from 0. */
  level(night: number): number;
  /** Noise that a whole night shares, and that of each run, as shares. */
  readonly nightly?: number;
  readonly spread?: number;
  readonly runs?: number;
}

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1, 3, 15);

/** A hash that looks like a commit's, another one for each number. */
export function commitOf(night: number): string {
  const random = randomFor(night, 5);
  return Array.from({ length: 40 }, () => Math.floor(random.uniform() * 16).toString(16)).join('');
}

/** The results of so many nights, each of all pages, as an audit would store them. */
export function nightlyAudits(
  pages: readonly Nights[],
  nights: number,
  over: (night: number) => Partial<AuditResult> = () => ({}),
  seed = 1,
): readonly AuditResult[] {
  const streams = pages.map((_, i) => randomFor(seed, i));
  return Array.from({ length: nights }, (_, night) =>
    auditOf(
      pages.map((page, i) => targetOf(page, night, streams[i] ?? randomFor(seed))),
      { ...over(night), startedAt: new Date(FIRST + night * DAY_MS).toISOString() },
    ),
  );
}

function targetOf(
  { target, url, level, nightly = 0.03, spread = 0.05, runs = 5 }: Nights,
  night: number,
  random: Random,
) {
  const middle = level(night) * Math.exp(nightly * random.normal());
  const values = Array.from({ length: runs }, () => middle * Math.exp(spread * random.normal()));
  return measuredTarget(target, values, url);
}

/** A target of which these page-complete times were measured, ms. */
export function measuredTarget(target: string, times: readonly number[], url = target): TargetResult {
  const runs = times.map((time, i): RunResult => {
    const at = Math.round(time * 10) / 10;
    return {
      index: i + 1,
      role: 'timed',
      ok: true,
      pageComplete: { state: 'complete', at, observedUntil: at + 3000, raw: { state: 'never' }, waitingFor: [] },
      metrics: { pageComplete: at, largestContentfulPaint: Math.round(at * 6) / 10, cumulativeLayoutShift: 0 },
      findings: [],
      host: { verdict: 'fit', reasons: [] },
    };
  });
  return { target, url, title: `The page of ${target}`, runs, summary: {}, background: [] };
}

/** An audit of these targets. */
export function auditOf(targets: readonly TargetResult[], over: Partial<AuditResult> = {}): AuditResult {
  return {
    version: 1,
    kind: 'audit',
    tool: { name: 'quiesce', version: '0.1.0' },
    browser: { product: 'Chrome/140.0.1.2', sandbox: true },
    startedAt: '2026-01-01T03:15:00.000Z',
    settings: {
      targets: targets.map(({ target }) => target),
      runs: 5,
      quietWindow: 3000,
      background: [],
      format: ['json'],
    },
    targets,
    ...over,
  };
}

/** A state of the source by the number of its night. */
export function sourceOf(night: number): Source {
  return { commit: commitOf(night), ref: 'main' };
}

/** Writes each result to a folder of its own, with a page beside it, and gives the folder above them. */
export async function storeResults(folder: string, results: readonly unknown[]): Promise<string> {
  for (const [i, result] of results.entries()) {
    const own = path.join(folder, `night-${i + 1}`);
    await mkdir(own, { recursive: true });
    await writeFile(path.join(own, 'result.json'), JSON.stringify(result));
    await writeFile(path.join(own, 'index.html'), '<!doctype html><title>report</title>');
  }
  return folder;
}
