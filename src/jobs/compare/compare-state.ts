import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { LearntPolicy } from '../../core/completion/learnt-policy.ts';
import { BUILDS, type PerBuild } from '../../model/compare/build.ts';
import type { ExperimentPlan, InventoryItem, PlacedRun } from '../../model/compare/comparison.ts';
import type { LoadedFile } from '../../model/compare/why.ts';
import type { KnownCause } from '../../model/completion/causes.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { CodeProfile, MainThread } from '../../model/main-thread.ts';
import type { DropReason } from '../../model/result/failure.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { Evidence, ResultHeader, RunResult } from '../../model/result/result.ts';
import { PAGES_FOLDER } from '../../result/pages-with-steps.ts';
import type { Store } from '../../shell/disk/store.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { kebabCase } from '../../wording/text/kebab-case.ts';
import { firstIssue } from '../engine/first-issue.ts';
import { type StoredType, schemaOf } from '../engine/result/stored-result.ts';

/**
 * The version of the files that an interrupted comparison is resumed from.
 *
 * 1 – first form.
 */
const VERSION = 1;

/** The options that a comparison's conditions come from, where their names differ. */
const CONDITION_OPTIONS: Readonly<Record<string, string>> = {
  base: 'base',
  candidate: 'candidate',
  looks: '--max-pairs or --looks',
  gates: '--gate',
  includesLate: '--late-content',
  observation: 'patience',
};

/** Beside result.json; gone when the comparison is over. */
const FOLDER = 'resume';
const HEAD = `${FOLDER}/comparison.json`;

/** What is known of a build apart from its timed runs. */
export interface SideState extends LearntPolicy {
  readonly url: string;
  readonly title?: string;
  readonly finalUrl?: string;
  /** How it draws when its network is quiet. */
  readonly drawing?: Drawing;
  readonly evidence?: Evidence;
  readonly mainThread?: MainThread;
  readonly causes?: readonly KnownCause[];
  readonly codeProfile?: CodeProfile;
  readonly coverage?: Coverage;
  readonly files?: readonly LoadedFile[];
  /** URL patterns of what the ablation run held. */
  readonly held?: readonly string[];
  readonly thumbnails: Readonly<Record<string, string>>;
  readonly untimed: readonly RunResult[];
}

/** What was settled before the first block. */
export interface ComparisonHead {
  readonly version: typeof VERSION;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly browser: ResultHeader['browser'];
  /** A comparison is resumed only when it is the same. */
  readonly asked: ResumeConditions;
  readonly plan: ExperimentPlan;
  readonly sides: PerBuild<SideState>;
  /** Looks that were not planned: somebody saw the intervals when it was interrupted, in pairs. */
  readonly extraLooks: readonly number[];
  /** The same of each step that the script does after the loads; one that only one build has has one side. */
  readonly steps?: readonly {
    readonly name: string;
    readonly sides: Partial<PerBuild<SideState>>;
    readonly extraLooks: readonly number[];
  }[];
}

/** A timed run with what reports need of it beside the figures. */
export interface ComparedRun {
  readonly run: PlacedRun;
  readonly waterfall?: Waterfall;
  readonly inventory: readonly InventoryItem[];
}

/** Four loads, or as many as there were when one failed. */
export interface ComparedBlock {
  /** From 1. */
  readonly index: number;
  readonly runs: readonly ComparedRun[];
  /** Why it does not count. */
  readonly dropped?: DropReason;
}

/** A block with those of the steps after its loads. */
export interface StoredBlock extends ComparedBlock {
  readonly steps?: readonly { readonly name: string; readonly block: ComparedBlock }[];
}

/** What was asked for, by the name of what it is. */
export type ResumeConditions = Readonly<Record<string, unknown>>;

/** A comparison as far as it is stored. */
export interface StoredComparison {
  readonly head: ComparisonHead;
  readonly blocks: readonly StoredBlock[];
}

