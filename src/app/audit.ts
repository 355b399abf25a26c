import path from 'node:path';
import { buildHar } from '../core/har/build.ts';
import { validateHar } from '../core/har/validate.ts';
import { hostHealth } from '../core/host/health.ts';
import { failure } from '../core/load-failure.ts';
import { measure, visitOf } from '../core/measure.ts';
import { EXIT, exitFor, type MessageCode, messageFor, UsageError } from '../core/messages.ts';
import { disagreeingEndpoints, listed } from '../core/sentences.ts';
import { agreedBackground, summarize } from '../core/summary.ts';
import { waterfallOf } from '../core/waterfall.ts';
import type { Lab, LoadOutcome } from '../model/lab.ts';
import type { Progress } from '../model/progress.ts';
import type { Recording } from '../model/recording.ts';
import type { AuditReport, Waterfall } from '../model/report.ts';
import type { AuditResult, RunResult, RunRole, TargetResult } from '../model/result.ts';
import type { AuditSettings } from '../model/settings.ts';
import type { Policy } from '../model/verdict.ts';
import { reporters } from '../report/index.ts';
import { findBrowser } from '../shell/browser/find.ts';
import { openChromeLab } from '../shell/chrome/lab.ts';
import { openStore, type Store } from '../shell/store.ts';
import { keepLab, type LabKeeper } from './labs.ts';
import { auditReport, redactDeep, redactorFor } from './report-model.ts';
import { type OpenTarget, parseTarget, type Target } from './target.ts';
import { version } from './version.ts';

/** What a caller may hook into. */
export interface AuditHooks {
  /** Ends the audit; what is finished is kept. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
  /** Opens the place where pages are loaded; Chrome when absent. */
  openLab?(settings: AuditSettings): Promise<Lab>;
}

/** What an audit leaves behind. */
export interface AuditOutcome {
  readonly result: AuditResult;
  readonly report: AuditReport;
  /** The folder with the results. */
  readonly out: string;
  readonly files: readonly string[];
  /** The exit code of the command line. */
  readonly exit: number;
  /** One line for everything that could not be measured or written. */
  readonly problems: readonly string[];
}

/** The published JSON Schema of result.json. */
const SCHEMA = 'https://unpkg.com/quiesce/schema/result.v1.schema.json';

/**
 * Loads every target several times in fresh profiles, judges each load, and writes reports; results are on disk after
 * every run. Rejects with a `UsageError` when nothing could be begun.
 */
export async function audit(settings: AuditSettings, hooks: AuditHooks = {}): Promise<AuditOutcome> {
  const job = await prepare(settings, hooks);
  try {
    for (const target of job.targets) {
      if (job.signal.aborted || job.broken) break;
      await auditTarget(target, job);
    }
  } finally {
    await job.labs.close();
  }
  return conclude(job);
}

/** An audit under way. */
interface Job {
  readonly settings: AuditSettings;
  readonly policy: Policy;
  readonly targets: readonly Target[];
  readonly store: Store;
  readonly labs: LabKeeper;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
  readonly results: TargetResult[];
  readonly waterfalls: Waterfall[][];
  readonly files: Set<string>;
  readonly problems: MessageOf[];
  browser: AuditResult['browser'];
  /** Set when results can no longer be written: going on would only lose more. */
  broken: boolean;
  tell(event: Progress): void;
}

/** A line for the user with the code that decides the exit. */
interface MessageOf {
  readonly code: MessageCode | undefined;
  readonly message: string;
}

async function prepare(settings: AuditSettings, hooks: AuditHooks): Promise<Job> {
  if (settings.targets.length === 0) throw new UsageError('target-missing');
  const targets = await Promise.all(settings.targets.map(parseTarget));
  const startedAt = new Date();
  const openLab = hooks.openLab ?? (await chromeOpener(settings));
  const store = await openStore(path.resolve(settings.out ?? defaultFolder(targets, startedAt)));
  const job: Job = {
    settings,
    policy: policyOf(settings),
    targets,
    store,
    labs: keepLab(async () => {
      const lab = await openLab(settings);
      job.browser = { product: lab.product, userAgent: lab.userAgent, sandbox: lab.sandbox };
      job.tell({
        kind: 'browser-started',
        product: lab.product,
        sandbox: lab.sandbox,
        ...(lab.path !== undefined && { path: lab.path }),
      });
      return lab;
    }),
    signal: hooks.signal ?? new AbortController().signal,
    startedAt,
    results: [],
    waterfalls: [],
    files: new Set(),
    problems: [],
    browser: { product: 'none' },
    broken: false,
    tell: (event) => hooks.onProgress?.(event),
  };
  return job;
}

