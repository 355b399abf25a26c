import { PORT_PLACE } from '../../core/text/port-place.ts';
import { BUILDS } from '../../model/compare/build.ts';
import type { CompareResult } from '../../model/compare/comparison.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { CompareReport } from '../../model/result/report.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import { stated } from '../../wording/host/conditions.ts';
import { ensure } from '../engine/code/packages.ts';
import { defaultFolder, type JobHooks, type JobOutcome } from '../engine/job.ts';
import { browserOf, closeMeanwhile, openLabs } from '../engine/labs.ts';
import { attempt, type Problem, problem, problemOf, shownProblems } from '../engine/problem.ts';
import { noted } from '../engine/progress-events.ts';
import { createReachabilityCheck } from '../engine/reachable.ts';
import { openOutput } from '../engine/reports/output.ts';
import { prepareFormats } from '../engine/reports/prepare-formats.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { clearingLab, earlierResult } from '../engine/result/earlier-result.ts';
import { openScript } from '../engine/script.ts';
import { askedFor } from './asked-for.ts';
import { beginComparison } from './begin-comparison.ts';
import { type MadeBuilds, type NamedBuilds, type OpenBuilds, perBuild, readyBuilds } from './builds.ts';
import { buildLoader, type CompareContext } from './compare-context.ts';
import { exitOf, problemsOf } from './compare-exit.ts';
import { inspectBuilds } from './compare-lighthouse.ts';
import { planFor, shareOfPlan } from './compare-plan.ts';
import { compareReport } from './compare-result.ts';
import { readOthers, readStored, resumable } from './compare-state.ts';
import { type CompareWriter, compareWriter } from './compare-writer.ts';
import { blockIndex, type Comparison, countedRuns, mostPairs, newComparison, sidesOf } from './comparison.ts';
import { createContext, timer } from './create-context.ts';
import { isResumable, makeBuilds } from './make-builds.ts';
import { measureBlocks, repeatOpenEndings } from './measure-blocks.ts';
import { NOTHING_TO_EXPLAIN, profileBuilds } from './profile-builds.ts';
import { findRefs } from './ref-builds.ts';
import { serverFolders } from './servers/folders.ts';
import { settleBuilds } from './settle-builds.ts';
import { sideNames } from './side-names.ts';

/** What a caller of `compare` may hook into. */
export interface CompareHooks extends JobHooks {
  /** Times a fixed piece of work, ms; the machine's own when absent. */
  microBenchmark?(): number;
}

/** What a comparison leaves behind. */
export type CompareOutcome = JobOutcome<CompareResult, CompareReport>;

/**
 * Loads two builds in interleaved blocks until every gate metric has an answer, and writes reports; results are on disk
 * after every block. Rejects with a `QuiesceError` when nothing could be started.
 */
export async function compare(settings: ResolvedCompare, hooks: CompareHooks = {}): Promise<CompareOutcome> {
  return run(settings, hooks, false);
}

/** Compares a page with itself: it must say "same", and shows what this machine can resolve. */
export async function compareWithItself(settings: ResolvedCompare, hooks: CompareHooks = {}): Promise<CompareOutcome> {
  return run(settings, hooks, true);
}

async function run(settings: ResolvedCompare, hooks: CompareHooks, withItself: boolean): Promise<CompareOutcome> {
  const { erase } = settings;
  const onProgress = (event: Progress): void => hooks.onProgress?.(redactDeep(event, erase));
  const { comparison, context, writer, made, ...prepared } = await prepare(settings, hooks, withItself, onProgress);
  const problems: Problem[] = [];
  try {
    await measure(made, comparison, writer, context, problems).catch(async (error: unknown) => {
      await prepared.endLoading();
      throw error;
    });
    const outcome = await closeMeanwhile(prepared.endLoading, () =>
      conclude(comparison, writer, context, settings, problems),
    );
    const { base, candidate, shard } = outcome.result;
    const isAnything = [base, candidate].some(({ runs }) => runs.some(({ ok }) => ok));
    // The default folder is deleted when nothing was measured, unless a shard's result is expected there.
    if (isAnything || shard !== undefined || settings.out !== undefined) return outcome;
    await prepared.close();
    await context.output.discard();
    return { ...outcome, files: [] };
  } finally {
    await prepared.close();
  }
}

