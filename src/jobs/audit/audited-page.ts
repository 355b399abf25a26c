import { learntPolicyOfPage } from '../../core/completion/learnt-policy.ts';
import { warmUpPolicy } from '../../core/completion/warm-up.ts';
import type { Redactor } from '../../core/har/redact.ts';
import { knownOf } from '../../core/rendering/timed-work.ts';
import { defined } from '../../core/text/defined.ts';
import { slugOf } from '../../core/text/slug.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { KnownCause } from '../../model/completion/causes.ts';
import type { EndingDoubt } from '../../model/completion/completion.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { LighthouseResult } from '../../model/lighthouse/lighthouse.ts';
import type { MainThread } from '../../model/main-thread.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { PagePlace, Progress } from '../../model/result/progress.ts';
import type { Evidence, RunResult, Source, TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import type { TempFile, TempFiles } from '../../shell/disk/temp-file.ts';
import { stated } from '../../wording/host/conditions.ts';
import { withBudgets } from '../engine/budgets.ts';
import { type Compressed, pack } from '../engine/code/compressed.ts';
import type { ScriptSources } from '../engine/code/script-sources.ts';
import { gatherEvidence, type Proof } from '../engine/evidence/evidence.ts';
import { isEndedTooEarly, ShortEndings, type ShortEndingsOptions } from '../engine/evidence/short-endings.ts';
import type { UntimedTurn } from '../engine/evidence/untimed-overlap.ts';
import type { OpenSecondBrowser } from '../engine/labs.ts';
import { lighthouseSeries } from '../engine/lighthouse.ts';
import { createPageBudget, limitOfLoad, type PageBudget } from '../engine/page-budget.ts';
import { noted, runRetried } from '../engine/progress-events.ts';
import type { WriteHar } from '../engine/reports/har-file.ts';
import type { OutputFolder } from '../engine/reports/output.ts';
import type { WriteTrace } from '../engine/reports/trace-file.ts';
import type { ReportedTarget } from '../engine/result/reported-target.ts';
import { targetOf } from '../engine/result/target-result.ts';
import {
  comeAsOneUser,
  type FinishedRun,
  loadRun,
  type PlannedRun,
  type RunContext,
  retryAccident,
  retryDeadBrowser,
} from '../engine/run.ts';
import { RunSeries } from '../engine/run-series.ts';
import { commonSeed } from '../engine/shard-place.ts';
import { type MeasuredStep, StepSeries } from '../engine/step-series.ts';
import type { Page } from './pages.ts';

/** What the pages of one audit are measured with. */
export interface AuditContext {
  readonly signal: AbortSignal;
  readonly tempFiles: TempFiles;
  readonly output: OutputFolder;
  readonly redact: Redactor;
  /** Draw the waterfall of every run, or only of the one that stands for a page. */
  readonly allWaterfalls: boolean;
  readonly writeHar: WriteHar;
  readonly writeTrace: WriteTrace;
  /** Keep response bodies for the HAR. */
  readonly harContent: boolean;
  /** Scripts with their source maps: those of all pages together, as many pages have the same. */
  readonly sources: ScriptSources;
  lab(): Promise<Lab>;
  /** As in `Labs`. */
  readonly secondBrowser?: OpenSecondBrowser;
  onProgress(event: Progress): void;
  /** Called after every load with what is new of a page: a target as if it had no other runs. */
  save(slug: string, target: TargetResult): Promise<void>;
}

/** Where a page is in its audit. */
export interface PageInAudit {
  /** What is loaded. */
  readonly url: string;
  /** Absent when it is the only page. */
  readonly place?: PagePlace;
  /** Which state of the source it was built from, where that is not what the result's header says. */
  readonly source?: Source;
}

/** What the untimed runs showed: rules in memory, the rest compressed or on the disk. */
interface KeptProof extends Pick<Proof, 'learntPolicy' | 'drawing' | 'held'> {
  readonly evidence?: Compressed<Evidence>;
  readonly mainThread?: Compressed<MainThread>;
  readonly causes?: Compressed<readonly KnownCause[]>;
  readonly coverage?: Compressed<Coverage>;
  readonly thumbnails?: TempFile<Proof['thumbnails']>;
}

/** One page of an audit while it is measured: `begin`, `load` for each round, `settle`, `inspect`. */
export class AuditedPage {
  readonly page: Page;
  readonly #audit: AuditContext;
  readonly #place: PagePlace | undefined;
  readonly #named: Pick<TargetResult, 'target' | 'name' | 'url' | 'conditions' | 'policy' | 'ownMetrics' | 'source'>;
  readonly #policy: Policy;
  readonly #loading: RunContext;
  readonly #runs: RunSeries;
  readonly #steps: StepSeries;
  readonly #endings: ShortEndings;
  readonly #budget: PageBudget;
  #begun = false;
  #proof: KeptProof = { learntPolicy: {} };
  #lighthouse: Compressed<LighthouseResult> | undefined;

  constructor(page: Page, { url, place, source }: PageInAudit, audit: AuditContext) {
    const { loading, target, name, script } = page;
    this.page = page;
    this.#audit = audit;
    this.#place = place;
    this.#policy = loading.policy;
    this.#named = {
      target: target.name,
      url,
      conditions: stated(loading.options.conditions),
      policy: this.#policy,
      ...defined({ ownMetrics: loading.options.metrics }),
      name,
      source,
    };
    this.#loading = {
      target: target.name,
      url,
      of: loading.runs,
      content: audit.harContent,
      options: loading.options,
      ...(script && { script, steps: 'measured' }),
      // Of folders they are at hand.
      ...((loading.sourceMaps || target.folder !== undefined) && { sources: audit.sources }),
      signal: audit.signal,
      // A browser that died is no matter of the page: it has its second try in any case.
      retry: (failure, role) =>
        this.#budget.allows(this.#timedAhead) ? retryAccident(failure, role) : retryDeadBrowser(failure),
      lab: audit.lab,
      onProgress: (event) => this.#onProgress(event),
    };
    this.#runs = new RunSeries(audit.tempFiles);
    this.#budget = createPageBudget(() => loading.runs, limitOfLoad(loading));
    this.#endings = new ShortEndings(this.#endingsOptions);
    this.#steps = new StepSeries({
      tempFiles: audit.tempFiles,
      endings: this.#endingsOptions,
      writeHar: (done, step) => this.#writeHar(done, step.slug),
    });
  }

  /** It and the steps after its loads; nothing before its first load is begun. */
  targets(): readonly ReportedTarget[] {
    if (!this.#begun) return [];
    const own: ReportedTarget = {
      result: () => this.#resultOf(this.#runs.results()),
      visuals: async () => ({
        waterfalls: await this.#runs.waterfalls(this.#audit.allWaterfalls),
        thumbnails: (await this.#proof.thumbnails?.read()) ?? {},
      }),
    };
    const steps = [...this.#steps.steps.values()].map(
      (step): ReportedTarget => ({
        result: () => this.#resultOfStep(step, step.runs.results()),
        visuals: async () => ({ waterfalls: await step.runs.waterfalls(this.#audit.allWaterfalls), thumbnails: {} }),
      }),
    );
    return [own, ...steps];
  }

  /** Loads that it still needs, as far as can be known: whether there is an ablation run is decided by the film. */
  get loadsAhead(): number {
    const { evidence, ablation, runs } = this.page.loading;
    // One that is loaded ahead has no runs yet.
    if (this.#runs.summaries.length === 0) return runs + (evidence && ablation ? 2 : 1);
    return shouldGiveUp(this.#runs.summaries) ? 0 : this.#timedAhead;
  }

  /** How much longer its loads take at most, ms. */
  get timeLeft(): Ms {
    return this.#begun && shouldGiveUp(this.#runs.summaries) ? 0 : this.#budget.left();
  }

  get #timedAhead(): number {
    return this.page.loading.runs - this.#runs.summaries.filter(({ role }) => role === 'timed').length;
  }

  /** Its untimed runs: they show what is background, and warm up the server, the system's caches and the browser. */
  async begin(turn: UntimedTurn): Promise<void> {
    this.#begun = true;
    await this.#budget.spend(async () => {
      if (this.page.loading.evidence) await this.#prove(turn);
      else {
        const done = await this.#load({ index: 0, role: 'discarded', policy: warmUpPolicy(this.#policy) });
        if (done) await this.#measured(done);
      }
    });
  }

  /** True when the round has a run of this page: it has as many, and there is hope. */
  takesPart(round: number): boolean {
    return this.#begun && round <= this.page.loading.runs && !shouldGiveUp(this.#runs.summaries);
  }

  /**
   * One timed run.
   *
   * @param order its place in the round; undefined where a round is this page alone
   */
  async load(round: number, order: number | undefined): Promise<void> {
    await this.#budget.spend(async () => {
      const done = await this.#load(this.#timed(round));
      const doubt = done && (await this.#measured(done, order));
      if (doubt === 'ending-unconfirmed') await this.#repeatWhole(round, doubt);
      if (doubt !== 'ending-missed') return;
      for (const index of union(this.#runs.endedEarly, this.#steps.endedEarly)) await this.#repeatWhole(index, doubt);
    });
  }

  /** A timed run, as it is planned by what is known now. */
  #timed(index: number, ending: 'early' | 'whole' = 'early'): PlannedRun {
    const { learntPolicy, drawing, coverage, mainThread, causes } = this.#proof;
    const expected = ending === 'early' ? this.#endings.expectedOf(index) : undefined;
    const policy: Policy = { ...this.#policy, ...learntPolicy, ...defined({ expected }) };
    const expectedSteps = ending === 'early' ? this.#steps.expectedOf(index) : undefined;
    return {
      index,
      role: 'timed',
      policy,
      drawing,
      covered: coverage?.unpack().files,
      known: knownOf({ mainThread: mainThread?.unpack(), causes: causes?.unpack() }),
      expectedSteps,
    };
  }

  /** A run that ended early, once more and for the whole window, where there is time for it: else it stays as it is. */
  async #repeatWhole(index: number, because: EndingDoubt): Promise<void> {
    if (this.#audit.signal.aborted || !this.#budget.allows(this.#timedAhead)) return;
    const before = this.#runs.summaries.find((run) => run.role === 'timed' && run.index === index);
    const done = await this.#load(this.#timed(index, 'whole'), because);
    if (done) await this.#measured(done, before?.order);
  }

  /** Once there are no more runs: makes them agree on what is background. */
  async settle(): Promise<void> {
    await this.#runs.settle(this.#proof.learntPolicy.learnt ?? [], this.#endings.expected, (done) =>
      this.#writeHar(done),
    );
    await this.#steps.settle();
    const open = union(this.#runs.endedTooEarly, this.#steps.endedTooEarly);
    await this.#budget.spend(async () => {
      for (const index of open) await this.#repeatWhole(index, 'ending-unconfirmed');
    });
  }

  /** Lighthouse, when it was asked for. Once the page is settled: it is given what is known. */
  async inspect(): Promise<void> {
    const { loading, script } = this.page;
    const { signal, output, redact, lab } = this.#audit;
    const of = loading.lighthouseRuns;
    // What could not be loaded cannot be inspected either.
    if (of === 0 || !this.#runs.summaries.some(({ ok }) => ok)) return;
    const series = lighthouseSeries({
      target: this.#resultOf(this.#runs.results()),
      options: loading.options,
      script,
      held: this.#proof.held ?? [],
      prefix: this.#prefix,
      redact,
      signal,
      lab,
      write: (file, content) => output.write(file, content),
    });
    for (let index = 1; index <= of && !signal.aborted; index++) {
      this.#onProgress(noted({ code: 'lighthouse-run', index, of, name: this.#name }));
      await series.run();
    }
    const concluded = await series.conclude();
    this.#lighthouse = concluded && pack(concluded);
  }

  async #prove({ signal, lab, onOnlyWatched }: UntimedTurn): Promise<void> {
    const { loading } = this.page;
    const { output, tempFiles, writeTrace } = this.#audit;
    const proof = await gatherEvidence({
      sources: this.#loading.sources,
      ...loading,
      oneAtATime: comeAsOneUser(this.#loading),
      ablationIndex: loading.runs + 1,
      load: async (planned) => {
        const done = await loadRun(planned, { ...this.#loading, signal, lab });
        if (done) this.#onRun(done.run);
        return done;
      },
      onOnlyWatched,
      onFilmedAgain: ({ reasonFacts: reasons = [] }) => {
        const { of, target } = this.#loading;
        this.#onProgress(runRetried({ target, index: 0, of, role: 'evidence' }, { code: 'host-unfit', reasons }));
      },
      write: (file, content) => output.write(file, content),
      writeTrace: (recording) => writeTrace(recording, `${this.#prefix}trace.json.gz`),
    });
    if (!proof) return;
    const { learntPolicy, drawing, held, evidence, mainThread, causes, coverage } = proof;
    this.#proof = {
      learntPolicy,
      drawing,
      held,
      evidence: evidence && pack(evidence),
      mainThread: mainThread && pack(mainThread),
      causes: causes && pack(causes),
      coverage: coverage && pack(coverage),
      thumbnails: await tempFiles.put(proof.thumbnails),
    };
    const runs: RunResult[] = [];
    for (const done of proof.runs) {
      const written = await this.#writeHar(done);
      await this.#keep(written);
      runs.push(written.run);
    }
    await this.#audit.save(this.page.slug, this.#resultOf(runs));
  }

  /**
   * One load. Undefined when the user ended it.
   *
   * @param again why it was loaded before, where it was
   */
  async #load(planned: PlannedRun, again?: EndingDoubt): Promise<FinishedRun | undefined> {
    const { index, role } = planned;
    const { name: target } = this.page.target;
    const of = this.page.loading.runs;
    if (again) this.#onProgress(runRetried({ target, index, of, role }, { code: 'ending-doubted', doubt: again }));
    const done = await loadRun(planned, this.#loading);
    return done && again !== undefined ? { ...done, run: { ...done.run, repeatedEnding: again } } : done;
  }

  /** Gives the doubt that it leaves about what ended early: itself, or runs before it. */
  async #measured(loaded: FinishedRun, order?: number): Promise<EndingDoubt | undefined> {
    const written = await this.#writeHar(loaded);
    const done = { ...written, run: { ...written.run, ...defined({ order }) } };
    this.#onRun(done.run);
    const doubt = await this.#keep(done);
    await this.#audit.save(this.page.slug, this.#resultOf([done.run]));
    return doubt;
  }

  async #keep(done: FinishedRun): Promise<EndingDoubt | undefined> {
    const { done: steps, doubt } = await this.#steps.add(done.loaded);
    for (const [name, { run }] of steps) await this.#keptStep(name, run);
    await this.#runs.add(done);
    if (isEndedTooEarly(done)) return 'ending-unconfirmed';
    return this.#endings.learn(done) ? 'ending-missed' : doubt;
  }

  get #endingsOptions(): ShortEndingsOptions {
    const { loading, target } = this.page;
    return { ...loading, seed: commonSeed(target.name) };
  }

  async #keptStep(name: string, run: RunResult): Promise<void> {
    const step = this.#steps.steps.get(name);
    if (step === undefined) return;
    const { slug } = this.page;
    this.#audit.onProgress(this.#finished(`${this.#name} › ${name}`, run));
    const slugs = [slug, slugOf(name)].filter((part) => part !== '');
    await this.#audit.save(slugs.join('-'), this.#resultOfStep(step, [run]));
  }

  /** What it is called where it stands among others. */
  get #name(): string {
    return this.#place?.name ?? this.page.target.name;
  }

  /** Of file names. */
  get #prefix(): string {
    return this.page.slug === '' ? '' : `${this.page.slug}-`;
  }

  #writeHar(done: FinishedRun, step?: string): Promise<FinishedRun> {
    const suffix = step === undefined ? '' : `-${step}`;
    return this.#audit.writeHar(done, `${this.#prefix}run-${done.run.index}${suffix}.har`);
  }

  #resultOf(runs: readonly RunResult[]): TargetResult {
    const target = targetOf({
      ...this.#named,
      policy: {
        ...this.#policy,
        ...learntPolicyOfPage(this.#proof.learntPolicy),
        ...defined({ expected: this.#endings.expected }),
      },
      ...this.#runs.page,
      runs,
      ...defined({
        evidence: this.#proof.evidence?.unpack(),
        mainThread: this.#proof.mainThread?.unpack(),
        coverage: this.#proof.coverage?.unpack(),
        lighthouse: this.#lighthouse?.unpack(),
      }),
    });
    return withBudgets(target, this.page.loading.budgets);
  }

  /** A step as a target of its own. */
  #resultOfStep(
    { name, runs: { page }, endings: { expected } }: MeasuredStep,
    runs: readonly RunResult[],
  ): TargetResult {
    const named = this.#place === undefined ? this.#named.name : this.#name;
    return targetOf({
      ...this.#named,
      name: named === undefined ? name : `${named} › ${name}`,
      step: name,
      policy: { ...this.#policy, ...defined({ expected }) },
      ...page,
      runs,
    });
  }

  #finished(target: string, run: RunResult): Progress {
    return { kind: 'run-finished', target, index: run.index, of: this.page.loading.runs, run };
  }

  #onRun(run: RunResult): void {
    this.#onProgress(this.#finished(this.page.target.name, run));
  }

  #onProgress(event: Progress): void {
    const isOfPage = this.#place !== undefined && 'index' in event && 'target' in event;
    this.#audit.onProgress(isOfPage ? { ...event, ...defined({ page: this.#place }) } : event);
  }
}

function union(...indexes: readonly (readonly number[])[]): readonly number[] {
  return [...new Set(indexes.flat())];
}

/** A page that fails in its first load, or twice in a row the same way, will go on failing. */
function shouldGiveUp(runs: readonly RunResult[]): boolean {
  const last = runs.at(-1);
  if (!last || last.ok) return false;
  return runs.length === 1 || runs.at(-2)?.failure?.code === last.failure?.code;
}
