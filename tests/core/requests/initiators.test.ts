import { describe, expect, it } from 'vitest';
import { initiatorsOf } from '../../../src/core/requests/initiators.ts';
import type { Initiator } from '../../../src/model/network/network.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import { request, response, timeline } from '../../support/factories.ts';

const SITE = 'https://example.com';
const document = request({
  id: 'doc',
  type: 'document',
  mainDocument: true,
  url: `${SITE}/`,
  loaderId: 'doc',
  frameId: 'F',
});
const asked = (initiator: Initiator | undefined, parts: Parameters<typeof request>[0] = {}): Request =>
  request({
    id: 'asked',
    url: `${SITE}/asked`,
    startedAt: 500,
    endedAt: 600,
    loaderId: 'doc',
    frameId: 'F',
    ...(initiator && { initiator }),
    ...parts,
  });
const script = (id: string, startedAt: number, parts: Parameters<typeof request>[0] = {}): Request =>
  request({ id, url: `${SITE}/app.js`, type: 'script', startedAt, endedAt: startedAt + 100, frameId: 'F', ...parts });

/** Who asked for the last of the requests, and how that is known. */
const found = (...requests: readonly Request[]): readonly (string | undefined)[] => {
  const by = initiatorsOf(timeline(requests))(requests.at(-1) as Request);
  return [by?.request.id, by?.origin];
};

describe('initiatorsOf', () => {
  it('takes the latest request for the address that had begun to arrive', () => {
    const named = asked({ type: 'script', url: `${SITE}/app.js#x` });
    expect(found(document, script('a', 100), script('b', 300), script('c', 490, { endedAt: 900 }), named)).toEqual([
      'b',
      'named',
    ]);
    // Clocks of two processes can differ by a little.
    expect(found(document, script('c', 490, { endedAt: 900 }), named)).toEqual(['c', 'named']);
    expect(found(document, script('d', 501), named)).toEqual([undefined, undefined]);
  });

  it('prefers the copy in the same frame', () => {
    const named = asked({ type: 'script', url: `${SITE}/app.js` });
    expect(found(document, script('own', 100), script('other', 300, { frameId: 'G' }), named)).toEqual([
      'own',
      'named',
    ]);
  });

  it('looks through the stack where the address alone finds none', () => {
    const stack = ['', 'eval.js', `${SITE}/app.js`].map((url) => ({ functionName: '', url, line: 1, column: 1 }));
    expect(found(document, script('app', 100), asked({ type: 'script', url: 'blob:x', stack }))).toEqual([
      'app',
      'named',
    ]);
  });

  it('goes to where a redirect led in the end', () => {
    const old = script('old', 100, { outcome: 'redirected' });
    const target = { ...script('old', 200), id: 'old:1', hop: 1, url: `${SITE}/app.v2.js` };
    expect(found(document, old, target, asked({ type: 'script', url: `${SITE}/app.js` }))).toEqual(['old:1', 'named']);
    expect(found(document, old, target)).toEqual(['old', 'redirect']);
  });

  it('falls back on the document that the parser stands in', () => {
    const frame = request({
      id: 'frame',
      type: 'document',
      url: `${SITE}/frame`,
      loaderId: 'frame',
      frameId: 'G',
      startedAt: 200,
    });
    const inFrame = asked({ type: 'parser' }, { frameId: 'G', loaderId: 'frame' });
    expect(found(document, frame, inFrame)).toEqual(['frame', 'parser']);
    expect(found(document, frame, asked({ type: 'preload' }))).toEqual(['doc', 'parser']);
    // A HAR of another tool names neither frames nor loaders.
    const bare = request({ id: 'asked', startedAt: 500, endedAt: 600, initiator: { type: 'parser' } });
    expect(found(document, bare)).toEqual(['doc', 'parser']);
  });

  it('joins a preflight to what it asks leave for, also where only addresses tell', () => {
    const real = asked(undefined, { startedAt: 490 });
    const preflight = (initiator?: Initiator): Request =>
      request({
        id: 'pre',
        type: 'preflight',
        method: 'OPTIONS',
        url: `${SITE}/asked`,
        startedAt: 500,
        endedAt: 550,
        ...(initiator && { initiator }),
      });
    expect(found(document, real, preflight({ type: 'preflight', requestId: 'asked' }))).toEqual(['asked', 'preflight']);
    expect(found(document, real, preflight())).toEqual(['asked', 'preflight']);
  });

  it('knows that a page replaced the one before', () => {
    const before = { ...document, fromPreviousDocument: true };
    const next = request({ id: 'next', type: 'document', mainDocument: true, url: `${SITE}/next`, startedAt: 400 });
    expect(found(before, next)).toEqual(['doc', 'replaced']);
    expect(found(before, { ...next, initiator: { type: 'script', url: `${SITE}/` } })).toEqual(['doc', 'named']);
    // What the page before had loaded asks for nothing in this one.
    const gone = script('gone', 100, { fromPreviousDocument: true });
    expect(found(before, gone, next, asked({ type: 'script', url: `${SITE}/app.js` }))).toEqual([undefined, undefined]);
  });

  it('guesses nothing, and never names a request as its own initiator', () => {
    expect(found(document, asked({ type: 'other' }))).toEqual([undefined, undefined]);
    expect(found(document, asked(undefined))).toEqual([undefined, undefined]);
    expect(found(document, asked({ type: 'script', url: `${SITE}/asked` }))).toEqual([undefined, undefined]);
    expect(found(document)).toEqual([undefined, undefined]);
    expect(
      found({ ...document, response: response({ at: 1 }), initiator: { type: 'other', url: `${SITE}/` } }),
    ).toEqual([undefined, undefined]);
  });
});
