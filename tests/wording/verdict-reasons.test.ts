import { expect, it } from 'vitest';
import type { VerdictReason } from '../../src/model/reason.ts';
import { overrulingInWords, verdictReasonInWords } from '../../src/wording/verdict-reasons.ts';

const from = { timer: 'setInterval', file: 'app.js', line: 41 };
const film = { times: 9, movingParts: false };

/** One reason of each code with today's text; a code that is added is asked for here. */
const REASONS: {
  readonly [C in VerdictReason['code']]: readonly [Extract<VerdictReason, { readonly code: C }>, string];
} = {
  'asked-repeatedly': [
    { code: 'asked-repeatedly', times: 11, period: 1_000, deviation: 12, from, size: { bytes: 38, same: true } },
    'requested 11 times, every 1.00 s ± 12 ms, from a timer (setInterval) in app.js:41, 38 B each',
  ],
  'answer-held-back': [
    { code: 'answer-held-back', times: 3, held: 1_600, from: { file: '', line: 7 } },
    'requested 3 times, answered only after about 1.60 s and then requested again at once, from the page:7',
  ],
  'replaces-itself': [
    { code: 'replaces-itself', pieces: 1 },
    'a response that keeps replacing itself (multipart/x-mixed-replace), 1 piece so far',
  ],
  'endless-answer': [
    { code: 'endless-answer', open: 2_400, pieces: 4, every: 500 },
    'open for 2.40 s without a length or an end, 4 pieces, one every 500 ms',
  ],
  'opened-again': [
    { code: 'opened-again', times: 4, pieces: 12 },
    'a stream that was opened again as soon as it had ended, 4 times in all, 12 pieces',
  ],
  'silent-answer': [
    { code: 'silent-answer', open: 9_000, silence: 6_000, bytes: 1_500 },
    'open for 9.00 s without a length or an end, 1.5 kB arrived, then nothing for 6.00 s',
  ],
  'keeps-failing': [
    { code: 'keeps-failing', times: 3, within: 5_000, status: 503, period: 2_000 },
    'failed 3 times in 5.00 s (503) and was repeated, usually after 2.00 s',
  ],
  ping: [{ code: 'ping' }, 'sent by sendBeacon or a ping'],
  'csp-report': [{ code: 'csp-report' }, 'a CSP report'],
  keepalive: [{ code: 'keepalive' }, 'sent with keepalive, which lets it outlive the page'],
  'no-content': [{ code: 'no-content', status: 204 }, 'answered with 204, without a body'],
  'own-cache': [
    { code: 'own-cache', what: 'cache' },
    'fetched by a service worker while nothing on the page waited for it',
  ],
  'tracking-pixel': [
    { code: 'tracking-pixel', bytes: 43, from: { timer: 'setTimeout' } },
    'an image of 43 B that no markup names, from a timer (setTimeout)',
  ],
  'read-event-stream': [
    { code: 'read-event-stream', type: 'fetch', pieces: 2 },
    'a stream of type text/event-stream read through fetch, 2 pieces, still open',
  ],
  'event-source': [
    { code: 'event-source', messages: 3, state: 'came-back' },
    'an EventSource with 3 messages, which came back after it had ended',
  ],
  'web-socket': [{ code: 'web-socket', messages: 1 }, 'a WebSocket with 1 message'],
  'web-transport': [{ code: 'web-transport' }, 'a WebTransport session'],
  'fetched-ahead': [{ code: 'fetched-ahead' }, 'fetched ahead for a page that may come next'],
  played: [{ code: 'played' }, 'fetched by the browser for a player'],
  'played-by-script': [
    { code: 'played-by-script', mimeType: '' },
    'a segment or a playlist, fetched by the script of a player',
  ],
  'browser-own': [{ code: 'browser-own', what: 'icon' }, 'the icon of the tab, fetched by the browser for itself'],
  hung: [{ code: 'hung', answered: false, silence: 20_000 }, 'never answered in 20.00 s, and nothing waited for it'],
  'in-repeated-frame': [{ code: 'in-repeated-frame' }, 'loaded by a frame that is itself loaded again and again'],
  preflight: [{ code: 'preflight' }, 'the preflight of a background request'],
  redirect: [{ code: 'redirect' }, 'belongs to the redirect of a background request'],
  named: [{ code: 'named', pattern: '/chat' }, 'matches --background /chat'],
  supposed: [{ code: 'supposed' }, 'treated as background'],
  'nothing-came': [{ code: 'nothing-came' }, 'nothing arrived from it'],
  'not-filmed': [{ code: 'not-filmed' }, 'nothing of it arrived'],
  'no-change': [
    { code: 'no-change', times: 17, unclear: 2, movingParts: true },
    'it arrived 17 times, and the screen changed after none of them; twice it did change, but other responses arrived with it, without the parts that move by themselves',
  ],
  'too-late': [{ code: 'too-late', times: 1 }, 'it arrived once, too late in the film to see its effect'],
  'before-film': [{ code: 'before-film', times: 2 }, 'it arrived twice, the first time before the film started'],
  'with-others': [
    { code: 'with-others', times: 9 },
    'it arrived 9 times, together with other responses when the screen changed, so it is not clear which one changed it',
  ],
  'too-dense': [
    { code: 'too-dense', times: 9 },
    'it arrived 9 times, so often that every change of the screen follows one of them, whatever its cause',
  ],
  'maybe-chance': [
    { code: 'maybe-chance', times: 9, changed: 2 },
    'it arrived 9 times, and the screen changed after 2 of them, which may be chance',
  ],
  'keeps-changing': [
    { code: 'keeps-changing', changed: 8, late: 6, ...film },
    'it arrived 9 times, and the screen kept changing with it: after 8 of them, 6 since the page was complete',
  ],
  'changed-at-first': [
    { code: 'changed-at-first', upTo: 1, after: 8, ...film },
    'it arrived 9 times, and the screen changed after the first, and after none of the 8 that followed',
  ],
  'same-without-it': [{ code: 'same-without-it' }, 'the page looks the same without it'],
  'different-without-it': [{ code: 'different-without-it' }, 'the page looks different without it'],
  'held-back': [{ code: 'held-back' }, 'blocked'],
  done: [{ code: 'done' }, 'requested several times, then finished'],
  'answered-late': [{ code: 'answered-late', after: 12_000 }, 'answered after 12.00 s: it is slow'],
  'another-each-time': [
    { code: 'another-each-time', times: 4, period: 2_000, from },
    'another address requested each time, 4 times, every 2.00 s, from a timer (setInterval) in app.js:41',
  ],
  'fills-place': [{ code: 'fills-place' }, 'it filled an empty place on the screen'],
  'read-from-cache': [{ code: 'read-from-cache' }, 'the page read it from the cache of its service worker'],
  ended: [{ code: 'ended' }, 'a stream that ended'],
  'content-in-runs': [{ code: 'content-in-runs', runs: 1, of: 2 }, 'content in 1 of 2 runs that saw enough of it'],
  'in-runs': [
    { code: 'in-runs', reason: { code: 'ping' }, runs: 2, of: 4 },
    'sent by sendBeacon or a ping (in 2 of 4 runs)',
  ],
  'in-build': [
    { code: 'in-build', reason: { code: 'ping' }, build: 'candidate' },
    'sent by sendBeacon or a ping (seen in the candidate)',
  ],
  'in-evidence-run': [
    { code: 'in-evidence-run', reason: { code: 'ping' } },
    'sent by sendBeacon or a ping (in the evidence run)',
  ],
  recorded: [{ code: 'recorded', text: 'every 1 s' }, 'every 1 s'],
};

