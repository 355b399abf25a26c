import path from 'node:path';
import { roundOrder } from '../core/experiment/round-order.ts';
import { EXIT, exitFor, type MessageCode, messageFor, UsageError } from '../core/messages.ts';
import { whileWaiting } from '../core/sentences.ts';
import { shownCommand } from '../core/shown-command.ts';
import { slugOf } from '../core/slug.ts';
import type { Progress } from '../model/progress.ts';
import type { AuditReport } from '../model/report.ts';
import type { AuditResult, TargetResult } from '../model/result.ts';
import type { AuditSettings, ReportFormat } from '../model/settings.ts';
import { reporters } from '../report/index.ts';
import { openSpill } from '../shell/spill.ts';
import { openStore, type Store } from '../shell/store.ts';
import { type AuditedPage, auditPage } from './audit-page.ts';
import { type AuditSaving, saveAsItGrows } from './audit-saving.ts';
import { budgetProblems } from './budgets.ts';
import {
  browserOf,
  defaultFolder,
  type JobHooks,
  type JobOutcome,
  linesOf,
  openLabs,
  type Problem,
  problemOf,
  resultHeader,
} from './job.ts';
import type { LabKeeper } from './labs.ts';
import { eraserOf, redactorOf, withoutSecrets } from './load-options.ts';
import { namesPages } from './names-pages.ts';
import { allPages, listedPages, type Page, type PageSurroundings } from './pages.ts';
import { auditReport, redactDeep, withPictures } from './report-model.ts';
import { openServer, type ServerUnderTest } from './server.ts';
import { type Sources, sourcesOf } from './source.ts';

