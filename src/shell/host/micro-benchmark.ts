import { performance } from 'node:perf_hooks';
import type { Ms } from '../../model/units.ts';

/**
 * Rounds of the fixed work: 16 ms on the machine that this was written on (AMD EPYC, virtual, two processors). One round is 0.65 ms, less than the time that a scheduler
 * gives a task at once: which part of a total is lost to others then depends little on where it begins.
 */
const ROUNDS = 25;
const STEPS_A_ROUND = 400_000;
/** Rounds before the clock is started: the processor is asleep, and its caches hold what was done before. */
const ROUNDS_BEFORE = 5;
/** Rounds before the first use: by then the loop has gone through every stage of V8's compilers. */
const ROUNDS_TO_WARM = 60;
const TABLE_SIZE = 1024;

const table = new Float64Array(TABLE_SIZE);
let warm = false;

/**
 * How long a fixed piece of CPU work takes on one core right now, ms, about 20 in all. Slower when the processor is clocked
 * lower, shared with others, or stolen by a hypervisor: run before each load it is the control of a comparison.
 *
 * The time of all rounds is what is told, because it is what sees the time that was given to others. Measured on two
 * processors, 100 times each, while the machine was not quite idle: beside two endless loops the total went from 21–25 to
 * 54 ms, while the median round did not rise at all and the fastest stayed at 0.65 ms. Beside one loop the total hardly
 * rose, to 28 ms: there was a processor left. The total is the noisier of the three, by the machine's own noise.
 */
export function microBenchmark(): Ms {
  for (let i = warm ? ROUNDS_TO_WARM : 0; i < ROUNDS_TO_WARM; i += 1) round();
  warm = true;
  for (let i = 0; i < ROUNDS_BEFORE; i += 1) round();
  const start = performance.now();
  for (let i = 0; i < ROUNDS; i += 1) round();
  return performance.now() - start;
}

/** Whole numbers, fractions and memory that fits the first cache; the table keeps a compiler from leaving anything out. */
function round(): void {
  let hash = 0x811c9dc5;
  let sum = 1.0001;
  for (let i = 0; i < STEPS_A_ROUND; i += 1) {
    // FNV-1a: each step needs the one before it, so no processor can take several at once.
    hash = Math.imul(hash ^ (i & 255), 16777619);
    sum = sum * 1.0000001 + (hash >>> 0) * 1e-12;
    table[hash & (TABLE_SIZE - 1)] = sum;
  }
}
