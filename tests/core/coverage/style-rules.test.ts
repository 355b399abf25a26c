import { expect, it } from 'vitest';
import { styleRules } from '../../../src/core/coverage/style-rules.ts';

const rulesIn = (text: string): string[] => styleRules(text).map(({ from, to }) => text.slice(from, to));

it('finds rules, also in groups, and no fonts, animations or imports', () => {
  const text = `/* a { } */ @charset "utf-8"; @import url(x.css;y);
    @font-face { font-family: a; src: url(a.woff) }
    .a { color: red }
    @media (min-width: 1px) { .b { top: 0 } @supports (display: grid) { .c{} } }
    @keyframes k { from { top: 0 } to { top: 1px } }
    @layer x, y; @layer x { .d {} }
    .e { & .f { left: 0 } }`;
  expect(rulesIn(text)).toEqual(['.a { color: red }', '.b { top: 0 }', '.c{}', '.d {}', '.e { & .f { left: 0 } }']);
});

it('is not misled by braces in strings, comments, addresses and escapes', () => {
  const text = `.a::before{content:"}{\\""}/* } */.b\\{{background:url(data:x;}{)}.c{content:'{'}`;
  expect(rulesIn(text)).toEqual(['.a::before{content:"}{\\""}', '.b\\{{background:url(data:x;}{)}', ".c{content:'{'}"]);
});

it('reads to the end of what is cut off', () => {
  expect(rulesIn('.a{color:red')).toEqual(['.a{color:red']);
  expect(rulesIn('}}.a{}')).toEqual(['.a{}']);
  expect(rulesIn('/* open')).toEqual([]);
  expect(rulesIn('"open { }')).toEqual([]);
});

it('takes long strings and deep blocks', () => {
  expect(rulesIn(`.a{b:url("${'x\\"'.repeat(200_000)}")}`)).toHaveLength(1);
  expect(rulesIn('{'.repeat(100_000))).toHaveLength(1);
  expect(rulesIn('@media x{'.repeat(50_000))).toHaveLength(0);
});
