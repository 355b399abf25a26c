import { createCoverage } from './coverage.ts';
import { createDomChanges } from './dom-changes.ts';
import type { Filming } from './film.ts';
import type { Instrument, MeasuredLoad, Reading, ReadingMoment } from './instrument.ts';
import { createLastPicture } from './last-picture.ts';
import { createOutline } from './outline.ts';
import { createPageReport } from './page-report.ts';
import { createProfile } from './profile.ts';
import { createTrace } from './trace.ts';
import { createWorkers } from './workers.ts';

/** In the order in which they are started and read; a function gives undefined where the request does not ask for it. */
const INSTRUMENTS: readonly ((load: MeasuredLoad) => Instrument | undefined)[] = [
  createWorkers,
  createTrace,
  createLastPicture,
  createDomChanges,
  createOutline,
  createPageReport,
  createCoverage,
  createProfile,
];

/** All instruments of a load as one. */
export type Instruments = Required<Omit<Instrument, 'isSlow'>>;

/** @param film is started first and read last: its frames come late */
export function createInstruments(load: MeasuredLoad, film: Filming): Instruments {
  const others = INSTRUMENTS.flatMap((create) => create(load) ?? []);
  const all: readonly Instrument[] = [film, ...others];

  return {
    beforeStart: all.flatMap(({ beforeStart = [] }) => beforeStart),
    async start(targets) {
      for (const each of all) await each.start?.(targets);
    },
    quiet() {
      for (const each of all) each.quiet?.();
    },
    busyAgain() {
      for (const each of all) each.busyAgain?.();
    },
    async read(moment: ReadingMoment): Promise<Reading> {
      const slow = Promise.all(others.filter(({ isSlow }) => isSlow).map((each) => each.read?.(moment)));
      const readings: (Reading | undefined)[] = [];
      for (const each of [...others, film]) if (!each.isSlow) readings.push(await each.read?.(moment));
      return Object.assign({}, ...readings, ...(await slow));
    },
    async stop() {
      await Promise.all(all.map((each) => each.stop?.()));
    },
  };
}
