import type { CallSite } from '../../model/background/reason.ts';
import type { Initiator } from '../../model/network/network.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { withoutHash, withoutQueryAndHash } from './address-parts.ts';

/**
 * How a request is known to have come from another one: `redirect` – the hop before it · `preflight` – it asks leave
 * for that one · `named` – the browser names who asked · `parser` – found in the document it stands in ·
 * `replaced` – a document that replaced the one before.
 */
type Origin = 'redirect' | 'preflight' | 'named' | 'parser' | 'replaced';

/** The request whose answer asked for another one, or led there. */
export interface AskedBy {
  readonly request: Request;
  readonly origin: Origin;
}

/** Who asked for a request, as far as the recording tells; never the request itself. */
export type Initiators = (request: Request) => AskedBy | undefined;

/** An index of who asked for what in a timeline. Nothing is guessed here: what is not reported is undefined. */
export function initiatorsOf({ requests }: Timeline): Initiators {
  const byUrl = new Map<string, Request[]>();
  const hops = new Map<string, Request[]>();
  const documents: Request[] = [];
  for (const request of requests) {
    push(byUrl, withoutHash(request.url), request);
    push(hops, request.requestId, request);
    if (request.type === 'document') documents.push(request);
  }

  const hopOf = (requestId: string, hop: number): Request | undefined =>
    hops.get(requestId)?.find((each) => each.hop === hop);

  /** The request for an address whose answer can have asked for `asked`: the latest that had begun to arrive. */
  const named = (url: string, asked: Request): Request | undefined => {
    let arrived: Request | undefined;
    let begun: Request | undefined;
    const all = byUrl.get(withoutHash(url)) ?? [];
    // From the end, since the first that fits is the answer: a page may have asked ten thousand times.
    for (let index = all.length - 1; index >= 0; index -= 1) {
      const each = all[index];
      if (each === undefined || each.startedAt > asked.startedAt || !canAsk(each, asked)) continue;
      begun ??= each;
      if (arrivalOf(each) > asked.startedAt) continue;
      arrived ??= each;
      if (each.frameId !== asked.frameId) continue;
      arrived = each;
      break;
    }
    const found = arrived ?? begun;
    // Who was sent elsewhere asked for nothing: what came in the end did.
    return found?.outcome === 'redirected' ? (hops.get(found.requestId)?.at(-1) ?? found) : found;
  };

  const documentOf = (asked: Request): Request | undefined => {
    const own = asked.loaderId === undefined ? undefined : hops.get(asked.loaderId)?.at(-1);
    if (own && own.requestId !== asked.requestId && own.startedAt <= asked.startedAt) return own;
    return documents.findLast(
      (each) =>
        each.requestId !== asked.requestId &&
        each.startedAt <= asked.startedAt &&
        each.fromPreviousDocument === asked.fromPreviousDocument &&
        (asked.frameId === undefined || asked.type === 'document' ? each.mainDocument : each.frameId === asked.frameId),
    );
  };

  const found = (request: Request | undefined, origin: Origin): AskedBy | undefined => request && { request, origin };

  return (asked) => {
    if (asked.hop > 0) {
      const before = hopOf(asked.requestId, asked.hop - 1);
      if (before) return { request: before, origin: 'redirect' };
    }
    const { initiator } = asked;
    if (asked.type === 'preflight') return found(prepared(asked, hops, byUrl), 'preflight');
    for (const url of initiator ? addressesOf(initiator) : []) {
      const namer = named(url, asked);
      if (namer) return { request: namer, origin: 'named' };
    }
    if (asked.mainDocument) {
      // A refresh in the markup has no initiator, and neither has the first document.
      const before = documents.findLast((each) => each.mainDocument && each.startedAt < asked.startedAt);
      return before && before.requestId !== asked.requestId ? { request: before, origin: 'replaced' } : undefined;
    }
    const byMarkup = initiator?.type === 'parser' || initiator?.type === 'preload';
    return byMarkup ? found(documentOf(asked), 'parser') : undefined;
  };
}

/** What a replaced page has loaded runs no longer; only what replaced it was asked for by it. */
function canAsk(each: Request, asked: Request): boolean {
  if (each.requestId === asked.requestId || each.type === 'preflight') return false;
  return each.fromPreviousDocument === asked.fromPreviousDocument || asked.mainDocument;
}

/** The request for which a preflight asks leave. A HAR names it by its address alone. */
function prepared(
  preflight: Request,
  hops: ReadonlyMap<string, readonly Request[]>,
  byUrl: ReadonlyMap<string, readonly Request[]>,
): Request | undefined {
  const id = preflight.initiator?.requestId;
  const asked = id === undefined ? undefined : hops.get(id);
  const same = asked ?? byUrl.get(withoutHash(preflight.url)) ?? [];
  return same.find(
    (each) =>
      each.type !== 'preflight' &&
      each.requestId !== preflight.requestId &&
      each.url === preflight.url &&
      (each.endedAt ?? Number.POSITIVE_INFINITY) >= preflight.startedAt,
  );
}

/** The first that was seen of an answer, which may name what to load (Early Hints); never, when none came. */
export function arrivalOf(request: Request): Ms {
  return request.timing?.headersStart ?? answeredAt(request);
}

/**
 * When an answer began: its headers had come. An emulated network holds them back until then, whatever the wire says. Never,
 * when none came.
 */
export function answeredAt({ timing, response, chunks, messages }: Request): Ms {
  const head = timing?.headersEnd ?? response?.at;
  return head ?? chunks[0]?.at ?? messages[0]?.at ?? Number.POSITIVE_INFINITY;
}

/** The addresses that the browser names, the nearest first; each once. */
function addressesOf({ url, stack }: Initiator): ReadonlySet<string> {
  return new Set([url ?? '', ...(stack ?? []).map((frame) => frame.url)].filter((each) => each !== ''));
}

function push(map: Map<string, Request[]>, key: string, request: Request): void {
  const known = map.get(key);
  if (known) known.push(request);
  else map.set(key, [request]);
}

/** Timers by the names that Chrome gives to what scheduled a script. */
const TIMERS: ReadonlySet<string> = new Set([
  'setInterval',
  'setTimeout',
  'requestAnimationFrame',
  'requestIdleCallback',
]);

/** Was a request started by a timer, and by which? Known only where asynchronous stacks were recorded. */
export function timerOf(initiator: Initiator | undefined): string | undefined {
  const name = initiator?.scheduledBy;
  return name !== undefined && TIMERS.has(name) ? name : undefined;
}

/** The places in the code that led to a request, as texts to compare, the innermost first; `most` of them, or all. */
export function codePlacesOf({ initiator }: Pick<Request, 'initiator'>, most?: number): readonly string[] {
  return (initiator?.stack ?? []).slice(0, most).map(({ url, line, column }) => `${url}:${line}:${column}`);
}

/** Where in the page a request came from; empty when that is not known. */
export function callSiteOf({ initiator }: Pick<Request, 'initiator'>): { readonly from?: CallSite } {
  const frame = initiator?.stack?.find(({ url }) => url !== '');
  const timer = timerOf(initiator);
  if (frame === undefined && timer === undefined) return {};
  return {
    from: defined({ timer, ...(frame && { file: fileOf(frame.url), line: frame.line }) }),
  };
}

/** The last part of a path; empty for a page. */
function fileOf(url: string): string {
  const path = withoutQueryAndHash(url);
  return path.slice(path.lastIndexOf('/') + 1);
}
