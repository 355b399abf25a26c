import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../src/core/measure.ts';
import type { LateContent } from '../../src/model/late-content.ts';
import type { Evidence, PageCompleteResult, RunResult, TargetResult } from '../../src/model/result.ts';
import { agreedBackground } from '../../src/result/background.ts';
import { summarize } from '../../src/result/summary.ts';
import { isUnproved } from '../../src/result/unproved.ts';
import { completionNotes, completionSentences, completionText } from '../../src/wording/completion.ts';
import { ablationSentence } from '../../src/wording/evidence.ts';
import { listNames, nameOf } from '../../src/wording/names.ts';
import { runInWords } from '../../src/wording/run.ts';
import { verdictReasonInWords } from '../../src/wording/verdict-reasons.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../support/scripted.ts';

const run = (script: Script, policy = POLICY, index = 1): RunResult => ({
  index,
  role: 'timed',
  ok: true,
  ...runInWords(measure(visitOf(recordingOf(script), policy), policy), `${ORIGIN}/`),
});

/** A target with these runs; the first stands for it. */
function completionOf(runs: readonly RunResult[], analysis = false) {
  const result: TargetResult = {
    target: `${ORIGIN}/`,
    url: `${ORIGIN}/`,
    runs,
    summary: summarize(runs),
    background: agreedBackground(runs, verdictReasonInWords),
  };
  return { result, representative: runs.find(({ pageComplete }) => pageComplete !== undefined), analysis };
}

const content: Scripted = { path: '/api', from: 100, to: 400 };
const stream: Scripted = { path: '/prices', from: 120, type: 'eventsource', pieces: [300, 900] };
const quiet = run({ requests: page(content), until: 4_000 });
const streaming = run({ requests: page(content, stream), until: 4_000 });

/** A run with this answer and nothing else. */
const answering = (pageComplete: Partial<PageCompleteResult>, index = 1): RunResult => ({
  ...quiet,
  index,
  metrics: pageComplete.at === undefined ? {} : { pageComplete: pageComplete.at },
  pageComplete: {
    state: 'complete',
    observedUntil: 9_000,
    raw: { state: 'complete', at: 400 },
    waitingFor: [],
    ...pageComplete,
  },
});
/** Runs that were complete at these times, quiescence agreeing. */
const times = (...at: readonly number[]): readonly RunResult[] =>
  at.map((each, i) => answering({ at: each, networkAt: each, raw: { state: 'complete', at: each } }, i + 1));

const sentence = (runs: readonly RunResult[], analysis = false): string =>
  completionText(completionSentences(completionOf(runs, analysis)));

describe('a filmed load that shows something else', () => {
  const filmed = (at: number): RunResult => ({ ...answering({ at, networkAt: 400 }, 0), role: 'evidence' });

  it('is part of the answer, and the runs are not called stable', () => {
    expect(sentence([...times(400, 402, 401), filmed(1_540)])).toContain(
      'complete after 401 ms (400–402 ms from 3 runs). The filmed load shows the last content only after 1.54 s, so this may be too early.',
    );
    const late = [400, 402].map((network, i) => answering({ at: 1_540, networkAt: network }, i + 1));
    expect(sentence([...late, filmed(400)])).toContain(
      'The filmed load shows the last content already after 401 ms, so this may be too late.',
    );
  });
});

describe('content that comes after a whole quiet window', () => {
  const told = (lateContent: LateContent): string => {
    const { result, ...rest } = completionOf([quiet]);
    const evidence: Evidence = { watchedUntil: 8_000, watchedBecause: '', pictures: [], lateContent };
    return completionText(completionSentences({ result: { ...result, evidence }, ...rest }));
  };

  it('is named with its requests, or as what the page draws', () => {
    const late = { after: 3_400, share: 0.12, awaited: [] };
    expect(told({ ...late, urls: [`${ORIGIN}/recommendations`] })).toContain(
      '; /recommendations comes 3.40 s later and changes 12% of what is seen',
    );
    expect(told({ ...late, urls: [] })).toContain(
      '; the page draws more 3.40 s later, which changes 12% of what is seen',
    );
  });
});

