import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/settings/suggest.ts';

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['audit', 'audit', 0],
    ['audit', 'adit', 1],
    ['audit', 'auditt', 1],
    ['audit', 'audot', 1],
    ['audit', 'aduit', 1],
    ['kitten', 'sitting', 3],
  ])('%s to %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});

describe('nearest', () => {
  const names = ['--runs', '--quiet', '--quiet-window', '--timeout'];
  test.each([
    ['--run', '--runs'],
    ['--rnus', '--runs'],
    ['-runs', '--runs'],
    ['--TIMEOUT', '--timeout'],
    ['--quiet-windwo', '--quiet-window'],
    ['--quietWindow', '--quiet-window'],
    ['--time', '--timeout'],
    ['--throttle', undefined],
    ['--x', undefined],
  ])('%s is meant as %s', (word, meant) => {
    expect(nearest(word, names)).toBe(meant);
  });

  test('nothing is near to nothing', () => {
    expect(nearest('audit', [])).toBeUndefined();
  });
});
