import { learntPolicyOf } from '../../core/completion/learnt-policy.ts';
import { warmUpPolicy } from '../../core/completion/warm-up.ts';
import { PAIRS_PER_BLOCK } from '../../core/experiment/blocks.ts';
import { overallDecision } from '../../core/experiment/decision.ts';
import { codeChanges, EARLY_LEVEL, isFound, mayHaveChanged } from '../../core/main-thread/changes.ts';
import { joinProfiles, readCodeProfile } from '../../core/main-thread/code-profile.ts';
import { pageUrlOf } from '../../core/requests/page-url.ts';
import { defined } from '../../core/text/defined.ts';
import { countedUntil } from '../../core/time/completed-at.ts';
import { BUILDS, type Build } from '../../model/compare/build.ts';
import type { Decision, StopReason } from '../../model/compare/comparison.ts';
import type { ScriptTime } from '../../model/main-thread.ts';
import { lookupsIn, type ScriptSources } from '../engine/code/script-sources.ts';
import { noted } from '../engine/progress-events.ts';
import type { FinishedRun } from '../engine/run.ts';
import { perBuild } from './builds.ts';
import type { CompareContext, LoadBuild } from './compare-context.ts';
import { type Comparison, countedRuns, evaluateAt, orderOf, resultOf } from './comparison.ts';
import { drawingOf } from './measure-blocks.ts';

/**
 * Blocks of profiled loads: eight loads of each build tell a function that grew by 20 ms from the noise of a busy machine. Where
 * less is enough, they end earlier.
 */
const BLOCKS = 4;
/** So many loads of both builds. */
export const PROFILED_LOADS = 2 * PAIRS_PER_BLOCK * BLOCKS;
/** There is nothing to explain, nothing that would be worth it, or no time. */
export const NOTHING_TO_EXPLAIN: readonly StopReason[] = ['not-measurable', 'blank', 'out-of-time'];
/** With fewer loads of a build than this nothing is proven. */
const FEWEST_LOADS = 4;

/**
 * Loads both builds a few times more, with nothing but a CPU profile, unless the timed runs show that they, or their main
 * threads, do not differ: one traced load of each cannot tell which function that is. Builds that do not differ cost no load.
 */
export async function profileBuilds(load: LoadBuild, comparison: Comparison, context: CompareContext): Promise<void> {
  const { signal, onProgress } = context;
  const runs = countedRuns(comparison);
  const changes = codeChanges(resultOf('base', comparison), resultOf('candidate', comparison), runs);
  if (!changes || !(mayHaveChanged(changes, runs, decided(comparison)) || comparison.setup.share?.place.index === 1)) {
    return;
  }
  onProgress(noted({ code: 'profiling', loads: BLOCKS * PAIRS_PER_BLOCK }));
  const loads = perBuild((): (readonly ScriptTime[])[] => []);
  for (let block = 1; block <= BLOCKS && context.timeLeft() > 0; block += 1) {
    onProgress({ kind: 'loads-ahead', loads: 2 * PAIRS_PER_BLOCK * (BLOCKS + 1 - block), atMost: true });
    for (const build of orderOf(block, comparison)) {
      const done = await loadProfiled(build, loads[build].length + 1, load, comparison, context);
      if (signal.aborted) return;
      const scripts = done && (await scriptsOf(done, context.sources?.[build]));
      if (scripts) loads[build].push(scripts);
    }
    if (BUILDS.some((build) => loads[build].length < FEWEST_LOADS)) continue;
    for (const build of BUILDS) {
      const side = comparison.sides[build];
      if (side) comparison.sides[build] = { ...side, codeProfile: joinProfiles(loads[build]) };
    }
    const soFar = codeChanges(resultOf('base', comparison), resultOf('candidate', comparison), runs, EARLY_LEVEL);
    if (soFar && isFound(soFar)) return;
  }
}

/** What the gate metrics say together. */
function decided(comparison: Comparison): Decision {
  const { comparisons } = evaluateAt(countedRuns(comparison).length / 2, comparison);
  return overallDecision(comparisons.flatMap(({ gate, decision }) => (gate ? [decision] : [])));
}

/** A load that ends as soon as the page is complete: nothing else is asked of it. */
function loadProfiled(
  build: Build,
  index: number,
  load: LoadBuild,
  comparison: Comparison,
  { loading, endings }: CompareContext,
): Promise<FinishedRun | undefined> {
  return load(build, {
    index,
    role: 'profiled',
    policy: {
      ...warmUpPolicy(loading.policy),
      ...learntPolicyOf(comparison.sides[build] ?? {}),
      ...defined({ expected: endings[build].expected }),
    },
    drawing: drawingOf(build, comparison),
    with: { profile: true },
  });
}

/** What ran until page complete; undefined of a load that failed. */
async function scriptsOf(
  { visit }: FinishedRun,
  sources: ScriptSources | undefined,
): Promise<readonly ScriptTime[] | undefined> {
  const { recording, complete } = visit ?? {};
  if (!recording?.profile || !complete) return undefined;
  const until = countedUntil(complete, recording);
  const pageUrl = pageUrlOf(recording);
  const compiled = readCodeProfile(recording.profile, { until, pageUrl });
  const found = await sources?.(compiled.filter(({ url }) => url !== pageUrl));
  return found ? readCodeProfile(recording.profile, { until, pageUrl, sources: lookupsIn(found) }) : compiled;
}
