import { expect, it } from 'vitest';
import { blockersOf, blockingSentence, calledInWords, unreadMapsSentences } from '../../src/wording/main-thread.ts';

const APP = 'https://shop.test/app.min.js';
const source = { file: 'src/app.ts', line: 4, name: 'sumPrices' };

it.each([
  [{ url: APP, name: 'o' }, 'o in app.min.js'],
  [{ url: APP, name: 'draw', place: { line: 3, column: 7 } }, 'draw (app.min.js:3)'],
  [{ url: APP, name: 'o', place: { line: 1, column: 90, source } }, 'sumPrices (src/app.ts:4) in app.min.js'],
  [
    { url: APP, invoker: 'Window.fetch.then', place: { line: 1, column: 90, source: { file: 'src/app.ts', line: 9 } } },
    'Window.fetch.then (src/app.ts:9) in app.min.js',
  ],
  [{ url: '', name: 'o' }, 'o in a script without an address'],
])('what was called: %j', (called, words) => {
  expect(calledInWords(called)).toBe(words);
});

it('names what blocked input, the longest first', () => {
  const blockingScripts = [
    { url: APP, ms: 90, blocking: 10, forced: 0 },
    { url: 'https://cdn.test/v.js', ms: 80, blocking: 30, forced: 0, longest: { ms: 70, name: 'render' } },
    { url: 'https://cdn.test/w.js', ms: 8, blocking: 0.4, forced: 0 },
  ];
  expect(blockingSentence(blockersOf({ blockingScripts }))).toBe(
    'In the timed run that is shown, scripts blocked input for 40 ms: v.js 30 ms (render in v.js) and app.min.js 10 ms.',
  );
  const nameless = [{ url: '', ms: 90, blocking: 40, forced: 0, longest: { ms: 90, invoker: 'FrameRequestCallback' } }];
  expect(blockingSentence(nameless)).toMatch(/: a script without an address 40 ms \(FrameRequestCallback\)\.$/);
  expect(blockersOf(undefined)).toEqual([]);
});

it('says once for all scripts why maps were not read, and what to do', () => {
  const map = 'app.min.js.map';
  expect(unreadMapsSentences([])).toEqual([]);
  expect(unreadMapsSentences([{ url: APP, map, reason: { code: 'not-asked' } }])).toEqual([
    'app.min.js names a source map: with --source-maps, functions have the names and lines of the source.',
  ]);
  expect(
    unreadMapsSentences([
      { url: APP, map, reason: { code: 'status', status: 404 } },
      { url: 'https://cdn.test/v.js', map: 'v.map', reason: { code: 'no-map' } },
    ]),
  ).toEqual([
    '2 source maps could not be read: app.min.js.map of app.min.js (status 404) and v.map of v.js (what is there is no source map). So these functions have the names and lines of the built script. Serve each map where the script names it, at least for measuring.',
  ]);
});
