import { describe, expect, it } from 'vitest';
import { parseMinEffect } from '../../src/settings/min-effect.ts';

describe('parseMinEffect', () => {
  it.each([
    ['5%', { relative: 0.05, absolute: 10, paint: 17 }],
    ['50ms', { relative: 0, absolute: 50 }],
    ['5%,10ms', { relative: 0.05, absolute: 10 }],
    [' 20 ms , 2.5 % ', { relative: 0.025, absolute: 20 }],
    ['.5%,0ms', { relative: 0.005, absolute: 0 }],
  ])('reads "%s"', (text, effect) => {
    expect(parseMinEffect(text)).toEqual(effect);
  });

  it.each([
    ['', /must be a percentage, a time in ms, or both/],
    ['5', /must be a percentage, a time in ms, or both/],
    ['5%,', /must be a percentage, a time in ms, or both/],
    ['-5%', /must be a percentage, a time in ms, or both/],
    ['5s', /must be a percentage, a time in ms, or both/],
    ['1e3ms', /must be a percentage, a time in ms, or both/],
    ['5%,6%', /at most one percentage and one time/],
    ['100%', /below 100%/],
    ['0%,0ms', /must be above 0/],
  ])('says what is wrong with "%s"', (text, detail) => {
    expect(parseMinEffect(text)).toEqual({ problem: expect.stringMatching(detail) });
  });
});
