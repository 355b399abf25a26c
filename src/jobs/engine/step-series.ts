import { keyOf } from '../../core/background/content/consensus.ts';
import { knownCausesOf } from '../../core/causes/lookup.ts';
import { slugOf, uniqueSlugs } from '../../core/text/slug.ts';
import type { EndpointRule } from '../../model/background/verdict.ts';
import type { KnownCause } from '../../model/completion/causes.ts';
import type { EndingDoubt } from '../../model/completion/completion.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { TempFiles } from '../../shell/disk/temp-file.ts';
import { isEndedTooEarly, ShortEndings, type ShortEndingsOptions } from './evidence/short-endings.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';
import { RunSeries } from './run-series.ts';

/** What the steps of a page are measured with. */
export interface StepSeriesOptions {
  readonly tempFiles: TempFiles;
  readonly endings: ShortEndingsOptions;
  /** Writes the HAR of a step; `slug` is its name for files. */
  writeHar(done: FinishedRun, step: { readonly name: string; readonly slug: string }): Promise<FinishedRun>;
}

/** One step over all loads of its page. */
export interface MeasuredStep {
  readonly name: string;
  readonly runs: RunSeries;
  readonly endings: ShortEndings;
  /** What the loads taught about the page's background, over all runs. */
  readonly rules: readonly EndpointRule[];
}

interface Step extends MeasuredStep {
  rules: readonly EndpointRule[];
  /** What led to what in it, as the traced load showed. */
  causes?: readonly KnownCause[];
}

/** The steps of one load. */
export interface StepsOfLoad {
  /** By their names, in their order. */
  readonly done: ReadonlyMap<string, FinishedRun>;
  /** The doubt that they leave about steps that ended early: in this load, or in those before it. */
  readonly doubt?: EndingDoubt | undefined;
}

/** The steps that a script does after the loads of one page, in the order in which they first came. */
export class StepSeries {
  readonly #options: StepSeriesOptions;
  readonly #steps = new Map<string, Step>();

  constructor(options: StepSeriesOptions) {
    this.#options = options;
  }

  get steps(): ReadonlyMap<string, MeasuredStep> {
    return this.#steps;
  }

  /** What whole loads needed in each step, by its name. */
  get expected(): ReadonlyMap<string, ExpectedContent> {
    return this.#byName(({ expected }) => expected);
  }

  /** What the steps of a timed run may end by, by their name. */
  expectedOf(index: number): ReadonlyMap<string, ExpectedContent> {
    return this.#byName((endings) => endings.expectedOf(index));
  }

  /** Takes the steps of a load, if it has any. */
  async add({ index, role, outcome }: LoadedRun): Promise<StepsOfLoad> {
    const all = new Map<string, FinishedRun>();
    let doubt: EndingDoubt | undefined;
    for (const { name, policy, outcome: recorded } of (outcome.ok && outcome.steps) || []) {
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
      all.set(name, done);
    }
    return { done: all, doubt };
  }

  /** Timed runs, by their number, in which a step that ended early is not to be trusted, and why. */
  get openEndings(): ReadonlyMap<number, EndingDoubt> {
    const doubts = new Map<number, EndingDoubt>();
    for (const { runs, endings } of this.#steps.values()) {
      const isMissed = endings.expected === undefined;
      const doubt = isMissed ? 'ending-missed' : 'ending-unconfirmed';
      for (const index of isMissed ? runs.endedEarly : runs.endedTooEarly) doubts.set(index, doubt);
    }
    return doubts;
  }

  /** Timed runs, by their number, in which a step ended early. */
  get endedEarly(): readonly number[] {
    return [...new Set([...this.#steps.values()].flatMap(({ runs }) => runs.endedEarly))];
  }

  /** Timed runs, by their number, in which a step ended early, and is not confirmed by what is known now. */
  get endedTooEarly(): readonly number[] {
    return [...new Set([...this.#steps.values()].flatMap(({ runs }) => runs.endedTooEarly))];
  }

  #byName(read: (endings: ShortEndings) => ExpectedContent | undefined): ReadonlyMap<string, ExpectedContent> {
    const found = [...this.#steps.values()].flatMap(({ name, endings }) => {
      const ofStep = read(endings);
      return ofStep === undefined ? [] : [[name, ofStep] as const];
    });
    return new Map(found);
  }

  #begin(name: string): Step {
    const { tempFiles, endings } = this.#options;
    const step = { name, runs: new RunSeries(tempFiles), endings: new ShortEndings(endings), rules: [] };
    this.#steps.set(name, step);
    return step;
  }

  /** Once there are no more runs: makes those of each step agree on what is background. */
  async settle(): Promise<void> {
    for (const { name, runs, rules, endings } of this.#steps.values()) {
      await runs.settle(rules, endings.expected, (done) => this.#writeHar(done, name));
    }
  }

  #writeHar(done: FinishedRun, name: string): Promise<FinishedRun> {
    // Two names may be alike as file names; those before keep theirs.
    const names = [...this.#steps.keys()];
    const slugs = uniqueSlugs(names.map((each) => slugOf(each) || 'step'));
    return this.#options.writeHar(done, { name, slug: slugs[names.indexOf(name)] ?? 'step' });
  }
}

/** Rules of both, each once; the first to say something about an endpoint stands. */
function joined(rules: readonly EndpointRule[], more: readonly EndpointRule[]): readonly EndpointRule[] {
  const known = new Set(rules.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  return [...rules, ...more.filter(({ endpoint, fixed }) => !known.has(keyOf(endpoint, fixed)))];
}
