import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createRedactor, type Redactor } from '../../core/har/redact.ts';
import { measure } from '../../core/measure.ts';
import { gapsOf } from '../../core/sources/har-gaps.ts';
import { figuresOfHar } from '../../core/sources/har-visit.ts';
import { defined } from '../../core/text/defined.ts';
import { waterfallOf } from '../../core/waterfall.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { Budget } from '../../model/budgets.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { AuditHeader, RunResult, RunRole, TargetResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { openRun } from '../../result/representative.ts';
import type { ResolvedAnalyze } from '../../settings/resolved.ts';
import { type FoundHar, findHars, STDIN } from '../../shell/disk/har-files.ts';
import { type PolicyOrigin, policyNotes } from '../../wording/background/judged-with.ts';
import { unconfirmedInWords, waitingForListed } from '../../wording/completion/waiting-for.ts';
import { EXIT } from '../../wording/messages/messages.ts';
import { findingInWords } from '../../wording/result/findings.ts';
import { runInWords } from '../../wording/result/run.ts';
import { waterfallInWords } from '../../wording/waterfall.ts';
import type { AuditOutcome } from '../audit/audit.ts';
import { brokenProblems, failsJob } from '../audit/audit-exit.ts';
import { budgetProblems, withBudgets } from '../engine/budgets.ts';
import { defaultFolder, type Hooks, resultHeader } from '../engine/job.ts';
import { missingMetricProblems } from '../engine/missing-metrics.ts';
import { type Problem, problem, shownProblems } from '../engine/problem.ts';
import { type AuditToReport, auditReports } from '../engine/reports/audit-reports.ts';
import { openOutput } from '../engine/reports/output.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { earlierResult } from '../engine/result/earlier-result.ts';
import { targetOf } from '../engine/result/target-result.ts';
import { agreed, type GivenToHars, type Load, readLoads } from './har-loads.ts';

/** What a caller may hook into. */
export interface AnalyzeHooks extends Hooks {
  /** What `-` reads; the process's own when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What an analysis leaves behind. */
export interface AnalyzeOutcome extends AuditOutcome {
  /** What is wrong in files that were analysed all the same, one line each, cut after a few of each file. */
  readonly warnings: readonly string[];
}

/**
 * Judges recorded HARs as an audit judges what it loads, and writes the same reports. Every page of every file is a
 * target; pages of one file with the same address are its runs, and so are the files of an audit's folder. Rejects with
 * a `QuiesceError` when nothing was named or the results cannot be written; files that cannot be read are `problems`.
 */
export async function analyze(settings: ResolvedAnalyze, hooks: AnalyzeHooks = {}): Promise<AnalyzeOutcome> {
  const { policy, metrics, budgets, formats, failOn, source, stored } = settings;
  const startedAt = new Date();
  const signal = hooks.signal ?? new AbortController().signal;
  const found = await findHars(settings.files);
  const folder = path.resolve(settings.out ?? defaultFolder(nameOfAnalysis(found), startedAt));
  const { groups, problems, warnings } = await readFiles(found, { policy, metrics }, hooks.stdin ?? process.stdin, {
    signal,
    onProgress: (event) => hooks.onProgress?.(event),
  });
  const analysed = groups.map((loads) => analyseTarget(loads, { folder, metrics, budgets, rules: policy, failOn }));
  const all = [...problems, ...analysed.flatMap((each) => each.problems)];
  const exit = signal.aborted ? EXIT.interrupted : exitOf(analysed.length, all, failOn);
  const header: AuditHeader = {
    ...resultHeader(startedAt),
    kind: 'analysis',
    browser: recordedBy(groups.flat()),
    settings: { ...stored, policies: analysed.flatMap(({ policies }) => policies) },
    exit,
    ...defined({ source }),
    ...(signal.aborted && { interrupted: true }),
  };
  const redact = createRedactor();
  const reports = await auditReports(reported(header, analysed, redact));
  const output = await openOutput(folder, analysed.length > 0 && formats.length > 0);
  if (analysed.length > 0) {
    const clearEarlier = await earlierResult(folder, settings);
    await clearEarlier?.(found.flatMap((file) => ('path' in file && file.path !== undefined ? [file.path] : [])));
    await reports.write({
      formats,
      output,
      onPage: (index, of) => hooks.onProgress?.({ kind: 'drawing', index, of }),
    });
    hooks.onProgress?.({ kind: 'written', files: output.files() });
  }
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: folder,
    files: output.files(),
    exit,
    problems: shownProblems(signal.aborted ? [...all, problem('interrupted')] : all, redact),
    warnings: redactDeep(warnings, redact),
  };
}

// --- Files --------------------------------------------------------------------------------------------------------

/** Reads file after file; loads that are runs of one target come together. */
async function readFiles(
  found: readonly FoundHar[],
  given: GivenToHars,
  stdin: AsyncIterable<Uint8Array | string>,
  { signal, onProgress }: { readonly signal: AbortSignal; onProgress(event: Progress): void },
) {
  const groups = new Map<string, Load[]>();
  const problems: Problem[] = [];
  const warnings: string[] = [];
  let before = 0;
  for (const [position, file] of found.entries()) {
    // A file is parsed and judged in one go: between two of them Ctrl-C is heard and progress drawn.
    await setImmediate();
    if (signal.aborted) break;
    const place = { file: file.name, index: position + 1, of: found.length };
    onProgress({ kind: 'file-started', ...place });
    await setImmediate();
    const read = await readLoads(file, given, stdin, before);
    problems.push(...read.problems);
    warnings.push(...read.warnings);
    const requests = read.loads.reduce((sum, { visit }) => sum + visit.timeline.requests.length, 0);
    onProgress({ kind: 'file-finished', ...place, pages: read.loads.length, requests });
    before += requests;
    for (const load of read.loads) {
      const group = groups.get(load.group);
      if (group) group.push(load);
      else groups.set(load.group, [load]);
    }
  }
  return { groups: [...groups.values()], problems, warnings };
}

// --- Targets ------------------------------------------------------------------------------------------------------

interface Analysed {
  readonly target: TargetResult;
  readonly waterfalls: readonly Waterfall[];
  /** With which policy, and where it came from, for those that read the report. */
  readonly notes: readonly string[];
  readonly policies: readonly UsedPolicy[];
  readonly problems: readonly Problem[];
}

/** A policy as result.json holds it. */
export interface UsedPolicy extends PolicyOrigin {
  readonly target: string;
  readonly runs: readonly number[];
}

/** What a target is analysed with. */
interface AnalysisOptions {
  /** Where its report will be. */
  readonly folder: string;
  readonly metrics: readonly OwnMetric[];
  readonly budgets: readonly Budget[];
  readonly failOn: FailOn;
  /** What the user wants it to be judged by. */
  readonly rules: Partial<Policy>;
}

function analyseTarget(
  loads: readonly Load[],
  { folder, metrics: own, budgets, rules, failOn }: AnalysisOptions,
): Analysed {
  const [first] = loads;
  if (!first) throw new Error('a group has a load');
  const runs: RunResult[] = [];
  const waterfalls: Waterfall[] = [];
  const alone = !loads.some(({ read }) => read.role === undefined || read.role === 'timed');
  const settled = agreed(loads);
  for (const [position, { read, visit, policy, file, hash }] of settled.entries()) {
    const index = position + 1;
    // An untimed run without any timed one is what the user wants to see.
    const role: RunRole = alone ? 'timed' : (read.role ?? 'timed');
    const pageUrl = read.navigation.url;
    const { metrics, findings, ...measured } = runInWords(measure(visit, policy), pageUrl);
    const har = 'path' in file && file.path !== undefined ? linkTo(file.path, folder) : undefined;
    runs.push({
      index,
      role,
      ok: true,
      ...measured,
      metrics: figuresOfHar(metrics, own),
      findings: [...findings, ...gapsOf(read, visit, policy).map((gap) => findingInWords(gap, pageUrl))],
      ...(har !== undefined && { har, harHash: hash }),
    });
    if (role === 'timed') waterfalls.push(waterfallInWords(waterfallOf(visit, policy, index)));
  }
  const { url } = first.read.navigation;
  const page = settled.findLast(({ visit }) => visit.recording.page)?.visit.recording.page;
  const policies = usedPolicies(settled, rules);
  const target = targetOf({
    target: nameOfTarget(loads),
    url,
    ...(page && page.title !== '' && { title: page.title }),
    finalUrl: page?.finalUrl,
    ...sharedPolicy(settled),
    ...(own.length > 0 && { ownMetrics: own }),
    runs,
  });
  const judged = withBudgets(target, budgets);
  const problems = [
    ...undecided(target),
    ...missingMetricProblems(target, judged.target),
    ...brokenProblems(judged, failOn, judged.target),
    ...budgetProblems(judged, judged.target),
  ];
  return { target: judged, waterfalls, notes: policyNotes(policies), policies, problems };
}

function nameOfTarget(loads: readonly Load[]): string {
  const [first] = loads;
  if (!first) return '';
  const files = new Set(loads.map(({ file }) => file.name));
  if (files.size > 1) return path.dirname(first.file.name);
  return first.pages > loads.length ? `${first.file.name}#${first.read.pageId}` : first.file.name;
}

/** The policy of all loads of a target, where they have one. */
function sharedPolicy(loads: readonly Load[]): Pick<TargetResult, 'policy'> {
  const policies = loads.map(
    ({ policy: { learnt: _learnt, thorough: _thorough, expected: _expected, awaited: _awaited, ...policy } }) => policy,
  );
  const [policy] = policies;
  return policy && policies.every((each) => isDeepStrictEqual(each, policy)) ? { policy } : {};
}

/** As a link of a page in the results folder. */
function linkTo(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).map(encodeURIComponent).join('/');
}

