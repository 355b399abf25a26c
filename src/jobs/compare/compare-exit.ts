import { backgroundChangesOf, withoutChanges } from '../../core/changes/background.ts';
import { changesOf, type MeasuredRun } from '../../core/changes/changes.ts';
import { pageDifferencesOf } from '../../core/changes/page-differences.ts';
import { coverageChanges } from '../../core/coverage/changes.ts';
import { overallDecision } from '../../core/experiment/decision.ts';
import { CONTROL_ALPHA, hostControl } from '../../core/experiment/host-control.ts';
import { codeChanges } from '../../core/main-thread/changes.ts';
import { whyOf } from '../../core/why/why.ts';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { CompareResult, MetricComparison, PlacedRun, StopReason } from '../../model/compare/comparison.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { fails } from '../../result/fail-on.ts';
import { isBroken } from '../../result/health.ts';
import { missingInAllRuns } from '../../result/missing-metrics.ts';
import { bothLoaded } from '../../result/outcome.ts';
import { comparedHeadline } from '../../result/representative.ts';
import { overallSentence, subjectOf } from '../../wording/compare/comparison.ts';
import { hostComparisonInWords } from '../../wording/compare/host-comparison.ts';
import { pageDifferenceInWords } from '../../wording/compare/page-differences.ts';
import { doubtfulBuilds } from '../../wording/completion/doubt.ts';
import { blocksFailed } from '../../wording/completion/stopping.ts';
import { coverageChangesInWords } from '../../wording/coverage.ts';
import { codeChangesInWords } from '../../wording/main-thread.ts';
import { EXIT, exitFor, type MessageCode, type MessageDetails } from '../../wording/messages/messages.ts';
import { brokenProblems } from '../audit/audit-exit.ts';
import { budgetProblems } from '../engine/budgets.ts';
import { missingMetricProblems } from '../engine/missing-metrics.ts';
import { type Problem, problem } from '../engine/problem.ts';
import { perBuild } from './builds.ts';

/** What a comparison is concluded from. */
export interface Compared extends PerBuild<TargetResult> {
  /** Those that count. */
  readonly runs: readonly PlacedRun[];
  readonly comparisons: readonly MetricComparison[];
  /** What the runs of each build that count asked for and found. */
  readonly measured: PerBuild<readonly MeasuredRun[]>;
  /** Why it ended. */
  readonly stopped?: StopReason;
  /** Says whose change the candidate is. */
  readonly header: Pick<CompareResult, 'settings' | 'source'>;
  /** How many pages share the machine. */
  readonly pages?: number | undefined;
}

/** What a comparison says. */
export type Answer = Pick<
  CompareResult,
  | 'comparisons'
  | 'decision'
  | 'sentence'
  | 'failedGates'
  | 'why'
  | 'unexplained'
  | 'host'
  | 'pageDifferences'
  | 'backgroundChanges'
  | 'changes'
  | 'mainThread'
  | 'coverage'
>;

/** What the runs of two builds say: the decision, whether the host was fair to both, and what changed besides time. */
export function answerOf({
  base,
  candidate,
  runs,
  comparisons,
  measured,
  stopped,
  header,
  pages = 1,
}: Compared): Answer {
  const host = hostComparisonInWords(hostControl(runs, CONTROL_ALPHA / pages));
  const gates = comparisons.filter(({ gate }) => gate);
  // An empty page is fast, but not better.
  const isUndecided = gates.length === 0 || stopped === 'blank';
  const decided = isUndecided ? 'unsure' : overallDecision(gates.map(({ decision }) => decision));
  // A machine that was too busy for both builds alike makes intervals wide, but not wrong.
  const decision = host.verdict === 'differs' ? 'invalid' : decided;
  const code = codeChanges(base, candidate, runs);
  const coverage = coverageChanges(base, candidate);
  const inventories = perBuild((build) => measured[build].map(({ inventory }) => inventory));
  const backgroundChanges = backgroundChangesOf(base, candidate, inventories);
  const besides = (build: Build) =>
    measured[build].map(({ inventory, findings }) => ({
      inventory: withoutChanges(inventory, backgroundChanges, { base, candidate }),
      findings,
    }));
  const changes = changesOf(besides('base'), besides('candidate'));
  const targets = { base, candidate };
  return {
    comparisons,
    decision,
    sentence: overallSentence(
      decision,
      comparisons,
      host.sentence,
      stopped,
      doubtfulBuilds(targets),
      subjectOf(header),
      comparedHeadline({ base, candidate, comparisons }),
    ),
    failedGates:
      decision === 'invalid' || isUndecided ? [] : gates.filter(({ fails }) => fails).map(({ metric }) => metric),
    ...whyOf({ targets, runs, decision, comparisons, inventories, changes, code }),
    host,
    pageDifferences: pageDifferencesOf(base, candidate).map(pageDifferenceInWords),
    backgroundChanges,
    changes,
    ...(code && { mainThread: codeChangesInWords(code) }),
    ...(coverage && { coverage: coverageChangesInWords(coverage) }),
  };
}

