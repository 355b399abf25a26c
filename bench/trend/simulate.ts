import { readSeries, type SeriesPoint } from '../../src/core/trend/changes.ts';
import { type Random, randomFor } from '../statistics/random.ts';

/** A way in which nights differ from each other. */
export interface World {
  readonly name: string;
  readonly describe: string;
  /** What a night adds for all of its runs, as a logarithm. */
  begin(random: Random): () => number;
}

/** Runs a night, and what one of them varies by. */
const RUNS = 5;
const SPREAD = 0.05;
/** One run in so many is half as slow again. */
const OUTLIERS = 0.04;
/** What a page takes, ms. */
const TYPICAL_MS = 1500;
/** The night from which on a step is there. */
const STEP_AT = 30;

/** The kinds of noise. */
export const worlds: readonly World[] = [
  { name: 'nights 3 %', describe: 'every night its own 3 %', begin: (random) => () => 0.03 * random.normal() },
  { name: 'calm nights', describe: 'every night its own 0.5 %', begin: (random) => () => 0.005 * random.normal() },
  {
    name: 'two machines',
    describe: 'three nights in ten on a machine that is 8 % slower, 2 % besides',
    begin: (random) => () => 0.02 * random.normal() + (random.uniform() < 0.3 ? 0.08 : 0),
  },
  {
    name: 'bad nights',
    describe: '3 %, and one night in twenty 20 to 100 % slower',
    begin: (random) => () =>
      0.03 * random.normal() + (random.uniform() < 0.05 ? Math.log(1.2 + 0.8 * random.uniform()) : 0),
  },
  {
    name: 'nights like the one before',
    describe: '3 %, each like the one before it (0.5)',
    begin: (random) => {
      let state = 0;
      return () => {
        state = 0.5 * state + Math.sqrt(0.75) * 0.03 * random.normal();
        return state;
      };
    },
  },
];

/** A history to be read: from night `STEP_AT` on the page is slower by `step`, a share. */
export interface Task {
  readonly world: World;
  readonly step: number;
  readonly nights: number;
  readonly histories: number;
  readonly seed: number;
}

/** What came out. */
export interface Outcome {
  /** Share of histories in which anything was marked besides the step. */
  readonly marked: number;
  /** Share of histories in which the step was marked within three nights of where it is. */
  readonly found: number;
  /** Results of the new level until it was marked: the median over histories; undefined when half never were. */
  readonly delay?: number;
}

/** One history. */
export function historyOf({ world, step, nights, seed }: Task, index: number): readonly SeriesPoint[] {
  const random = randomFor(seed, index);
  const night = world.begin(random);
  return Array.from({ length: nights }, (_, i) => {
    const shared = Math.log(TYPICAL_MS) + night() + (i >= STEP_AT ? Math.log1p(step) : 0);
    const runs = Array.from(
      { length: RUNS },
      () => shared + SPREAD * random.normal() + (random.uniform() < OUTLIERS ? Math.log(1.5) : 0),
    );
    const value = middle(runs);
    const spread = 1.4826 * middle(runs.map((run) => Math.abs(run - value)));
    return { value, error: (spread * Math.sqrt(Math.PI / 2)) / Math.sqrt(RUNS) };
  });
}

/** Reads many histories as a trend does. */
export function simulateHistories(task: Task): Outcome {
  const settings = { limitAt: () => Math.log(1.05), alpha: 0.025 };
  let marked = 0;
  const delays: number[] = [];
  for (let index = 0; index < task.histories; index += 1) {
    const points = historyOf(task, index);
    const { changes } = readSeries(points, settings);
    const hit = task.step === 0 ? undefined : changes.find(({ from }) => Math.abs(from - STEP_AT) <= 3);
    if (changes.some((change) => change !== hit)) marked += 1;
    if (hit === undefined) continue;
    // Nothing is marked because of what came later: the first prefix that has the mark tells when it was found. It may
    // have moved since.
    let nights = hit.from + 1;
    const isIt = ({ from }: { readonly from: number }): boolean => Math.abs(from - hit.from) <= 4;
    while (!readSeries(points.slice(0, nights), settings).changes.some(isIt)) nights += 1;
    delays.push(nights - STEP_AT);
  }
  const sorted = [...delays, ...Array<number>(task.histories - delays.length).fill(Number.POSITIVE_INFINITY)].sort(
    (a, b) => a - b,
  );
  const delay = middle(sorted);
  return {
    marked: marked / task.histories,
    found: delays.length / task.histories,
    ...(Number.isFinite(delay) && { delay }),
  };
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
