import { backgroundChangesOf, withoutChanges } from '../core/changes/background.ts';
import { changesOf } from '../core/changes/changes.ts';
import { pageDifferencesOf } from '../core/changes/page-differences.ts';
import { boundaries } from '../core/experiment/boundaries.ts';
import { overallDecision } from '../core/experiment/decision.ts';
import { hostControl } from '../core/experiment/host-control.ts';
import { overallSentence } from '../core/experiment/sentences.ts';
import { stopSentence } from '../core/experiment/stopping.ts';
import { EXIT, exitFor, type MessageCode, messageFor } from '../core/messages.ts';
import type { Build, CompareResult, Design, Look } from '../model/comparison.ts';
import type { CompareReport, TargetReport, Waterfall } from '../model/report.ts';
import type { TargetResult } from '../model/result.ts';
import type { ReportFormat } from '../model/settings.ts';
import { compareReporters } from '../report/index.ts';
import { budgetProblems } from './budgets.ts';
import { BUILDS, perBuild } from './builds.ts';
import { type CompareJob, countedRuns, evaluateAt, lastLook, looksUntil, resultOf } from './compare-job.ts';
import { type Problem, resultHeader } from './job.ts';
import { redactorOf, withoutSecrets } from './load-options.ts';
import { COLUMNS, redactDeep, targetReport } from './report-model.ts';

/** What reporters receive of a comparison as it stands. */
export function compareReport(job: CompareJob): CompareReport {
  const result = resultOfComparison(job);
  const sides = perBuild((build): TargetReport => {
    const report = targetReport(result[build], []);
    const waterfall = report.representative && waterfallOf(build, report.representative.index, job);
    // The representative run's alone: forty waterfalls of each build show no more than two.
    return { ...report, waterfalls: waterfall ? [waterfall] : [] };
  });
  const { base, candidate, ...rest } = redactDeep({ result, columns: COLUMNS, ...sides }, redactorOf(job.settings));
  const withPictures = (build: Build, report: TargetReport): TargetReport => ({
    ...report,
    pictures: job.sides[build]?.thumbnails ?? {},
  });
  return { ...rest, base: withPictures('base', base), candidate: withPictures('candidate', candidate) };
}

function waterfallOf(build: Build, index: number, { blocks }: CompareJob): Waterfall | undefined {
  return blocks.flatMap(({ runs }) => runs).find(({ run }) => run.build === build && run.index === index)?.waterfall;
}

function resultOfComparison(job: CompareJob): CompareResult {
  const base = resultOf('base', job);
  const candidate = resultOf('candidate', job);
  const runs = countedRuns(job);
  const pairs = runs.length / 2;
  const comparisons = pairs === 0 ? [] : evaluateAt(pairs, true, job).comparisons;
  const host = hostControl(runs);
  const gates = comparisons.filter(({ gate }) => gate);
  const decided = gates.length === 0 ? 'unsure' : overallDecision(gates.map(({ decision }) => decision));
  // A machine that was too busy for both builds alike makes intervals wide, but not wrong.
  const decision = host.verdict === 'differs' ? 'invalid' : decided;
  const backgroundChanges = backgroundChangesOf(base, candidate);
  const measured = (build: Build) =>
    measuredOf(build, job).map(({ inventory, findings }) => ({
      inventory: withoutChanges(inventory, backgroundChanges, { base, candidate }),
      findings,
    }));
  return {
    ...resultHeader(job.startedAt),
    kind: 'compare',
    browser: job.browser,
    settings: {
      ...withoutSecrets(job.settings),
      seed: job.plan.seed,
      looks: job.plan.looks,
      maxPairs: lastLook(job),
      gate: job.plan.gates,
    },
    ...(job.stopped === 'interrupted' && { interrupted: true }),
    ...(job.sources.candidate && { source: job.sources.candidate }),
    base,
    candidate,
    design: designOf(pairs, job),
    comparisons,
    decision,
    sentence: overallSentence(decision, comparisons, host.sentence),
    failedGates: decision === 'invalid' ? [] : gates.filter(({ fails }) => fails).map(({ metric }) => metric),
    host,
    pageDifferences: pageDifferencesOf(base, candidate),
    backgroundChanges,
    changes: changesOf(measured('base'), measured('candidate')),
    ...(job.inspected && { lighthouse: job.inspected.comparisons }),
  };
}

/** What the runs of a build that count asked for and found. */
function measuredOf(build: Build, { blocks }: CompareJob) {
  return blocks
    .filter(({ dropped }) => dropped === undefined)
    .flatMap(({ runs }) => runs)
    .filter(({ run }) => run.build === build)
    .map(({ run, inventory }) => ({ inventory, findings: run.findings ?? [] }));
}

