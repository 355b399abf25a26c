import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { matches } from '../../../fixtures/load.ts';
import { loadScenario } from '../../../fixtures/scenario.ts';
import { classify } from '../../../src/core/background/index.ts';
import { FINISHED, judge } from '../../../src/core/completion/complete.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Policy } from '../../../src/model/background/verdict.ts';
import { POLICY as PATIENT } from '../../support/scripted.ts';

/** As long as the recordings show: one of them ends soon after what fell silent in it. */
const POLICY: Policy = { ...PATIENT, observation: { ...DEFAULT_POLICY.observation, silentMs: 20_000 } };

const FOLDER = new URL('../../../fixtures/recordings/', import.meta.url);

/** What Chrome told of a scenario, watched for as long as the evidence run does; `fixtures/record.ts` makes them. */
function recorded(file: string) {
  const { recordings, faults } = readHar(JSON.parse(gunzipSync(readFileSync(new URL(file, FOLDER))).toString()));
  expect(faults).toEqual([]);
  const [read] = recordings;
  if (!read) throw new Error(`${file} has no page`);
  return read;
}

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const read = recorded(file);
  const timeline = foldTimeline(read.events, read.marks, read.observedUntil);
  const { verdicts } = classify(timeline, POLICY);
  const pathOf = (url: string): string => new URL(url).pathname;

  it('holds what the scenario expects, and nothing else is flagged', async () => {
    const { expected } = await loadScenario(file.replace(/\.har\.gz$/, ''));
    const flagged = timeline.requests.flatMap(({ id, url }) => {
      const kind = verdicts.get(id)?.kind;
      return kind === undefined || kind === 'browser-internal' ? [] : [{ path: pathOf(url), kind }];
    });
    for (const { path, kind } of expected?.background ?? []) {
      const own = flagged.filter((each) => matches(each.path, path));
      expect(new Set(own.map((each) => each.kind)), path).toEqual(new Set([kind]));
    }
    const others = flagged.filter(({ path }) => !expected?.background.some((each) => matches(path, each.path)));
    expect(others).toEqual([]);
  });

  it('is complete when the last content had come, for whoever watches that long', () => {
    const answer = judge(timeline, POLICY, FINISHED);
    expect(answer.state).toBe('complete');
    const content = timeline.requests.filter(({ id, type }) => !verdicts.has(id) && type !== 'preflight');
    const ends = content.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY);
    expect(answer.state === 'complete' && answer.networkAt).toBeGreaterThanOrEqual(Math.max(...ends) - 0.001);
  });

  it('is not called complete too early by whoever watches live: what is undecided is waited for', () => {
    const final = judge(timeline, POLICY, FINISHED);
    if (final.state !== 'complete') throw new Error('the recording is complete');
    const content = timeline.requests.filter(({ id }) => !verdicts.has(id));
    // The patience of a run that knows nothing of the page: what takes longer needs the evidence run.
    const quick = content.every((each) => (each.endedAt ?? 0) - each.startedAt < 9_000) && final.networkAt < 10_000;
    for (let at = 3_000; quick && at < read.observedUntil; at += 500) {
      const events = read.events.filter((event) => event.at <= at);
      const marks = read.marks.filter((mark) => mark.at <= at);
      const answer = judge(foldTimeline(events, marks, at), POLICY);
      if (answer.state === 'complete') {
        expect(answer.networkAt, `${at} ms`).toBeGreaterThanOrEqual(final.networkAt - 0.001);
      }
    }
  });
});
