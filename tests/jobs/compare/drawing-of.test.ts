import { expect, it } from 'vitest';
import { drawingOf } from '../../../src/jobs/compare/measure-blocks.ts';
import type { Drawing } from '../../../src/model/completion/drawing.ts';

const both = (base: Drawing | undefined, candidate: Drawing | undefined) => {
  const sides = { base: { drawing: base }, candidate: { drawing: candidate } } as never;
  return { base: drawingOf('base', { sides }), candidate: drawingOf('candidate', { sides }) };
};

it('films both builds when one of them draws late', () => {
  const { base, candidate } = both({ late: false }, { late: true, after: 900 });
  expect(base).toEqual({ late: true });
  expect(candidate).toEqual({ late: true, after: 900 });
});

it('dates both by their documents, alike, when one of them draws at once', () => {
  const { base, candidate } = both({ late: false, within: 300, ticking: ['b.clock'] }, { late: false, within: 400 });
  expect(base).toEqual({ late: false, within: 400, ticking: ['b.clock'] });
  expect(candidate).toEqual(base);
  expect(both({ late: false, within: 300 }, undefined).candidate).toEqual({ late: false, within: 300 });
});

it('dates neither so where one cannot tell', () => {
  const { base, candidate } = both({ late: false, within: 300 }, { late: false, restless: true });
  expect(base).toEqual({ late: false });
  expect(candidate).toEqual({ late: false, restless: true });
});
