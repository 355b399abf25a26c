import { expect, it } from 'vitest';
import { fetchAdvice } from '../../src/wording/fetch-advice.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';

it.each([
  ['main', [], false, 'Check the spelling: "git branch --all" and "git tag" list what exists.'],
  ['origin/main', ['origin'], false, 'Get it: git fetch origin main:refs/remotes/origin/main'],
  ['up/a/b', ['origin', 'up'], true, 'Get it: git fetch --depth=1 up a/b:refs/remotes/up/a/b'],
  ['main', ['origin'], true, 'name it origin/main: git fetch --depth=1 origin main:refs/remotes/origin/main'],
  [HASH, ['origin'], true, `Get it: git fetch --depth=1 origin ${HASH}`],
  [
    'HEAD~1',
    ['origin'],
    true,
    'This clone is shallow, so it may lack the commit: "git fetch --unshallow" gets the rest.',
  ],
  [
    HASH.slice(0, 7),
    ['origin'],
    true,
    'This clone is shallow, so it may lack the commit: "git fetch --unshallow" gets the rest.',
  ],
  ['HEAD~99', ['origin'], false, 'Check the spelling, or get it: "git fetch".'],
] as const)('says how to get %s', (ref, remotes, isShallow, advice) => {
  expect(fetchAdvice(ref, { remotes, isShallow })).toContain(advice);
});

it('puts nothing into a line for the shell that would do something there', () => {
  for (const ref of ['$(reboot)', 'a;b', 'origin/`id`', 'ä"b', '-x', "o'clock"]) {
    expect(fetchAdvice(ref, { remotes: ['origin'], isShallow: false })).toBe(
      'Check the spelling, or get it: "git fetch".',
    );
  }
  expect(fetchAdvice('$(x)/main', { remotes: ['$(x)'], isShallow: false })).not.toContain('$');
});

it('knows better when there is something like it', () => {
  expect(fetchAdvice('main', { remotes: ['origin'], isShallow: true, known: 'origin/main' })).toBe(
    'Did you mean origin/main?',
  );
});
