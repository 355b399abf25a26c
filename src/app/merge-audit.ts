import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { rosterOf, shareSize } from '../core/merge/roster.ts';
import { whyPagesShort } from '../core/merge/stopping.ts';
import { messageFor, UsageError } from '../core/messages.ts';
import type { AuditHeader, AuditResult, Source, TargetResult } from '../model/result.ts';
import { plain } from '../report/text.ts';
import { type FilePart, readPart } from '../shell/result-index.ts';
import { openStore } from '../shell/store.ts';
import { PAGES_WITH_ALL_WATERFALLS } from './audit.ts';
import { exitOfAudit, isMeasured, problemsOfTarget } from './audit-outcome.ts';
import { type AuditReports, pageFiles, writeAuditReports } from './audit-report.ts';
import { linesOf, type Problem, resultHeader } from './job.ts';
import { type MergedFiles, mergedFiles } from './merge-files.ts';
import { asReported, formatsOf, type MergeJob, type MergeOutcome } from './merge-job.ts';
import type { FoundShard, FoundShards } from './merge-shards.ts';
import { type Packed, pack } from './packed.ts';
import { drawnAgain, type Job as ReportJob, sound } from './report-again.ts';
import { redactDeep, redactorFor } from './report-model.ts';
import { checked, refused } from './stored-result.ts';
import { version } from './version.ts';

/** Lines about files that are gone, one by one. */
const TOLD = 10;
/** How long a page is waited for where a result does not say, ms: only a sentence is made of it. */
const UNKNOWN_TIMEOUT = 60_000;

/** A page with the steps after its loads. */
interface Page {
  readonly targets: readonly Packed<TargetResult>[];
  readonly measured: boolean;
  /** Where its shard may have drawn it. */
  readonly file?: string;
}

/** A shard with the pages that it brought. */
interface Shard {
  readonly found: FoundShard;
  readonly pages: readonly Page[];
}

/** Joins shards of an audit: the pages of all in the order of their list. Rejects with a `UsageError`. */
export async function mergeAudit({ shards: found, notes }: FoundShards, job: MergeJob): Promise<MergeOutcome> {
  const files = mergedFiles(job.out);
  const source = commonSource(found);
  const problems: Problem[] = [];
  try {
    const shards: Shard[] = [];
    for (const [i, each] of found.entries()) {
      job.tell({ kind: 'reading', file: each.found.name, index: i + 1, of: found.length });
      shards.push({ found: each, pages: await pagesOf(each, { source, files, problems, job }) });
    }
    return await written(shards, { source, notes, files, problems, job });
  } catch (error) {
    await files.undo();
    throw error;
  }
}

// --- Reading ------------------------------------------------------------------------------------------------------

interface Reading {
  readonly source: Source | undefined;
  readonly files: MergedFiles;
  readonly problems: Problem[];
  readonly job: MergeJob;
}

/** The pages of a shard, read one target at a time; what they name is brought along. */
async function pagesOf(shard: FoundShard, reading: Reading): Promise<readonly Page[]> {
  const { place } = shard.header;
  const { timeout } = shard.result.settings;
  const pages: { targets: Packed<TargetResult>[]; measured: boolean }[] = [];
  const named: Pick<TargetResult, 'name' | 'target' | 'url'>[] = [];
  for (const part of shard.targets) {
    await setImmediate();
    reading.job.signal.throwIfAborted();
    const whole = await broughtTarget(part, shard, reading);
    const called = whole.name ?? (place.total > 1 ? whole.target : undefined);
    const waited = typeof timeout === 'number' ? timeout : UNKNOWN_TIMEOUT;
    reading.problems.push(...problemsOfTarget(whole, waited, called));
    const last = pages.at(-1);
    const isStep = whole.step !== undefined && last !== undefined;
    const page = isStep ? last : { targets: [], measured: true };
    page.targets.push(pack(whole));
    page.measured &&= isMeasured(whole);
    if (isStep) continue;
    pages.push(page);
    const { name, target: typed, url } = whole;
    named.push({ target: typed, url, ...(name !== undefined && { name }) });
  }
  const share = shareSize(place, place.total);
  if (pages.length > share) {
    throw new UsageError('result-broken', {
      path: shard.found.name,
      detail: `it has ${pages.length} pages, and its share is ${share}`,
    });
  }
  // What another version has drawn may look otherwise, and be called otherwise.
  if (shard.header.tool.version !== version()) return pages;
  const drawn = pageFiles(named);
  return pages.map((page, i) => ({ ...page, file: path.join(shard.folder, drawn[i] ?? '') }));
}

/** A target as it stands in the joined result, its files brought along. */
async function broughtTarget(part: FilePart, shard: FoundShard, { source, files }: Reading): Promise<TargetResult> {
  const { result, header, folder, found } = shard;
  const target = await files.bring(await targetIn(await readPart(found, part), shard), folder, '');
  const own = target.source ?? (isDeepStrictEqual(result.source, source) ? undefined : result.source);
  return redactDeep(
    {
      ...target,
      ...(own && { source: own }),
      runs: target.runs.map((run) => ({ ...run, shard: header.place.index })),
    },
    redactorFor(result.settings.harSecrets === true),
  );
}

