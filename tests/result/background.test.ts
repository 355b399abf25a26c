import { describe, expect, it } from 'vitest';
import type { BackgroundEndpoint, RunResult } from '../../src/model/result/result.ts';
import { agreedBackground } from '../../src/result/background.ts';

const endpoint = (more: Partial<BackgroundEndpoint>): BackgroundEndpoint => ({
  kind: 'beacon',
  endpoint: 'POST https://shop.test/collect',
  urls: [],
  requests: 4,
  firstStartedAt: 500,
  lastActivityAt: 900,
  stillOpen: false,
  because: 'seen',
  confidence: 'certain',
  excluded: true,
  visualImpact: 'none',
  ...more,
});
const run = (role: RunResult['role'], ...background: readonly BackgroundEndpoint[]): RunResult => ({
  index: 1,
  role,
  ok: true,
  background,
});
const agreed = (...runs: readonly RunResult[]) => agreedBackground(runs, ({ code }) => code);

describe('what the runs agree on', () => {
  it('has the cost of a timed run, or of the evidence run where only that saw it to its end', () => {
    const filmed = endpoint({ countedState: 'complete', cost: 900 });
    const timed = endpoint({ countedState: 'complete', cost: 800 });
    const [known] = agreed(run('evidence', filmed), run('timed', timed));
    expect(known).toMatchObject({ countedState: 'complete', cost: 800 });
    const { cost: _cost, ...left } = { ...timed, countedState: 'unconfirmed' as const };
    expect(agreed(run('evidence', filmed), run('timed', left))).toEqual([filmed]);
    expect(agreed(run('evidence', left), run('timed', left))).toEqual([left]);
    const endless = { ...left, countedState: 'never' as const, requests: 12 };
    expect(agreed(run('evidence', endless), run('timed', left))).toEqual([endless]);
  });
});

describe('several endpoints that are one thing', () => {
  const whole = endpoint({ endpoint: 'POST https://shop.test/track/*', endpoints: 5, requests: 5 });
  const part = endpoint({ endpoint: 'POST https://shop.test/track/view', requests: 1 });
  const some = { ...whole, endpoints: 2, requests: 2 };

  it('are one row, also where a run saw only a part of them', () => {
    expect(agreed(run('timed', part), run('timed', whole), run('timed', some))).toEqual([whole]);
    expect(agreed(run('evidence', whole), run('timed', part))).toEqual([whole]);
    const wider = { ...whole, endpoint: 'POST https://shop.test/*', endpoints: 6, requests: 6 };
    expect(agreed(run('timed', some), run('timed', wider))).toEqual([wider]);
  });

  it('are two rows where a run saw both', () => {
    expect(agreed(run('timed', whole, part))).toEqual([whole, part]);
    expect(agreed(run('timed', whole), run('timed', { ...part, kind: 'poll' }))).toHaveLength(2);
  });
});
