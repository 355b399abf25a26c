import { stated } from '../core/conditions/words.ts';
import type { LighthouseResult } from '../model/lighthouse.ts';
import type { PagePlace } from '../model/progress.ts';
import type { Waterfall } from '../model/report.ts';
import type { RunResult, Source, TargetResult } from '../model/result.ts';
import type { Policy } from '../model/verdict.ts';
import type { Spill } from '../shell/spill.ts';
import type { Store } from '../shell/store.ts';
import { lighthouseRuns, withBudgets } from './budgets.ts';
import { gatherEvidence, type Proof } from './evidence.ts';
import { writeHar } from './har-file.ts';
import { type JobHooks, policyOf } from './job.ts';
import type { LabKeeper } from './labs.ts';
import { lighthouseSeries } from './lighthouse.ts';
import { redactorOf } from './load-options.ts';
import type { PageReport } from './page-report.ts';
import type { Page } from './pages.ts';
import { representativeRun } from './report-model.ts';
import {
  type FinishedRun,
  finishRun,
  type LoadedRun,
  loadRun,
  type PlannedRun,
  type RunContext,
  retryDeadBrowser,
} from './run.ts';
import { type KeptRun, settleRuns } from './settle-runs.ts';
import { createStepSeries } from './step-series.ts';
import type { OpenTarget } from './target.ts';
import { targetOf } from './target-result.ts';

/** What a page is measured with. */
export interface PageSurroundings {
  readonly place?: PagePlace;
  /** Which state of the source it was built from, where that is not what the result's header says. */
  readonly source?: Source;
  readonly labs: LabKeeper;
  readonly store: Store;
  readonly spill: Spill;
  readonly signal: AbortSignal;
  /** Draw the waterfall of every run, or only of the one that stands for the page. */
  readonly allWaterfalls: boolean;
  /** Is there room for so many more letters of small pictures in the report? */
  mayKeep(letters: number): boolean;
  tell: NonNullable<JobHooks<never>['onProgress']>;
  /** Told the path of each file that was written. */
  wrote(file: string): void;
  /** Called after every run with what is new. */
  keep(target: TargetResult, runs: readonly RunResult[]): Promise<void>;
}

/** One page of an audit while it is measured. */
export interface AuditedPage {
  readonly page: Page;
  /** What is known of it and of the steps after its loads; nothing before its first load is begun. */
  reports(): readonly PageReport[];
  /** Its untimed runs: they show what is background, and warm up the server, the system's caches and the browser. */
  begin(): Promise<void>;
  /** True when the round has a run of this page: it has as many, and there is hope. */
  takesPart(round: number): boolean;
  /**
   * One timed run.
   *
   * @param order its place in the round; undefined where a round is this page alone
   */
  load(round: number, order: number | undefined): Promise<void>;
  /** Once there are no more runs: makes them agree on what is background, and draws the waterfalls. */
  settle(): Promise<void>;
  /** Lighthouse, when it was asked for; once the page is settled, for it is told what is known. */
  inspect(): Promise<void>;
}

