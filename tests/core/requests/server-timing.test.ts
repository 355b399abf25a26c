import { expect, it } from 'vitest';
import { serverTimings } from '../../../src/core/requests/server-timing.ts';

it.each([
  ['db;dur=53.2', [{ name: 'db', duration: 53.2 }]],
  ['miss, db;dur=53, app;dur=47.2', [{ name: 'miss' }, { name: 'db', duration: 53 }, { name: 'app', duration: 47.2 }]],
  ['cache;desc="a, b; dur=9";dur=2', [{ name: 'cache', duration: 2 }]],
  ['q;desc="say \\"x, y\\"" , r;DUR="4"', [{ name: 'q' }, { name: 'r', duration: 4 }]],
  ['a;dur=-1, b;dur=x, c;dur=, ;dur=1, d;dur=1e400', [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }]],
  [
    'a;dur=1\nb;dur=2',
    [
      { name: 'a', duration: 1 },
      { name: 'b', duration: 2 },
    ],
  ],
  ['open;desc="never closed, b;dur=2', [{ name: 'open' }]],
  ['', []],
])('Server-Timing: %s', (value, expected) => {
  expect(serverTimings([{ name: 'server-timing', value }])).toEqual(expected);
});

it('joins the lines of a response, and leaves other headers alone', () => {
  const headers = [
    { name: 'Server-Timing', value: 'a;dur=1' },
    { name: 'content-type', value: 'b;dur=2' },
    { name: 'server-timing', value: 'c;dur=3' },
  ];
  expect(serverTimings(headers).map(({ name }) => name)).toEqual(['a', 'c']);
});
