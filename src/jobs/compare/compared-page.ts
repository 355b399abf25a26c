import { otherBuild } from '../../core/changes/other-build.ts';
import { mostPairsOfPage, type PageProgress } from '../../core/experiment/pages.ts';
import { defaultLooks } from '../../core/experiment/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { BUILDS, type PerBuild } from '../../model/compare/build.ts';
import type { StopReason } from '../../model/compare/comparison.ts';
import type { Ms } from '../../model/units.ts';
import { hasPage } from '../../shell/servers/static-server.ts';
import { type LeftOut, leftOutSentence } from '../../wording/compare/compared-pages.ts';
import { noted } from '../engine/progress-events.ts';
import type { Target } from '../engine/target.ts';
import { beginComparison } from './begin-comparison.ts';
import type { OpenBuilds } from './builds.ts';
import { buildLoader, type CompareContext, type LoadBuild } from './compare-context.ts';
import { inspectBuilds } from './compare-lighthouse.ts';
import type { CompareWriter } from './compare-writer.ts';
import {
  type Comparison,
  countedRuns,
  evaluateAt,
  isMeasured,
  mostPairs,
  resultOf,
  sidesOf,
  timedLoads,
} from './comparison.ts';
import { measureBlock, reasonOfAnswer, reasonOfPlan, reasonToGiveUp, repeatOpenEndings } from './measure-blocks.ts';
import { type PageToCompare, stepName } from './pages.ts';
import { NOTHING_TO_EXPLAIN, profileBuilds } from './profile-builds.ts';
import type { Proving, ToProve } from './prove-builds.ts';
import { settleBuilds } from './settle-builds.ts';
import { ComparedStep } from './steps/compared-step.ts';

/** One of several pages on its way to an answer: a comparison of it alone, a block at a time. */
export class ComparedPageJob {
  readonly page: PageToCompare;
  readonly comparison: Comparison;
  readonly context: CompareContext;
  readonly writer: CompareWriter;
  /** The steps that its script does after the loads; known once it is begun. */
  steps: readonly ComparedStep[] = [];
  readonly #builds: OpenBuilds;
  readonly #load: LoadBuild;
  /** Why it ended; absent as long as it goes on. */
  #stopped: StopReason | undefined;
  #expectedPairs: number;
  #took: Ms = 0;
  #leftOut: LeftOut | undefined;

  constructor(
    page: PageToCompare,
    comparison: Comparison,
    context: CompareContext,
    writer: CompareWriter,
    builds: OpenBuilds,
  ) {
    this.page = page;
    this.comparison = comparison;
    this.context = context;
    this.writer = writer;
    this.#builds = builds;
    this.#load = buildLoader(builds, mostPairs(comparison), context);
    this.#expectedPairs = comparison.plan.looks[0] ?? 0;
    comparison.stopped = 'interrupted';
  }

  get pairs(): number {
    return countedRuns(this.comparison).length / 2;
  }

  get stopped(): StopReason | undefined {
    return this.#stopped;
  }

  /** Why it is not compared. */
  get leftOut(): LeftOut | undefined {
    return this.#leftOut;
  }

  /** Does its load take part in the decision? */
  get decides(): boolean {
    return this.comparison.plan.gates.length > 0;
  }

  /** `usual`: how long a pair of another page takes, as long as none of this one is known. */
  progress(usual: Ms): PageProgress {
    const { pairs } = this;
    return {
      open: this.#stopped === undefined,
      pairs,
      expectedPairs: this.#expectedPairs,
      pairTime: pairs > 0 && this.#took > 0 ? this.#took / pairs : usual,
    };
  }

