import { toMicroseconds } from '../../core/time/time.ts';
import type { MainThreadSample } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { type RendererClocks, type RendererMetrics, readClocks, turnOf } from './clocks/clock.ts';

/**
 * A document that began this long before the recording's zero is the blank page that was there before, ms. Where the
 * renderer could not be asked, zero is the first request, which is sent some milliseconds after its document's own zero.
 */
const BEFORE_LOAD_MS = 100;

/** A thread that is busy for this share of the time has no pause in it; readings are some milliseconds off. */
const WITHOUT_PAUSE = 0.95;

/** The main thread's clocks, wall and processor, over all documents of a load. */
export interface MainThreadClock {
  /** Reads the clocks, also in the middle of a task, and keeps the sample. */
  sample(clocks: RendererClocks): Promise<void>;
  /** The same once the main thread is free. Resolves with that moment, when it is known. */
  sampleWhenFree(clocks: RendererClocks): Promise<Ms | undefined>;
  /** Makes this reading the zero: what the document did before is not counted. */
  startFrom(reading: RendererMetrics): void;
  /** Keeps a reading that was made for another reason. */
  keep(reading: RendererMetrics): void;
  samples(): readonly MainThreadSample[];
  /** When the task began, at the earliest, whose end the last reading had to wait for. */
  busySince(asked: Ms): Ms;
  /** Stretches between two readings that the thread was busy for, at least as long as this, ms. */
  busyStretches(longerThan: Ms): readonly BusyStretch[];
}

/** When the main thread was busy without a pause, ms. */
interface BusyStretch {
  readonly from: Ms;
  readonly to: Ms;
}

/** A clock whose samples are dated by `at`, which returns undefined as long as the recording's zero is not known. */
export function createMainThreadClock(at: (browserSeconds: number) => Ms | undefined): MainThreadClock {
  const samples: MainThreadSample[] = [];
  /** Task time of documents that were replaced, and of the present one up to the last reading, seconds. */
  let earlier = 0;
  /** The same by the processor's clock; undefined from where on it is not known. */
  let earlierUsed: number | undefined = 0;
  let last: RendererMetrics | undefined;
  let isContinued = false;
  /** Readings from before zero was known. */
  let early: RendererMetrics[] = [];
  const place = (reading: RendererMetrics): void => {
    const when = at(reading.timestamp);
    const began = at(reading.navigationStart);
    if (when === undefined || began === undefined || (began < -BEFORE_LOAD_MS && !isContinued)) return;
    // The counter belongs to a document: its successor counts from zero, also in the same process.
    if (last && last.navigationStart !== reading.navigationStart) {
      earlier += last.taskDuration;
      earlierUsed = sumOf(earlierUsed, last.processorTime);
    }
    last = reading;
    const used = sumOf(earlierUsed, reading.processorTime);
    samples.push({
      at: isContinued ? Math.max(0, when) : when,
      taskTime: toMicroseconds((earlier + reading.taskDuration) * 1000),
      ...(used !== undefined && { cpuTime: toMicroseconds(used * 1000) }),
    });
  };
  const keep = (reading: RendererMetrics): void => {
    early.push(reading);
    if (at(reading.timestamp) === undefined) return;
    const readings = early;
    early = [];
    readings.forEach(place);
  };
  const read = async (reading: Promise<RendererMetrics>): Promise<Ms | undefined> => {
    const done = await withTimeout(reading);
    if (!done) return undefined;
    keep(done);
    return at(done.timestamp);
  };
  return {
    sample: async (clocks) => void (await read(readClocks(clocks))),
    sampleWhenFree: (clocks) => read(turnOf(clocks.page).then(() => readClocks(clocks))),
    startFrom(reading) {
      isContinued = true;
      earlier = -reading.taskDuration;
      earlierUsed = reading.processorTime === undefined ? undefined : -reading.processorTime;
      last = reading;
      samples.push({ at: 0, taskTime: 0, ...(earlierUsed !== undefined && { cpuTime: 0 }) });
    },
    keep,
    samples: () => samples,
    busySince(asked) {
      const last = samples.at(-1);
      const before = samples.findLast(({ at: when }) => when <= asked);
      if (last === undefined || before === undefined) return asked;
      return Math.min(asked, Math.max(before.at, last.at - (last.taskTime - before.taskTime)));
    },
    busyStretches: (longerThan) =>
      samples.flatMap(({ at: to, taskTime }, i): readonly BusyStretch[] => {
        const before = samples[i - 1];
        if (before === undefined) return [];
        const busy = taskTime - before.taskTime;
        return busy >= longerThan && busy >= WITHOUT_PAUSE * (to - before.at) ? [{ from: before.at, to }] : [];
      }),
  };
}

function sumOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
