import { isDeepStrictEqual } from 'node:util';
import { agree, observeRun, type RunObservations } from '../../core/background/content/consensus.ts';
import { learnExpected } from '../../core/completion/expected.ts';
import { defined } from '../../core/text/defined.ts';
import type { EndpointRule } from '../../model/background/verdict.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { RunResult, TargetResult } from '../../model/result/result.ts';
import { representativeRun } from '../../result/representative.ts';
import { toRunSummary } from '../../result/run-summary.ts';
import type { TempFile, TempFiles } from '../../shell/disk/temp-file.ts';
import { type Compressed, pack } from './code/compressed.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';

/** A finished run: what it came to in memory, what it was made from on the disk. */
interface KeptRun {
  readonly summary: RunResult;
  readonly result: Compressed<RunResult>;
  /** To be judged again with other rules. */
  readonly loaded: TempFile<LoadedRun>;
  /** What a timed run might end early by; absent when it was watched for the whole window in any case. */
  readonly expected?: ExpectedContent;
  readonly judged: TempFile<Judged>;
}

/** What is needed of a judgement once all runs are there; nothing of a load that failed. */
interface Judged {
  readonly waterfall?: Waterfall;
  readonly observations?: RunObservations;
}

/**
 * The runs of one target, in the order in which they came. Every target of a job is under way at once, so that recordings
 * lie in temporary files. Used by audits and comparisons alike.
 */
export class RunSeries {
  readonly #tempFiles: TempFiles;
  #runs: readonly KeptRun[] = [];
  #page: Pick<TargetResult, 'title' | 'finalUrl'> = {};

  constructor(tempFiles: TempFiles) {
    this.#tempFiles = tempFiles;
  }

  /** What each run came to, in short. */
  get summaries(): readonly RunResult[] {
    return this.#runs.map(({ summary }) => summary);
  }

  /** Every run whole; put together anew each time. */
  results(): readonly RunResult[] {
    return this.#runs.map(({ result }) => result.unpack());
  }

  /** Where the last load led, and what the page calls itself. */
  get page(): Pick<TargetResult, 'title' | 'finalUrl'> {
    return this.#page;
  }

  /** Puts a run away, in the place of a timed one of the same number. The steps after its load are targets of their own and are left out. */
  async add(done: FinishedRun): Promise<void> {
    const { title, finalUrl } = done.visit?.recording.page ?? {};
    if (title !== undefined && finalUrl !== undefined) this.#page = { title, finalUrl };
    const loaded = await this.#tempFiles.put(withoutSteps(done.loaded));
    const kept = await this.#kept(done, loaded);
    const before = this.#runs.findIndex(({ summary }) => summary.role === 'timed' && summary.index === done.run.index);
    this.#runs = done.run.role === 'timed' && before >= 0 ? this.#runs.with(before, kept) : [...this.#runs, kept];
  }

