import { describe, expect, it } from 'vitest';
import type { FindingFact, IncidentFact, MissingEvidence, NoteFact } from '../../src/model/finding.ts';
import type { FailedRequest } from '../../src/model/page-health.ts';
import { failedInWords, findingInWords, findingMessage } from '../../src/wording/findings.ts';

const PAGE = 'https://shop.example/';
const SLOW = `${PAGE}slow.js?v=1`;

type Code = NoteFact['code'];
type Sample<C extends Code> = readonly [facts: Extract<NoteFact, { code: C }>['facts'], message: string];

const failed = (url: string, how: Partial<FailedRequest>): FailedRequest => ({
  url,
  method: 'GET',
  type: 'fetch',
  isNeeded: true,
  ...how,
});

/** One finding of each code with today's text; a code that is added is asked for here. */
const SAMPLES: { readonly [C in Exclude<Code, 'evidence-missing'>]: Sample<C> } = {
  dialog: [
    { type: 'confirm', accepted: false, text: 'Leave?' },
    'The page showed a dialog (confirm), which was dismissed at once: Leave?',
  ],
  popup: [{ url: 'https://ads.example/' }, 'The page opened a popup, which was closed: https://ads.example/'],
  'client-redirect': [
    { after: 120.4 },
    'The page replaced itself by script or meta refresh after 120 ms; times count from the first request.',
  ],
  'soft-navigation': [
    { url: `${PAGE}cart` },
    'The page went to https://shop.example/cart without loading a document (a soft navigation).',
  ],
  'hard-navigation': [
    {},
    'The step opened another document. Times count from the start of the step, not from that request.',
  ],
  'cpu-not-in-workers': [
    { worker: 'service-worker', cpu: 6 },
    'The page has a service worker, and a slower CPU (6 ×) does not apply to workers: they run at the full speed of this machine.',
  ],
  'network-not-in-shared-workers': [
    { network: 'slow-4g' },
    'The page has a shared worker, and the network slow-4g does not apply to shared workers: their requests run at full speed.',
  ],
  'stopped-answering': [
    { silent: 5_000, isBroken: true },
    'The page stopped answering: a script kept its main thread busy for more than 5.00 s when the load was over, and what only the page can tell is missing.',
  ],
  'load-event-held': [
    { firedAt: 12_000 },
    'The load event fired only at 12.00 s: background requests delayed it. It does not count for page complete.',
  ],
  'stream-starvation': [
    { connections: 6, origin: 'https://shop.example', url: SLOW, from: 220, to: 4_200, others: 0, culprits: [PAGE] },
    '6 background requests used all connections to https://shop.example: /slow.js could not be sent from 220 ms to 4.20 s. Serve it over HTTP/2, or let the streams share one connection. Culprits: /.',
  ],
  'live-content': [
    { endpoint: 'GET https://shop.example/clock', kind: 'sse' },
    'GET https://shop.example/clock (sse) keeps changing the screen. Its first content counts, its updates do not.',
  ],
  'broken-request': [
    { requests: 2, isBroken: true, failed: [failed(`${PAGE}api`, { status: 500 }), failed(SLOW, { status: 404 })] },
    '2 requests of the page failed: /api (HTTP 500) and /slow.js (HTTP 404). These timings are from a page that did not load correctly: fix the failed requests first.',
  ],
  'third-party-failed': [
    { requests: 1, isBroken: false, failed: [failed('https://ads.example/tag.js', { error: 'net::ERR_FAILED' })] },
    'A request to other sites failed: https://ads.example/tag.js (net::ERR_FAILED).',
  ],
  'script-error': [
    { message: 'TypeError: x is undefined', errors: 2, url: `${PAGE}app.js`, line: 12, isBroken: true },
    'An error was not caught in /app.js:12, 2 times: TypeError: x is undefined',
  ],
  'blocked-by-policy': [
    { directive: 'script-src-elem', times: 1, isBroken: true },
    "The page's Content-Security-Policy (script-src-elem) blocked 1 script or style in its own document. Allow it with a nonce or a hash, or remove it.",
  ],
  'error-shown': [{ text: 'Something went wrong', isBroken: true }, 'The page shows an error: “Something went wrong”'],
  'error-page': [{ text: '404 Not Found', isBroken: true }, 'The page is an error page: “404 Not Found”'],
  'blank-page': [{ isBroken: true }, 'The page is blank: it shows no text, no image and nothing else.'],
  'login-page': [
    { asked: `${PAGE}account`, url: `${PAGE}login?next=account`, isBroken: false },
    '/account led to /login, which asks for a password: that page was measured. To measure what is behind it, sign in with --script, --cookie or --header.',
  ],
  'late-content': [
    { requests: 1, firstAt: 3_600, firstUrl: SLOW },
    '1 request started after page complete, the first at 3.60 s (/slow.js), after a full quiet window without requests. If users wait for this content, use a longer --quiet-window.',
  ],
  'network-conditions-off': [
    { network: 'test', rtt: { asked: 100, got: 3 }, download: { asked: 1600, got: 1300 } },
    'This run did not get the network test: 3 ms instead of 100 ms from request to response, 1.3 Mbit/s instead of 1.6 Mbit/s down. The real connection, the server or this machine is slower, or the browser does not emulate this. Do not compare this run with others.',
  ],
  'network-limit-exceeded': [
    { network: 'slow-4g', download: { asked: 1_440, got: 2_850 }, lasted: 2_210, shortBy: 2_160 },
    'More arrived than the network slow-4g allows: 2.85 Mbit/s instead of 1.44 Mbit/s for 2.21 s. The browser limits frames of other sites and service workers separately, and shared workers not at all. One line would need 2.16 s more for the same data, so times of this page may be too short.',
  ],
  'entries-left-out': [
    { entries: 1 },
    'An entry of the file could not be read, so it is not known what the page did there.',
  ],
};

