import { blockOrder, PAIRS_PER_BLOCK, turnsOrder } from '../../core/experiment/blocks.ts';
import { type Evaluation, evaluate } from '../../core/experiment/evaluate.ts';
import { figureOf } from '../../core/metrics/figure.ts';
import { metricsWith } from '../../core/metrics/own/index.ts';
import { defined } from '../../core/text/defined.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { Budget } from '../../model/budgets.ts';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { ExperimentPlan, PlacedRun, StopReason } from '../../model/compare/comparison.ts';
import type { StatedConditions } from '../../model/host/conditions.ts';
import type { LighthouseComparisons, LighthouseResult } from '../../model/lighthouse/lighthouse.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import type { ServerNote } from '../../model/result/note.ts';
import type { ResultHeader, Settings, Source, TargetResult } from '../../model/result/result.ts';
import type { Shard, ShardPlace } from '../../model/shards/shard.ts';
import { withBudgets } from '../engine/budgets.ts';
import { targetOf } from '../engine/result/target-result.ts';
import type { ComparedBlock, ComparedRun, SideState, StoredComparison } from './compare-state.ts';

/** What is compared, fixed before the first load. */
export interface ComparisonSetup {
  /** As the result shows them. */
  readonly settings: Settings;
  /** What the user calls each build. */
  readonly names: PerBuild<string>;
  /** Which commits the builds are, where that is known. */
  readonly sources: Partial<Record<Build, Source>>;
  readonly conditions: StatedConditions;
  readonly policy: Policy;
  /** How many pages share the machine; one when absent. */
  readonly pages?: number;
  /** The step of the script that is compared; absent where the load is. */
  readonly step?: string;
  /** The user's own metrics. */
  readonly ownMetrics?: readonly OwnMetric[];
  /** Limits for the candidate. */
  readonly budgets: readonly Budget[];
  /** Only one build can be there at a time, and changing takes long: each block loads one twice, then the other. */
  readonly oneAtATime: boolean;
  /** Set when other machines do the rest. */
  readonly share?: Share;
  readonly startedAt: Date;
  /** Whether it can be resumed once it was interrupted. */
  readonly isResumable: boolean;
}

/** A comparison as far as it has come. */
export interface Comparison {
  setup: ComparisonSetup;
  plan: ExperimentPlan;
  browser: ResultHeader['browser'];
  /** Absent until the untimed runs of a build are over. */
  readonly sides: Partial<Record<Build, SideState>>;
  readonly blocks: ComparedBlock[];
  /** The steps that the script does after the loads, by their names: comparisons of their own, of the same loads. */
  readonly steps: Map<string, Comparison>;
  /** Loads that were thrown away because of the host. */
  repeated: number;
  /** Loads of a block that was not ended. */
  partial: readonly ComparedRun[];
  /** Looks that were not planned: somebody saw the intervals when it was interrupted, in pairs. */
  readonly extraLooks: number[];
  stopped: StopReason;
  /** What a reader should know of their servers by now; absent where none were started. */
  serverNotes?: () => readonly ServerNote[];
  /** What Lighthouse says; absent until it was run. */
  inspected?: InspectedBuilds;
}

/** What Lighthouse says of both builds. */
export interface InspectedBuilds {
  readonly base?: LighthouseResult;
  readonly candidate?: LighthouseResult;
  readonly comparisons: LighthouseComparisons;
}

/** What this machine does of a comparison. */
export interface Share {
  readonly place: ShardPlace;
  /** How many pairs that is. */
  readonly pairs: number;
}

/** A comparison before its first load, or as far as it was stored. */
export function newComparison(
  setup: ComparisonSetup,
  plan: ExperimentPlan,
  stored: StoredComparison | undefined,
): Comparison {
  const { head, blocks = [] } = stored ?? {};
  const comparison: Comparison = {
    setup,
    plan: head?.plan ?? plan,
    browser: head?.browser ?? { product: 'none' },
    sides: { ...head?.sides },
    blocks: blocks.map(({ steps: _, ...block }) => block),
    steps: new Map(),
    partial: [],
    repeated: blocks.flatMap(({ runs }) => runs.flatMap(({ run }) => run.repeatedBecause ?? [])).length,
    extraLooks: [...(head?.extraLooks ?? [])],
    stopped: 'broken',
  };
  for (const { name, sides, extraLooks } of head?.steps ?? []) {
    const ofStep = blocks.flatMap(({ steps = [] }) => steps.flatMap((each) => (each.name === name ? each.block : [])));
    const step = { ...comparisonOfStep(name, comparison, sides), blocks: ofStep, extraLooks: [...extraLooks] };
    comparison.steps.set(name, step);
  }
  return comparison;
}