/** What a caller of `audit` may hook into. */
export interface AuditHooks extends JobHooks<AuditSettings> {
  /** What a `urlsFile` of `-` reads; the process's own when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What an audit leaves behind. */
export type AuditOutcome = JobOutcome<AuditResult, AuditReport>;

/** So many pages show the waterfall of every run; of more, each shows that of one run, or the report cannot be opened. */
const PAGES_WITH_ALL_WATERFALLS = 10;
/** Small copies of pictures that are kept for the report, letters: as many as it takes in. The pictures lie beside it. */
const MOST_THUMBNAILS = 8_000_000;

/**
 * Loads every page several times in fresh profiles, judges each load, and writes reports; results are on disk after
 * every run. Several pages take turns: first each is proved, then each round loads every page once. Rejects with a
 * `UsageError` when nothing could be begun.
 */
export async function audit(settings: AuditSettings, hooks: AuditHooks = {}): Promise<AuditOutcome> {
  if (!namesPages(settings)) throw new UsageError('target-missing');
  const signal = hooks.signal ?? new AbortController().signal;
  const eraser = eraserOf(settings);
  const tell = (event: Progress): void => hooks.onProgress?.(redactDeep(event, eraser));
  const notes: string[] = [];
  const surroundings: PageSurroundings = {
    signal,
    stdin: hooks.stdin ?? process.stdin,
    note(message) {
      notes.push(message);
      tell({ kind: 'note', message });
    },
  };
  let browser: AuditResult['browser'] = { product: 'none' };
  const startedAt = new Date();
  const labs = await openLabs(settings, hooks, (lab) => {
    browser = browserOf(lab);
  });
  // What is wrong with the list is told before a server is started for nothing.
  const found = await listedPages(settings, surroundings);
  const server = await openServer(settings, signal, tell);
  try {
    const pages = await allPages(found, settings, surroundings);
    const folder = settings.out ?? defaultFolder(pages[0]?.target.slug ?? 'audit', startedAt);
    const sources = await sourcesOf(
      pages.map(({ target }) => target),
      settings.commit,
    );
    const sizes = new Map<string, number>();
    const store = withSizes(await openStore(path.resolve(folder)), sizes);
    const job: Job = {
      settings,
      pages,
      sources,
      store,
      sizes,
      labs,
      signal,
      tell,
      server,
      audited: [],
      files: new Set(),
      problems: [],
      resultOf: (targets) => ({
        ...resultHeader(startedAt),
        kind: 'audit',
        browser,
        settings: storedSettings(settings),
        targets,
        ...(sources.result && { source: sources.result }),
        ...(notes.length > 0 && { notes }),
        ...(signal.aborted && { interrupted: true }),
      }),
    };
    if (settings.format.includes('json')) {
      const redact = redactorOf(settings);
      job.saving = saveAsItGrows({ store, redact, all: () => writeReports(storedReport(job), ['json'], job) });
    }
    await measure(job);
    return await conclude(job);
  } finally {
    await server?.close();
  }
}

/** The same store, noting how large each file is, bytes, by name. */
function withSizes(store: Store, sizes: Map<string, number>): Store {
  return {
    ...store,
    async write(name, content) {
      const file = await store.write(name, content);
      sizes.set(name, Buffer.byteLength(content));
      return file;
    },
  };
}

/** An audit under way. */
interface Job {
  readonly settings: AuditSettings;
  readonly pages: readonly Page[];
  readonly sources: Sources;
  readonly store: Store;
  /** What was written, in bytes, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly labs: LabKeeper;
  readonly signal: AbortSignal;
  readonly server: ServerUnderTest | undefined;
  /** The pages as they are measured, in the order of the list. */
  readonly audited: AuditedPage[];
  readonly files: Set<string>;
  readonly problems: Problem[];
  /** Absent where nobody wants result.json. */
  saving?: AuditSaving;
  tell(event: Progress): void;
  resultOf(targets: readonly TargetResult[]): AuditResult;
}

// --- Rounds ---------------------------------------------------------------------------------------------------------

async function measure(job: Job): Promise<void> {
  const { pages, store } = job;
  const closing: (() => Promise<void>)[] = [() => job.labs.close()];
  try {
    const spill = await openSpill(store);
    closing.push(() => spill.close());
    let letters = 0;
    const mayKeep = (more: number): boolean => {
      letters += more;
      return letters <= MOST_THUMBNAILS;
    };
    for (const [i, page] of pages.entries()) {
      const opened = await page.target.open();
      closing.push(() => opened.close());
      const { name } = page.target;
      const source = job.sources.targets[i];
      if (page.target.folder !== undefined) job.tell({ kind: 'serving', target: name, url: opened.url });
      job.audited.push(
        auditPage(page, opened, {
          ...job,
          ...(pages.length > 1 && { place: { name: page.name ?? name, index: i + 1, of: pages.length } }),
          ...(source && { source }),
          spill,
          allWaterfalls: pages.length <= PAGES_WITH_ALL_WATERFALLS,
          mayKeep,
          wrote: (file) => job.files.add(file),
          keep: async (target, runs) => job.saving?.keep(partOf(page.slug, target), target, runs),
        }),
      );
    }
    await attempt(job, () => takeTurns(job));
    await attempt(job, async () => {
      for (const page of job.audited) await page.settle();
    });
    await attempt(job, async () => {
      for (const page of job.audited) if (!mustEnd(job)) await page.inspect();
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The browser does not come up again, or the disk is full: what was measured stands. */
async function attempt(job: Job, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    job.problems.push(problemOf(error));
  }
}

/** Each page by itself first, then rounds of all, so that no page has the quiet hours to itself. */
async function takeTurns(job: Job): Promise<void> {
  const { audited } = job;
  for (const page of audited) {
    if (mustEnd(job)) return;
    await page.begin();
  }
  const rounds = Math.max(...audited.map(({ page }) => page.settings.runs));
  for (let round = 1; round <= rounds; round++) {
    for (const [order, which] of roundOrder(audited.length, round).entries()) {
      const page = audited[which];
      if (mustEnd(job)) return;
      if (page?.takesPart(round)) await page.load(round, audited.length > 1 ? order : undefined);
    }
  }
}

/** A page, or a step after its loads, in names of files. */
function partOf(slug: string, { step }: TargetResult): string {
  return [slug, step === undefined ? '' : slugOf(step)].filter((part) => part !== '').join('-');
}

/** Ended by the user, or by the end of what is measured. */
function mustEnd({ signal, server, problems }: Job): boolean {
  const lost = server?.lost();
  if (lost && !problems.includes(lost)) problems.push(lost);
  return signal.aborted || lost !== undefined;
}

// --- What is left behind ------------------------------------------------------------------------------------------

/** As result.json names them: everything as resolved, but what a password may stand in. */
function storedSettings(settings: AuditSettings): AuditResult['settings'] {
  const { serveCommand } = settings;
  return {
    ...withoutSecrets(settings),
    ...(serveCommand !== undefined && { serveCommand: shownCommand(serveCommand) }),
  };
}

/** For programs: without what only people look at. */
function storedReport(job: Job): AuditReport {
  const result = job.resultOf(job.audited.flatMap((page) => page.reports()).map(({ result: each }) => each));
  return redactDeep({ result, columns: [], targets: [] }, redactorOf(job.settings));
}

/** For people, with waterfalls and pictures. */
function wholeReport(job: Job): AuditReport {
  const all = job.audited.flatMap((page) => page.reports());
  const report = auditReport(
    job.resultOf(all.map(({ result }) => result)),
    all.map(({ waterfalls }) => waterfalls),
  );
  const pictured = withPictures(
    redactDeep(report, redactorOf(job.settings)),
    all.map(({ thumbnails }) => thumbnails),
  );
  return { ...pictured, sizes: lastingSizes(job) };
}

/** Of what was written to stay; a report cannot say how large it will be itself. */
function lastingSizes({ sizes, files, store }: Job): Readonly<Record<string, number>> {
  const isReport = (name: string): boolean => reporters.some(({ file }) => file === name);
  const lasting = [...sizes].filter(([name]) => files.has(path.join(store.folder, name)) && !isReport(name));
  return Object.fromEntries(lasting);
}

async function writeReports(report: AuditReport, formats: readonly ReportFormat[], job: Job): Promise<void> {
  for (const reporter of reporters) {
    if (!formats.includes(reporter.format)) continue;
    job.files.add(await job.store.write(reporter.file, reporter.render(report)));
  }
}

async function conclude(job: Job): Promise<AuditOutcome> {
  const report = wholeReport(job);
  await attempt(job, async () => {
    await writeReports(report, job.settings.format, job);
    await job.saving?.done();
  });
  const files = [...job.files];
  job.tell({ kind: 'written', files });
  const told = job.audited.flatMap(({ page, reports }) =>
    reports().flatMap(({ result }) => problemsOf(result, page.settings)),
  );
  const problems = [...job.problems, ...told];
  if (job.signal.aborted) problems.push({ code: 'interrupted', message: messageFor('interrupted') });
  return {
    result: report.result,
    report,
    out: job.store.folder,
    files,
    exit: exitOf(problems, job),
    problems: redactDeep(linesOf(problems), eraserOf(job.settings)),
  };
}

/** What a reader must know before trusting the figures of a target. */
function problemsOf(target: TargetResult, { timeout }: AuditSettings): readonly Problem[] {
  const { runs, url, step, name, lighthouse } = target;
  const failed = runs.flatMap((run) =>
    run.failure ? [{ code: run.failure.code as MessageCode, message: run.failure.message }] : [],
  );
  const timed = runs.filter((run) => run.role === 'timed' && run.ok);
  const never = timed.find((run) => run.pageComplete?.state !== 'complete');
  const undecided: Problem[] = never
    ? [
        {
          code: 'never-complete',
          message: messageFor('never-complete', {
            url: step === undefined ? url : `The step "${step}" of ${url}`,
            timeout,
            detail: whileWaiting(never.pageComplete?.waitingFor ?? []),
          }),
        },
      ]
    : [];
  const inspected = (lighthouse?.runs ?? []).flatMap((run) =>
    run.failure ? [{ code: 'lighthouse-failed' as const, message: run.failure.message }] : [],
  );
  return [...failed, ...undecided, ...inspected, ...budgetProblems(target, name)];
}

function exitOf(problems: readonly Problem[], { signal, audited, problems: ownProblems }: Job): number {
  if (signal.aborted) return EXIT.interrupted;
  const own = ownProblems.map(({ code }) => (code ? exitFor(code) : EXIT.ok));
  if (own.some((exit) => exit !== EXIT.ok)) return Math.max(...own);
  // A page of which at least one timed run was measured counts as measured; the others are told as problems.
  const isMeasured = ({ runs }: TargetResult): boolean => runs.some((run) => run.role === 'timed' && run.ok);
  const measured = audited.every(
    (page) => page.reports().length > 0 && page.reports().every(({ result }) => isMeasured(result)),
  );
  if (!measured || audited.length === 0) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'invalid-har')) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'budget-failed')) return EXIT.gate;
  const isOpen = problems.some(({ code }) => code === 'never-complete' || code === 'budget-unknown');
  return isOpen ? EXIT.undecided : EXIT.ok;
}
