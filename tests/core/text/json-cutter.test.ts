import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCutter, placeBeforeCuts } from '../../../src/core/text/json-cutter.ts';
import { readJson } from '../../../src/core/text/read-json.ts';

/** What is passed on of a text that comes in pieces of this size. */
function passed(text: string, longest: number, size = 7) {
  const cutter = new JsonCutter(longest);
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(...cutter.pass(bytes.subarray(at, at + size)));
  return { text: Buffer.concat(parts).toString(), cuts: cutter.cuts, opened: cutter.opened };
}

describe('JSON that is passed on', () => {
  it('has its long texts cut, and all else as it was', () => {
    expect(passed('{"a":"0123456789","b":[1,"short","\\\\\\"{"]}', 6)).toEqual({
      text: '{"a":"012345…","b":[1,"short","\\\\\\"{"]}',
      cuts: [{ at: 13, left: 3 }],
      opened: 2,
    });
  });

  it('is cut neither within an escape nor within a letter', () => {
    for (let longest = 1; longest < 20; longest += 1) {
      for (const text of ['\u0001\n"\\é漢😀é"\\', '\\\\\\\\\\\\\\', '"""""""', '😀😀😀😀', '\u001f\u001f\u001f']) {
        const { text: left } = passed(JSON.stringify([text, 'next']), longest, 3);
        const [first, second] = JSON.parse(left);
        expect(text.startsWith(first.replace(/…$/, ''))).toBe(true);
        expect(second.startsWith('next'.slice(0, longest))).toBe(true);
      }
    }
  });

  it('is the same in pieces of any size, and the same where nothing is long', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 30 }),
        (value, size, longest) => {
          const text = JSON.stringify(value);
          expect(passed(text, longest, size)).toEqual(passed(text, longest, 1_000_000));
          expect(passed(text, 1_000_000, size).text).toBe(text);
          JSON.parse(passed(text, longest, size).text);
        },
      ),
    );
  });

  it('still shows where the whole is wrong', () => {
    for (const text of [
      '{"a":"0123456789",\n"b":"0123456789","é":"😀😀😀😀", oops}',
      '["0123456789\n", oops]',
      '["01234567',
      '"0123456789"x',
    ]) {
      const whole = readJson(text);
      const { text: left, cuts } = passed(text, 6);
      const read = readJson(left);
      if (read.ok || whole.ok) throw new Error('it is broken');
      expect(placeBeforeCuts(read, left, cuts)).toEqual(whole);
    }
  });
});
