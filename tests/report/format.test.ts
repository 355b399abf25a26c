import { describe, expect, test } from 'vitest';
import type { Unit } from '../../src/model/units.ts';
import {
  formatChange,
  formatCount,
  formatInterval,
  formatLevel,
  formatShare,
  formatTick,
  formatValue,
  numberFormat,
} from '../../src/report/format.ts';

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
  expect(formatLevel(0.9375)).toBe('93 %');
  expect(formatLevel(0.95)).toBe('95 %');
  expect(formatLevel(0.57)).toBe('57 %');
  expect(formatLevel(0.9999)).toBe('99.9 %');
  expect(formatLevel(undefined)).toBe('–');
});

test('shares keep tenths where they are small', () => {
  expect([0, 0.004, 0.083, 0.66, undefined].map(formatShare)).toEqual(['0 %', '0.4 %', '8.3 %', '66 %', '–']);
});

test('counts agree with their nouns', () => {
  expect(formatCount(1, 'request')).toBe('1 request');
  expect(formatCount(0, 'request')).toBe('0 requests');
  expect(formatCount(2, 'address', 'addresses')).toBe('2 addresses');
});

test('ticks are written as finely as their step', () => {
  expect(formatTick(0, 500)).toBe('0');
  expect(formatTick(500, 500)).toBe('0.5 s');
  expect(formatTick(5000, 5000)).toBe('5 s');
  expect(formatTick(250, 50)).toBe('250 ms');
});

test('the number format can travel as source', () => {
  const travelled = new Function(`return (${numberFormat})()`)() as ReturnType<typeof numberFormat>;
  expect(travelled.value(1243, 'ms')).toBe('1.24 s');
  expect(travelled.interval(980, 1020, 'ms')).toBe('0.98–1.02 s');
});

test('a change has a sign, and the finer figures the smaller it is', () => {
  expect(formatChange(0.0387)).toBe('+3.9 %');
  expect(formatChange(-0.124)).toBe('−12 %');
  expect(formatChange(0.0004)).toBe('+0.04 %');
  expect(formatChange(-1e-9)).toBe('−0.01 %');
  expect(formatChange(0)).toBe('0 %');
  expect(formatChange(undefined)).toBe('–');
  expect(formatChange(Number.NaN)).toBe('–');
});
