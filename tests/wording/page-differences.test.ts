import { expect, it } from 'vitest';
import type { PageDifferenceFact } from '../../src/model/page-difference.ts';
import { pageDifferenceInWords } from '../../src/wording/page-differences.ts';

const here = { n: 3, of: 18 };
const there = { n: 0, of: 12 };

const DIFFERENCES: {
  readonly [C in PageDifferenceFact['code']]: readonly [
    facts: Extract<PageDifferenceFact, { readonly code: C }>['facts'],
    message: string,
  ];
} = {
  status: [
    { build: 'base', loads: 6, failures: [{ code: 'no-answer' }] },
    'The base could not be loaded (all of its 6 loads failed: no response in time), so there is nothing to compare the candidate with.',
  ],
  failures: [
    { build: 'candidate', here, there, failures: [{ code: 'http-error', status: 500 }, { code: 'new-code' }] },
    'The candidate failed in 3 of 18 loads: HTTP 500, new-code; the base in none. The times of the successful loads say nothing about the failed ones.',
  ],
  'final-url': [
    { base: '/', candidate: '/login' },
    'The builds ended on different pages: the base at /, the candidate at /login. The figures compare two different pages.',
  ],
  title: [
    { base: 'Shop', candidate: '' },
    'The pages have different titles: “Shop” in the base, none in the candidate. Check that both show the same page.',
  ],
  blank: [
    { build: 'candidate', loads: 1 },
    'The candidate is blank: nothing was painted in its only load, unlike in the base. An empty page is fast, but not better.',
  ],
  'never-complete': [
    {
      build: 'candidate',
      here,
      there: { n: 1, of: 12 },
      url: 'https://shop.example/',
      waitingFor: [{ code: 'endpoint', endpoint: 'GET https://shop.example/slow?*' }],
    },
    'The candidate was never complete in 3 of 18 loads, waiting for GET /slow?*. The base was not complete in 1 of 12. Those loads do not count for page complete.',
  ],
  'late-content': [
    {
      build: 'candidate',
      after: 3_924,
      share: 0.062,
      urls: ['https://shop.example/api/recs'],
      url: 'https://shop.example/',
    },
    'The candidate shows content after page complete, and the base does not: /api/recs comes 3.92 s later and changes 6.2% of what is seen. It is not part of page complete; with --late-content include it is.',
  ],
  background: [
    { base: 0, candidate: 2 },
    'The builds differ in their background traffic: 2 endpoints only in the candidate. Background traffic is left out of the times.',
  ],
};

it.each(Object.entries(DIFFERENCES))('%s', (code, [facts, message]) => {
  expect(pageDifferenceInWords({ code, facts } as PageDifferenceFact)).toEqual({ code, message, facts });
});
