import { type DetectedKind, KINDS } from '../../model/background/kinds.ts';
import type { OverrulingReason, VerdictReason } from '../../model/background/reason.ts';
import type { Detector, Observation, Overruled, Policy, Verdict } from '../../model/background/verdict.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import { withoutBlocked } from '../timeline/blocked.ts';
import { applyLearnt } from './content/apply-rules.ts';
import { firstParts } from './content/first-answers.ts';
import { beacon } from './detectors/beacon.ts';
import { browserInternal } from './detectors/browser-internal.ts';
import { httpStream } from './detectors/http-stream.ts';
import { hung } from './detectors/hung.ts';
import { longPoll } from './detectors/long-poll.ts';
import { media } from './detectors/media.ts';
import { poll } from './detectors/poll.ts';
import { reconnect } from './detectors/reconnect.ts';
import { serviceWorker } from './detectors/service-worker.ts';
import { speculative } from './detectors/speculative.ts';
import { sse } from './detectors/sse.ts';
import { websocket } from './detectors/websocket.ts';
import { webtransport } from './detectors/webtransport.ts';
import { follow } from './followers.ts';
import { matchesPattern } from './pattern.ts';
import { seriesOf } from './series.ts';

/** Each kind has a detector of its name; others may find the same kinds in other ways. */
const DETECTORS: Readonly<Record<DetectedKind, Detector> & Record<string, Detector>> = {
  reconnect,
  websocket,
  webtransport,
  sse,
  speculative,
  'browser-internal': browserInternal,
  'service-worker': serviceWorker,
  beacon,
  media,
  'long-poll': longPoll,
  poll,
  'http-stream': httpStream,
  hung,
};

/** All detectors, in the order in which they are asked: the first verdict on a request wins. */
export const detectors = Object.entries(DETECTORS).map(([name, { detect }]) => ({
  name,
  detect: (timeline: Timeline, observation: Observation, series = seriesOf(timeline)) =>
    detect(timeline, observation, series),
}));

/** How long is watched, and what overrules detectors: the user's patterns, and what other runs have taught. */
export type Overrides = Pick<Policy, 'quietWindow' | 'observation' | 'background' | 'foreground' | 'learnt'>;

/** Which requests are background, by the hop's id, and which would be, had nobody overruled the detector. */
export interface Classification {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly overruled: ReadonlyMap<string, Overruled>;
}

/**
 * The verdict on every request that is background. The user's patterns have the last word, then what other runs have
 * taught, then the detectors; the document is never background, unless the user says so.
 */
export function classify(recorded: Timeline, overrides: Overrides): Classification {
  const timeline = withoutBlocked(recorded);
  const verdicts = new Map<string, Verdict>();
  const overruled = new Map<string, Overruled>();
  const byId = new Map(timeline.requests.map((request) => [request.id, request]));
  const series = seriesOf(timeline);
  for (const { detect } of detectors) {
    for (const verdict of detect(timeline, overrides.observation, series)) {
      const request = byId.get(verdict.requestId);
      if (!request || request.mainDocument || verdicts.has(request.id)) continue;
      const { firstPartCounts } = KINDS[verdict.kind];
      verdicts.set(request.id, firstPartCounts ? { ...verdict, ...firstParts(request) } : verdict);
    }
  }
  const overrule = (id: string, by: OverrulingReason): void => {
    const verdict = verdicts.get(id);
    if (!verdict) return;
    overruled.set(id, { ...verdict, by });
    verdicts.delete(id);
  };
  const keptBy = ({ url }: Request): string | undefined =>
    overrides.foreground.find((pattern) => matchesPattern(pattern, url));
  applyLearnt(timeline, overrides.learnt ?? [], verdicts, overrides.quietWindow, overrule);
  for (const request of timeline.requests) {
    const named = overrides.background.find((pattern) => matchesPattern(pattern, request.url));
    if (named !== undefined) {
      const reason: VerdictReason = { code: 'named', pattern: named };
      verdicts.set(request.id, { requestId: request.id, kind: 'user', reason, confidence: 'certain' });
    }
    const kept = keptBy(request);
    if (kept !== undefined) overrule(request.id, { code: 'foreground', pattern: kept });
  }
  follow(timeline.requests, verdicts, (each) => overruled.has(each.id) || keptBy(each) !== undefined);
  return { verdicts, overruled };
}
