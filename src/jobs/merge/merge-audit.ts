import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createRedactor } from '../../core/har/redact.ts';
import { versionNote } from '../../core/merge/merge-notes.ts';
import { shareSize } from '../../core/shards.ts';
import { defined } from '../../core/text/defined.ts';
import type { AuditHeader, AuditResult, Source, TargetResult } from '../../model/result/result.ts';
import type { MergeNote } from '../../model/shards/merge-note.ts';
import { failOnOfAudit } from '../../result/fail-on.ts';
import { outcomeOf } from '../../result/outcome.ts';
import { type FilePart, readPart } from '../../shell/disk/result-index.ts';
import { openStore } from '../../shell/disk/store.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { rosterOf } from '../../wording/shards/summaries.ts';
import { listed } from '../../wording/text/format.ts';
import { plain } from '../../wording/text/text.ts';
import { exitOfAudit, problemsOfTarget } from '../audit/audit-exit.ts';
import { type Compressed, pack } from '../engine/code/compressed.ts';
import { resultHeader } from '../engine/job.ts';
import { type Problem, problem, shownProblems } from '../engine/problem.ts';
import { type AuditReports, PAGES_WITH_ALL_WATERFALLS, writeAuditReports } from '../engine/reports/audit-reports.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { checked, refused } from '../engine/result/stored-result.ts';
import { type StoredReport, withBrokenResultError } from '../report/report.ts';
import { StoredVisuals } from '../report/stored-visuals.ts';
import { type MergedFiles, mergedFiles } from './merge-files.ts';
import { asStored, type MergeJob, type MergeOutcome } from './merge-job.ts';
import type { FoundShard, FoundShards } from './merge-shards.ts';

/** Files that are gone are listed up to here, one by one. */
const MAX_MISSING_FILES = 10;
/** How long a page is waited for where a result does not say, ms: only a sentence is made of it. */
const UNKNOWN_TIMEOUT = 60_000;

/** A page with the steps after its loads. */
interface Page {
  readonly targets: readonly Compressed<TargetResult>[];
  readonly measured: boolean;
}

/** A shard with the pages that it brought. */
interface Shard {
  readonly found: FoundShard;
  readonly pages: readonly Page[];
}