it.each(Object.entries(REASONS))('%s', (_, [reason, text]) => {
  expect(verdictReasonInWords(reason)).toBe(text);
});

it('says it otherwise where less, or something else, was seen', () => {
  const say = verdictReasonInWords;
  expect(say({ code: 'asked-repeatedly', times: 3, period: 500, deviation: 0, size: { bytes: 40, same: false } })).toBe(
    'requested 3 times, every 500 ms ± 0 ms, about 40 B each',
  );
  expect(say({ code: 'asked-repeatedly', times: 6, period: 4_000, deviation: 3_000 })).toBe(
    'requested 6 times, in pauses of about 1.00 s to 7.00 s',
  );
  expect(say({ code: 'silent-answer', open: 9_000, silence: 9_000 })).toMatch(/, nothing arrived after its headers$/);
  expect(say({ code: 'hung', answered: true, silence: 20_000 })).toBe(
    'answered, then silent for 20.00 s without an end',
  );
  expect(say({ code: 'browser-own', what: 'manifest' })).toMatch(/^the web app manifest,/);
  expect(say({ code: 'no-change', times: 1, unclear: 0, movingParts: false })).toBe(
    'it arrived once, and the screen did not change',
  );
  expect(say({ code: 'changed-at-first', upTo: 3, after: 0, ...film })).toMatch(/changed up to number 3$/);
  const file = `${'a'.repeat(50)}-${'b'.repeat(50)}.js`;
  expect(say({ code: 'keepalive', from: { file, line: 1 } })).toMatch(/, from a{30}…b{26}\.js:1$/);
});

it('names who overruled a detector', () => {
  expect(overrulingInWords({ code: 'foreground', pattern: '/chat' })).toBe('--foreground /chat');
  expect(overrulingInWords({ code: 'different-without-it' })).toBe('the page looks different without it');
});
