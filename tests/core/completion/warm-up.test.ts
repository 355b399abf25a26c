import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/core/completion/complete.ts';
import { isWarmUp, warmUpPolicy } from '../../../src/core/completion/warm-up.ts';
import { POLICY, page, type Script, timelineOf } from '../../support/scripted.ts';

describe('a load that only warms up', () => {
  const warmUp = warmUpPolicy(POLICY);
  const polls: Script = {
    requests: page(
      { path: '/items', from: 100, to: 700 },
      ...[1_300, 2_300, 3_300].map((from) => ({ path: '/ping', from, to: from + 10, timer: 'setInterval' as const })),
    ),
    until: 1_250,
  };

  it('waits for what is not answered, and then for a short silence alone', () => {
    expect(judge(timelineOf({ ...polls, until: 690 }), warmUp)).toMatchObject({ state: 'pending' });
    expect(judge(timelineOf(polls), warmUp)).toMatchObject({ state: 'complete', at: 700, decidedAt: 1_200 });
    expect(judge(timelineOf(polls), POLICY)).toMatchObject({ state: 'pending' });
  });

  it('watches no suspects', () => {
    const frequent = page(...[200, 400, 600, 800, 1_000].map((from) => ({ path: '/ping', from, to: from + 10 })));
    const script = { requests: frequent, until: 1_600 };
    expect(judge(timelineOf(script), warmUp)).toMatchObject({ state: 'complete' });
    expect(judge(timelineOf(script), POLICY)).toMatchObject({ state: 'pending' });
  });

  it('is known by its patience, and never has more of it', () => {
    expect(isWarmUp(warmUp, POLICY)).toBe(true);
    expect(isWarmUp(POLICY, POLICY)).toBe(false);
    expect(warmUpPolicy({ ...POLICY, quietWindow: 100 }).quietWindow).toBe(100);
  });
});
