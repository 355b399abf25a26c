import { expect, it } from 'vitest';
import { paced } from '../../../src/browser/record/paced.ts';

it('begins work at most once in an interval, and never while it is under way', async () => {
  const work = paced(500);
  let begun = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const begin = (until: Promise<void>) => async (): Promise<void> => {
    begun += 1;
    await until;
  };
  work.at(0, begin(Promise.resolve()));
  await Promise.resolve();
  work.at(499, begin(Promise.resolve()));
  expect(begun).toBe(1);
  await new Promise(setImmediate);
  work.at(500, begin(promise));
  work.at(2_000, begin(promise));
  expect(begun).toBe(2);
  resolve();
  await new Promise(setImmediate);
  work.at(2_100, begin(promise));
  expect(begun).toBe(3);
});
