import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createRedactor } from '../../core/har/redact.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { CapacityResult } from '../../model/capacity.ts';
import { BUILDS } from '../../model/compare/build.ts';
import type { ComparePagesResult, CompareResult } from '../../model/compare/comparison.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { CompareReport, TargetReport } from '../../model/result/report.ts';
import type { AuditResult, RunResult, TargetResult } from '../../model/result/result.ts';
import { capacityFormats, fileFormats, type ReportFormat } from '../../reporters/formats.ts';
import type { ResolvedReport } from '../../settings/resolved.ts';
import { realPath } from '../../shell/disk/real-path.ts';
import { storedFile } from '../../shell/disk/stored-file.ts';
import { type FoundResult, RACE_FILE, resultFileOf } from '../../shell/disk/stored-results.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import { type StoredKind, storedName } from '../../wording/text/text.ts';
import type { AuditOutcome } from '../audit/audit.ts';
import type { CapacityOutcome } from '../capacity/capacity.ts';
import { perBuild } from '../compare/builds.ts';
import type { CompareOutcome } from '../compare/compare.ts';
import type { ComparePagesOutcome } from '../compare/compare-pages.ts';
import { resultOfPage } from '../compare/compare-pages-result.ts';
import { picturesOf } from '../engine/evidence/files.ts';
import type { Hooks } from '../engine/job.ts';
import { auditReports, PAGES_WITH_ALL_WATERFALLS } from '../engine/reports/audit-reports.ts';
import { type JobOutput, openOutput } from '../engine/reports/output.ts';
import { withRace } from '../engine/reports/race-file.ts';
import { columnsFor, redactDeep, targetReport } from '../engine/reports/report-model.ts';
import { earlierResult } from '../engine/result/earlier-result.ts';
import { readReported } from '../engine/result/stored-result.ts';
import { linkedHar, StoredVisuals } from './stored-visuals.ts';

/** What a caller may hook into. */
export type ReportHooks = Hooks;

interface Warned {
  /** One line for everything that the reports could not be given. */
  readonly warnings: readonly string[];
}

/** What writing the reports of loaded pages again leaves behind. */
export type PageReportOutcome = (AuditOutcome | CompareOutcome | ComparePagesOutcome) & Warned;

/** What writing reports again leaves behind; that of a capacity is all in its result. */
export type ReportOutcome = PageReportOutcome | (CapacityOutcome & Warned & { readonly report?: undefined });

/** A stored result whose reports are written again. */
export interface StoredReport {
  /** As messages name it. */
  readonly name: string;
  /** The folder of the result, with the files that belong to it. */
  readonly source: string;
  /** Where the reports go. */
  readonly out: string;
  readonly formats: readonly ReportFormat[];
  /** Write also into a folder that has files of other programs. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/**
 * Writes the reports of a stored audit, analysis, comparison or capacity again. Figures and verdicts are those that were stored;
 * waterfalls are drawn from the HARs beside the result, pictures read from its evidence. What is missing there is left
 * out, with a warning. Rejects with a `QuiesceError` when the file is no such result, or nothing can be written.
 */
export async function report(settings: ResolvedReport, hooks: ReportHooks = {}): Promise<ReportOutcome> {
  const file = await fileOf(settings.result);
  const result = await readReported(file);
  const source = path.dirname(file.path);
  const named = path.resolve(settings.out ?? source);
  const out = (await realPath(named)) === (await realPath(source)) ? source : named;
  const { formats, force } = settings;
  const stored: StoredReport = {
    name: settings.result,
    source,
    out,
    // A page in another folder needs all that it links to there.
    formats: out !== source && formats.includes('html') ? [...formats, 'json'] : formats,
    force,
    signal: hooks.signal ?? new AbortController().signal,
    onProgress: (event) => hooks.onProgress?.(event),
  };
  if (result.kind === 'capacity') return reportCapacity(result, stored);
  if (result.kind !== 'compare') return reportAudit(result, stored);
  return 'targets' in result ? reportPages(result, stored) : reportComparison(result, stored);
}

async function fileOf(name: string): Promise<FoundResult> {
  const file = await resultFileOf(name);
  return { name: file, path: path.resolve(file) };
}

/** A value that its types allow and that no job would write must not end in a stack. */
export async function withBrokenResultError<T>(
  { name, signal }: Pick<StoredReport, 'name' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof QuiesceError || signal.aborted) throw error;
    throw new QuiesceError('result-broken', { path: name }, { cause: error });
  }
}

