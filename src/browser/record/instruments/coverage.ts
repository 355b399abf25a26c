import { defined } from '../../../core/text/defined.ts';
import { watchCoverage } from '../../trace/coverage.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** Which parts of scripts and style sheets were used. */
export function createCoverage({ request, clock }: MeasuredLoad): Instrument | undefined {
  if (!request.trace) return undefined;
  const watch = watchCoverage(() => clock.now());
  return {
    beforeStart: [watch.beforeStart],
    quiet: () => watch.quiet(),
    busyAgain: () => watch.busyAgain(),
    read: async ({ answers, ended }) => (answers && ended ? defined({ coverage: await watch.end() }) : {}),
    stop: () => watch.stop(),
  };
}
