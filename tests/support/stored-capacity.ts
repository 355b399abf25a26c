import { judgeCapacity } from '../../src/core/capacity/judge.ts';
import type { CapacityResult } from '../../src/model/capacity.ts';
import type { Source } from '../../src/model/result/result.ts';
import { capacitySentence, findingsInWords } from '../../src/wording/capacity.ts';
import { type Law, levelsOf } from '../core/capacity/simulated.ts';

const LEVELS = [1, 2, 4, 8, 16, 23, 27, 32, 38, 45, 64, 128];
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1, 3, 15);

/** What is said of a server with this law. */
export function capacityFigures(law: Law, levels: readonly number[] = LEVELS) {
  const judged = judgeCapacity(levelsOf(law, levels), { load: 'closed', seed: 1, shared: true, watched: false });
  return { ...judged, findings: findingsInWords(judged.findings) };
}

/** The capacity of a server as a night would store it. */
export function storedCapacity(law: Law, night = 0, over: Partial<CapacityResult> & { readonly source?: Source } = {}) {
  const figures = capacityFigures(law);
  return {
    version: 1,
    kind: 'capacity',
    tool: { name: 'quiesce', version: '0.0.0' },
    browser: { product: 'none' },
    startedAt: new Date(FIRST + night * DAY_MS).toISOString(),
    settings: { targets: ['http://localhost:3000/'] },
    sentence: capacitySentence(figures),
    exit: 0,
    url: 'http://localhost:3000/',
    load: 'closed',
    engine: 'autocannon 9.0.0',
    shared: true,
    ...figures,
    ended: { code: 'flat', concurrency: 128 },
    ...over,
  } satisfies CapacityResult;
}