  /** Timed runs, by their number, that ended early, and are not confirmed by what is known now. */
  get endedTooEarly(): readonly number[] {
    return this.#runs.flatMap(({ expected, summary: { index, ok, pageComplete } }) =>
      expected && ok && pageComplete?.state === 'unconfirmed' ? [index] : [],
    );
  }

  /** Timed runs, by their number, that ended early. */
  get endedEarly(): readonly number[] {
    return this.#runs.flatMap(({ expected, summary: { index, pageComplete } }) =>
      expected && pageComplete?.decidedBy === 'expected-content' ? [index] : [],
    );
  }

  /** Did a run end early by something else than what is expected now? */
  endedByOther(now: ExpectedContent | undefined): boolean {
    return this.#runs.some(
      ({ expected, summary: { pageComplete } }) =>
        pageComplete?.decidedBy === 'expected-content' && expected && !isDeepStrictEqual(expected, now),
    );
  }

  /** What the timed runs say about what is background. */
  async observations(): Promise<readonly RunObservations[]> {
    const all: RunObservations[] = [];
    for (const { summary, judged } of this.#runs) {
      if (summary.role !== 'timed') continue;
      const { observations } = await judged.read();
      if (observations) all.push(observations);
    }
    return all;
  }

  /**
   * An endpoint is background in all runs or in none: what one run saw and another did not is settled over all. Where that
   * changes the rules, the runs are judged again; also where a run ended early and runs after it have taught what it did
   * not expect.
   *
   * @param proved the rules that each was judged with
   * @param expected what is expected now
   * @param rewrite called with each run that was judged again; gives back what is to be kept of it
   */
  async settle(
    proved: readonly EndpointRule[],
    expected: ExpectedContent | undefined,
    rewrite: (done: FinishedRun) => Promise<FinishedRun>,
  ): Promise<void> {
    const rules = agree(await this.observations(), proved);
    if (rules.length > proved.length || this.endedByOther(expected)) await this.judgeAgain(rules, rewrite);
  }

  /** Judges every run with these rules. */
  async judgeAgain(
    rules: readonly EndpointRule[],
    rewrite: (done: FinishedRun) => Promise<FinishedRun>,
  ): Promise<void> {
    let expected: ExpectedContent | undefined;
    const again = [...this.#runs];
    // What is expected follows from those that were watched for the whole window.
    for (const [i, { summary, loaded, expected: before }] of bySurest(this.#runs)) {
      const read = await loaded.read();
      const judged = judgeRun(before ? expecting(read, before, expected) : read, rules);
      // With its suspects held back a page needs something else.
      if (!before && summary.role !== 'ablation' && judged.visit) {
        expected = learnExpected(expected, judged.visit, read.policy.quietWindow);
      }
      const done = await rewrite(judged);
      const { order, repeatedEnding } = summary;
      const run = { ...done.run, ...defined({ order, repeatedEnding }) };
      again[i] = await this.#kept({ ...done, run }, loaded);
    }
    this.#runs = again;
  }

  /** The waterfalls of its timed runs, or of the one that stands for them. */
  async waterfalls(all: boolean): Promise<readonly Waterfall[]> {
    const representative = representativeRun(this.summaries)?.index;
    const waterfalls: Waterfall[] = [];
    for (const { summary, judged } of this.#runs) {
      if (summary.role !== 'timed' || !(all || summary.index === representative)) continue;
      const { waterfall } = await judged.read();
      if (waterfall) waterfalls.push(waterfall);
    }
    return waterfalls;
  }

  async #kept(done: FinishedRun, loaded: TempFile<LoadedRun>): Promise<KeptRun> {
    const { run, visit, waterfall } = done;
    // Untimed runs have no vote, and are not drawn.
    const isTimed = run.role === 'timed';
    const judged = await this.#tempFiles.put<Judged>({
      ...(isTimed && waterfall && { waterfall }),
      ...(isTimed && visit && { observations: observeRun(visit) }),
    });
    const { expected } = done.loaded.policy;
    return {
      summary: toRunSummary(run),
      result: pack(run),
      loaded,
      ...(isTimed && expected && { expected }),
      judged,
    };
  }
}

/** Those that were watched for the whole window come first. */
function bySurest(runs: readonly KeptRun[]): readonly (readonly [number, KeptRun])[] {
  return [...runs.entries()].sort(
    ([, a], [, b]) => Number(a.expected !== undefined) - Number(b.expected !== undefined),
  );
}

/** The load as if this had been expected of it; no window is shorter than the one that it was watched for. */
function expecting(loaded: LoadedRun, before: ExpectedContent, expected: ExpectedContent | undefined): LoadedRun {
  const { expected: _before, ...policy } = loaded.policy;
  if (expected === undefined) return { ...loaded, policy };
  const quietWindow = Math.max(expected.quietWindow, before.quietWindow);
  return { ...loaded, policy: { ...policy, expected: { ...expected, quietWindow } } };
}

function withoutSteps(loaded: LoadedRun): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.ok) return loaded;
  const { steps: _steps, ...alone } = outcome;
  return { ...loaded, outcome: alone };
}
