import { expect, it } from 'vitest';
import type {
  ConnectionFault,
  FileShortage,
  InstallFault,
  LighthouseFault,
  ScriptFault,
} from '../../src/model/browser-fault.ts';
import {
  connectionFaultInWords,
  installFaultInWords,
  lighthouseFaultInWords,
  scriptFaultInWords,
} from '../../src/wording/browser-faults.ts';
import { loadFailure } from '../../src/wording/failure.ts';
import { messageFor } from '../../src/wording/messages.ts';

it.each<[ConnectionFault, string]>([
  [{ code: 'no-browser' }, 'what answers there is no browser'],
  [{ code: 'ended' }, 'the connection ended before the browser had shown what it can do'],
  [{ code: 'no-session' }, 'the browser gave no session'],
  [{ code: 'no-page-session' }, 'it gives nobody a session with a page'],
  [{ code: 'status', status: 200 }, 'it answered HTTP 200, and no WebSocket is there'],
  [{ code: 'status', status: 401 }, 'it answered HTTP 401: it wants a login or a token in the address'],
  [{ code: 'status', status: 403 }, 'it answered HTTP 403: it wants another login or token in the address'],
  [{ code: 'status', status: 502 }, 'it answered HTTP 502'],
  [{ code: 'silent', limit: 30_000 }, 'it said nothing more within 30 s'],
  [{ code: 'other-protocol' }, 'what answers there does not speak the DevTools protocol of a browser'],
  [
    { code: 'other-protocol', said: 'No free slot' },
    'what answers there does not speak the DevTools protocol of a browser: No free slot',
  ],
  [
    { code: 'no-root-session', why: 'Not allowed' },
    'it gives nobody a session with the whole browser, as the address of a page does not: Not allowed',
  ],
  [{ code: 'no-context', why: 'Not allowed' }, 'it gives nobody a page in a context of its own: Not allowed'],
])('a running browser: %j', (fault, text) => {
  expect(connectionFaultInWords(fault)).toBe(text);
});

it.each<[InstallFault, string]>([
  [{ code: 'no-build', platform: 'sunos', architecture: 'x64' }, 'no Chrome for Testing is made for sunos x64'],
  [{ code: 'no-stable-build', url: 'https://e.test/' }, 'https://e.test/ names no stable build'],
  [{ code: 'no-browser-inside', url: 'https://e.test/' }, 'the archive at https://e.test/ holds no browser'],
  [{ code: 'empty', url: 'https://e.test/' }, 'https://e.test/ is empty'],
  [{ code: 'status', url: 'https://e.test/', status: 404 }, 'HTTP 404 from https://e.test/'],
  [{ code: 'cut', url: 'https://e.test/', received: 5, total: 9 }, '5 of 9 bytes came from https://e.test/'],
])('an installation: %j', (fault, text) => {
  expect(installFaultInWords(fault)).toBe(text);
});

it.each<[ScriptFault, string]>([
  [{ code: 'late', limit: 1_540 }, 'it was not over after 1.5 s (--script-timeout)'],
  [{ code: 'over' }, 'the script is over'],
  [{ code: 'step-unnamed' }, 'a step needs a name: step("open the menu", async () => …)'],
  [{ code: 'step-without-action', step: 'buy' }, 'the step "buy" needs a function: step("buy", async () => …)'],
  [{ code: 'step-twice', step: 'buy' }, 'two steps are called "buy"'],
  [
    { code: 'step-inside-another', step: 'buy' },
    'the step "buy" begins inside another one: wait for each, await step(…)',
  ],
])('a script: %j', (fault, text) => {
  expect(scriptFaultInWords(fault)).toBe(text);
});

it('says in which part a script failed, and where the page was', () => {
  expect(messageFor('script-failed', { path: 'a.js:3', scriptPart: 'before', detail: 'no' })).toBe(
    'a.js:3 failed in before(): no.',
  );
  expect(
    messageFor('script-failed', { path: 'a.js', scriptPart: { step: 'buy' }, detail: 'no', url: 'https://e.test/' }),
  ).toBe('a.js failed in the step "buy": no. The page was at https://e.test/.');
});

it.each<[LighthouseFault, string]>([
  [{ code: 'not-chrome' }, 'it needs Chrome'],
  [{ code: 'browser-died' }, 'the browser died'],
  [{ code: 'no-result' }, 'it gave no result'],
  [{ code: 'late', limit: 175_000 }, 'it took longer than 175 s'],
  [{ code: 'thrown', why: 'PAGE_HUNG' }, 'PAGE_HUNG'],
])('Lighthouse: %j', (fault, text) => {
  expect(lighthouseFaultInWords(fault)).toBe(text);
});

it('says why a browser crashed, as far as that is known', () => {
  const url = 'https://e.test/';
  const advice = (details: { shortage?: FileShortage } = {}): string =>
    messageFor('browser-died', { url, ...details }).replace(/^.*\(two attempts\)\. /, '');
  expect(advice()).toBe("Check in the system's log whether memory ran out.");
  expect(advice({ shortage: { isReached: true } })).toMatch(/^It had too many open files\. Allow more /);
  expect(advice({ shortage: { isReached: false, limit: 100 } })).toMatch(
    /^It may have had too many open files \(ulimit -n 100\)\. Allow more /,
  );
});

it('says what came instead of a page', () => {
  const url = 'https://e.test/';
  const { message } = loadFailure({ code: 'redirect-loop', url, replaced: 20 });
  expect(message).toMatch(/^https:\/\/e\.test\/ redirects in a loop \(the page replaced itself 20 times\)\./);
  expect(loadFailure({ code: 'not-a-page', url, isDownload: true }).message).toMatch(/ is not a page but a download\./);
});
