import { z } from 'zod';
import type { MeasuredRun } from '../core/changes/changes.ts';
import { PAIRS_PER_BLOCK } from '../core/experiment/blocks.ts';
import { parseMinEffect } from '../core/experiment/effect.ts';
import { evaluate } from '../core/experiment/evaluate.ts';
import { planExperiment } from '../core/experiment/plan.ts';
import { disagreements } from '../core/merge/agreement.ts';
import { busyNote } from '../core/merge/busy.ts';
import { joinLighthouse } from '../core/merge/lighthouse.ts';
import {
  atHome,
  type ComparisonShard,
  counts,
  type JoinedRun,
  type JoinedRuns,
  joinRuns,
  rulesOf,
  wrongRuns,
} from '../core/merge/placed-runs.ts';
import { type Enrolled, machinesOf, numbered, rosterOf, shareSize } from '../core/merge/roster.ts';
import { stopOf, whyBlocksShort } from '../core/merge/stopping.ts';
import { messageFor, UsageError } from '../core/messages.ts';
import { metrics } from '../core/metrics/index.ts';
import type { Budget } from '../model/budget.ts';
import type { Build, CompareResult, Design, ExperimentPlan, PlacedRun } from '../model/comparison.ts';
import type { TargetResult } from '../model/result.ts';
import type { LoadSettings } from '../model/settings.ts';
import { plain } from '../report/text.ts';
import { budgetsOf, withBudgets } from './budgets.ts';
import { type PerBuild, perBuild } from './builds.ts';
import { answerOf, exitOf, problemsOf } from './compare-answer.ts';
import { linesOf, type Problem, resultHeader } from './job.ts';
import { mergedFiles } from './merge-files.ts';
import { asReported, type MergeJob, type MergeOutcome } from './merge-job.ts';
import type { FoundShard, FoundShards } from './merge-shards.ts';
import { comparisonAgain } from './report-again.ts';
import { readShardFile, type ShardInventories } from './shard-file.ts';
import { targetOf } from './target-result.ts';

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

/** Joins shards of a comparison: one look at all pairs that came, machines being strata. Rejects with a `UsageError`. */
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
    const result = joined(brought, plan, notes, job);
    const again = await comparisonAgain(result, asReported(job));
    const problems = [...lostProblems(result), ...problemsOf(result)];
    return {
      ...again,
      files: [...files.files(), ...again.files],
      exit: exitOf(result),
      problems: linesOf(problems).map(plain),
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
    const detail = wrongRuns({ index, of, result }, share);
    if (detail !== undefined) throw new UsageError('result-broken', { path: each.found.name, detail });
    const counted = result.base.runs.filter(counts).length;
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
      ...(inventories && { inventories }),
    });
  }
  return shards;
}

/** What was fixed before the first load; its looks are those that were planned, of which there is one. */
function planOf({ found, result, header: { place } }: FoundShard): ExperimentPlan {
  const { design, settings } = result as CompareResult;
  const broken = (detail: string) => new UsageError('result-broken', { path: found.name, detail });
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
  if ('problem' in plan) throw broken(`its plan: ${plan.problem.detail}`);
  return plan;
}

function gatesIn({ settings: { gate } }: Pick<CompareResult, 'settings'>): readonly string[] {
  return Array.isArray(gate) ? gate.filter((each) => typeof each === 'string') : [];
}

/** The same shard, its files brought to the merged folder. Evidence is that of the first shard that has some. */
async function withFiles(
  shard: Shard,
  shards: readonly Shard[],
  files: ReturnType<typeof mergedFiles>,
): Promise<Shard> {
  const { result, found, index } = shard;
  const bring = (build: Build) => {
    const { evidence, ...rest } = result[build];
    const isShown = shards.find((each) => each.result[build].evidence)?.index === index;
    return files.bring({ ...rest, ...(isShown && evidence && { evidence }) }, found.folder, `shard-${index}-`);
  };
  const [base, candidate] = [await bring('base'), await bring('candidate')];
  return { ...shard, result: { ...result, base, candidate } };
}

// --- Joining ------------------------------------------------------------------------------------------------------

function joined(
  shards: readonly Shard[],
  planned: ExperimentPlan,
  notes: readonly string[],
  job: MergeJob,
): CompareResult {
  const [first] = shards;
  // The addresses of one that has measured something: another may not even have served the pages.
  const home = shards.find(({ brought }) => brought > 0) ?? first;
  if (home === undefined) throw new UsageError('merge-missing');
  const all = joinRuns(shards, home);
  const counted = all.timed.filter(({ run }) => counts(run));
  const runs = counted.map(({ run }) => run);
  const { plan, left } = withGates(planned, shards, runs);
  const { comparisons, looksTaken } = evaluated(runs, plan);
  const { base, candidate, lighthouse } = buildsOf(shards, home, all);
  const measured = perBuild((build) => measuredIn(build, counted, home));
  const remarks = [
    ...notes,
    ...left,
    ...disagreements(comparisons, runs, titleOf),
    ...busyNote(counted),
    ...rulesNote(shards),
    ...inventoryNote(shards),
    ...versionNote(home),
  ];
  const merged = rosterOf(shards.map(enrolled), 'block', remarks);
  const { shard: _shard, out: _out, ...settings } = home.result.settings;
  const { source, browser } = home.result;
  return {
    ...resultHeader(new Date(Math.min(...shards.map(({ result }) => Date.parse(result.startedAt))))),
    kind: 'compare',
    browser,
    settings: { ...settings, gate: plan.gates, format: job.settings.format },
    ...(source && { source }),
    merged,
    base,
    candidate,
    design: designOf(shards, plan, merged.missing, looksTaken),
    ...answerOf({ base, candidate, runs, comparisons, measured }),
    ...(lighthouse && { lighthouse }),
  };
}

