import { KINDS } from '../../model/background/kinds.ts';
import { BUILDS, type Build } from '../../model/compare/build.ts';
import type { CompareResult, PlacedRun } from '../../model/compare/comparison.ts';
import type { RunResult, TargetResult } from '../../model/result/result.ts';
import { endpointKey } from '../changes/background.ts';
import { isCounted, isTimed } from '../counted-runs.ts';
import { PAIRS_PER_BLOCK } from '../experiment/blocks.ts';
import { originOf } from '../requests/origin.ts';

/** A shard of a comparison in its place. */
export interface ComparisonShard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
  /** The number of its machine, from 1. */
  readonly machine: number;
  readonly result: CompareResult;
}

/** A run of the joined comparison, and what it was in its shard. */
export interface JoinedRun<R extends RunResult = RunResult> {
  readonly run: R;
  readonly shard: ComparisonShard;
  /** Its number there. */
  readonly before: number;
}

/** The runs of all shards in the order of their blocks. */
export interface JoinedRuns {
  /** Of both builds, each numbered from 1. */
  readonly timed: readonly JoinedRun<PlacedRun>[];
  readonly untimed: readonly (JoinedRun & { readonly build: Build })[];
}

/** What is wrong with the runs of a shard, a clause; undefined when they are such as a shard loads. */
export function shardRunsProblem(
  { index, of, result }: Omit<ComparisonShard, 'machine'>,
  share: number,
): string | undefined {
  const timed = timedRuns(result);
  for (const { run, build } of timed) {
    const { block, order } = run;
    if (run.build !== build || block === undefined || order === undefined) {
      return 'a run of it has no place in a block';
    }
    if (!Number.isInteger(block) || block < index || (block - index) % of !== 0) {
      return `block ${block} is not one of shard ${index} of ${of}`;
    }
  }
  const counted = timed.filter(({ run }) => isCounted(run));
  const blocks = [...Map.groupBy(counted, ({ run }) => run.block).values()];
  const isWhole = (block: typeof counted): boolean =>
    BUILDS.every((build) => block.filter((each) => each.build === build).length === PAIRS_PER_BLOCK);
  if (!blocks.every(isWhole)) return 'a block of it is not two loads of each build';
  return blocks.length > share ? `it has ${blocks.length} blocks, and its share is ${share}` : undefined;
}

function timedRuns(result: CompareResult): readonly { readonly run: RunResult; readonly build: Build }[] {
  return BUILDS.flatMap((build) => result[build].runs.filter(isTimed).map((run) => ({ run, build })));
}

/**
 * Joins the runs of shards, the timed ones numbered by build in the order of their blocks.
 *
 * @param home the shard whose addresses all speak of
 */
export function joinRuns(shards: readonly ComparisonShard[], home: ComparisonShard): JoinedRuns {
  const joined = shards.flatMap((shard) =>
    BUILDS.flatMap((build) =>
      shard.result[build].runs.map((run) => ({
        run: atHome(run, build, shard, home),
        build,
        shard,
        before: run.index,
      })),
    ),
  );
  const next: Record<Build, number> = { base: 1, candidate: 1 };
  const blockAndOrder = ({ run: { block = 0, order = 0 } }: (typeof joined)[number]) => [block, order] as const;
  const timed = joined
    .filter(({ run }) => isTimed(run))
    .sort((a, b) => blockAndOrder(a)[0] - blockAndOrder(b)[0] || blockAndOrder(a)[1] - blockAndOrder(b)[1])
    .map(({ run, build, shard, before }) => {
      const { block = 0, order = 0 } = run;
      const index = next[build]++;
      const placed = { ...run, index, build, block, order, shard: shard.index, machine: shard.machine };
      return { run: placed, shard, before };
    });
  const untimed = joined
    .filter(({ run }) => !isTimed(run))
    .map((each) => ({ ...each, run: { ...each.run, shard: each.shard.index, machine: each.shard.machine } }));
  return { timed, untimed };
}

/** What a shard says of a build's page with the addresses of another shard: it may have served the page at its own. */
export function atHome<T>(value: T, build: Build, shard: ComparisonShard, home: ComparisonShard): T {
  const [from, to] = [originOf(shard.result[build].url), originOf(home.result[build].url)];
  if (from === to || from === '' || to === '') return value;
  const move = (each: unknown): unknown => {
    if (typeof each === 'string') return each.replaceAll(`${from}/`, `${to}/`);
    if (Array.isArray(each)) return each.map(move);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, move(inner)]));
  };
  return move(value) as T;
}

/** What a shard left out as background, of both builds: equal texts mean that its figures were judged alike. */
export function rulesOf(result: CompareResult): string {
  const leftOut = (target: TargetResult): readonly string[] =>
    target.background
      .filter(({ kind, excluded }) => excluded && KINDS[kind]?.ofBrowser !== true)
      .map((each) => endpointKey(each, target))
      .sort();
  return JSON.stringify(BUILDS.map((build) => [...new Set(leftOut(result[build]))]));
}
