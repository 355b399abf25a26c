import { warmUpPolicy } from '../../core/completion/warm-up.ts';
import type { Redactor } from '../../core/har/redact.ts';
import { isRefusal } from '../../core/requests/load-failure.ts';
import { defined } from '../../core/text/defined.ts';
import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { RunResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import type { Loading, LoadOptions } from '../../settings/resolved.ts';
import type { ScriptSources } from '../engine/code/script-sources.ts';
import type { ShortEndings } from '../engine/evidence/short-endings.ts';
import type { OpenSecondBrowser } from '../engine/labs.ts';
import type { PageBudget } from '../engine/page-budget.ts';
import type { WriteHar } from '../engine/reports/har-file.ts';
import type { JobOutput } from '../engine/reports/output.ts';
import type { WriteTrace } from '../engine/reports/trace-file.ts';
import { type FinishedRun, loadRun, type PlannedRun, type RunContext, retryDeadBrowser } from '../engine/run.ts';
import type { RunSeries } from '../engine/run-series.ts';
import type { OpenScript } from '../engine/script.ts';
import type { StepSeries } from '../engine/step-series.ts';
import type { OpenBuilds } from './builds.ts';

/** What the builds of one comparison are measured with. */
export interface CompareContext {
  /** As both builds are loaded; what differs has a field of its own here. */
  readonly loading: Omit<Loading, 'options' | 'script'>;
  /** What each load is asked for. */
  readonly options: PerBuild<LoadOptions>;
  /** Added to the address of a build: 'flag=on'. */
  readonly queries: PerBuild<string | undefined>;
  /** What is done before each load. */
  readonly scripts: PerBuild<OpenScript | undefined>;
  /** Keep the text of responses. */
  readonly content: boolean;
  /** Scripts with their source maps; absent where nobody asked for them. */
  readonly sources: PerBuild<ScriptSources> | undefined;
  readonly signal: AbortSignal;
  /** Timed runs that were loaded in this session, to be judged again when they do not agree. */
  readonly series: PerBuild<RunSeries>;
  /** Which timed runs may end early. */
  readonly endings: PerBuild<ShortEndings>;
  /** The same of the steps that the script does after the loads. */
  readonly steps: PerBuild<StepSeries>;
  readonly output: JobOutput;
  /** For what is written. */
  readonly redact: Redactor;
  readonly writeHar: WriteHar;
  /** The same of a step. */
  writeHarOf(step: string): WriteHar;
  readonly writeTrace: WriteTrace;
  lab(): Promise<Lab>;
  /** As in `ClearingLab`. */
  hasEarlier(): boolean;
  /** As in `Labs`. */
  readonly secondBrowser?: OpenSecondBrowser;
  /** How long all loads may take. */
  readonly budget: PageBudget;
  /** How much of the time is left that the user gave it, ms; without end where none was given. */
  timeLeft(): Ms;
  /** End as soon as a gate has failed. */
  readonly failFast: boolean;
  /** Is there time for a load that was not planned? */
  mayLoadMore(): boolean;
  /** Times a fixed piece of work, ms. */
  microBenchmark(): number;
  onProgress(event: Progress): void;
}

/**
 * Loads of a server that has just been started before one that may count: the first fills its caches and compiles, the second
 * finds what later ones do.
 */
const WARM_UP_LOADS = 2;

/** Loads one of two builds, and judges it; undefined when the user ended it. */
export type LoadBuild = (build: Build, planned: PlannedRun) => Promise<FinishedRun | undefined>;

/** Loads builds; `of` loads of each are planned. */
export function buildLoader(
  builds: OpenBuilds,
  of: number,
  { options, scripts, content, sources, signal, lab, mayLoadMore, onProgress }: CompareContext,
): LoadBuild {
  return async (build, planned) => {
    const { isFresh } = await builds.use(build);
    const script = scripts[build];
    const loading: RunContext = {
      target: build,
      url: builds.urls[build],
      of,
      content,
      options: options[build],
      ...(script && { script, steps: 'required' }),
      build,
      sources: sources?.[build],
      serverCpuTime: () => builds.serverCpuTime(build),
      signal,
      // Whatever failed once may be an accident; what fails twice is a finding.
      retry: (failure) =>
        isRefusal(failure) || !mayLoadMore() ? retryDeadBrowser(failure) : { code: 'load-failed', failure },
      lab,
      onProgress,
    };
    for (let left = isFresh ? WARM_UP_LOADS : 0; left > 0 && !signal.aborted; left -= 1) {
      const policy = warmUpPolicy(planned.policy);
      await loadRun({ index: 0, role: 'discarded', policy }, { ...loading, onProgress: () => undefined });
    }
    const done = await loadRun(planned, loading);
    if (done) await builds.loaded(build, done.run.ok);
    return done;
  };
}

/** The file of a run's HAR. */
export function harName(build: Build, { role, index }: Pick<RunResult, 'role' | 'index'>): string {
  return role === 'timed' ? `${build}-run-${index}.har` : `${build}-${role}.har`;
}

/** The end of a run as progress. */
export function runFinished(build: Build, run: RunResult, of: number, block?: number): Progress {
  return { kind: 'run-finished', target: build, index: run.index, of, run: { ...run, build, ...defined({ block }) } };
}
