import path from 'node:path';
import { agree } from '../core/background/learn.ts';
import { EXIT, exitFor, type MessageCode, messageFor, UsageError } from '../core/messages.ts';
import { whileWaiting } from '../core/sentences.ts';
import type { Progress } from '../model/progress.ts';
import type { AuditReport, Waterfall } from '../model/report.ts';
import type { AuditResult, Source, TargetResult } from '../model/result.ts';
import type { AuditSettings } from '../model/settings.ts';
import type { Learnt, Policy } from '../model/verdict.ts';
import { reporters } from '../report/index.ts';
import { openStore, type Store } from '../shell/store.ts';
import { gatherEvidence, type Proof } from './evidence.ts';
import { writeHar } from './har-file.ts';
import {
  browserOf,
  defaultFolder,
  type JobHooks,
  type JobOutcome,
  linesOf,
  openLabs,
  type Problem,
  policyOf,
  problemOf,
  resultHeader,
} from './job.ts';
import type { LabKeeper } from './labs.ts';
import { auditReport, redactDeep, redactorFor, withPictures } from './report-model.ts';
import { type FinishedRun, finishRun, loadRun, type PlannedRun, type RunContext, retryDeadBrowser } from './run.ts';
import { type Sources, sourcesOf } from './source.ts';
import { type OpenTarget, parseTarget, type Target } from './target.ts';
import { targetOf } from './target-result.ts';

/** What a caller of `audit` may hook into. */
export type AuditHooks = JobHooks<AuditSettings>;

/** What an audit leaves behind. */
export type AuditOutcome = JobOutcome<AuditResult, AuditReport>;

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
  readonly sources: Sources;
  readonly store: Store;
  /** What was written, in bytes, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly labs: LabKeeper;
  readonly signal: AbortSignal;
  readonly startedAt: Date;
  readonly results: TargetResult[];
  readonly waterfalls: Waterfall[][];
  /** Small copies of each target's evidence. */
  readonly thumbnails: Readonly<Record<string, string>>[];
  readonly files: Set<string>;
  readonly problems: Problem[];
  browser: AuditResult['browser'];
  /** Set when results can no longer be written: going on would only lose more. */
  broken: boolean;
  tell(event: Progress): void;
}

