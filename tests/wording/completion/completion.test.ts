import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../../src/core/measure.ts';
import type { Evidence, PageCompleteResult, RunResult, TargetResult } from '../../../src/model/result/result.ts';
import { agreedBackground } from '../../../src/result/background.ts';
import { isUnproved } from '../../../src/result/doubt/unproved.ts';
import { summarize } from '../../../src/result/summary.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { completionNotes, completionSentences, completionText } from '../../../src/wording/completion/completion.ts';
import { ablationSentence } from '../../../src/wording/completion/evidence.ts';
import { runInWords } from '../../../src/wording/result/run.ts';
import { listNames, nameOf } from '../../../src/wording/text/names.ts';
import { expectApproved, outlined } from '../../support/approved.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../../support/scripted.ts';

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

/** A run that found no background, whose time is unknown to network idle. */
const early = (index: number): RunResult =>
  answering({ at: 410, decidedBy: 'expected-content', raw: { state: 'unconfirmed', at: 410 } }, index);
const filmed = (at: number): RunResult => ({ ...answering({ at, networkAt: 400 }, 0), role: 'evidence' });
const warmUp: RunResult = { ...quiet, index: 0, role: 'discarded' };
const open: Script = { requests: page({ path: '/slow', from: 100 }), until: 60_000 };
const never = run(open, { ...POLICY, foreground: ['/slow'] });
const failed: RunResult = { index: 1, role: 'timed', ok: false };

it('the answer is approved', () =>
  expectApproved(
    'wording/completion',
    outlined({
      'one run': sentence([quiet]),
      'a stream': sentence([streaming]),
      'runs that agree, vary and disagree': [
        sentence(times(1240, 1210, 1290, 1230, 1250)),
        sentence(times(1240, 1140, 1320, 1230, 1250)),
        sentence(times(1240, 900, 2100, 1230, 1250)),
        sentence(times(61_200, 61_200)),
      ],
      'some runs have no time': sentence([
        ...times(1000, 1010, 1020),
        answering({ state: 'never', observedUntil: 60_000 }, 4),
        answering({ state: 'unconfirmed' }, 5),
      ]),
      recordings: [
        sentence([quiet], true),
        sentence(times(1000, 1010), true),
        sentence([answering({ state: 'unconfirmed', at: 400, waitingFor: ['the load event'] })], true),
        sentence([answering({ state: 'unconfirmed', waitingForFacts: [{ code: 'whole-recording' }] })], true),
        sentence([failed], true),
      ],
      'a mark of its own': sentence([
        run({ requests: page(content, stream), ownMark: 450, until: 4_000 }, { ...POLICY, completeOn: '#done' }),
      ]),
      'never complete': [
        sentence([never]),
        sentence([never, { ...never, index: 2 }]),
        sentence([run({ ...open, until: 5_000 })]),
      ],
      'not measured': [sentence([]), sentence([failed]), sentence([failed, failed, failed])],
      'the filmed load shows something else': [
        sentence([...times(400, 402, 401), filmed(1_540)]),
        sentence([...[400, 402].map((networkAt, i) => answering({ at: 1_540, networkAt }, i + 1)), filmed(400)]),
      ],
      'content after a whole quiet window': [[`${ORIGIN}/recommendations`], []].map((urls) => {
        const { result, ...rest } = completionOf([quiet]);
        const lateContent = { after: 3_400, share: 0.12, awaited: [], urls };
        const evidence: Evidence = { watchedUntil: 8_000, watchedBecause: '', pictures: [], lateContent };
        return completionText(completionSentences({ result: { ...result, evidence }, ...rest }));
      }),
      'no evidence run': [sentence([quiet, warmUp]), sentence([streaming, warmUp])],
    }),
  ));

it('is not proved where there is background traffic and no evidence run, unless the page itself says so', () => {
  const pageComplete = { ...answering({}).pageComplete, decidedBy: 'mark' } as PageCompleteResult;
  const all = [[streaming, warmUp], [streaming], [quiet, warmUp], [{ ...streaming, pageComplete }, warmUp]];
  expect(all.map((runs) => isUnproved({ runs }))).toEqual([true, false, false, false]);
});

