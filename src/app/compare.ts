import { randomInt } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { agree } from '../core/background/learn.ts';
import { inventoryOf } from '../core/changes/inventory.ts';
import { pageDifferencesOf } from '../core/changes/page-differences.ts';
import { moveLessons, shareLessons, visitAt } from '../core/changes/share.ts';
import { blockOrder, PAIRS_PER_BLOCK } from '../core/experiment/blocks.ts';
import { parseMinEffect } from '../core/experiment/effect.ts';
import { type Evaluation } from '../core/experiment/evaluate.ts';
import { planExperiment } from '../core/experiment/plan.ts';
import { messageFor, UsageError } from '../core/messages.ts';
import { metricNamed, metrics } from '../core/metrics/index.ts';
import { originOf } from '../core/origin.ts';
import { dealt } from '../core/shards.ts';
import type { Build, CompareResult, ExperimentPlan, PlacedRun, StopReason } from '../model/comparison.ts';
import type { CompareReport } from '../model/report.ts';
import type { HostResult } from '../model/result.ts';
import type { CompareSettings } from '../model/settings.ts';
import type { Shard } from '../model/shard.ts';
import { microBenchmark } from '../shell/host/micro-benchmark.ts';
import { openStore, type Store } from '../shell/store.ts';
import { budgetsOf } from './budgets.ts';
import { BUILDS, type OpenBuilds, openBuilds, perBuild, readyBuilds } from './builds.ts';
import { exitOf, problemsOf } from './compare-answer.ts';
import {
  blockIndex,
  type CompareJob,
  countedRuns,
  evaluateAt,
  lastLook,
  mostPairs,
  resultOf,
  type Share,
  sidesOf,
} from './compare-job.ts';
import { inspectBuilds } from './compare-lighthouse.ts';
import { compareReport, writeReports } from './compare-result.ts';
import {
  type ComparedBlock,
  type ComparedRun,
  forget,
  readStored,
  type SideState,
  type StoredComparison,
  storeBlock,
  storeHead,
} from './compare-state.ts';
import { gatherEvidence } from './evidence.ts';
import { writeHar } from './har-file.ts';
import {
  browserOf,
  defaultFolder,
  type JobHooks,
  type JobOutcome,
  linesOf,
  openLabs,
  policyOf,
  problemOf,
} from './job.ts';
import { eraserOf, labSettingsOf, loadOptionsOf, redactorOf } from './load-options.ts';
import { createReach } from './reach.ts';
import { findRefs } from './ref-builds.ts';
import { redactDeep } from './report-model.ts';
import { type FinishedRun, finishRun, loadRun, type PlannedRun, type RunContext } from './run.ts';
import { openScript } from './script.ts';
import { commonSeed, placeOf, shareOf } from './share.ts';

/** What a caller of `compare` may hook into. */
export interface CompareHooks extends JobHooks<CompareSettings> {
  /** Times a fixed piece of work, ms; the machine's own when absent. */
  microBenchmark?(): number;
}

/** What a comparison leaves behind. */
export type CompareOutcome = JobOutcome<CompareResult, CompareReport>;

/** How often one load is repeated because of the host, at most; a host that is busy for longer is a finding. */
const REPEATS_OF_A_LOAD = 2;
/** Share of the planned loads that may be repeated because of the host. */
const REPEATED_SHARE = 0.25;
/** So many blocks in a row that fail: the next ones will, too. */
const FAILING_BLOCKS = 5;
/** More blocks than this that failed, beyond those that did not: too few comparisons are left of too much time. */
const FAILED_BEYOND_KEPT = 2;

/**
 * Loads two builds in interleaved blocks until every gate metric has an answer, and writes reports; results are on disk
 * after every block. Rejects with a `UsageError` when nothing could be begun.
 */
export async function compare(settings: CompareSettings, hooks: CompareHooks = {}): Promise<CompareOutcome> {
  return run(settings, hooks, false);
}

/** Compares a page with itself: it must say "same", and shows what this machine can resolve. */
export async function compareWithItself(settings: CompareSettings, hooks: CompareHooks = {}): Promise<CompareOutcome> {
  return run(settings, hooks, true);
}