describe('an answer without an evidence run', () => {
  const warmUp: RunResult = { ...quiet, index: 0, role: 'discarded' };

  it('says that it is not proved, where there is background traffic', () => {
    expect(sentence([streaming])).not.toContain('not proved');
    expect(sentence([quiet, warmUp])).not.toContain('not proved');
    const told = sentence([streaming, warmUp]);
    expect(told).toContain(
      'The page is complete after 400 ms (one run). This is not proved: there was no evidence run',
    );
    expect(isUnproved({ runs: [streaming, warmUp] })).toBe(true);
    expect(isUnproved({ runs: [streaming] })).toBe(false);
  });

  it('is proved by a mark of the page itself', () => {
    const marked: RunResult = {
      ...streaming,
      pageComplete: { ...answering({}).pageComplete, decidedBy: 'mark' } as PageCompleteResult,
    };
    expect(isUnproved({ runs: [marked, warmUp] })).toBe(false);
  });
});

describe('the answer', () => {
  it('says when, and what network idle would have said', () => {
    expect(sentence([streaming])).toBe(
      'The page is complete after 400 ms (one run). Tools that wait for a silent network would never finish here: a “prices” stream keeps the network busy.',
    );
    expect(sentence([quiet])).toBe(
      'The page is complete after 400 ms (one run). Network idle gives the same time: no background traffic delayed it.',
    );
  });

  it.each([
    [[1240, 1210, 1290, 1230, 1250], 'after 1.24 s (1.21–1.29 s from 5 runs, stable).'],
    [[1240, 1140, 1320, 1230, 1250], 'after 1.24 s (1.14–1.32 s from 5 runs, which vary).'],
    [[1240, 900, 2100, 1230, 1250], 'after 1.24 s, but the runs disagree: 0.90–2.10 s in 5 runs.'],
    [[61_200, 61_200], 'after 61.20 s (61.20 s from 2 runs, stable).'],
  ])('of %j says how the runs agree', (at, said) => {
    expect(sentence(times(...at))).toContain(said);
  });

  it('hides no run that has no time', () => {
    const never = answering({ state: 'never', observedUntil: 60_000 }, 4);
    const open = answering({ state: 'unconfirmed' }, 5);
    expect(sentence([...times(1000, 1010, 1020), never, open])).toContain(
      'after 1.01 s (1.00–1.02 s from 3 of 5 runs, stable); in 1 run it was never complete; in 1 run this is not confirmed.',
    );
  });

  it('speaks of recordings where recordings were read', () => {
    expect(sentence([quiet], true)).toMatch(/^The page is complete after 400 ms in the recording\./);
    expect(sentence(times(1000, 1010), true)).toContain('from 2 recordings, stable');
    expect(sentence([answering({ state: 'unconfirmed', at: 400, waitingFor: ['the load event'] })], true)).toBe(
      'The page is probably complete after 400 ms, but this is not confirmed: the recording ends after 9.00 s, while waiting for the load event.',
    );
    const lacking = { state: 'unconfirmed', waitingForFacts: [{ code: 'whole-recording' }] } as const;
    expect(sentence([answering(lacking)], true)).toBe(
      'It is not known when the page is complete: the file does not hold the whole load.',
    );
  });

  it('says who said so where the page has a mark of its own', () => {
    const policy = { ...POLICY, completeOn: '#done' };
    expect(sentence([run({ requests: page(content, stream), ownMark: 450, until: 4_000 }, policy)])).toMatch(
      /^The page says that it is complete after 450 ms \(one run\)\. /,
    );
  });

  it('never presents a capped time as an answer', () => {
    const open: Script = { requests: page({ path: '/slow', from: 100 }), until: 60_000 };
    const never = run(open, { ...POLICY, foreground: ['/slow'] });
    expect(sentence([never])).toBe('The page was never complete within 60.00 s. It was still waiting for GET /slow.');
    expect(sentence([never, { ...never, index: 2 }])).toContain('within 60.00 s in any of 2 runs. It');
    expect(sentence([run({ ...open, until: 5_000 })])).toMatch(
      /^It is not known when the page is complete: watching ended after 5.00 s/,
    );
  });

  it('of nothing that was measured is no time', () => {
    const failed = { ...times(1)[0], pageComplete: undefined, ok: false } as unknown as RunResult;
    expect(sentence([])).toBe('The page was not measured.');
    expect(sentence([failed])).toBe('The page could not be measured: its run failed.');
    expect(sentence([failed, failed, failed])).toBe('The page could not be measured: all 3 runs failed.');
    expect(sentence([failed], true)).toBe('The recording could not be analysed.');
  });
});

