import { stated } from '../core/conditions/words.ts';
import type { LighthouseResult } from '../model/lighthouse.ts';
import type { PagePlace } from '../model/progress.ts';
import type { Waterfall } from '../model/report.ts';
import type { Evidence, RunResult, Source, TargetResult } from '../model/result.ts';
import type { Policy } from '../model/verdict.ts';
import type { Spill, Spilled } from '../shell/spill.ts';
import type { Store } from '../shell/store.ts';
import type { AuditedTarget, Drawn } from './audited-target.ts';
import { lighthouseRuns, withBudgets } from './budgets.ts';
import { gatherEvidence, type Proof } from './evidence.ts';
import { writeHar } from './har-file.ts';
import { type JobHooks, policyOf } from './job.ts';
import type { LabKeeper } from './labs.ts';
import { lighthouseSeries } from './lighthouse.ts';
import { redactorOf } from './load-options.ts';
import { type Packed, pack } from './packed.ts';
import type { Page } from './pages.ts';
import {
  type FinishedRun,
  finishRun,
  type LoadedRun,
  loadRun,
  type PlannedRun,
  type RunContext,
  retryDeadBrowser,
} from './run.ts';
import { type KeptRun, keptRun, settleRuns } from './settle-runs.ts';
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
  tell: NonNullable<JobHooks<never>['onProgress']>;
  /** Told the path of each file that was written. */
  wrote(file: string): void;
  /** Called after every load with what is new: the target as if it had no other runs. */
  keep(target: TargetResult): Promise<void>;
}

/** One page of an audit while it is measured. */
export interface AuditedPage {
  readonly page: Page;
  /** It and the steps after its loads; nothing before its first load is begun. */
  targets(): readonly AuditedTarget[];
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
  let proof: PutAway = { learnt: [] };
  let shown: Pick<TargetResult, 'title' | 'finalUrl'> = {};
  let waterfalls: Spilled<readonly Waterfall[]> | undefined;
  let lighthouse: Packed<LighthouseResult> | undefined;

  const named = {
    target: target.name,
    ...(name !== undefined && { name }),
    url: opened.url,
    conditions: stated(page.options.conditions),
    ...(source && { source }),
  };
  const resultOf = (runs: readonly RunResult[]): TargetResult =>
    withBudgets(
      targetOf({
        ...named,
        ...shown,
        runs,
        ...(proof.evidence && { evidence: proof.evidence.unpack() }),
        ...(lighthouse && { lighthouse: lighthouse.unpack() }),
      }),
      page.budgets,
    );
  const result = (): TargetResult => resultOf(kept.map(({ run }) => run.unpack()));
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

  const keep = async (done: FinishedRun): Promise<void> => {
    const { title, finalUrl } = done.visit?.recording.page ?? {};
    if (title !== undefined && finalUrl !== undefined) shown = { title, finalUrl };
    // How it was asked for is over and may hold functions; what came of it is plain.
    const { with: _with, ...loaded } = done.loaded;
    await steps.add(loaded);
    kept = [...kept, keptRun(done.run, await spill.put<LoadedRun>(withoutSteps(loaded)))];
  };

  const drawn = async (): Promise<Drawn> => ({
    waterfalls: (await waterfalls?.read()) ?? [],
    thumbnails: (await proof.thumbnails?.read()) ?? {},
  });

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
    const { evidence, ...taught } = lessons;
    proof = { ...taught, ...(evidence && { evidence: pack(evidence) }), thumbnails: await spill.put(thumbnails) };
    const done: RunResult[] = [];
    for (const loaded of runs) {
      const finished = await withHar(finishRun(loaded, proof.learnt));
      await keep(finished);
      done.push(finished.run);
    }
    await surroundings.keep(resultOf(done));
  };

  const measure = async (planned: PlannedRun, order?: number): Promise<void> => {
    const loaded = await loadRun(planned, context);
    if (!loaded) return;
    const done = await withHar(loaded);
    const placed = order === undefined ? done : { ...done, run: { ...done.run, order } };
    tellOf(placed.run);
    await keep(placed);
    await surroundings.keep(resultOf([placed.run]));
  };

  return {
    page,
    targets: () => (begun ? [{ result, drawn }, ...steps.targets()] : []),
    async begin() {
      begun = true;
      await (settings.evidence ? prove() : measure({ index: 0, role: 'discarded', policy }));
    },
    takesPart: (round) => begun && round <= settings.runs && !isHopeless(kept.map(({ lean }) => lean)),
    async load(round, order) {
      const { learnt } = proof;
      const informed: Policy = { ...policy, ...(learnt.length > 0 && { learnt }) };
      await measure({ index: round, role: 'timed', policy: informed }, order);
    },
    async settle() {
      ({ kept, waterfalls } = await settleRuns(kept, proof.learnt, { ...surroundings, write: withHar }));
      await steps.settle();
    },
    async inspect() {
      const of = lighthouseRuns(settings);
      // What could not be loaded cannot be inspected either.
      if (of === 0 || !kept.some(({ lean }) => lean.ok)) return;
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
      const concluded = await series.conclude();
      lighthouse = concluded && pack(concluded);
    },
  };
}

/** What the untimed runs showed, put away but for the lessons. */
interface PutAway extends Pick<Proof, 'learnt' | 'held'> {
  readonly evidence?: Packed<Evidence>;
  readonly thumbnails?: Spilled<Proof['thumbnails']>;
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