async function run(settings: CompareSettings, hooks: CompareHooks, withItself: boolean): Promise<CompareOutcome> {
  const { job, asked, tidy } = await prepare(settings, hooks, withItself);
  let builds: OpenBuilds | undefined;
  try {
    builds = await openBuilds(job.targets, job.sides.base?.url);
    for (const build of BUILDS) {
      const { name } = job.targets[build];
      if (builds.urls[build] !== name) job.tell({ kind: 'serving', target: name, url: builds.urls[build] });
    }
    if (job.script?.measures) {
      job.tell({
        kind: 'comparison-note',
        message: 'of the script, before() is run before each load; its steps are not measured in comparisons',
      });
    }
    job.stopped = (await prove(builds, asked, job)) ?? (await measure(builds, job));
    await inspect(builds, job);
  } catch (error) {
    // The browser did not come up again, or the disk is full: what was measured stands.
    job.problems.push(problemOf(error));
    job.stopped = 'broken';
  } finally {
    await job.labs.close();
    await builds?.close();
    await tidy();
  }
  return conclude(asked, job);
}

/** Lighthouse at the end: what it cannot do takes nothing away from the comparison. */
async function inspect(builds: OpenBuilds, job: CompareJob): Promise<void> {
  if (job.stopped === 'interrupted' || job.stopped === 'not-measurable') return;
  try {
    const inspected = await inspectBuilds(builds, job);
    if (inspected) job.inspected = inspected;
  } catch (error) {
    job.problems.push(problemOf(error));
  }
}

type Asked = Readonly<Record<string, unknown>>;

async function prepare(
  settings: CompareSettings,
  hooks: CompareHooks,
  withItself: boolean,
): Promise<{ job: CompareJob; asked: Asked; tidy: () => Promise<void> }> {
  const named = (await findRefs(settings)) ?? (await readyBuilds(settings, withItself));
  const eraser = eraserOf(settings);
  const tell: CompareJob['tell'] = (event) => hooks.onProgress?.(redactDeep(event, eraser));
  const shard = withItself ? undefined : shareOf(settings, (message) => tell({ kind: 'comparison-note', message }));
  const policy = policyOf(settings);
  const options = loadOptionsOf(settings);
  const budgets = budgetsOf(settings);
  const script = await openScript(settings);
  const plan = planFor(settings, shard);
  const share = shard && shareOfPlan(plan, shard, settings);
  const now = new Date();
  if (settings.resume && settings.out === undefined) {
    throw new UsageError('option-invalid', { option: '--resume', detail: 'needs --out with the folder to go on in' });
  }
  const reach = createReach(settings, (message) => tell({ kind: 'comparison-note', message }));
  await reach.expect(named.places);
  const labs = await openLabs(settings, hooks, (lab) => {
    job.browser = browserOf(lab);
    reach.found(lab);
  });
  const folder = settings.out ?? defaultFolder(`${named.slugs.base}-${named.slugs.candidate}`, now);
  const store = await openStore(path.resolve(folder));
  const { evidence, ablation } = settings;
  const { seed, ...design } = plan;
  const asked = redactDeep(
    {
      base: settings.targets[0],
      candidate: settings.targets[1],
      ...policy,
      ...labSettingsOf(settings),
      evidence,
      ablation,
      ...design,
      ...(shard && { shard }),
      ...(settings.seed !== undefined && { seed }),
    },
    redactorOf(settings),
  );
  const stored = await storedFor(settings, asked, store, shard);
  const blocks = [...(stored?.blocks ?? [])];
  const signal = hooks.signal ?? new AbortController().signal;
  // Takes minutes, where there is something to build: all that could be refused has been by now.
  const { targets, close: tidy } = await named.make({ signal, tell }).catch(async (error: unknown) => {
    // Nobody asked for a folder of this name; what is in one is not removed.
    if (settings.out === undefined) await rmdir(store.folder).catch(() => undefined);
    throw error;
  });
  const job: CompareJob = {
    settings,
    policy,
    options,
    budgets,
    ...(script && { script }),
    targets,
    sources: named.sources,
    store,
    labs,
    signal,
    startedAt: stored ? new Date(stored.head.startedAt) : now,
    files: new Set(),
    problems: [],
    ...(share && { share }),
    plan: stored?.head.plan ?? plan,
    browser: stored?.head.browser ?? { product: 'none' },
    sides: { ...stored?.head.sides },
    blocks,
    partial: [],
    repeated: blocks.flatMap(({ runs }) => runs.flatMap(({ run: each }) => each.repeatedBecause ?? [])).length,
    loaded: new Map(),
    extraLooks: [...(stored?.head.extraLooks ?? [])],
    stopped: 'broken',
    tell,
    microBenchmark: hooks.microBenchmark ?? microBenchmark,
  };
  return { job, asked, tidy };
}

