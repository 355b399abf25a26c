import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Annotation, annotationsOf, shareSentence } from '../core/github/annotations.ts';
import { markerOf } from '../core/github/marker.ts';
import { decisionOf, exitOf, pageCompleteDifference } from '../core/github/outcome.ts';
import { type MessageCode, UsageError } from '../core/messages.ts';
import type { CompareResult } from '../model/comparison.ts';
import type { AuditReport, CompareReport } from '../model/report.ts';
import type { AuditResult } from '../model/result.ts';
import type { GithubSettings } from '../model/settings.ts';
import { type Links, shareSummary, withLinks } from '../report/github/comment.ts';
import { compareReporters, reporters } from '../report/index.ts';
import { type Clock, GithubClient } from '../shell/github/client.ts';
import { appendOutputs, appendSummary } from '../shell/github/job-files.ts';
import { pullRequestOf } from '../shell/github/pull-request.ts';
import { keepComment } from '../shell/github/sticky-comment.ts';
import { type GithubSurroundings, githubSurroundings } from '../shell/github/surroundings.ts';
import { isFile } from '../shell/stored-results.ts';
import { perBuild } from './builds.ts';
import { auditReport, COLUMNS, targetReport } from './report-model.ts';
import { readComplete } from './stored-result.ts';

/** What a caller of `github` may hook into. */
export interface GithubHooks {
  readonly signal?: AbortSignal;
  /** Where a job is told what it is; the process's own when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The time, and how it passes; the machine's when absent. */
  readonly clock?: Clock;
}

/** What GitHub was told of a result, or would have been. */
export interface GithubOutcome {
  /** A comparison's decision; of an audit the worst that is said of a page: 'complete', 'partly', 'never' … */
  readonly decision: string;
  /** How much later page complete is in the candidate, as a share of the base. */
  readonly pageCompleteDifference?: number;
  /** Absolute; absent where there is no page beside the result. */
  readonly reportPath?: string;
  /** Absolute. */
  readonly resultPath: string;
  readonly commentUrl?: string;
  /** The summary of the job, in Markdown. */
  readonly summary: string;
  /** What was put beside the job, or should be. */
  readonly annotations: readonly Annotation[];
  /** One line for everything that was not done, and why. */
  readonly notes: readonly string[];
  /** True inside a job on GitHub. */
  readonly isJob: boolean;
  /** True when the summary was written to where the job has it. */
  readonly isSummaryWritten: boolean;
  /** 0 · 1 when a gate or a budget fails the job · 3 when what was to be measured was not. */
  readonly exit: number;
}

/** Source: the limit of GitHub for the body of a comment, which it tells with HTTP 422. */
const LONGEST_COMMENT = 65_536;
/**
 * Letters of a summary. Source: GitHub's runner leaves out what is longer than 1 MiB (CreateStepSummaryCommand); a letter
 * takes three bytes at most.
 */
const LONGEST_SUMMARY = Math.floor((1024 * 1024) / 3) - 1;
/** Reasons that are no fault: the summary of the job says it all. */
const EXPECTED: readonly (MessageCode | undefined)[] = ['github-read-only', 'github-no-token'];

/**
 * Tells GitHub of a stored result: the summary of the job, the outputs of the step, and one comment on the pull request,
 * which is kept up to date. What cannot be told is a note and fails nothing. Rejects with a `UsageError` when the result
 * cannot be read.
 */
export async function github(settings: GithubSettings, hooks: GithubHooks = {}): Promise<GithubOutcome> {
  const surroundings = await githubSurroundings(hooks.env ?? process.env);
  const resultPath = await resultAt(settings.result);
  const result = await readComplete({ name: settings.result, path: resultPath });
  const { summary, answers } = told(result);
  const links = linksOf(result, settings, surroundings);
  const reportPath = path.join(path.dirname(resultPath), 'index.html');
  const job: Job = { settings, surroundings, hooks, notes: [], annotations: [] };
  const annotations = annotationsOf(result, settings.failOn, answers);
  const linked = (most: number): string => withLinks(summary, links, settings.commentKey, most);
  const whole = linked(LONGEST_SUMMARY);
  // Before GitHub is waited for: a job may be ended meanwhile.
  const isSummaryWritten = await write(surroundings.summaryFile, job, (file) => appendSummary(file, whole));
  const commentUrl = await comment(result, linked, job);
  const difference = pageCompleteDifference(result);
  const outcome = {
    decision: decisionOf(result),
    ...(difference !== undefined && { pageCompleteDifference: difference }),
    ...((await isFile(reportPath)) && { reportPath }),
    resultPath,
    ...(commentUrl !== undefined && { commentUrl }),
  };
  await write(surroundings.outputFile, job, (file) => appendOutputs(file, outputsOf(outcome)));
  return {
    ...outcome,
    summary: whole,
    annotations: [...annotations, ...job.annotations],
    notes: job.notes,
    isJob: surroundings.isJob,
    isSummaryWritten,
    exit: exitOf(
      result,
      annotations.some(({ kind }) => kind === 'error'),
    ),
  };
}

