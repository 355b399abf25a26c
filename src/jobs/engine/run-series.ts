import { agree, observeRun, type RunObservations } from '../../core/background/consensus.ts';
import type { Waterfall } from '../../model/report.ts';
import type { RunResult, TargetResult } from '../../model/result.ts';
import type { EndpointRule } from '../../model/verdict.ts';
import { representativeRun } from '../../result/representative.ts';
import { toRunSummary } from '../../result/run-summary.ts';
import type { TempFile, TempFiles } from '../../shell/disk/temp-file.ts';
import { type Compressed, pack } from './compressed.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';

/** A finished run: what it came to in memory, what it was made from on the disk. */
interface KeptRun {
  readonly summary: RunResult;
  readonly result: Compressed<RunResult>;
  /** To be judged again with other rules. */
  readonly loaded: TempFile<LoadedRun>;
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

  /** Puts a run away; the steps after its load are targets of their own and are left out. */
  async add(done: FinishedRun): Promise<void> {
    const { title, finalUrl } = done.visit?.recording.page ?? {};
    if (title !== undefined && finalUrl !== undefined) this.#page = { title, finalUrl };
    const loaded = await this.#tempFiles.put(withoutSteps(done.loaded));
    this.#runs = [...this.#runs, await this.#kept(done, loaded)];
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
   * changes the rules, the runs are judged again.
   *
   * @param proved the rules that each was judged with
   * @param rewrite called with each run that was judged again; gives back what is to be kept of it
   */
  async settle(proved: readonly EndpointRule[], rewrite: (done: FinishedRun) => Promise<FinishedRun>): Promise<void> {
    const rules = agree(await this.observations(), proved);
    if (rules.length > proved.length) await this.judgeAgain(rules, rewrite);
  }

  /** Judges every run with these rules. */
  async judgeAgain(
    rules: readonly EndpointRule[],
    rewrite: (done: FinishedRun) => Promise<FinishedRun>,
  ): Promise<void> {
    const again: KeptRun[] = [];
    for (const { summary, loaded } of this.#runs) {
      const done = await rewrite(judgeRun(await loaded.read(), rules));
      const { order } = summary;
      const run = order === undefined ? done.run : { ...done.run, order };
      again.push(await this.#kept({ ...done, run }, loaded));
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

  async #kept({ run, visit, waterfall }: FinishedRun, loaded: TempFile<LoadedRun>): Promise<KeptRun> {
    // Untimed runs have no vote, and are not drawn.
    const isTimed = run.role === 'timed';
    const judged = await this.#tempFiles.put<Judged>({
      ...(isTimed && waterfall && { waterfall }),
      ...(isTimed && visit && { observations: observeRun(visit) }),
    });
    return { summary: toRunSummary(run), result: pack(run), loaded, judged };
  }
}

function withoutSteps(loaded: LoadedRun): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.ok) return loaded;
  const { steps: _steps, ...alone } = outcome;
  return { ...loaded, outcome: alone };
}
