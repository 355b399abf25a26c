import { expect, it } from 'vitest';
import type { MainThreadFact } from '../../src/model/result/finding.ts';
import {
  blockersOf,
  blockingSentence,
  calledInWords,
  mainThreadFinding,
  unreadMapsSentences,
} from '../../src/wording/main-thread.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../support/approved.ts';

const APP = 'https://shop.test/app.min.js';
const source = { file: 'src/app.ts', line: 4, name: 'sumPrices' };

const place = { line: 1, column: 90 };
const CALLED = [
  { url: APP, name: 'o' },
  { url: APP, name: 'draw', place: { line: 3, column: 7 } },
  { url: APP, name: 'o', place: { ...place, source } },
  { url: APP, invoker: 'Window.fetch.then', place: { ...place, source: { file: 'src/app.ts', line: 9 } } },
  { url: '', name: 'o' },
];
const blockingScripts = [
  { url: APP, ms: 90, blocking: 10, forced: 0 },
  { url: 'https://cdn.test/v.js', ms: 80, blocking: 30, forced: 0, longest: { ms: 70, name: 'render' } },
  { url: 'https://cdn.test/w.js', ms: 8, blocking: 0.4, forced: 0 },
];
const nameless = { url: '', ms: 90, blocking: 40, forced: 0, longest: { ms: 90, invoker: 'FrameRequestCallback' } };
const map = 'app.min.js.map';
const urls = [APP];
const code = { url: APP, name: 'draw', line: 3, column: 7 };
const FINDINGS: Samples<MainThreadFact> = {
  'layout-thrashing': [
    { urls, facts: { layouts: 80, ms: 120 } },
    { urls, facts: { layouts: 80, ms: 120, place: code } },
  ],
  'long-style-recalculation': [
    { urls, facts: { times: 3, ms: 90 } },
    { urls, facts: { times: 3, ms: 90, elements: 4_000, place: code } },
  ],
  'large-document-parse': [
    { urls, facts: { times: 3, ms: 60 } },
    { urls, facts: { times: 3, ms: 60, lines: 9_000 } },
  ],
};

it('what the main thread did is approved', () =>
  expectApproved(
    'wording/main-thread',
    outlined({
      'what was called': CALLED.map(calledInWords),
      'what blocked input, the longest first': blockingSentence(blockersOf({ blockingScripts })),
      'a script without an address blocked it': blockingSentence([nameless]),
      'it was busy with': wordsOf(FINDINGS, mainThreadFinding),
      'no map was read': {
        'none is there': unreadMapsSentences([]),
        'nobody asked': unreadMapsSentences([{ url: APP, map, reason: { code: 'not-asked' } }]),
        'two could not be': unreadMapsSentences([
          { url: APP, map, reason: { code: 'status', status: 404 } },
          { url: 'https://cdn.test/v.js', map: 'v.map', reason: { code: 'no-map' } },
        ]),
      },
    }),
  ));

it('nothing blocked where nothing is known', () => {
  expect(blockersOf(undefined)).toEqual([]);
});
