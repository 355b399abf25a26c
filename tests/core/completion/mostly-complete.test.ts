import { describe, expect, it } from 'vitest';
import { withSmallSources } from '../../../src/core/completion/mostly-complete.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import type { EndpointRule, Policy } from '../../../src/model/background/verdict.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

const api: Scripted = { path: '/api', from: 100, to: 800 };
/** A series of polls of which other loads saw that the first three bring content. */
const polls: readonly Scripted[] = [500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500].map((from) => ({
  path: '/online',
  from,
  to: from + 20,
}));
const rule: EndpointRule = {
  endpoint: `GET ${ORIGIN}/online?`,
  kind: 'poll',
  content: [{ counts: 3 }],
  reason: { code: 'recorded', text: 'polled' },
  confidence: 'likely',
};
const policy: Policy = { ...POLICY, learnt: [rule] };
const recording = recordingOf({ requests: page(api, ...polls), until: 9_000 });
const visit = visitOf(recording, policy);
const drawn = (...points: readonly (readonly [at: number, share: number])[]) =>
  points.map(([at, share]) => ({ at, share }));

describe('a source whose content draws next to nothing', () => {
  it('is small where all else was drawn before its last content', () => {
    expect(visit.complete).toMatchObject({ state: 'complete', at: 1_520 });
    expect(withSmallSources([rule], visit, drawn([0, 0], [840, 0.999], [1_560, 1]), policy)).toEqual([
      { ...rule, small: true },
    ]);
  });

  it('is not small where it draws more, or where nobody saw what was drawn', () => {
    expect(withSmallSources([rule], visit, drawn([0, 0], [840, 0.99], [1_560, 1]), policy)).toEqual([rule]);
    expect(withSmallSources([rule], visit, [], policy)).toEqual([rule]);
  });

  it('is not small where almost all was drawn long after, or before, all else had come', () => {
    expect(withSmallSources([rule], visit, drawn([0, 0], [1_400, 0.999], [1_560, 1]), policy)).toEqual([rule]);
    expect(withSmallSources([rule], visit, drawn([0, 0], [600, 0.999], [1_560, 1]), policy)).toEqual([rule]);
  });
});

describe('mostly complete', () => {
  it('is page complete without the small parts, whose path and fixes are those of the rest', () => {
    const small: Policy = { ...policy, learnt: [{ ...rule, small: true }] };
    const facts = measure(visitOf(recording, small), small);
    expect(facts.pageComplete).toMatchObject({ state: 'complete', at: 1_520 });
    expect(facts.metrics).toMatchObject({ pageComplete: 1_520, mostlyComplete: 800 });
    expect(facts.criticalPath?.steps.at(-1)).toMatchObject({ url: `${ORIGIN}/api` });
    expect(facts.findings.map(({ code, urls }) => [code, ...urls])).toContainEqual(['slow-server', `${ORIGIN}/api`]);
  });

  it('is page complete where nothing small follows', () => {
    expect(measure(visit, policy).metrics).toMatchObject({ pageComplete: 1_520, mostlyComplete: 1_520 });
  });

  it('is not told of a load that ended early as if that had shown nothing', () => {
    const small: Policy = { ...policy, learnt: [{ ...rule, small: true }] };
    const early = recordingOf({ requests: page(api, ...polls.slice(0, 4)), until: 2_100 });
    const { complete, larger } = visitOf(early, { ...small, quietWindow: 500 });
    expect(complete.state).toBe('complete');
    expect(larger?.complete.at).toBe(800);
  });
});