describe('network idle', () => {
  it('is told of a run that was watched for long enough to know it, and else of none', () => {
    const early = (index: number) =>
      answering({ at: 410, decidedBy: 'expected-content', raw: { state: 'unconfirmed', at: 410 } }, index);
    const watched = answering({ at: 400, networkAt: 400, raw: { state: 'complete', at: 400 } }, 2);
    const of = (runs: readonly RunResult[], analysis = false) =>
      completionSentences({ ...completionOf(runs, analysis), representative: runs[0] }).networkIdle;
    expect(of([early(1), watched, early(3)])).toMatch(/^Network idle gives the same time/);
    const never = answering({ at: 400, raw: { state: 'never', waitingFor: ['GET https://x.test/stock'] } }, 2);
    expect(of([early(1), never])).toMatch(/^Tools that wait for a silent network would never finish here/);
    expect(of([early(1), { ...watched, role: 'evidence' }])).toBeUndefined();
    const delayed = answering({ at: 500, networkAt: 500, raw: { state: 'complete', at: 7_890 } });
    expect(of([early(1), { ...delayed, role: 'evidence' }])).toMatch(/^Network idle would have said 7.80 s/);
    expect(of([early(1)], true)).toMatch(/is not known: the recording ends too early/);
  });

  const poll = (i: number) => ({
    kind: 'poll' as const,
    endpoint: `GET ${ORIGIN}/api/stock${i}`,
    urls: [],
    requests: 3,
    firstStartedAt: 0,
    lastActivityAt: 7_900,
    stillOpen: false,
    because: '',
    confidence: 'likely' as const,
    excluded: true,
    cost: 6_900 - i,
    countedState: 'complete' as const,
    visualImpact: 'none' as const,
  });
  const at = (
    background: RunResult['background'],
    raw: PageCompleteResult['raw'],
    more: Partial<PageCompleteResult> = {},
  ) =>
    sentence([{ ...answering({ at: 1000, networkAt: 1000, raw, ...more }), background: background ?? [] }]).replace(
      /^.*?\)\. /,
      '',
    );

  it('was kept waiting by what moved it most', () => {
    expect(at([{ ...poll(2), cost: 20 }, poll(1)], { state: 'complete', at: 7_900 })).toBe(
      'Network idle would have said 7.90 s: a “stock1” poll kept the network busy until then.',
    );
    expect(at([poll(1), poll(2), poll(3)], { state: 'complete', at: 7_900 })).toContain(
      'three polls kept the network busy',
    );
    const none = { ...poll(1), cost: 0, lastActivityAt: 900 };
    expect(at([none], { state: 'complete', at: 7_900 })).toContain('s: background traffic kept');
    // Where none moved it alone, or nobody knows which did, those that were under way in between are named.
    const { cost: _cost, ...unknown } = poll(3);
    expect(at([none, { ...unknown, lastActivityAt: 7_900 }], { state: 'complete', at: 7_900 })).toContain(
      's: a “stock3” poll kept',
    );
  });

  it('does not wait for paints', () => {
    const early = 'Network idle would have said 600 ms: it does not wait for painting.';
    expect(at([], { state: 'complete', at: 600 }, { networkAt: 600 })).toBe(early);
    // Also where background moved it, but not as far as to the paint.
    expect(at([poll(1)], { state: 'complete', at: 600 }, { networkAt: 500 })).toBe(early);
  });

  it('beside the page with its suspects held back says why it is not known', () => {
    const ablation = (raw: PageCompleteResult['raw']) =>
      ablationSentence(['GET /a', 'GET /b'], { same: true, share: 0 }, 790, raw, 'https://a.example/');
    expect(ablation({ state: 'complete', at: 900 })).toMatch(/790 ms. Without blocking, network idle says 900 ms\.$/);
    expect(ablation({ state: 'never' })).toMatch(/. Without blocking, network idle says never\.$/);
    expect(ablation({ state: 'unconfirmed', at: 900 })).toMatch(
      /\. What network idle says without blocking is not known, because watching ended before the network was quiet for long enough\.$/,
    );
  });

  it('beside the page that looks different says which endpoints were held back', () => {
    const held = ['GET https://a.example/api/data', 'GET https://b.example/x?*'];
    const raw = { state: 'never' } as const;
    expect(ablationSentence(held, { same: false, share: 0.02 }, 790, raw, 'https://a.example/')).toBe(
      'With GET /api/data and GET https://b.example/x?* blocked, the page looks different (2.0% of its pixels differ): some of them bring something that is seen.',
    );
  });

  it('that no endpoint explains says what it waited for', () => {
    expect(at([], { state: 'never', waitingFor: ['GET /a', 'GET /b'] })).toBe(
      'Tools that wait for a silent network would never finish here: after 9.00 s, they would still wait for GET /a and GET /b.',
    );
  });

  it('is told in bearable length whatever the page is called', () => {
    const hostile = Array.from({ length: 40 }, (_, i) => ({
      ...poll(i),
      kind: (['poll', 'sse', 'beacon', 'websocket', 'hung'] as const)[i % 5] ?? 'poll',
      endpoint: `GET https://${'x'.repeat(9_000)}${i}.test/\u202e${'a'.repeat(9_000)}</script>`,
      countedState: 'never' as const,
    }));
    const said = at(hostile, { state: 'never', waitingFor: [] });
    expect(said.length).toBeLessThan(240);
    expect(said).toContain('eight polls, eight streams, eight beacons and 16 more keep the network busy.');
    const [one] = hostile;
    expect(at(one && [one], { state: 'never' })).toContain(': a poll keeps the network busy.');
    const several = one && { ...one, kind: 'beacon' as const, endpoints: 2, requests: 5 };
    expect(at(several && [several], { state: 'never' })).toContain(': five beacons keep the network busy.');
  });
});

