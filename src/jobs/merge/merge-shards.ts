import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type ShardHeader, shardMismatch } from '../../core/merge/shard-mismatch.ts';
import { MOST_SHARDS } from '../../core/shards.ts';
import { defined } from '../../core/text/defined.ts';
import type { CompareResult } from '../../model/compare/comparison.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { AuditResult } from '../../model/result/result.ts';
import type { LeftOut, MergeNote } from '../../model/shards/merge-note.ts';
import { type FilePart, indexResult } from '../../shell/disk/result-index.ts';
import { type FoundResult, findResults } from '../../shell/disk/stored-results.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { leftOutInWords } from '../../wording/shards/merge-notes.ts';
import { checked, ofKind, refused } from '../engine/result/stored-result.ts';

/** A shard whose result was found. */
export interface FoundShard {
  readonly found: FoundResult;
  /** Its folder, absolute. */
  readonly folder: string;
  readonly header: ShardHeader;
  /** A comparison whole, an audit without its targets. */
  readonly result: AuditResult | CompareResult;
  /** Where the targets of an audit are in its file. */
  readonly targets: readonly FilePart[];
  /** Names the content of its file. */
  readonly hash: string;
}

/** The shards of one job, by their number, each once, and what there is to say of what was found beside them. */
export interface FoundShards {
  readonly shards: readonly [FoundShard, ...FoundShard[]];
  readonly notes: readonly MergeNote[];
}

/** What finding shards needs. */
export interface FindingOptions {
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/** More pages or blocks than this have never been measured. */
const MOST_WORK = 1_000_000;

const place = z
  .object({
    index: z.int().min(1),
    of: z.int().min(1).max(MOST_SHARDS),
    total: z.int().min(0).max(MOST_WORK),
    work: z.string().max(64),
    machine: z.string().max(200).optional(),
  })
  .refine(({ index, of }) => index <= of, 'shard: there are not so many');

/**
 * The shards behind what was named.
 *
 * @throws QuiesceError with one line for what is no shard, is there twice, or belongs to another job
 */
export async function findShards(
  named: readonly string[],
  { signal, onProgress }: FindingOptions,
): Promise<FoundShards> {
  const left: LeftOut[] = [];
  const shards = new Map<string, FoundShard>();
  const none: QuiesceError[] = [];
  const all = await findResults(named);
  let index = 0;
  for (const name of named) {
    const behind = await findResults([name]);
    const others: NoShard[] = [];
    let found = 0;
    for (const file of behind) {
      if (shards.has(file.path)) {
        found += 1;
        continue;
      }
      index += 1;
      onProgress({ kind: 'reading', file: file.name, index: Math.min(index, all.length), of: all.length });
      // Between two files Ctrl-C is heard and progress drawn.
      await setImmediate();
      signal.throwIfAborted();
      const shard = await read(file);
      if ('reason' in shard) others.push(shard);
      else {
        found += 1;
        shards.set(file.path, shard);
      }
    }
    if (found === 0) {
      const [first] = others;
      const detail = first === undefined ? '' : ` (${leftOutInWords(first.reason)})`;
      none.push(first?.error ?? new QuiesceError('merge-no-shard', { path: name, detail }));
      // A shell given shards/* names the folder of a lost shard, too.
      if (first === undefined) left.push({ code: 'no-result', path: name });
    }
    left.push(...others.map(({ reason }) => reason));
  }
  const [first, ...rest] = onePerNumber([...shards.values()], left);
  if (first === undefined) throw none[0] ?? new QuiesceError('merge-missing');
  for (const other of rest) refuseForeign(first, other);
  // What is named twice is left out once.
  const once = new Map(left.map((reason) => [JSON.stringify(reason), reason]));
  return { shards: [first, ...rest], notes: [...once.values()].map((reason) => ({ code: 'left-out', reason })) };
}

/** Why a file holds no shard, and what to say where nothing else was found. */
interface NoShard {
  readonly reason: LeftOut;
  readonly error?: QuiesceError;
}

/** The shard in a file, or why it is none. */
async function read(found: FoundResult): Promise<FoundShard | NoShard> {
  try {
    const { head, targets, hash } = await indexResult(found);
    let value: unknown;
    try {
      value = JSON.parse(head);
    } catch (error) {
      throw refused('result-not-json', found, error);
    }
    const known = ofKind(value, ['audit', 'capacity', 'compare'], found);
    if (known.kind === 'capacity') {
      const error = new QuiesceError('merge-capacity', { path: found.name });
      return { reason: { code: 'capacity', path: found.name }, error };
    }
    if (known.shard === undefined) {
      return { reason: { code: known.merged === undefined ? 'whole' : 'merged', path: found.name } };
    }
    const type = known.kind === 'compare' ? 'CompareResult' : 'AuditResult';
    const result = (await checked(known, type, found)) as AuditResult | CompareResult;
    return { found, folder: path.dirname(found.path), header: headerOf(result, found), result, targets, hash };
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
    const { code, message } = error;
    return { reason: { code: 'unreadable', failure: { code, message } } };
  }
}

function headerOf(result: AuditResult | CompareResult, found: FoundResult): ShardHeader {
  const { tool, settings, startedAt, browser, interrupted, source } = result;
  const parsed = place.safeParse(result.shard);
  if (!parsed.success) throw refused('result-broken', found, parsed.error);
  const time = z.object({ startedAt: z.iso.datetime() }).safeParse({ startedAt });
  if (!time.success) throw refused('result-broken', found, time.error);
  const { machine, ...rest } = parsed.data;
  return {
    kind: result.kind === 'compare' ? 'compare' : 'audit',
    tool,
    settings,
    startedAt,
    browser,
    ...(interrupted === true && { interrupted }),
    place: { ...rest, ...defined({ machine }) },
    sources: result.kind === 'compare' ? { base: result.base.source, candidate: source } : { pages: source },
  };
}

/** By number, each once. The same file twice (a folder and its copy) is no riddle, two measurements are. */
function onePerNumber(shards: readonly FoundShard[], left: LeftOut[]): readonly FoundShard[] {
  const kept = new Map<number, FoundShard>();
  for (const shard of shards) {
    const { index, of } = shard.header.place;
    const before = kept.get(index);
    if (before === undefined) {
      kept.set(index, shard);
      continue;
    }
    refuseForeign(before, shard);
    if (before.hash !== shard.hash) {
      throw new QuiesceError('merge-twice', {
        path: `${before.found.name} and ${shard.found.name}`,
        detail: `${index} of ${of}`,
      });
    }
    left.push({ code: 'copy', path: shard.found.name, of: before.found.name, index });
  }
  return [...kept].sort(([a], [b]) => a - b).map(([, shard]) => shard);
}

function refuseForeign(a: FoundShard, b: FoundShard): void {
  const detail = shardMismatch(a.header, b.header);
  if (detail) throw new QuiesceError('merge-foreign', { path: `${a.found.name} and ${b.found.name}`, detail });
}
