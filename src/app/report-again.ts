import { copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Redactor } from '../core/har/redact.ts';
import { EXIT, messageFor, UsageError } from '../core/messages.ts';
import { waterfallOf } from '../core/waterfall.ts';
import type { CompareResult } from '../model/comparison.ts';
import type { Progress } from '../model/progress.ts';
import type { CompareReport, TargetReport, Waterfall } from '../model/report.ts';
import type { AuditResult, Evidence, RunResult, TargetResult } from '../model/result.ts';
import type { ReportFormat } from '../model/settings.ts';
import { compareReporters } from '../report/index.ts';
import { recordingFile, siblingFile } from '../report/text.ts';
import { openStore } from '../shell/store.ts';
import { type FoundResult } from '../shell/stored-results.ts';
import { copyOfStored } from './album.ts';
import { type AnalyzeSettings, agreed, type Load, loadsOf } from './analyze.ts';
import { type AuditOutcome, PAGES_WITH_ALL_WATERFALLS } from './audit.ts';
import { auditReports } from './audit-report.ts';
import type { Drawn } from './audited-target.ts';
import { BUILDS, perBuild } from './builds.ts';
import type { CompareOutcome } from './compare.ts';
import { picturesOf } from './evidence-files.ts';
import type { Problem } from './job.ts';
import { COLUMNS, redactDeep, redactorFor, representativeRun, targetReport } from './report-model.ts';
import { readComplete } from './stored-result.ts';

/** What writing reports again can be told. */
export interface ReportSettings {
  /** A result.json, or the folder that holds one. */
  readonly result: string;
  /** Folder for the reports; beside the result when absent. HARs and pictures are copied to another one. */
  readonly out?: string;
  readonly format: readonly Exclude<ReportFormat, 'har'>[];
}

/** What a caller may hook into. */
export interface ReportHooks {
  /** Ends it before anything is written. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
}

/** What writing reports again leaves behind. */
export type ReportOutcome = (AuditOutcome | CompareOutcome) & {
  /** One line for everything that the reports could not be given. */
  readonly warnings: readonly string[];
};

/** Larger pictures are none of ours. */
const LARGEST_PICTURE = 20 * 1024 * 1024;

/**
 * Writes the reports of a stored audit, analysis or comparison again. Figures and verdicts are those that were stored;
 * waterfalls are drawn from the HARs beside the result, pictures read from its evidence. What is missing there is left
 * out and told. Rejects with a `UsageError` when the file is no such result, or nothing can be written.
 */
export async function report(settings: ReportSettings, hooks: ReportHooks = {}): Promise<ReportOutcome> {
  const file = await fileOf(settings.result);
  const result = await readComplete(file);
  const source = path.dirname(file.path);
  const job: Job = {
    settings,
    source,
    out: path.resolve(settings.out ?? source),
    signal: hooks.signal ?? new AbortController().signal,
    warnings: [],
    tell: (event) => hooks.onProgress?.(event),
  };
  return result.kind === 'compare' ? comparisonAgain(result, job) : auditAgain(result, job);
}

/** Writing reports again. */
export interface Job {
  readonly settings: ReportSettings;
  /** Where the result lies, with what belongs to it. */
  readonly source: string;
  /** Where the reports go. */
  readonly out: string;
  readonly signal: AbortSignal;
  readonly warnings: string[];
  tell(event: Progress): void;
}

async function fileOf(name: string): Promise<FoundResult> {
  const found = await stat(name).catch(() => undefined);
  const file = found?.isDirectory() ? path.join(name, 'result.json') : name;
  return { name: file, path: path.resolve(file) };
}

async function auditAgain(result: AuditResult, job: Job): Promise<ReportOutcome> {
  const isAnalysis = result.kind === 'analysis';
  const pages = new PagesOfFiles(isAnalysis ? rulesOf(result) : {}, job);
  const redact = redactorFor(keepsSecrets(result));
  const { targets, ...header } = result;
  const few = targets.filter(({ step }) => step === undefined).length <= PAGES_WITH_ALL_WATERFALLS;
  const reports = await sound(job, () =>
    auditReports(
      {
        header: redactDeep(header, redact),
        targets: targets.map((target) => ({
          result: () => movedLinks(redactDeep(target, redact), isAnalysis, job),
          // As many as when it was measured.
          drawn: () => drawnOf(target, { few: few || isAnalysis, isAnalysis, pages, redact }, job),
        })),
      },
      job.signal,
    ),
  );
  const files: string[] = [];
  const store = await openStore(job.out);
  await sound(job, () =>
    reports.write({
      formats: formatsOf(job),
      store,
      signal: job.signal,
      wrote: (file) => files.push(file),
      drawing: (index, of) => job.tell({ kind: 'drawing', index, of }),
    }),
  );
  if (job.out !== job.source) await bring(targets, isAnalysis, job);
  job.tell({ kind: 'written', files });
  return { result: reports.result, report: reports.report, ...left(files, job) };
}

/**
 * What only the page of an audit's target shows, from the files beside the result.
 *
 * @param few the waterfalls of all timed runs, or only of the one that stands for the target
 */
export function drawnAgain(target: TargetResult, few: boolean, redact: Redactor, job: Job): Promise<Drawn> {
  return drawnOf(target, { few, isAnalysis: false, pages: new PagesOfFiles({}, job), redact }, job);
}

async function drawnOf(target: TargetResult, { few, isAnalysis, pages, redact }: Drawing, job: Job): Promise<Drawn> {
  const timed = target.runs.filter(({ role, ok }) => role === 'timed' && ok);
  const one = few ? undefined : representativeRun(target.runs);
  const waterfalls = await waterfallsOf(target, one === undefined ? timed : [one], isAnalysis, pages, job);
  return { waterfalls: redactDeep(waterfalls, redact), thumbnails: await thumbnailsOf(target.evidence, job) };
}

interface Drawing {
  /** Every timed run is drawn. */
  readonly few: boolean;
  readonly isAnalysis: boolean;
  readonly pages: PagesOfFiles;
  readonly redact: Redactor;
}

/** A value that its types allow and that no job would write must not end in a stack. */
export async function sound<T>({ settings, signal }: Job, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error;
    throw new UsageError(
      'result-broken',
      { path: settings.result, detail: 'its values do not go together' },
      { cause: error },
    );
  }
}

