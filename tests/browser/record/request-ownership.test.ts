import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import type { BrowserSessions } from '../../../src/browser/connect/browser.ts';
import { createRequestOwnership, type RequestOwnership } from '../../../src/browser/record/request-ownership.ts';

const PAUSED = { requestId: 'paused', networkId: 'request', frameId: 'frame' };

/** Two loads of one browser, each with a page. */
function twoLoads(): { readonly [name in 'ours' | 'theirs']: { ownership: RequestOwnership; page: EventEmitter } } {
  const browser = {} as BrowserSessions;
  const load = (targetId: string) => {
    const ownership = createRequestOwnership(browser);
    const page = new EventEmitter();
    ownership.beforeStart(page as unknown as CDPSession, 'page', targetId);
    return { ownership, page };
  };
  return { ours: load('our page'), theirs: load('their page') };
}

/** What a load decides about the paused request, as far as it has. */
function decisionOf({ ownership }: { ownership: RequestOwnership }, paused = PAUSED): { text: string } {
  const decision = { text: 'waits' };
  ownership.whenKnown(
    paused,
    () => {
      decision.text = 'own';
    },
    () => {
      decision.text = 'foreign';
    },
  );
  return decision;
}

it.each([
  ['its request', 'Network.requestWillBeSent', { requestId: 'request' }],
  ['its frame', 'Page.frameAttached', { frameId: 'frame' }],
])('decides at once when %s was announced before, in all loads', (_, event, message) => {
  const { ours, theirs } = twoLoads();
  ours.page.emit(event, message);
  expect(decisionOf(ours).text).toBe('own');
  expect(decisionOf(theirs).text).toBe('foreign');
});

it.each([
  ['its request', 'Network.requestWillBeSent', { requestId: 'request' }],
  ['its frame', 'Page.frameAttached', { frameId: 'frame' }],
])('decides as soon as %s is announced, in all loads', (_, event, message) => {
  const { ours, theirs } = twoLoads();
  const [own, foreign] = [decisionOf(ours), decisionOf(theirs)];
  expect([own.text, foreign.text]).toEqual(['waits', 'waits']);
  ours.page.emit(event, message);
  expect([own.text, foreign.text]).toEqual(['own', 'foreign']);
});

it('knows the requests of a target by its id', () => {
  const { ours, theirs } = twoLoads();
  const paused = { ...PAUSED, frameId: 'our page' };
  expect(decisionOf(ours, paused).text).toBe('own');
  expect(decisionOf(theirs, paused).text).toBe('foreign');
});

it("takes a request that nobody announces for another page's, after a second or when the load ends", () => {
  vi.useFakeTimers();
  try {
    const { ours, theirs } = twoLoads();
    const [first, second] = [decisionOf(ours), decisionOf(theirs)];
    ours.ownership.end();
    expect([first.text, second.text]).toEqual(['foreign', 'waits']);
    vi.advanceTimersByTime(1_000);
    expect(second.text).toBe('foreign');
  } finally {
    vi.useRealTimers();
  }
});
