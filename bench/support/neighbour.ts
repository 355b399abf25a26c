/**
 * Work beside a measurement: takes one processor in bursts, as the build of somebody else on a shared machine does. Started
 * with a seed, it goes on until its parent lets go of it.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { randomFor } from '../statistics/random.ts';

/** Bursts and the time between them, ms, each evenly from least to most. */
const BURST = [300, 3_000] as const;
const PAUSE = [300, 4_000] as const;

process.once('disconnect', () => process.exit());
const random = randomFor(Number(process.argv[2] ?? 1));
const between = ([least, most]: readonly [number, number]): number => least + (most - least) * random.uniform();
for (;;) {
  const until = performance.now() + between(BURST);
  for (let work = 0; performance.now() < until; ) for (let i = 0; i < 1e5; i += 1) work = (work * 31 + i) | 0;
  await wait(between(PAUSE));
}