/** Joins shards of an audit: the pages of all in the order of their list. Rejects with a `QuiesceError`. */
export async function mergeAudit({ shards: found, notes }: FoundShards, asked: MergeJob): Promise<MergeOutcome> {
  const job = { ...asked, failOn: failOnOfAudit(asked.failOn, found[0].result.settings) };
  const files = mergedFiles(job.out);
  const source = commonSource(found);
  const problems: Problem[] = [];
  try {
    const shards: Shard[] = [];
    for (const [i, each] of found.entries()) {
      job.onProgress({ kind: 'reading', file: each.found.name, index: i + 1, of: found.length });
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

/** The pages of a shard, read one target at a time; the files that they name are placed in the joined folder. */
async function pagesOf(shard: FoundShard, reading: Reading): Promise<readonly Page[]> {
  const { place } = shard.header;
  const { timeout } = shard.result.settings;
  const pages: { targets: Compressed<TargetResult>[]; measured: boolean }[] = [];
  for (const part of shard.targets) {
    await setImmediate();
    reading.job.signal.throwIfAborted();
    const whole = await placedTarget(part, shard, reading);
    const called = whole.name ?? (place.total > 1 ? whole.target : undefined);
    const waited = typeof timeout === 'number' ? timeout : UNKNOWN_TIMEOUT;
    reading.problems.push(...problemsOfTarget(whole, waited, reading.job.failOn, called));
    const last = pages.at(-1);
    const isStep = whole.step !== undefined && last !== undefined;
    const page = isStep ? last : { targets: [], measured: true };
    page.targets.push(pack(whole));
    page.measured &&= outcomeOf(whole) !== 'unmeasured';
    if (!isStep) pages.push(page);
  }
  const share = shareSize(place, place.total);
  if (pages.length > share) {
    throw new QuiesceError('result-broken', {
      path: shard.found.name,
      detail: `it has ${pages.length} pages, and its share is ${share}`,
    });
  }
  return pages;
}

/** A target as it stands in the joined result, its files placed. */
async function placedTarget(part: FilePart, shard: FoundShard, { source, files }: Reading): Promise<TargetResult> {
  const { result, header, folder, found } = shard;
  const target = await files.place(await targetIn(await readPart(found, part), shard), folder, '');
  const own = target.source ?? (isDeepStrictEqual(result.source, source) ? undefined : result.source);
  return redactDeep(
    {
      ...target,
      ...defined({ source: own }),
      runs: target.runs.map((run) => ({ ...run, shard: header.place.index })),
    },
    createRedactor(),
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
  readonly notes: readonly MergeNote[];
}

async function written(shards: readonly Shard[], writing: Writing): Promise<MergeOutcome> {
  const { files, job, problems } = writing;
  const header = headerOf(shards, writing);
  const pages = inOrder(shards);
  const lost = lostProblems(header, pages);
  const all = [...lost, ...problems];
  const unmeasured = pages.some(({ measured }) => !measured);
  const exit = exitOfAudit({ interrupted: false, unmeasured, own: lost, problems: all, failOn: job.failOn });
  const warnings: string[] = [];
  const reports = await writeReports({ ...header, exit }, pages, asStored(job), warnings, writing);
  job.onProgress({ kind: 'written', files: files.files() });
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: job.out,
    files: files.files(),
    exit,
    problems: shownProblems(all, { text: plain }),
    warnings: firstOf(warnings),
  };
}

/** The reports, written from the files that were placed. */
async function writeReports(
  header: AuditHeader,
  pages: readonly Page[],
  stored: StoredReport,
  warnings: string[],
  { files, job }: Writing,
): Promise<AuditReports> {
  const isFew = pages.length <= PAGES_WITH_ALL_WATERFALLS;
  const redact = createRedactor();
  const { source: folder, formats, signal, onProgress } = stored;
  const { write } = await openStore(job.out);
  return withBrokenResultError(stored, () =>
    writeAuditReports({
      header: redactDeep(header, redact),
      targets: pages.flatMap(({ targets }) =>
        targets.map((target) => ({
          result: () => target.unpack(),
          // A reader for each: of many pages none is kept.
          visuals: () => new StoredVisuals({ folder, signal, warnings, onProgress }).of(target.unpack(), isFew, redact),
        })),
      ),
      formats,
      output: {
        folder: job.out,
        write: async (name, content) => files.add(await write(name, content)),
      },
      signal,
      sizes: files.sizes,
      onPage: (index, of) => onProgress({ kind: 'drawing', index, of }),
    }),
  );
}

function headerOf(shards: readonly Shard[], { source, notes }: Writing): AuditHeader {
  const results = shards.map(({ found }) => found.result as AuditResult);
  const [first] = results;
  if (first === undefined) throw new QuiesceError('merge-missing');
  const { shard: _shard, out: _out, ...settings } = first.settings;
  const own = resultHeader(new Date(Math.min(...results.map(({ startedAt }) => Date.parse(startedAt)))));
  // What one of them alone says is about that shard and not about the list.
  const { notes: said = [], noteFacts } = first;
  const ofAll = said.map((note) => results.every((result) => result.notes?.includes(note)));
  return {
    ...own,
    kind: 'audit',
    browser: first.browser,
    settings,
    ...defined({ source }),
    merged: rosterOf(
      shards.map(({ found: { header }, pages }) => {
        const brought = pages.filter(({ measured }) => measured).length;
        return { ...header, brought, rules: '' };
      }),
      'page',
      [...notes, ...versionNote(shards[0]?.found.header.tool.version, own.tool.version)],
    ),
    ...(ofAll.includes(true) && {
      notes: said.filter((_, i) => ofAll[i]),
      noteFacts: noteFacts?.filter((_, i) => ofAll[i]),
    }),
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

/** A page of a lost shard should have been measured: that is a problem, and what the others say stands. */
function lostProblems({ merged }: AuditHeader, pages: readonly Page[]): readonly Problem[] {
  if (merged === undefined) return [];
  // A page that was only looked at before its shard was ended says nothing of itself.
  const endedEarly = merged.shards.some(({ interrupted, brought, share }) => interrupted === true && brought < share);
  if (pages.length >= merged.total && !endedEarly) return [];
  return [problem('merge-pages-missing', { detail: merged.sentence })];
}

function firstOf(warnings: readonly string[]): readonly string[] {
  return listed(warnings, MAX_MISSING_FILES, 'such file');
}
