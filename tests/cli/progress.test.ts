import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cleanOutput } from '../../src/cli/output.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { noted, runRetried } from '../../src/jobs/engine/progress-events.ts';
import type { ComparisonLook, Progress } from '../../src/model/result/progress.ts';
import type { RunResult } from '../../src/model/result/result.ts';
import { columns } from '../../src/reporters/terminal/columns.ts';
import { expectApproved, outlined } from '../support/approved.ts';

const RUN: RunResult = {
  index: 1,
  role: 'timed',
  ok: true,
  pageComplete: { state: 'complete', at: 1243.4, observedUntil: 4250, raw: { state: 'never' }, waitingFor: [] },
  metrics: { requestCount: 42, load: 900.125 },
};
const AT = { target: 'http://x/', index: 1, of: 5 } as const;
const started: Progress = { kind: 'run-started', ...AT, role: 'timed' };
const going = (elapsed: number, endpoints: readonly string[] = []): Progress => ({
  kind: 'run-progress',
  ...AT,
  role: 'timed',
  elapsed,
  requests: 12,
  waitingFor: endpoints.map((endpoint) => ({ code: 'endpoint', endpoint })),
});
const finished = (run: RunResult = RUN): Progress => ({ kind: 'run-finished', ...AT, run });

const HIDE = '\u001b[?25l';
const SHOW = '\u001b[?25h';
const CLEAR = '\r\u001b[2K';

function writer(over: { isTTY?: boolean; columns?: number; quiet?: boolean; verbose?: boolean; TERM?: string } = {}) {
  const writes: string[] = [];
  const progress = createProgress(
    cleanOutput(
      { write: (text) => writes.push(text), isTTY: over.isTTY ?? false, columns: over.columns ?? 80 },
      { color: false, redacts: false },
    ),
    { quiet: over.quiet ?? false, verbose: over.verbose ?? false, env: { TERM: over.TERM ?? 'xterm' } },
  );
  return { progress, writes };
}

const PAGE = { name: 'Shop', index: 2, of: 12 };
const FAILED: RunResult = { index: 1, role: 'timed', ok: false, failure: { code: 'x', message: 'It broke.' } };
const ended = (state: 'never' | 'unconfirmed', observedUntil: number): Progress =>
  finished({ ...RUN, pageComplete: { ...RUN.pageComplete, state, observedUntil } as never });
const MAIN = { build: 'base', name: 'main (abc1234)' } as const;
const BUILDING: readonly Progress[] = [
  { kind: 'build-starting', ...MAIN, command: 'npm run build' },
  { kind: 'build-output', ...MAIN, lines: ['\u001b[31mone\u001b[0m'], failed: false },
  { kind: 'build-finished', ...MAIN, after: 12_345 },
  { kind: 'build-finished', ...MAIN },
  { kind: 'build-starting', ...MAIN },
  { kind: 'build-output', ...MAIN, lines: ['one'], failed: true },
];
const SERVER: readonly Progress[] = [
  { kind: 'server-output', command: 'npm start', lines: ['a', '\u001b[31mred\u001b[0m'] },
  { kind: 'server-output', command: 'npm start', lines: [] },
];
const GATE = {
  metric: 'pageComplete',
  title: 'Page complete',
  scale: 'ratio',
  unit: 'ms',
  estimate: 0.031,
  low: -0.012,
  high: 0.075,
  decision: 'unsure',
} as const;
const TBT = {
  metric: 'totalBlockingTime',
  title: 'Total blocking time',
  scale: 'shift',
  unit: 'ms',
  estimate: -20,
} as const;
const MANY: readonly Progress[] = [
  { kind: 'settling', index: 7, of: 1000 },
  { kind: 'drawing', index: 8, of: 1000 },
];

