import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matches } from '../../../fixtures/load.ts';
import { loadScenario } from '../../../fixtures/scenario.ts';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { FINISHED, judge } from '../../../src/core/completion/complete.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

/** Pages loaded at a time. A page mostly waits, and what is tested here are answers, not times. */
const AT_ONCE = 8;

/**
 * A page for each kind of background and each way into the page: what Chrome really tells of it. All others are in the corpus
 * (tests/corpus.test.ts).
 */
const LIVE = [
  'beacon-repeated',
  'cometd',
  'forever-iframe',
  'grpc-web-stream',
  'iframes',
  'kitchen-sink',
  'media-hls',
  'meta-refresh',
  'no-requests',
  'poll-jsonp',
  'reconnect-websocket',
  'script-redirect',
  'socketio-polling',
  'speculative',
  'starvation',
  'streaming-document',
  'transport-fallback',
  'workers',
] as const;
const policy = QUICK;

const scenarios = new Map(await Promise.all(LIVE.map(async (name) => [name, await loadScenario(name)] as const)));
const recordings = new Map<string, Promise<Recording>>();

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
  const waiting = [...scenarios.keys()].map((name) => {
    const { promise, resolve, reject } = Promise.withResolvers<Recording>();
    recordings.set(name, promise);
    // A page that cannot be loaded fails its own tests, later.
    promise.catch(() => undefined);
    return () => recordIn(lab, server.url(name), policy).then(resolve, reject);
  });
  const loadAll = async (): Promise<void> => {
    for (let load = waiting.shift(); load; load = waiting.shift()) await load();
  };
  for (let lane = 0; lane < AT_ONCE; lane++) void loadAll();
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

const pathOf = (url: string): string => new URL(url).pathname;

describe.each(LIVE)('%s', (name) => {
  let recording: Recording;
  beforeAll(async () => {
    const recorded = await recordings.get(name);
    if (!recorded) throw new Error('every scenario is loaded');
    recording = recorded;
  }, 240_000);

  it('is complete when all it needs has come, and flags what it should', () => {
    const { expected } = scenarios.get(name) ?? {};
    if (!expected) throw new Error(`${name} does not say what is expected`);
    const visit = visitOf(recording, policy);
    expect(visit.complete.state).toBe(expected.complete ? 'complete' : 'never');
    if (visit.complete.state !== 'complete') return;
    const { networkAt } = visit.complete;
    const flagged = visit.timeline.requests.flatMap((each) => {
      const kind = visit.verdicts.get(each.id)?.kind;
      return kind === undefined ? [] : [{ path: pathOf(each.url), kind }];
    });
    for (const { kind, path } of expected.background) {
      const seen = visit.timeline.requests.filter((each) => matches(pathOf(each.url), path));
      // What comes back more slowly than the quiet window does no harm in it; the evidence run sees it come back.
      if (/^(?:poll|reconnect)$/.test(kind) && seen.length < 3) continue;
      // The headless shell asks for no tab icon; tests/jobs/audit/real-sites.chrome.test.ts looks at those.
      if (kind === 'browser-internal' && seen.length === 0) continue;
      expect(flagged.find((each) => matches(each.path, path))?.kind, path).toBe(kind);
    }
    for (const path of expected.needed.filter((each) => !each.startsWith('@'))) {
      const first = visit.timeline.requests.find((each) => matches(whole(each.url), path) && each.outcome !== 'open');
      expect(first, path).toBeDefined();
      if (!first) continue;
      expect(visit.verdicts.get(first.id), path).toBeUndefined();
      expect(first.endedAt ?? Number.POSITIVE_INFINITY, path).toBeLessThanOrEqual(networkAt);
    }
    // Nothing else is flagged but what the browser does for itself.
    const surprising = flagged.filter(
      ({ path, kind }) => kind !== 'browser-internal' && !expected.background.some((each) => matches(path, each.path)),
    );
    expect(surprising).toEqual([]);
  });

  it('reports content that streams held back, and only that', () => {
    const { expected } = scenarios.get(name) ?? {};
    const findings = measure(visitOf(recording, policy), policy).findings.map(({ code }) => code);
    const starved = expected?.findings?.includes('stream-starvation');
    if (starved !== undefined) expect(findings.includes('stream-starvation')).toBe(starved);
  });

  it('gets the live answer again from its recording', () => {
    const timeline = foldTimeline(recording.events, recording.marks, recording.observedUntil);
    const live = judge(timeline, policy);
    expect(live.state).toBe('complete');
    expect(judge(timeline, policy, FINISHED)).toEqual(live);
  });
});

/** The path with its query, as expectations name it. */
function whole(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
