import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type CompareHooks, compare as compareJob } from '../../../src/jobs/compare/compare.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { LoadOutcome, LoadRequest } from '../../../src/model/recording/lab.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { folderForEach } from '../../support/folders.ts';
import { type CompareOptions, compare, resolvedCompare } from '../../support/jobs.ts';

import { messagesOf } from '../../support/problems.ts';
import { answeringLab, ORIGIN, POLICY, page, recordingOf } from '../../support/scripted.ts';
import { COMPARING } from '../../support/settings.ts';

const BASE = `${ORIGIN}/base`;
const CANDIDATE = `${ORIGIN}/candidate`;

const out = folderForEach('test');

const settings = (more: Partial<CompareOptions> = {}): CompareOptions => ({
  ...COMPARING,
  targets: [BASE, CANDIDATE],
  out: out(),
  format: ['html', 'json', 'har', 'md'],
  ...more,
});

type Loaded = Extract<LoadOutcome, { ok: true }>;

/** A page whose prices have come after so many ms. */
const loaded = (end: number): Loaded => ({
  ok: true,
  recording: recordingOf({
    requests: page({ path: '/api/prices?token=s3cret-value', from: 100, to: end }),
    until: end + 4_000,
  }),
});
const refused = (url: string): LoadOutcome => ({
  ok: false,
  failure: failure('connection-refused', { url, detail: 'refused' }),
});

/** A little noise, the same in every test: 0 to 1 from a number. */
const noise = (n: number): number => ((n * 2_654_435_761) % 1_000) / 1_000;

interface Load {
  readonly build: 'base' | 'candidate';
  /** Counted for each build from 0, the untimed one. */
  readonly nth: number;
  readonly request: LoadRequest;
}

/** Compares two scripted builds. */
async function run(
  load: (load: Load) => LoadOutcome,
  more: Partial<CompareOptions> = {},
  hooks: Pick<CompareHooks, 'signal' | 'onProgress' | 'microBenchmark'> = {},
) {
  const events: Progress[] = [];
  const order: string[] = [];
  const counts = { base: 0, candidate: 0 };
  const openLab = answeringLab((request) => {
    const build = request.url === BASE ? 'base' : 'candidate';
    order.push(build);
    const nth = counts[build];
    counts[build] += 1;
    return load({ build, nth, request });
  });
  const outcome = await compare(settings(more), {
    microBenchmark: () => 10 + noise(order.length),
    ...hooks,
    openLab,
    onProgress: (event) => {
      events.push(event);
      hooks.onProgress?.(event);
    },
  });
  const stored = async () => JSON.parse(await readFile(path.join(out(), 'result.json'), 'utf8')) as CompareResult;
  return { outcome, events, order, counts, stored };
}

const same = ({ nth, build }: Load) => loaded(1_000 + 40 * noise(nth * 2 + (build === 'base' ? 0 : 1)));
const slower = (load: Load) => loaded((load.build === 'base' ? 1_000 : 1_100) + 40 * noise(load.nth * 7 + 3));

