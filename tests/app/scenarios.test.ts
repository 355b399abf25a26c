import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadScenarios, scenarioNames } from '../../fixtures/scenario.ts';
import { type FixtureServer, startFixtureServer } from '../../fixtures/server.ts';
import { detectors } from '../../src/core/background/index.ts';
import { ENDED, judge } from '../../src/core/complete.ts';
import { buildHar } from '../../src/core/har/build.ts';
import { validateHar } from '../../src/core/har/validate.ts';
import { visitOf } from '../../src/core/measure.ts';
import { readHar } from '../../src/core/sources/har.ts';
import { foldTimeline } from '../../src/core/timeline/fold.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { ChromeLab } from '../../src/shell/chrome/lab.ts';
import { openTestLab, recordIn } from '../lab.ts';
import { POLICY } from '../scripted.ts';

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), openTestLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

/** Kinds that a detector exists for; what else a scenario expects is not claimed yet. */
const KNOWN_KINDS = new Set<string>(detectors.map(({ name }) => name));
const pathOf = (url: string): string => new URL(url).pathname;
const scenarios = new Map((await loadScenarios()).map((scenario) => [scenario.name, scenario]));

describe.each(scenarioNames())('%s', (name) => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await recordIn(lab, server.url(name));
  });

  it('is complete when all it needs has come, and flags what it should', () => {
    const { expected } = scenarios.get(name) ?? {};
    if (!expected) return;
    const visit = visitOf(recording, POLICY);
    expect(visit.complete.state).toBe(expected.complete ? 'complete' : 'never');
    if (visit.complete.state !== 'complete') return;
    const { networkAt } = visit.complete;
    const flagged = new Map(
      visit.timeline.requests.flatMap((each) => {
        const verdict = visit.verdicts.get(each.id);
        return verdict ? [[pathOf(each.url), verdict.kind] as const] : [];
      }),
    );
    for (const { kind, path } of expected.background.filter((each) => KNOWN_KINDS.has(each.kind))) {
      expect(flagged.get(path), path).toBe(kind);
    }
    for (const path of expected.needed.filter((each) => !each.startsWith('@'))) {
      const first = visit.timeline.requests.find((each) => matches(each.url, path) && each.outcome !== 'open');
      expect(first, path).toBeDefined();
      if (!first) continue;
      expect(visit.verdicts.has(first.id), path).toBe(false);
      expect(first.endedAt ?? Number.POSITIVE_INFINITY, path).toBeLessThanOrEqual(networkAt);
    }
    // Nothing else is flagged but what the browser does for itself.
    const allowed = new Set(expected.background.map(({ path }) => path));
    const surprising = [...flagged].filter(([path, kind]) => !allowed.has(path) && kind !== 'browser-internal');
    expect(surprising).toEqual([]);
  });

  it('gets the live answer again from its recording', () => {
    const timeline = foldTimeline(recording.events, recording.marks, recording.observedUntil);
    const live = judge(timeline, POLICY);
    expect(live.state).toBe('complete');
    expect(judge(timeline, POLICY, ENDED)).toEqual(live);
  });

  it('gets the same answer from its HAR alone', () => {
    const { timeline, verdicts, complete } = visitOf(recording, POLICY);
    const har = buildHar(recording, timeline, { version: '0', verdicts: [...verdicts.values()], policy: POLICY });
    expect(validateHar(har)).toEqual([]);
    const { recordings, problems } = readHar(JSON.parse(JSON.stringify(har)));
    expect(problems).toEqual([]);
    const [read] = recordings;
    if (!read) throw new Error('the HAR has no page');
    const again = foldTimeline(read.events, read.marks, read.observedUntil);
    expect(judge(again, POLICY, ENDED)).toEqual(complete);
  });

  it('has an entry for every hop that the browser announced', () => {
    const { timeline } = visitOf(recording, POLICY);
    expect(timeline.requests).toHaveLength(recording.announcedHops);
  });

  it('has a row for every request, with phases that cover it', () => {
    const visit = visitOf(recording, POLICY);
    for (const row of waterfallOf(visit, POLICY, 1).rows) {
      const covered = row.phases.reduce((sum, phase) => sum + phase.to - phase.from, 0);
      expect(covered).toBeCloseTo(row.endsAt - row.startedAt, 3);
    }
  });
});

function matches(url: string, path: string): boolean {
  const { pathname, search } = new URL(url);
  return path.includes('?') ? pathname + search === path : pathname === path;
}