/** The folder of the reports; where it is not that of the result, without what another result has left there. */
async function openFolder({ source, out, formats, force }: StoredReport): Promise<JobOutput> {
  const output = await openOutput(out, formats.length > 0);
  if (out !== source) await (await earlierResult(out, { formats, force }))?.();
  return output;
}

// --- Audits and analyses ------------------------------------------------------------------------------------------

async function reportAudit(result: AuditResult, stored: StoredReport): Promise<PageReportOutcome> {
  const { source, out, formats, signal, onProgress } = stored;
  const analysis = result.kind === 'analysis' ? rulesOf(result) : undefined;
  const redact = createRedactor();
  const { targets, ...header } = result;
  const warnings: string[] = [];
  const visuals = new StoredVisuals({ folder: source, analysis, signal, warnings, onProgress });
  // As many waterfalls as when it was measured.
  const isFew = targets.filter(({ step }) => step === undefined).length <= PAGES_WITH_ALL_WATERFALLS;
  const moved = (target: TargetResult) => (analysis ? withMovedLinks(target, source, out) : target);
  const reports = await withBrokenResultError(stored, () =>
    auditReports(
      {
        header: redactDeep(header, redact),
        targets: targets.map((target) => ({
          result: () => moved(redactDeep(target, redact)),
          visuals: () => visuals.of(target, isFew || analysis !== undefined, redact),
        })),
      },
      signal,
    ),
  );
  const output = await openFolder(stored);
  await withBrokenResultError(stored, () =>
    reports.write({
      formats,
      output,
      signal,
      onPage: (index, of) => onProgress({ kind: 'drawing', index, of }),
    }),
  );
  // HARs of an analysis stay where they are.
  if (formats.length > 0) await copyAssets(targets, analysis === undefined, stored);
  const files = output.files();
  onProgress({ kind: 'written', files });
  return { result: reports.result, report: reports.report, out, files, exit: EXIT.ok, problems: [], warnings };
}

/** What an analysis was to judge by: what it was not given is the file's own. */
function rulesOf({ settings }: AuditResult): Partial<Policy> {
  const { quietWindow, maxInflight, timeout, background, foreground } = settings;
  const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const texts = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) && value.every((each): each is string => typeof each === 'string') ? value : undefined;
  return {
    quietWindow: number(quietWindow),
    maxInflight: number(maxInflight),
    timeout: number(timeout),
    background: texts(background),
    foreground: texts(foreground),
  };
}

/** HARs of an analysis stay where they are: links lead there from the new folder. */
function withMovedLinks(target: TargetResult, source: string, out: string): TargetResult {
  if (source === out) return target;
  const move = (run: RunResult): RunResult => {
    const file = linkedHar(run.har, source);
    if (file === undefined) return run;
    return { ...run, har: path.relative(out, file).split(path.sep).map(encodeURIComponent).join('/') };
  };
  return { ...target, runs: target.runs.map(move) };
}

// --- Comparisons --------------------------------------------------------------------------------------------------

/** Writes the reports of a comparison: figures as they are, waterfalls and pictures from the files beside it. */
export async function reportComparison(result: CompareResult, stored: StoredReport): Promise<CompareOutcome & Warned> {
  const { source, out, formats, signal, onProgress } = stored;
  const warnings: string[] = [];
  const visuals = new StoredVisuals({ folder: source, signal, warnings, onProgress });
  const reports = perBuild((build) => targetReport(result[build], []));
  const drawn = async ({ result: target, representative }: TargetReport): Promise<TargetReport> => ({
    ...targetReport(target, []),
    // The representative run's alone, as when it was compared.
    waterfalls: representative === undefined ? [] : await visuals.waterfalls(target, [representative]),
  });
  const sides = { base: await drawn(reports.base), candidate: await drawn(reports.candidate) };
  const redacted = redactDeep(
    { result, columns: columnsFor([result.base, result.candidate]), ...sides },
    createRedactor(),
  );
  const whole: CompareReport = {
    ...redacted,
    base: { ...redacted.base, pictures: await visuals.thumbnails(result.base.evidence) },
    candidate: { ...redacted.candidate, pictures: await visuals.thumbnails(result.candidate.evidence) },
  };
  const { report: again, race } = await withBrokenResultError(stored, () => withRace(whole, formats));
  signal.throwIfAborted();
  // All of them before the first is written.
  const texts = await withBrokenResultError(stored, () =>
    Promise.all(
      fileFormats
        .filter(({ format }) => formats.includes(format))
        .map(async ({ file, load }) => ({ file, text: (await load()).compare(again) })),
    ),
  );
  const output = await openFolder(stored);
  for (const { file, text } of texts) await output.write(file, text);
  if (race) await output.write(RACE_FILE, race);
  if (formats.length > 0)
    await copyAssets(
      BUILDS.map((build) => result[build]),
      true,
      stored,
    );
  const files = output.files();
  onProgress({ kind: 'written', files });
  return { result: again.result, report: again, out, files, exit: EXIT.ok, problems: [], warnings };
}