const learnt = z.looseObject({ endpoint: z.string(), reason: z.looseObject({ code: z.string() }) });
const run = z.looseObject({
  index: z.number(),
  role: z.enum(['timed', 'evidence', 'ablation', 'discarded']),
  ok: z.boolean(),
  metrics: z.record(z.string(), z.number()).optional(),
});
const askedAddress = { method: z.string(), url: z.string() };
const side = z.looseObject({
  url: z.string(),
  title: z.string().optional(),
  finalUrl: z.string().optional(),
  learnt: z.array(learnt).optional(),
  drawing: z.looseObject({}).optional(),
  awaited: z.array(z.object({ endpoint: z.string(), by: z.number() })).optional(),
  causes: z
    .array(
      z.looseObject({
        ...askedAddress,
        cause: z.string(),
        by: z.object(askedAddress),
        place: z.looseObject({ url: z.string() }).optional(),
      }),
    )
    .optional(),
  thumbnails: z.record(z.string(), z.string()),
  untimed: z.array(run),
});
const headSchema = z.looseObject({
  version: z.literal(VERSION),
  startedAt: z.iso.datetime(),
  browser: z.looseObject({ product: z.string() }),
  asked: z.record(z.string(), z.unknown()),
  plan: z.looseObject({
    seed: z.number(),
    looks: z.array(z.number()).min(1),
    alpha: z.number(),
    minEffect: z.object({ relative: z.number(), absolute: z.number(), paint: z.number().optional() }),
    gates: z.array(z.string()),
    strict: z.boolean(),
  }),
  sides: z.object({ base: side, candidate: side }),
  extraLooks: z.array(z.number()),
  steps: z
    .array(
      z.object({
        name: z.string(),
        sides: z.object({ base: side.optional(), candidate: side.optional() }),
        extraLooks: z.array(z.number()),
      }),
    )
    .optional(),
});
/** In files of earlier versions the sentence alone. */
const dropReason = z.union([
  z.string().transform((text) => ({ code: 'recorded', text })),
  z.object({ code: z.literal('recorded'), text: z.string() }),
  z.object({
    code: z.literal('load-failed'),
    load: z.number(),
    build: z.enum(BUILDS),
    attempts: z.number(),
    failure: z.looseObject({ code: z.string(), message: z.string() }),
  }),
  z.object({ code: z.literal('step-missing'), build: z.enum(BUILDS) }),
]);
const plainBlock = z.looseObject({
  index: z.number(),
  runs: z.array(
    z.looseObject({
      run: run.extend({ build: z.enum(BUILDS), block: z.number(), order: z.number() }),
      inventory: z.array(z.looseObject({ name: z.string(), requests: z.number(), transferSize: z.number() })),
    }),
  ),
  dropped: dropReason.optional(),
});
const blockSchema = plainBlock.extend({
  steps: z.array(z.object({ name: z.string(), block: plainBlock })).optional(),
});

/** Stores the head; written again whenever it changes. */
export async function storeHead(store: Store, head: Omit<ComparisonHead, 'version'>): Promise<void> {
  await store.write(HEAD, JSON.stringify({ version: VERSION, ...head }));
}

/** Stores a block: a file each, so that the cost of saving does not grow with what is saved already. */
export async function storeBlock(store: Store, block: StoredBlock): Promise<void> {
  await store.write(nameOf(block.index), JSON.stringify(block));
}

/** Removes what a comparison could be resumed from. */
export async function forget(store: Store): Promise<void> {
  await store.remove(FOLDER);
}

/** What a result holds of a build, too. */
async function sideSchema(): Promise<z.ZodType> {
  const may = async (type: StoredType): Promise<z.ZodType> => (await schemaOf(type)).optional();
  return z.looseObject({
    untimed: z.array(await schemaOf('RunResult')),
    evidence: await may('Evidence'),
    mainThread: await may('MainThread'),
    codeProfile: await may('CodeProfile'),
    coverage: await may('Coverage'),
  });
}

/**
 * What an interrupted comparison has left behind; undefined when there is none.
 *
 * @param indexOf the number of the n-th block, n from 0
 * @throws QuiesceError `resume-broken` when a file is not what it should be.
 */