const TIMES = ['quietWindow', 'maxInflight', 'timeout', 'background', 'foreground'] as const;

function usedPolicies(loads: readonly Load[], rules: Partial<Policy>): readonly UsedPolicy[] {
  const used = new Map<string, UsedPolicy & { readonly runs: number[] }>();
  const target = nameOfTarget(loads);
  for (const [position, { policy, read }] of loads.entries()) {
    const source = (name: (typeof TIMES)[number]): 'option' | 'file' | 'default' =>
      rules[name] !== undefined ? 'option' : read.policy ? 'file' : 'default';
    const from = Object.fromEntries(TIMES.map((name) => [name, source(name)]));
    const key = JSON.stringify([policy, from]);
    const known = used.get(key);
    if (known) known.runs.push(position + 1);
    else used.set(key, { target, runs: [position + 1], policy, from });
  }
  return [...used.values()];
}

/** What a reader must know before trusting the figures of a target. */
function undecided({ target, url, runs }: TargetResult): readonly Problem[] {
  const open = openRun(runs);
  if (open === undefined) return [];
  const { pageComplete, findings } = open;
  if (pageComplete?.state === 'never') {
    return [problem('har-never', { path: target, url, detail: waitingForListed(pageComplete, url) })];
  }
  const missing = findings?.find(({ code }) => code === 'evidence-missing');
  return [problem('har-unconfirmed', { path: target, url, detail: unconfirmedInWords(pageComplete, missing, url) })];
}