describe('network idle', () => {
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
  const late = { state: 'complete', at: 7_900 } as const;
  const none = { ...poll(1), cost: 0, lastActivityAt: 900 };
  const { cost: _cost, ...unknown } = poll(3);
  const hostile = Array.from({ length: 40 }, (_, i) => ({
    ...poll(i),
    kind: (['poll', 'sse', 'beacon', 'websocket', 'hung'] as const)[i % 5] ?? 'poll',
    endpoint: `GET https://${'x'.repeat(9_000)}${i}.test/\u202e${'a'.repeat(9_000)}</script>`,
    countedState: 'never' as const,
  }));

  /** Of the runs that are given; the first is the one that is shown. */
  const of = (runs: readonly RunResult[], analysis = false) =>
    completionSentences({ ...completionOf(runs, analysis), representative: runs[0] }).networkIdle;
  const watched = answering({ at: 400, networkAt: 400, raw: { state: 'complete', at: 400 } }, 2);
  const delayed = answering({ at: 500, networkAt: 500, raw: { state: 'complete', at: 7_890 } });
  const endless = { state: 'never', waitingFor: ['GET https://x.test/stock'] } as const;
  const ablation = (raw: PageCompleteResult['raw'], same = true) =>
    ablationSentence(
      ['GET https://a.example/api/data', 'GET https://b.example/x?*'],
      { same, share: same ? 0 : 0.02 },
      790,
      raw,
      'https://a.example/',
    );

  it('is approved', () =>
    expectApproved(
      'wording/network-idle',
      outlined({
        'of a run that was watched for long enough, else of none': [
          of([early(1), watched, early(3)]),
          of([early(1), answering({ at: 400, raw: endless }, 2)]),
          of([early(1), { ...watched, role: 'evidence' }]),
          of([early(1), { ...delayed, role: 'evidence' }]),
          of([early(1)], true),
        ],
        'what moved it most': at([{ ...poll(2), cost: 20 }, poll(1)], late),
        'three of a kind': at([poll(1), poll(2), poll(3)], late),
        'none moved it alone': at([none], late),
        'nobody knows which did': at([none, { ...unknown, lastActivityAt: 7_900 }], late),
        'no paint': at([], { state: 'complete', at: 600 }, { networkAt: 600 }),
        'no paint, and not as far as to it': at([poll(1)], { state: 'complete', at: 600 }, { networkAt: 500 }),
        'no endpoint explains it': at([], { state: 'never', waitingFor: ['GET /a', 'GET /b'] }),
        'long and hostile names': [hostile, hostile.slice(0, 1)].map((all) =>
          at(all, { state: 'never', waitingFor: [] }),
        ),
        'one endpoint of several requests': at(
          hostile.slice(0, 1).map((one) => ({ ...one, kind: 'beacon', endpoints: 2, requests: 5 })),
          { state: 'never' },
        ),
        'beside the page without its suspects': [
          ablation({ state: 'complete', at: 900 }),
          ablation({ state: 'never' }),
          ablation({ state: 'unconfirmed', at: 900 }),
          ablation({ state: 'never' }, false),
        ],
      }),
    ));
});

it('notes are approved', () => {
  const notes = (of: RunResult): readonly string[] => completionNotes(completionOf([of]));
  const overruled = run({ requests: page(content, stream), until: 60_000 }, { ...POLICY, foreground: ['/prices'] });
  expect(overruled.pageComplete?.state).toBe('never');
  return expectApproved(
    'wording/completion-notes',
    outlined({
      'the last thing': notes(streaming),
      'its own mark': notes(answering({ at: 250, decidedBy: 'mark', because: "the page's own mark was reached: #x" })),
      'as the result says': notes(answering({ at: 250, because: 'the last response had come, /a' })),
      nothing: notes(answering({ at: 250 })),
      'who overruled, also where there is no time': notes(overruled),
      'the load event does not count': notes(answering({ at: 250, withoutLoadEvent: [`${ORIGIN}/never.png`] })),
    }),
  );
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
