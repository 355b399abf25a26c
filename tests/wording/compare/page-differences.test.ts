import { expect, it } from 'vitest';
import type { PageDifferenceFact } from '../../../src/model/compare/page-difference.ts';
import { pageDifferenceInWords } from '../../../src/wording/compare/page-differences.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const FAILURES = [
  ...['host-not-found', 'connection-refused', 'connection-failed', 'tls-invalid', 'not-a-page', 'redirect-loop'],
  ...['no-answer', 'truncated', 'page-crashed', 'page-not-opened', 'browser-died', 'browser-lost'],
];
const here = { n: 3, of: 18 };
const there = { n: 0, of: 12 };

const DIFFERENCES: {
  readonly [C in PageDifferenceFact['code']]: readonly [Extract<PageDifferenceFact, { readonly code: C }>['facts']];
} = {
  status: [{ build: 'base', loads: 6, failures: FAILURES.map((code) => ({ code })) }],
  failures: [
    { build: 'candidate', here, there, failures: [{ code: 'http-error', status: 500 }, { code: 'new-code' }] },
  ],
  'final-url': [{ base: '/', candidate: '/login' }],
  title: [{ base: 'Shop', candidate: '' }],
  blank: [{ build: 'candidate', loads: 1 }],
  'never-complete': [
    {
      build: 'candidate',
      here,
      there: { n: 1, of: 12 },
      url: 'https://shop.example/',
      waitingFor: [{ code: 'endpoint', endpoint: 'GET https://shop.example/slow?*' }],
    },
  ],
  'late-content': [
    {
      build: 'candidate',
      after: 3_924,
      share: 0.062,
      urls: ['https://shop.example/api/recs'],
      url: 'https://shop.example/',
    },
  ],
  background: [
    {
      base: 1,
      candidate: 1,
      endpoints: [
        { build: 'candidate', kind: 'poll', endpoint: 'GET https://shop.test/stock?t=*' },
        { build: 'base', kind: 'beacon', endpoint: 'POST https://stats.test/' },
      ],
    },
  ],
};

it('every difference has its words, and its figures beside them', async () => {
  const said = Object.entries(DIFFERENCES).map(([code, [facts]]) => {
    const difference = pageDifferenceInWords({ code, facts } as PageDifferenceFact);
    expect(difference).toMatchObject({ code, facts });
    return [code, difference.message];
  });
  await expectApproved('wording/page-differences', outlined(Object.fromEntries(said)));
});