export async function readStored(
  store: Pick<Store, 'folder' | 'read'>,
  indexOf: (n: number) => number,
): Promise<StoredComparison | undefined> {
  const [ofRun, ofSide] = [await schemaOf('RunResult'), await sideSchema()];
  const sides = z.looseObject({
    sides: z.looseObject({ base: ofSide, candidate: ofSide }),
    steps: z
      .array(z.looseObject({ sides: z.looseObject({ base: ofSide.optional(), candidate: ofSide.optional() }) }))
      .optional(),
  });
  const head = await readOne(store, HEAD, headSchema, sides);
  if (head === undefined) return undefined;
  const runs = z.looseObject({ runs: z.array(z.looseObject({ run: ofRun })) });
  const blockTypes = runs.extend({ steps: z.array(z.looseObject({ block: runs })).optional() });
  const blocks: StoredBlock[] = [];
  for (;;) {
    const next = await readOne(store, nameOf(indexOf(blocks.length)), blockSchema, blockTypes);
    if (next === undefined) break;
    blocks.push(next as unknown as StoredBlock);
  }
  // The schemas above hold what the arithmetic needs, those of results what reports show.
  return { head: head as unknown as ComparisonHead, blocks };
}

/**
 * What an interrupted comparison of other pages has left in the same folder; undefined when there is none.
 *
 * @param own where the pages that are to be compared keep theirs; '' for the folder itself
 * @throws QuiesceError `resume-broken` when a file is not what it should be.
 */
export async function readOthers(store: Store, own: readonly string[]): Promise<StoredComparison | undefined> {
  const names = await readdir(path.join(store.folder, PAGES_FOLDER)).catch(() => []);
  const others = ['', ...names.map((name) => `${PAGES_FOLDER}/${name}`)].filter((folder) => !own.includes(folder));
  const found = await Promise.all(
    others.map((folder) =>
      readStored(
        { folder: path.join(store.folder, folder), read: (name) => store.read(path.posix.join(folder, name)) },
        (n) => n + 1,
      ),
    ),
  );
  const stored = found.filter((each) => each !== undefined);
  const [first] = stored;
  return first && { ...first, blocks: stored.flatMap(({ blocks }) => blocks) };
}

/**
 * What is to be resumed. An interrupted comparison is neither lost by accident nor mixed with another.
 *
 * @param resume whether the user wants to go on
 * @throws QuiesceError when that does not fit what was found in the folder
 */
export function resumable(
  stored: StoredComparison | undefined,
  asked: ResumeConditions,
  resume: boolean,
  folder: string,
): StoredComparison | undefined {
  if (!stored) {
    if (resume) throw new QuiesceError('resume-nothing', { path: folder });
    return undefined;
  }
  if (!resume) {
    const loads = stored.blocks.reduce((sum, { runs }) => sum + runs.length, 0);
    throw new QuiesceError('resume-waiting', { path: folder, loads });
  }
  const { head } = stored;
  // What was asked for the first time, and not the second time, is another comparison, too.
  for (const name of new Set([...Object.keys(head.asked), ...Object.keys(asked)])) {
    const value = asked[name] ?? null;
    const isSame = JSON.stringify(head.asked[name] ?? null) === JSON.stringify(value);
    // The seed is that of the first time. It may be named again, or only now where it was drawn.
    const isSeed = name === 'seed' && (value === null || value === head.plan.seed);
    if (!isSame && !isSeed) {
      throw new QuiesceError('resume-other', {
        path: folder,
        detail: CONDITION_OPTIONS[name] ?? `--${kebabCase(name)}`,
      });
    }
  }
  return stored;
}

function nameOf(index: number): string {
  return `${FOLDER}/block-${index}.json`;
}

/** `types`: what it must be besides. */
async function readOne<T extends z.ZodType>(
  store: Pick<Store, 'folder' | 'read'>,
  name: string,
  schema: T,
  types: z.ZodType,
): Promise<z.infer<T> | undefined> {
  const file = path.join(store.folder, name);
  try {
    const text = await store.read(name);
    if (text === undefined) return undefined;
    const value: unknown = JSON.parse(text);
    const parsed = schema.parse(value);
    types.parse(value);
    return parsed;
  } catch (error) {
    throw new QuiesceError('resume-broken', { path: file, detail: firstIssue(error) }, { cause: error });
  }
}