describe('notes', () => {
  const notes = (of: RunResult): readonly string[] => completionNotes(completionOf([of]));

  it('say what determined the time', () => {
    expect(notes(streaming)).toEqual(['The last thing the page needed was /api.']);
    expect(notes(answering({ at: 250, decidedBy: 'mark', because: "the page's own mark was reached: #x" }))).toEqual([
      "The page's own mark was reached: #x.",
    ]);
    expect(notes(answering({ at: 250, because: 'the last response had come, /a' }))).toEqual([
      'The last response had come, /a.',
    ]);
    expect(notes(answering({ at: 250 }))).toEqual([]);
  });

  it('say who overruled, also where there is no time', () => {
    const policy = { ...POLICY, foreground: ['/prices'] };
    const overruled = run({ requests: page(content, stream), until: 60_000 }, policy);
    expect(overruled.pageComplete?.state).toBe('never');
    expect(notes(overruled)).toEqual(['GET /prices looks like background (sse), but counts: --foreground /prices.']);
  });

  it('say what was left out of the load event', () => {
    expect(notes(answering({ at: 250, withoutLoadEvent: [`${ORIGIN}/never.png`] }))).toEqual([
      'The load event does not count: only background requests delayed it (/never.png).',
    ]);
  });
});

describe('names', () => {
  it('of addresses are as short as they can be', () => {
    expect(nameOf(`${ORIGIN}/api/x?of=mug,pan#top`, `${ORIGIN}/shop/`)).toBe('/api/x');
    expect(nameOf(`GET ${ORIGIN}/api/x?*`, ORIGIN)).toBe('GET /api/x?*');
    expect(nameOf('https://other.test/x', ORIGIN)).toBe('https://other.test/x');
    expect(nameOf(`${ORIGIN}/${'a'.repeat(500)}/end.js`, ORIGIN)).toMatch(/^\/a+…a+\/end\.js$/);
    expect(nameOf('the load event', 'not a url')).toBe('the load event');
    expect(nameOf('#done', ORIGIN)).toBe('#done');
  });

  it('in long lists are cut', () => {
    expect(listNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});
