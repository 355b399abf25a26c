import { describe, expect, it } from 'vitest';
import { backgroundIn, DOCUMENT, visitOfHar, type Written } from '../../support/har-entries.ts';

const KEPT = { 'Cache-Control': 'public, max-age=31536000' };

/** Asked for again and again until the recording ends. */
const asked = (written: Omit<Written, 'at'>, every: number): readonly Written[] =>
  Array.from({ length: Math.ceil(29_900 / every) }, (_, i) => ({ ...written, at: 100 + i * every }));

const flagged = (...entries: readonly Written[]): Readonly<Record<string, string>> =>
  backgroundIn(visitOfHar([DOCUMENT, ...entries]));

describe('what is asked for again and again', () => {
  it('is no poll where it is one file that browsers keep: each frame needs it', () => {
    const script = { url: '/ads/show.js', mimeType: 'text/javascript' };
    const picture = { url: '/yard.jpg', mimeType: 'image/jpeg' };
    expect(flagged(...asked({ ...script, received: KEPT }, 2_000))).toEqual({});
    expect(flagged(...asked({ ...picture, received: KEPT }, 2_000))).toEqual({});
    const fresh = { 'Cache-Control': 'no-store' };
    expect(flagged(...asked({ ...picture, received: fresh }, 2_000))).toEqual({ '/yard.jpg': 'poll likely' });
    // Data that changes may be kept for a while.
    const status = { url: '/status', mimeType: 'application/json', received: { ETag: '"7"' } };
    expect(flagged(...asked(status, 2_000))).toEqual({ '/status': 'poll likely' });
  });
});

describe('what fails again and again', () => {
  const login = { url: '/login', method: 'POST', status: 400, mimeType: 'application/json', body: '{}' } as const;
  const tried = (...starts: readonly number[]) => flagged(...starts.map((at) => ({ ...login, at })));

  it('is tried by a program where that keeps time, and else by somebody who sends a form', () => {
    expect(tried(9_000, 14_000, 19_000, 24_000, 29_000)).toEqual({ '/login': 'reconnect likely' });
    expect(tried(14_600, 20_100, 22_900, 29_800)).toEqual({});
    // What a server does not answer as it should, programs try again at random.
    const starts = [14_600, 20_100, 22_900, 29_800].map((at) => ({ ...login, at, status: 503 }));
    expect(flagged(...starts)).toEqual({ '/login': 'reconnect likely' });
  });
});

it('what a script asks for a few times at once, as it begins, has no rhythm', () => {
  const picture = { url: '/logo.png', mimeType: 'image/png', received: { 'Cache-Control': 'no-store' } };
  const fast = [29_960, 29_990, 30_020].map((at) => ({ ...picture, at, took: 5 }));
  expect(flagged(...fast)).toEqual({});
  const slow = [21_000, 25_000, 29_000].map((at) => ({ ...picture, at }));
  expect(flagged(...slow)).toEqual({ '/logo.png': 'poll likely' });
});
