import { describe, expect, it } from 'vitest';
import { healthOf } from '../../src/core/health/index.ts';
import { visitOf } from '../../src/core/measure.ts';
import type { ScriptError, ShownPage } from '../../src/model/health.ts';
import type { DomChange, Recording } from '../../src/model/recording/recording.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../support/scripted.ts';

const CONTENT: Scripted = { path: '/content', from: 50, to: 200 };
const SHOWN: ShownPage = { title: 'Shop', letters: 2_000, isDrawn: true, errors: [] };

/** What is found in a page with these requests, and what else was seen of it. */
function found(requests: readonly Scripted[], seen: Partial<Recording> = {}) {
  const recording = recordingOf({ requests: page(CONTENT, ...requests), until: 6_000 });
  return healthOf(visitOf({ ...recording, ...seen }, POLICY));
}

/** The codes of what was found, with a mark on what breaks the page. */
const codes = (requests: readonly Scripted[], seen: Partial<Recording> = {}): readonly string[] =>
  found(requests, seen).map(({ code, facts }) => `${code}${facts.isBroken === true ? ' !' : ''}`);

const changed = (at: number): DomChange => ({ at, rendering: 0, paintedAt: at, attributes: false });

const failing = (path: string, how: Partial<Scripted> = {}): Scripted => ({
  path,
  from: 100,
  to: 200,
  status: 404,
  ...how,
});

describe('a request of the own site that failed', () => {
  it('breaks the page if it cannot do without', () => {
    expect(codes([failing('/app.js', { type: 'script' })])).toEqual(['broken-request !']);
    expect(codes([failing('/app.css', { type: 'stylesheet' })])).toEqual(['broken-request !']);
    expect(codes([failing('/api/items', { status: 500 })])).toEqual(['broken-request !']);
    expect(codes([failing('/api/items', { failed: true, unanswered: true })])).toEqual(['broken-request !']);
  });

  it('is told, and no more, where a page can do without', () => {
    expect(codes([failing('/banner.png', { type: 'image' })])).toEqual(['broken-request']);
    // "Not signed in" and "no basket yet" are answers.
    expect(codes([failing('/api/me', { status: 401 })])).toEqual(['broken-request']);
    expect(codes([failing('/js/analytics.js', { type: 'script' })])).toEqual(['broken-request']);
    expect(codes([failing('/api/items', { status: 503 }), { path: '/api/items', from: 300, to: 400 }])).toEqual([
      'broken-request',
    ]);
    expect(codes([failing('/api/items', { status: 500 }), { path: '/cdn/items.json', from: 210, to: 400 }])).toEqual([
      'broken-request',
    ]);
  });

  it('is coped with where the film shows that a script shows something else then', () => {
    const down = failing('/api/items', { status: 500 });
    expect(codes([down], { domChanges: [changed(40), changed(230)] })).toEqual(['broken-request']);
    expect(codes([down], { domChanges: [changed(40), changed(900)] })).toEqual(['broken-request !']);
  });

  it.each(['/favicon.ico', '/apple-touch-icon.png', '/app.webmanifest', '/app.js.map'])(
    'is nothing if it is %s',
    (path) => {
      expect(codes([failing(path, { type: 'other' })])).toEqual([]);
    },
  );
});

it('what other sites did not send is told, and breaks nothing by itself', () => {
  const recording = recordingOf({ requests: page(CONTENT, failing('/tag.js', { type: 'script' })), until: 6_000 });
  const events = recording.events.map((event) =>
    event.kind === 'request' && event.url === `${ORIGIN}/tag.js` ? { ...event, url: 'https://ads.test/tag.js' } : event,
  );
  expect(healthOf(visitOf({ ...recording, events }, POLICY))).toEqual([
    {
      code: 'third-party-failed',
      urls: ['https://ads.test/tag.js'],
      facts: expect.objectContaining({ requests: 1, isBroken: false }),
    },
  ]);
});

it('what the own policy of the page refuses is its own fault', () => {
  const recording = recordingOf({
    requests: page(CONTENT, failing('/lib.js', { type: 'script', failed: true, unanswered: true })),
    until: 6_000,
  });
  const events = recording.events.map((event) => {
    if (event.kind === 'request' && event.url === `${ORIGIN}/lib.js`)
      return { ...event, url: 'https://cdn.test/lib.js' };
    return event.kind === 'failed' ? { ...event, blockedReason: 'blocked (csp)' } : event;
  });
  expect(healthOf(visitOf({ ...recording, events }, POLICY))).toMatchObject([
    { code: 'broken-request', urls: ['https://cdn.test/lib.js'], facts: { isBroken: true } },
  ]);
});

