import { expect, it } from 'vitest';
import { drawingOf } from '../../../src/jobs/compare/measure-blocks.ts';
import type { Drawing } from '../../../src/model/completion/drawing.ts';

const both = (base: Drawing | undefined, candidate: Drawing | undefined) => {
  const sides = { base: { drawing: base }, candidate: { drawing: candidate } } as never;
  return { base: drawingOf('base', { sides }), candidate: drawingOf('candidate', { sides }) };
};

it('films both builds when one of them draws late', () => {
  const { base, candidate } = both({}, { filmed: 900 });
  expect(base).toEqual({ filmed: 0 });
  expect(candidate).toEqual({ filmed: 900 });
});

it('dates both by their documents, alike, when that of one tells', () => {
  const { base, candidate } = both({ within: 300 }, { within: 400 });
  expect(base).toEqual({ within: 400 });
  expect(candidate).toEqual(base);
  expect(both({ within: 300 }, undefined).candidate).toEqual({ within: 300 });
});
