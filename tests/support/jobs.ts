/** Jobs as the front door starts them, with the hooks that only tests need. */

import { type AuditCall } from '../../src/api.ts';
import * as analysis from '../../src/jobs/analyze/analyze.ts';
import * as audits from '../../src/jobs/audit/audit.ts';
import * as comparisons from '../../src/jobs/compare/compare.ts';
import * as pages from '../../src/jobs/compare/compare-pages.ts';
import * as doctors from '../../src/jobs/doctor/doctor.ts';
import * as githubs from '../../src/jobs/github/github.ts';
import * as merges from '../../src/jobs/merge/merge.ts';
import * as reports from '../../src/jobs/report/report.ts';
import * as trends from '../../src/jobs/trend/trend.ts';
import type { Observation } from '../../src/model/background/verdict.ts';
import { readOptions } from '../../src/settings/gather.ts';
import type { OptionsOf } from '../../src/settings/options.ts';
import * as resolve from '../../src/settings/resolve.ts';
import type { Loading } from '../../src/settings/resolved.ts';

const HERE = { env: process.env, isRoot: false };

/** How long suspects are watched, which no option says. */
interface Watching {
  readonly observation?: Observation;
}

export type AuditOptions = Omit<AuditCall, 'signal' | 'onProgress' | 'url'> & Watching;
export type CompareOptions = Omit<OptionsOf<'compare'>, 'pages'> & {
  readonly targets?: readonly string[] | undefined;
  /** Paths, and pages with options of their own. */
  readonly pages?: readonly unknown[] | undefined;
} & Watching;
export type AnalyzeOptions = OptionsOf<'analyze'> & { readonly files: readonly string[] };
export type TrendOptions = OptionsOf<'trend'> & { readonly paths: readonly string[] };
export type ReportOptions = OptionsOf<'report'> & { readonly result: string };
export type MergeOptions = OptionsOf<'merge'> & { readonly dirs: readonly string[] };
export type GithubOptions = OptionsOf<'github'> & { readonly result: string };

export const resolvedAudit = ({ targets = [], observation, ...options }: AuditOptions) => {
  const resolved = resolve.resolveAudit(readOptions('audit', targets, options, HERE));
  const pages = resolved.pages.map((page) => ({ ...page, loading: watched(page.loading, observation) }));
  return { ...resolved, pages, loading: watched(resolved.loading, observation) };
};

export const resolvedCompare = ({ targets = [], observation, ...options }: CompareOptions) => {
  const resolved = resolve.resolveCompare(readOptions('compare', targets, options, HERE));
  return { ...resolved, loading: watched(resolved.loading, observation) };
};

const watched = <L extends Loading>(loading: L, observation: Observation | undefined): L =>
  observation === undefined ? loading : { ...loading, policy: { ...loading.policy, observation } };

/** What loads are asked for. */
export const loadOptionsOf = (options: AuditOptions) =>
  resolvedAudit({ targets: ['http://x/'], ...options }).loading.options;

export async function audit(options: AuditOptions, hooks?: audits.AuditHooks) {
  return audits.audit(resolvedAudit(options), hooks);
}

export async function compare(options: CompareOptions, hooks?: comparisons.CompareHooks) {
  return comparisons.compare(resolvedCompare(options), hooks);
}

/** A comparison of several pages, or of a page and the steps of a script. */
export async function comparePages(options: CompareOptions, hooks?: pages.ComparePagesHooks) {
  const { observation } = options;
  const { pages: asked, ...resolved } = resolvedCompare(options);
  if (asked === undefined) return pages.comparePages(resolved, hooks);
  const named = asked.named.map((page) => ({ ...page, loading: watched(page.loading, observation) }));
  return pages.comparePages({ ...resolved, pages: { ...asked, named } }, hooks);
}

export async function analyze({ files, ...options }: AnalyzeOptions, hooks?: analysis.AnalyzeHooks) {
  return analysis.analyze(resolve.resolveAnalyze(readOptions('analyze', files, options, HERE)), hooks);
}

export async function trend({ paths, ...options }: TrendOptions, hooks?: trends.TrendHooks) {
  return trends.trend(resolve.resolveTrend(readOptions('trend', paths, options, HERE)), hooks);
}

export async function report({ result, ...options }: ReportOptions, hooks?: reports.ReportHooks) {
  return reports.report(resolve.resolveReport(readOptions('report', [result], options, HERE)), hooks);
}

export async function merge({ dirs, ...options }: MergeOptions, hooks?: merges.MergeHooks) {
  return merges.merge(resolve.resolveMerge(readOptions('merge', dirs, options, HERE)), hooks);
}

export async function github(
  { result, ...options }: GithubOptions,
  hooks?: githubs.GithubHooks & { readonly env?: Readonly<Record<string, string | undefined>> },
) {
  const { env = process.env, ...rest } = hooks ?? {};
  return githubs.github(resolve.resolveGithub(readOptions('github', [result], options, { ...HERE, env })), rest);
}

export async function doctor(
  options: OptionsOf<'doctor'>,
  hooks: doctors.DoctorHooks,
  compareWithItself: doctors.CompareWithItself,
) {
  return doctors.doctor(resolve.resolveDoctor(readOptions('doctor', [], options, HERE)), hooks, compareWithItself);
}
