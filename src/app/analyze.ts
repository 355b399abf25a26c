import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { agree } from '../core/background/learn.ts';
import { duration } from '../core/background/words.ts';
import { DEFAULT_POLICY } from '../core/complete.ts';
import { measure, visitOf } from '../core/measure.ts';
import { type Details, EXIT, type MessageCode, messageFor, UsageError } from '../core/messages.ts';
import { listed } from '../core/sentences.ts';
import { type HarRecording, readHar } from '../core/sources/har.ts';
import { gapsOf } from '../core/sources/har-gaps.ts';
import { readJson } from '../core/sources/har-json.ts';
import { NOT_IN_A_HAR, recordingOfHar } from '../core/sources/har-recording.ts';
import { agreedBackground, summarize } from '../core/summary.ts';
import { waterfallOf } from '../core/waterfall.ts';
import type { Progress } from '../model/progress.ts';
import type { Waterfall } from '../model/report.ts';
import type { AuditHeader, RunResult, RunRole, TargetResult } from '../model/result.ts';
import type { AuditSettings, ReportFormat } from '../model/settings.ts';
import type { Learnt, Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { type FoundHar, findHars, readHarText, STDIN } from '../shell/har-files.ts';
import { openStore } from '../shell/store.ts';
import type { AuditOutcome } from './audit.ts';
import { type AuditToReport, auditReports } from './audit-report.ts';
import { budgetProblems, budgetsOf, withBudgets } from './budgets.ts';
import { defaultFolder, linesOf, type Problem, problemOf, resultHeader } from './job.ts';
import { redactDeep, redactorFor } from './report-model.ts';
import { statedSource } from './source.ts';

/** Everything that an analysis can be told. Times in milliseconds. */
export interface AnalyzeSettings {
  /** HAR files, gzipped or not, folders with some, and `-` for the standard input. */
  readonly files: readonly string[];
  /** Folder for the results; `reports/<name>-<time>` when absent. */
  readonly out?: string;
  /** Hash of the commit that was recorded; looked for in the environment when absent. */
  readonly commit?: string;
  /** Each absent one is the file's own, for HARs that carry their policy, else the default of an audit. */
  readonly quietWindow?: number;
  readonly maxInflight?: number;
  readonly timeout?: number;
  readonly background?: readonly string[];
  readonly foreground?: readonly string[];
  /** Limits for figures of each page, as typed: 'page-complete=2s:warn'. */
  readonly budget?: NonNullable<AuditSettings['budget']>;
  readonly format: readonly Exclude<ReportFormat, 'har'>[];
}

/** What a caller may hook into. */
export interface AnalyzeHooks {
  /** Ends the analysis; what is finished is kept. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
  /** What `-` reads; the process's own when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What an analysis leaves behind. */
export interface AnalyzeOutcome extends AuditOutcome {
  /** What is wrong in files that were analysed all the same, one line each, cut after a few of each file. */
  readonly warnings: readonly string[];
}

/** So many faults of a file are told one by one: enough to see what kind of a file it is. */
const TOLD_FAULTS = 4;

/**
 * Judges recorded HARs as an audit judges what it loads, and writes the same reports. Every page of every file is a
 * target; pages of one file with the same address are its runs, and so are the files of an audit's folder. Rejects with
 * a `UsageError` when nothing was named or the results cannot be written; files that cannot be read are `problems`.
 */
export async function analyze(settings: AnalyzeSettings, hooks: AnalyzeHooks = {}): Promise<AnalyzeOutcome> {
  if (settings.files.length === 0) throw new UsageError('har-missing');
  budgetsOf(settings);
  const startedAt = new Date();
  const found = await findHars(settings.files);
  const job: Job = {
    settings,
    folder: path.resolve(settings.out ?? defaultFolder(nameOfAnalysis(found), startedAt)),
    startedAt,
    signal: hooks.signal ?? new AbortController().signal,
    groups: new Map(),
    problems: [],
    warnings: [],
    tell: (event) => hooks.onProgress?.(event),
  };
  for (const [position, file] of found.entries()) {
    // A file is parsed and judged in one go: between two of them Ctrl-C is heard and progress drawn.
    await setImmediate();
    if (job.signal.aborted) break;
    const place = { file: file.name, index: position + 1, of: found.length };
    job.tell({ kind: 'file-started', ...place });
    await setImmediate();
    const loads = await loadsOf(file, job, hooks.stdin ?? process.stdin);
    const requests = loads.reduce((sum, { visit }) => sum + visit.timeline.requests.length, 0);
    job.tell({ kind: 'file-finished', ...place, pages: loads.length, requests });
    for (const load of loads) {
      const group = job.groups.get(load.group);
      if (group) group.push(load);
      else job.groups.set(load.group, [load]);
    }
  }
  return conclude(job);
}

/** An analysis under way. */
interface Job {
  readonly settings: AnalyzeSettings;
  /** Where results go. */
  readonly folder: string;
  readonly startedAt: Date;
  readonly signal: AbortSignal;
  /** By what makes loads runs of one target. */
  readonly groups: Map<string, Load[]>;
  readonly problems: Problem[];
  readonly warnings: string[];
  tell(event: Progress): void;
}

/** One page of a file, judged. */
export interface Load {
  readonly group: string;
  readonly file: FoundHar;
  readonly read: HarRecording;
  /** How many pages the file holds. */
  readonly pages: number;
  readonly policy: Policy;
  readonly visit: Visit;
}

function problem(job: Pick<Job, 'problems'>, code: MessageCode, details: Details): void {
  job.problems.push({ code, message: messageFor(code, details) });
}

// --- Files --------------------------------------------------------------------------------------------------------

/** Every page of a file, judged; what is wrong with the file goes to the job's problems and warnings. */
export async function loadsOf(
  file: FoundHar,
  job: Pick<Job, 'settings' | 'problems' | 'warnings'>,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<readonly Load[]> {
  const shown = file.name === STDIN ? 'the standard input' : file.name;
  let text: string;
  try {
    if ('problem' in file) throw file.problem;
    text = await readHarText(file, stdin);
  } catch (error) {
    job.problems.push(problemOf(error));
    return [];
  }
  const json = readJson(text);
  if (!json.ok) {
    problem(job, 'har-not-json', { path: shown, line: json.line, column: json.column, detail: json.what });
    return [];
  }
  const { recordings, problems } = readHar(json.value);
  const lost = problems.filter((each) => each.endsWith('left out.'));
  if (recordings.length === 0) {
    // A log without entries is no fault of the format, and yet there is nothing to judge.
    const faults = lost.length > 0 ? lost : problems.length > 0 ? problems : ['It has no entries.'];
    for (const [position, detail] of few(faults).entries()) {
      problem(job, position === 0 ? 'har-invalid' : 'har-left-out', { path: shown, detail });
    }
    return [];
  }
  // What is left out may have mattered; other faults did not keep anything from being read.
  for (const detail of few(lost)) problem(job, 'har-left-out', { path: shown, detail });
  for (const detail of few(problems.filter((each) => !each.endsWith('left out.')))) {
    job.warnings.push(messageFor('har-flawed', { path: shown, detail }));
  }
  return recordings.map((read) => {
    const policy = policyFor(job.settings, read.policy);
    const visit = visitOf(recordingOfHar(read), policy);
    return { group: groupOf(file, read), file, read, pages: recordings.length, policy, visit };
  });
}

function few(faults: readonly string[]): readonly string[] {
  if (faults.length <= TOLD_FAULTS + 1) return faults;
  return [...faults.slice(0, TOLD_FAULTS), `and ${faults.length - TOLD_FAULTS} more.`];
}

/** As an audit names its HARs: the runs of one target lie side by side. */
const RUN_OF_AN_AUDIT = /^(?:(.+)-)?(?:run|evidence|ablation)(?:-\d+)?\.har(?:\.gz)?$/i;

/** The same address is the same target within a file (iterations) and within an audit's folder; a warm cache is not. */
function groupOf(file: FoundHar, read: HarRecording): string {
  const name = 'path' in file && file.path !== undefined ? file.path : STDIN;
  const ofAudit = read.exact ? RUN_OF_AN_AUDIT.exec(path.basename(name)) : null;
  // The same address under two names is two pages: they were loaded under other conditions.
  const audited = ofAudit ? [path.dirname(name), ofAudit[1] ?? ''] : [name];
  return JSON.stringify([...audited, read.navigation.url, read.cached]);
}

/** The file's own policy, or the default, with what the user said instead. */
function policyFor(settings: AnalyzeSettings, own: Policy = DEFAULT_POLICY): Policy {
  const { quietWindow = own.quietWindow, maxInflight = own.maxInflight, timeout = own.timeout } = settings;
  const said = (a: readonly string[] | undefined, b: readonly string[] | undefined, ours: readonly string[]) =>
    a ?? ours.filter((pattern) => !b?.includes(pattern));
  return {
    ...own,
    quietWindow,
    maxInflight,
    timeout,
    background: said(settings.background, settings.foreground, own.background),
    foreground: said(settings.foreground, settings.background, own.foreground),
  };
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
export interface UsedPolicy {
  readonly target: string;
  readonly runs: readonly number[];
  readonly policy: Policy;
  readonly from: Readonly<Record<string, 'option' | 'file' | 'default'>>;
}

function analysed(loads: readonly Load[], job: Job): Analysed {
  const [first] = loads;
  if (!first) throw new Error('a group has a load');
  const runs: RunResult[] = [];
  const waterfalls: Waterfall[] = [];
  const alone = !loads.some(({ read }) => read.role === undefined || read.role === 'timed');
  const settled = agreed(loads);
  for (const [position, { read, visit, policy, file }] of settled.entries()) {
    const index = position + 1;
    // An untimed run that lies alone is what the user wants to see.
    const role: RunRole = alone ? 'timed' : (read.role ?? 'timed');
    const { metrics, findings, ...measured } = measure(visit, policy);
    const har = 'path' in file && file.path !== undefined ? linkTo(file.path, job.folder) : undefined;
    runs.push({
      index,
      role,
      ok: true,
      ...measured,
      metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => !NOT_IN_A_HAR.has(name))),
      findings: [...findings, ...gapsOf(read, visit, policy)],
      ...(har !== undefined && { har }),
    });
    if (role === 'timed') waterfalls.push(waterfallOf(visit, policy, index));
  }
  const { url } = first.read.navigation;
  const page = settled.findLast(({ visit }) => visit.recording.page)?.visit.recording.page;
  const policies = usedPolicies(settled, job.settings);
  const target: TargetResult = {
    target: nameOfTarget(loads),
    url,
    ...(page && page.title !== '' && { title: page.title }),
    ...(page && { finalUrl: page.finalUrl }),
    runs,
    summary: summarize(runs),
    background: agreedBackground(runs),
  };
  const judged = withBudgets(target, budgetsOf(job.settings));
  const problems = [...undecided(target), ...budgetProblems(judged, judged.target)];
  return { target: judged, waterfalls, notes: policyNotes(policies), policies, problems };
}

/** An endpoint is background in all runs or in none: what one run saw and another did not is settled over all. */
export function agreed(loads: readonly Load[]): readonly Load[] {
  const timed = loads.filter(({ read }) => (read.role ?? 'timed') === 'timed');
  const proved = loads.find(({ policy }) => policy.learnt !== undefined)?.policy.learnt ?? [];
  if (timed.length < 2) return loads;
  const learnt: readonly Learnt[] = agree(
    timed.map(({ visit }) => visit),
    proved,
  );
  if (learnt.length === proved.length) return loads;
  return loads.map((load) => {
    if (load.read.role === 'ablation') return load;
    const policy = { ...load.policy, learnt };
    return { ...load, policy, visit: visitOf(load.visit.recording, policy) };
  });
}

function nameOfTarget(loads: readonly Load[]): string {
  const [first] = loads;
  if (!first) return '';
  const files = new Set(loads.map(({ file }) => file.name));
  if (files.size > 1) return path.dirname(first.file.name);
  return first.pages > loads.length ? `${first.file.name}#${first.read.pageId}` : first.file.name;
}

/** As a link of a page in the results folder. */
function linkTo(file: string, folder: string): string {
  return path.relative(folder, file).split(path.sep).map(encodeURIComponent).join('/');
}

const TIMES = ['quietWindow', 'maxInflight', 'timeout', 'background', 'foreground'] as const;

function usedPolicies(loads: readonly Load[], settings: AnalyzeSettings): readonly UsedPolicy[] {
  const used = new Map<string, UsedPolicy & { readonly runs: number[] }>();
  const target = nameOfTarget(loads);
  for (const [position, { policy, read }] of loads.entries()) {
    const source = (name: (typeof TIMES)[number]): 'option' | 'file' | 'default' =>
      settings[name] !== undefined ? 'option' : read.policy ? 'file' : 'default';
    const from = Object.fromEntries(TIMES.map((name) => [name, source(name)]));
    const key = JSON.stringify([policy, from]);
    const known = used.get(key);
    if (known) known.runs.push(position + 1);
    else used.set(key, { target, runs: [position + 1], policy, from });
  }
  return [...used.values()];
}

/** Says which rule judged where it is not simply the default. */
export function policyNotes(policies: readonly UsedPolicy[]): readonly string[] {
  const notes = policies.flatMap(({ policy, from }) => {
    const { quietWindow, maxInflight } = policy;
    const parts = [
      ...(from.quietWindow !== 'default'
        ? [`a quiet window of ${duration(quietWindow)} (${origin(from.quietWindow)})`]
        : []),
      ...(from.maxInflight !== 'default' && maxInflight !== DEFAULT_POLICY.maxInflight
        ? [`${maxInflight} in flight allowed (${origin(from.maxInflight)})`]
        : []),
      ...(policy.completeOn === undefined ? [] : [`the page's own mark ${policy.completeOn} (as recorded)`]),
      ...(['background', 'foreground'] as const).flatMap((name) =>
        policy[name].length === 0 ? [] : [`--${name} ${listed(policy[name])} (${origin(from[name])})`],
      ),
    ];
    return parts.length === 0 ? [] : [`Judged with ${parts.join(', ')}.`];
  });
  return [...new Set(notes)];
}

function origin(from: UsedPolicy['from'][string] | undefined): string {
  return from === 'option' ? 'as asked for' : 'as recorded';
}

/** What a reader must know before trusting the figures of a target. */
function undecided({ target, url, runs }: TargetResult): readonly Problem[] {
  const open = runs.filter(({ role, pageComplete }) => role === 'timed' && pageComplete?.state !== 'complete');
  return open.slice(0, 1).map(({ pageComplete, findings }) => {
    const waitingFor = listed(pageComplete?.waitingFor ?? [], url);
    const missing = findings?.find(({ code }) => code === 'evidence-missing')?.message;
    const [code, detail]: [MessageCode, string] =
      pageComplete?.state === 'never'
        ? ['har-never', waitingFor]
        : ['har-unconfirmed', missing ?? `It still waited for ${waitingFor}.`];
    return { code, message: messageFor(code, { path: target, url, detail }) };
  });
}

// --- What is left behind ------------------------------------------------------------------------------------------

async function conclude(job: Job): Promise<AnalyzeOutcome> {
  const all = [...job.groups.values()].map((loads) => analysed(loads, job));
  const reports = await auditReports(reported(all, job));
  const files: string[] = [];
  if (all.length > 0) {
    await reports.write({
      formats: job.settings.format,
      store: await openStore(job.folder),
      wrote: (file) => files.push(file),
      drawing: (index, of) => job.tell({ kind: 'drawing', index, of }),
    });
    job.tell({ kind: 'written', files });
  }
  const problems = [...job.problems, ...all.flatMap((each) => each.problems)];
  if (job.signal.aborted) problems.push({ code: 'interrupted', message: messageFor('interrupted') });
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: job.folder,
    files,
    exit: exitOf(all, problems, job),
    problems: linesOf(problems),
    warnings: job.warnings,
  };
}

function reported(all: readonly Analysed[], job: Job): AuditToReport {
  const loads = [...job.groups.values()].flat();
  const unique = (values: readonly string[]): string => [...new Set(values.filter((value) => value !== ''))].join(', ');
  const userAgent = unique(loads.map(({ read }) => read.navigation.userAgent));
  const source = statedSource(job.settings.commit);
  const redact = redactorFor(false);
  const header: AuditHeader = {
    ...resultHeader(job.startedAt),
    kind: 'analysis',
    browser: {
      product: unique(loads.map(({ read }) => read.navigation.browser)) || 'unknown',
      ...(userAgent !== '' && { userAgent }),
    },
    settings: { ...job.settings, policies: all.flatMap(({ policies }) => policies) },
    ...(source && { source }),
    ...(job.signal.aborted && { interrupted: true }),
  };
  return {
    header: redactDeep(header, redact),
    targets: all.map(({ target, waterfalls, notes }) => {
      const result = redactDeep(target, redact);
      return {
        result: () => result,
        drawn: async () => ({ waterfalls: redactDeep(waterfalls, redact), thumbnails: {} }),
        notes: redactDeep(notes, redact),
      };
    }),
  };
}

/** Three only when there is nothing to show: with several files, one that is broken leaves the others their answers. */
function exitOf(all: readonly Analysed[], problems: readonly Problem[], job: Job): number {
  if (job.signal.aborted) return EXIT.interrupted;
  if (all.length === 0) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'budget-failed')) return EXIT.gate;
  return problems.length > 0 ? EXIT.undecided : EXIT.ok;
}

function nameOfAnalysis(found: readonly FoundHar[]): string {
  const [first] = found;
  const name = first === undefined || first.name === STDIN ? '' : path.basename(path.resolve(first.name));
  return name.replace(/\.har(?:\.gz)?$/i, '') || 'analysis';
}
