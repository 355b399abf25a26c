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
export type * from './model/background/reason.ts';
export type * from './model/background/request-reason.ts';
export type { Policy } from './model/background/verdict.ts';
export type * from './model/budgets.ts';
export type * from './model/capacity.ts';
export type * from './model/compare/comparison.ts';
export type * from './model/compare/page-difference.ts';
export type * from './model/completion/completion.ts';
export type * from './model/host/conditions.ts';
export type * from './model/host/reason.ts';
export type * from './model/lighthouse/lighthouse.ts';
export type * from './model/metrics/metrics.ts';
export type * from './model/metrics/summary.ts';
export type * from './model/network/har-fault.ts';
export type * from './model/recording/script.ts';
export type * from './model/result/failure.ts';
export type * from './model/result/finding.ts';
export type * from './model/result/note.ts';
export type * from './model/result/progress.ts';
export type * from './model/result/report.ts';
export type * from './model/result/result.ts';
export type { FailOn } from './model/settings.ts';
export type * from './model/shards/merge-note.ts';
export type * from './model/shards/shard.ts';
export type * from './model/trend.ts';
export type * from './model/units.ts';
export type { CapacityFormat, ReportFormat, TrendFormat } from './reporters/formats.ts';
export { EXIT, type MessageCode, QuiesceError } from './wording/messages/messages.ts';