/** The one look that is taken: at all pairs that came, with all of α, for no other was taken before. */
function evaluated(
  runs: readonly PlacedRun[],
  plan: ExperimentPlan,
): Pick<CompareResult, 'comparisons'> & Pick<Design, 'looksTaken'> {
  const pairs = runs.length / 2;
  if (pairs === 0) return { comparisons: [], looksTaken: [] };
  const look = { runs, plan: { ...plan, looks: [pairs] }, metrics, looksTaken: [pairs], final: true };
  const { comparisons, criticalValue } = evaluate(look);
  return { comparisons, looksTaken: criticalValue === undefined ? [] : [{ pairs, criticalValue }] };
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
      ...(base.lighthouse && { base: base.lighthouse }),
      ...(candidate.lighthouse && { candidate: candidate.lighthouse }),
    })),
    perBuild((build) => targets[build].summary.pageComplete?.median),
  );
  const inspected = (build: Build): TargetResult => {
    const lighthouse = joinedLighthouse?.[build];
    return { ...targets[build], ...(lighthouse && { lighthouse }) };
  };
  return {
    base: inspected('base'),
    candidate: withBudgets(inspected('candidate'), budgetsIn(home)),
    ...(joinedLighthouse && { lighthouse: joinedLighthouse.comparisons }),
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
): { readonly plan: ExperimentPlan; readonly left: readonly string[] } {
  const known = new Set(metrics.map(({ name }) => name));
  const asked = [...new Set(shards.flatMap(({ result }) => gatesIn(result)))].filter((name) => known.has(name));
  const gates = asked.filter((name) => runs.some((run) => run.metrics?.[name] !== undefined));
  if (gates.length === 0) return { plan, left: [] };
  const missing = asked.filter((name) => !gates.includes(name));
  return {
    plan: { ...plan, gates },
    left:
      missing.length === 0
        ? []
        : [`Not measured in any load, so it does not decide: ${missing.map(titleOf).join(', ')}.`],
  };
}

function titleOf(metric: string): string {
  return metrics.find(({ name }) => name === metric)?.title ?? metric;
}

function targetFor(build: Build, home: Shard, joinedRuns: readonly JoinedRun[]): TargetResult {
  const {
    runs: _runs,
    summary: _summary,
    background: _background,
    budgets: _budgets,
    lighthouse: _,
    ...own
  } = home.result[build];
  return targetOf({ ...own, runs: joinedRuns.map(({ run }) => run) });
}

/** Limits as the shards were told them. */
function budgetsIn({ found, result: { settings } }: Shard): readonly Budget[] {
  const parsed = budgetSettings.safeParse(settings.budget);
  try {
    if (parsed.success) return budgetsOf({ budget: parsed.data as NonNullable<LoadSettings['budget']> });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
  throw new UsageError('result-broken', { path: found.found.name, detail: 'settings.budget' });
}

const amountText = z.union([z.number(), z.string()]).optional();
const budgetSettings = z
  .array(
    z.union([
      z.string(),
      z.looseObject({
        metric: z.string(),
        max: amountText,
        min: amountText,
        severity: z.enum(['warn', 'error']).optional(),
      }),
    ]),
  )
  .default([]);

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

function enrolled({ found, brought, share, rules, result }: Shard): Enrolled {
  const short = whyBlocksShort(result.design.stoppedBecause, brought, share);
  return { ...found.header, brought, rules, ...(short !== undefined && { short }) };
}

// --- What a reader must know ----------------------------------------------------------------------------------------

function rulesNote(shards: readonly Shard[]): readonly string[] {
  const groups = Map.groupBy(
    shards.filter(({ brought }) => brought > 0),
    ({ rules }) => rules,
  );
  if (groups.size < 2) return [];
  const told = [...groups.values()].map((group) => numbered(group.map(({ index }) => index)));
  return [
    `Not all shards left out the same background traffic (${told.join('; ')}): each group is compared within itself.`,
  ];
}

function inventoryNote(shards: readonly Shard[]): readonly string[] {
  const without = shards.filter(({ brought, inventories }) => brought > 0 && inventories === undefined);
  if (without.length === 0) return [];
  return [
    `What changed besides time is told without ${numbered(without.map(({ index }) => index))}: no shard.json lies beside the result.`,
  ];
}

/** Figures are computed by what joins, from runs that were measured by what measured. */
function versionNote({ found }: Shard): readonly string[] {
  const { tool } = resultHeader(new Date(0));
  const { version } = found.header.tool;
  return version === tool.version ? [] : [`Measured with Quiesce ${version}, joined with ${tool.version}.`];
}

function lostProblems({ merged }: CompareResult): readonly Problem[] {
  if (merged === undefined) return [];
  const brought = merged.shards.reduce((sum, shard) => sum + shard.brought, 0);
  if (brought >= merged.total) return [];
  return [
    {
      code: 'merge-incomplete',
      message: messageFor('merge-incomplete', { detail: merged.sentence.replace(/\.$/, '') }),
    },
  ];
}