/** What happens, and what a log is told of it, with these options. */
const LOGS: Readonly<Record<string, readonly [options: Parameters<typeof writer>[0], ...events: readonly Progress[]]>> =
  {
    'an audit': [
      {},
      { kind: 'browser-started', product: 'Chrome/156', sandbox: false, path: '/usr/bin/chrome' },
      { kind: 'serving', target: './dist', url: 'http://127.0.0.1:1/' },
      { kind: 'run-started', ...AT, index: 0, role: 'discarded' },
      finished({ ...RUN, index: 0, role: 'discarded' }),
      started,
      going(300),
      runRetried({ ...AT, role: 'timed' }, { code: 'host-unfit', reasons: [{ code: 'steal', share: 0.2 }] }),
      runRetried({ ...AT, role: 'timed' }, { code: 'browser-died' }),
      finished(),
      { kind: 'written', files: ['a', 'b'] },
    ],
    'several pages': [
      {},
      { ...finished(), page: PAGE } as Progress,
      { ...finished({ ...RUN, index: 0, role: 'evidence' }), page: PAGE } as Progress,
      noted({ code: 'other-origins', pages: 1, origin: 'https://y' }),
      ...MANY,
    ],
    'runs that ended otherwise': [{}, ended('never', 60_000), ended('unconfirmed', 4_250), finished(FAILED)],
    '--verbose': [
      { verbose: true },
      { kind: 'browser-started', product: 'Chrome/156', sandbox: true, path: '/usr/bin/chrome' },
      finished(),
      { kind: 'written', files: ['reports/x/index.html'] },
      finished({ ...FAILED, failure: { code: 'x', message: 'evil \u001b[31m\u0007red\nline' } }),
      finished({ ...RUN, build: 'base', block: 1 }),
    ],
    '--quiet': [{ quiet: true }, started, going(1), finished()],
    '--quiet, on a terminal': [{ quiet: true, isTTY: true }, started, going(1), finished()],
    'a dumb terminal': [{ isTTY: true, TERM: 'dumb' }, started, going(1)],
    'a server before it failed': [{}, ...SERVER],
    'a server before it failed, --quiet': [{ quiet: true }, ...SERVER],
    builds: [{}, ...BUILDING],
    'builds, --verbose': [{ verbose: true }, ...BUILDING],
    'builds, --quiet': [{ quiet: true }, ...BUILDING],
    'a comparison': [
      {},
      finished({ ...RUN, build: 'base', block: 1 }),
      finished({ ...FAILED, build: 'base', block: 1 }),
      {
        ...{ kind: 'comparison-progress', pairs: 10, maxPairs: 40, nextLook: 16, expectedPairs: 6 },
        gates: [GATE, TBT],
      } as ComparisonLook,
      {
        kind: 'comparison-progress',
        pairs: 40,
        maxPairs: 40,
        gates: [{ ...GATE, decision: 'same' }],
      } as ComparisonLook,
    ],
  };

test('what a log is told is approved: a plain line for what is done, none for what goes on', () => {
  const said = Object.entries(LOGS).map(([name, [options, ...events]]) => {
    const { progress, writes } = writer(options);
    for (const event of events) progress.show(event);
    progress.close();
    const log = writes.join('');
    for (const control of ['\u001b', '\u0007']) expect(log).not.toContain(control);
    return [name, log.trimEnd().split('\n')];
  });
  return expectApproved('cli/progress', outlined(Object.fromEntries(said)));
});

test('--quiet leaves out notes as well', () => {
  const { progress, writes } = writer({ quiet: true, isTTY: true });
  progress.note('a note');
  progress.close();
  expect(writes).toEqual([]);
});

