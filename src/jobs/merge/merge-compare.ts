import type { MeasuredRun } from '../../core/changes/changes.ts';
import { isCounted } from '../../core/counted-runs.ts';
import { PAIRS_PER_BLOCK } from '../../core/experiment/blocks.ts';
import { evaluate } from '../../core/experiment/evaluate.ts';
import { planExperiment } from '../../core/experiment/plan.ts';
import { disagreements } from '../../core/merge/agreement.ts';
import { joinLighthouse } from '../../core/merge/lighthouse.ts';
import { machinesOf } from '../../core/merge/machines.ts';
import { busyNote, versionNote } from '../../core/merge/merge-notes.ts';
import {
  atHome,
  type ComparisonShard,
  type JoinedRun,
  type JoinedRuns,
  joinRuns,
  rulesOf,
  shardRunsProblem,
} from '../../core/merge/placed-runs.ts';
import { figureOf } from '../../core/metrics/figure.ts';
import { metricTitle } from '../../core/metrics/index.ts';
import { metricsWith } from '../../core/metrics/own/index.ts';
import { shareSize } from '../../core/shards.ts';
import { defined } from '../../core/text/defined.ts';
import type { Budget } from '../../model/budgets.ts';
import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { CompareResult, Design, ExperimentPlan, PlacedRun } from '../../model/compare/comparison.ts';
import type { Metric } from '../../model/network/visit.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { MergeNote } from '../../model/shards/merge-note.ts';
import { parseMinEffect } from '../../settings/min-effect.ts';
import { budgets } from '../../settings/options/measuring.ts';
import { withSentences } from '../../wording/compare/comparison.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { planProblemInWords } from '../../wording/messages/plan-problems.ts';
import { stopOf } from '../../wording/shards/endings.ts';
import { rosterOf, type ShardSummary } from '../../wording/shards/summaries.ts';
import { plain } from '../../wording/text/text.ts';
import { perBuild } from '../compare/builds.ts';
import { answerOf, exitOf, problemsOf } from '../compare/compare-exit.ts';
import { withBudgets } from '../engine/budgets.ts';
import { resultHeader } from '../engine/job.ts';
import { type Problem, problem, shownProblems } from '../engine/problem.ts';
import { targetOf } from '../engine/result/target-result.ts';
import { version } from '../engine/version.ts';
import { reportComparison } from '../report/report.ts';
import { mergedFiles } from './merge-files.ts';
import { asStored, type MergeJob, type MergeOutcome } from './merge-job.ts';
import type { FoundShard, FoundShards } from './merge-shards.ts';
import { readShardFile, type ShardInventories } from './shard-file.ts';

/** A shard of a comparison with all that is read of it. */
interface Shard extends ComparisonShard {
  readonly found: FoundShard;
  /** Blocks that count. */
  readonly brought: number;
  /** Blocks that it was to bring. */
  readonly share: number;
  readonly rules: string;
  readonly inventories?: ShardInventories;
}

/** Joins shards of a comparison: one look at all pairs that came, machines being strata. Rejects with a `QuiesceError`. */
export async function mergeComparison({ shards: found, notes }: FoundShards, job: MergeJob): Promise<MergeOutcome> {
  const shards = await readShards(found);
  const plan = planOf(found[0]);
  const files = mergedFiles(job.out);
  try {
    const brought: Shard[] = [];
    for (const shard of shards) {
      job.signal.throwIfAborted();
      brought.push(await withFiles(shard, shards, files));
    }
    const whole = joined(brought, plan, notes, job);
    const exit = exitOf(whole, job.failOn);
    const result = { ...whole, exit };
    const again = await reportComparison(result, asStored(job));
    const problems = [...lostProblems(result), ...problemsOf(result, job.failOn)];
    return {
      ...again,
      files: [...files.files(), ...again.files],
      exit,
      problems: shownProblems(problems, { text: plain }),
    };
  } catch (error) {
    await files.undo();
    throw error;
  }
}

// --- Reading ------------------------------------------------------------------------------------------------------

async function readShards(found: readonly FoundShard[]): Promise<readonly Shard[]> {
  const results = found.map(({ result }) => result as CompareResult);
  const rules = results.map(rulesOf);
  const machines = machinesOf(found.map(({ header: { place } }, i) => ({ place, rules: rules[i] ?? '' })));
  const shards: Shard[] = [];
  for (const [i, each] of found.entries()) {
    const result = results[i];
    if (result === undefined) continue;
    const { index, of, total } = each.header.place;
    const share = shareSize({ index, of }, total);
    const detail = shardRunsProblem({ index, of, result }, share);
    if (detail) throw new QuiesceError('result-broken', { path: each.found.name, detail });
    const counted = result.base.runs.filter(isCounted).length;
    const inventories = await readShardFile(each.folder);
    shards.push({
      found: each,
      index,
      of,
      machine: machines[i] ?? index,
      result,
      share,
      brought: counted / PAIRS_PER_BLOCK,
      rules: rules[i] ?? '',
      inventories,
    });
  }
  return shards;
}