  stop(reason: StopReason): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.comparison.stopped = reason;
    for (const { comparison } of this.steps) comparison.stopped = reason;
    if (reason === 'out-of-time' && this.pairs === 0) this.#leaveOut({ code: 'no-time' });
  }

  /** Leaves the page out where only one of two folders has it. */
  async findIn(targets: PerBuild<Target>): Promise<void> {
    const [missing, ...others] = await missingIn(targets, this.page.path);
    if (missing === undefined || others.length > 0) return;
    this.#leaveOut({ code: 'one-build', build: otherBuild(missing) });
    this.stop('not-measurable');
  }

  /** What its untimed loads need; undefined where they were made before an interruption. */
  get toProve(): ToProve | undefined {
    const { comparison, context } = this;
    return sidesOf(comparison) ? undefined : { builds: this.#builds, comparison, context };
  }

  /** Loads both builds untimed, unless that was done before an interruption. */
  async begin(prove: Proving['prove'], i: number): Promise<void> {
    const { comparison, context, writer } = this;
    const reason = await context.budget.spend(() =>
      beginComparison(this.#builds, comparison, writer, context, () => prove(i)),
    );
    if (reason === 'not-measurable') this.#leaveOut(await this.#whyNot());
    this.steps = [...comparison.steps].map(([name, step], i) => new ComparedStep(name, step, this.#contextOf(name, i)));
    if (reason) return this.stop(reason);
    this.#tellRedirect();
    for (const { name, leftOut } of this.steps) {
      if (leftOut) context.onProgress(noted({ code: 'left-out', sentence: leftOutSentence(name, leftOut) }));
    }
  }

  /** Chooses what decides on its steps; a metric that only they have does not decide on the load. */
  chooseGates(): void {
    const { page, comparison, steps } = this;
    const { gates } = page.design;
    for (const step of steps) step.chooseGates(gates);
    if (!steps.some(({ decides }) => decides)) return;
    const isNamed = (gate: string): boolean => gates.some(({ step, metric }) => step === page.name && metric === gate);
    const { plan } = comparison;
    comparison.plan = { ...plan, gates: plan.gates.filter((gate) => isNamed(gate) || isMeasured(gate, comparison)) };
  }

  /** Plans its loads once it is known what decides: `shares` have an equal part of α each. */
  plan(shares: number): void {
    const { design } = this.page;
    const all = [this.comparison, ...this.steps.map(({ comparison }) => comparison)];
    const gates = Math.max(...all.map(({ plan }) => plan.gates.length));
    const isSaid = design.maxPairs !== undefined || design.looks !== undefined;
    const maxPairs = mostPairsOfPage(design.alpha / gates, shares);
    const metrics = all.flatMap(({ setup }) => (setup.ownMetrics ?? []).map(({ name }) => name));
    const isAnywhere = new Set(metrics.filter((name) => all.some((each) => isMeasured(name, each))));
    for (const each of all) {
      // A mark that one step sets is not missing in the others.
      const ownMetrics = each.setup.ownMetrics?.filter(({ name }) => isMeasured(name, each) || !isAnywhere.has(name));
      each.setup = { ...each.setup, ...defined({ ownMetrics }) };
      const { plan } = each;
      const looks = isSaid || gates === 0 ? plan.looks : defaultLooks(maxPairs);
      each.plan = { ...plan, alpha: design.alpha / shares, looks };
    }
  }

  /** Looks at what an interrupted comparison has left. */
  start(): void {
    if (this.#stopped !== undefined) return;
    if (!this.decides && !this.steps.some(({ decides }) => decides)) {
      this.#leaveOut({ code: 'no-gate' });
      this.stop('not-measurable');
    } else this.#look();
  }

  /** Loads the next block. */
  async loadBlock(): Promise<void> {
    const { comparison, context, writer } = this;
    const startedAt = performance.now();
    const reason = await context.budget.spend(() => measureBlock(this.#load, comparison, writer, context));
    this.#took += performance.now() - startedAt;
    if (reason) return this.stop(reason);
    this.#look();
  }

  /** Judges all loads together once there are no more, and loads what explains the answer. */
  async conclude(): Promise<void> {
    const { comparison, context, writer } = this;
    if (this.pairs === 0) return;
    await settleBuilds(comparison, context);
    for (const step of this.steps) await step.settle();
    await repeatOpenEndings(this.#load, comparison, writer, context);
    const isOutOfTime = context.timeLeft() <= 0;
    if (context.signal.aborted || isOutOfTime || NOTHING_TO_EXPLAIN.includes(comparison.stopped)) return;
    await context.budget.spend(() => profileBuilds(this.#load, comparison, context));
  }

  inspect(): Promise<void> {
    return inspectBuilds(this.#builds.use, this.comparison, this.context);
  }

  /** Is there an answer by now? And how far is it to one, where this is a look? */
  #look(): void {
    const { comparison, context, pairs } = this;
    const over = reasonToGiveUp(comparison, context);
    if (over) this.stop(over);
    if (over || pairs === 0) return;
    const own = this.decides ? reasonOfAnswer(comparison, context) : undefined;
    const steps = this.steps.filter(({ decides }) => decides).map((step) => ({ step, reason: step.reason() }));
    const reasons = [...(this.decides ? [own] : []), ...steps.map(({ reason }) => reason)];
    const early = own === 'blank' || own === 'not-measurable' ? own : reasons.find((reason) => reason === 'failed');
    const planned = early ?? reasonOfPlan(comparison, context);
    if (planned === undefined && reasons.includes(undefined)) {
      this.#expect();
      return;
    }
    this.stop(early ?? own ?? planned ?? 'decided');
    for (const { step, reason = planned } of steps) step.comparison.stopped = reason ?? 'decided';
  }

  /** How many pairs will probably be enough. */
  #expect(): void {
    const open = [this.comparison, ...this.steps.filter(({ decides }) => decides).map(({ comparison }) => comparison)];
    if (!this.comparison.plan.looks.includes(this.pairs)) return;
    const needed = open.flatMap((each) =>
      evaluateAt(timedLoads(each) / 2, each).comparisons.flatMap(({ pairsToSettle }) => pairsToSettle ?? []),
    );
    this.#expectedPairs = Math.max(this.pairs, ...needed);
  }

  /** What a step is measured with: events of its own are of it. */
  #contextOf(name: string, i: number): CompareContext {
    const { context, comparison, page } = this;
    const of = comparison.steps.size;
    const place = { name: stepName(page, name), index: i + 1, of };
    return {
      ...context,
      writeHar: context.writeHarOf(name),
      onProgress: (event) =>
        context.onProgress(event.kind === 'comparison-progress' ? { ...event, page: place } : event),
    };
  }

  #leaveOut(reason: LeftOut): void {
    this.#leftOut = reason;
    this.context.onProgress(noted({ code: 'left-out', sentence: leftOutSentence(this.page.name, reason) }));
  }

  /** Which build could not be loaded; the other one is loaded once where nobody has tried. */
  async #whyNot(): Promise<LeftOut> {
    const failures = BUILDS.map((build) => {
      const { runs } = resultOf(build, this.comparison);
      return { build, isTried: runs.length > 0, works: runs.some(({ ok }) => ok), failure: runs[0]?.failure };
    });
    const failed = failures.find(({ isTried, works }) => isTried && !works);
    const other = failures.find((each) => each !== failed);
    const works = other?.isTried === true ? other.works : await this.#works(other?.build ?? 'candidate');
    return works && other !== undefined
      ? { code: 'one-build', build: other.build, failure: failed?.failure }
      : { code: 'no-build', failure: failed?.failure };
  }

  async #works(build: 'base' | 'candidate'): Promise<boolean> {
    const { policy } = this.context.loading;
    const done = await this.#load(build, { index: 0, role: 'discarded', policy });
    return done?.run.ok === true;
  }

  /** A page that is another one in both builds: a login, mostly. */
  #tellRedirect(): void {
    const { sides } = this.comparison;
    const ends = BUILDS.map((build) => {
      const { url = '', finalUrl = url } = sides[build] ?? {};
      return { from: pathOf(url), to: pathOf(finalUrl) };
    });
    const [base, candidate] = ends;
    if (!base || !candidate || base.to !== candidate.to || base.to === base.from) return;
    this.context.onProgress(noted({ code: 'leads-elsewhere', path: this.page.path, to: base.to }));
  }
}

/** The path of an address; a slash at its end is no other page. */
const pathOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).pathname.replace(/(?<=.)\/$|\/index\.html$|\.html$/, '') || '/' : url;

/** Of two folders: those that have no file for the page, where the other has one. */
async function missingIn(targets: PerBuild<Target>, path: string): Promise<readonly ('base' | 'candidate')[]> {
  const missing: ('base' | 'candidate')[] = [];
  for (const build of BUILDS) {
    const { folder } = targets[build];
    if (folder !== undefined && !(await hasPage(folder, path))) missing.push(build);
  }
  return missing;
}
