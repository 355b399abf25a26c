import { describe, expect, it } from 'vitest';
import { countToResult, resultOf } from '../../../src/core/background/series-result.ts';
import type { Request } from '../../../src/model/timeline.ts';
import { request, response } from '../../support/factories.ts';

const asked = (sizes: readonly number[], status = 200): readonly Request[] =>
  sizes.map((contentSize, i) =>
    request({
      startedAt: 500 + i * 700,
      endedAt: 540 + i * 700,
      contentSize,
      response: response({ status }),
    }),
  );

describe('the result of a job', () => {
  it('is told by what it is like, where all before it are unlike it', () => {
    expect(resultOf(asked([40, 41, 42, 400]), 4)).toEqual({ status: 200, bytes: 400, by: 2_140 });
    expect(resultOf(asked([40, 41, 42, 44]), 4)).toBeUndefined();
    expect(resultOf(asked([400]), 1)).toBeUndefined();
  });

  it('ends what is content wherever it comes, and not after a count', () => {
    const result = { status: 200, bytes: 400, by: 2_000 };
    expect(countToResult(asked([40, 410, 410]), result, 30_000)).toBe(2);
    expect(countToResult(asked([40, 40, 40, 40, 40, 40, 390, 390]), result, 30_000)).toBe(7);
  });

  it('is awaited, and not for ever', () => {
    const result = { status: 200, bytes: 400, by: 2_000 };
    expect(countToResult(asked([40, 40, 40]), result, 5_000)).toBe(3);
    expect(countToResult(asked([40, 40, 40]), result, 10_000)).toBeUndefined();
  });
});