/** Everything is fixed before the first load; a plan that cannot be is refused. Shards are looked at once, at the end. */
function planFor(settings: CompareSettings, shard: Shard | undefined): ExperimentPlan {
  const gates = settings.gate.map((text) => {
    const metric = metricNamed(text);
    if (metric) return metric.name;
    throw new UsageError('metric-unknown', { detail: text, suggestion: metrics.map(({ name }) => name).join(', ') });
  });
  const minEffect = parseMinEffect(settings.minEffect);
  if ('problem' in minEffect) throw new UsageError('option-invalid', minEffect.problem);
  const seed =
    settings.seed ?? (shard ? commonSeed([settings.baseRef ?? settings.targets, gates]) : randomInt(2 ** 32));
  const plan = planExperiment({ ...settings, minEffect, gates, seed });
  if ('problem' in plan) throw new UsageError('option-invalid', plan.problem);
  return shard ? { ...plan, looks: plan.looks.slice(-1) } : plan;
}

/** A shard's part of all blocks. */
function shareOfPlan(plan: ExperimentPlan, shard: Shard, settings: CompareSettings): Share {
  const pairs = plan.looks.at(-1) ?? 0;
  const all = Array.from({ length: pairs / PAIRS_PER_BLOCK }, (_, n) => blockIndex(n));
  const own = dealt(all, shard);
  // Also for the shards that would have something to do: one that fails fails the whole comparison.
  if (all.length < shard.of) {
    throw new UsageError('option-invalid', {
      option: '--shard',
      detail: `${pairs} pairs are ${all.length} blocks of loads, too few for ${shard.of} shards: use fewer, or more pairs (--max-pairs)`,
    });
  }
  return { place: placeOf(shard, plan, all.length, settings), pairs: own.length * PAIRS_PER_BLOCK };
}

/** What is to be gone on with. An interrupted comparison is neither lost by accident nor mixed with another. */
async function storedFor(
  { resume }: CompareSettings,
  asked: Asked,
  store: Store,
  shard: Shard | undefined,
): Promise<StoredComparison | undefined> {
  const stored = await readStored(store, (n) => blockIndex(n, shard));
  if (!stored) {
    if (resume) throw new UsageError('resume-nothing', { path: store.folder });
    return undefined;
  }
  if (!resume) {
    const loads = stored.blocks.reduce((sum, { runs }) => sum + runs.length, 0);
    throw new UsageError('resume-waiting', { path: store.folder, detail: `${loads} loads` });
  }
  for (const [name, value] of Object.entries(asked)) {
    if (
      JSON.stringify(stored.head.asked[name]) !== JSON.stringify(value) &&
      (name !== 'seed' || value !== stored.head.plan.seed)
    ) {
      throw new UsageError('resume-other', { path: store.folder, detail: name });
    }
  }
  return stored;
}

// --- Before the first block ---------------------------------------------------------------------------------------

/**
 * Loads each build untimed: it warms up the server, the operating system and the browser, and it shows what is
 * background, for both builds alike. Gives a reason to stop when a build cannot be measured.
 */