/** A page of an audit before its first load. Recordings are not kept in memory: all pages are under way at once. */
export function auditPage(page: Page, opened: OpenTarget, surroundings: PageSurroundings): AuditedPage {
  const { settings, target, name, slug } = page;
  const { store, spill, signal, place, source } = surroundings;
  const policy = policyOf(settings);
  const prefix = slug === '' ? '' : `${slug}-`;
  const tell: RunContext['tell'] = (event) =>
    surroundings.tell(place !== undefined && 'index' in event && 'target' in event ? { ...event, page: place } : event);
  const context: RunContext = {
    target: target.name,
    url: opened.url,
    of: settings.runs,
    content: settings.harContent,
    options: page.options,
    ...(page.script && { script: page.script, steps: true }),
    signal,
    retry: retryDeadBrowser,
    lab: () => surroundings.labs.lab(),
    tell,
  };
  let begun = false;
  let kept: readonly KeptRun[] = [];
  let proof: Omit<Proof, 'runs'> = { learnt: [], thumbnails: {} };
  let shown: Pick<TargetResult, 'title' | 'finalUrl'> = {};
  let waterfalls: readonly Waterfall[] = [];
  let lighthouse: LighthouseResult | undefined;

  const named = {
    target: target.name,
    ...(name !== undefined && { name }),
    url: opened.url,
    conditions: stated(page.options.conditions),
    ...(source && { source }),
  };
  const result = (): TargetResult =>
    withBudgets(
      targetOf({
        ...named,
        ...shown,
        runs: kept.map(({ run }) => run),
        ...(proof.evidence && { evidence: proof.evidence }),
        ...(lighthouse && { lighthouse }),
      }),
      page.budgets,
    );
  const tellOf = (run: RunResult): void =>
    tell({ kind: 'run-finished', target: target.name, index: run.index, of: settings.runs, run });
  const withHar = (done: FinishedRun, step?: string): Promise<FinishedRun> =>
    writeHar(done, `${[`${prefix}run`, done.run.index, ...(step === undefined ? [] : [step])].join('-')}.har`, {
      settings,
      store,
      wrote: surroundings.wrote,
    });
  const subject = place?.name ?? target.name;
  const steps = createStepSeries({
    ...surroundings,
    page: { ...named, ...(place && { name: subject }) },
    writeHar: withHar,
    told: (step, run) =>
      surroundings.tell({
        kind: 'run-finished',
        target: `${subject} › ${step}`,
        index: run.index,
        of: settings.runs,
        run,
      }),
  });

  const keep = async (done: FinishedRun): Promise<KeptRun> => {
    const { title, finalUrl } = done.visit?.recording.page ?? {};
    if (title !== undefined && finalUrl !== undefined) shown = { title, finalUrl };
    // How it was asked for is over and may hold functions; what came of it is plain.
    const { with: _with, ...loaded } = done.loaded;
    await steps.add(loaded);
    return { run: done.run, loaded: await spill.put<LoadedRun>(withoutSteps(loaded)) };
  };
  const add = async (more: readonly KeptRun[]): Promise<void> => {
    kept = [...kept, ...more];
    await surroundings.keep(
      result(),
      more.map(({ run }) => run),
    );
  };

  const prove = async (): Promise<void> => {
    const found = await gatherEvidence({
      policy,
      ablation: settings.ablation,
      ablationIndex: settings.runs + 1,
      async load(planned) {
        const done = await loadRun(planned, context);
        if (done) tellOf(done.run);
        return done;
      },
      write: async (file, content) => surroundings.wrote(await store.write(file, content)),
    });
    if (!found) return;
    const { runs, thumbnails, ...lessons } = found;
    const letters = Object.values(thumbnails).reduce((sum, { length }) => sum + length, 0);
    proof = { ...lessons, thumbnails: surroundings.mayKeep(letters) ? thumbnails : {} };
    const more: KeptRun[] = [];
    for (const loaded of runs) more.push(await keep(await withHar(finishRun(loaded, proof.learnt))));
    await add(more);
  };

  const measure = async (planned: PlannedRun, order?: number): Promise<void> => {
    const loaded = await loadRun(planned, context);
    if (!loaded) return;
    const done = await withHar(loaded);
    const placed = order === undefined ? done : { ...done, run: { ...done.run, order } };
    tellOf(placed.run);
    await add([await keep(placed)]);
  };

  return {
    page,
    reports: () => (begun ? [{ result: result(), waterfalls, thumbnails: proof.thumbnails }, ...steps.reports()] : []),
    async begin() {
      begun = true;
      await (settings.evidence ? prove() : measure({ index: 0, role: 'discarded', policy }));
    },
    takesPart: (round) => begun && round <= settings.runs && !isHopeless(kept.map(({ run }) => run)),
    async load(round, order) {
      const { learnt } = proof;
      const informed: Policy = { ...policy, ...(learnt.length > 0 && { learnt }) };
      await measure({ index: round, role: 'timed', policy: informed }, order);
    },
    async settle() {
      const settled = await settleRuns(kept, proof.learnt, withHar);
      kept = settled.kept;
      const all = settled.timed.flatMap(({ waterfall }) => waterfall ?? []);
      const representative = representativeRun(kept.map(({ run }) => run))?.index;
      waterfalls = surroundings.allWaterfalls ? all : all.filter(({ run }) => run === representative);
      await steps.settle();
    },
    async inspect() {
      const of = lighthouseRuns(settings);
      // What could not be loaded cannot be inspected either.
      if (of === 0 || !kept.some(({ run }) => run.ok)) return;
      const series = lighthouseSeries({
        target: result(),
        options: page.options,
        ...(page.script && { script: page.script }),
        held: proof.held ?? [],
        prefix,
        redact: redactorOf(settings),
        signal,
        lab: () => surroundings.labs.lab(),
        write: async (file, content) => surroundings.wrote(await store.write(file, content)),
      });
      for (let index = 1; index <= of && !signal.aborted; index++) {
        tell({ kind: 'note', message: `Lighthouse, run ${index} of ${of}: ${subject}` });
        await series.run();
      }
      lighthouse = await series.conclude();
    },
  };
}

/** Each step is kept by itself. */
function withoutSteps(loaded: LoadedRun): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.ok) return loaded;
  const { steps: _steps, ...alone } = outcome;
  return { ...loaded, outcome: alone };
}

/** A page that fails in its first load, or twice in a row the same way, will go on failing. */
function isHopeless(runs: readonly RunResult[]): boolean {
  const last = runs.at(-1);
  if (!last || last.ok) return false;
  return runs.length === 1 || runs.at(-2)?.failure?.code === last.failure?.code;
}
