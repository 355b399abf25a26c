import { otherBuild } from '../../core/changes/other-build.ts';
import type { PageProgress } from '../../core/experiment/pages.ts';
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
import { type Comparison, countedRuns, evaluateAt, mostPairs, resultOf, sidesOf } from './comparison.ts';
import { measureBlock, reasonToStop, repeatOpenEndings } from './measure-blocks.ts';
import type { PageToCompare } from './pages.ts';
import { NOTHING_TO_EXPLAIN, profileBuilds } from './profile-builds.ts';
import type { Proving, ToProve } from './prove-builds.ts';
import { settleBuilds } from './settle-builds.ts';

/** One of several pages on its way to an answer: a comparison of it alone, a block at a time. */
export class ComparedPageJob {
  readonly page: PageToCompare;
  readonly comparison: Comparison;
  readonly context: CompareContext;
  readonly writer: CompareWriter;
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
  get leftOut(): string | undefined {
    return this.#leftOut && leftOutSentence(this.page.name, this.#leftOut);
  }

  /** Is it not compared because only the candidate has it? */
  get isNew(): boolean {
    return this.#leftOut?.code === 'one-build' && this.#leftOut.build === 'candidate';
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
    if (reason) return this.stop(reason);
    this.#tellRedirect();
    this.#look();
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
    const reason = reasonToStop(comparison, context);
    if (reason) this.stop(reason);
    if (reason || !comparison.plan.looks.includes(pairs)) return;
    const needed = evaluateAt(pairs, comparison).comparisons.flatMap(({ pairsToSettle }) => pairsToSettle ?? []);
    this.#expectedPairs = Math.max(pairs, ...needed);
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
