import { createCauseReader } from '../../core/causes/events.ts';
import { shownCauses } from '../../core/causes/shown-causes.ts';
import { fields } from '../../core/har-fields.ts';
import type { ShownCause } from '../../model/causes.ts';
import { ASYNC_STEPS } from './trace.ts';

/**
 * What the events of a trace tell of causes, and the events without those that tell nothing else. No causes where the browser
 * does not tell of asynchronous steps.
 */
export function readCauses(events: readonly unknown[]): {
  readonly kept: readonly unknown[];
  readonly causes?: readonly ShownCause[];
} {
  const reader = createCauseReader();
  for (const event of events) reader.add(event);
  const read = reader.end();
  const kept = events.filter((event) => !isAsyncStep(event));
  return read.flows.size === 0 ? { kept } : { kept, causes: shownCauses(read) };
}

function isAsyncStep(event: unknown): boolean {
  const { cat } = fields(event);
  return typeof cat === 'string' && cat.includes(ASYNC_STEPS);
}
