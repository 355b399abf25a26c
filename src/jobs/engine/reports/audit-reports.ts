import { setImmediate } from 'node:timers/promises';
import { pageSlugs } from '../../../core/text/slug.ts';
import type { AuditReport, TargetReport, WholeTarget } from '../../../model/result/report.ts';
import type { AuditHeader, AuditResult, TargetResult } from '../../../model/result/result.ts';
import { fileFormats, otherFilesOf, type ReportFormat } from '../../../reporters/formats.ts';
import { PAGES_FOLDER, type PageWithSteps, pagesWithSteps } from '../../../result/pages-with-steps.ts';
import { toTargetSummary } from '../../../result/run-summary.ts';
import { verdictOf, worstVerdict } from '../../../result/verdict.ts';
import { auditSentence, pageSentence } from '../../../wording/result/outcome.ts';
import { safeHref } from '../../../wording/text/text.ts';
import type { ReportedTarget } from '../result/reported-target.ts';
import type { OutputFolder } from './output.ts';
import { columnsFor, targetReport } from './report-model.ts';

/**
 * More pages than this are a file each, and index.html a table of them. A page of a hundred requests weighs 120 kB, with
 * the waterfall of one run: fifty make a file that still opens in a second and that mail servers still take.
 */
export const PAGES_IN_ONE_FILE = 50;
/** So many pages show the waterfall of every run; of more, each shows that of one run, or the report cannot be opened. */
export const PAGES_WITH_ALL_WATERFALLS = 10;
/** Small copies of pictures that one file can be given, letters: as many as it takes in. The pictures are files beside it. */
const MOST_THUMBNAILS = 8_000_000;

/** An audit or an analysis that is over. */
export interface AuditToReport {
  /** Redacted. */
  readonly header: AuditHeader;
  /** In the order of the result; the steps of a page behind it. */
  readonly targets: readonly ReportedTarget[];
  /** How large the recordings and pictures beside the reports are, bytes, by their path. */
  sizes?(): Readonly<Record<string, number>>;
}

/** How reports are written. */
export interface ReportWriting {
  readonly formats: readonly ReportFormat[];
  readonly output: OutputFolder;
  /** Ends it between two targets. */
  readonly signal?: AbortSignal;
  /** Called before each page's own file, from 1. */
  onPage?(index: number, of: number): void;
}

/** An audit's reports. */
export interface AuditReports {
  /** Up to `PAGES_IN_ONE_FILE` pages whole. Of more its targets hold what tables of many pages show. */
  readonly report: AuditReport;
  /** Whole; of many pages it is put together when it is first asked for. */
  readonly result: AuditResult;
  /** Rejects with a `QuiesceError` when they cannot be written, and with the signal's reason. */
  write(writing: ReportWriting): Promise<void>;
}

/** The reports of an audit of any size; more than one target at a time are in memory only where they are few. */
export async function auditReports(audit: AuditToReport, signal?: AbortSignal): Promise<AuditReports> {
  const summaries: TargetReport[] = [];
  const whole = wholeOf(audit);
  for (const index of audit.targets.keys()) {
    await turn(signal);
    summaries.push(toTargetSummary(whole(index)));
  }
  const concluded = { ...audit, header: withAnswer(audit.header, summaries) };
  const pages = pagesWithSteps(summaries);
  return pages.length <= PAGES_IN_ONE_FILE ? inOneFile(concluded, signal) : inManyFiles(concluded, summaries, pages);
}

/** The header with what its targets come to together. */
function withAnswer(header: AuditHeader, targets: readonly TargetReport[]): AuditHeader {
  return {
    ...header,
    sentence: auditSentence(header, targets),
    verdict: worstVerdict(targets.map(({ result }) => verdictOf(result))),
  };
}

/** The same, written at once. */
export async function writeAuditReports(writing: AuditToReport & ReportWriting): Promise<AuditReports> {
  const reports = await auditReports(writing, writing.signal);
  await reports.write(writing);
  return reports;
}

/** Between two targets Ctrl-C is heard and progress drawn. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

function wholeOf({ header, targets }: AuditToReport): WholeTarget {
  return (index) => {
    const target = targets[index];
    if (target === undefined) throw new RangeError(`there is no target ${index}`);
    const report = answered(targetReport(target.result(), [], header.kind === 'analysis'));
    return target.notes === undefined ? report : { ...report, notes: [...report.notes, ...target.notes] };
  };
}

/** A target whose result says in a sentence and in a word what it comes to. */
function answered(target: TargetReport): TargetReport {
  const { result } = target;
  return { ...target, result: { ...result, sentence: pageSentence(target), verdict: verdictOf(result) } };
}

function sizesOf({ sizes }: AuditToReport): Pick<AuditReport, 'sizes'> {
  return sizes === undefined ? {} : { sizes: sizes() };
}