async function prove(builds: OpenBuilds, asked: Asked, job: CompareJob): Promise<StopReason | undefined> {
  if (sidesOf(job)) {
    job.tell({ kind: 'comparison-note', message: `going on after ${job.blocks.length} blocks` });
    for (const build of BUILDS) move(build, builds.urls[build], job);
    return undefined;
  }
  for (const build of BUILDS) {
    let side = await proveBuild(build, builds, job);
    // A build that fails now and then fails now and then; what never works fails twice.
    if (side && !works(side) && !job.signal.aborted) side = await proveBuild(build, builds, job);
    if (side) job.sides[build] = side;
    if (!side || !works(side)) return job.signal.aborted ? 'interrupted' : 'not-measurable';
  }
  share(job);
  const measured = (gate: string) =>
    BUILDS.some((build) => job.sides[build]?.untimed.some(({ metrics: values }) => values?.[gate] !== undefined));
  const gates = job.plan.gates.filter(measured);
  const missing = job.plan.gates.filter((gate) => !gates.includes(gate));
  if (gates.length > 0 && missing.length > 0) {
    const titles = missing.map((gate) => metrics.find(({ name }) => name === gate)?.title ?? gate);
    job.tell({
      kind: 'comparison-note',
      message: `not measured on these pages, so it does not decide: ${titles.join(', ')}`,
    });
    job.plan = { ...job.plan, gates };
  }
  await saveHead(asked, job);
  for (const { message } of pageDifferencesOf(resultOf('base', job), resultOf('candidate', job))) {
    job.tell({ kind: 'comparison-note', message });
  }
  return undefined;
}

/** A folder may be served at another port than before the interruption. */
function move(build: Build, to: string, job: CompareJob): void {
  const side = job.sides[build];
  if (!side || side.url === to) return;
  const [from, origin] = [originOf(side.url), originOf(to)];
  job.sides[build] = {
    ...side,
    url: to,
    learnt: moveLessons(side.learnt, side.url, to),
    ...(side.held && { held: side.held.map((pattern) => pattern.replace(`${from}/`, `${origin}/`)) }),
  };
}

function works({ untimed }: SideState): boolean {
  return untimed.some(({ ok }) => ok);
}

async function proveBuild(build: Build, builds: OpenBuilds, job: CompareJob): Promise<SideState | undefined> {
  const { evidence, ablation } = job.settings;
  const url = builds.urls[build];
  const context = contextOf(build, url, job);
  const load = async (planned: PlannedRun): Promise<FinishedRun | undefined> => {
    await builds.use(build);
    const done = await loadRun(planned, context);
    if (done) tellOf(done, build, job);
    return done;
  };
  const surroundings = {
    policy: job.policy,
    ablation,
    ablationIndex: 0,
    load,
    write: async (name: string, content: Uint8Array) => void job.files.add(await job.store.write(name, content)),
  };
  const discarded = async () => {
    const done = await load({ index: 0, role: 'discarded', policy: job.policy });
    return done && { learnt: [], thumbnails: {}, runs: [done.loaded] };
  };
  const proof = evidence ? await gatherEvidence(surroundings) : await discarded();
  if (!proof) return undefined;
  const untimed: FinishedRun[] = [];
  for (const loaded of proof.runs) {
    const done = finishRun(loaded, proof.learnt);
    untimed.push(await saveHar(done, `${build}-${done.run.role}.har`, job));
  }
  const page = untimed.findLast(({ visit }) => visit?.recording.page)?.visit?.recording.page;
  return {
    url,
    ...(page && { title: page.title, finalUrl: page.finalUrl }),
    learnt: proof.learnt,
    ...('evidence' in proof && proof.evidence && { evidence: proof.evidence }),
    ...('held' in proof && proof.held && { held: proof.held }),
    thumbnails: proof.thumbnails,
    untimed: untimed.map(({ run }) => run),
  };
}

/** What is background in one build is background in the other: both are judged with what both have taught. */
function share(job: CompareJob): void {
  const sides = sidesOf(job);
  if (!sides) return;
  const { base, candidate } = sides;
  const shared = shareLessons(
    { learnt: base.learnt, pageUrl: pageUrlOf(base) },
    { learnt: candidate.learnt, pageUrl: pageUrlOf(candidate) },
  );
  for (const build of BUILDS) job.sides[build] = { ...sides[build], learnt: shared[build] };
}

/** Where a build's page is in the end. */
function pageUrlOf({ finalUrl, url }: SideState): string {
  return finalUrl ?? url;
}

