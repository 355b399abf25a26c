import { compareLighthouse } from '../../core/lighthouse/compare.ts';
import { BUILDS, type Build } from '../../model/compare/build.ts';
import { type LighthouseSeries, lighthouseSeries } from '../engine/lighthouse.ts';
import { noted } from '../engine/progress-events.ts';
import { type OpenBuilds, perBuild } from './builds.ts';
import type { CompareContext } from './compare-context.ts';
import { type Comparison, resultOf } from './comparison.ts';

/**
 * Runs Lighthouse on both builds in turns (base, candidate, candidate, base …) once the comparison is over: its load must
 * not disturb the pairs.
 */
export async function inspectBuilds(
  use: OpenBuilds['use'],
  comparison: Comparison,
  context: CompareContext,
): Promise<void> {
  const { loading, signal, onProgress } = context;
  const of = loading.lighthouseRuns;
  if (of === 0) return;
  const series = perBuild((build) => seriesOf(build, comparison, context));
  for (let round = 1; round <= of; round++) {
    for (const build of round % 2 === 1 ? BUILDS : [...BUILDS].reverse()) {
      if (signal.aborted) break;
      onProgress(noted({ code: 'lighthouse-run', index: round, of, name: build }));
      await use(build);
      await series[build].run();
    }
  }
  const [base, candidate] = [await series.base.conclude(), await series.candidate.conclude()];
  comparison.inspected = {
    base,
    candidate,
    comparisons: { runs: of, comparisons: compareLighthouse(base?.runs ?? [], candidate?.runs ?? []) },
  };
}

function seriesOf(
  build: Build,
  comparison: Comparison,
  { options, scripts, redact, signal, output, lab }: CompareContext,
): LighthouseSeries {
  return lighthouseSeries({
    target: resultOf(build, comparison),
    options: options[build],
    script: scripts[build],
    build,
    held: comparison.sides[build]?.held ?? [],
    prefix: `${build}-`,
    redact,
    signal,
    lab,
    write: (file, content) => output.write(file, content),
  });
}
