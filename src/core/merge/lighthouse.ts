import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { LighthouseComparisons, LighthouseResult, LighthouseRun } from '../../model/lighthouse/lighthouse.ts';
import type { Ms } from '../../model/units.ts';
import { compareLighthouse } from '../lighthouse/compare.ts';
import { middleRun, summarizeLighthouse } from '../lighthouse/summary.ts';

/** What Lighthouse says of both builds in one shard. */
export interface InspectedShard {
  /** The number of its machine. */
  readonly machine: number;
  readonly base?: LighthouseResult;
  readonly candidate?: LighthouseResult;
}

/** What it says of both builds in all shards. */
export interface JoinedLighthouse {
  readonly base?: LighthouseResult;
  readonly candidate?: LighthouseResult;
  readonly comparisons: LighthouseComparisons;
}

/** A run under its number in the whole. */
interface Numbered {
  readonly run: LighthouseRun;
  /** What its shard says. */
  readonly of: LighthouseResult;
  /** Is this the run whose report that shard has stored? */
  readonly stored: boolean;
}

/**
 * Joins Lighthouse's runs in shards; undefined when there are none. The n-th runs of the builds stay beside each other,
 * and are compared within machines. Of the runs whose reports were stored, that in the middle stands for a build.
 *
 * @param pageComplete of each build over all shards, ms
 */
export function joinLighthouse(
  shards: readonly InspectedShard[],
  pageComplete: PerBuild<Ms | undefined>,
): JoinedLighthouse | undefined {
  const machines: number[] = [];
  const runs: Record<Build, Numbered[]> = { base: [], candidate: [] };
  for (const shard of shards) {
    const offset = machines.length;
    const indices = [...(shard.base?.runs ?? []), ...(shard.candidate?.runs ?? [])].map(({ index }) => index);
    const positions = [...new Set(indices)].sort((a, b) => a - b);
    machines.push(...positions.map(() => shard.machine));
    for (const build of BUILDS) {
      const of = shard[build];
      if (of === undefined) continue;
      for (const run of of.runs) {
        const index = offset + positions.indexOf(run.index) + 1;
        runs[build].push({ run: { ...run, index }, of, stored: of.representative === run.index });
      }
    }
  }
  if (machines.length === 0) return undefined;
  const [base, candidate] = [joined(runs.base, pageComplete.base), joined(runs.candidate, pageComplete.candidate)];
  return {
    base,
    candidate,
    comparisons: {
      runs: machines.length,
      comparisons: compareLighthouse(base?.runs ?? [], candidate?.runs ?? [], (index) => machines[index - 1] ?? 0),
    },
  };
}

function joined(runs: readonly Numbered[], pageComplete: Ms | undefined): LighthouseResult | undefined {
  const stored = runs.filter((each) => each.stored);
  const middle = middleRun(stored.map(({ run }) => run));
  const shown = stored.find(({ run }) => run.index === middle?.index) ?? runs[0];
  if (shown === undefined) return undefined;
  const { version, waited, report } = shown.of;
  const summary = summarizeLighthouse(
    runs.map(({ run }) => run),
    {
      waited,
      version,
      pageComplete,
      report,
    },
  );
  if (middle === undefined) return summary;
  return { ...summary, representative: shown.run.index, opportunities: shown.run.opportunities };
}