/** Writes the reports of a comparison: figures as they are, waterfalls and pictures from the files beside it. */
export async function comparisonAgain(result: CompareResult, job: Job): Promise<ReportOutcome> {
  const pages = new PagesOfFiles({}, job);
  const waterfalls = { base: [] as readonly Waterfall[], candidate: [] as readonly Waterfall[] };
  for (const build of BUILDS) {
    // The representative run's alone, as when it was compared.
    const { representative } = targetReport(result[build], []);
    if (representative === undefined) continue;
    waterfalls[build] = await waterfallsOf(result[build], [representative], false, pages, job);
  }
  const { base, candidate, ...rest } = redactDeep(
    {
      result,
      columns: COLUMNS,
      ...perBuild((build): TargetReport => ({ ...targetReport(result[build], []), waterfalls: waterfalls[build] })),
    },
    redactorFor(keepsSecrets(result)),
  );
  const again: CompareReport = {
    ...rest,
    base: { ...base, pictures: await thumbnailsOf(result.base.evidence, job) },
    candidate: { ...candidate, pictures: await thumbnailsOf(result.candidate.evidence, job) },
  };
  const files = await write(again, [result.base, result.candidate], job);
  return { result: again.result, report: again, ...left(files, job) };
}

function keepsSecrets({ kind, settings }: AuditResult | CompareResult): boolean {
  return kind !== 'analysis' && settings.harSecrets === true;
}

function left(files: readonly string[], { out, warnings }: Job) {
  return { out, files, exit: EXIT.ok, problems: [], warnings };
}

// --- Waterfalls ---------------------------------------------------------------------------------------------------

/** The pages of the files that runs name: each file is read once, and each of its pages belongs to one run. */
class PagesOfFiles {
  readonly #settings: AnalyzeSettings;
  readonly #job: Job;
  readonly #files = new Map<string, Promise<Load[] | undefined>>();

  constructor(rules: Partial<AnalyzeSettings>, job: Job) {
    this.#settings = { ...rules, files: [], format: [] };
    this.#job = job;
  }

  /** The next page of a file with this address; undefined when there is none, or when the file cannot be read. */
  async next(file: string, url: string): Promise<Load | undefined> {
    const known = this.#files.get(file) ?? this.#read(file);
    this.#files.set(file, known);
    const loads = await known;
    if (!loads) return undefined;
    const same = loads.findIndex(({ read }) => read.navigation.url === url);
    // Addresses were redacted after they had been loaded; a file with one page leaves no doubt.
    return loads.splice(same < 0 ? 0 : same, 1)[0];
  }