describe('compare', () => {
  it('says that two builds are the same, and stops as soon as it knows', async () => {
    const { outcome, stored } = await run(same);
    const result = await stored();
    expect(outcome.problems).toEqual([]);
    expect(outcome.exit).toBe(0);
    expect(result).toMatchObject({ kind: 'compare', decision: 'same', failedGates: [] });
    expect([result.base.policy, result.candidate.policy]).toEqual([POLICY, POLICY]);
    expect(result.design).toMatchObject({ seed: 7, pairs: 10, blocks: 5, stoppedBecause: 'decided' });
    expect(result.design.looksTaken).toEqual([{ pairs: 10, criticalValue: expect.closeTo(2.9552, 4) }]);
  });

  it('fails the gate of a build that is slower, and says by how much', async () => {
    const { outcome, stored } = await run(slower);
    const { comparisons, decision, failedGates, exit } = await stored();
    expect([outcome.exit, exit]).toEqual([1, 1]);
    expect(messagesOf(outcome.problems)).toEqual([
      expect.stringMatching(/^Gate failed: Page complete is \d+\.\d% slower/),
    ]);
    expect({ decision, failedGates }).toEqual({ decision: 'slower', failedGates: ['pageComplete'] });
    const [gate] = comparisons;
    expect(gate?.difference?.relative).toBeCloseTo(0.1, 1);
    expect(gate?.difference?.low).toBeGreaterThan(0.05);
  });

  describe('with a gate that has failed and one that no number of pairs would settle', () => {
    /** The last thing comes 100 ms later, and the largest paint whenever it likes. */
    const load = ({ build, nth }: Load): Loaded => {
      const end = (build === 'base' ? 2_000 : 2_400) + 40 * noise(nth * 7 + 3);
      const paints = [300 + 900 * noise(nth * 13 + (build === 'base' ? 0 : 5))];
      const requests = page({ path: '/api/prices', from: 100, to: end });
      return { ok: true, recording: recordingOf({ requests, paints, until: end + 4_000 }) };
    };
    const gates = { gate: ['page-complete', 'LCP'], format: ['json'] } satisfies Partial<CompareOptions>;

    it('goes on to the end, unless it is to fail fast', async () => {
      const whole = await (await run(load, gates)).stored();
      expect(whole.design).toMatchObject({ pairs: 40, stoppedBecause: 'max-pairs' });
      await rm(out(), { recursive: true });
      const { outcome, stored } = await run(load, { ...gates, failFast: true });
      const result = await stored();
      expect(result.design).toMatchObject({ pairs: 10, stoppedBecause: 'failed', alpha: whole.design.alpha });
      expect(result.design.stoppedSentence).toContain('--fail-fast');
      // The same boundary as at that look of the whole comparison: nothing is paid for it.
      expect(result.design.looksTaken).toEqual(whole.design.looksTaken.slice(0, 1));
      expect(result).toMatchObject({ decision: 'slower', failedGates: ['pageComplete'] });
      expect(outcome.exit).toBe(1);
    });

    it('waits for no metric that is no gate', async () => {
      const { stored } = await run(load, { format: ['json'] });
      const { design, comparisons } = await stored();
      expect(design).toMatchObject({ pairs: 10, stoppedBecause: 'decided' });
      expect(comparisons.find(({ metric }) => metric === 'largestContentfulPaint')).toMatchObject({
        gate: false,
        decision: 'unsure',
      });
    });
  });

  it('places every timed run, so that anybody can compute the interval again', async () => {
    const { stored, order } = await run(same);
    const { base, candidate } = await stored();
    const timed = [...base.runs, ...candidate.runs].filter(({ role }) => role === 'timed');
    const places = timed.map(({ block, order, build }) => [block, order, build] as const);
    const inOrder = places.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0));
    expect(inOrder.map(([, , build]) => build)).toEqual(order.slice(2));
    for (let block = 1; block <= 5; block += 1) {
      const of = inOrder.filter(([each]) => each === block).map(([, , build]) => build);
      expect(of.toSorted()).toEqual(['base', 'base', 'candidate', 'candidate']);
    }
    expect(timed.every(({ host }) => (host?.microBenchmark ?? 0) >= 10)).toBe(true);
  });

  it('loads in the same order with the same seed, and in another with another', async () => {
    const first = (await run(same, { seed: 1 })).order;
    await rm(out(), { recursive: true });
    const again = (await run(same, { seed: 1 })).order;
    await rm(out(), { recursive: true });
    const other = (await run(same, { seed: 2 })).order;
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('writes every format that is asked for', async () => {
    const format = ['html', 'json', 'junit', 'md', 'csv'] as const;
    const { outcome } = await run(slower, { format });
    const read = (file: string): Promise<string> => readFile(path.join(out(), file), 'utf8');
    expect(outcome.files.map((file) => path.basename(file)).toSorted()).toEqual([
      'index.html',
      'junit.xml',
      'result.csv',
      'result.json',
      'summary.md',
    ]);
    expect(await read('junit.xml')).toContain('<testsuites name="quiesce compare" tests="3" failures="1" errors="0"');
    expect((await read('result.csv')).match(/^.*,(?:base|candidate),\d+,timed,[1-5],[0-3],true,true,/gm)).toHaveLength(
      20,
    );
    expect(await read('summary.md')).toMatch(/^### 🔴 Slower\n/);
  });

  it('makes no folder and no file where no format is wanted, so that there is nothing to resume either', async () => {
    const nowhere = path.join(out(), 'nowhere');
    const abort = new AbortController();
    const outcome = await compareJob(
      { ...resolvedCompare(settings({ out: nowhere })), formats: [] },
      {
        openLab: answeringLab(() => loaded(1_000)),
        microBenchmark: () => 10,
        signal: abort.signal,
        onProgress: (event) => {
          if (event.kind === 'comparison-progress' && event.pairs === 6) abort.abort();
        },
      },
    );
    expect(outcome.exit).toBe(130);
    expect(outcome.result.design.pairs).toBe(6);
    expect(messagesOf(outcome.problems).join()).not.toContain('--resume');
    expect(outcome.files).toEqual([]);
    expect(await readdir(out())).toEqual([]);
  });

  it('judges all runs again where one of them disagrees about what is background, in both builds', async () => {
    // One load of the candidate meets a hiccup, after which its poll looks as if it had stopped.
    const polled = (times: number, until: number): LoadOutcome => ({
      ok: true,
      recording: recordingOf({
        requests: page(
          { path: '/api', from: 100, to: 1_000 },
          ...Array.from({ length: times }, (_, i) => ({ path: '/stock', from: 500 + i * 1_000, to: 530 + i * 1_000 })),
        ),
        until,
      }),
    });
    const { stored, counts } = await run(
      ({ build, nth }) => (build === 'candidate' && nth === 3 ? polled(4, 9_000) : polled(11, 11_000)),
      { maxPairs: 10, looks: [10] },
    );
    expect(counts).toEqual({ base: 11, candidate: 11 });
    const { base, candidate } = await stored();
    for (const { runs } of [base, candidate]) {
      const timed = runs.filter(({ role }) => role === 'timed');
      expect(timed).toHaveLength(10);
      expect(timed.map(({ background }) => background?.map(({ kind }) => kind))).toEqual(Array(10).fill(['poll']));
      // Nothing else about a run is lost.
      expect(timed.every(({ block, order, host }) => block && order !== undefined && host)).toBe(true);
    }
    expect(
      candidate.runs.find(({ index, role }) => index === 3 && role === 'timed')?.background?.[0]?.because,
    ).toContain('in 19 of 20 runs');
  });

  it('tries a load again, and drops the whole block when it fails twice', async () => {
    let candidates = 0;
    const { outcome, stored, events } = await run((load) => {
      if (load.build === 'base') return same(load);
      candidates += 1;
      // The first try of one load; both of another.
      return candidates === 3 || candidates === 7 || candidates === 8 ? refused(CANDIDATE) : same(load);
    });
    const { design, base, candidate } = await stored();
    expect(events.filter((event) => event.kind === 'run-retried')).toHaveLength(2);
    expect(design).toMatchObject({ pairs: 10, blocks: 5 });
    expect(design.dropped).toEqual([
      {
        block: expect.any(Number),
        because: expect.stringMatching(/^load \d, of the candidate, failed twice: /),
        reason: expect.objectContaining({ code: 'load-failed', build: 'candidate', attempts: 2 }),
      },
    ]);
    const dropped = design.dropped[0]?.block;
    for (const each of [...base.runs, ...candidate.runs])
      expect([each.excluded !== undefined, each.exclusion !== undefined]).toEqual(
        Array(2).fill(each.block === dropped),
      );
    expect(candidate.runs.some(({ ok, attempts }) => ok && attempts === 2)).toBe(true);
    expect(outcome.exit).toBe(0);
  });

  it('ends when blocks go on failing, keeps what was measured, and says so', async () => {
    const { outcome, stored } = await run((load) =>
      load.build === 'candidate' && load.nth > 6 ? refused(CANDIDATE) : same(load),
    );
    const { design, base } = await stored();
    expect(design.stoppedBecause).toBe('too-many-failures');
    expect(design.pairs).toBeGreaterThan(2);
    expect(base.runs.filter(({ ok }) => ok).length).toBeGreaterThan(5);
    expect(outcome.exit).toBe(4);
    expect(messagesOf(outcome.problems)).toContainEqual(expect.stringContaining('blocks failed'));
  });

  it('takes no longer than it says before its first load, also where every second block fails', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    let took = 0;
    let timed = 0;
    const { events, stored } = await run(
      (load) => {
        vi.advanceTimersByTime(POLICY.timeout);
        took += POLICY.timeout;
        if (load.nth === 0) return same(load);
        timed += 1;
        // The last load of a block, both times; then four that succeed.
        const isLate = timed % 9 === 4 || timed % 9 === 5;
        const { url } = load.request;
        return isLate ? { ok: false, failure: failure('no-answer', { url, timeout: POLICY.timeout }) } : same(load);
      },
      { maxPairs: 6 },
    );
    const said = events.flatMap((event) => (event.kind === 'loads-ahead' ? [event.within ?? Number.NaN] : []));
    // Twelve timed loads, and for each build the film, what it leaves open, and the rest.
    expect(said[0]).toBe((2 * 6 + 2 * 4) * POLICY.timeout);
    expect(said).toEqual(said.toSorted((a, b) => b - a));
    expect(took).toBeLessThanOrEqual(said[0] ?? 0);
    expect((await stored()).design).toMatchObject({ stoppedBecause: 'too-many-failures' });
  });

  it.each(['base', 'candidate'] as const)('says that the %s is down, in one line and exit 3', async (down) => {
    const { outcome, counts } = await run((load) => (load.build === down ? refused(load.request.url) : same(load)));
    expect(outcome.exit).toBe(3);
    expect(messagesOf(outcome.problems)).toEqual([
      expect.stringContaining('Nothing listens'),
      expect.stringContaining(down),
    ]);
    expect(counts[down]).toBe(4);
  });

  it('asks once for a page that the server refuses, and again where that may pass', async () => {
    const answered = (status: number): LoadOutcome => ({
      ok: false,
      failure: failure('http-error', { url: CANDIDATE, status }),
    });
    const asked = async (status: number) => {
      const { counts } = await run((load) => (load.build === 'candidate' ? answered(status) : same(load)));
      await rm(out(), { recursive: true });
      return counts.candidate;
    };
    const refusals = await asked(404);
    expect(await asked(429)).toBe(2 * refusals);
    expect(await asked(503)).toBe(2 * refusals);
  });

  it('does not wait for a page that is never complete', async () => {
    const marked = (ownMark?: number): LoadOutcome => ({
      ok: true,
      recording: recordingOf({ requests: page(), until: 60_000, ...(ownMark !== undefined && { ownMark }) }),
    });
    const { outcome, stored, counts } = await run(({ build }) => (build === 'base' ? marked(1_000) : marked()), {
      completeOn: '#ready',
    });
    expect((await stored()).design).toMatchObject({ stoppedBecause: 'not-measurable', pairs: 2 });
    expect(counts.candidate).toBe(3);
    expect(outcome.exit).toBe(4);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining('The candidate was not complete')]);
  });

  it.each([['pageComplete'], ['pageComplete', 'largestContentfulPaint']] as const)(
    'ends soon where one page is blank, with no answer (%s)',
    async (...gate) => {
      const painted = ({ recording: { page, ...rest } }: Loaded): LoadOutcome => ({
        ok: true,
        recording: { ...rest, ...(page && { page: { ...page, firstContentfulPaint: 80 } }) },
      });
      const blank = ({ recording }: Loaded): LoadOutcome => ({
        ok: true,
        recording: { ...recording, shown: { title: '', letters: 0, isDrawn: false, errors: [] } },
      });
      const { outcome, stored } = await run(
        ({ build }) => (build === 'base' ? painted(loaded(2_000)) : blank(loaded(1_000))),
        { gate: [...gate] },
      );
      const { design, decision, failedGates, sentence, pageDifferences } = await stored();
      expect(design).toMatchObject({ stoppedBecause: 'blank', pairs: 4 });
      expect({ decision, failedGates }).toEqual({ decision: 'unsure', failedGates: [] });
      expect(sentence).toBe('Undecided: one page is blank.');
      expect(messagesOf(outcome.problems)).toEqual([expect.stringMatching(/^The candidate shows nothing/)]);
      expect(pageDifferences.map(({ code }) => code)).toContain('blank');
      expect(outcome.exit).toBe(4);
    },
  );

  it('repeats loads while the host is busy, and says that it was not fit when it stays busy', async () => {
    const busy = (outcome: LoadOutcome): LoadOutcome => {
      if (!outcome.ok) return outcome;
      const sample = { cores: 2, browser: 0, own: 0 };
      return {
        ok: true,
        recording: {
          ...outcome.recording,
          hostSamples: [
            { at: 0, ...sample, busy: 0, total: 0 },
            { at: 5_000, ...sample, busy: 9_000, total: 10_000 },
          ],
        },
      };
    };
    const once = await run((load) => (load.nth === 3 && load.build === 'base' ? busy(same(load)) : same(load)));
    const repeated = (await once.stored()).base.runs.filter(({ repeatedBecause }) => repeatedBecause !== undefined);
    expect(repeated).toEqual([expect.objectContaining({ repeatedBecause: [expect.stringContaining('90%')] })]);
    expect((await once.stored()).design.repeated).toBe(1);
    await rm(out(), { recursive: true });
    const always = await run((load) => busy(same(load)));
    expect(await always.stored()).toMatchObject({ decision: 'same', host: { verdict: 'unfit' } });
    expect(messagesOf(always.outcome.problems)).toEqual([expect.stringContaining('The host was not fit to measure')]);
    expect((await always.stored()).design.repeated).toBeLessThanOrEqual(20);
    // Decided is decided: the warning stays.
    expect(always.outcome.exit).toBe(0);
  });

  it('is invalid when the host was slower for one build', async () => {
    let next = 0;
    const { outcome, stored } = await run(
      same,
      {},
      {
        // Before each load of the candidate the machine is slower: the order is known from the seed.
        microBenchmark: () => 10 + (ORDER[next++] === 'candidate' ? 1 : 0) + noise(next) / 10,
      },
    );
    expect((await stored()).decision).toBe('invalid');
    expect(outcome.exit).toBe(4);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining('The comparison is invalid')]);
  });

  it('judges both builds alike: what is background in one is background in the other', async () => {
    const asking = (times: number): LoadOutcome => ({
      ok: true,
      recording: recordingOf({
        requests: page(
          { path: '/api/prices', from: 100, to: 400 },
          ...Array.from({ length: times }, (_, i) => ({
            path: `/ping?t=${i}`,
            from: 900 + i * 1_000,
            to: 950 + i * 1_000,
            timer: 'setInterval' as const,
          })),
        ),
        until: 9_000,
      }),
    });
    // The candidate asks but twice: nothing of its own says that this is a poll.
    const { stored } = await run(({ build }) => asking(build === 'base' ? 8 : 2), { maxPairs: 2 });
    const { base, candidate } = await stored();
    const kinds = ({ background }: typeof base) => background.map(({ kind }) => kind);
    expect(kinds(base)).toEqual(['poll']);
    expect(kinds(candidate)).toEqual(['poll']);
    const complete = [...base.runs, ...candidate.runs].flatMap(({ role, metrics }) =>
      role === 'timed' ? metrics?.pageComplete : [],
    );
    expect(new Set(complete).size).toBe(1);
  });

  it('shows the interval after every block, and decides only at looks', async () => {
    const { events } = await run(same);
    const looks = events.filter((event) => event.kind === 'comparison-progress');
    expect(looks.map(({ pairs }) => pairs)).toEqual([2, 4, 6, 8, 10]);
    expect(looks.map(({ gates }) => gates[0]?.decision)).toEqual([undefined, undefined, undefined, undefined, 'same']);
    expect(looks[0]).toMatchObject({ maxPairs: 40, nextLook: 10 });
  });

  it('keeps secrets out of every file', async () => {
    await run(same);
    for (const name of await readdir(out(), { recursive: true })) {
      const text = await readFile(path.join(out(), name), 'utf8').catch(() => '');
      expect(text, name).not.toContain('s3cret');
    }
  });
});

