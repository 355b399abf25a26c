import { BUILDS, type Build } from '../../model/compare/build.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { Ms } from '../../model/units.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import type { TempFiles } from '../../shell/disk/temp-file.ts';
import { microBenchmark } from '../../shell/host/micro-benchmark.ts';
import { fetchScript } from '../../shell/source-maps/fetch.ts';
import { scriptSources } from '../engine/code/script-sources.ts';
import { ShortEndings, type ShortEndingsOptions } from '../engine/evidence/short-endings.ts';
import type { Labs } from '../engine/labs.ts';
import { createPageBudget, limitOfLoad } from '../engine/page-budget.ts';
import { harWriter } from '../engine/reports/har-file.ts';
import type { JobOutput } from '../engine/reports/output.ts';
import { traceWriter } from '../engine/reports/trace-file.ts';
import type { ClearingLab } from '../engine/result/earlier-result.ts';
import { RunSeries } from '../engine/run-series.ts';
import { StepSeries } from '../engine/step-series.ts';
import { type MadeBuilds, perBuild } from './builds.ts';
import { type CompareContext, harName } from './compare-context.ts';
import { type Comparison, mostPairs, timedLoads, timedLoadsAhead } from './comparison.ts';
import { PROFILED_LOADS } from './profile-builds.ts';

/** What the comparisons of several pages share, or one has to itself. */
interface Shared
  extends ClearingLab,
    Pick<Labs, 'secondBrowser'>,
    Pick<CompareContext, 'scripts' | 'signal' | 'timeLeft'> {
  readonly hooks: { microBenchmark?(): number };
  readonly made: MadeBuilds;
  readonly output: JobOutput;
  /** Where the files of a step lie. */
  outputOf(step: string): JobOutput;
  readonly tempFiles: TempFiles;
  onProgress(event: Progress): void;
}

/** What a comparison is measured with. */
export function createContext(
  comparison: Comparison,
  settings: Pick<ResolvedCompare, 'loading' | 'sides' | 'formats' | 'har' | 'secrets' | 'redact' | 'failFast'>,
  { lab, hasEarlier, secondBrowser, hooks, made, output, outputOf, tempFiles, ...shared }: Shared,
): CompareContext {
  const { loading, sides, redact } = settings;
  const before = timedLoads(comparison);
  // How many there will be at most is known when the steps of the script are.
  const planned = (): number => 2 * mostPairs(comparison) - before + (loading.trace ? PROFILED_LOADS : 0);
  const budget = createPageBudget(planned, limitOfLoad(loading), BUILDS.length);
  const writeHarOf = (step: string) => harWriter(settings, outputOf(step));
  // What is new is checked first.
  const endingsOf = (build: Build): ShortEndingsOptions => ({
    ...loading,
    seed: comparison.plan.seed,
    turn: { own: build === 'candidate' ? 0 : 1, of: BUILDS.length },
  });
  return {
    ...shared,
    loading,
    options: perBuild((build) => ({ ...loading.options, access: sides[build].access })),
    queries: perBuild((build) => sides[build].query),
    content: settings.har.content,
    // Of folders they are at hand. Both builds may be served at one address: what is read of one is not the other's.
    sources:
      loading.sourceMaps || BUILDS.every((build) => made.targets[build].folder !== undefined)
        ? perBuild(() => scriptSources((url) => fetchScript(url, shared.signal)))
        : undefined,
    series: perBuild(() => new RunSeries(tempFiles)),
    endings: perBuild((build) => new ShortEndings(endingsOf(build))),
    steps: perBuild(
      (build) =>
        new StepSeries({
          tempFiles,
          endings: endingsOf(build),
          writeHar: (done, { name }) => writeHarOf(name)(done, harName(build, done.run)),
        }),
    ),
    output,
    redact,
    writeHar: harWriter(settings, output),
    writeHarOf,
    writeTrace: traceWriter(settings, output),
    lab,
    hasEarlier,
    ...(secondBrowser && { secondBrowser }),
    budget,
    failFast: settings.failFast,
    mayLoadMore: () => shared.timeLeft() > 0 && budget.allows(timedLoadsAhead(comparison)),
    microBenchmark: hooks.microBenchmark ?? microBenchmark,
  };
}

/** Tells how much of a time is left, from now on; without end where none is given. */
export function timer(limit: Ms | undefined): () => Ms {
  const startedAt = performance.now();
  return () => (limit === undefined ? Number.POSITIVE_INFINITY : startedAt + limit - performance.now());
}
