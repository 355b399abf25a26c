import path from 'node:path';
import { agree } from '../core/background/learn.ts';
import { buildHar } from '../core/har/build.ts';
import { validateHar } from '../core/har/validate.ts';
import { failure } from '../core/load-failure.ts';
import { visitOf } from '../core/measure.ts';
import { EXIT, exitFor, type MessageCode, messageFor, UsageError } from '../core/messages.ts';
import { whileWaiting } from '../core/sentences.ts';
import { agreedBackground, summarize } from '../core/summary.ts';
import type { Lab } from '../model/lab.ts';
import type { Progress } from '../model/progress.ts';
import type { AuditReport, Waterfall } from '../model/report.ts';
import type { AuditResult, TargetResult } from '../model/result.ts';
import type { AuditSettings } from '../model/settings.ts';
import type { Policy } from '../model/verdict.ts';
import { reporters } from '../report/index.ts';
import { findBrowser } from '../shell/browser/find.ts';
import { openChromeLab } from '../shell/chrome/lab.ts';
import { openStore, type Store } from '../shell/store.ts';
import { gatherEvidence, type Proof } from './evidence.ts';
import { keepLab, type LabKeeper } from './labs.ts';
import { auditReport, redactDeep, redactorFor, withPictures } from './report-model.ts';
import { type FinishedRun, finishRun, type LoadedRun, loadRun, type PlannedRun, type RunContext } from './run.ts';
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
  /** Small copies of each target's evidence. */
  readonly thumbnails: Readonly<Record<string, string>>[];
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
    thumbnails: [],
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

/** What is known of a target while it is measured. */
interface Measured {
  readonly loaded: readonly LoadedRun[];
  readonly finished: readonly FinishedRun[];
  readonly proof?: Proof;
}

async function auditTarget(target: Target, job: Job): Promise<void> {
  const number = job.results.length;
  const opened = await target.open();
  if (opened.url !== target.name) job.tell({ kind: 'serving', target: target.name, url: opened.url });
  const { runs, evidence } = job.settings;
  const context: RunContext = {
    target: target.name,
    url: opened.url,
    of: runs,
    content: job.settings.harContent,
    signal: job.signal,
    lab: () => job.labs.lab(),
    tell: job.tell,
  };
  const keep = (measured: Measured): void => {
    job.results[number] = targetResult(target, opened, measured);
    job.thumbnails[number] = measured.proof?.thumbnails ?? {};
    job.waterfalls[number] = measured.finished.flatMap(({ run, waterfall }) =>
      run.role === 'timed' && waterfall ? waterfall : [],
    );
  };
  let measured: Measured = { loaded: [], finished: [] };
  keep(measured);
  const add = async (loaded: readonly LoadedRun[], proof = measured.proof): Promise<void> => {
    const finished: FinishedRun[] = [];
    for (const each of loaded) finished.push(await saveHar(finishRun(each, proof?.learnt ?? []), number, job));
    measured = {
      loaded: [...measured.loaded, ...loaded],
      finished: [...measured.finished, ...finished],
      ...(proof && { proof }),
    };
    keep(measured);
    await save(job);
  };
  try {
    if (evidence) {
      const proof = await gatherEvidence({
        policy: job.policy,
        ablation: job.settings.ablation,
        ablationIndex: runs + 1,
        prefix: prefixOf(number),
        load: (planned) => loadRun(planned, context),
        write: async (name, content) => void job.files.add(await job.store.write(name, content)),
      });
      if (proof) await add(proof.runs, proof);
    }
    for (const planned of plan(job, evidence, measured.proof)) {
      if (job.signal.aborted || isHopeless(measured.finished)) break;
      const loaded = await loadRun(planned, context);
      if (!loaded) break;
      await add([loaded]);
      if (job.broken) break;
    }
    await settle(measured, number, job, keep);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // The browser did not come up again, or the disk is full: what was measured stands.
    job.problems.push({ code: error.code, message: error.message });
    job.broken = true;
  } finally {
    await opened.close();
  }
}

