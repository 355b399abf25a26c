import { expect, test } from 'vitest';
import { kebabCase } from '../../../src/wording/text/kebab-case.ts';

test.each([
  ['maxInflight', 'max-inflight'],
  ['cpuThrottleRate', 'cpu-throttle-rate'],
  ['runs', 'runs'],
  ['', ''],
])('%j is typed as %j', (name, typed) => {
  expect(kebabCase(name)).toBe(typed);
});