// --- Blocks -------------------------------------------------------------------------------------------------------

async function measure(builds: OpenBuilds, job: CompareJob): Promise<StopReason> {
  for (;;) {
    const reason = reasonToStop(job);
    if (reason) return reason;
    const block = await loadBlock(blockIndex(job.blocks.length, job.share?.place), builds, job);
    if (!block) return 'interrupted';
    job.blocks.push(block);
    await saveBlock(block, job);
    await writeReports(job, ['json']);
    if (block.dropped !== undefined) {
      job.tell({ kind: 'comparison-note', message: `block ${block.index} does not count: ${block.dropped}` });
    }
  }
}

/** Told after every block, decided only at looks. */
function reasonToStop(job: CompareJob): StopReason | undefined {
  if (job.signal.aborted) return 'interrupted';
  const kept = job.blocks.filter(({ dropped }) => dropped === undefined).length;
  const failed = job.blocks.length - kept;
  const row = job.blocks.length - 1 - job.blocks.findLastIndex(({ dropped }) => dropped === undefined);
  if (row >= FAILING_BLOCKS || failed > kept + FAILED_BEYOND_KEPT) return 'too-many-failures';
  if (kept === 0) return undefined;
  const pairs = kept * PAIRS_PER_BLOCK;
  const isLook = job.plan.looks.includes(pairs);
  const evaluation = evaluateAt(pairs, false, job);
  tellLook(evaluation, pairs, isLook, job);
  const gates = evaluation.comparisons.filter(({ gate }) => gate);
  // A metric that no pair has is not waited for; without any, there is nothing to decide with.
  const measurable = gates.filter(({ base, candidate }) => base.n > 0 && candidate.n > 0);
  if (measurable.length === 0) return 'not-measurable';
  if (isLook && measurable.every(({ decision }) => decision !== 'unsure')) return 'decided';
  if (pairs < mostPairs(job)) return undefined;
  return job.share ? 'share' : 'max-pairs';
}

/** Four loads in random order. A load that fails twice takes its block with it. Undefined when the user ended it. */
async function loadBlock(index: number, builds: OpenBuilds, job: CompareJob): Promise<ComparedBlock | undefined> {
  const runs: ComparedRun[] = [];
  for (const [order, build] of blockOrder(job.plan.seed, index).entries()) {
    const place = { build, block: index, order };
    const done = await loadPlaced(place, builds, job);
    if (!done) {
      job.partial = without(runs, 'the comparison was ended in its block');
      return undefined;
    }
    runs.push(done);
    const { ok, failure } = done.run;
    if (ok) continue;
    const dropped = `load ${order + 1}, of the ${build}, failed twice: ${failure?.message}`;
    return { index, runs: without(runs, dropped), dropped };
  }
  return { index, runs };
}

function without(runs: readonly ComparedRun[], excluded: string): readonly ComparedRun[] {
  return runs.map((each) => ({ ...each, run: { ...each.run, excluded } }));
}

type Place = Pick<PlacedRun, 'build' | 'block' | 'order'>;

/** One load in its place, repeated while the host was not fit: that says nothing of the build. */
async function loadPlaced(place: Place, builds: OpenBuilds, job: CompareJob): Promise<ComparedRun | undefined> {
  const { build } = place;
  const context = contextOf(build, builds.urls[build], job);
  const learnt = job.sides[build]?.learnt ?? [];
  const planned: PlannedRun = {
    index: nextIndex(build, place, job),
    role: 'timed',
    policy: { ...job.policy, ...(learnt.length > 0 && { learnt }) },
  };
  const repeatedBecause: string[] = [];
  for (;;) {
    if (job.signal.aborted) return undefined;
    // What this machine can do says nothing of another one that loads the page.
    const worked = (await job.labs.lab()).elsewhere ? undefined : job.microBenchmark();
    await builds.use(build);
    const loaded = await loadRun(planned, context);
    if (!loaded) return undefined;
    const unfit = loaded.run.host?.verdict === 'unfit' ? loaded.run.host.reasons.join(', ') : undefined;
    if (
      unfit !== undefined &&
      repeatedBecause.length < REPEATS_OF_A_LOAD &&
      job.repeated < REPEATED_SHARE * 2 * mostPairs(job)
    ) {
      repeatedBecause.push(unfit);
      job.repeated += 1;
      const { index, role } = planned;
      job.tell({ kind: 'run-retried', target: context.target, index, of: context.of, role, because: unfit });
      continue;
    }
    const done = await saveHar(loaded, `${build}-run-${planned.index}.har`, job);
    tellOf(done, build, job, place.block);
    job.loaded.set(keyOf(build, planned.index), done);
    return comparedRun(done, { ...place, ...(worked !== undefined && { microBenchmark: worked }), repeatedBecause });
  }
}

