import { describe, expect, it } from 'vitest';
import { countToNews, countToResult, newsOf, resultOf } from '../../../src/core/background/series-result.ts';
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

describe('news', () => {
  it('are told by their size, where content is of another', () => {
    expect(newsOf(asked([0, 3, 114, 101, 48, 48, 47]), 4)).toEqual({ smallest: 47, largest: 48, by: 2_140 });
    expect(newsOf(asked([0, 3, 114, 60, 48, 48, 47]), 4)).toBeUndefined();
    expect(newsOf(asked([0, 3, 114, 101, 48, 48]), 4)).toBeUndefined();
    // The change that the last of the content brought was not seen.
    expect(newsOf(asked([0, 3, 114, 101, 48, 48, 48, 48, 48, 48]), 3)).toMatchObject({ smallest: 48, largest: 48 });
  });

  it('end what is content, however many answers it came in', () => {
    const news = { smallest: 47, largest: 48, by: 2_140 };
    expect(countToNews(asked([0, 3, 210, 48, 48, 48]), news, 30_000, 3_000)).toBe(3);
    expect(countToNews(asked([0, 3, 114, 48, 101, 102, 120, 48, 48]), news, 30_000, 3_000)).toBe(7);
    // What comes after a quiet window without content is new content, and that is news as well.
    expect(countToNews(asked([114, 48, 48, 48, 48, 48, 101]), news, 30_000, 3_000)).toBe(1);
  });

  it('do not end what has not begun, for a while', () => {
    const news = { smallest: 47, largest: 48, by: 2_140 };
    expect(countToNews(asked([48, 48]), news, 5_000, 3_000)).toBe(2);
    expect(countToNews(asked([48, 48]), news, 10_000, 3_000)).toBeUndefined();
  });
});

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