async function targetIn(text: string, { found }: FoundShard): Promise<TargetResult> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused('result-not-json', found, error);
  }
  return (await checked(value, 'TargetResult', found)) as TargetResult;
}

/** The state of the source that the header speaks of: only where every shard says one. */
function commonSource(shards: readonly FoundShard[]): Source | undefined {
  const sources = shards.map(({ result }) => result.source);
  return sources.every((source) => source !== undefined) ? sources[0] : undefined;
}

// --- Writing ------------------------------------------------------------------------------------------------------

interface Writing extends Reading {
  readonly notes: readonly string[];
}

async function written(shards: readonly Shard[], writing: Writing): Promise<MergeOutcome> {
  const { files, job, problems } = writing;
  const header = headerOf(shards, writing);
  const pages = inOrder(shards);
  const reporting = asReported(job);
  const reports = await writeReports(header, pages, reporting, writing);
  job.tell({ kind: 'written', files: files.files() });
  const lost = lostProblems(header, pages);
  const all = [...lost, ...problems];
  const unmeasured = pages.some(({ measured }) => !measured);
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: job.out,
    files: files.files(),
    exit: exitOfAudit({ interrupted: false, unmeasured, own: lost, problems: all }),
    problems: linesOf(all).map(plain),
    warnings: firstOf(reporting.warnings),
  };
}

/** The reports, written from the files that were brought. */
async function writeReports(
  header: AuditHeader,
  pages: readonly Page[],
  reporting: ReportJob,
  { files, job }: Writing,
): Promise<AuditReports> {
  const few = pages.length <= PAGES_WITH_ALL_WATERFALLS;
  const redact = redactorFor(header.settings.harSecrets === true);
  const store = await openStore(job.out);
  return sound(reporting, () =>
    writeAuditReports({
      header: redactDeep(header, redact),
      targets: pages.flatMap(({ targets, file }) =>
        targets.map((target, i) => ({
          result: () => target.unpack(),
          drawn: () => drawnAgain(target.unpack(), few, redact, reporting),
          ...(i === 0 && file !== undefined && { page: file }),
        })),
      ),
      formats: formatsOf(job),
      store,
      signal: job.signal,
      sizes: files.sizes,
      wrote: files.wrote,
      drawing: (index, of) => job.tell({ kind: 'drawing', index, of }),
    }),
  );
}

function headerOf(shards: readonly Shard[], { source, notes }: Writing): AuditHeader {
  const results = shards.map(({ found }) => found.result as AuditResult);
  const [first] = results;
  if (first === undefined) throw new UsageError('merge-missing');
  const { shard: _shard, out: _out, ...settings } = first.settings;
  const measuredWith = shards[0]?.found.header.tool.version;
  const begun = resultHeader(new Date(Math.min(...results.map(({ startedAt }) => Date.parse(startedAt)))));
  // What one of them alone says is about that shard and not about the list.
  const said = (first.notes ?? []).filter((note) => results.every((result) => result.notes?.includes(note)));
  return {
    ...begun,
    kind: 'audit',
    browser: first.browser,
    settings,
    ...(source && { source }),
    merged: rosterOf(
      shards.map(({ found: { header }, pages }) => {
        const share = shareSize(header.place, header.place.total);
        const brought = pages.filter(({ measured }) => measured).length;
        const short = whyPagesShort(header.interrupted === true, brought, share);
        return { ...header, brought, rules: '', ...(short !== undefined && { short }) };
      }),
      'page',
      [
        ...notes,
        ...(measuredWith === begun.tool.version
          ? []
          : [`Measured with Quiesce ${measuredWith}, joined with ${begun.tool.version}.`]),
      ],
    ),
    ...(said.length > 0 && { notes: said }),
  };
}

/** Pages are dealt one by one: the k-th of shard i of n is page (k − 1)·n + i of the list. */
function inOrder(shards: readonly Shard[]): readonly Page[] {
  return shards
    .flatMap(({ found, pages }) => {
      const { index, of } = found.header.place;
      return pages.map((page, k) => ({ page, position: k * of + index }));
    })
    .sort((a, b) => a.position - b.position)
    .map(({ page }) => page);
}

/** A page that nobody came to measure is one that should have been: what the others say is told all the same. */
function lostProblems({ merged }: AuditHeader, pages: readonly Page[]): readonly Problem[] {
  if (merged === undefined) return [];
  // A page that was only looked at before its shard was ended says nothing of itself.
  const endedEarly = merged.shards.some(({ interrupted, brought, share }) => interrupted === true && brought < share);
  if (pages.length >= merged.total && !endedEarly) return [];
  const detail = merged.sentence.replace(/\.$/, '');
  return [{ code: 'merge-pages-missing', message: messageFor('merge-pages-missing', { detail }) }];
}

function firstOf(warnings: readonly string[]): readonly string[] {
  return warnings.length <= TOLD
    ? warnings
    : [...warnings.slice(0, TOLD), `and ${warnings.length - TOLD} more such files`];
}
