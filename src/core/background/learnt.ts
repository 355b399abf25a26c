import type { Request, Timeline } from '../../model/timeline.ts';
import type { BackgroundKind, Learnt, Span, Verdict } from '../../model/verdict.ts';
import { asks } from './series.ts';
import { partsOf } from './stream-parts.ts';

/** Kinds of which one request is many parts. */
export const STREAMS: ReadonlySet<BackgroundKind> = new Set(['websocket', 'webtransport', 'sse', 'http-stream']);
/** Kinds that are one question asked many times: a part is a request, and the first answer is content. */
export const SERIES: ReadonlySet<BackgroundKind> = new Set(['poll', 'long-poll', 'reconnect']);

/**
 * Applies what other runs have taught to the verdicts of this one, in place: an endpoint is background everywhere or
 * nowhere, whatever part of its behaviour this run happened to see.
 */
export function applyLearnt(
  timeline: Timeline,
  learnt: readonly Learnt[],
  verdicts: Map<string, Verdict>,
  overrule: (id: string, by: string) => void,
): void {
  for (const lesson of learnt) {
    const requests = timeline.requests.filter((request) => isMeant(request, lesson));
    requests.forEach((request, i) => {
      const own = verdicts.get(request.id);
      if (lesson.kind === undefined) {
        overrule(request.id, lesson.because);
        return;
      }
      if (isContent(i, lesson, own)) {
        verdicts.delete(request.id);
        return;
      }
      verdicts.set(request.id, {
        requestId: request.id,
        kind: lesson.kind,
        because: own?.kind === lesson.kind ? own.because : lesson.because,
        confidence: lesson.confidence,
        ...countedPart(request, i, lesson, own),
      });
    });
  }
}

/** What was learnt of an endpoint holds for its requests, not for what the page's markup or its redirects made of it. */
function isMeant(request: Request, lesson: Learnt): boolean {
  return !request.fromPreviousDocument && !request.mainDocument && asks(request, lesson);
}

/** Is the i-th request of a series content altogether? */
function isContent(i: number, { kind, contentParts }: Learnt, own: Verdict | undefined): boolean {
  if (kind === undefined || !SERIES.has(kind)) return false;
  // Where nobody could tell, the first answer is content, as everywhere; the detector may have seen that it was not.
  return contentParts === undefined ? i === 0 && own === undefined : i < contentParts;
}

function countedPart(
  request: Request,
  i: number,
  { kind, contentParts }: Learnt,
  own: Verdict | undefined,
): { readonly counts?: Span } {
  if (kind === undefined || !STREAMS.has(kind) || i > 0) return {};
  if (contentParts === undefined) return own?.counts === undefined ? {} : { counts: own.counts };
  if (contentParts === 0) return {};
  const to = partsOf(request)[contentParts - 1] ?? request.endedAt;
  return { counts: { from: request.startedAt, ...(to !== undefined && { to }) } };
}
