import type { Visit } from '../../model/network/visit.ts';
import type { Breakdown } from '../../model/result/result.ts';
import { toMicroseconds } from '../time/time.ts';
import { busySpans } from '../timeline/inflight.ts';

/**
 * Where page-complete went, as wall time. The four parts sum to it:
 *
 * ```
 * 0 ------------ document's last byte --------------------------------------- page complete
 * |   basePage   | components: a foreground request is in flight              |
 * |              | parse: none is, and DOMContentLoaded has not ended         |
 * |              | render: none is, and it has                                |
 * ```
 *
 * Undefined when page-complete is not known.
 */
export function breakdownOf({ timeline, verdicts, complete }: Visit): Breakdown | undefined {
  if (complete.state !== 'complete') return undefined;
  const end = complete.at;
  const document = timeline.requests.findLast((request) => request.mainDocument && !request.fromPreviousDocument);
  const basePage = Math.min(document?.endedAt ?? 0, end);
  const parsedAt = timeline.marks.findLast((mark) => mark.name === 'dom-content-loaded')?.at ?? basePage;
  const needed = timeline.requests.filter((request) => request !== document && !verdicts.has(request.id));
  const spans = busySpans(needed, basePage, end);
  const components = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const parseEnd = Math.min(Math.max(parsedAt, basePage), end);
  const busyWhileParsing = spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.to, parseEnd) - span.from), 0);
  const parts = {
    basePage: toMicroseconds(basePage),
    parse: toMicroseconds(parseEnd - basePage - busyWhileParsing),
    components: toMicroseconds(components),
  };
  return { ...parts, render: toMicroseconds(end - parts.basePage - parts.parse - parts.components) };
}
