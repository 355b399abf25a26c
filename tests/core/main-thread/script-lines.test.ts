import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scriptLines } from '../../../src/core/main-thread/script-lines.ts';

it.each([
  ['run()', 0, { line: 1, column: 1 }],
  ['a\nbc', 3, { line: 2, column: 2 }],
  ['a\r\nb', 3, { line: 2, column: 1 }],
  ['a\rb\u2028c\u2029d', 6, { line: 4, column: 1 }],
  // Of a character outside of the basic plane there are two.
  ['"\u{1F600}";f', 5, { line: 1, column: 6 }],
  ['\uFEFFa\nb', 2, { line: 2, column: 1 }],
  ['', 0, { line: 1, column: 1 }],
])('in %j, character %i is at %j', (text, position, place) => {
  expect(scriptLines(text)(position)).toEqual(place);
});

it('knows nothing of what lies beyond a script', () => {
  expect(scriptLines('a\nb')(4)).toBeUndefined();
});

it('counts as somebody does who goes through the lines', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r', ' ') });
  fc.assert(
    fc.property(texts, fc.nat(), (text, any) => {
      const position = any % (text.length + 1);
      // Between the two characters of a line's end is still the line that they end.
      const lines = text
        .slice(0, position)
        .replace(/\r(?=$)/, text[position] === '\n' ? ' ' : '\r')
        .split(/\r\n|[\n\r]/);
      expect(scriptLines(text)(position)).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
    }),
  );
});
