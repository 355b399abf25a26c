import { causedFrames } from '../../core/causes/caused-frames.ts';
import { createChains } from '../../core/causes/chains.ts';
import { createCauseReader } from '../../core/causes/events.ts';
import { shownCauses } from '../../core/causes/shown-causes.ts';
import { fields } from '../../core/requests/har-fields.ts';
import type { CausedFrame, ShownCause } from '../../model/completion/causes.ts';
import { ASYNC_STEPS, INVALIDATIONS, type Trace } from './trace.ts';

/** What a trace tells of causes; nothing where the browser does not tell of asynchronous steps. */
interface TracedCauses {
  readonly causes?: readonly ShownCause[];
  /**
   * @param page its outermost frame
   * @param zero the recording's zero, microseconds of the trace's clock
   */
  causedFrames?(page: string, zero: number): readonly CausedFrame[];
}

/**
 * Ends a trace: what its events tell of causes, and the events without those that tell nothing else. Undefined when the events
 * did not come.
 */
export async function readTraced(
  trace: Trace,
): Promise<(TracedCauses & { readonly events: readonly unknown[] }) | undefined> {
  const reader = createCauseReader();
  const events: unknown[] = [];
  const isWhole = await trace.end((event) => {
    reader.add(event);
    if (!isOnlyForCauses(event)) events.push(event);
  });
  if (!isWhole) return undefined;
  const read = reader.end();
  if (read.flows.size === 0) return { events };
  const chains = createChains(read);
  return {
    events,
    causes: shownCauses(read, chains),
    causedFrames: (page, zero) => causedFrames(read, chains, page, (traced) => (traced - zero) / 1000),
  };
}

function isOnlyForCauses(event: unknown): boolean {
  const { cat } = fields(event);
  return typeof cat === 'string' && (cat.includes(ASYNC_STEPS) || cat === INVALIDATIONS);
}