// --- Before the first load ----------------------------------------------------------------------------------------

/** A comparison that can be started, or resumed. */
interface Prepared {
  readonly comparison: Comparison;
  readonly context: CompareContext;
  readonly writer: CompareWriter;
  readonly made: MadeBuilds;
  /** Ends the browser and servers, and removes builds that were only made to be compared. */
  endLoading(): Promise<void>;
  /** Removes what memory did not hold. */
  close(): Promise<void>;
}

/** Checks all that can be refused, and makes the builds. */
async function prepare(
  settings: ResolvedCompare,
  hooks: CompareHooks,
  withItself: boolean,
  onProgress: (event: Progress) => void,
): Promise<Prepared> {
  const { signal = new AbortController().signal } = hooks;
  const { servers, loading, sides, shard, browser, formats, redact } = settings;
  const { policy, options } = loading;
  const own = sideNames(sides, servers?.env);
  const named = await nameBuilds(settings, withItself || BUILDS.some((build) => own[build] !== ''));
  const scripts = {
    base: await openScript(sides.base.script),
    candidate: await openScript(sides.candidate.script),
  };
  const plan = planFor(settings);
  const share = shard && shareOfPlan(plan, shard, browser.browserWs);
  const now = new Date();
  const reachability = createReachabilityCheck(browser.browserWs, (note) => onProgress(noted(note)));
  await reachability.checkAddress(named.places);
  const started = (lab: Lab): void => {
    comparison.browser = browserOf(lab);
    reachability.checkBrowser(lab);
  };
  if (loading.lighthouseRuns > 0) await ensure('lighthouse', browser, hooks);
  const labs = await openLabs(browser, hooks, started, () => prepareFormats(formats));
  const folder = settings.out ?? defaultFolder(`${named.slugs.base}-${named.slugs.candidate}`, now);
  const output = await openOutput(folder, formats.length > 0);
  const asked = redactDeep(askedFor(settings, plan, named.states), redact);
  const found = (await readStored(output.store, (n) => blockIndex(n, shard))) ?? (await readOthers(output.store, ['']));
  const stored = resumable(found, asked, settings.resume, output.folder);
  const clearEarlier = stored ? undefined : await earlierResult(output.folder, settings);
  await output.store.hold();
  const { made } = await makeBuilds(named, settings, output, stored, { signal, onProgress });
  const comparison = newComparison(
    {
      settings: settings.stored,
      names: perBuild((build) => made.targets[build].name + (own[build] === '' ? '' : ` (${own[build]})`)),
      sources: named.sources,
      conditions: stated(options.conditions),
      policy,
      ownMetrics: options.metrics,
      budgets: loading.budgets,
      share,
      oneAtATime: servers !== undefined && !servers.url.includes(PORT_PLACE),
      startedAt: stored ? new Date(stored.head.startedAt) : now,
      isResumable: isResumable(settings, named),
    },
    plan,
    stored,
  );
  if (made.notes) comparison.serverNotes = made.notes;
  const tempFiles = output.openTempFiles();
  const context = createContext(comparison, settings, {
    ...clearingLab(labs.lab, clearEarlier),
    secondBrowser: labs.secondBrowser,
    hooks,
    signal,
    scripts,
    made,
    output,
    outputOf: () => output,
    tempFiles,
    timeLeft: timer(settings.budgetTime),
    onProgress,
  });
  return {
    comparison,
    context,
    writer: compareWriter(comparison, asked, formats, output, redact),
    made,
    async endLoading() {
      await labs.close();
      await made.close();
    },
    async close() {
      await tempFiles.close();
      await output.store.release();
    },
  };
}

/** What the user named: two builds that are there, folders with servers to be started, or two states of a repository. */
export async function nameBuilds(settings: ResolvedCompare, mayBeSame: boolean): Promise<NamedBuilds> {
  const { builds, servers, commit, ci } = settings;
  if ('refs' in builds) return findRefs(builds.refs, settings, process.cwd(), servers);
  const source = commit ?? ci;
  return servers
    ? serverFolders(builds.targets, servers, source, mayBeSame)
    : readyBuilds(builds.targets, source, mayBeSame);
}

