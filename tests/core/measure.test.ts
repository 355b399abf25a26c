import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../src/core/measure.ts';
import { completionNotes, completionSentence, listed, nameOf } from '../../src/core/sentences.ts';
import type { RunResult } from '../../src/model/result.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../scripted.ts';

const measured = (script: Script, policy = POLICY) => measure(visitOf(recordingOf(script), policy), policy);
const run = (script: Script, policy = POLICY): RunResult => ({
  index: 1,
  role: 'timed',
  ok: true,
  ...measured(script, policy),
});
const content: Scripted = { path: '/api', from: 100, to: 400 };
const stream: Scripted = { path: '/prices', from: 120, type: 'eventsource', pieces: [300, 900] };
/** Goes on for longer than a job would be waited for. */
const poll = Array.from({ length: 11 }, (_, i) => 500 + i * 1_000).map(
  (from): Scripted => ({ path: `/stock?t=${from}`, from, to: from + 30 }),
);

describe('measure', () => {
  it('says what counting each endpoint would have cost', () => {
    const late: Scripted = { path: '/beacon', from: 700, to: 950, type: 'ping', method: 'POST' };
    const { background } = measured({ requests: page(content, stream, late, ...poll), until: 10_900 });
    expect(background.map(({ kind, countedState, cost }) => [kind, countedState, cost])).toEqual([
      ['sse', 'never', undefined],
      ['beacon', 'complete', 420],
      ['poll', 'never', undefined],
    ]);
  });

  it('says never of plain quiescence when a poll would break every silence', () => {
    const { pageComplete } = measured({ requests: page(content, ...poll), until: 10_900 });
    expect(pageComplete).toMatchObject({
      state: 'complete',
      at: 530,
      raw: { state: 'never', waitingFor: [`GET ${ORIGIN}/stock?*`] },
    });
  });

  it('names what set page-complete', () => {
    const because = (script: Script, policy = POLICY) => measured(script, policy).pageComplete.because;
    expect(because({ requests: page(content), until: 4_000 })).toBe('the last response it needed had come, /api');
    expect(because({ requests: page(), until: 4_000 })).toBe('its load event was over');
    expect(because({ requests: page(content), paints: [600], until: 4_000 })).toBe('the largest content was painted');
    expect(because({ requests: page(content), ownMark: 250, until: 4_000 }, { ...POLICY, completeOn: '#x' })).toBe(
      "the page's own mark was met: #x",
    );
  });

  it('reports a load event that was held up', () => {
    const pixel: Scripted = { path: '/never.png', from: 50, type: 'image', unanswered: true };
    const { findings, pageComplete } = measured({ requests: page(content, pixel), load: null, until: 25_000 });
    expect(findings).toEqual([expect.objectContaining({ code: 'load-event-held', urls: [`${ORIGIN}/never.png`] })]);
    expect(pageComplete.withoutLoadEvent).toEqual([`${ORIGIN}/never.png`]);
  });
});

describe('findings', () => {
  it('name what the page asked for and did not get', () => {
    const missing: Scripted = { path: '/missing.png', from: 100, to: 200, type: 'image', status: 404 };
    const refused: Scripted = { path: '/refused', from: 100, to: 200, failed: true, unanswered: true };
    const givenUp: Scripted = { path: '/given-up', from: 100, to: 200, canceled: true };
    const { findings } = measured({ requests: page(content, missing, refused, givenUp), until: 4_000 });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'broken-request', urls: [`${ORIGIN}/missing.png`, `${ORIGIN}/refused`] }),
    ]);
    expect(measured({ requests: page(content), until: 4_000 }).findings).toEqual([]);
  });
});

describe('sentences', () => {
  it('say when and why, and what plain quiescence says', () => {
    const complete = run({ requests: page(content, stream), until: 4_000 });
    expect(completionSentence(complete, `${ORIGIN}/`)).toBe(
      'Page complete at 0.40 s: the last response it needed had come, /api.',
    );
    expect(completionNotes(complete, `${ORIGIN}/`)).toEqual([
      'Plain quiescence never calls it complete: after 4.00 s it still waited for GET /prices.',
    ]);
    expect(completionNotes(run({ requests: page(content), until: 4_000 }), ORIGIN)).toEqual([
      'Plain quiescence agrees: no background traffic moved it.',
    ]);
  });

  it('never present a capped time as an answer', () => {
    const open = { requests: page({ path: '/slow', from: 100 }), until: 60_000 } as const;
    const sentence = completionSentence(run(open, { ...POLICY, foreground: ['/slow'] }), ORIGIN);
    expect(sentence).toBe('Never complete within 60.00 s: still waiting for GET /slow.');
    expect(completionSentence(run({ ...open, until: 5_000 }), ORIGIN)).toMatch(
      /^Not confirmed: watching ended after 5.00 s/,
    );
    expect(completionSentence(undefined, ORIGIN)).toBe('The page could not be measured.');
  });

  it('name addresses as short as they can be', () => {
    expect(nameOf(`${ORIGIN}/api/x?of=mug,pan#top`, `${ORIGIN}/shop/`)).toBe('/api/x?…');
    expect(nameOf(`GET ${ORIGIN}/api/x?*`, ORIGIN)).toBe('GET /api/x?*');
    expect(nameOf('https://other.test/x', ORIGIN)).toBe('https://other.test/x');
    expect(nameOf(`${ORIGIN}/${'a'.repeat(500)}/end.js`, ORIGIN)).toMatch(/^\/a+…a+\/end\.js$/);
    expect(nameOf('the load event', 'not a url')).toBe('the load event');
    expect(nameOf('#done', ORIGIN)).toBe('#done');
  });

  it('cut long lists', () => {
    expect(listed(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});
