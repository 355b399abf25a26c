import { defined } from '../../../core/text/defined.ts';
import { readTraced } from '../../trace/causes.ts';
import { startTrace, type Trace } from '../../trace/trace.ts';
import { type Instrument, type MeasuredLoad, traceZero } from './instrument.ts';

/** A trace, and the causes of requests and of frames that it tells of. */
export function createTrace({ request, clock }: MeasuredLoad): Instrument | undefined {
  if (!request.trace) return undefined;
  let trace: Trace | undefined;
  let frameId = '';
  return {
    // The browser's processes take half a second to hand over what they have traced.
    isSlow: true,
    async start({ page, targetId }) {
      frameId = targetId;
      trace = await startTrace(page);
    },
    async read({ answers, ended }) {
      const traced = answers && ended && trace ? await readTraced(trace) : undefined;
      if (!traced) return {};
      const zero = traceZero(clock);
      const { events, causes, causedFrames } = traced;
      return { trace: { events, frameId, zero }, ...defined({ causes, causedFrames: causedFrames?.(frameId, zero) }) };
    },
    stop: async () => trace?.stop(),
  };
}