// --- Measuring ----------------------------------------------------------------------------------------------------

/** Proves both builds, loads blocks, runs Lighthouse. What cannot be gone on with joins the problems: what was measured stands. */
async function measure(
  { targets, open }: MadeBuilds,
  comparison: Comparison,
  writer: CompareWriter,
  context: CompareContext,
  problems: Problem[],
): Promise<void> {
  const { onProgress } = context;
  let builds: OpenBuilds | undefined;
  try {
    const opened = await open(context.queries, comparison.sides.base?.url);
    builds = opened;
    const { urls, use } = opened;
    for (const build of BUILDS) {
      const { name, folder } = targets[build];
      if (folder !== undefined) onProgress({ kind: 'serving', target: name, url: urls[build] });
    }
    const { budget } = context;
    if (!(await budget.spend(() => loadBuilds(opened, comparison, writer, context)))) return;
    // What Lighthouse cannot do takes nothing away from the comparison.
    await attempt(problems, () => inspectBuilds(use, comparison, context));
  } catch (error) {
    // The browser did not come up again, or the disk is full: what was measured stands.
    problems.push(problemOf(error));
    comparison.stopped = 'broken';
  } finally {
    await builds?.close();
  }
}

/** Makes all loads but Lighthouse's, and says whether these are worth it. */
async function loadBuilds(
  builds: OpenBuilds,
  comparison: Comparison,
  writer: CompareWriter,
  context: CompareContext,
): Promise<boolean> {
  const load = buildLoader(builds, mostPairs(comparison), context);
  comparison.stopped =
    (await beginComparison(builds, comparison, writer, context)) ??
    (await measureBlocks(load, comparison, writer, context));
  if (comparison.stopped === 'interrupted') return false;
  await settleBuilds(comparison, context);
  await repeatOpenEndings(load, comparison, writer, context);
  if (NOTHING_TO_EXPLAIN.includes(comparison.stopped)) return false;
  await profileBuilds(load, comparison, context);
  return true;
}

// --- What is left behind ------------------------------------------------------------------------------------------

async function conclude(
  comparison: Comparison,
  writer: CompareWriter,
  context: CompareContext,
  { erase, failOn }: Pick<ResolvedCompare, 'erase' | 'failOn'>,
  own: Problem[],
): Promise<CompareOutcome> {
  const { signal, output, redact, hasEarlier, onProgress } = context;
  const pairs = countedRuns(comparison).length / 2;
  const isOver = comparison.stopped !== 'interrupted' && comparison.stopped !== 'broken';
  const isResumable = comparison.setup.isResumable && sidesOf(comparison) !== undefined;
  const exit = (result: CompareResult): number => exitOf(result, failOn, own, signal.aborted);
  let report: CompareReport | undefined;
  await attempt(own, async () => {
    if (hasEarlier()) return;
    if (!isOver) {
      await settleBuilds(comparison, context);
      // Whoever reads the report has looked at the intervals.
      if (pairs > 0 && !comparison.plan.looks.includes(pairs)) comparison.extraLooks.push(pairs);
      await writer.saveHead();
      for (const block of comparison.blocks) await writer.saveBlock(block);
    }
    report = await writer.writeReports(exit);
    // Only now: what could not be written can still be resumed.
    if (isOver || !isResumable) await writer.forget();
  });
  report ??= compareReport(comparison, redact, exit);
  const { result } = report;
  const files = output.files();
  onProgress({ kind: 'written', files });
  const problems = [...own, ...problemsOf(result, failOn)];
  if (signal.aborted) {
    const folder = isResumable && !isOver ? output.folder : undefined;
    problems.push(problem('interrupted', { path: folder }));
  } else if (isResumable && !isOver) problems.push(problem('resume-possible', { path: output.folder }));
  return {
    result,
    report,
    out: output.folder,
    files,
    // What could not be written may have changed it.
    exit: exit(result),
    problems: shownProblems(problems, erase),
  };
}