  async #read(file: string): Promise<Load[] | undefined> {
    const problems: Problem[] = [];
    // Between two files Ctrl-C is heard and progress drawn.
    await setImmediate();
    this.#job.signal.throwIfAborted();
    const name = path.basename(file);
    const loads = await loadsOf({ name, path: file }, { settings: this.#settings, problems, warnings: [] }, NOTHING);
    return loads.length === 0 ? undefined : [...loads];
  }
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

async function waterfallsOf(
  target: TargetResult,
  runs: readonly RunResult[],
  isAnalysis: boolean,
  pages: PagesOfFiles,
  job: Job,
): Promise<readonly Waterfall[]> {
  const found: { readonly run: RunResult; readonly load: Load }[] = [];
  const missing: string[] = [];
  for (const [i, run] of runs.entries()) {
    const file = pathOf(run.har, isAnalysis, job.source);
    if (file === undefined) continue;
    job.tell({ kind: 'reading', file: path.basename(file), index: i + 1, of: runs.length });
    const load = await pages.next(file, target.url);
    if (load) found.push({ run, load });
    else missing.push(run.har ?? '');
  }
  if (missing.length > 0) {
    const many = missing.length > 1 ? ` and ${missing.length - 1} more of ${target.target}` : '';
    job.warnings.push(
      messageFor('har-gone', {
        path: `${missing[0]}${many}`,
        detail: missing.length > 1 ? 'their waterfalls are' : 'its waterfall is',
      }),
    );
  } else if (found.length === 0 && runs.length > 0) {
    job.warnings.push(`${target.target}: no HAR was kept, so there is no waterfall.`);
  }
  // In an analysis the runs of a page were judged together; an audit's HARs carry what it had learnt.
  const settled = isAnalysis ? agreed(found.map(({ load }) => load)) : found.map(({ load }) => load);
  return settled.map(({ visit, policy }, i) => waterfallOf(visit, policy, found[i]?.run.index ?? 0));
}

/** The file that a run names: beside the result, or, of an analysis, wherever the HAR lay. Nothing else is opened. */
function pathOf(har: string | undefined, isAnalysis: boolean, folder: string): string | undefined {
  if (har === undefined) return undefined;
  const sibling = siblingFile(har);
  if (sibling !== undefined) return path.join(folder, sibling);
  const recording = isAnalysis ? recordingFile(har) : undefined;
  if (recording === undefined) return undefined;
  try {
    return path.join(folder, ...recording.split('/').map(decodeURIComponent));
  } catch {
    return undefined;
  }
}

/** What an analysis was told to judge by: what it was not told is the file's own. */
function rulesOf({ settings }: AuditResult): Partial<AnalyzeSettings> {
  const { quietWindow, maxInflight, timeout, background, foreground } = settings;
  const texts = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string');
  return {
    ...(typeof quietWindow === 'number' && { quietWindow }),
    ...(typeof maxInflight === 'number' && { maxInflight }),
    ...(typeof timeout === 'number' && { timeout }),
    ...(texts(background) && { background }),
    ...(texts(foreground) && { foreground }),
  };
}

// --- Pictures -----------------------------------------------------------------------------------------------------

/** The small copies that a page carries in itself. */
async function thumbnailsOf(evidence: Evidence | undefined, job: Job): Promise<Readonly<Record<string, string>>> {
  const thumbnails: Record<string, string> = {};
  const missing: string[] = [];
  for (const file of picturesOf(evidence)) {
    try {
      const whole = path.join(job.source, file);
      if ((await stat(whole)).size > LARGEST_PICTURE) throw new Error('too large');
      thumbnails[file] = copyOfStored(await readFile(whole));
    } catch {
      // Gone, or no picture: the page shows what there is.
      missing.push(file);
    }
  }
  if (missing.length > 0) {
    const left =
      missing.length > 1 ? ` and ${missing.length - 1} more cannot be read: they are` : ' cannot be read: it is';
    job.warnings.push(`${missing[0]}${left} left out.`);
  }
  return thumbnails;
}

// --- Files --------------------------------------------------------------------------------------------------------

/** HARs of an analysis stay where they are: links lead there from the new folder. */
function movedLinks(target: TargetResult, isAnalysis: boolean, { source, out }: Job): TargetResult {
  if (!isAnalysis || source === out) return target;
  const move = (run: RunResult): RunResult => {
    const file = pathOf(run.har, true, source);
    if (file === undefined) return run;
    return { ...run, har: path.relative(out, file).split(path.sep).map(encodeURIComponent).join('/') };
  };
  return { ...target, runs: target.runs.map(move) };
}

function formatsOf({ settings: { format }, source, out }: Job): readonly ReportFormat[] {
  // A page in another folder needs all that it links to there.
  return out !== source && format.includes('html') ? [...format, 'json'] : format;
}

async function write(again: CompareReport, targets: readonly TargetResult[], job: Job): Promise<readonly string[]> {
  job.signal.throwIfAborted();
  const formats = formatsOf(job);
  const texts = await sound(job, async () =>
    compareReporters
      .filter(({ format }) => formats.includes(format))
      .map(({ file, render }) => ({ file, text: render(again) })),
  );
  const store = await openStore(job.out);
  const files: string[] = [];
  for (const { file, text } of texts) files.push(await store.write(file, text));
  if (job.out !== job.source) await bring(targets, false, job);
  job.tell({ kind: 'written', files });
  return files;
}

/** Brings what pages link to along; what is not there has been told. */
async function bring(targets: readonly TargetResult[], isAnalysis: boolean, { source, out }: Job): Promise<void> {
  const hars = isAnalysis ? [] : targets.flatMap(({ runs }) => runs.flatMap(({ har }) => siblingFile(har) ?? []));
  const inspections = targets.flatMap(({ lighthouse }) => siblingFile(lighthouse?.report) ?? []);
  for (const file of new Set([...hars, ...inspections, ...targets.flatMap(({ evidence }) => picturesOf(evidence))])) {
    await mkdir(path.dirname(path.join(out, file)), { recursive: true });
    await copyFile(path.join(source, file), path.join(out, file)).catch(() => undefined);
  }
}
