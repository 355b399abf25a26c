/** The jobs of the command line as functions. Every option is optional, and has the name that it has in a configuration file. */

import type { AnalyzeOutcome } from './jobs/analyze/analyze.ts';
import { analyze as runAnalysis } from './jobs/analyze/analyze.ts';
import type { AuditOutcome } from './jobs/audit/audit.ts';
import { audit as runAudit } from './jobs/audit/audit.ts';
import type { CapacityOutcome } from './jobs/capacity/capacity.ts';
import { capacity as runCapacity } from './jobs/capacity/capacity.ts';
import type { CompareOutcome } from './jobs/compare/compare.ts';
import { compareBuilds as runComparison } from './jobs/compare/compare-builds.ts';
import type { ComparePagesOutcome } from './jobs/compare/compare-pages.ts';
import type { GithubOutcome } from './jobs/github/github.ts';
import { github as runGithub } from './jobs/github/github.ts';
import type { MergeOutcome } from './jobs/merge/merge.ts';
import { merge as runMerge } from './jobs/merge/merge.ts';
import type { ReportOutcome } from './jobs/report/report.ts';
import { report as runReport } from './jobs/report/report.ts';
import type { TrendOutcome } from './jobs/trend/trend.ts';
import { trend as runTrend } from './jobs/trend/trend.ts';
import type { Progress } from './model/result/progress.ts';
import { type Gathered, readOptions } from './settings/gather.ts';
import { inLibraryWords } from './settings/library-words.ts';
import { type CommandName, defaultsFor, type OptionsOf, type PageOptionName } from './settings/options.ts';
import {
  resolveAnalyze,
  resolveAudit,
  resolveCapacity,
  resolveCompare,
  resolveGithub,
  resolveMerge,
  resolveReport,
  resolveTrend,
} from './settings/resolve.ts';

/** How a caller watches a job, and ends it. */
export interface Hooks {
  /** Ends the job; what is finished is kept. */
  readonly signal?: AbortSignal | undefined;
  /** Called with every step of the job. */
  readonly onProgress?: ((event: Progress) => void) | undefined;
}

/** One page of an audit with options of its own. */
export type PageOptions = Pick<OptionsOf<'audit'>, PageOptionName> & {
  /** What reports and files call it; no other page of the audit has the same. */
  readonly name?: string | undefined;
  /** A URL, a folder with a built site, or, with a server under test, a path on it. */
  readonly url: string;
};

/** Options of `audit`. Times in milliseconds, or texts with a unit: '2.5s'. */
export type AuditOptions = OptionsOf<'audit'> & Hooks & { readonly pages?: readonly PageOptions[] | undefined };
/** What `audit` takes where pages are named among the options. */
export type AuditCall = AuditOptions & {
  /** A page: a URL, or a folder with a built site. */
  readonly url?: string | undefined;
  /** Several pages. */
  readonly targets?: readonly string[] | undefined;
};
/** One page of a comparison of several, with options of its own. */
export type ComparedPageOptions = Pick<
  OptionsOf<'compare'>,
  Extract<PageOptionName, keyof OptionsOf<'compare'>> | 'gate' | 'minEffect' | 'strict'
> & {
  /** What reports and files call it; no other page of the comparison has the same. */
  readonly name?: string | undefined;
  /** A path of both builds. */
  readonly url: string;
};
/** Options of `compare`. */
export type CompareOptions = Omit<OptionsOf<'compare'>, 'pages'> &
  Hooks & {
    /** Paths of both builds. */
    readonly pages?: readonly (string | ComparedPageOptions)[] | undefined;
  };
/** What makes a comparison one of several pages. */
type OfPages =
  | { readonly pages: NonNullable<CompareOptions['pages']> }
  | { readonly urlsFile: string }
  | { readonly sitemap: string };
/** Options of `analyze`. */
export type AnalyzeOptions = OptionsOf<'analyze'> & Hooks;
/** Options of `capacity`. */
export type CapacityOptions = OptionsOf<'capacity'> & Hooks;
/** Options of `trend`. */
export type TrendOptions = OptionsOf<'trend'> & Hooks;
/** Options of `report`. */
export type ReportOptions = OptionsOf<'report'> & Hooks;
/** Options of `merge`. */
export type MergeOptions = OptionsOf<'merge'> & Hooks;
/** Options of `github`. */
export type GithubOptions = OptionsOf<'github'> & Pick<Hooks, 'signal'>;

/** What `audit` does by default. */
export const AUDIT_DEFAULTS = defaultsFor('audit');
/** What `compare` does by default. */
export const COMPARE_DEFAULTS = defaultsFor('compare');
/** What `analyze` does by default. */
export const ANALYZE_DEFAULTS = defaultsFor('analyze');

/**
 * Loads pages several times in fresh profiles of Chrome, judges when they were complete, and writes reports.
 *
 * @param target a URL, a folder with a built site, or everything in one object
 * @returns the result; rejects with a `QuiesceError` when nothing could be begun
 */
