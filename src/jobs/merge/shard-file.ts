import { z } from 'zod';
import type { Inventory } from '../../core/changes/inventory.ts';
import type { Redactor } from '../../core/har/redact.ts';
import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { InventoryItem } from '../../model/compare/comparison.ts';
import type { RequestTiming } from '../../model/compare/why.ts';
import { fileInside } from '../../shell/disk/stored-file.ts';
import { readResultText, SHARD_FILE } from '../../shell/disk/stored-results.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { perBuild } from '../compare/builds.ts';
import type { ComparedBlock } from '../compare/compare-state.ts';
import { redactDeep } from '../engine/reports/report-model.ts';

/**
 * The version of `shard.json`.
 *
 * 1 – first form; runs may have the times of their requests.
 */
const VERSION = 1;

/** What each run of a shard asked for, by the number of the run. */
export type ShardInventories = PerBuild<ReadonlyMap<number, Inventory>>;

const item = z.looseObject({
  name: z.string(),
  url: z.string(),
  type: z.string(),
  requests: z.number(),
  transferSize: z.number(),
  thirdParty: z.string().optional(),
});
const ms = z.number();
const timing = z.looseObject({
  startedAt: ms,
  endedAt: ms,
  wait: ms,
  receive: ms,
  contentSize: z.number(),
  askedBy: z.looseObject({ kind: z.enum(['markup', 'script']), url: z.string() }).optional(),
});
/** The number of the run, the positions of its items, and their times; the last absent in files of earlier versions. */
const runs = z.array(z.tuple([z.int(), z.array(z.int().min(0))]).rest(z.array(timing.nullable())));
const schema = z.looseObject({
  version: z.literal(VERSION),
  items: z.array(item),
  base: runs,
  candidate: runs,
});

/** The text of the file. Loads of a build ask for much the same: what they share stands in it once. */
export function shardFileOf(blocks: readonly ComparedBlock[], redact: Redactor): string {
  const positions = new Map<string, number>();
  const items: InventoryItem[] = [];
  const positionOf = ({ timing: _, ...each }: InventoryItem): number => {
    const key = JSON.stringify(each);
    const known = positions.get(key);
    if (known !== undefined) return known;
    positions.set(key, items.length);
    return items.push(each) - 1;
  };
  const runsOf = (build: Build) =>
    blocks
      .flatMap((block) => block.runs)
      .filter(({ run }) => run.build === build && run.ok)
      .map(({ run, inventory }) => [
        run.index,
        inventory.map(positionOf),
        inventory.map(({ timing }) => timing ?? null),
      ]);
  const inventories = perBuild(runsOf);
  return JSON.stringify(redactDeep({ version: VERSION, items, ...inventories }, redact));
}

/** What a shard's file says; undefined when there is none, or none that can be read. */
export async function readShardFile(folder: string): Promise<ShardInventories | undefined> {
  const file = await fileInside(folder, SHARD_FILE);
  if (file === undefined) return undefined;
  try {
    const { items, ...stored } = schema.parse(JSON.parse(await readResultText({ name: file, path: file })));
    return perBuild(
      (build) =>
        new Map(
          stored[build].map(([index, positions, timings = []]) => [
            index,
            // The schema holds what is computed with; types of requests are only shown.
            positions.flatMap((position, i) => {
              const known = items[position] as InventoryItem | undefined;
              const timing = timings[i] as RequestTiming | null | undefined;
              return known ? [{ ...known, ...(timing && { timing }) }] : [];
            }),
          ]),
        ),
    );
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || error instanceof QuiesceError) return undefined;
    throw error;
  }
}
