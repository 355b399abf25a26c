import type { AskedByFile, RequestTiming } from '../../model/compare/why.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { isBlocking } from '../rendering/blocking.ts';
import { answeredAt, type Initiators, initiatorsOf } from '../requests/initiators.ts';
import { queuesOf } from '../requests/starvation.ts';
import { toMicroseconds } from '../time/time.ts';

/** Reads when each request was sent and answered, and who asked for it; undefined of one that was not answered. */
export function requestTimings(timeline: Timeline): (request: Request) => RequestTiming | undefined {
  const initiators = initiatorsOf(timeline);
  const parsedAt = timeline.marks.find(({ name }) => name === 'dom-content-loaded')?.at ?? Number.POSITIVE_INFINITY;
  const scripts = timeline.requests.flatMap(({ type, endedAt }) => (type === 'script' ? (endedAt ?? []) : []));
  const scriptsFrom = Math.min(...scripts);
  const queueOf = queuesOf(timeline);
  return (request) => {
    const { startedAt, endedAt, contentSize, timing } = request;
    const answered = answeredAt(request);
    if (endedAt === undefined || !Number.isFinite(answered)) return undefined;
    const sent = timing?.sendStart ?? queueOf(request)?.to ?? startedAt;
    return {
      startedAt: toMicroseconds(startedAt),
      endedAt: toMicroseconds(endedAt),
      wait: toMicroseconds(Math.max(0, answered - sent)),
      receive: toMicroseconds(Math.max(0, endedAt - answered)),
      contentSize,
      askedBy: askedByOf(request, initiators, { parsedAt, scriptsFrom }),
      ...(isBlocking(request, initiators) && { blocking: true as const }),
    };
  };
}

/**
 * Who asked, where the browser tells. Of an image that a script put into the page it may name the document: what that holds
 * itself is found before the first script has come. The evidence run knows more (core/why/traced-askers.ts).
 */
function askedByOf(
  request: Request,
  initiators: Initiators,
  { parsedAt, scriptsFrom }: { readonly parsedAt: Ms; readonly scriptsFrom: Ms },
): AskedByFile | undefined {
  const { initiator, startedAt, type } = request;
  const by = initiators(request)?.request;
  if (by === undefined) return undefined;
  if (initiator?.type === 'script') {
    const frame = initiator.stack?.find(({ url }) => url !== '');
    const { url = by.url, line, column, functionName } = frame ?? {};
    return { kind: 'script', url, line, column, name: functionName === '' ? undefined : functionName };
  }
  if (initiator?.type !== 'parser' && initiator?.type !== 'preload') return undefined;
  // Of a parsed document nothing is found.
  if (by.type === 'document' && startedAt > (type === 'image' ? Math.min(parsedAt, scriptsFrom) : parsedAt))
    return undefined;
  return { kind: 'markup', url: by.url, line: initiator.line };
}