/** By build from 1, whatever counts; stored runs have their numbers already. */
function nextIndex(build: Build, { block, order }: Place, job: CompareJob): number {
  const before = job.blocks.flatMap(({ runs }) => runs).filter(({ run }) => run.build === build).length;
  const inBlock = blockOrder(job.plan.seed, block)
    .slice(0, order)
    .filter((each) => each === build).length;
  return before + inBlock + 1;
}

function comparedRun(
  { run, visit, waterfall }: FinishedRun,
  placed: Place & { readonly microBenchmark?: number; readonly repeatedBecause: readonly string[] },
): ComparedRun {
  const { microBenchmark: worked, repeatedBecause, ...place } = placed;
  const host: HostResult | undefined = run.host && {
    ...run.host,
    ...(worked !== undefined && { microBenchmark: worked }),
  };
  return {
    run: {
      ...run,
      ...place,
      ...(host && { host }),
      ...(repeatedBecause.length > 0 && { repeatedBecause }),
    },
    ...(waterfall && { waterfall }),
    inventory: visit ? inventoryOf(visit) : [],
  };
}

function contextOf(build: Build, url: string, job: CompareJob): RunContext {
  return {
    target: build,
    url,
    of: mostPairs(job),
    content: job.settings.harContent,
    options: job.options,
    ...(job.script && { script: job.script }),
    build,
    signal: job.signal,
    // Whatever failed once may be an accident; what fails twice is told.
    retry: ({ message }) => message,
    lab: () => job.labs.lab(),
    tell: job.tell,
  };
}

function tellOf({ run }: FinishedRun, build: Build, job: CompareJob, block?: number): void {
  const told = { ...run, build, ...(block !== undefined && { block }) };
  job.tell({ kind: 'run-finished', target: build, index: run.index, of: mostPairs(job), run: told });
}

function keyOf(build: Build, index: number): string {
  return `${build} ${index}`;
}

function saveHar(done: FinishedRun, name: string, job: CompareJob): Promise<FinishedRun> {
  return writeHar(done, name, { ...job, wrote: (file) => job.files.add(file) });
}

async function saveHead(asked: Asked, job: CompareJob): Promise<void> {
  const known = sidesOf(job);
  if (!known) return;
  const sides = perBuild((build) => {
    const { thumbnails, ...side } = known[build];
    // Pictures hold no text that could be redacted, and are long.
    return { ...redactDeep(side, redactorOf(job.settings)), thumbnails };
  });
  const { plan, browser, extraLooks } = job;
  await storeHead(job.store, { startedAt: job.startedAt.toISOString(), browser, asked, plan, sides, extraLooks });
}

async function saveBlock(block: ComparedBlock, job: CompareJob): Promise<void> {
  await storeBlock(job.store, redactDeep(block, redactorOf(job.settings)));
}

// --- Answers ------------------------------------------------------------------------------------------------------

function tellLook({ comparisons }: Evaluation, pairs: number, isLook: boolean, job: CompareJob): void {
  const gates = comparisons.filter(({ gate }) => gate);
  // Of a share nothing is decided here.
  const nextLook = job.share ? undefined : job.plan.looks.find((look) => look > pairs);
  const needed = gates.flatMap(({ pairsToSettle }) => pairsToSettle ?? []);
  const expected = Math.max(pairs, ...needed);
  job.tell({
    kind: 'comparison-progress',
    pairs,
    maxPairs: mostPairs(job),
    ...(nextLook !== undefined && { nextLook }),
    ...(needed.length > 0 &&
      !job.share && {
        expectedPairs: (job.plan.looks.find((look) => look >= expected) ?? lastLook(job)) - pairs,
      }),
    gates: gates.map(({ metric, unit, scale, difference, decision }) => ({
      metric,
      title: metrics.find(({ name }) => name === metric)?.title ?? metric,
      scale,
      unit,
      ...(difference && { estimate: difference.relative ?? difference.absolute }),
      ...(difference?.low !== undefined && { low: difference.low }),
      ...(difference?.high !== undefined && { high: difference.high }),
      ...(isLook && { decision }),
    })),
  });
}