/** The same target with what its page shows. */
async function drawnTarget(audit: AuditToReport, index: number): Promise<TargetReport> {
  const { result, notes } = wholeOf(audit)(index);
  const { waterfalls, thumbnails } = (await audit.targets[index]?.visuals()) ?? { waterfalls: [], thumbnails: {} };
  const analysis = audit.header.kind === 'analysis';
  return { ...targetReport(result, waterfalls, analysis), notes, pictures: thumbnails };
}

// --- Few pages ----------------------------------------------------------------------------------------------------

async function inOneFile(audit: AuditToReport, signal: AbortSignal | undefined): Promise<AuditReports> {
  const targets: TargetReport[] = [];
  let letters = 0;
  for (const index of audit.targets.keys()) {
    await turn(signal);
    const target = await drawnTarget(audit, index);
    letters += Object.values(target.pictures ?? {}).reduce((sum, { length }) => sum + length, 0);
    targets.push(letters <= MOST_THUMBNAILS ? target : { ...target, pictures: {} });
  }
  const result = { ...audit.header, targets: targets.map((target) => target.result) };
  const report: AuditReport = {
    result,
    columns: columnsFor(result.targets),
    targets,
    files: otherFilesOf(result.settings),
    ...sizesOf(audit),
  };
  return {
    report,
    result,
    write: (writing) => writeEach(report, (index) => targets[index] ?? unknown(index), writing),
  };
}

function unknown(index: number): never {
  throw new RangeError(`there is no target ${index}`);
}

// --- Many pages ---------------------------------------------------------------------------------------------------

function inManyFiles(
  audit: AuditToReport,
  summaries: readonly TargetReport[],
  pages: readonly PageWithSteps[],
): AuditReports {
  const { header, targets } = audit;
  const files = pageFiles(pages.map(({ page: { target } }) => target.result));
  const places = new Map(
    pages.flatMap(({ page, steps }, i) =>
      [page, ...steps].map(({ index }, nth) => {
        const file = (files[i] ?? '').split('/').map(encodeURIComponent).join('/');
        // Its steps stand below it, each with an anchor.
        return [index, nth === 0 ? file : `${file}#t${nth + 1}`] as const;
      }),
    ),
  );
  const report: AuditReport = {
    result: { ...header, targets: summaries.map(({ result }) => result) },
    columns: columnsFor(summaries.map(({ result }) => result)),
    targets: summaries,
    files: otherFilesOf(header.settings),
    pages: summaries.map((_, index) => places.get(index) ?? ''),
    ...sizesOf(audit),
  };
  let result: AuditResult | undefined;
  return {
    report,
    get result() {
      const whole = wholeOf(audit);
      result ??= { ...header, targets: targets.map((_, index) => whole(index).result) };
      return result;
    },
    async write(writing) {
      if (writing.formats.includes('html')) {
        const { renderHtml } = await import('../../../reporters/html/index.tsx');
        for (const [i, { page, steps }] of pages.entries()) {
          await turn(writing.signal);
          writing.onPage?.(i + 1, pages.length);
          const drawn: TargetReport[] = [];
          for (const { index } of [page, ...steps]) drawn.push(await drawnTarget(audit, index));
          await writing.output.write(files[i] ?? '', renderHtml(onePage(report, drawn)));
        }
      }
      await writeEach(report, wholeOf(audit), writing);
    },
  };
}

/** Where each page of a list has a file of its own when they are many, beside the index. */
export function pageFiles(pages: readonly Pick<TargetResult, 'name' | 'target' | 'url'>[]): readonly string[] {
  const slugs = pageSlugs(
    pages.map(({ name, target, url }) => ({
      name,
      otherwise: target,
      ...(safeHref(target) !== undefined && URL.canParse(url) && { url }),
    })),
  );
  return slugs.map((slug) => `${PAGES_FOLDER}/${slug}.html`);
}

/** The report of one of many pages. How the list of them came about is said in their index. */
function onePage({ result, pages: _, ...rest }: AuditReport, targets: readonly TargetReport[]): AuditReport {
  const { notes: _notes, ...header } = result;
  const own = { ...header, targets: targets.map((target) => target.result) };
  return { ...rest, result: own, targets, oneOfMany: true };
}

// --- Files --------------------------------------------------------------------------------------------------------

/** Every format that is one file for the whole job. */
async function writeEach(report: AuditReport, whole: WholeTarget, writing: ReportWriting): Promise<void> {
  const { formats, output, signal } = writing;
  for (const { format, file, load } of fileFormats) {
    if (!formats.includes(format)) continue;
    const writers = await load();
    await output.write(file, withBreaks(writers.audit(report, whole), signal));
  }
}

async function* withBreaks(pieces: Iterable<string>, signal: AbortSignal | undefined): AsyncIterable<string> {
  for (const piece of pieces) {
    await turn(signal);
    yield piece;
  }
}