/** What was fixed before the first load; its looks are those that were planned, of which there is one. */
function planOf({ found, result, header: { place } }: FoundShard): ExperimentPlan {
  const { design, settings } = result as CompareResult;
  const broken = (detail: string) => new QuiesceError('result-broken', { path: found.name, detail });
  const minEffect = parseMinEffect(typeof settings.minEffect === 'string' ? settings.minEffect : '');
  if ('problem' in minEffect) throw broken('settings.minEffect');
  const planned = place.total * PAIRS_PER_BLOCK;
  const plan = planExperiment({
    maxPairs: planned,
    looks: [planned],
    alpha: design.alpha,
    minEffect,
    gates: gatesIn(result),
    strict: settings.strict === true,
    seed: design.seed,
  });
  if ('problem' in plan) throw broken(`its plan: ${planProblemInWords(plan.problem)}`);
  return plan;
}

function gatesIn({ settings: { gate } }: Pick<CompareResult, 'settings'>): readonly string[] {
  return Array.isArray(gate) ? gate.filter((each) => typeof each === 'string') : [];
}

/** The same shard, its files placed in the merged folder. Evidence is that of the first shard that has some. */
async function withFiles(
  shard: Shard,
  shards: readonly Shard[],
  files: ReturnType<typeof mergedFiles>,
): Promise<Shard> {
  const { result, found, index } = shard;
  const place = (build: Build) => {
    const { evidence, mainThread, coverage, ...rest } = result[build];
    const isShown = shards.find((each) => each.result[build].evidence)?.index === index;
    const proof = isShown ? { evidence, mainThread, coverage } : {};
    return files.place({ ...rest, ...proof }, found.folder, `shard-${index}-`);
  };
  const [base, candidate] = [await place('base'), await place('candidate')];
  return { ...shard, result: { ...result, base, candidate } };
}

// --- Joining ------------------------------------------------------------------------------------------------------

function joined(
  shards: readonly Shard[],
  planned: ExperimentPlan,
  notes: readonly MergeNote[],
  job: MergeJob,
): CompareResult {
  const [first] = shards;
  // The addresses of one that has measured something: another may not even have served the pages.
  const home = shards.find(({ brought }) => brought > 0) ?? first;
  if (home === undefined) throw new QuiesceError('merge-missing');
  const all = joinRuns(shards, home);
  const counted = all.timed.filter(({ run }) => isCounted(run));
  const runs = counted.map(({ run }) => run);
  const metrics = metricsWith(home.result.candidate.ownMetrics);
  const { plan, left } = withGates(planned, shards, runs, metrics);
  const { comparisons, looksTaken } = evaluated(runs, plan, metrics);
  const { base, candidate, lighthouse } = buildsOf(shards, home, all);
  const measured = perBuild((build) => measuredIn(build, counted, home));
  const remarks: readonly MergeNote[] = [
    ...notes,
    ...left,
    ...disagreements(comparisons, runs).map((each) => ({ code: 'machines-disagree' as const, ...each })),
    ...busyNote(counted),
    ...rulesNote(shards),
    ...inventoryNote(shards),
    ...versionNote(home.found.header.tool.version, version()),
  ];
  const merged = rosterOf(shards.map(summaryOf), 'block', remarks);
  const { shard: _shard, out: _out, ...settings } = home.result.settings;
  const { source, browser } = home.result;
  return {
    ...resultHeader(new Date(Math.min(...shards.map(({ result }) => Date.parse(result.startedAt))))),
    kind: 'compare',
    browser,
    settings: { ...settings, gate: plan.gates, format: job.formats },
    ...defined({ source }),
    merged,
    base,
    candidate,
    design: designOf(shards, plan, merged.missing, looksTaken),
    ...answerOf({ base, candidate, runs, comparisons, measured, header: { settings, source } }),
    ...defined({ lighthouse }),
  };
}

/** The one look that is taken: at all pairs that came, with all of α, for no other was taken before. */
function evaluated(
  runs: readonly PlacedRun[],
  plan: ExperimentPlan,
  metrics: readonly Metric[],
): Pick<CompareResult, 'comparisons'> & Pick<Design, 'looksTaken'> {
  const pairs = runs.length / 2;
  if (pairs === 0) return { comparisons: [], looksTaken: [] };
  const look = { runs, plan: { ...plan, looks: [pairs] }, metrics, looksTaken: [pairs] };
  const { comparisons, criticalValue } = evaluate(look);
  return {
    comparisons: withSentences(comparisons, metricTitle),
    looksTaken: criticalValue === undefined ? [] : [{ pairs, criticalValue }],
  };
}

