import { performance } from 'node:perf_hooks';
import type { Ms } from '../../model/units.ts';

/**
 * Rounds of the fixed work: 16 ms on an AMD EPYC with two virtual processors. One round takes 0.65 ms, which is shorter than
 * a scheduler's time slice: so the share that is lost to other tasks depends little on when a round begins.
 */
const ROUNDS = 25;
const STEPS_A_ROUND = 400_000;
/** Rounds before the measurement: they wake up the processor and fill its caches. */
const ROUNDS_BEFORE = 5;
/** Rounds before the first measurement: by then V8 has compiled the loop in all its tiers. */
const ROUNDS_TO_WARM = 60;
const TABLE_SIZE = 1024;

const table = new Float64Array(TABLE_SIZE);
let warm = false;

/**
 * How long a fixed piece of CPU work takes on one core now, ms, about 20. It takes longer when the processor has a lower
 * clock, is shared with other tasks, or is stolen by a hypervisor. Run before each load it is the control of a comparison.
 *
 * The result is the total of all rounds, because only it shows time that other tasks took. Measured on two processors, 100
 * times each: beside two endless loops the total rose from 21–25 to 54 ms, while the median round did not rise and the
 * fastest stayed at 0.65 ms. Beside one loop the total only rose to 28 ms: one processor was free.
 */
export function microBenchmark(): Ms {
  for (let i = warm ? ROUNDS_TO_WARM : 0; i < ROUNDS_TO_WARM; i += 1) round();
  warm = true;
  for (let i = 0; i < ROUNDS_BEFORE; i += 1) round();
  const start = performance.now();
  for (let i = 0; i < ROUNDS; i += 1) round();
  return performance.now() - start;
}

/** Integers, floating point, and memory of the first cache. Because of the table no compiler can remove the work. */
function round(): void {
  let hash = 0x811c9dc5;
  let sum = 1.0001;
  for (let i = 0; i < STEPS_A_ROUND; i += 1) {
    // FNV-1a: each step depends on the one before, so that no processor can do several at once.
    hash = Math.imul(hash ^ (i & 255), 16777619);
    sum = sum * 1.0000001 + (hash >>> 0) * 1e-12;
    table[hash & (TABLE_SIZE - 1)] = sum;
  }
}