/**
 * An endpoint is background in all runs or in none, in both builds. What one run saw and another did not is put to the
 * vote of all that were loaded in this session; of runs from before an interruption only the figures are left.
 */
async function settle(job: CompareJob): Promise<void> {
  const compared = job.blocks.flatMap(({ runs }) => runs);
  if (compared.some(({ run }) => run.ok && !job.loaded.has(keyOf(run.build, run.index)))) return;
  const sides = sidesOf(job);
  if (!sides) return;
  const { base, candidate } = sides;
  const visits = compared.flatMap(({ run }) => {
    const visit = job.loaded.get(keyOf(run.build, run.index))?.visit;
    if (!visit) return [];
    return run.build === 'base' ? visit : visitAt(pageUrlOf(base), visit, pageUrlOf(candidate));
  });
  const agreed = agree(visits, base.learnt);
  if (agreed.length === base.learnt.length) return;
  job.sides.base = { ...base, learnt: agreed };
  share(job);
  for (const [position, block] of job.blocks.entries()) {
    const runs: ComparedRun[] = [];
    for (const each of block.runs) runs.push(await judgeAgain(each, job));
    job.blocks[position] = { ...block, runs };
  }
}

async function judgeAgain(compared: ComparedRun, job: CompareJob): Promise<ComparedRun> {
  const { build, block, order, index, repeatedBecause = [], excluded, host } = compared.run;
  const before = job.loaded.get(keyOf(build, index));
  if (!before?.visit) return compared;
  const again = finishRun(before.loaded, job.sides[build]?.learnt ?? []);
  const done = await saveHar(again, `${build}-run-${index}.har`, job);
  const worked = host?.microBenchmark;
  const next = comparedRun(done, {
    build,
    block,
    order,
    repeatedBecause,
    ...(worked !== undefined && { microBenchmark: worked }),
  });
  return excluded === undefined ? next : { ...next, run: { ...next.run, excluded } };
}

/** Of a work tree that was built nobody knows whether it is still the same the next time. */
function isResumable(job: CompareJob): boolean {
  return sidesOf(job) !== undefined && job.settings.baseRef === undefined;
}

async function conclude(asked: Asked, job: CompareJob): Promise<CompareOutcome> {
  const pairs = countedRuns(job).length / 2;
  const over = job.stopped !== 'interrupted' && job.stopped !== 'broken';
  let report: CompareReport | undefined;
  try {
    await settle(job);
    if (!over) {
      // Whoever reads the report has looked at the intervals.
      if (pairs > 0 && !job.plan.looks.includes(pairs)) job.extraLooks.push(pairs);
      await saveHead(asked, job);
      for (const block of job.blocks) await saveBlock(block, job);
    }
    report = await writeReports(job);
    // Only now: what could not be written down can still be gone on with.
    if (over || !isResumable(job)) await forget(job.store);
  } catch (error) {
    job.problems.push(problemOf(error));
  }
  report ??= compareReport(job);
  const files = [...job.files];
  job.tell({ kind: 'written', files });
  const problems = [...job.problems, ...problemsOf(report.result)];
  if (job.signal.aborted) {
    const resumable = isResumable(job) ? { suggestion: `the same command and --out ${job.store.folder} --resume` } : {};
    problems.push({ code: 'interrupted', message: messageFor('interrupted', resumable) });
  }
  return {
    result: report.result,
    report,
    out: job.store.folder,
    files,
    exit: exitOf(report.result, job.problems, job.signal.aborted),
    problems: redactDeep(linesOf(problems), eraserOf(job.settings)),
  };
}