/** A step before the first load that counts; `sides`: what untimed loads showed of it. */
export function comparisonOfStep(
  step: string,
  { setup, plan, browser }: Comparison,
  sides: Comparison['sides'],
): Comparison {
  return {
    // Budgets are the page's.
    setup: { ...setup, step, budgets: [] },
    plan,
    browser,
    sides,
    blocks: [],
    steps: new Map(),
    partial: [],
    repeated: 0,
    extraLooks: [],
    stopped: 'broken',
  };
}

/** The number of the n-th block that is loaded here, n from 0; blocks are counted over all shards. */
export function blockIndex(n: number, shard: Shard = { index: 1, of: 1 }): number {
  return shard.index + n * shard.of;
}

/** The builds of a block in the order in which they are loaded. */
export function orderOf(block: number, { plan: { seed }, setup: { oneAtATime } }: Comparison): readonly Build[] {
  return oneAtATime ? turnsOrder(seed, block) : blockOrder(seed, block);
}

/** The most pairs that are loaded here. */
export function mostPairs(comparison: Comparison): number {
  return comparison.setup.share?.pairs ?? lastLook(comparison);
}

/** Timed loads that count. */
export function timedLoads({ blocks }: Pick<Comparison, 'blocks'>): number {
  return 2 * PAIRS_PER_BLOCK * blocks.filter(({ dropped }) => dropped === undefined).length;
}

/** Timed loads that are ahead at most, as long as no block has to be repeated. */
export function timedLoadsAhead(comparison: Comparison): number {
  return Math.max(0, 2 * mostPairs(comparison) - timedLoads(comparison));
}

/** The most pairs that are planned, over all shards. */
export function lastLook({ plan }: Pick<Comparison, 'plan'>): number {
  return plan.looks.at(-1) ?? 0;
}

/** Both builds, once the untimed runs of both are over. */
export function sidesOf({ sides: { base, candidate } }: Comparison): PerBuild<SideState> | undefined {
  return base && candidate && { base, candidate };
}

/** Where a build's page is in the end. */
export function pageUrlOf({ finalUrl, url }: SideState): string {
  return finalUrl ?? url;
}

/** The runs of the blocks that count. */
export function countedRuns({ blocks }: Pick<Comparison, 'blocks'>): readonly PlacedRun[] {
  return blocks.filter(({ dropped }) => dropped === undefined).flatMap(({ runs }) => runs.map(({ run }) => run));
}

/** Had an untimed load of either build a figure of this metric? */
export function isMeasured(metric: string, { sides }: Pick<Comparison, 'sides'>): boolean {
  return BUILDS.some((build) => sides[build]?.untimed.some(({ metrics }) => figureOf(metrics, metric) !== undefined));
}

/** The looks that were taken before, and one now when there is something to look at; in pairs, rising. */
export function looksUntil(
  pairs: number,
  { plan, extraLooks }: Pick<Comparison, 'plan' | 'extraLooks'>,
): readonly number[] {
  const before = [...plan.looks, ...extraLooks].filter((look) => look < pairs);
  return [...new Set([...before, ...(pairs > 0 ? [pairs] : [])])].sort((a, b) => a - b);
}

/** What all runs that count say together. */
export function evaluateAt(pairs: number, comparison: Comparison): Evaluation {
  const { plan, setup } = comparison;
  const metrics = metricsWith(setup.ownMetrics);
  const looksTaken = looksUntil(pairs, comparison);
  return evaluate({ runs: countedRuns(comparison), plan, metrics, looksTaken });
}

/** A build as a target of a result. */
export function resultOf(build: Build, { setup, sides, blocks, partial, inspected }: Comparison): TargetResult {
  const side = sides[build];
  const timed = [...blocks.flatMap(({ runs }) => runs), ...partial].filter(({ run }) => run.build === build);
  const target = targetOf({
    target: setup.names[build],
    url: side?.url ?? setup.names[build],
    conditions: setup.conditions,
    policy: setup.policy,
    ownMetrics: setup.ownMetrics,
    title: side?.title,
    finalUrl: side?.finalUrl,
    // The candidate's stands in the header.
    source: build === 'base' ? setup.sources.base : undefined,
    ...defined({ name: setup.step, step: setup.step }),
    evidence: side?.evidence,
    mainThread: side?.mainThread,
    codeProfile: side?.codeProfile,
    coverage: side?.coverage,
    files: side?.files,
    lighthouse: inspected?.[build],
    runs: [...(side?.untimed ?? []), ...timed.map(({ run }) => run)],
  });
  return build === 'candidate' ? withBudgets(target, setup.budgets) : target;
}
