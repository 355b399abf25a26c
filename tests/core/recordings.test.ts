import { describe, expect, it } from 'vitest';
import { type CorpusLoad, readCorpus } from '../../fixtures/corpus-file.ts';
import { scenarioNames } from '../../fixtures/scenario.ts';
import { backgroundEndpoints } from '../../src/core/background-facts.ts';
import { FINISHED, judge } from '../../src/core/completion/complete.ts';
import { DEFAULT_POLICY as policy } from '../../src/core/completion/default-policy.ts';
import { buildHar } from '../../src/core/har/build.ts';
import { validateHar } from '../../src/core/har/validate.ts';
import { visitOf } from '../../src/core/measure.ts';
import { readHar } from '../../src/core/sources/har.ts';
import { foldTimeline } from '../../src/core/timeline/fold.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';

// What holds of every recording, whatever is judged of it.
describe.each(scenarioNames())('a recording of %s', (name) => {
  const timed = readCorpus(name).recordings[0]?.loads.find(({ role }) => role === 'timed') as CorpusLoad;
  const { recording } = timed;
  const visit = visitOf(recording, policy);

  it('gives the same answer from its HAR alone', () => {
    const { timeline, verdicts, complete } = visit;
    const har = buildHar(recording, timeline, { version: '0', verdicts: [...verdicts.values()], policy });
    expect(validateHar(har)).toEqual([]);
    const { recordings, faults } = readHar(JSON.parse(JSON.stringify(har)));
    expect(faults).toEqual([]);
    const [read] = recordings;
    if (!read) throw new Error('the HAR has no page');
    const again = foldTimeline(read.events, read.marks, read.observedUntil);
    expect(judge(again, policy, FINISHED)).toEqual(complete);
  });

  it('has an entry for every hop that the browser announced', () => {
    expect(visit.timeline.requests).toHaveLength(recording.announcedHops);
  });

  it('has a row for every request, with phases that cover it', () => {
    for (const row of waterfallOf(visit, policy, 1).rows) {
      const covered = row.phases.reduce((sum, phase) => sum + phase.to - phase.from, 0);
      expect(covered).toBeCloseTo(row.endsAt - row.startedAt, 3);
    }
  });
});

it('a cache that is filled is one row', () => {
  const filmed = readCorpus('offline-precache').recordings[0]?.loads.find(({ role }) => role === 'evidence');
  if (!filmed) throw new Error('it was filmed');
  const rows = backgroundEndpoints(visitOf(filmed.recording, { ...policy, thorough: true }), policy);
  const files = rows.filter(({ endpoints }) => endpoints !== undefined);
  expect(files).toMatchObject([{ kind: 'service-worker', stillOpen: false, countedState: 'complete' }]);
  expect(files[0]?.requests).toBe(files[0]?.endpoints);
});
