import { keyOf } from '../../core/background/content/consensus.ts';
import { knownCausesOf } from '../../core/causes/lookup.ts';
import { defined } from '../../core/text/defined.ts';
import { slugOf, uniqueSlugs } from '../../core/text/slug.ts';
import type { EndpointRule } from '../../model/background/verdict.ts';
import type { KnownCause } from '../../model/completion/causes.ts';
import type { EndingDoubt } from '../../model/completion/completion.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { RunResult, TargetResult } from '../../model/result/result.ts';
import type { TempFiles } from '../../shell/disk/temp-file.ts';
import { isEndedTooEarly, ShortEndings, type ShortEndingsOptions } from './evidence/short-endings.ts';
import type { ReportedTarget } from './result/reported-target.ts';
import { targetOf } from './result/target-result.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';
import { RunSeries } from './run-series.ts';

/** What the steps of a page are measured with. */
export interface StepSeriesOptions {
  readonly tempFiles: TempFiles;
  /** What the results of its steps have in common. */
  readonly page: Pick<TargetResult, 'target' | 'name' | 'url' | 'conditions' | 'policy' | 'source'>;
  /** Draw the waterfall of every run, or only of the one that stands for the step. */
  readonly allWaterfalls: boolean;
  readonly endings: ShortEndingsOptions;
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
  readonly endings: ShortEndings;
  /** What the loads taught about the page's background, over all runs. */
  rules: readonly EndpointRule[];
  /** What led to what in it, as the traced load showed. */
  causes?: readonly KnownCause[];
}

/** The steps that a script does after the loads of one page, in the order in which they first came: each becomes a target of its own. */
export class StepSeries {
  readonly #options: StepSeriesOptions;
  readonly #steps = new Map<string, Step>();

  constructor(options: StepSeriesOptions) {
    this.#options = options;
  }

  /** What the steps of a timed run may end by, by their name. */
  expectedOf(index: number): ReadonlyMap<string, ExpectedContent> {
    const expected = [...this.#steps.values()].flatMap(({ name, endings }) => {
      const ofStep = endings.expectedOf(index);
      return ofStep === undefined ? [] : [[name, ofStep] as const];
    });
    return new Map(expected);
  }

  /**
   * Takes the steps of a load, if it has any. Gives the doubt that they leave about steps that ended early: in this load,
   * or in those before it.
   */
  async add({ index, role, outcome }: LoadedRun): Promise<EndingDoubt | undefined> {
    if (!outcome.ok) return undefined;
    let doubt: EndingDoubt | undefined;
    for (const { name, policy, outcome: recorded } of outcome.steps ?? []) {
      const step = this.#steps.get(name) ?? this.#begin(name);
      const loaded: LoadedRun = {
        index,
        // What untimed runs do beside proving is to warm up.
        role: role === 'timed' ? 'timed' : 'discarded',
        policy,
        outcome: recorded,
        attempts: 1,
        ...(step.causes && { known: { causes: step.causes } }),
      };
      const rules = policy.learnt ?? [];
      const done = await this.#writeHar(judgeRun(loaded, rules), name);
      step.rules = joined(step.rules, rules);
      const { recording, timeline } = done.visit ?? {};
      if (recording?.causes && timeline) step.causes = knownCausesOf(recording.causes, timeline);
      if (step.endings.learn(done)) doubt ??= 'ending-missed';
      if (isEndedTooEarly(done)) doubt = 'ending-unconfirmed';
      await step.runs.add(done);
      this.#options.onRun(name, done.run);
      await this.#options.save(this.#resultOf(step, [done.run]));
    }
    return doubt;
  }

  /** Timed runs, by their number, in which a step ended early. */
  get endedEarly(): readonly number[] {
    return [...new Set([...this.#steps.values()].flatMap(({ runs }) => runs.endedEarly))];
  }

  /** Timed runs, by their number, in which a step ended early, and is not confirmed by what is known now. */
  get endedTooEarly(): readonly number[] {
    return [...new Set([...this.#steps.values()].flatMap(({ runs }) => runs.endedTooEarly))];
  }

  #begin(name: string): Step {
    const { tempFiles, endings } = this.#options;
    const step = { name, runs: new RunSeries(tempFiles), endings: new ShortEndings(endings), rules: [] };
    this.#steps.set(name, step);
    return step;
  }

  targets(): readonly ReportedTarget[] {
    return [...this.#steps.values()].map((step) => ({
      result: () => this.#resultOf(step, step.runs.results()),
      visuals: async () => ({ waterfalls: await step.runs.waterfalls(this.#options.allWaterfalls), thumbnails: {} }),
    }));
  }

  /** Once there are no more runs: makes those of each step agree on what is background. */
  async settle(): Promise<void> {
    for (const { name, runs, rules, endings } of this.#steps.values()) {
      await runs.settle(rules, endings.expected, (done) => this.#writeHar(done, name));
    }
  }

  #writeHar(done: FinishedRun, step: string): Promise<FinishedRun> {
    // Two names may be alike as file names; those before keep theirs.
    const names = [...this.#steps.keys()];
    const slugs = uniqueSlugs(names.map((name) => slugOf(name) || 'step'));
    return this.#options.writeHar(done, slugs[names.indexOf(step)] ?? 'step');
  }

  #resultOf({ name, runs: { page: shown }, endings: { expected } }: Step, runs: readonly RunResult[]): TargetResult {
    const { page } = this.#options;
    return targetOf({
      ...page,
      name: page.name === undefined ? name : `${page.name} › ${name}`,
      step: name,
      ...(page.policy && { policy: { ...page.policy, ...defined({ expected }) } }),
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
