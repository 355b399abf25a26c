import { describe, expect, test } from 'vitest';
import type { Unit } from '../../../src/model/units.ts';
import {
  andMore,
  formatChange,
  formatChosenShare,
  formatCount,
  formatElapsed,
  formatInterval,
  formatLevel,
  formatRate,
  formatShare,
  formatTick,
  formatValue,
  joined,
  listed,
} from '../../../src/wording/text/format.ts';

describe('formatValue', () => {
  test.each<[number | undefined, Unit, string]>([
    [0, 'ms', '0 ms'],
    [0.42, 'ms', '0.4 ms'],
    [9.949, 'ms', '9.9 ms'],
    [9.96, 'ms', '10 ms'],
    [340.4, 'ms', '340 ms'],
    [999.4, 'ms', '999 ms'],
    [999.6, 'ms', '1.00 s'],
    [1243.1, 'ms', '1.24 s'],
    [9994, 'ms', '9.99 s'],
    [9996, 'ms', '10.00 s'],
    [61_230, 'ms', '61.23 s'],
    [1_234_567, 'ms', '1,234.57 s'],
    [-58, 'ms', '−58 ms'],
    [-0.01, 'ms', '0.0 ms'],
    [0, 'bytes', '0 B'],
    [999, 'bytes', '999 B'],
    [999.7, 'bytes', '1.0 kB'],
    [1_180, 'bytes', '1.2 kB'],
    [982_400, 'bytes', '982 kB'],
    [999_600, 'bytes', '1.00 MB'],
    [12_340_000, 'bytes', '12.3 MB'],
    [3_200_000_000, 'bytes', '3.20 GB'],
    [32, 'count', '32'],
    [32.5, 'count', '32.5'],
    [12_040, 'count', '12,040'],
    [0, 'score', '0'],
    [0.0834, 'score', '0.083'],
    [undefined, 'ms', '–'],
    [Number.NaN, 'bytes', '–'],
    [Number.POSITIVE_INFINITY, 'ms', '–'],
  ])('%s %s reads "%s"', (value, unit, words) => {
    expect(formatValue(value, unit)).toBe(words);
  });
});

test.each<[number | undefined, number | undefined, Unit, string]>([
  [1212, 1270, 'ms', '1.21–1.27 s'],
  [980, 1020, 'ms', '0.98–1.02 s'],
  [89, 109, 'ms', '89–109 ms'],
  [9_000, 61_200, 'ms', '9.00–61.20 s'],
  [32, 32, 'count', '32'],
  [-20, 58, 'ms', '−20 to 58 ms'],
  [undefined, 58, 'ms', '–'],
  [12, undefined, 'ms', '–'],
])('the interval %s to %s %s reads "%s"', (low, high, unit, words) => {
  expect(formatInterval(low, high, unit)).toBe(words);
});

test('a level never promises more than it holds', () => {
  expect(formatLevel(0.9375)).toBe('93%');
  expect(formatLevel(0.95)).toBe('95%');
  expect(formatLevel(0.57)).toBe('57%');
  expect(formatLevel(0.9999)).toBe('99.9%');
  expect(formatLevel(undefined)).toBe('–');
  expect([0.95, 0.975, 0.98333, 0.57].map((level) => formatLevel(level, 1))).toEqual(['95%', '97.5%', '98.3%', '57%']);
});

test.each([
  [0, '0%'],
  [0.0387, '3.9%'],
  [-0.0387, '−3.9%'],
  [0.06, '6.0%'],
  [0.083, '8.3%'],
  [0.1234, '12%'],
  [1.5, '150%'],
  [0.004, '0.4%'],
  [0.0004, '0.04%'],
  [0.00094, '0.09%'],
  [0.00096, '0.1%'],
  [0.0994, '9.9%'],
  [0.0996, '10%'],
  [-0.00000004, '−0.01%'],
  [undefined, '–'],
  [Number.NaN, '–'],
])('the share %d reads "%s": nothing but 0 reads as 0', (share, words) => {
  expect(formatShare(share)).toBe(words);
});

test('a share that was chosen has no digit too many', () => {
  expect([0.05, 0.025, 0.1, 0.2].map(formatChosenShare)).toEqual(['5%', '2.5%', '10%', '20%']);
});

test('counts agree with their nouns', () => {
  expect(formatCount(1, 'request')).toBe('1 request');
  expect(formatCount(0, 'request')).toBe('0 requests');
  expect(formatCount(2, 'address', 'addresses')).toBe('2 addresses');
});

test.each([
  [675, '675 kbit/s'],
  [999.7, '1 Mbit/s'],
  [1000, '1 Mbit/s'],
  [1440, '1.44 Mbit/s'],
  [12_000, '12 Mbit/s'],
])('%d kbit/s reads "%s"', (kbit, words) => {
  expect(formatRate(kbit)).toBe(words);
});

test('lists name the first, and how many more there are', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => joined(items))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(joined(['a', 'b', 'c'], 3)).toBe('a, b and c');
  expect(joined(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(joined(['a', 'b'], 1)).toBe('a and 1 more');
  expect(listed(['a', 'b'], 2)).toEqual(['a', 'b']);
  expect(listed(['a', 'b', 'c'], 2)).toEqual(['a', 'b', 'and 1 more']);
  expect(listed(['a', 'b', 'c'], 1, 'file')).toEqual(['a', 'and 2 more files']);
  expect(andMore(1204)).toBe('and 1,204 more');
  expect(andMore(1, 'address', 'addresses')).toBe('and 1 more address');
  expect(andMore(2, 'address', 'addresses')).toBe('and 2 more addresses');
});

test('a running clock shows tenths of a second', () => {
  expect([0, 440, 61_250].map(formatElapsed)).toEqual(['0.0 s', '0.4 s', '61.3 s']);
});

test('ticks are written as finely as their step', () => {
  expect(formatTick(0, 500)).toBe('0');
  expect(formatTick(500, 500)).toBe('0.5 s');
  expect(formatTick(5000, 5000)).toBe('5 s');
  expect(formatTick(250, 50)).toBe('250 ms');
});

test('a change has a sign, and the finer figures the smaller it is', () => {
  expect(formatChange(0.0387)).toBe('+3.9%');
  expect(formatChange(-0.124)).toBe('−12%');
  expect(formatChange(0.0004)).toBe('+0.04%');
  expect(formatChange(-1e-9)).toBe('−0.01%');
  expect(formatChange(0)).toBe('0%');
  expect(formatChange(undefined)).toBe('–');
  expect(formatChange(Number.NaN)).toBe('–');
});

test('what has no end as a percentage is absent, also where it has one as a share', () => {
  for (const value of [1e308, -1e308, Number.POSITIVE_INFINITY]) {
    expect([formatChange(value), formatShare(value), formatChosenShare(value), formatLevel(value)]).toEqual([
      '–',
      '–',
      '–',
      '–',
    ]);
  }
});
