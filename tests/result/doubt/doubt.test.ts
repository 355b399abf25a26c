import { describe, expect, it } from 'vitest';
import type { BackgroundEndpoint, PageCompleteResult, RunResult } from '../../../src/model/result/result.ts';
import { doubtsOf, withDoubt } from '../../../src/result/doubt/doubt.ts';
import { doubtInWords } from '../../../src/wording/completion/doubt.ts';

const answer = (more: Partial<PageCompleteResult> = {}): PageCompleteResult => ({
  state: 'complete',
  at: 340,
  networkAt: 340,
  observedUntil: 9_000,
  raw: { state: 'complete' },
  waitingFor: [],
  ...more,
});
const run = (role: RunResult['role'], more: Partial<RunResult> = {}): RunResult => ({
  index: role === 'evidence' ? 1 : 2,
  role,
  ok: true,
  pageComplete: answer(),
  ...more,
});
const stream = (more: Partial<BackgroundEndpoint> = {}): BackgroundEndpoint => ({
  kind: 'sse',
  endpoint: 'GET /api/live',
  urls: [],
  requests: 1,
  firstStartedAt: 100,
  lastActivityAt: 9_000,
  stillOpen: true,
  because: '',
  confidence: 'likely',
  excluded: true,
  visualImpact: 'unknown',
  ...more,
});
const judged = (timed: Partial<RunResult>, filmed: Partial<RunResult> | 'no film' = {}) => {
  const runs = withDoubt({ runs: [...(filmed === 'no film' ? [] : [run('evidence', filmed)]), run('timed', timed)] });
  return { doubts: doubtsOf(runs), doubt: runs.at(-1)?.pageComplete?.doubt };
};
const host = (verdict: 'fit' | 'unfit') => ({ host: { verdict, reasons: [] } });

describe('how sure an answer is', () => {
  it('is proved where nothing that was left out could change it', () => {
    expect(judged({})).toEqual({ doubt: 'proved', doubts: [] });
    expect(judged({ background: [stream({ visualImpact: 'none' })] }).doubt).toBe('proved');
    expect(judged({ background: [stream({ confidence: 'certain' })] }).doubt).toBe('proved');
    expect(judged({ background: [stream({ cost: 20 })] }).doubt).toBe('proved');
  });

  it('is likely where the film of another load says what of a stream is content, or when the last was drawn', () => {
    expect(judged({ background: [stream({ visualImpact: 'first-content' })] }).doubt).toBe('likely');
    expect(judged({ pageComplete: answer({ at: 700 }) }, { pageComplete: answer({ at: 700 }) }).doubt).toBe('likely');
    expect(judged({ pageComplete: answer({ reason: { code: 'stream-content', url: '/api/live' } }) }).doubt).toBe(
      'likely',
    );
  });

  it('is likely where there is no film, and the page says the rest', () => {
    expect(judged({}, 'no film').doubt).toBe('likely');
    expect(judged({ pageComplete: answer({ decidedBy: 'mark' }), background: [stream()] }, 'no film').doubt).toBe(
      'proved',
    );
  });

  it('is doubtful where nothing shows what was left out: with the time that it would be', () => {
    expect(judged({ background: [stream({ cost: 800 })] })).toEqual({
      doubt: 'doubtful',
      doubts: [{ code: 'background-unproved', endpoint: 'GET /api/live', at: 1_140 }],
    });
    expect(judged({ background: [stream()] }).doubts).toEqual([
      { code: 'background-unproved', endpoint: 'GET /api/live' },
    ]);
  });

  it('is doubtful where the film disagrees', () => {
    const { doubt, doubts } = judged({}, { pageComplete: answer({ at: 1_540 }) });
    expect(doubt).toBe('doubtful');
    expect(doubts).toMatchObject([{ code: 'film-disagrees', at: 1_540 }]);
  });

  it('is doubtful where a file does not show whether the last requests matter', () => {
    const facts = { missing: 'effect', urls: ['http://site.test/log'], withoutAt: 300 } as const;
    const findings = [{ code: 'evidence-missing', message: '', urls: [], facts }];
    const { doubt, doubts } = judged({ findings }, 'no film');
    expect(doubt).toBe('doubtful');
    expect(doubts.map((each) => doubtInWords(each, 'http://site.test/'))).toEqual([
      'the file does not show whether the page needs /log; without that it is complete after 300 ms',
    ]);
  });

  it('is no more than likely when the machine was busy with other things while the page was filmed', () => {
    expect(judged({}, host('unfit'))).toEqual({ doubt: 'likely', doubts: [{ code: 'filmed-busy' }] });
    expect(judged({}, host('fit'))).toEqual({ doubt: 'proved', doubts: [] });
  });

  it('is said anew of runs that others have joined: what was doubted before may hold no more', () => {
    const before = answer({ doubt: 'doubtful', doubts: [{ code: 'film-disagrees', at: 1_540 }] });
    expect(judged({ pageComplete: before })).toEqual({ doubt: 'proved', doubts: [] });
  });

  it('is not said of what is not complete, does not count, or failed', () => {
    expect(judged({ pageComplete: answer({ state: 'never' }) }).doubt).toBeUndefined();
    expect(judged({ ok: false }).doubt).toBeUndefined();
    expect(withDoubt({ runs: [run('evidence')] })[0]?.pageComplete?.doubt).toBeUndefined();
  });
});
