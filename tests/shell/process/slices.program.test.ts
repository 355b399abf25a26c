import { expect, test } from 'vitest';
import { runInSlices } from '../../../src/shell/process/slices.ts';

test('long work is done piece by piece, and others have their turns in between', async () => {
  const done: string[] = [];
  function* work(): Generator<undefined, string> {
    for (const piece of ['one', 'two', 'three']) {
      done.push(piece);
      setImmediate(() => done.push(`after ${piece}`));
      yield;
    }
    return 'all';
  }
  expect(await runInSlices(work())).toBe('all');
  expect(done).toEqual(['one', 'after one', 'two', 'after two', 'three', 'after three']);
});

test('what breaks in it is what it ends with', async () => {
  // biome-ignore lint/correctness/useYield: it does not get that far
  const work = function* (): Generator<undefined, never> {
    throw new Error('broken');
  };
  await expect(runInSlices(work())).rejects.toThrow('broken');
});