const MISSING: {
  readonly [M in MissingEvidence['missing']]: readonly [Extract<MissingEvidence, { missing: M }>, string];
} = {
  load: [
    { missing: 'load', noDocument: true, firstRequestAt: 61_000, firedAt: 784 },
    'The file does not hold the load of the page: it has no document, its first request began 61.00 s after the start of the page and the load event, at 784 ms, is earlier than all that it holds. Record it from its start: in DevTools, choose "Preserve log" in the Network panel, and reload the page with the panel open.',
  ],
  figures: [
    { missing: 'figures', impossible: 2 },
    '2 parts of the file have times or sizes that cannot be, and are left out. Export the HAR again.',
  ],
  'load-holder': [
    { missing: 'load-holder', firedAt: 16_000, lastEndedAt: 1_000 },
    'The load event fired at 16.00 s, 15.00 s after the last response before it: either the page was busy, or the file does not hold what the event waited for.',
  ],
  silence: [
    { missing: 'silence', silence: 1_200, quietWindow: 3_000 },
    'The file ends 1.20 s after the last thing that the page needed, which is shorter than the quiet window of 3.00 s. Record for longer, or judge with a shorter --quiet-window.',
  ],
  'own-page': [
    { missing: 'own-page', url: `${PAGE}cart`, at: 4_100, entries: 12 },
    'After 4.10 s, the tab went on to /cart, and the file has no page for that load: 12 requests from there on are left out. To judge it, record it alone.',
  ],
  answers: [
    {
      missing: 'answers',
      endsAt: 5_000,
      questions: [{ code: 'goes-on', endpoint: `GET ${PAGE}status`, kind: 'poll' }],
    },
    'The file ends at 5.00 s, too early to see whether GET https://shop.example/status continues (poll). Record for longer, or mark it with --background.',
  ],
  'load-event': [
    { missing: 'load-event', requests: 3 },
    'The file has no pages (log.pages) and therefore no load event: all its 3 requests are treated as one load. Record until it has fired, or record with "quiesce audit".',
  ],
  waits: [
    { missing: 'waits', requests: 3 },
    "The file does not say how long the server took to answer 3 requests (timings.wait is −1), so the page was probably complete later. It has no load event either. Record with Playwright's mode: 'full'.",
  ],
  ends: [
    { missing: 'ends', urls: [SLOW] },
    'The file does not say when /slow.js ended: it is treated as still open. Record until it has ended, or mark it with --background.',
  ],
  'open-requests': [
    { missing: 'open-requests', tool: 'DevTools', endpoint: `GET ${PAGE}poll`, requests: 3, lastEndedAt: 900 },
    'DevTools leaves out requests that were open when it wrote the file: whether GET /poll, requested 3 times, was requested again after 900 ms is not in the file. If it never stops, mark it with --background.',
  ],
  effect: [
    { missing: 'effect', urls: [SLOW], withoutAt: 1_200 },
    '/slow.js counts, though it may have no effect: a file cannot show it. Without it, the page would be complete after 1.20 s. To prove it, record with "quiesce audit"; or mark it with --background.',
  ],
  'arrival-times': [
    { missing: 'arrival-times', urls: [SLOW], longerThan: 2_000 },
    'The file has no arrival times (_chunks) of /slow.js, which took longer than 2.00 s to arrive. Without them, a stream looks like a slow download, so it counts as content.',
  ],
};

describe('what a finding says', () => {
  it.each(Object.entries(SAMPLES))('%s', (code, [facts, message]) => {
    expect(findingMessage({ code, urls: [], facts } as FindingFact, PAGE)).toBe(message);
  });

  it.each(Object.values(MISSING))('evidence-missing: $missing', (facts, message) => {
    expect(findingMessage({ code: 'evidence-missing', urls: [], facts }, PAGE)).toBe(message);
  });

  it('changes with what is not known', () => {
    expect(findingMessage({ code: 'load-event-held', urls: [], facts: {} }, PAGE)).toMatch(
      /^The load event never fired:/,
    );
    const ends: MissingEvidence = { missing: 'silence', quietWindow: 3_000 };
    expect(findingMessage({ code: 'evidence-missing', urls: [], facts: ends }, PAGE)).toMatch(
      /^The file ends with the/,
    );
  });

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
