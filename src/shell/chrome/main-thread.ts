import type { CDPSession } from 'puppeteer-core';
import { toMicroseconds } from '../../core/time.ts';
import type { MainThreadSample } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import { type RendererMetrics, readRenderer } from './clock.ts';
import { LAST_WORD_MS, within } from './within.ts';

/**
 * A document that began earlier than this before the axis is the blank page that was there before, ms. Where the renderer
 * could not be asked, the axis begins with a request, which is sent some milliseconds after its document's own zero.
 */
const BEFORE_LOAD_MS = 100;

/** The main thread's clock over all documents of a load. */
export interface MainThreadClock {
  /** Reads the clock and keeps the sample; the answer comes when the main thread is free. */
  sample(page: CDPSession): Promise<void>;
  /** Counts from this reading on: what the document did before is not counted. */
  startFrom(reading: RendererMetrics): void;
  /** Keeps a reading that was made for another reason. */
  keep(reading: RendererMetrics): void;
  samples(): readonly MainThreadSample[];
}

/** A clock whose samples are put on the recording's axis by `at`, which is undefined while the axis is not known. */
export function createMainThreadClock(at: (browserSeconds: number) => Ms | undefined): MainThreadClock {
  const samples: MainThreadSample[] = [];
  /** Task time of documents that were replaced, and of the present one up to the last reading, seconds. */
  let earlier = 0;
  let last: RendererMetrics | undefined;
  /** Readings from before the axis was known: from far away what tells where it begins comes late. */
  let early: RendererMetrics[] = [];
  const keep = (reading: RendererMetrics): void => {
    if (at(reading.timestamp) === undefined) {
      early.push(reading);
      return;
    }
    const readings = [...early, reading];
    early = [];
    readings.forEach(place);
  };
  const place = (reading: RendererMetrics): void => {
    const when = at(reading.timestamp);
    const began = at(reading.navigationStart);
    if (when === undefined || began === undefined || began < -BEFORE_LOAD_MS) return;
    // The counter belongs to a document: its successor, also in the same process, counts from zero.
    if (last && last.navigationStart !== reading.navigationStart) earlier += last.taskDuration;
    last = reading;
    samples.push({ at: when, taskTime: toMicroseconds((earlier + reading.taskDuration) * 1000) });
  };
  return {
    async sample(page) {
      const reading = await within(LAST_WORD_MS, readRenderer(page));
      if (reading) keep(reading);
    },
    startFrom(reading) {
      earlier = -reading.taskDuration;
      last = reading;
      samples.push({ at: 0, taskTime: 0 });
    },
    keep,
    samples: () => samples,
  };
}
