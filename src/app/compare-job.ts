import { stated } from '../core/conditions/words.ts';
import { type Evaluation, evaluate } from '../core/experiment/evaluate.ts';
import { metrics } from '../core/metrics/index.ts';
import type { Budget } from '../model/budget.ts';
import type { Build, ExperimentPlan, PlacedRun, StopReason } from '../model/comparison.ts';
import type { LighthouseComparisons, LighthouseResult } from '../model/lighthouse.ts';
import type { Progress } from '../model/progress.ts';
import type { ResultHeader, Source, TargetResult } from '../model/result.ts';
import type { CompareSettings } from '../model/settings.ts';
import type { Shard, ShardPlace } from '../model/shard.ts';
import type { Policy } from '../model/verdict.ts';
import type { Store } from '../shell/store.ts';
import { withBudgets } from './budgets.ts';
import type { PerBuild } from './builds.ts';
import type { ComparedBlock, ComparedRun, SideState } from './compare-state.ts';
import type { Problem } from './job.ts';
import type { LabKeeper } from './labs.ts';
import type { LoadOptions } from './load-options.ts';
import type { FinishedRun } from './run.ts';
import type { OpenScript } from './script.ts';
import type { Target } from './target.ts';
import { targetOf } from './target-result.ts';

/** What Lighthouse says of both builds. */
export interface InspectedBuilds {
  readonly base?: LighthouseResult;
  readonly candidate?: LighthouseResult;
  readonly comparisons: LighthouseComparisons;
}

/** A comparison under way. */
export interface CompareJob {
  readonly settings: CompareSettings;
  readonly policy: Policy;
  readonly options: LoadOptions;
  /** Limits for the candidate. */
  readonly budgets: readonly Budget[];
  /** What is done before each load. */
  readonly script?: OpenScript;
  readonly targets: PerBuild<Target>;
  /** Which commits the builds are, where that is known. */
  readonly sources: Partial<Record<Build, Source>>;
  readonly store: Store;
  readonly labs: LabKeeper;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
  readonly files: Set<string>;
  readonly problems: Problem[];
  /** Set when other machines do the rest. */
  readonly share?: Share;
  plan: ExperimentPlan;
  browser: ResultHeader['browser'];
  /** Absent until the untimed runs of a build are over. */
  readonly sides: Partial<Record<Build, SideState>>;
  readonly blocks: ComparedBlock[];
  /** Loads that were thrown away because of the host. */
  repeated: number;
  /** Loads of a block that was not ended. */
  partial: readonly ComparedRun[];
  /** What was loaded in this session, to be judged again when runs do not agree. */
  readonly loaded: Map<string, FinishedRun>;
  readonly extraLooks: number[];
  stopped: StopReason;
  /** What Lighthouse says; absent until it was run. */
  inspected?: InspectedBuilds;
  tell(event: Progress): void;
  microBenchmark(): number;
}

/** What this machine does of a comparison. */
export interface Share {
  readonly place: ShardPlace;
  /** How many pairs that is. */
  readonly pairs: number;
}

/** The number of the n-th block that is loaded here, n from 0; blocks are counted over all shards. */
export function blockIndex(n: number, shard: Shard = { index: 1, of: 1 }): number {
  return shard.index + n * shard.of;
}

/** The most pairs that are loaded here. */
export function mostPairs(job: CompareJob): number {
  return job.share?.pairs ?? lastLook(job);
}

/** The most pairs that are planned, over all shards. */
export function lastLook({ plan }: CompareJob): number {
  return plan.looks.at(-1) ?? 0;
}

/** Both builds, once the untimed runs of both are over. */
export function sidesOf({ sides: { base, candidate } }: CompareJob): PerBuild<SideState> | undefined {
  return base && candidate && { base, candidate };
}

/** The runs of the blocks that count. */
export function countedRuns({ blocks }: Pick<CompareJob, 'blocks'>): readonly PlacedRun[] {
  return blocks.filter(({ dropped }) => dropped === undefined).flatMap(({ runs }) => runs.map(({ run }) => run));
}

/** The looks that were taken before, and one now when there is something to look at; in pairs, rising. */
export function looksUntil(pairs: number, { plan, extraLooks }: CompareJob): readonly number[] {
  const before = [...plan.looks, ...extraLooks].filter((look) => look < pairs);
  return [...new Set([...before, ...(pairs > 0 ? [pairs] : [])])].sort((a, b) => a - b);
}

/** What all runs that count say together. */
export function evaluateAt(pairs: number, final: boolean, job: CompareJob): Evaluation {
  return evaluate({ runs: countedRuns(job), plan: job.plan, metrics, looksTaken: looksUntil(pairs, job), final });
}

/** A build as a target of a result. */
export function resultOf(build: Build, job: CompareJob): TargetResult {
  const side = job.sides[build];
  // The candidate's stands in the header.
  const source = build === 'base' ? job.sources.base : undefined;
  const timed = [...job.blocks.flatMap(({ runs }) => runs), ...job.partial].filter(({ run }) => run.build === build);
  const lighthouse = job.inspected?.[build];
  const target = targetOf({
    target: job.targets[build].name,
    url: side?.url ?? job.targets[build].name,
    ...(side?.title !== undefined && { title: side.title }),
    ...(side?.finalUrl !== undefined && { finalUrl: side.finalUrl }),
    conditions: stated(job.options.conditions),
    ...(source && { source }),
    runs: [...(side?.untimed ?? []), ...timed.map(({ run }) => run)],
    ...(side?.evidence && { evidence: side.evidence }),
    ...(lighthouse && { lighthouse }),
  });
  return build === 'candidate' ? withBudgets(target, job.budgets) : target;
}