describe('on a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('one line is drawn over, at most ten times a second, its clock running on by itself', () => {
    const { progress, writes } = writer({ isTTY: true });
    progress.show(started);
    for (let elapsed = 0; elapsed < 1000; elapsed += 10) {
      vi.advanceTimersByTime(10);
      progress.show(going(elapsed, ['http://x/slow.js', 'http://x/b.js', 'http://x/c.js']));
    }
    const drawn = writes.filter((text) => text.startsWith(CLEAR));
    expect(drawn.length).toBeGreaterThanOrEqual(9);
    expect(drawn.length).toBeLessThanOrEqual(11);
    expect(drawn.at(-1)).toBe(`${CLEAR}run 1 of 5: 1.0 s, 12 requests, waiting for http://x/slow.js and 2 more`);
    const before = writes.length;
    vi.advanceTimersByTime(2000);
    expect(writes.length - before).toBeLessThanOrEqual(20);
    expect(writes.at(-1)).toMatch(/ [23]\.\d s, 12 requests/);
    progress.close();
  });

  test('of loads that are under way at the same time, the line shows the one that began last', () => {
    const { progress, writes } = writer({ isTTY: true });
    const shown = (): string => (writes.at(-1) ?? '').slice(CLEAR.length);
    const other = { ...AT, index: 6 };
    progress.show({ ...started, role: 'evidence' } as Progress);
    progress.show({ kind: 'run-started', ...other, role: 'ablation' });
    vi.advanceTimersByTime(1_000);
    progress.show({ ...going(5_000), role: 'evidence' } as Progress);
    vi.advanceTimersByTime(1_000);
    expect(shown()).toContain('ablation run: 2.0 s');
    progress.show({ kind: 'run-finished', ...other, run: { ...RUN, index: 6, role: 'ablation' } });
    progress.show({ ...going(7_000), role: 'evidence' } as Progress);
    expect(shown()).toContain('evidence run: 7.0 s, 12 requests');
    progress.close();
  });

  test('never wider than the terminal, never more than one line', () => {
    const { progress, writes } = writer({ isTTY: true, columns: 30 });
    progress.show(going(1, [`http://x/${'long'.repeat(50)}\n\u001b[2J`]));
    const text = (writes.at(-1) ?? '').slice(CLEAR.length);
    expect(text.length).toBeLessThan(30);
    for (const control of ['\n', '\u001b']) expect(text).not.toContain(control);
    progress.close();
  });

  test('letters of two columns do not make it wrap', () => {
    const { progress, writes } = writer({ isTTY: true, columns: 40 });
    progress.live('商品ページ'.repeat(20));
    expect(columns((writes.at(-1) ?? '').slice(CLEAR.length))).toBe(39);
    progress.close();
  });

  test('a terminal that does not know its width counts as 80 columns', () => {
    const { progress, writes } = writer({ isTTY: true, columns: 0 });
    progress.show(going(1, [`http://x/${'long'.repeat(50)}`]));
    expect((writes.at(-1) ?? '').slice(CLEAR.length)).toHaveLength(79);
    progress.close();
  });

  test('a note stands above the line, and the line comes back', () => {
    const { progress, writes } = writer({ isTTY: true });
    progress.show(started);
    progress.note('a note');
    expect(writes.slice(-2)).toEqual([`${CLEAR}a note\n`, `${CLEAR}run 1 of 5: 0.0 s`]);
    progress.close();
  });

  test('what has passed does not scroll by, unless somebody asks for it', () => {
    const shown = (verbose: boolean): string => {
      const { progress, writes } = writer({ isTTY: true, verbose });
      progress.show(started);
      progress.show(finished());
      progress.close();
      return writes.join('');
    };
    expect(shown(false)).not.toContain('\n');
    expect(shown(true)).toContain('page complete at 1.24 s, 42 requests\n');
  });

  test('the cursor comes back and the clock stops, once', () => {
    const { progress, writes } = writer({ isTTY: true });
    progress.show(started);
    expect(writes[0]).toBe(HIDE);
    progress.close();
    progress.close();
    expect(writes.filter((text) => text === SHOW)).toHaveLength(1);
    expect(writes.slice(-2)).toEqual([CLEAR, SHOW]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('nothing was drawn: nothing to restore', () => {
    const { progress, writes } = writer({ isTTY: true });
    progress.close();
    expect(writes).toEqual([]);
  });
});

test('what is done with many pages once they are loaded is drawn on a terminal', () => {
  const lines = ['deciding what is background, page 7 of 1000', 'writing the report of page 8 of 1000'];
  for (const [i, event] of MANY.entries()) {
    const { progress, writes } = writer({ isTTY: true });
    progress.show(event);
    progress.close();
    expect(writes).toEqual([HIDE, CLEAR + lines[i], CLEAR, SHOW]);
  }
});
