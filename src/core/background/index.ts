import type { Timeline } from '../../model/timeline.ts';
import type { Detector, Policy, Verdict } from '../../model/verdict.ts';
import { beacon } from './beacon.ts';
import { browserInternal } from './browser-internal.ts';
import { hung } from './hung.ts';
import { longPoll } from './long-poll.ts';
import { matchesPattern } from './pattern.ts';
import { poll } from './poll.ts';
import { speculative } from './speculative.ts';
import { sse } from './sse.ts';
import { websocket } from './websocket.ts';
import { webtransport } from './webtransport.ts';

/** All detectors, in the order in which they are asked: the first verdict on a request wins. */
export const detectors: readonly Detector[] = [
  websocket,
  webtransport,
  sse,
  speculative,
  browserInternal,
  beacon,
  longPoll,
  poll,
  hung,
];

/** The policy's part that overrules detectors. */
export type Overrides = Pick<Policy, 'background' | 'foreground'>;

/**
 * The verdict on every request that is background, by the hop's id. The user's patterns have the last word; the
 * document is never background, unless the user says so.
 */
export function classify(timeline: Timeline, overrides: Overrides): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const byId = new Map(timeline.requests.map((request) => [request.id, request]));
  for (const detector of detectors) {
    for (const verdict of detector.detect(timeline)) {
      const request = byId.get(verdict.requestId);
      if (request && !request.mainDocument && !verdicts.has(verdict.requestId))
        verdicts.set(verdict.requestId, verdict);
    }
  }
  // A preflight asks on behalf of another request and shares its fate.
  for (const request of timeline.requests) {
    const parent = request.initiator?.requestId;
    if (request.type !== 'preflight' || parent === undefined || !verdicts.has(parent)) continue;
    verdicts.set(request.id, {
      requestId: request.id,
      kind: 'browser-internal',
      because: 'the preflight of a background request',
      confidence: 'certain',
    });
  }
  for (const request of timeline.requests) {
    const named = overrides.background.find((pattern) => matchesPattern(pattern, request.url));
    if (named !== undefined) {
      verdicts.set(request.id, {
        requestId: request.id,
        kind: 'user',
        because: `matches --background ${named}`,
        confidence: 'certain',
      });
    }
    if (overrides.foreground.some((pattern) => matchesPattern(pattern, request.url))) verdicts.delete(request.id);
  }
  return verdicts;
}