describe('an error that no script caught', () => {
  const thrown = (message: string, url?: string): ScriptError => ({ at: 300, message, ...(url && { url, line: 3 }) });
  const errors = (...scriptErrors: ScriptError[]) => codes([], { scriptErrors });

  it('breaks the page if it is of its own scripts, and is told once', () => {
    const error = thrown('TypeError: x is undefined', `${ORIGIN}/app.js`);
    expect(found([], { scriptErrors: [error, error] })).toEqual([
      {
        code: 'script-error',
        urls: [`${ORIGIN}/app.js`],
        facts: { message: error.message, errors: 2, url: error.url, line: 3, isBroken: true },
      },
    ]);
    expect(errors(thrown('Error: no'))).toEqual(['script-error !']);
  });

  it.each([
    ['TypeError: no', 'https://ads.test/tag.js'],
    ['ReferenceError: gtag is not defined', `${ORIGIN}/`],
    ['ReferenceError: dataLayer is not defined', `${ORIGIN}/`],
  ])('%s of %s breaks nothing', (message, url) => {
    expect(errors(thrown(message, url))).toEqual(['script-error']);
  });

  it.each([
    'AbortError: signal is aborted without reason',
    'NotAllowedError: play() failed',
    'ResizeObserver loop completed with undelivered notifications.',
  ])('is none: %s', (message) => {
    expect(errors(thrown(message, `${ORIGIN}/app.js`))).toEqual([]);
  });
});

describe('what is seen', () => {
  const shows = (shown: Partial<ShownPage>, requests: readonly Scripted[] = []) =>
    codes(requests, { shown: { ...SHOWN, ...shown } });
  const text = (said: string, how: Partial<ShownPage['errors'][number]> = {}) => [
    { text: said, isMarked: false, isHeading: false, ...how },
  ];

  it('a blank page', () => {
    expect(shows({ letters: 0, isDrawn: false })).toEqual(['blank-page !']);
    expect(shows({ letters: 0, isDrawn: true })).toEqual([]);
  });

  it('a login page, where something else was asked for', () => {
    const at = (finalUrl: string, shown: Partial<ShownPage> = {}) =>
      codes([], {
        shown: { ...SHOWN, letters: 120, asksPassword: true, ...shown },
        page: { finalUrl, title: '', longTasks: [], layoutShifts: [] },
      });
    expect(at(`${ORIGIN}/login?next=%2F`)).toEqual(['login-page']);
    expect(at(`${ORIGIN}/#/login`)).toEqual(['login-page']);
    expect(at(`${ORIGIN}/`)).toEqual([]);
    expect(at(`${ORIGIN}/en`, { letters: 4_000 })).toEqual([]);
  });

  it('a page that is an error page', () => {
    const said = ['500 Internal Server Error', '404 – Page not found', 'Something went wrong', 'Cannot GET /shop'];
    for (const each of said) expect(shows({ letters: 80, errors: text(each) }), each).toEqual(['error-page !']);
    expect(shows({ letters: 400, errors: text('Application error: a client-side exception has occurred') })).toEqual([
      'error-shown !',
    ]);
  });

  it('an error message within a page, if it is marked up as one or there was a reason', () => {
    const said = text('Failed to load API definition.');
    expect(shows({ errors: text('Failed to load API definition.', { isMarked: true }) })).toEqual(['error-shown !']);
    expect(shows({ errors: said }, [failing('/api', { status: 404 })])).toEqual(['error-shown !', 'broken-request']);
    expect(shows({ errors: said })).toEqual([]);
  });

  it('no error where a text only mentions one', () => {
    for (const each of [
      'How to handle errors',
      'This shirt is currently unavailable',
      '500 tips for gardeners',
      'Sorry, we are closed on Sundays',
    ]) {
      expect(shows({ letters: 80, errors: text(each, { isHeading: true }) }), each).toEqual([]);
    }
    const long = `Failed to load is what it says when ${'a '.repeat(100)}`;
    expect(shows({ errors: text(long, { isMarked: true }) })).toEqual([]);
  });
});

it('a script in the document that the page forbids breaks it, a style does not', () => {
  expect(codes([], { policyViolations: [{ directive: 'script-src-elem' }, { directive: 'style-src-attr' }] })).toEqual([
    'blocked-by-policy !',
    'blocked-by-policy',
  ]);
});
