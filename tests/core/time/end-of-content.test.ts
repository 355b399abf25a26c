import { describe, expect, it } from 'vitest';
import { endOfContent } from '../../../src/core/time/end-of-content.ts';

describe('the end of content', () => {
  it('is the last fill before a quiet window without one', () => {
    expect(endOfContent(500, [700, 3_600, 6_700, 7_000], 3_000)).toBe(3_600);
    expect(endOfContent(500, [700, 3_600, 6_600, 9_600], 3_000)).toBe(9_600);
  });

  it('is what began it, where nothing is filled in time', () => {
    expect(endOfContent(500, [], 3_000)).toBe(500);
    expect(endOfContent(500, [3_501], 3_000)).toBe(500);
    expect(endOfContent(500, [300], 3_000)).toBe(500);
  });
});