/** Both builds with the runs of all shards. */
function buildsOf(
  shards: readonly Shard[],
  home: Shard,
  { timed, untimed }: JoinedRuns,
): PerBuild<TargetResult> & Pick<CompareResult, 'lighthouse'> {
  const targets = perBuild((build) =>
    targetFor(build, home, [
      ...untimed.filter((each) => each.build === build),
      ...timed.filter(({ run }) => run.build === build),
    ]),
  );
  const joinedLighthouse = joinLighthouse(
    shards.map(({ machine, result: { base, candidate } }) => ({
      machine,
      base: base.lighthouse,
      candidate: candidate.lighthouse,
    })),
    perBuild((build) => targets[build].summary.pageComplete?.median),
  );
  const inspected = (build: Build): TargetResult => {
    const lighthouse = joinedLighthouse?.[build];
    return { ...targets[build], lighthouse };
  };
  return {
    base: inspected('base'),
    candidate: withBudgets(inspected('candidate'), budgetsIn(home)),
    lighthouse: joinedLighthouse?.comparisons,
  };
}

function designOf(
  shards: readonly Shard[],
  plan: ExperimentPlan,
  missing: readonly number[],
  looksTaken: Design['looksTaken'],
): Design {
  const blocks = shards.reduce((sum, { brought }) => sum + brought, 0);
  const pairs = blocks * PAIRS_PER_BLOCK;
  const ended = shards.map(({ index, result, brought, share }) => ({
    index,
    reason: brought >= share ? ('share' as const) : result.design.stoppedBecause,
  }));
  return {
    seed: plan.seed,
    blocks,
    pairs,
    looks: plan.looks,
    looksTaken,
    alpha: plan.alpha,
    dropped: shards.flatMap(({ result }) => result.design.dropped).sort((a, b) => a.block - b.block),
    repeated: shards.reduce((sum, { result }) => sum + result.design.repeated, 0),
    ...stopOf(ended, missing, pairs, plan.looks.at(-1) ?? 0),
  };
}

/** Those that any shard has decided by; one that no load has anywhere cannot decide, as in a comparison without shards. */
function withGates(
  plan: ExperimentPlan,
  shards: readonly Shard[],
  runs: readonly PlacedRun[],
  metrics: readonly Metric[],
): { readonly plan: ExperimentPlan; readonly left: readonly MergeNote[] } {
  const known: ReadonlySet<string> = new Set(metrics.map(({ name }) => name));
  const asked = [...new Set(shards.flatMap(({ result }) => gatesIn(result)))].filter((name) => known.has(name));
  const gates = asked.filter((name) => runs.some((run) => figureOf(run.metrics, name) !== undefined));
  if (gates.length === 0) return { plan, left: [] };
  const missing = asked.filter((name) => !gates.includes(name));
  return {
    plan: { ...plan, gates },
    left: missing.length === 0 ? [] : [{ code: 'gates-not-measured', metrics: missing }],
  };
}

function targetFor(build: Build, home: Shard, joinedRuns: readonly JoinedRun[]): TargetResult {
  const {
    runs: _runs,
    summary: _summary,
    representativeRun: _representativeRun,
    totals: _totals,
    background: _background,
    budgets: _budgets,
    lighthouse: _,
    ...own
  } = home.result[build];
  return targetOf({ ...own, runs: joinedRuns.map(({ run }) => run) });
}

/** Limits as the shards were given them. */
function budgetsIn({ found, result: { settings, candidate } }: Shard): readonly Budget[] {
  const read = budgets(candidate.ownMetrics ?? []).safeParse(settings.budget ?? []);
  if (read.success) return read.data;
  throw new QuiesceError('result-broken', { path: found.found.name, detail: 'settings.budget' });
}

/** What the runs asked for and found; of shards that did not keep it, nothing. */
function measuredIn(build: Build, counted: readonly JoinedRun<PlacedRun>[], home: Shard): readonly MeasuredRun[] {
  return counted.flatMap(({ run, shard, before }) => {
    if (run.build !== build) return [];
    const inventory = (shard as Shard).inventories?.[build].get(before);
    return inventory === undefined
      ? []
      : [{ inventory: atHome(inventory, build, shard, home), findings: run.findings ?? [] }];
  });
}

function summaryOf({ found, brought, rules, result }: Shard): ShardSummary {
  return { ...found.header, brought, rules, stopped: result.design.stoppedBecause };
}

// --- What a reader must know ----------------------------------------------------------------------------------------

function rulesNote(shards: readonly Shard[]): readonly MergeNote[] {
  const groups = Map.groupBy(
    shards.filter(({ brought }) => brought > 0),
    ({ rules }) => rules,
  );
  if (groups.size < 2) return [];
  return [{ code: 'unlike-rules', groups: [...groups.values()].map((group) => group.map(({ index }) => index)) }];
}

function inventoryNote(shards: readonly Shard[]): readonly MergeNote[] {
  const without = shards.filter(({ brought, inventories }) => brought > 0 && inventories === undefined);
  return without.length === 0 ? [] : [{ code: 'no-inventories', shards: without.map(({ index }) => index) }];
}

function lostProblems({ merged }: CompareResult): readonly Problem[] {
  if (merged === undefined) return [];
  const brought = merged.shards.reduce((sum, shard) => sum + shard.brought, 0);
  if (brought >= merged.total) return [];
  return [problem('merge-incomplete', { detail: merged.sentence })];
}