/** What a reader must know before trusting the figures, and why a gate fails. */
export function problemsOf(result: CompareResult, failOn: FailOn): readonly Problem[] {
  const problems: Problem[] = [];
  const say = <C extends MessageCode>(code: C, ...details: MessageDetails<C>) =>
    problems.push(problem(code, ...details));
  for (const build of BUILDS) problems.push(...failuresOf(result[build]));
  const { stoppedBecause, dropped, blocks } = result.design;
  const { timeout } = result.settings;
  if (stoppedBecause === 'not-measurable') {
    for (const build of BUILDS) {
      const { runs } = result[build];
      if (runs.length === 0) continue;
      if (runs.every(({ ok }) => !ok)) say('build-failed', { detail: build });
      else if (runs.every(({ pageComplete }) => pageComplete?.state !== 'complete')) {
        say('build-never-complete', { detail: build, ...(typeof timeout === 'number' && { timeout }) });
      }
    }
  }
  if (stoppedBecause === 'blank') {
    for (const { code, facts } of pageDifferencesOf(result.base, result.candidate)) {
      if (code === 'blank') say('build-blank', { detail: facts.build });
    }
  }
  if (stoppedBecause === 'too-many-failures') {
    say('builds-failing', { detail: blocksFailed(dropped.length, blocks + dropped.length) });
  }
  if (result.host.verdict === 'unfit') say('host-unfit', { detail: result.host.sentence });
  if (result.decision === 'invalid') say('comparison-invalid', { detail: result.host.sentence });
  for (const build of BUILDS) problems.push(...missingMetricProblems(result[build], build));
  for (const { metric, sentence } of result.comparisons) {
    if (result.failedGates.includes(metric)) say('gate-failed', { detail: sentence });
  }
  for (const build of BUILDS) {
    for (const run of result[build].lighthouse?.runs ?? []) {
      if (run.failure) problems.push({ code: 'lighthouse-failed', message: run.failure.message });
    }
  }
  if (!result.shard) problems.push(...brokenProblems(result.candidate, failOn), ...budgetProblems(result.candidate));
  return problems;
}

function failuresOf({ runs }: TargetResult): readonly Problem[] {
  return runs.flatMap(({ failure }) =>
    failure ? [{ code: failure.code as MessageCode, message: failure.message }] : [],
  );
}

/**
 * The exit code. Failures of single loads were dropped with their blocks; only what kept it from an answer decides.
 *
 * @param own what went wrong around the loads: a full disk, a browser that did not come up again
 */
export function exitOf(result: CompareResult, failOn: FailOn, own: readonly Problem[] = [], aborted = false): number {
  if (aborted) return EXIT.interrupted;
  const worst = Math.max(...own.map(({ code }) => exitFor(code)), EXIT.ok);
  if (worst !== EXIT.ok) return worst;
  if (result.design.pairs === 0) {
    return result.design.stoppedBecause === 'not-measurable' && bothLoaded(result) ? EXIT.undecided : EXIT.unmeasured;
  }
  // What is to be made of it is for whoever joins the shards.
  if (result.shard) return EXIT.ok;
  const budgets = budgetProblems(result.candidate).map(({ code }) => code);
  // Failed is failed: a machine that was busy for both builds makes intervals wide, but not wrong.
  if (result.failedGates.length > 0 && fails('gate', failOn)) return EXIT.gate;
  if (budgets.includes('budget-failed') && fails('budget', failOn)) return EXIT.gate;
  if (fails('broken', failOn) && isBroken(result.candidate)) return EXIT.gate;
  if (result.decision === 'invalid' || budgets.includes('budget-unknown')) return EXIT.undecided;
  if (isMissingInBoth(result)) return EXIT.undecided;
  if (result.design.stoppedBecause === 'too-many-failures') return EXIT.undecided;
  return result.decision === 'unsure' ? EXIT.undecided : EXIT.ok;
}

/** A metric that only the candidate has is new; one that neither has was mistyped. */
function isMissingInBoth({ base, candidate }: CompareResult): boolean {
  const missing = (target: TargetResult) => missingInAllRuns(target).map(({ facts }) => facts.metric);
  const inBase = missing(base);
  return missing(candidate).some((metric) => inBase.includes(metric));
}
