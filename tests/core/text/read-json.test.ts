import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/core/text/read-json.ts';

const fault = (text: string): string => {
  const read = readJson(text);
  return read.ok ? 'ok' : `${read.line}:${read.column} ${read.problem}`;
};

describe('readJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
      { seed: 7 },
    );
  });

  it.each([
    ['{"log": {"entries": [', '1:22 it ends where a value is expected'],
    ['{"log": {"ent', '1:10 it ends in the middle of a string'],
    ['{\n  "time": NaN }', '2:11 NaN is not JSON, write null or −1'],
    ['[-Infinity]', '1:2 -Infinity is not JSON, write null or −1'],
    ['{"a": 1,}', '1:9 expected a property name in double quotes before "}"'],
    ["{'a': 1}", '1:2 expected a property name in double quotes before "\'"'],
    ['{"a" 1}', '1:6 expected a colon before "1"'],
    ['[1 2]', '1:4 expected a comma or "]" before "2"'],
    ['{"a": 1]', '1:8 expected a comma or "}" before "]"'],
    ['[1]\n]', '2:1 something after the end'],
    ['["a\nb"]', '1:2 a string with a character that is not allowed in it'],
    ['["\\x"]', '1:2 a string with a character that is not allowed in it'],
    ['<html>', '1:1 expected a value before "<"'],
    ['', '1:1 it ends where a value is expected'],
  ])('%j', (text, told) => {
    expect(fault(text)).toBe(told);
  });

  it('finds a place in whatever JSON.parse refuses', () => {
    const pieces = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', 'null', '\\', '\n', ' '),
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        const read = readJson(text);
        if (read.ok) return;
        expect(read.line).toBeGreaterThan(0);
        expect(read.column).toBeGreaterThan(0);
      }),
      { seed: 7, numRuns: 2000 },
    );
  });

  it('is not brought down by depth or length', () => {
    expect(fault('['.repeat(200_000))).toMatch(/it ends where a value is expected/);
    expect(fault(`["${'\\n'.repeat(1_000_000)}`)).toBe('1:2 it ends in the middle of a string');
  });
});
