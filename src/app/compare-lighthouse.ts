import { compareLighthouse } from '../core/lighthouse/compare.ts';
import { lighthouseRuns } from './budgets.ts';
import { BUILDS, type OpenBuilds, type PerBuild } from './builds.ts';
import { type CompareJob, type InspectedBuilds, resultOf } from './compare-job.ts';
import { type LighthouseSeries, lighthouseSeries } from './lighthouse.ts';
import { redactorOf } from './load-options.ts';

/**
 * Runs Lighthouse on both builds in turns (base, candidate, candidate, base …) once the comparison is over: its load must
 * not disturb the pairs. Undefined when it was not asked for, or ended before both had a run.
 */
export async function inspectBuilds(builds: OpenBuilds, job: CompareJob): Promise<InspectedBuilds | undefined> {
  const of = lighthouseRuns(job.settings);
  if (of === 0) return undefined;
  const { signal } = job;
  const series: PerBuild<LighthouseSeries> = { base: seriesOf('base', job), candidate: seriesOf('candidate', job) };
  for (let round = 1; round <= of; round++) {
    for (const build of round % 2 === 1 ? BUILDS : [...BUILDS].reverse()) {
      if (signal.aborted) break;
      job.tell({ kind: 'comparison-note', message: `Lighthouse, run ${round} of ${of}: ${build}` });
      await builds.use(build);
      await series[build].run();
    }
  }
  const [base, candidate] = [await series.base.conclude(), await series.candidate.conclude()];
  return {
    ...(base && { base }),
    ...(candidate && { candidate }),
    comparisons: { runs: of, comparisons: compareLighthouse(base?.runs ?? [], candidate?.runs ?? []) },
  };
}

function seriesOf(build: keyof PerBuild<unknown>, job: CompareJob): LighthouseSeries {
  const { options, script, signal, settings, store, labs, files } = job;
  return lighthouseSeries({
    target: resultOf(build, job),
    options,
    ...(script && { script }),
    build,
    held: job.sides[build]?.held ?? [],
    prefix: `${build}-`,
    redact: redactorOf(settings),
    signal,
    lab: () => labs.lab(),
    write: async (file, content) => files.add(await store.write(file, content)),
  });
}
