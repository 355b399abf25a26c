import { readsUserTimings } from '../../../core/metrics/own/index.ts';
import { defined } from '../../../core/text/defined.ts';
import type { Request } from '../../../model/network/timeline.ts';
import type { PageTimings } from '../../../model/recording/recording.ts';
import { keepUserTimings } from '../page-report.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** What the page itself says when watching is over. */
export function createPageReport({ request, recorder, document }: MeasuredLoad): Instrument {
  return {
    ...(readsUserTimings(request.metrics) && { beforeStart: [keepUserTimings] }),
    async read({ answers }) {
      const report = answers ? await recorder.readPage(request.metrics) : undefined;
      if (!report) return {};
      const { timings, paints, shown, rendered, domChanges } = report;
      const page = request.conditions?.network ? delayedByNetwork(timings, document()) : timings;
      return { page, paints, ...defined({ shown, rendered, domChanges }) };
    },
  };
}

/** An emulated network hands the first byte to the page later than the page's own timeline says. */
function delayedByNetwork(timings: PageTimings, document: Request | undefined): PageTimings {
  const headersEnd = document?.timing?.headersEnd;
  if (timings.responseStart === undefined || headersEnd === undefined) return timings;
  return { ...timings, responseStart: Math.max(timings.responseStart, headersEnd) };
}
