import { agree } from '../../core/background/content/consensus.ts';
import { moveObservations } from '../../core/changes/share.ts';
import { defined } from '../../core/text/defined.ts';
import { BUILDS, type PerBuild } from '../../model/compare/build.ts';
import type { WriteHar } from '../engine/reports/har-file.ts';
import type { FinishedRun } from '../engine/run.ts';
import type { RunSeries } from '../engine/run-series.ts';
import { type CompareContext, harName } from './compare-context.ts';
import type { ComparedRun } from './compare-state.ts';
import { type Comparison, pageUrlOf, sidesOf } from './comparison.ts';
import { comparedRun } from './measure-blocks.ts';
import { shareProvedRules } from './prove-builds.ts';

/**
 * An endpoint is background in all runs or in none, in both builds. What one run saw and another did not is put to the
 * vote of all that were loaded in this session; of runs from before an interruption only the figures are left.
 */
export async function settleBuilds(
  comparison: Comparison,
  { series, endings, writeHar }: Pick<CompareContext, 'series' | 'endings' | 'writeHar'>,
): Promise<void> {
  const sides = sidesOf(comparison);
  if (!sides || !areAllOfThisSession(comparison, series)) return;
  const { base, candidate } = sides;
  const { learnt = [] } = base;
  const moved = (await series.candidate.observations()).map((each) =>
    moveObservations(each, pageUrlOf(candidate), pageUrlOf(base)),
  );
  const agreed = agree([...(await series.base.observations()), ...moved], learnt);
  const isNew = BUILDS.some((build) => series[build].endedByOther(endings[build].expected));
  if (agreed.length === learnt.length && !isNew) return;
  comparison.sides.base = { ...base, learnt: agreed };
  shareProvedRules(comparison);
  await judgeAgain(comparison, series, writeHar);
}

function areAllOfThisSession({ blocks }: Comparison, series: PerBuild<RunSeries>): boolean {
  const loaded = new Set(BUILDS.flatMap((build) => series[build].summaries.map(({ index }) => `${build} ${index}`)));
  return blocks.every(({ runs }) => runs.every(({ run }) => !run.ok || loaded.has(`${run.build} ${run.index}`)));
}

/** Judges every timed run with its build's rules, and puts it back in its place. */
async function judgeAgain(comparison: Comparison, series: PerBuild<RunSeries>, writeHar: WriteHar): Promise<void> {
  const { blocks, partial, sides } = comparison;
  const before = [...blocks.flatMap(({ runs }) => runs), ...partial];
  const judged = new Map<ComparedRun, ComparedRun>();
  for (const build of BUILDS) {
    await series[build].judgeAgain(sides[build]?.learnt ?? [], async (again) => {
      const done = await writeHar(again, harName(build, again.run));
      const placed = before.find(({ run }) => run.build === build && run.index === done.run.index);
      if (placed && done.visit) judged.set(placed, inPlaceOf(placed, done));
      return done;
    });
  }
  const latest = (runs: readonly ComparedRun[]): readonly ComparedRun[] => runs.map((each) => judged.get(each) ?? each);
  for (const [position, block] of blocks.entries()) blocks[position] = { ...block, runs: latest(block.runs) };
  comparison.partial = latest(partial);
}

/** The run as it is judged now, with what had happened around its load. */
function inPlaceOf({ run: before }: ComparedRun, done: FinishedRun): ComparedRun {
  const { host, repeatedBecause, repeatedReasons, repeatedEnding, excluded, exclusion } = before;
  const met = { microBenchmark: host?.microBenchmark, repeatedBecause, repeatedReasons };
  const now = comparedRun(done, before, met);
  return { ...now, run: { ...now.run, ...defined({ excluded, exclusion, repeatedEnding }) } };
}
