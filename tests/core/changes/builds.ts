import type { BackgroundEndpoint, RunResult, TargetResult } from '../../../src/model/result/result.ts';

export const BASE = 'http://127.0.0.1:4000';
export const CANDIDATE = 'http://127.0.0.1:5000';

/** A timed run that was painted and complete. */
export function run(parts: Partial<RunResult> = {}): RunResult {
  return {
    index: 1,
    role: 'timed',
    ok: true,
    metrics: { firstContentfulPaint: 300 },
    pageComplete: { state: 'complete', at: 900, observedUntil: 4_000, raw: { state: 'complete' }, waitingFor: [] },
    ...parts,
  };
}

/** A run whose load failed twice. */
export function failed(code: string, status?: number): RunResult {
  const failure = { code, message: code, ...(status !== undefined && { status }) };
  return { index: 1, role: 'timed', ok: false, attempts: 2, failure };
}

/** A build at an origin, of two good runs unless said otherwise; its background was in both. */
export function build(origin: string, parts: Partial<TargetResult> = {}): TargetResult {
  const { background = [] } = parts;
  return {
    target: origin,
    url: `${origin}/`,
    finalUrl: `${origin}/`,
    title: 'Shop',
    runs: [run({ background }), run({ background })],
    summary: {},
    background,
    ...parts,
  };
}

/** A poll, unless said otherwise. */
export function endpoint(label: string, parts: Partial<BackgroundEndpoint> = {}): BackgroundEndpoint {
  return {
    kind: 'poll',
    endpoint: label,
    urls: [],
    requests: 4,
    firstStartedAt: 100,
    lastActivityAt: 3_000,
    stillOpen: false,
    because: 'asked every second',
    confidence: 'certain',
    excluded: true,
    visualImpact: 'none',
    ...parts,
  };
}
