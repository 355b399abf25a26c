import { KINDS } from '../../model/background/kinds.ts';
import type { Verdict } from '../../model/background/verdict.ts';
import type { Request } from '../../model/network/timeline.ts';

/**
 * Adds, in place, the verdicts on what has no behaviour of its own and shares the fate of a background request: the hops
 * of its redirects, what a frame loads that is itself loaded again and again, and preflights. Requests in order of start.
 *
 * @param isKept does the user want this request to count, whatever it belongs to?
 */
export function follow(
  requests: readonly Request[],
  verdicts: Map<string, Verdict>,
  isKept: (request: Request) => boolean,
): void {
  followRedirects(requests, verdicts, isKept);
  for (const [request, { kind, confidence }] of loadedByFrames(requests, verdicts)) {
    if (verdicts.has(request.id) || isKept(request)) continue;
    const reason = { code: 'in-repeated-frame' } as const;
    verdicts.set(request.id, { requestId: request.id, kind, reason, confidence });
  }
  for (const request of requests) {
    const parent = request.initiator?.requestId;
    if (request.type !== 'preflight' || parent === undefined || !verdicts.has(parent)) continue;
    const reason = { code: 'preflight' } as const;
    verdicts.set(request.id, { requestId: request.id, kind: 'browser-internal', reason, confidence: 'certain' });
  }
}

/**
 * The requests, by the hop's id, whose verdicts say nothing that those of others do not say already. Of the hops of a
 * redirect one stands for all: the first of what is asked again, the last of everything else.
 */
export function followersIn(requests: readonly Request[], verdicts: ReadonlyMap<string, Verdict>): ReadonlySet<string> {
  const hops = requests.filter(({ id, hop, outcome }) => {
    const kind = verdicts.get(id)?.kind;
    return kind !== undefined && (KINDS[kind].family === 'series' ? hop > 0 : outcome === 'redirected');
  });
  return new Set([...hops.map(({ id }) => id), ...loadedByFrames(requests, verdicts).map(([{ id }]) => id)]);
}

/** A redirect brings nothing by itself: it is background when what it led to is, and leads where it was asked to. */
function followRedirects(
  requests: readonly Request[],
  verdicts: Map<string, Verdict>,
  isKept: (request: Request) => boolean,
): void {
  const chains = Map.groupBy(
    requests.filter(({ hop, outcome }) => hop > 0 || outcome === 'redirected'),
    ({ requestId }) => requestId,
  );
  for (const chain of chains.values()) {
    const [verdict] = chain.flatMap(({ id }) => verdicts.get(id) ?? []);
    if (!verdict) continue;
    const { kind, confidence } = verdict;
    for (const request of chain) {
      // The document of the page is never background, wherever it was redirected from.
      if (verdicts.has(request.id) || request.mainDocument || isKept(request)) continue;
      const reason = { code: 'redirect' } as const;
      verdicts.set(request.id, { requestId: request.id, kind, reason, confidence });
    }
  }
}

/**
 * What a frame loaded that is background because it is asked for again and again, with the frame's verdict, and what
 * the frames in it loaded. A picture or a style that a document names has no rhythm of its own.
 */
function loadedByFrames(
  requests: readonly Request[],
  verdicts: ReadonlyMap<string, Verdict>,
): readonly (readonly [Request, Verdict])[] {
  const loaded: (readonly [Request, Verdict])[] = [];
  const byLoader = new Map<string, Verdict>();
  // The newest document of each address: the browser does not say in which document an inner frame lies.
  const byUrl = new Map<string, Verdict | undefined>();
  for (const request of requests) {
    const { requestId, loaderId, initiator, type, url } = request;
    if (request.fromPreviousDocument) continue;
    if (type !== 'document') {
      const parent = loaderId === undefined ? undefined : byLoader.get(loaderId);
      if (parent) loaded.push([request, parent]);
      continue;
    }
    const own = verdicts.get(request.id);
    const outer = initiator?.type === 'parser' && initiator.url !== undefined ? byUrl.get(initiator.url) : undefined;
    const fate = own && KINDS[own.kind].family === 'series' ? own : outer;
    if (outer && !request.mainDocument) loaded.push([request, outer]);
    if (fate) byLoader.set(requestId, fate);
    byUrl.set(url, fate);
  }
  return loaded;
}