/** The order of loads that seed 7 gives. */
const ORDER = await (async () => {
  const { blockOrder } = await import('../../../src/core/experiment/blocks.ts');
  return Array.from({ length: 20 }, (_, i) => blockOrder(7, i + 1)).flat();
})();

/** What an interrupted comparison keeps, as far as tests change it. */
interface Stored {
  readonly sides: Readonly<Record<'base' | 'candidate', object>>;
  readonly runs: readonly { readonly run: object }[];
}

describe('an interrupted comparison', () => {
  const until = async (pairs: number, more: Partial<CompareOptions> = {}) => {
    const abort = new AbortController();
    return run(same, more, {
      signal: abort.signal,
      onProgress: (event) => {
        if (event.kind === 'comparison-progress' && event.pairs === pairs) abort.abort();
      },
    });
  };

  it('keeps what is done, says how to go on, and goes on to the same answer', async () => {
    const { outcome, stored, order } = await until(6);
    expect(outcome.exit).toBe(130);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining('--resume')]);
    expect(await stored()).toMatchObject({ interrupted: true, design: { pairs: 6, stoppedBecause: 'interrupted' } });
    const resumed = await run(same, { resume: true });
    expect(resumed.outcome.exit).toBe(0);
    expect([...order, ...resumed.order].slice(2)).toEqual(ORDER.slice(0, 20));
    const { design, base } = await resumed.stored();
    expect(design).toMatchObject({ pairs: 10, stoppedBecause: 'decided', seed: 7 });
    expect(design.looksTaken.map(({ pairs }) => pairs)).toEqual([6, 10]);
    expect(base.runs.filter(({ role }) => role === 'timed').map(({ index }) => index)).toEqual(
      Array.from({ length: 10 }, (_, i) => i + 1),
    );
    expect(await readdir(out())).not.toContain('resume');
  });

  it('goes on from files of an earlier version, in which a block that does not count has a sentence alone', async () => {
    await until(6);
    const file = path.join(out(), 'resume', 'block-1.json');
    const { dropped: _dropped, ...block } = JSON.parse(await readFile(file, 'utf8'));
    const because = 'load 1, of the base, failed twice: The page crashed.';
    await writeFile(file, JSON.stringify({ ...block, dropped: because }));
    const { design } = await (await run(same, { resume: true })).stored();
    expect(design.dropped).toEqual([{ block: 1, because, reason: { code: 'recorded', text: because } }]);
  });

  it('can still be gone on with when its report cannot be written', async () => {
    const inTheWay = path.join(out(), 'index.html');
    await mkdir(inTheWay);
    const { outcome } = await run(same, { force: true });
    expect(outcome.exit).toBe(3);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining('Writing')]);
    await rm(inTheWay, { recursive: true });
    const again = await run(same, { resume: true });
    expect(again.order).toEqual([]);
    expect(await again.stored()).toMatchObject({ decision: 'same', design: { pairs: 10 } });
    expect(await readdir(out())).not.toContain('resume');
  });

  it('draws its seed once', async () => {
    const { seed: _seed, ...seedless } = settings();
    const abort = new AbortController();
    const hooks: CompareHooks = {
      openLab: answeringLab(() => loaded(1_000)),
      microBenchmark: () => 10,
    };
    const first = await compare(seedless, {
      ...hooks,
      signal: abort.signal,
      onProgress: (event) => event.kind === 'comparison-progress' && abort.abort(),
    });
    const resumed = await compare({ ...seedless, resume: true }, hooks);
    expect(resumed.result.design.seed).toBe(first.result.design.seed);
  });

  it('is not lost by beginning another in its folder', async () => {
    await until(6);
    await expect(run(same)).rejects.toThrow(/interrupted after 12 loads.*--resume/);
  });

  it.each([
    ['quiet window', { quietWindow: 500 }, '--quiet-window'],
    ['target', { targets: [BASE, `${ORIGIN}/other`] }, 'candidate'],
    ['seed', { seed: 8 }, '--seed'],
    ['gate', { gate: ['LCP' as const] }, '--gate'],
    ['most pairs', { maxPairs: 10 }, '--max-pairs or --looks'],
  ])('is not gone on with another %s', async (_, more, named) => {
    await until(4);
    await expect(run(same, { ...more, resume: true })).rejects.toThrow(new RegExp(`another ${named}\\.`));
  });

  it.each([
    ['user agent', { userAgent: 'Mozilla/5.0' }, '--user-agent'],
    ['shard', { shard: '1/2' }, '--shard'],
  ])('is not gone on with without its %s', async (_, more, named) => {
    await until(2, more);
    await expect(run(same, { resume: true })).rejects.toThrow(`another ${named}.`);
  });

  it('is not said to be there when its answer is known', async () => {
    const abort = new AbortController();
    const { outcome, stored } = await run(
      same,
      {},
      { signal: abort.signal, onProgress: (event) => event.kind === 'written' && abort.abort() },
    );
    expect(await stored()).toMatchObject({ decision: 'same' });
    expect(outcome.problems).toMatchObject([{ code: 'interrupted' }]);
    expect(messagesOf(outcome.problems).join()).not.toContain('--resume');
  });

  it('says when there is nothing to go on with, or no folder was named', async () => {
    await expect(run(same, { resume: true })).rejects.toThrow('contains no interrupted comparison');
    const { out: _out, ...homeless } = settings({ resume: true });
    await expect(compare(homeless)).rejects.toThrow('needs --out');
  });

  it('says which file is broken', async () => {
    await until(4);
    await writeFile(path.join(out(), 'resume', 'block-1.json'), '{"index": 1, "runs": [{}]}');
    await expect(run(same, { resume: true })).rejects.toThrow(/block-1\.json cannot be read \(runs\.0\.run/);
    await writeFile(path.join(out(), 'resume', 'comparison.json'), '{');
    await expect(run(same, { resume: true })).rejects.toThrow(/comparison\.json cannot be read \(it is not JSON/);
  });

  it.each([
    ['comparison', /sides\.base\.title/, (head: Stored) => Object.assign(head.sides.base, { title: 5 })],
    [
      'comparison',
      /sides\.candidate\.finalUrl/,
      (head: Stored) => Object.assign(head.sides.candidate, { finalUrl: {} }),
    ],
    ['comparison', /sides\.base\.evidence/, (head: Stored) => Object.assign(head.sides.base, { evidence: 'x' })],
    ['comparison', /sides\.base\.mainThread/, (head: Stored) => Object.assign(head.sides.base, { mainThread: [null] })],
    [
      'block-1',
      /runs\.0\.run\.background/,
      ({ runs }: Stored) => Object.assign(runs[0]?.run ?? {}, { background: 'x' }),
    ],
    [
      'block-1',
      /runs\.0\.run\.findings/,
      ({ runs }: Stored) => Object.assign(runs[0]?.run ?? {}, { findings: [null] }),
    ],
  ])('says of %s which of its values is of another type: %s', async (name, place, change) => {
    await until(4);
    const file = path.join(out(), 'resume', `${name}.json`);
    const stored = JSON.parse(await readFile(file, 'utf8')) as Stored;
    change(stored);
    await writeFile(file, JSON.stringify(stored));
    await expect(run(same, { resume: true })).rejects.toMatchObject({ code: 'resume-broken', message: place });
  });
});

