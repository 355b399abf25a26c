import type { Policy } from '../../model/background/verdict.ts';
import type { PageComplete } from '../../model/completion/completion.ts';
import type { OwnMetric, RunMetrics } from '../../model/metrics/metrics.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Ms } from '../../model/units.ts';
import { visitOf } from '../measure.ts';
import { metrics, NOT_IN_A_HAR } from '../metrics/index.ts';
import { LONGEST_MS, MOST_BYTES } from '../requests/har-fields.ts';
import type { HarRecording } from './har.ts';
import { recordingOfHar } from './har-recording.ts';

/** Folds and judges a page of a HAR. A file that does not hold the load, or holds what cannot be, is not confirmed. */
export function visitOfHar(read: HarRecording, policy: Policy): Visit {
  const visit = visitOf(recordingOfHar(read), policy);
  const { missingLoad, impossible } = read;
  if (missingLoad === undefined && impossible === 0) return visit;
  // Without its document a load may still be there, up to its load event; what was recorded long after it is no load.
  const { requests, marks } = visit.timeline;
  const isThere =
    missingLoad === undefined ||
    (missingLoad.firstRequestAt === undefined &&
      missingLoad.firedAt === undefined &&
      requests.length > 0 &&
      marks.some(({ name }) => name === 'load'));
  const at = isThere ? possibleMoment(visit.complete) : undefined;
  const unknown = { state: 'unconfirmed', waitingFor: [{ code: 'whole-recording' }] } as const;
  return { ...visit, complete: { ...unknown, ...(at !== undefined && { at }) }, raw: unknown };
}

function possibleMoment(answer: PageComplete): Ms | undefined {
  return 'at' in answer && answer.at !== undefined && isPossible('ms', answer.at) ? answer.at : undefined;
}

/** The figures that a HAR can have: no measures of what it does not hold, and none outside of what can be. */
export function figuresOfHar(values: RunMetrics, own: readonly OwnMetric[] = []): RunMetrics {
  const units = new Map([...metrics, ...own].map(({ name, unit }) => [name, unit]));
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && !NOT_IN_A_HAR.has(name) && isPossible(units.get(name), value),
    ),
  );
}

function isPossible(unit: string | undefined, value: number): boolean {
  // What users count may well be below zero.
  if (unit === 'count' || unit === 'score') return Math.abs(value) <= MOST_BYTES;
  return value >= 0 && value <= (unit === 'bytes' ? MOST_BYTES : LONGEST_MS);
}
