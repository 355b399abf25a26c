import { learntPolicyOf } from '../../core/completion/learnt-policy.ts';
import { warmUpPolicy } from '../../core/completion/warm-up.ts';
import { PAIRS_PER_BLOCK } from '../../core/experiment/blocks.ts';
import { overallDecision } from '../../core/experiment/decision.ts';
import { codeChanges, EARLY_LEVEL, isFound, mayHaveChanged } from '../../core/main-thread/changes.ts';
import { joinProfiles, readCodeProfile } from '../../core/main-thread/code-profile.ts';
import { pageUrlOf } from '../../core/requests/page-url.ts';
import { defined } from '../../core/text/defined.ts';
import { countedUntil } from '../../core/time/completed-at.ts';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { Decision, StopReason } from '../../model/compare/comparison.ts';
import type { ScriptTime } from '../../model/main-thread.ts';
import { lookupsIn, type ScriptSources } from '../engine/code/script-sources.ts';
import { noted } from '../engine/progress-events.ts';
import { type FinishedRun, judgeRun } from '../engine/run.ts';
import { perBuild } from './builds.ts';
import type { CompareContext, LoadBuild } from './compare-context.ts';
import { type Comparison, countedRuns, evaluateAt, orderOf, resultOf, sidesOf } from './comparison.ts';
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

/** The loads of a page, or one of the steps after them, and what ran in each profile of either build. */
interface Profiled {
  readonly comparison: Comparison;
  readonly loads: PerBuild<(readonly ScriptTime[])[]>;
}

/**
 * Loads both builds a few times more, with nothing but a CPU profile, unless the timed runs show that they, or their main
 * threads, do not differ: one traced load of each cannot tell which function that is. Builds that do not differ cost no load.
 */
export async function profileBuilds(load: LoadBuild, comparison: Comparison, context: CompareContext): Promise<void> {
  const { signal, onProgress } = context;
  // Without traced loads, no code was asked for.
  if (BUILDS.some((build) => comparison.sides[build]?.mainThread === undefined)) return;
  const profiled = [comparison, ...comparison.steps.values()]
    .filter((each) => needsProfile(each))
    .map((each): Profiled => ({ comparison: each, loads: perBuild(() => []) }));
  if (profiled.length === 0) return;
  onProgress(noted({ code: 'profiling', loads: BLOCKS * PAIRS_PER_BLOCK }));
  // Those that differ are to be explained; the others are only looked at as well.
  const differ = profiled.filter((each) => ['slower', 'faster'].includes(decided(each.comparison)));
  const sought = differ.length > 0 ? differ : profiled;
  const count = { base: 0, candidate: 0 };
  for (let block = 1; block <= BLOCKS && context.timeLeft() > 0; block += 1) {
    onProgress({ kind: 'loads-ahead', loads: 2 * PAIRS_PER_BLOCK * (BLOCKS + 1 - block), atMost: true });
    for (const build of orderOf(block, comparison)) {
      count[build] += 1;
      const done = await loadProfiled(build, count[build], load, comparison, context);
      if (signal.aborted) return;
      if (!done) continue;
      for (const { comparison: each, loads } of profiled) {
        const { step } = each.setup;
        const scripts = await scriptsOf(step === undefined ? done : stepOf(done, step), context.sources?.[build]);
        if (scripts) loads[build].push(scripts);
      }
    }
    const found = profiled.filter((each) => takeProfiles(each));
    if (sought.every((each) => found.includes(each))) return;
  }
}

/** Do the timed runs leave open which code changed? */
function needsProfile(comparison: Comparison): boolean {
  const changes = changesIn(comparison);
  if (!changes || !sidesOf(comparison)) return false;
  const { share, pages = 1 } = comparison.setup;
  const decision = decided(comparison);
  // Of several pages, those that are undecided have no answer to be explained, and others want the time.
  const sought = pages > 1 && decision === 'unsure' ? 'same' : decision;
  return mayHaveChanged(changes, countedRuns(comparison), sought) || share?.place.index === 1;
}

/** Keeps what the profiles say so far. Is that enough? */
function takeProfiles({ comparison, loads }: Profiled): boolean {
  if (BUILDS.some((build) => loads[build].length < FEWEST_LOADS)) return false;
  for (const build of BUILDS) {
    const side = comparison.sides[build];
    if (side) comparison.sides[build] = { ...side, codeProfile: joinProfiles(loads[build]) };
  }
  const soFar = changesIn(comparison, EARLY_LEVEL);
  return soFar !== undefined && isFound(soFar);
}

const changesIn = (comparison: Comparison, level?: number) =>
  codeChanges(resultOf('base', comparison), resultOf('candidate', comparison), countedRuns(comparison), level);

/** A step of a load, judged; undefined where it was not done. */
function stepOf({ loaded: { index, role, outcome } }: FinishedRun, name: string): FinishedRun | undefined {
  const step = outcome.ok ? outcome.steps?.find((each) => each.name === name) : undefined;
  return (
    step && judgeRun({ index, role, policy: step.policy, outcome: step.outcome, attempts: 1 }, step.policy.learnt ?? [])
  );
}

/** What the gate metrics say together. */
function decided(comparison: Comparison): Decision {
  const { comparisons } = evaluateAt(countedRuns(comparison).length / 2, comparison);
  return overallDecision(comparisons.flatMap(({ gate, decision }) => (gate ? [decision] : [])));
}

/** A load that ends as soon as the page, and each step, is complete: nothing else is asked of it. */
function loadProfiled(
  build: Build,
  index: number,
  load: LoadBuild,
  comparison: Comparison,
  { loading, endings, steps }: CompareContext,
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
    expectedSteps: steps[build].expected,
    with: { profile: true },
  });
}

/** What ran until page complete; undefined of a load that failed. */
async function scriptsOf(
  done: FinishedRun | undefined,
  sources: ScriptSources | undefined,
): Promise<readonly ScriptTime[] | undefined> {
  const { recording, complete } = done?.visit ?? {};
  if (!recording?.profile || !complete) return undefined;
  const until = countedUntil(complete, recording);
  const pageUrl = pageUrlOf(recording);
  const compiled = readCodeProfile(recording.profile, { until, pageUrl });
  const found = await sources?.(compiled.filter(({ url }) => url !== pageUrl));
  return found ? readCodeProfile(recording.profile, { until, pageUrl, sources: lookupsIn(found) }) : compiled;
}
