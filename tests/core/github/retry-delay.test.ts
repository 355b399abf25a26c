import { describe, expect, it } from 'vitest';
import { isLimited, retryDelay } from '../../../src/core/github/retry-delay.ts';

const answered = (status: number, over: object = {}) => ({ status, message: '', ...over });

describe('whether to ask again', () => {
  it.each([
    [200, false],
    [304, false],
    [404, false],
    [422, false],
    [403, false],
    [429, true],
  ])('HTTP %d by itself: limited %s', (status, limited) => {
    expect(isLimited(answered(status))).toBe(limited);
    expect(retryDelay(answered(status), 1, 0, 0.5) !== undefined).toBe(limited);
  });

  it('a refusal that speaks of another rate is none of time', () => {
    expect(isLimited(answered(403, { message: 'Resource not accessible by integration' }))).toBe(false);
    expect(isLimited(answered(403, { message: 'You have exceeded a secondary rate limit' }))).toBe(true);
    expect(isLimited(answered(403, { remaining: '12' }))).toBe(false);
  });
});

describe('how long', () => {
  it('after an error of the server doubles, spread over half of it', () => {
    const waits = [1, 2, 3, 4].map((attempt) => [0, 1].map((chance) => retryDelay(answered(502), attempt, 0, chance)));
    expect(waits).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [4000, 8000],
    ]);
    expect(retryDelay(undefined, 1, 0, 1)).toBe(1000);
  });

  it('at a limit is what the answer says, and a minute where it does not', () => {
    expect(retryDelay(answered(429, { retryAfter: '5' }), 3, 0, 1)).toBe(5000);
    expect(retryDelay(answered(429, { retryAfter: '0' }), 1, 0, 1)).toBe(1000);
    expect(retryDelay(answered(429, { retryAfter: 'soon' }), 1, 0, 1)).toBe(60_000);
    expect(retryDelay(answered(403, { remaining: '0', reset: '100' }), 1, 90_000, 1)).toBe(11_000);
    expect(retryDelay(answered(403, { remaining: '0', reset: '100' }), 1, 200_000, 1)).toBe(1000);
    const date = new Date(40_000).toUTCString();
    expect(retryDelay(answered(403, { remaining: '0', reset: '100', date }), 1, 0, 1)).toBe(61_000);
  });
});
