import type { LoadTick } from '../../model/network/load.ts';
import type { Ms } from '../../model/units.ts';
import type { Histogram } from './histogram.ts';

/** Length of a slice of time in which answers are counted. */
export const SLICE: Ms = 50;

/** What a driver told of one slice. */
export interface Slice {
  readonly good: number;
  readonly goodTime: Ms;
  readonly answered: number;
  readonly answeredTime: Ms;
  readonly counts: Histogram;
  /** Good answers by when they were worked on. */
  readonly worked: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** A driver's process at the end of a slice. */
interface WorkerReading {
  readonly at: Ms;
  readonly cpu: Ms;
  readonly waiting?: Ms;
  readonly delay?: Ms;
  readonly sockets: number;
}

/** Everything that drivers told of one pass of a level. */
export class LoadRecord {
  readonly #slices: Counting[] = [];
  readonly #workers = new Map<number, WorkerReading[]>();

  /** Adds what one process told. */
  add(tick: LoadTick): void {
    const slice = this.#at(Math.max(0, Math.ceil(tick.at / SLICE) - 1));
    slice.good += tick.good;
    slice.goodTime += tick.goodTime;
    slice.answered += tick.answered;
    slice.answeredTime += tick.answeredTime;
    for (const [bucket, count] of tick.counts) slice.counts.set(bucket, (slice.counts.get(bucket) ?? 0) + count);
    for (const [kind, count] of Object.entries(tick.errors)) slice.errors[kind] = (slice.errors[kind] ?? 0) + count;
    for (const [index, amount] of tick.spread) if (index >= 0) this.#at(index).worked += amount;
    const readings = this.#workers.get(tick.worker) ?? [];
    const { at, cpu, waiting, delay, sockets } = tick;
    readings.push({
      at,
      cpu,
      sockets,
      waiting,
      delay,
    });
    this.#workers.set(tick.worker, readings);
  }

  get slices(): readonly Slice[] {
    return this.#slices;
  }

  /** Up to when all processes have told. */
  get until(): Ms {
    const ends = [...this.#workers.values()].map((readings) => readings.at(-1)?.at ?? 0);
    return ends.length === 0 ? 0 : Math.min(...ends);
  }

  /** Readings of each process. */
  get workers(): readonly (readonly WorkerReading[])[] {
    return [...this.#workers.values()];
  }

  #at(index: number): Counting {
    for (let i = this.#slices.length; i < index; i += 1) this.#slices.push(emptySlice());
    const slice = this.#slices[index] ?? emptySlice();
    this.#slices[index] = slice;
    return slice;
  }
}

/** A slice that is being counted. */
type Counting = { -readonly [Key in keyof Slice]: Slice[Key] } & {
  counts: Map<number, number>;
  errors: Record<string, number>;
};

function emptySlice(): Counting {
  return { good: 0, goodTime: 0, answered: 0, answeredTime: 0, counts: new Map(), worked: 0, errors: {} };
}
