import { keyOf } from '../../core/background/consensus.ts';
import { slugOf, uniqueSlugs } from '../../core/slug.ts';
import type { RunResult, TargetResult } from '../../model/result.ts';
import type { EndpointRule } from '../../model/verdict.ts';
import type { TempFiles } from '../../shell/disk/temp-file.ts';
import type { ReportedTarget } from './reported-target.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';
import { RunSeries } from './run-series.ts';
import { targetOf } from './target-result.ts';

/** What the steps of a page are measured with. */
export interface StepSeriesOptions {
  readonly tempFiles: TempFiles;
  /** What the results of its steps have in common. */
  readonly page: Pick<TargetResult, 'target' | 'name' | 'url' | 'conditions' | 'policy' | 'source'>;
  /** Draw the waterfall of every run, or only of the one that stands for the step. */
  readonly allWaterfalls: boolean;
  /** Writes the HAR of a step; `slug` is its name for files. */
  writeHar(done: FinishedRun, slug: string): Promise<FinishedRun>;
  onRun(step: string, run: RunResult): void;
  /** Called after every run with what is new: the target as if it had no other runs. */
  save(target: TargetResult): Promise<void>;
}

/** One step over all loads of its page. */
interface Step {
  readonly name: string;
  readonly runs: RunSeries;
  /** What the loads taught about the page's background, over all runs. */
  rules: readonly EndpointRule[];
}

/** The steps that a script does after the loads of one page, in the order in which they first came: each becomes a target of its own. */
export class StepSeries {
  readonly #options: StepSeriesOptions;
  readonly #steps = new Map<string, Step>();

  constructor(options: StepSeriesOptions) {
    this.#options = options;
  }

  /** Takes the steps of a load, if it has any. */
  async add({ index, role, outcome }: LoadedRun): Promise<void> {
    if (!outcome.ok) return;
    for (const { name, policy, outcome: recorded } of outcome.steps ?? []) {
      const step = this.#steps.get(name) ?? { name, runs: new RunSeries(this.#options.tempFiles), rules: [] };
      this.#steps.set(name, step);
      const loaded: LoadedRun = {
        index,
        // What untimed runs do beside proving is to warm up.
        role: role === 'timed' ? 'timed' : 'discarded',
        policy,
        outcome: recorded,
        attempts: 1,
      };
      const rules = policy.learnt ?? [];
      const done = await this.#writeHar(judgeRun(loaded, rules), name);
      step.rules = joined(step.rules, rules);
      await step.runs.add(done);
      this.#options.onRun(name, done.run);
      await this.#options.save(this.#resultOf(step, [done.run]));
    }
  }

  targets(): readonly ReportedTarget[] {
    return [...this.#steps.values()].map((step) => ({
      result: () => this.#resultOf(step, step.runs.results()),
      visuals: async () => ({ waterfalls: await step.runs.waterfalls(this.#options.allWaterfalls), thumbnails: {} }),
    }));
  }

  /** Once there are no more runs: makes those of each step agree on what is background. */
  async settle(): Promise<void> {
    for (const { name, runs, rules } of this.#steps.values()) {
      await runs.settle(rules, (done) => this.#writeHar(done, name));
    }
  }

  #writeHar(done: FinishedRun, step: string): Promise<FinishedRun> {
    // Two names may be alike as file names; those before keep theirs.
    const names = [...this.#steps.keys()];
    const slugs = uniqueSlugs(names.map((name) => slugOf(name) || 'step'));
    return this.#options.writeHar(done, slugs[names.indexOf(step)] ?? 'step');
  }

  #resultOf({ name, runs: { page: shown } }: Step, runs: readonly RunResult[]): TargetResult {
    const { page } = this.#options;
    return targetOf({
      ...page,
      name: page.name === undefined ? name : `${page.name} › ${name}`,
      step: name,
      ...shown,
      runs,
    });
  }
}

/** Rules of both, each once; the first to say something about an endpoint stands. */
function joined(rules: readonly EndpointRule[], more: readonly EndpointRule[]): readonly EndpointRule[] {
  const known = new Set(rules.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  return [...rules, ...more.filter(({ endpoint, fixed }) => !known.has(keyOf(endpoint, fixed)))];
}