/**
 * The runs after the evidence run. Something must warm up the server, the operating system's caches and the browser
 * process itself before the first timed run: the evidence run does, or else a run that is discarded.
 */
function plan({ policy, settings }: Job, evidence: boolean, proof: Proof | undefined): readonly PlannedRun[] {
  const learnt = proof?.learnt ?? [];
  const informed: Policy = { ...policy, ...(learnt.length > 0 && { learnt }) };
  const timed = Array.from(
    { length: settings.runs },
    (_, i): PlannedRun => ({ index: i + 1, role: 'timed', policy: informed }),
  );
  return evidence ? timed : [{ index: 0, role: 'discarded', policy }, ...timed];
}

/** A target that fails in its first load, or twice in a row the same way, will go on failing. */
function isHopeless(finished: readonly FinishedRun[]): boolean {
  const last = finished.at(-1)?.run;
  if (!last || last.ok) return false;
  return finished.length === 1 || finished.at(-2)?.run.failure?.code === last.failure?.code;
}

/** An endpoint is background in all runs or in none: what one run saw and another did not is settled over all. */
async function settle(measured: Measured, number: number, job: Job, keep: (measured: Measured) => void): Promise<void> {
  const { loaded, proof } = measured;
  const timed = loaded.flatMap((each) =>
    each.role === 'timed' && each.outcome.ok ? [visitOf(each.outcome.recording, each.policy)] : [],
  );
  const proved = proof?.learnt ?? [];
  const learnt = agree(timed, proved);
  if (learnt.length === proved.length) return;
  const finished: FinishedRun[] = [];
  for (const each of loaded) finished.push(await saveHar(finishRun(each, learnt), number, job));
  keep({ ...measured, finished });
  await save(job);
}

/** The HAR is checked before it is written: one that other tools would refuse is a bug of ours and fails the run. */
async function saveHar(done: FinishedRun, target: number, job: Job): Promise<FinishedRun> {
  const { recording, run, policy } = done;
  if (!recording || !job.settings.format.includes('har')) return done;
  const visit = visitOf(recording, policy);
  const har = buildHar(recording, visit.timeline, {
    version: version(),
    verdicts: [...visit.verdicts.values()],
    policy,
    role: run.role,
    content: job.settings.harContent,
    secrets: job.settings.harSecrets,
  });
  const wrong = [...validateHar(har)];
  if (har.log.entries.length !== recording.announcedHops) {
    wrong.push(`${har.log.entries.length} entries for ${recording.announcedHops} requests that the browser announced`);
  }
  const name = `${prefixOf(target)}run-${run.index}.har`;
  job.files.add(await job.store.write(name, JSON.stringify(har)));
  const [first] = wrong;
  if (first === undefined) return { ...done, run: { ...run, har: name } };
  return { ...done, run: { ...run, har: name, ok: false, failure: failure('invalid-har', { detail: first }) } };
}

/** Several targets share a folder; a single one needs no names apart. */
function prefixOf(target: number): string {
  return target === 0 ? '' : `target-${target + 1}-`;
}

function targetResult(target: Target, opened: OpenTarget, { finished, proof }: Measured): TargetResult {
  const runs = finished.map(({ run }) => run).sort((a, b) => a.index - b.index);
  const page = finished.findLast(({ recording }) => recording?.page)?.recording?.page;
  return {
    target: target.name,
    url: opened.url,
    ...(page && { title: page.title, finalUrl: page.finalUrl }),
    runs,
    summary: summarize(runs),
    background: agreedBackground(runs),
    ...(proof?.evidence && { evidence: proof.evidence }),
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
  const report = redactDeep(auditReport(result, job.waterfalls), redactorFor(job.settings.harSecrets));
  return withPictures(report, job.thumbnails);
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
            detail: whileWaiting(never.pageComplete?.waitingFor ?? []),
          }),
        },
      ]
    : [];
  return [...failed, ...undecided];
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