async function prepare(settings: AuditSettings, hooks: AuditHooks): Promise<Job> {
  if (settings.targets.length === 0) throw new UsageError('target-missing');
  const targets = await Promise.all(settings.targets.map(parseTarget));
  const sources = await sourcesOf(targets, settings.commit);
  const startedAt = new Date();
  const labs = await openLabs(settings, hooks, (lab) => {
    job.browser = browserOf(lab);
  });
  const folder = settings.out ?? defaultFolder(targets[0]?.slug ?? 'audit', startedAt);
  const folderStore = await openStore(path.resolve(folder));
  const sizes = new Map<string, number>();
  const store: Store = {
    ...folderStore,
    async write(name, content) {
      const file = await folderStore.write(name, content);
      sizes.set(name, Buffer.byteLength(content));
      return file;
    },
  };
  const job: Job = {
    settings,
    policy: policyOf(settings),
    targets,
    sources,
    store,
    sizes,
    labs,
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

// --- One target ---------------------------------------------------------------------------------------------------

/** What is known of a target while it is measured. */
interface Measured {
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
    retry: retryDeadBrowser,
    lab: () => job.labs.lab(),
    tell: job.tell,
  };
  const tellOf = ({ run }: FinishedRun): void =>
    job.tell({ kind: 'run-finished', target: target.name, index: run.index, of: runs, run });
  let measured: Measured = { finished: [] };
  const keep = (next: Measured): void => {
    measured = next;
    job.results[number] = targetResult(target, opened, measured, job.sources.targets[number]);
    job.thumbnails[number] = measured.proof?.thumbnails ?? {};
    job.waterfalls[number] = measured.finished.flatMap(({ run, waterfall }) =>
      run.role === 'timed' && waterfall ? waterfall : [],
    );
  };
  keep(measured);
  try {
    if (evidence) {
      const proof = await gatherEvidence({
        policy: job.policy,
        ablation: job.settings.ablation,
        ablationIndex: runs + 1,
        async load(planned) {
          const done = await loadRun(planned, context);
          if (done) tellOf(done);
          return done;
        },
        write: async (name, content) => void job.files.add(await job.store.write(name, content)),
      });
      if (proof) {
        const finished = await saveHars(
          proof.runs.map((loaded) => finishRun(loaded, proof.learnt)),
          number,
          job,
        );
        keep({ finished, proof });
        await save(job);
      }
    }
    for (const planned of plan(job, evidence, measured.proof)) {
      if (job.signal.aborted || isHopeless(measured.finished)) break;
      const loaded = await loadRun(planned, context);
      if (!loaded) break;
      const [done = loaded] = await saveHars([loaded], number, job);
      tellOf(done);
      keep({ ...measured, finished: [...measured.finished, done] });
      await save(job);
    }
    const learnt = settled(measured);
    if (learnt) {
      const again = measured.finished.map(({ loaded }) => finishRun(loaded, learnt));
      keep({ ...measured, finished: await saveHars(again, number, job) });
      await save(job);
    }
  } catch (error) {
    // The browser did not come up again, or the disk is full: what was measured stands.
    job.problems.push(problemOf(error));
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

/**
 * An endpoint is background in all runs or in none: what one run saw and another did not is settled over all. Undefined
 * when there is nothing to settle.
 */
function settled({ finished, proof }: Measured): readonly Learnt[] | undefined {
  const timed = finished.flatMap(({ run, visit }) => (run.role === 'timed' && visit ? visit : []));
  const proved = proof?.learnt ?? [];
  const learnt = agree(timed, proved);
  return learnt.length === proved.length ? undefined : learnt;
}

async function saveHars(runs: readonly FinishedRun[], target: number, job: Job): Promise<readonly FinishedRun[]> {
  const saved: FinishedRun[] = [];
  for (const done of runs) {
    const name = `${prefixOf(target)}run-${done.run.index}.har`;
    saved.push(await writeHar(done, name, { ...job, wrote: (file) => job.files.add(file) }));
  }
  return saved;
}

/** Several targets share a folder; a single one needs no names apart. */
function prefixOf(target: number): string {
  return target === 0 ? '' : `target-${target + 1}-`;
}

function targetResult(
  target: Target,
  opened: OpenTarget,
  { finished, proof }: Measured,
  source: Source | undefined,
): TargetResult {
  const page = finished.findLast(({ visit }) => visit?.recording.page)?.visit?.recording.page;
  return targetOf({
    target: target.name,
    url: opened.url,
    ...(page && { title: page.title, finalUrl: page.finalUrl }),
    ...(source && { source }),
    runs: finished.map(({ run }) => run),
    ...(proof?.evidence && { evidence: proof.evidence }),
  });
}

// --- What is left behind ------------------------------------------------------------------------------------------

function currentReport(job: Job): AuditReport {
  const result: AuditResult = {
    ...resultHeader(job.startedAt),
    kind: 'audit',
    browser: job.browser,
    settings: { ...job.settings },
    targets: job.results,
    ...(job.sources.result && { source: job.sources.result }),
    ...(job.signal.aborted && { interrupted: true }),
  };
  const report = redactDeep(auditReport(result, job.waterfalls), redactorFor(job.settings.harSecrets));
  // A report cannot say how large it will be itself.
  const lasting = [...job.sizes].filter(([name]) => !reporters.some(({ file }) => file === name));
  return { ...withPictures(report, job.thumbnails), sizes: Object.fromEntries(lasting) };
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
    job.problems.push(problemOf(error));
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
    problems: linesOf(problems),
  };
}

/** What a reader must know before trusting the figures of a target. */
function problemsOf({ runs, url }: TargetResult, settings: AuditSettings): readonly Problem[] {
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
            url,
            timeout: settings.timeout,
            detail: whileWaiting(never.pageComplete?.waitingFor ?? []),
          }),
        },
      ]
    : [];
  return [...failed, ...undecided];
}

function exitOf(problems: readonly Problem[], job: Job): number {
  if (job.signal.aborted) return EXIT.interrupted;
  const unmeasured = job.results.some(({ runs }) => !runs.some((run) => run.role === 'timed' && run.ok));
  const own = job.problems.map(({ code }) => (code ? exitFor(code) : EXIT.ok));
  if (own.some((exit) => exit !== EXIT.ok)) return Math.max(...own);
  // A target of which at least one timed run was measured counts as measured; the others are told as problems.
  if (unmeasured || job.results.length < job.targets.length) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'invalid-har')) return EXIT.unmeasured;
  return problems.some(({ code }) => code === 'never-complete') ? EXIT.undecided : EXIT.ok;
}
