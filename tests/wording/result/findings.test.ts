import { describe, expect, it } from 'vitest';
import type { FailedRequest } from '../../../src/model/health.ts';
import type { FindingFact, IncidentFact, MissingEvidence, NoteFact } from '../../../src/model/result/finding.ts';
import { failedInWords, findingInWords, findingMessage } from '../../../src/wording/result/findings.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const PAGE = 'https://shop.example/';
const SLOW = `${PAGE}slow.js?v=1`;

type Code = NoteFact['code'];
type Facts<C extends Code> = Extract<NoteFact, { code: C }>['facts'];

const failed = (url: string, how: Partial<FailedRequest>): FailedRequest => ({
  url,
  method: 'GET',
  type: 'fetch',
  isNeeded: true,
  ...how,
});

/** Findings of each code; a code that is added is asked for here. */
const SAMPLES: { readonly [C in Exclude<Code, 'evidence-missing'>]: readonly [Facts<C>, ...Facts<C>[]] } = {
  dialog: [{ type: 'confirm', accepted: false, text: 'Leave?' }],
  popup: [{ url: 'https://ads.example/' }],
  'client-redirect': [{ after: 120.4 }],
  'soft-navigation': [{ url: `${PAGE}cart` }],
  'hard-navigation': [{}],
  'cpu-not-in-workers': [{ worker: 'service-worker', cpu: 6 }],
  'network-not-in-shared-workers': [{ network: 'slow-4g' }],
  'stopped-answering': [{ silent: 5_000, isBroken: true }],
  'load-event-held': [{ firedAt: 12_000 }, {}],
  'stream-starvation': [
    { connections: 6, origin: 'https://shop.example', url: SLOW, from: 220, to: 4_200, others: 0, culprits: [PAGE] },
  ],
  'live-content': [{ endpoint: 'GET https://shop.example/clock', kind: 'sse' }],
  'broken-request': [
    { requests: 2, isBroken: true, failed: [failed(`${PAGE}api`, { status: 500 }), failed(SLOW, { status: 404 })] },
  ],
  'third-party-failed': [
    { requests: 1, isBroken: false, failed: [failed('https://ads.example/tag.js', { error: 'net::ERR_FAILED' })] },
  ],
  'script-error': [{ message: 'TypeError: x is undefined', errors: 2, url: `${PAGE}app.js`, line: 12, isBroken: true }],
  'blocked-by-policy': [
    { directive: 'script-src-elem', times: 1, isBroken: true },
    { directive: 'style-src', times: 2, isBroken: false },
  ],
  'error-shown': [{ text: 'Something went wrong', isBroken: true }],
  'error-page': [{ text: '404 Not Found', isBroken: true }],
  'blank-page': [{ isBroken: true }],
  'login-page': [{ asked: `${PAGE}account`, url: `${PAGE}login?next=account`, isBroken: false }],
  'development-server': [{ server: 'vite' }, { server: 'next' }, { server: 'webpack' }],
  'late-content': [{ requests: 1, firstAt: 3_600, firstUrl: SLOW }],
  'network-conditions-off': [{ network: 'test', rtt: { asked: 100, got: 3 }, download: { asked: 1600, got: 1300 } }],
  'network-limit-exceeded': [
    { network: 'slow-4g', download: { asked: 1_440, got: 2_850 }, lasted: 2_210, shortBy: 2_160 },
  ],
  'metric-missing': [
    {
      metric: 'checkout',
      from: 'mark:ready',
      has: [{ source: 'mark', names: ['booted'], more: 0 }],
    },
  ],
  'entries-left-out': [{ entries: 1 }, { entries: 3 }],
};

type Missing<M> = Extract<MissingEvidence, { missing: M }>;
const MISSING: { readonly [M in MissingEvidence['missing']]: readonly [Missing<M>, ...Missing<M>[]] } = {
  load: [{ missing: 'load', noDocument: true, firstRequestAt: 61_000, firedAt: 784 }],
  figures: [{ missing: 'figures', impossible: 2 }],
  'load-holder': [{ missing: 'load-holder', firedAt: 16_000, lastEndedAt: 1_000 }],
  silence: [
    { missing: 'silence', silence: 1_200, quietWindow: 3_000 },
    { missing: 'silence', quietWindow: 3_000 },
  ],
  'own-page': [{ missing: 'own-page', url: `${PAGE}cart`, at: 4_100, entries: 12 }],
  answers: [
    {
      missing: 'answers',
      endsAt: 5_000,
      questions: [{ code: 'goes-on', endpoint: `GET ${PAGE}status`, kind: 'poll' }],
    },
  ],
  'load-event': [
    { missing: 'load-event', requests: 3 },
    { missing: 'load-event' },
    ...(['playwright', 'puppeteer-har', 'proxy', 'other'] as const).map((producer) => ({
      missing: 'load-event' as const,
      producer,
    })),
  ],
  waits: [{ missing: 'waits', requests: 3 }],
  ends: [
    { missing: 'ends', urls: [SLOW] },
    { missing: 'ends', urls: [SLOW, PAGE] },
  ],
  'open-requests': [
    { missing: 'open-requests', tool: 'DevTools', endpoint: `GET ${PAGE}poll`, requests: 3, lastEndedAt: 900 },
  ],
  effect: [{ missing: 'effect', urls: [SLOW], withoutAt: 1_200 }],
  'arrival-times': [{ missing: 'arrival-times', urls: [SLOW], longerThan: 2_000 }],
};

describe('what a finding says', () => {
  const messagesOf = (code: Code, samples: readonly (readonly object[])[]) =>
    samples.flat().map((facts) => findingMessage({ code, urls: [], facts } as FindingFact, PAGE));

  it('is approved for each code', () =>
    expectApproved(
      'wording/findings',
      outlined({
        ...Object.fromEntries(
          Object.entries(SAMPLES).map(([code, facts]) => [code, messagesOf(code as Code, [facts])]),
        ),
        'evidence-missing': messagesOf('evidence-missing', Object.values(MISSING)),
      }),
    ));

  it("is explained where the error is not the server's", () => {
    const blocked = failed(`${PAGE}ads.js`, { error: 'net::ERR_BLOCKED_BY_CLIENT' });
    expect(failedInWords(blocked, PAGE)).toBe('/ads.js (blocked by an extension of the browser: record without it)');
    expect(failedInWords({ ...blocked, error: 'net::ERR_FAILED' }, PAGE)).toBe('/ads.js (net::ERR_FAILED)');
  });

  it('stands beside the code, the addresses and the figures', () => {
    const incident: IncidentFact = { code: 'popup', facts: { url: 'about:blank' } };
    expect(findingInWords({ ...incident, urls: [] }, PAGE)).toEqual({
      code: 'popup',
      message: 'The page opened a popup, which was closed: about:blank',
      urls: [],
      facts: { url: 'about:blank' },
    });
  });
});
