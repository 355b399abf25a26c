/** The public API: the same jobs as the command line's, typed, with an `AbortSignal` and progress events. */

export {
  ANALYZE_DEFAULTS,
  type AnalyzeOptions,
  AUDIT_DEFAULTS,
  type AuditCall,
  type AuditOptions,
  analyze,
  audit,
  type CapacityOptions,
  COMPARE_DEFAULTS,
  type ComparedPageOptions,
  type CompareOptions,
  capacity,
  compare,
  type GithubOptions,
  github,
  type Hooks,
  type MergeOptions,
  merge,
  type PageOptions,
  type ReportOptions,
  report,
  type TrendOptions,
  trend,
} from './api.ts';
export { defineScript, type Script } from './browser/script/script.ts';
export type { AnalyzeOutcome } from './jobs/analyze/analyze.ts';
export { type JudgedHar, type JudgedPage, judgeHar } from './jobs/analyze/judge-har.ts';
export type { AuditOutcome } from './jobs/audit/audit.ts';
export type { CapacityOutcome } from './jobs/capacity/capacity.ts';
export type { CompareOutcome } from './jobs/compare/compare.ts';
export type { ComparePagesOutcome } from './jobs/compare/compare-pages.ts';
export type { GithubOutcome } from './jobs/github/github.ts';
export type { MergeOutcome } from './jobs/merge/merge.ts';
export type { ReportOutcome } from './jobs/report/report.ts';
export type { TrendOutcome } from './jobs/trend/trend.ts';
export type * from './model/budget.ts';
export type * from './model/capacity.ts';
export type * from './model/comparison.ts';
export type * from './model/completion.ts';
export type * from './model/conditions.ts';
export type * from './model/failure.ts';
export type * from './model/finding.ts';
export type * from './model/har-fault.ts';
export type * from './model/host-reason.ts';
export type * from './model/lighthouse.ts';
export type * from './model/merge-note.ts';
export type * from './model/metric-summary.ts';
export type * from './model/metrics.ts';
export type * from './model/note.ts';
export type * from './model/page-difference.ts';
export type * from './model/progress.ts';
export type * from './model/reason.ts';
export type * from './model/report.ts';
export type * from './model/request-reason.ts';
export type * from './model/result.ts';
export type * from './model/script.ts';
export type { FailOn } from './model/settings.ts';
export type * from './model/shard.ts';
export type * from './model/trend.ts';
export type * from './model/units.ts';
export type { Policy } from './model/verdict.ts';
export type { CapacityFormat, ReportFormat, TrendFormat } from './reporters/formats.ts';
export { EXIT, type MessageCode, QuiesceError } from './wording/messages.ts';