/** The same of several pages: each page's own report from its folder, and the list of them. */
async function reportPages(result: ComparePagesResult, stored: StoredReport): Promise<PageReportOutcome> {
  const { source, out, formats, signal, onProgress } = stored;
  const output = await openFolder(stored);
  const pages: (CompareOutcome & Warned)[] = [];
  for (const page of result.targets) {
    const name = storedName('page', `${page.folder}/index.html`);
    if (name === undefined) throw new QuiesceError('result-broken', { path: stored.name, detail: 'targets.folder' });
    const own = formats.filter((format) => format === 'html' && page.leftOut === undefined);
    pages.push(
      await reportComparison(resultOfPage(result, page), {
        ...stored,
        source: path.join(source, page.folder),
        out: path.join(out, page.folder),
        formats: own,
        force: true,
      }),
    );
  }
  const redacted = redactDeep(result, createRedactor());
  const report = {
    result: redacted,
    columns: columnsFor(redacted.targets.flatMap(({ base, candidate }) => [base, candidate])),
    compared: pages.map((page) => page.report),
  };
  signal.throwIfAborted();
  for (const { format, file, load } of fileFormats) {
    if (!formats.includes(format)) continue;
    const { comparePages } = await load();
    await output.write(file, await withBrokenResultError(stored, async () => comparePages(report)));
  }
  const files = [...output.files(), ...pages.flatMap((page) => page.files)];
  onProgress({ kind: 'written', files });
  const warnings = pages.flatMap((page) => page.warnings);
  return { result: redacted, report, out, files, exit: EXIT.ok, problems: [], warnings };
}

// --- Capacities ---------------------------------------------------------------------------------------------------

/** Writes the reports of a capacity: all that they show is in the result. */
async function reportCapacity(result: CapacityResult, stored: StoredReport): Promise<ReportOutcome> {
  const { out, formats, signal, onProgress } = stored;
  const other = formats.find((format) => !capacityFormats.some((each) => each.format === format));
  if (other !== undefined) {
    const choices = capacityFormats.map(({ format }) => format).join(', ');
    throw new QuiesceError('report-format', { path: stored.name, detail: other, suggestion: choices });
  }
  const redacted = redactDeep(result, createRedactor());
  signal.throwIfAborted();
  const texts = await withBrokenResultError(stored, () =>
    Promise.all(
      capacityFormats
        .filter(({ format }) => formats.includes(format))
        .map(async ({ file, load }) => ({ file, text: (await load())(redacted) })),
    ),
  );
  const output = await openFolder(stored);
  for (const { file, text } of texts) await output.write(file, text);
  const files = output.files();
  onProgress({ kind: 'written', files });
  return { result: redacted, out, files, exit: EXIT.ok, problems: [], warnings: [] };
}

// --- Files --------------------------------------------------------------------------------------------------------

/** Copies what pages link to into another folder; what is not there is in the warnings already. */
async function copyAssets(
  targets: readonly TargetResult[],
  withHars: boolean,
  { source, out }: Pick<StoredReport, 'source' | 'out'>,
): Promise<void> {
  if (out === source) return;
  const named = targets.flatMap(({ runs, mainThread, lighthouse, evidence }): readonly Named[] => [
    ...(withHars ? [...runs.map(({ har }) => ['har', har] as const), ['trace', mainThread?.trace] as const] : []),
    ['lighthouse', lighthouse?.report],
    ...picturesOf(evidence).map((file) => ['picture', file] as const),
  ]);
  for (const [kind, name = ''] of named) {
    const from = await storedFile(source, kind, name);
    if (from === undefined) continue;
    await mkdir(path.dirname(path.join(out, name)), { recursive: true });
    await copyFile(from, path.join(out, name)).catch(() => undefined);
  }
}

/** A file that a result names. */
type Named = readonly [StoredKind, string | undefined];