export async function audit(target: string | AuditCall, options: AuditOptions = {}): Promise<AuditOutcome> {
  const {
    url,
    targets = [],
    ...call
  } = typeof target === 'string' ? { url: target, ...options } : { ...target, ...options };
  const [hooks, given] = withoutHooks(call);
  const words = url === undefined ? targets : [url, ...targets];
  return inLibrary(() => runAudit(resolveAudit(gathered('audit', words, given)), hooks));
}

/**
 * Compares two builds, loaded alternately, until every gate metric has an answer, and writes reports.
 *
 * @param base a URL or a folder with a built site; or options with `baseRef`, to compare a commit with the work tree
 * @returns the result, with `pages`, `urlsFile`, `sitemap` or a script with steps that of several pages; rejects with a
 *   `QuiesceError` when nothing could be begun
 */
export function compare(
  base: string,
  candidate: string,
  options: CompareOptions & OfPages,
): Promise<ComparePagesOutcome>;
export function compare(
  base: string,
  candidate: string,
  options: CompareOptions & { readonly script: string },
): Promise<CompareOutcome | ComparePagesOutcome>;
export function compare(base: string, candidate: string, options?: CompareOptions): Promise<CompareOutcome>;
export function compare(options: CompareOptions & OfPages & { readonly baseRef: string }): Promise<ComparePagesOutcome>;
export function compare(
  options: CompareOptions & { readonly baseRef: string; readonly script: string },
): Promise<CompareOutcome | ComparePagesOutcome>;
export function compare(options: CompareOptions & { readonly baseRef: string }): Promise<CompareOutcome>;
export async function compare(
  base: string | CompareOptions,
  candidate?: string,
  options: CompareOptions = {},
): Promise<CompareOutcome | ComparePagesOutcome> {
  const [hooks, given] = withoutHooks(typeof base === 'string' ? options : base);
  const words = typeof base === 'string' ? [base, ...(candidate === undefined ? [] : [candidate])] : [];
  return inLibrary(async (): Promise<CompareOutcome | ComparePagesOutcome> => {
    return runComparison(resolveCompare(gathered('compare', words, given)), hooks);
  });
}

/**
 * Judges recorded HARs as an audit judges what it loads, and writes the same reports. For one HAR in memory there is
 * `judgeHar`.
 *
 * @param files HAR files, gzipped or not, folders with some, and `-` for the standard input
 */
export async function analyze(
  files: string | readonly string[],
  options: AnalyzeOptions = {},
): Promise<AnalyzeOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runAnalysis(resolveAnalyze(gathered('analyze', listOf(files), given)), hooks));
}

/**
 * Finds out how much a server can take, and what stands in the way; with two, which can take more.
 *
 * @param urls the server, or two to compare; none with `import`
 */
export async function capacity(
  urls: string | readonly string[],
  options: CapacityOptions = {},
): Promise<CapacityOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runCapacity(resolveCapacity(gathered('capacity', listOf(urls), given)), hooks));
}

/**
 * Puts stored results of the same pages in order, and marks where a metric changed by more than noise explains.
 *
 * @param paths folders with results at any depth, and files of results
 */
export async function trend(paths: string | readonly string[], options: TrendOptions = {}): Promise<TrendOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runTrend(resolveTrend(gathered('trend', listOf(paths), given)), hooks));
}

/**
 * Writes the reports of a stored result again.
 *
 * @param result a result.json, or the folder that holds one
 */
export async function report(result: string, options: ReportOptions = {}): Promise<ReportOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runReport(resolveReport(gathered('report', [result], given)), hooks));
}

/**
 * Joins the results of shards.
 *
 * @param dirs folders or files with results of shards; folders may hold several
 */
export async function merge(dirs: string | readonly string[], options: MergeOptions = {}): Promise<MergeOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runMerge(resolveMerge(gathered('merge', listOf(dirs), given)), hooks));
}

/**
 * Tells GitHub of a stored result: the summary of the job, annotations, outputs, and one comment on the pull request.
 *
 * @param result a result.json, or the folder that holds one
 */
export async function github(result: string, options: GithubOptions = {}): Promise<GithubOutcome> {
  const [hooks, given] = withoutHooks(options);
  return inLibrary(() => runGithub(resolveGithub(gathered('github', [result], given)), hooks));
}

/** Errors are worded for the library. */
async function inLibrary<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw inLibraryWords(error);
  }
}

/** This is a front door, as the command line is one: the environment and the user are looked at here, and nowhere below. */
function gathered<C extends CommandName>(
  command: C,
  words: readonly string[],
  options: Omit<OptionsOf<C>, 'pages'> & { readonly pages?: unknown },
): Gathered<C> {
  return readOptions(command, words, options, { env: process.env, isRoot: process.getuid?.() === 0 });
}

function withoutHooks<T extends Hooks>({ signal, onProgress, ...options }: T) {
  const hooks = { signal, onProgress };
  return [hooks, options] as const;
}

const listOf = (one: string | readonly string[]): readonly string[] => (typeof one === 'string' ? [one] : one);