describe('what cannot be compared', () => {
  const refuse = (more: Partial<CompareOptions>) => expect(compare(settings(more))).rejects;

  it('is said in a line before anything is loaded', async () => {
    await refuse({ targets: [BASE] }).toThrow('Missing arguments: the two builds');
    await refuse({ targets: [BASE, CANDIDATE, BASE] }).toThrow('3 arguments, and two builds are compared');
    await refuse({ targets: [BASE, BASE] }).toThrow(/Both builds are .*nothing to compare/);
    await refuse({ targets: [out(), `${out()}/.`] }).toThrow('no index.html');
    await refuse({ gate: ['speed' as never] }).toThrow(/unknown metric "speed".*largest-contentful-paint/);
    await refuse({ maxPairs: 1 }).toThrow('--max-pairs');
    await refuse({ maxPairs: 7 }).toThrow('7 is odd');
    await refuse({ looks: [10, 8] }).toThrow(/--looks.*8 follows 10/);
    await refuse({ alpha: 1.5 }).toThrow('--alpha');
    await refuse({ minEffect: 'much' }).toThrow('minEffect must be a percentage, a time in ms, or both');
    expect(await readdir(out())).toEqual([]);
  });

  it('may be a folder and itself by another name', async () => {
    await writeFile(path.join(out(), 'index.html'), '<!doctype html>');
    await refuse({ targets: [out(), `${out()}/.`] }).toThrow('Both builds are');
  });
});