interface Job {
  readonly settings: GithubSettings;
  readonly surroundings: GithubSurroundings;
  readonly hooks: GithubHooks;
  readonly notes: string[];
  readonly annotations: Annotation[];
}

/** The result's file, absolute. */
async function resultAt(name: string): Promise<string> {
  const found = await stat(name).catch(() => undefined);
  return path.resolve(found?.isDirectory() ? path.join(name, 'result.json') : name);
}

/** The summary of a result, and what it says of each target of an audit. */
function told(result: AuditResult | CompareResult): { readonly summary: string; readonly answers: readonly string[] } {
  const { shard } = result;
  if (result.kind === 'compare') {
    const sides = perBuild((build) => targetReport(result[build], []));
    const report: CompareReport = { result, columns: COLUMNS, ...sides };
    const summary = shard ? shareSummary(shard, result.sentence) : inMarkdown(compareReporters, report);
    return { summary, answers: [] };
  }
  const report: AuditReport = auditReport(result, []);
  const answers = report.targets.map(({ sentence }) => sentence);
  const summary = shard ? shareSummary(shard, shareSentence(result)) : inMarkdown(reporters, report);
  return { summary, answers };
}

interface MarkdownReporter<R> {
  readonly format: string;
  render(report: R): string;
}

function inMarkdown<R>(all: readonly MarkdownReporter<R>[], report: R): string {
  return all.find(({ format }) => format === 'md')?.render(report) ?? '';
}

/** Where a reader goes from here. What was measured is said by GitHub where it knows: results of forks say what they like. */
function linksOf(result: AuditResult | CompareResult, settings: GithubSettings, around: GithubSurroundings): Links {
  const { event, repositoryUrl, runUrl } = around;
  const known = event?.pull_request?.head.sha ?? event?.workflow_run?.head_sha;
  const hash = known ?? result.source?.commit;
  const url = known !== undefined && repositoryUrl !== undefined ? `${repositoryUrl}/commit/${known}` : undefined;
  return {
    report: settings.reportUrl ?? (event?.workflow_run && runUrl !== undefined ? `${runUrl}#artifacts` : undefined),
    run: runUrl,
    ...(hash !== undefined && { commit: { hash, url } }),
  };
}

/**
 * The comment's address; undefined where there is none, which is told.
 *
 * @param text what it says in so many letters at most
 */
async function comment(
  result: AuditResult | CompareResult,
  text: (most: number) => string,
  job: Job,
): Promise<string | undefined> {
  const { settings, surroundings, hooks } = job;
  // Of a shard there is nothing to tell yet.
  if (!settings.comment || result.shard !== undefined) return undefined;
  const { token, repository, apiUrl, event } = surroundings;
  const named = settings.pull !== undefined || event?.pull_request !== undefined || event?.workflow_run !== undefined;
  // Whoever tries it out at home did not ask for a comment.
  if (!surroundings.isJob && !named) return undefined;
  try {
    if (token === undefined && named) throw new UsageError('github-no-token');
    if (repository === undefined) throw new UsageError('github-no-pull', { detail: 'GITHUB_REPOSITORY is not set' });
    const { signal = new AbortController().signal, clock } = hooks;
    const client = new GithubClient({ apiUrl, token: token ?? '', signal, ...(clock && { clock }) });
    const pull = settings.pull ?? (await pullRequestOf(surroundings, repository, client));
    const marker = `${markerOf(settings.commentKey)}\n`;
    const body = `${marker}${text(LONGEST_COMMENT - marker.length)}`;
    return await keepComment(client, { repository, pull, key: settings.commentKey }, body);
  } catch (error) {
    return void note(error, job);
  }
}

/** What could not be done is told, and fails nothing. */
function note(error: unknown, { notes, annotations }: Job): void {
  if (!(error instanceof UsageError)) throw error;
  notes.push(error.message);
  // That a push has no pull request is no news beside each job.
  if (error.code === 'github-no-pull') return;
  const kind = EXPECTED.includes(error.code) ? 'notice' : 'warning';
  annotations.push({ kind, title: 'Quiesce', message: error.message });
}

/** True when it was written. */
async function write(file: string | undefined, job: Job, to: (file: string) => Promise<void>): Promise<boolean> {
  if (file === undefined) return false;
  try {
    await to(file);
    return true;
  } catch (error) {
    note(error, job);
    return false;
  }
}

/** Names are part of the contract of the action; what is not known is empty. */
function outputsOf(
  outcome: Pick<GithubOutcome, 'decision' | 'pageCompleteDifference' | 'reportPath' | 'resultPath' | 'commentUrl'>,
): Readonly<Record<string, string>> {
  return {
    decision: outcome.decision,
    // Four figures: as many as the interval is worth.
    'page-complete-difference': outcome.pageCompleteDifference?.toFixed(4) ?? '',
    'report-path': outcome.reportPath ?? '',
    'result-path': outcome.resultPath,
    'comment-url': outcome.commentUrl ?? '',
  };
}