// --- What is left behind ------------------------------------------------------------------------------------------

/** The browsers that recorded the loads. */
function recordedBy(loads: readonly Load[]): AuditHeader['browser'] {
  const unique = (values: readonly string[]): string => [...new Set(values.filter((value) => value !== ''))].join(', ');
  const userAgent = unique(loads.map(({ read }) => read.navigation.userAgent));
  return {
    product: unique(loads.map(({ read }) => read.navigation.browser)) || 'unknown',
    ...(userAgent !== '' && { userAgent }),
  };
}

function reported(header: AuditHeader, all: readonly Analysed[], redact: Redactor): AuditToReport {
  return {
    header: redactDeep(header, redact),
    targets: all.map(({ target, waterfalls, notes }) => {
      const result = redactDeep(target, redact);
      return {
        result: () => result,
        visuals: async () => ({ waterfalls: redactDeep(waterfalls, redact), thumbnails: {} }),
        notes: redactDeep(notes, redact),
      };
    }),
  };
}

/** Three only when there is nothing to show: with several files, one that is broken leaves the others their answers. */
function exitOf(targets: number, problems: readonly Problem[], failOn: FailOn): number {
  if (targets === 0) return EXIT.unmeasured;
  if (failsJob(problems, failOn)) return EXIT.gate;
  return problems.some(({ code }) => code !== 'budget-failed') ? EXIT.undecided : EXIT.ok;
}

function nameOfAnalysis(found: readonly FoundHar[]): string {
  const [first] = found;
  const name = first === undefined || first.name === STDIN ? '' : path.basename(path.resolve(first.name));
  return name.replace(/\.har(?:\.gz)?$/i, '') || 'analysis';
}
