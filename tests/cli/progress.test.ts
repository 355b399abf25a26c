import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cleanOutput } from '../../src/cli/output.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { noted, runRetried } from '../../src/jobs/engine/progress-events.ts';
import type { ComparisonLook, Progress } from '../../src/model/progress.ts';
import type { RunResult } from '../../src/model/result.ts';
import { columns } from '../../src/reporters/terminal/columns.ts';

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

describe('not on a terminal', () => {
  test('one plain line for what is done, none for what goes on', () => {
    const { progress, writes } = writer();
    progress.show({ kind: 'browser-started', product: 'Chrome/156', sandbox: false, path: '/usr/bin/chrome' });
    progress.show({ kind: 'serving', target: './dist', url: 'http://127.0.0.1:1/' });
    progress.show({ kind: 'run-started', ...AT, index: 0, role: 'discarded' });
    progress.show(finished({ ...RUN, index: 0, role: 'discarded' }));
    progress.show(started);
    progress.show(going(300));
    progress.show(
      runRetried({ ...AT, role: 'timed' }, { code: 'host-unfit', reasons: [{ code: 'steal', share: 0.2 }] }),
    );
    progress.show(runRetried({ ...AT, role: 'timed' }, { code: 'browser-died' }));
    progress.show(finished());
    progress.show({ kind: 'written', files: ['a', 'b'] });
    progress.close();
    expect(writes.join('')).toBe(
      [
        'Chrome/156',
        './dist is served at http://127.0.0.1:1/',
        'http://x/ warm-up run: watched for 4.25 s, 42 requests',
        'http://x/ run 1 of 5: tried again, the hypervisor took 20% of the CPU time',
        'http://x/ run 1 of 5: failed, tried again',
        'http://x/ run 1 of 5: page complete at 1.24 s, 42 requests',
        '',
      ].join('\n'),
    );
  });

  test('of several pages the line says which, and the round', () => {
    const { progress, writes } = writer();
    const page = { name: 'Shop', index: 2, of: 12 };
    progress.show({ ...finished(), page } as Progress);
    progress.show({ ...finished({ ...RUN, index: 0, role: 'evidence' }), page } as Progress);
    progress.show(noted({ code: 'other-origins', pages: 1, origin: 'https://y' }));
    expect(writes.join('')).toBe(
      [
        'Shop (page 2 of 12) round 1 of 5: page complete at 1.24 s, 42 requests',
        'Shop (page 2 of 12) evidence run: watched for 4.25 s, 42 requests',
        '1 page of other origins left out, such as https://y.',
        '',
      ].join('\n'),
    );
  });

  test.each([false, true])('what a server said before it failed is told, quiet %s', (quiet) => {
    const { progress, writes } = writer({ quiet });
    progress.show({ kind: 'server-output', command: 'npm start', lines: ['a', '\u001b[31mred\u001b[0m'] });
    progress.show({ kind: 'server-output', command: 'npm start', lines: [] });
    expect(writes.join('')).toBe('The last 2 lines of npm start:\n  a\n  red\nnpm start printed nothing.\n');
  });

  const building: readonly Progress[] = [
    { kind: 'build-starting', build: 'base', name: 'main (abc1234)', command: 'npm run build' },
    { kind: 'build-output', build: 'base', name: 'main (abc1234)', lines: ['\u001b[31mone\u001b[0m'], failed: false },
    { kind: 'build-finished', build: 'base', name: 'main (abc1234)', after: 12_345 },
    { kind: 'build-finished', build: 'base', name: 'main (abc1234)' },
    { kind: 'build-starting', build: 'base', name: 'main (abc1234)' },
    { kind: 'build-output', build: 'base', name: 'main (abc1234)', lines: ['one'], failed: true },
  ];

  test('builds are told with the time that they take, and what they say when they fail', () => {
    const { progress, writes } = writer();
    for (const event of building) progress.show(event);
    expect(writes.join('').split('\n')).toEqual([
      'building base main (abc1234): npm run build',
      'base main (abc1234) is ready after 12.3 s',
      'base main (abc1234) comes from the cache',
      'checking out base main (abc1234)',
      'The last line of base main (abc1234):',
      '  one',
      '',
    ]);
  });

  test('what builds say is told as it comes with --verbose, and only their failure with --quiet', () => {
    const [verbose, quiet] = [writer({ verbose: true }), writer({ quiet: true })];
    for (const event of building) verbose.progress.show(event);
    for (const event of building) quiet.progress.show(event);
    expect(verbose.writes.filter((text) => text.includes('one'))).toEqual(['  one\n']);
    expect(quiet.writes.join('')).toBe('The last line of base main (abc1234):\n  one\n');
  });

  test('a dumb terminal is none', () => {
    const { progress, writes } = writer({ isTTY: true, TERM: 'dumb' });
    progress.show(started);
    progress.show(going(1));
    progress.close();
    expect(writes).toEqual([]);
  });

  test('--verbose adds the browser, the numbers and the files', () => {
    const { progress, writes } = writer({ verbose: true });
    progress.show({ kind: 'browser-started', product: 'Chrome/156', sandbox: true, path: '/usr/bin/chrome' });
    progress.show(finished());
    progress.show({ kind: 'written', files: ['reports/x/index.html'] });
    expect(writes.join('')).toBe(
      [
        'Chrome/156 (/usr/bin/chrome), sandbox on',
        'http://x/ run 1 of 5: page complete at 1.24 s, 42 requests',
        '  requestCount 42, load 900.13',
        'wrote reports/x/index.html',
        '',
      ].join('\n'),
    );
  });

  test('--quiet says nothing', () => {
    for (const isTTY of [true, false]) {
      const { progress, writes } = writer({ quiet: true, isTTY });
      progress.show(started);
      progress.show(going(1));
      progress.show(finished());
      progress.note('a note');
      progress.close();
      expect(writes).toEqual([]);
    }
  });

  test.each<[Partial<RunResult>, string]>([
    [
      { pageComplete: { ...RUN.pageComplete, state: 'never', observedUntil: 60_000 } as never },
      'not complete within 60.00 s',
    ],
    [
      { pageComplete: { ...RUN.pageComplete, state: 'unconfirmed' } as never },
      'page probably complete at 1.24 s, watched until 4.25 s',
    ],
    // Why is told at the end, once.
    [{ ok: false, failure: { code: 'x', message: 'No such host: y.' } }, 'failed\n'],
  ])('a run that ended otherwise: %j', (over, line) => {
    const { progress, writes } = writer();
    progress.show(finished({ ...RUN, ...over }));
    expect(writes.join('')).toContain(`: ${line}`);
    for (const control of ['\u001b', '\u0007']) expect(writes.join('')).not.toContain(control);
    expect(writes.join('').split('\n')).toHaveLength(2);
    expect(writes).toHaveLength(1);
  });
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
    // 79 of the 80 columns, the last of them a sign that something was cut off.
    expect(drawn.at(-1)).toBe(
      `${CLEAR}http://x/ run 1 of 5: 1.0 s, 12 requests, waiting for http://x/slow.js and 2 m…`,
    );
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
    expect(writes.slice(-2)).toEqual([`${CLEAR}a note\n`, `${CLEAR}http://x/ run 1 of 5: 0.0 s`]);
    progress.close();
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

test('what is done with many pages once they are loaded is drawn on a terminal, and no line anywhere else', () => {
  const steps: readonly Progress[] = [
    { kind: 'settling', index: 7, of: 1000 },
    { kind: 'drawing', index: 8, of: 1000 },
  ];
  for (const [i, line] of [
    'deciding what is background, page 7 of 1000',
    'writing the report of page 8 of 1000',
  ].entries()) {
    const { progress, writes } = writer({ isTTY: true });
    for (const event of steps.slice(i, i + 1)) progress.show(event);
    progress.close();
    expect(writes).toEqual([HIDE, CLEAR + line, CLEAR, SHOW]);
  }
  const plain = writer();
  for (const event of steps) plain.progress.show(event);
  expect(plain.writes).toEqual([]);
});

describe('a comparison', () => {
  const look = (over: Partial<ComparisonLook> = {}): Progress => ({
    kind: 'comparison-progress',
    pairs: 10,
    maxPairs: 40,
    nextLook: 16,
    expectedPairs: 6,
    gates: [
      {
        metric: 'pageComplete',
        title: 'Page complete',
        scale: 'ratio',
        unit: 'ms',
        estimate: 0.031,
        low: -0.012,
        high: 0.075,
        decision: 'unsure',
      },
      { metric: 'totalBlockingTime', title: 'Total blocking time', scale: 'shift', unit: 'ms', estimate: -20 },
    ],
    ...over,
  });

  test('shows after every block how far the intervals have narrowed', () => {
    const { progress, writes } = writer();
    progress.show(look());
    const [gate] = (look() as ComparisonLook).gates;
    if (!gate) throw new Error('a look has gates');
    const { nextLook: _next, expectedPairs: _expected, ...last } = look() as ComparisonLook;
    progress.show({ ...last, pairs: 40, gates: [{ ...gate, decision: 'same' }] });
    expect(writes.join('')).toBe(
      [
        '10 of at most 40 pairs; page complete +3.1% (−1.2% to +7.5%); total blocking time −20 ms (too few pairs for an interval); next look at 16, about 6 more pairs expected',
        '40 of at most 40 pairs; page complete +3.1% (−1.2% to +7.5%), same',
        '',
      ].join('\n'),
    );
  });

  test('tells of single loads only when they fail, or when asked', () => {
    const quietly = writer();
    quietly.progress.show(finished({ ...RUN, build: 'base', block: 1 }));
    expect(quietly.writes).toEqual([]);
    const failed: RunResult = { index: 1, role: 'timed', ok: false, failure: { code: 'x', message: 'It broke.' } };
    quietly.progress.show(finished({ ...failed, build: 'base', block: 1 }));
    expect(quietly.writes.join('')).toBe('http://x/ run 1 of 5: failed\n');
    const loudly = writer({ verbose: true });
    const evil = { code: 'x', message: 'evil \u001b[31m\u0007red\nline' };
    loudly.progress.show(finished({ ...failed, failure: evil }));
    expect(loudly.writes.join('')).toBe('http://x/ run 1 of 5: failed. evil  red line\n');
    loudly.progress.show(finished({ ...RUN, build: 'base', block: 1 }));
    expect(loudly.writes.join('')).toContain('page complete at 1.24 s');
  });
});
