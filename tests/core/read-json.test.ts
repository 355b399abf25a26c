import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../src/core/read-json.ts';
import { jsonFaultInWords } from '../../src/wording/json-faults.ts';

const fault = (text: string): string => {
  const read = readJson(text);
  return read.ok ? 'ok' : `${read.line}:${read.column} ${jsonFaultInWords(read.fault)}`;
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
    ['{"log": {"entries": [', '1:22 it ends in the middle, where a value has to come'],
    ['{"log": {"ent', '1:10 it ends in the middle of a text'],
    ['{\n  "time": NaN }', '2:11 NaN is no JSON, write null or −1'],
    ['[-Infinity]', '1:2 -Infinity is no JSON, write null or −1'],
    ['{"a": 1,}', '1:9 "}" where a name in double quotes has to come'],
    ["{'a': 1}", '1:2 "\'" where a name in double quotes has to come'],
    ['{"a" 1}', '1:6 "1" where a colon has to come'],
    ['[1 2]', '1:4 "2" where a comma or "]" has to come'],
    ['{"a": 1]', '1:8 "]" where a comma or "}" has to come'],
    ['[1]\n]', '2:1 something after the end'],
    ['["a\nb"]', '1:2 a text that holds what it must not'],
    ['["\\x"]', '1:2 a text that holds what it must not'],
    ['<html>', '1:1 "<" where a value has to come'],
    ['', '1:1 it ends in the middle, where a value has to come'],
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
    expect(fault('['.repeat(200_000))).toMatch(/it ends in the middle/);
    expect(fault(`["${'\\n'.repeat(1_000_000)}`)).toBe('1:2 it ends in the middle of a text');
  });
});
