import { createCauseReader } from '../../core/causes/events.ts';
import { shownCauses } from '../../core/causes/shown-causes.ts';
import { fields } from '../../core/requests/har-fields.ts';
import type { ShownCause } from '../../model/completion/causes.ts';
import { ASYNC_STEPS, type Trace } from './trace.ts';

/**
 * Ends a trace: what its events tell of causes, and the events without those that tell nothing else. No causes where the
 * browser does not tell of asynchronous steps; undefined when the events did not come.
 */
export async function readTraced(
  trace: Trace,
): Promise<{ readonly events: readonly unknown[]; readonly causes?: readonly ShownCause[] } | undefined> {
  const reader = createCauseReader();
  const events: unknown[] = [];
  const isWhole = await trace.end((event) => {
    reader.add(event);
    if (!isAsyncStep(event)) events.push(event);
  });
  if (!isWhole) return undefined;
  const read = reader.end();
  return read.flows.size === 0 ? { events } : { events, causes: shownCauses(read) };
}

function isAsyncStep(event: unknown): boolean {
  const { cat } = fields(event);
  return typeof cat === 'string' && cat.includes(ASYNC_STEPS);
}
