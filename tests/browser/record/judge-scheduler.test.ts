import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJudgeScheduler, type JudgeScheduler } from '../../../src/browser/record/judge-scheduler.ts';

/** Time that passed in computations, during which no timer has its turn. */
let computed = 0;
let cadence: JudgeScheduler;
let judgedAt: number[];
/** What the next judgements cost, ms. */
let price: number;
/** What the judgement leads to, beside its cost. */
let after: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + computed);
  computed = 0;
  judgedAt = [];
  price = 0;
  after = () => undefined;
  const judge = (): void => {
    judgedAt.push(Math.round(performance.now()));
    cadence.run(() => {
      computed += price;
    });
    after();
  };
  cadence = createJudgeScheduler(judge, () => computed);
});
afterEach(() => {
  cadence.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** News every `every` ms for `duration` ms. */
function newsFor(duration: number, every: number): void {
  for (let passed = 0; passed < duration; passed += every) {
    cadence.soon();
    vi.advanceTimersByTime(every);
  }
}

describe('a cadence', () => {
  it('judges a burst once: 500 ms after its begin while the page loads, 100 ms after it once it has loaded', () => {
    for (let i = 0; i < 50; i += 1) cadence.soon();
    vi.advanceTimersByTime(5_000);
    cadence.setLoaded(true);
    for (let i = 0; i < 50; i += 1) cadence.soon();
    vi.advanceTimersByTime(5_000);
    expect(judgedAt).toEqual([500, 5_100]);
  });

  it('does not judge when nothing is new', () => {
    vi.advanceTimersByTime(60_000);
    expect(judgedAt).toEqual([]);
  });

  it.each([
    [0.1, 0.005],
    [1, 0.005],
    [10, 0.005],
    [25, 0.005],
    [100, 0.01],
  ])('on judgements of %d ms spends at most a share of %d of the time, whatever comes', (cost, share) => {
    price = cost;
    cadence.setLoaded(true);
    newsFor(60_000, 5);
    const spent = cadence.spent();
    expect(spent.times).toBe(judgedAt.length);
    expect(spent.cost).toBeCloseTo(cost * spent.times);
    // One judgement may be on credit: the last, which the time after it pays off.
    expect(spent.cost - cost).toBeLessThanOrEqual(performance.now() * share);
    expect(spent.times).toBeGreaterThan(1);
  });

  it('pays off the last judgement before it looks again on its own account', () => {
    price = 20;
    cadence.setLoaded(true);
    after = () => cadence.notBefore(500);
    cadence.soon();
    vi.advanceTimersByTime(10_000);
    expect(judgedAt).toEqual([100, 100 + 20 + 4_000, 100 + 2 * (20 + 4_000)]);
  });

  it('pauses no longer than 5 s for what costs little more than others', () => {
    price = 40;
    cadence.setLoaded(true);
    newsFor(12_000, 20);
    expect((judgedAt[1] ?? 0) - (judgedAt[0] ?? 0)).toBe(5_040);
  });

  it('judges at the end of the quiet window to the millisecond, whatever it costs', () => {
    price = 50;
    after = () => {
      if (judgedAt.length === 1) cadence.in(3_000);
    };
    cadence.in(100);
    newsFor(4_000, 10);
    expect(judgedAt).toEqual([100, 100 + 50 + 3_000]);
  });

  it('keeps the earliest of what is planned', () => {
    cadence.in(1_000);
    cadence.notBefore(2_000);
    cadence.soon();
    vi.advanceTimersByTime(5_000);
    expect(judgedAt).toEqual([500]);
  });

  it('counts CPU time when it is not told otherwise', () => {
    const real = createJudgeScheduler(() => undefined);
    const done = real.run(() => Array.from({ length: 300_000 }, (_, i) => String(i)).length);
    expect(done).toBe(300_000);
    expect(real.spent().times).toBe(1);
    expect(real.spent().cost).toBeGreaterThan(0);
  });

  it('judges no more once it is stopped', () => {
    cadence.soon();
    cadence.stop();
    cadence.in(0);
    vi.advanceTimersByTime(5_000);
    expect(judgedAt).toEqual([]);
  });
});