/** The browser is looked for before anything else is done; it is started with the first load. */
async function chromeOpener(settings: AuditSettings): Promise<(settings: AuditSettings) => Promise<Lab>> {
  const found = settings.browserWs === undefined ? await findBrowser(settings.browser, process.env) : undefined;
  return (current) => openChromeLab(current, found?.path);
}

function policyOf(settings: AuditSettings): Policy {
  const { quietWindow, maxInflight, timeout, background, foreground, completeOn } = settings;
  return {
    quietWindow,
    maxInflight,
    timeout,
    background,
    foreground,
    ...(completeOn !== undefined && { completeOn }),
  };
}

function defaultFolder(targets: readonly Target[], now: Date): string {
  const name = (targets[0]?.slug ?? 'audit').replace(/[^\w.-]+/g, '-');
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return path.join('reports', `${name}-${stamp}`);
}

// --- One target ---------------------------------------------------------------------------------------------------

/** A run and what is drawn of it. */
interface FinishedRun {
  readonly run: RunResult;
  readonly recording?: Recording;
  readonly waterfall?: Waterfall;
}

async function auditTarget(target: Target, job: Job): Promise<void> {
  const number = job.results.length;
  const opened = await target.open();
  if (opened.url !== target.name) job.tell({ kind: 'serving', target: target.name, url: opened.url });
  const finished: FinishedRun[] = [];
  job.results.push(targetResult(target, opened, finished));
  job.waterfalls.push([]);
  try {
    for (const [index, role] of plan(job.settings.runs)) {
      if (job.signal.aborted) break;
      const done = await runOnce(index, role, target, opened, job);
      if (!done) break;
      finished.push(await saveHar(done, number, job));
      job.results[number] = targetResult(target, opened, finished);
      job.waterfalls[number] = finished.flatMap(({ run, waterfall }) =>
        run.role === 'timed' && waterfall ? waterfall : [],
      );
      job.tell({ kind: 'run-finished', target: target.name, index, of: job.settings.runs, run: done.run });
      await save(job);
      if (job.broken || isHopeless(finished)) break;
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // The browser did not come up again, or the disk is full: what was measured stands.
    job.problems.push({ code: error.code, message: error.message });
    job.broken = true;
  } finally {
    await opened.close();
  }
}

/** First a discarded run: it warms up the server, the operating system's caches and the browser process itself. */
function plan(runs: number): readonly (readonly [number, RunRole])[] {
  return [[0, 'discarded'], ...Array.from({ length: runs }, (_, i): [number, RunRole] => [i + 1, 'timed'])];
}

/** A target that fails in its first load, or twice in a row the same way, will go on failing. */
function isHopeless(finished: readonly FinishedRun[]): boolean {
  const last = finished.at(-1)?.run;
  if (!last || last.ok) return false;
  return finished.length === 1 || finished.at(-2)?.run.failure?.code === last.failure?.code;
}

/** One load, repeated once in a new browser if the browser died. Undefined when the user ended it. */
async function runOnce(
  index: number,
  role: RunRole,
  target: Target,
  opened: OpenTarget,
  job: Job,
): Promise<FinishedRun | undefined> {
  const of = job.settings.runs;
  job.tell({ kind: 'run-started', target: target.name, index, of, role });
  const load = async (): Promise<LoadOutcome> =>
    (await job.labs.lab()).record(
      {
        url: opened.url,
        policy: job.policy,
        content: job.settings.harContent,
        onTick: (tick) => job.tell({ kind: 'run-progress', target: target.name, index, of, role, ...tick }),
      },
      job.signal,
    );
  try {
    let attempts = 1;
    let outcome = await load();
    if (!outcome.ok && outcome.failure.code === 'browser-died') {
      job.tell({ kind: 'run-retried', target: target.name, index, of, because: 'the browser died' });
      attempts = 2;
      outcome = await load();
    }
    return finishedRun(index, role, outcome, attempts, job.policy);
  } catch (error) {
    if (job.signal.aborted) return undefined;
    throw error;
  }
}

function finishedRun(
  index: number,
  role: RunRole,
  outcome: LoadOutcome,
  attempts: number,
  policy: Policy,
): FinishedRun {
  const base = { index, role, ...(attempts > 1 && { attempts }) };
  const { recording } = outcome;
  if (!outcome.ok) {
    return { run: { ...base, ok: false, failure: outcome.failure }, ...(recording && { recording }) };
  }
  const visit = visitOf(outcome.recording, policy);
  return {
    run: { ...base, ok: true, ...measure(visit, policy), host: hostHealth(outcome.recording.hostSamples) },
    recording: outcome.recording,
    waterfall: waterfallOf(visit, policy, index),
  };
}

/** The HAR is checked before it is written: one that other tools would refuse is a bug of ours and fails the run. */
async function saveHar(done: FinishedRun, target: number, job: Job): Promise<FinishedRun> {
  const { recording, run } = done;
  if (!recording || !job.settings.format.includes('har')) return done;
  const visit = visitOf(recording, job.policy);
  const har = buildHar(recording, visit.timeline, {
    version: version(),
    verdicts: [...visit.verdicts.values()],
    policy: job.policy,
    content: job.settings.harContent,
    secrets: job.settings.harSecrets,
  });
  const wrong = [...validateHar(har)];
  if (har.log.entries.length !== recording.announcedHops) {
    wrong.push(`${har.log.entries.length} entries for ${recording.announcedHops} requests that the browser announced`);
  }
  const name = `${target === 0 ? '' : `target-${target + 1}-`}run-${run.index}.har`;
  job.files.add(await job.store.write(name, JSON.stringify(har)));
  const [first] = wrong;
  if (first === undefined) return { ...done, run: { ...run, har: name } };
  return { ...done, run: { ...run, har: name, ok: false, failure: failure('invalid-har', { detail: first }) } };
}

function targetResult(target: Target, opened: OpenTarget, finished: readonly FinishedRun[]): TargetResult {
  const runs = finished.map(({ run }) => run);
  const page = finished.findLast(({ recording }) => recording?.page)?.recording?.page;
  return {
    target: target.name,
    url: opened.url,
    ...(page && { title: page.title, finalUrl: page.finalUrl }),
    runs,
    summary: summarize(runs),
    background: agreedBackground(runs),
  };
}

// --- What is left behind ------------------------------------------------------------------------------------------

function currentReport(job: Job): AuditReport {
  const result: AuditResult = {
    $schema: SCHEMA,
    version: 1,
    kind: 'audit',
    tool: { name: 'quiesce', version: version() },
    browser: job.browser,
    startedAt: job.startedAt.toISOString(),
    settings: { ...job.settings },
    targets: job.results,
    ...(job.signal.aborted && { interrupted: true }),
  };
  return redactDeep(auditReport(result, job.waterfalls), redactorFor(job.settings.harSecrets));
}

/** Writes the reports as they stand; the JSON after every run, so that a crash costs one run at most. */
async function save(job: Job, all = false): Promise<AuditReport> {
  const report = currentReport(job);
  for (const reporter of reporters) {
    if (!job.settings.format.includes(reporter.format) || (reporter.format !== 'json' && !all)) continue;
    job.files.add(await job.store.write(reporter.file, reporter.render(report)));
  }
  return report;
}

async function conclude(job: Job): Promise<AuditOutcome> {
  let report = currentReport(job);
  try {
    report = await save(job, true);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    job.problems.push({ code: error.code, message: error.message });
  }
  const files = [...job.files];
  job.tell({ kind: 'written', files });
  const problems = [...job.problems, ...job.results.flatMap((target) => problemsOf(target, job.settings))];
  if (job.signal.aborted) problems.push({ code: 'interrupted', message: messageFor('interrupted') });
  return {
    result: report.result,
    report,
    out: job.store.folder,
    files,
    exit: exitOf(problems, job),
    problems: [...new Set(problems.map(({ message }) => message))],
  };
}

/** What a reader must know before trusting the figures of a target. */
function problemsOf({ runs, url }: TargetResult, settings: AuditSettings): readonly MessageOf[] {
  const failed = runs.flatMap((run) =>
    run.failure ? [{ code: run.failure.code as MessageCode, message: run.failure.message }] : [],
  );
  const timed = runs.filter((run) => run.role === 'timed' && run.ok);
  const never = timed.find((run) => run.pageComplete?.state !== 'complete');
  const undecided: MessageOf[] = never
    ? [
        {
          code: 'never-complete',
          message: messageFor('never-complete', {
            url,
            timeout: settings.timeout,
            detail: listed(never.pageComplete?.waitingFor ?? []),
          }),
        },
      ]
    : [];
  const torn = disagreeingEndpoints(runs);
  const disagreement: MessageOf[] =
    torn.length === 0
      ? []
      : [{ code: undefined, message: `The runs do not agree on whether ${listed(torn)} is background traffic.` }];
  return [...failed, ...undecided, ...disagreement];
}

function exitOf(problems: readonly MessageOf[], job: Job): number {
  if (job.signal.aborted) return EXIT.interrupted;
  const unmeasured = job.results.some(({ runs }) => !runs.some((run) => run.role === 'timed' && run.ok));
  const own = job.problems.map(({ code }) => (code ? exitFor(code) : EXIT.ok));
  if (own.some((exit) => exit !== EXIT.ok)) return Math.max(...own);
  // A target of which at least one timed run was measured counts as measured; the others are told as problems.
  if (unmeasured || job.results.length < job.targets.length) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'invalid-har')) return EXIT.unmeasured;
  return problems.some(({ code }) => code === 'never-complete') ? EXIT.undecided : EXIT.ok;
}
