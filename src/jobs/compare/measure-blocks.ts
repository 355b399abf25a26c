import { inventoryOf } from '../../core/changes/inventory.ts';
import { pageDifferencesOf } from '../../core/changes/page-differences.ts';
import { learntPolicyOf } from '../../core/completion/learnt-policy.ts';
import type { Evaluation } from '../../core/experiment/evaluate.ts';
import { figureOf } from '../../core/metrics/figure.ts';
import { metricTitle } from '../../core/metrics/index.ts';
import { knownOf } from '../../core/rendering/timed-work.ts';
import { defined } from '../../core/text/defined.ts';
import { BUILDS, type Build } from '../../model/compare/build.ts';
import type { PlacedRun, StopReason } from '../../model/compare/comparison.ts';
import type { EndingDoubt } from '../../model/completion/completion.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { HostReason } from '../../model/host/reason.ts';
import type { DropReason } from '../../model/result/failure.ts';
import type { RetryReason } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { RunResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { hostReasonsInWords } from '../../wording/host/reasons.ts';
import { dropReasonInWords } from '../../wording/result/notes.ts';
import { isEndedTooEarly } from '../engine/evidence/short-endings.ts';
import { noted, runRetried } from '../engine/progress-events.ts';
import type { FinishedRun, PlannedRun } from '../engine/run.ts';
import { type CompareContext, harName, type LoadBuild, runFinished } from './compare-context.ts';
import type { ComparedBlock, ComparedRun } from './compare-state.ts';
import type { CompareWriter } from './compare-writer.ts';
import {
  blockIndex,
  type Comparison,
  evaluateAt,
  lastLook,
  mostPairs,
  orderOf,
  resultOf,
  timedLoads,
  timedLoadsAhead,
} from './comparison.ts';

/** How often one load is repeated because of the host, at most; a host that is busy for longer is a finding. */
const REPEATS_OF_A_LOAD = 2;
/** Share of the planned loads that may be repeated because of the host. */
const REPEATED_SHARE = 0.25;
/** So many blocks in a row that fail: the next ones will, too. */
const FAILING_BLOCKS = 5;
/** Loads of a build that all show nothing, while the other build's show something: the next ones will, too. */
const BLANK_LOADS = 4;
/** More blocks than this that failed, beyond those that did not: too few comparisons are left of too much time. */
const FAILED_BEYOND_KEPT = 2;

/** Loads block after block until there is an answer, or a reason to give up. */
export async function measureBlocks(
  load: LoadBuild,
  comparison: Comparison,
  writer: CompareWriter,
  context: CompareContext,
): Promise<StopReason> {
  for (;;) {
    const reason = reasonToStop(comparison, context) ?? (await measureBlock(load, comparison, writer, context));
    if (reason) return reason;
    await writer.saveResult();
  }
}

/** Loads the next block, and saves it. Gives a reason to stop when the user ended it. */
export async function measureBlock(
  load: LoadBuild,
  comparison: Comparison,
  writer: Pick<CompareWriter, 'saveBlock'>,
  context: CompareContext,
): Promise<'interrupted' | undefined> {
  const index = blockIndex(comparison.blocks.length, comparison.setup.share?.place);
  const within = context.budget.left();
  context.onProgress({ kind: 'loads-ahead', loads: timedLoadsAhead(comparison), atMost: true, within });
  const block = await loadBlock(index, load, comparison, context);
  if (!block) return 'interrupted';
  comparison.blocks.push(block.ofLoads);
  for (const [name, ofStep] of block.ofSteps) comparison.steps.get(name)?.blocks.push(ofStep);
  await writer.saveBlock(block.ofLoads);
  await repeatOpenEndings(load, comparison, writer, context);
  const { dropped } = block.ofLoads;
  if (dropped) context.onProgress(noted({ code: 'block-dropped', block: index, reason: dropped }));
  return undefined;
}

/** Evaluated after every block, decided only at looks. */
function reasonToStop(comparison: Comparison, context: CompareContext): StopReason | undefined {
  return (
    reasonToGiveUp(comparison, context) ??
    (timedLoads(comparison) === 0
      ? undefined
      : (reasonOfAnswer(comparison, context) ?? reasonOfPlan(comparison, context)))
  );
}

/** No block is loaded any more, whatever those before have said. */
export function reasonToGiveUp(comparison: Comparison, context: CompareContext): StopReason | undefined {
  const { blocks } = comparison;
  if (context.signal.aborted) return 'interrupted';
  const kept = blocks.filter(({ dropped }) => dropped === undefined).length;
  const failed = blocks.length - kept;
  const row = blocks.length - 1 - blocks.findLastIndex(({ dropped }) => dropped === undefined);
  if (row >= FAILING_BLOCKS || failed > kept + FAILED_BEYOND_KEPT) return 'too-many-failures';
  // What failed is loaded again as long as there is time for it.
  if (failed > 0 && !context.mayLoadMore()) return 'too-many-failures';
  return kept > 0 || context.timeLeft() > 0 ? undefined : 'out-of-time';
}

/** What the blocks so far say is an answer, or that there will be none. */
export function reasonOfAnswer(comparison: Comparison, context: CompareContext): StopReason | undefined {
  const { plan } = comparison;
  // Each of its loads takes as long as the time-out, and there is nothing to compare in the end.
  if (plan.gates.includes('pageComplete') && BUILDS.some((build) => isNeverComplete(build, comparison))) {
    return 'not-measurable';
  }
  if (isOneBlank(comparison)) return 'blank';
  const pairs = timedLoads(comparison) / 2;
  const isLook = plan.looks.includes(pairs);
  const evaluation = evaluateAt(pairs, comparison);
  context.onProgress(lookProgress(evaluation, pairs, isLook, comparison));
  const gates = evaluation.comparisons.filter(({ gate }) => gate);
  // A metric that no pair has is not waited for; without any, there is nothing to decide with.
  const measurable = gates.filter(({ base, candidate }) => base.n > 0 && candidate.n > 0);
  if (measurable.length === 0) return 'not-measurable';
  // What a look has decided stays decided: the boundaries of all looks together keep to α.
  if (isLook && gates.some(({ fails }) => fails)) {
    if (context.failFast) return 'failed';
    // A page that fails is decided: the time that another gate of it needs is for the other pages.
    if ((comparison.setup.pages ?? 1) > 1) return 'decided';
  }
  return isLook && measurable.every(({ decision }) => decision !== 'unsure') ? 'decided' : undefined;
}

/** All pairs or all the time that was planned is used up. */
export function reasonOfPlan(comparison: Comparison, { timeLeft }: CompareContext): StopReason | undefined {
  if (timedLoads(comparison) >= 2 * mostPairs(comparison)) return comparison.setup.share ? 'share' : 'max-pairs';
  return timeLeft() > 0 ? undefined : 'out-of-time';
}

/** Was a build never complete, neither while it was filmed nor in any load since? */
function isNeverComplete(build: Build, { blocks, sides }: Comparison): boolean {
  const filmed = sides[build]?.untimed.filter(({ role }) => role === 'evidence') ?? [];
  const timed = blocks.flatMap(({ runs }) => runs.map(({ run }) => run)).filter((run) => run.build === build);
  return [...filmed, ...timed].every(({ ok, pageComplete }) => ok && pageComplete?.state === 'never');
}

/** Did one build show nothing so often that no load of it ever will, unlike the other? */
function isOneBlank(comparison: Comparison): boolean {
  return pageDifferencesOf(resultOf('base', comparison), resultOf('candidate', comparison)).some(
    ({ code, facts }) => code === 'blank' && facts.loads >= BLANK_LOADS,
  );
}

function lookProgress(
  { comparisons }: Evaluation,
  pairs: number,
  isLook: boolean,
  comparison: Comparison,
): Extract<Progress, { kind: 'comparison-progress' }> {
  const { plan, setup } = comparison;
  const gates = comparisons.filter(({ gate }) => gate);
  const needed = gates.flatMap(({ pairsToSettle }) => pairsToSettle ?? []);
  const expected = Math.max(pairs, ...needed);
  // Of a share nothing is decided here.
  const looks = setup.share ? [] : plan.looks;
  const lookThen = looks.find((look) => look >= expected) ?? lastLook(comparison);
  return {
    kind: 'comparison-progress',
    pairs,
    maxPairs: mostPairs(comparison),
    nextLook: looks.find((look) => look > pairs),
    expectedPairs: needed.length > 0 && !setup.share ? lookThen - pairs : undefined,
    gates: gates.map(({ metric, unit, scale, difference, decision }) => ({
      metric,
      title: metricTitle(metric),
      scale,
      unit,
      estimate: difference && (difference.relative ?? difference.absolute),
      low: difference?.low,
      high: difference?.high,
      ...(isLook && { decision }),
    })),
  };
}

// --- One block ----------------------------------------------------------------------------------------------------

/** Four loads in random order. A load that fails twice takes its block with it. Undefined when the user ended it. */
async function loadBlock(
  index: number,
  load: LoadBuild,
  comparison: Comparison,
  context: CompareContext,
): Promise<LoadedBlock | undefined> {
  const loads: LoadInPlace[] = [];
  for (const [order, build] of orderOf(index, comparison).entries()) {
    const done = await loadInPlace({ build, block: index, order }, load, comparison, context);
    if (!done) {
      comparison.partial = excluded(
        loads.map(({ loaded }) => loaded),
        { code: 'interrupted' },
      );
      return undefined;
    }
    loads.push(done);
    const { failure, attempts = 1 } = done.loaded.run;
    if (!failure) continue;
    return blockOf(index, loads, comparison, { code: 'load-failed', load: order + 1, build, attempts, failure });
  }
  return blockOf(index, loads, comparison);
}

/** The block of the loads, and those of the steps after them; a step that a load did not do drops its own. */
function blockOf(
  index: number,
  loads: readonly LoadInPlace[],
  { steps }: Comparison,
  dropped?: DropReason,
): LoadedBlock {
  const block = (runs: readonly ComparedRun[], reason = dropped): ComparedBlock =>
    reason === undefined ? { index, runs } : { index, runs: excluded(runs, reason), dropped: reason };
  const ofSteps = [...steps.keys()].map((name): [string, ComparedBlock] => {
    const without = loads.find(({ steps: done }) => !done.has(name))?.loaded.run;
    return [
      name,
      block(
        loads.flatMap(({ steps: done }) => done.get(name) ?? []),
        dropped ?? (without && { code: 'step-missing', build: without.build }),
      ),
    ];
  });
  return { ofLoads: block(loads.map(({ loaded }) => loaded)), ofSteps: new Map(ofSteps) };
}

function excluded(runs: readonly ComparedRun[], reason: DropReason): readonly ComparedRun[] {
  const why = { excluded: dropReasonInWords(reason), exclusion: reason };
  return runs.map((each) => ({ ...each, run: { ...each.run, ...why } }));
}

/** Four loads, and each step after them. */
interface LoadedBlock {
  readonly ofLoads: ComparedBlock;
  readonly ofSteps: ReadonlyMap<string, ComparedBlock>;
}

/** A load with the steps after it, by their names. */
interface LoadInPlace {
  readonly loaded: ComparedRun;
  readonly steps: ReadonlyMap<string, ComparedRun>;
  /** It, or a step, ended early, and is not confirmed by what is known now. */
  readonly isEndedTooEarly: boolean;
}

/** The place of a load in a comparison. */
type Place = Pick<PlacedRun, 'build' | 'block' | 'order'>;

/** What a load met on this machine. */
interface MetOnHost extends Pick<PlacedRun, 'repeatedBecause' | 'repeatedReasons'> {
  /** How long the micro-benchmark took just before it, ms; absent where the browser runs elsewhere. */
  readonly microBenchmark: number | undefined;
}

/** Both builds are filmed when one of them draws late, and the documents of both are read when that of one tells: they are measured alike. */
export function drawingOf(build: Build, { sides }: Pick<Comparison, 'sides'>): Drawing {
  const own = sides[build]?.drawing ?? {};
  const drawings = BUILDS.flatMap((each) => sides[each]?.drawing ?? []);
  const within = drawings.flatMap((each) => each.within ?? []);
  return {
    ...own,
    ...(drawings.some(({ filmed }) => filmed !== undefined) && { filmed: own.filmed ?? 0 }),
    ...(within.length > 0 && { within: Math.max(...within) }),
  };
}

/** One load in its place. One that ended early, and is not as it was expected after all, is loaded again. */
async function loadInPlace(
  place: Place,
  load: LoadBuild,
  comparison: Comparison,
  context: CompareContext,
): Promise<LoadInPlace | undefined> {
  const { build } = place;
  const index = nextIndex(place, comparison);
  const expected = context.endings[build].expectedOf(index);
  const expectedSteps = context.steps[build].expectedOf(index);
  const done = await loadPlaced({ ...place, index }, load, comparison, context, { expected, expectedSteps });
  if (!done?.isEndedTooEarly) return done;
  return loadPlaced({ ...place, index }, load, comparison, context, { repeatedEnding: 'ending-unconfirmed' });
}

/**
 * Loads again, for the whole window, what ended early and is not to be trusted: in a build that showed what a short ending
 * misses, and where a run is not confirmed by what all runs together have taught.
 */
export async function repeatOpenEndings(
  load: LoadBuild,
  comparison: Comparison,
  writer: Pick<CompareWriter, 'saveBlock'>,
  context: CompareContext,
): Promise<void> {
  const doubts = new Map<string, EndingDoubt>();
  for (const build of BUILDS) {
    const { endedEarly, endedTooEarly } = context.series[build];
    const isMissed = context.endings[build].expected === undefined;
    for (const index of isMissed ? endedEarly : endedTooEarly) {
      doubts.set(`${build} ${index}`, isMissed ? 'ending-missed' : 'ending-unconfirmed');
    }
    for (const [index, doubt] of context.steps[build].openEndings) doubts.set(`${build} ${index}`, doubt);
  }
  if (doubts.size === 0) return;
  for (const [i, block] of comparison.blocks.entries()) {
    if (block.dropped !== undefined) continue;
    const runs: ComparedRun[] = [];
    for (const before of block.runs) {
      const doubt = doubts.get(`${before.run.build} ${before.run.index}`);
      const repeatedEnding = doubt && context.mayLoadMore() ? doubt : undefined;
      const again = repeatedEnding && (await loadPlaced(before.run, load, comparison, context, { repeatedEnding }));
      const { excluded, exclusion } = before.run;
      // A load that fails now takes nothing away: the one before it was measured.
      const { loaded } = again ?? {};
      runs.push(loaded?.run.ok ? { ...loaded, run: { ...loaded.run, ...defined({ excluded, exclusion }) } } : before);
      if (loaded?.run.ok) replaceSteps(comparison, i, again?.steps);
    }
    if (runs.every((run, at) => run === block.runs[at])) continue;
    const repeated = { ...block, runs };
    comparison.blocks[i] = repeated;
    await writer.saveBlock(repeated);
  }
}

/** Puts the steps of a load that was repeated in the place of those before. */
function replaceSteps({ steps }: Comparison, block: number, again: LoadInPlace['steps'] = new Map()): void {
  for (const [name, now] of again) {
    const blocks = steps.get(name)?.blocks;
    const before = blocks?.[block];
    if (blocks === undefined || before === undefined || before.dropped !== undefined) continue;
    const runs = before.runs.map((each) => (each.run.order === now.run.order ? now : each));
    blocks[block] = { ...before, runs };
  }
}

/** How a load ends: early, or for the whole window because it may not be trusted to. */
interface Ending {
  readonly expected?: ExpectedContent;
  /** The same of each step. */
  readonly expectedSteps?: ReadonlyMap<string, ExpectedContent>;
  readonly repeatedEnding?: EndingDoubt;
}

/** One load in its place, repeated while the host was not fit: that says nothing of the build. */
async function loadPlaced(
  place: Place & { readonly index: number },
  load: LoadBuild,
  comparison: Comparison,
  { loading, signal, series, endings, steps, writeHar, lab, microBenchmark, onProgress, mayLoadMore }: CompareContext,
  { expected, expectedSteps, repeatedEnding }: Ending,
): Promise<LoadInPlace | undefined> {
  const { build, block, index } = place;
  const of = mostPairs(comparison);
  const planned: PlannedRun = {
    index,
    role: 'timed',
    policy: {
      ...loading.policy,
      ...learntPolicyOf(comparison.sides[build] ?? {}),
      ...defined({ expected }),
    },
    drawing: drawingOf(build, comparison),
    known: knownOf(comparison.sides[build] ?? {}),
    expectedSteps,
  };
  const again = (reason: RetryReason) => onProgress(runRetried({ target: build, index, of, role: 'timed' }, reason));
  if (repeatedEnding !== undefined) again({ code: 'ending-doubted', doubt: repeatedEnding });
  const repeats: (readonly HostReason[])[] = [];
  for (;;) {
    if (signal.aborted) return undefined;
    let worked: Ms | undefined;
    const justBefore = (): void => {
      worked = microBenchmark();
    };
    // What this machine can do says nothing of another one that loads the page.
    const isElsewhere = (await lab()).elsewhere === true;
    const loaded = await load(build, isElsewhere ? planned : { ...planned, with: { justBefore } });
    if (!loaded) return undefined;
    const { host, pageComplete } = loaded.run;
    // What was never complete has no time that the host could have changed.
    const mayMatter = pageComplete?.state !== 'never' && !isTakenOff(loaded.run, comparison.plan.gates);
    const unfit = host?.verdict === 'unfit' && mayMatter ? host.reasonFacts : undefined;
    const mayRepeat =
      repeats.length < REPEATS_OF_A_LOAD &&
      comparison.repeated < REPEATED_SHARE * 2 * mostPairs(comparison) &&
      mayLoadMore();
    if (unfit && mayRepeat) {
      repeats.push(unfit);
      comparison.repeated += 1;
      again({ code: 'host-unfit', reasons: unfit });
      continue;
    }
    const written = await writeHar(loaded, harName(build, loaded.run));
    const done = { ...written, run: { ...written.run, ...defined({ repeatedEnding }) } };
    onProgress(runFinished(build, done.run, of, block));
    await series[build].add(done);
    endings[build].learn(done);
    const inSteps = await steps[build].add(done.loaded);
    const met = { microBenchmark: worked, ...repeatsInWords(repeats) };
    return {
      loaded: comparedRun(done, place, met),
      steps: new Map([...inSteps.done].map(([name, each]) => [name, comparedRun(each, place, met)])),
      isEndedTooEarly: isEndedTooEarly(done) || inSteps.doubt === 'ending-unconfirmed',
    };
  }
}

function repeatsInWords(repeats: readonly (readonly HostReason[])[]): Omit<MetOnHost, 'microBenchmark'> {
  return repeats.length === 0 ? {} : { repeatedBecause: repeats.map(hostReasonsInWords), repeatedReasons: repeats };
}

/** Is it known, for all that decides, what the load would have been without what made the host unfit? */
function isTakenOff({ host, undisturbed }: RunResult, gates: readonly string[]): boolean {
  const processors = host?.reasonFacts?.every(({ code }) => code === 'busy-by-others' || code === 'steal') ?? false;
  return processors && gates.every((gate) => figureOf(undisturbed, gate) !== undefined);
}

/** By build from 1, whatever counts; stored runs have their numbers already. */
function nextIndex({ build, block, order }: Place, comparison: Comparison): number {
  const before = comparison.blocks.flatMap(({ runs }) => runs).filter(({ run }) => run.build === build).length;
  const inBlock = orderOf(block, comparison)
    .slice(0, order)
    .filter((each) => each === build).length;
  return before + inBlock + 1;
}

/** A run as blocks hold it. */
export function comparedRun(
  { run, visit, waterfall }: FinishedRun,
  { build, block, order }: Place,
  { microBenchmark, repeatedBecause, repeatedReasons }: MetOnHost,
): ComparedRun {
  return {
    run: {
      ...run,
      build,
      block,
      order,
      ...(run.host && { host: { ...run.host, ...defined({ microBenchmark }) } }),
      ...defined({ repeatedBecause, repeatedReasons }),
    },
    waterfall,
    inventory: visit ? inventoryOf(visit) : [],
  };
}
