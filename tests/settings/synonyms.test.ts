import { describe, expect, test } from 'vitest';
import { OPTIONS } from '../../src/settings/options.ts';
import { ADVICE, insteadOf, SYNONYM_NAMES } from '../../src/settings/synonyms.ts';
import { optionAdvice } from '../../src/wording/messages/option-advice.ts';

describe('the names that other tools have for options', () => {
  test('lead to options that there are', () => {
    const names = OPTIONS.map(({ name }) => name);
    for (const instead of SYNONYM_NAMES.values()) {
      if ('advice' in instead) expect(optionAdvice(instead.advice)).toMatch(/\.$|\/$/);
      else for (const [name] of instead.options) expect(names).toContain(name);
    }
    expect(SYNONYM_NAMES.size).toBeGreaterThan(100);
    for (const code of ADVICE) expect([...SYNONYM_NAMES.values()]).toContainEqual({ advice: code });
  });

  test('are in the list once', () => {
    for (const name of SYNONYM_NAMES.keys()) expect(name).toMatch(/^[a-z0-9]+$/);
  });

  test('do not depend on dashes and case', () => {
    expect(insteadOf('--numberOfRuns')).toEqual(insteadOf('--number-of-runs'));
    expect(insteadOf('--throttling.cpuSlowdownMultiplier')).toEqual({ options: [['cpu']] });
    expect(insteadOf('--porthole')).toBeUndefined();
    expect(insteadOf('-k')).toEqual({ options: [['ignoreCertificateErrors']] });
  });
});

test('short names are single letters, and each has one option', () => {
  const letters = OPTIONS.flatMap(({ short }) => short ?? []);
  expect(letters.toSorted()).toEqual(['H', 'b', 'n', 'o', 'q', 'v']);
});
