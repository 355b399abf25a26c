import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { InventoryItem } from '../../model/compare/comparison.ts';
import type { AskedByFile, LoadedFile, RequestTiming } from '../../model/compare/why.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import type { Inventory } from '../changes/inventory.ts';
import { settleNames } from '../changes/rename.ts';
import { isCounted } from '../counted-runs.ts';
import { withoutHash } from '../requests/address-parts.ts';
import { median } from '../time/median.ts';

/** A request is a build's when it is in this share of its loads, and none of it when it is in no more than that. */
const THERE = 0.5;
const GONE = 0.1;

/** A request of a build, over its loads. */
export interface SeenRequest {
  readonly name: string;
  readonly item: InventoryItem;
  readonly timings: readonly RequestTiming[];
  /** The same in the order of all loads, absent in those without it. */
  readonly inLoads: readonly (RequestTiming | undefined)[];
  readonly transferSize: Bytes;
  /** Who asks for it in most loads; absent where that is not known. */
  readonly askedBy?: AskedByFile;
  /** Names of all that led to it, where every cause is known. */
  readonly causes?: readonly string[];
}

/** The loads of one build: what it asks for, by names that are the same in both. */
export interface BuildLoads {
  readonly build: Build;
  readonly loads: number;
  readonly requests: ReadonlyMap<string, SeenRequest>;
  /** True of what is in too many loads to be gone. */
  has(name: string): boolean;
  nameOf(url: string): string | undefined;
  /** How long page complete waited for each, in each load: its part of the chain of requests, ms. */
  readonly waitedFor: ReadonlyMap<string, readonly Ms[]>;
  /** Hashes of the files' texts by name. */
  readonly hashes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads both builds. `of` is where each was loaded; inventories are those of its loads that count. */
export function buildLoads(
  targets: PerBuild<TargetResult>,
  inventories: PerBuild<readonly Inventory[]>,
): PerBuild<BuildLoads> {
  const [base, candidate] = settleNames(inventories.base, inventories.candidate);
  // What only one build was traced for would differ by that.
  const areBothTraced = targets.base.files !== undefined && targets.candidate.files !== undefined;
  const filesOf = (build: Build): readonly LoadedFile[] => (areBothTraced ? (targets[build].files ?? []) : []);
  return {
    base: loadsOf('base', targets.base, filesOf('base'), base),
    candidate: loadsOf('candidate', targets.candidate, filesOf('candidate'), candidate),
  };
}

function loadsOf(
  build: Build,
  target: TargetResult,
  files: readonly LoadedFile[],
  inventories: readonly Inventory[],
): BuildLoads {
  const names = new Map<string, string>();
  for (const { url, name } of inventories.flat()) names.set(withoutHash(url), name);
  const nameOf = (url: string): string | undefined => names.get(withoutHash(url));
  const askers = new Map(
    files.flatMap(({ url, askedBy }) => (askedBy ? [[nameOf(url) ?? url, askedBy] as const] : [])),
  );
  const causes = new Map(
    files.flatMap((file) => (file.causes ? [[nameOf(file.url) ?? file.url, file.causes] as const] : [])),
  );
  const byName = inventories.map((items) => new Map(items.map((item) => [item.name, item])));
  const items = Map.groupBy(inventories.flat(), ({ name }) => name);
  const shareOf = (name: string): number => (items.get(name)?.length ?? 0) / inventories.length;
  const requests = [...items].flatMap(([name, each]): readonly (readonly [string, SeenRequest])[] => {
    const item = each.at(-1);
    if (item === undefined || shareOf(name) < THERE) return [];
    const inLoads = byName.map((load) => load.get(name)?.timing);
    const timings = inLoads.flatMap((timing) => timing ?? []);
    const traced = askers.get(name);
    const askedBy = traced ? { kind: 'script' as const, ...traced } : mostAsked(timings, nameOf);
    return [
      [
        name,
        {
          name,
          item,
          timings,
          inLoads,
          transferSize: median(each.map(({ transferSize }) => transferSize)),
          askedBy,
          causes: causes.get(name)?.map((url) => nameOf(url) ?? url),
        },
      ],
    ];
  });
  return {
    build,
    loads: inventories.length,
    requests: new Map(requests),
    has: (name) => shareOf(name) > GONE,
    nameOf,
    waitedFor: waitedForOf(target, nameOf),
    hashes: hashesOf(files, nameOf),
  };
}

/** Who asks in most of the loads. */
function mostAsked(
  timings: readonly RequestTiming[],
  nameOf: (url: string) => string | undefined,
): AskedByFile | undefined {
  const all = timings.flatMap(({ askedBy }) => askedBy ?? []);
  const groups = [...Map.groupBy(all, ({ kind, url }) => `${kind} ${nameOf(url) ?? url}`).values()];
  const most = groups.toSorted((a, b) => b.length - a.length)[0];
  return most !== undefined && most.length > THERE * timings.length ? most[0] : undefined;
}

function waitedForOf(
  { runs }: TargetResult,
  nameOf: (url: string) => string | undefined,
): ReadonlyMap<string, readonly Ms[]> {
  const paths = runs.filter(isCounted).flatMap(({ criticalPath }) => criticalPath ?? []);
  const waited = new Map<string, Ms[]>();
  for (const [i, { steps }] of paths.entries()) {
    for (const step of steps) {
      if (step.cause === 'work') continue;
      const { url, wait, queued = 0, receive } = step;
      const name = nameOf(url);
      if (name === undefined) continue;
      const own = waited.get(name) ?? paths.map(() => 0);
      own[i] = (own[i] ?? 0) + wait - queued + receive;
      waited.set(name, own);
    }
  }
  const inMost = [...waited].filter(([, each]) => each.filter((ms) => ms > 0).length >= THERE * paths.length);
  return new Map(inMost);
}

function hashesOf(
  files: readonly LoadedFile[],
  nameOf: (url: string) => string | undefined,
): ReadonlyMap<string, ReadonlySet<string>> {
  const hashes = new Map<string, Set<string>>();
  for (const { url, hash } of files) {
    const name = nameOf(url);
    if (name === undefined || hash === undefined) continue;
    hashes.set(name, (hashes.get(name) ?? new Set()).add(hash));
  }
  return hashes;
}