function designOf(pairs: number, job: CompareJob): Design {
  const { plan, blocks, stopped } = job;
  const kept = blocks.filter(({ dropped }) => dropped === undefined);
  return {
    seed: plan.seed,
    blocks: kept.length,
    pairs,
    looks: plan.looks,
    looksTaken: looksTaken(pairs, job),
    alpha: plan.alpha,
    dropped: blocks.flatMap(({ index, dropped }) => (dropped === undefined ? [] : { block: index, because: dropped })),
    repeated: blocks.flatMap(({ runs }) => runs).reduce((sum, { run }) => sum + (run.repeatedBecause?.length ?? 0), 0),
    stoppedBecause: stopped,
    stoppedSentence: stopSentence(stopped, pairs, lastLook(job)),
  };
}

function looksTaken(now: number, job: CompareJob): readonly Look[] {
  const looks = looksUntil(now, job);
  const { alpha, gates } = job.plan;
  const limits = boundaries(
    looks.map((look) => look / lastLook(job)),
    alpha / gates.length,
  );
  return looks.flatMap((pairs, i) => {
    const criticalValue = limits[i];
    return criticalValue === undefined || !Number.isFinite(criticalValue) ? [] : [{ pairs, criticalValue }];
  });
}

/** Writes the reports of these formats, all that are wanted when none are named, and gives what they were written from. */
export async function writeReports(job: CompareJob, only?: readonly ReportFormat[]): Promise<CompareReport> {
  const report = compareReport(job);
  for (const reporter of compareReporters) {
    if (!job.settings.format.includes(reporter.format) || only?.includes(reporter.format) === false) continue;
    job.files.add(await job.store.write(reporter.file, reporter.render(report)));
  }
  return report;
}

/** What a reader must know before trusting the figures, and why a gate fails. */
export function problemsOf(result: CompareResult, job: CompareJob): readonly Problem[] {
  const problems: Problem[] = [];
  const say = (code: MessageCode, details: Parameters<typeof messageFor>[1] = {}) =>
    problems.push({ code, message: messageFor(code, details) });
  for (const build of BUILDS) problems.push(...failuresOf(result[build]));
  const { stoppedBecause, dropped } = result.design;
  if (stoppedBecause === 'not-measurable') {
    for (const build of BUILDS) {
      const { runs } = result[build];
      if (runs.length === 0) continue;
      if (runs.every(({ ok }) => !ok)) say('build-failed', { detail: build });
      else if (runs.every(({ pageComplete }) => pageComplete?.state !== 'complete')) {
        say('build-never-complete', { detail: build, timeout: job.settings.timeout });
      }
    }
  }
  if (stoppedBecause === 'too-many-failures') {
    say('builds-failing', { detail: `${dropped.length} of ${job.blocks.length} blocks failed` });
  }
  if (result.host.verdict === 'unfit') say('host-unfit', { detail: result.host.sentence });
  if (result.decision === 'invalid') say('comparison-invalid', { detail: result.host.sentence });
  for (const { metric, sentence } of result.comparisons) {
    if (result.failedGates.includes(metric)) say('gate-failed', { detail: sentence });
  }
  for (const build of BUILDS) {
    for (const run of result[build].lighthouse?.runs ?? []) {
      if (run.failure) problems.push({ code: 'lighthouse-failed', message: run.failure.message });
    }
  }
  problems.push(...budgetProblems(result.candidate));
  return problems;
}

function failuresOf({ runs }: TargetResult): readonly Problem[] {
  return runs.flatMap(({ failure }) =>
    failure ? [{ code: failure.code as MessageCode, message: failure.message }] : [],
  );
}

/** Failures of single loads were dropped with their blocks; only what kept it from an answer decides the exit. */
export function exitOf(result: CompareResult, job: CompareJob): number {
  if (job.signal.aborted) return EXIT.interrupted;
  const own = Math.max(...job.problems.map(({ code }) => (code ? exitFor(code) : EXIT.ok)), EXIT.ok);
  if (own !== EXIT.ok) return own;
  if (result.design.pairs === 0) {
    return result.design.stoppedBecause === 'not-measurable' && isMeasured(result) ? EXIT.undecided : EXIT.unmeasured;
  }
  if (result.host.verdict === 'unfit' || result.decision === 'invalid') return EXIT.undecided;
  const budgets = budgetProblems(result.candidate).map(({ code }) => code);
  if (result.failedGates.length > 0 || budgets.includes('budget-failed')) return EXIT.gate;
  if (budgets.length > 0) return EXIT.undecided;
  if (result.design.stoppedBecause === 'too-many-failures') return EXIT.undecided;
  return result.decision === 'unsure' ? EXIT.undecided : EXIT.ok;
}

function isMeasured(result: CompareResult): boolean {
  return BUILDS.every((build) => result[build].runs.some(({ ok }) => ok));
}
