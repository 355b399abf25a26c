import { expect, it } from 'vitest';
import { chromeArguments } from '../../../src/shell/chrome/flags.ts';

it('adds what the user disables to what is disabled already: Chrome would take the last list alone', () => {
  const given = chromeArguments(['--disable-features=A,B', '--lang=de', '--disable-features=C']);
  const lists = given.filter((each) => each.startsWith('--disable-features='));
  expect(lists).toEqual([expect.stringMatching(/=Translate,.*,A,B,C$/)]);
  expect(given.at(-1)).toBe('--lang=de');
  expect(new Set(given).size).toBe(given.length);
});
