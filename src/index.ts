/** The public API: the same jobs as the command line's, typed, with an `AbortSignal` and progress events. */
export { type AnalyzeHooks, type AnalyzeOutcome, type AnalyzeSettings, analyze } from './app/analyze.ts';
export { type AuditHooks, type AuditOutcome, audit } from './app/audit.ts';
export { type CompareHooks, type CompareOutcome, compare } from './app/compare.ts';
export { type GithubHooks, type GithubOutcome, github } from './app/github.ts';
export { type MergeHooks, type MergeOutcome, merge } from './app/merge.ts';
export { type ReportHooks, type ReportOutcome, type ReportSettings, report } from './app/report-again.ts';
export { type TrendHooks, type TrendOutcome, trend } from './app/trend.ts';
export { classify, detectors } from './core/background/index.ts';
export { DEFAULT_POLICY, ENDED, judge, judgeRaw } from './core/complete.ts';
export { blockOrder } from './core/experiment/blocks.ts';
export { evaluate } from './core/experiment/evaluate.ts';
export { buildHar } from './core/har/build.ts';
export { type HarReading, type HarRecording, readHar } from './core/sources/har.ts';
export { recordingOfHar } from './core/sources/har-recording.ts';
export { foldTimeline } from './core/timeline/fold.ts';
export type { Budget, BudgetEntry, BudgetResult } from './model/budget.ts';
export type { CompareResult, MetricComparison, PlacedRun } from './model/comparison.ts';
export type { Lab, LoadOutcome, LoadRequest, StepOutcome } from './model/lab.ts';
export type { LighthouseResult, LighthouseRun } from './model/lighthouse.ts';
export type { NetworkEvent } from './model/network.ts';
export type { Progress } from './model/progress.ts';
export type { Recording } from './model/recording.ts';
export type { AuditReport, CompareReport } from './model/report.ts';
export type { AuditResult, RunResult, TargetResult } from './model/result.ts';
export type { ScriptContext, Step } from './model/script.ts';
export type {
  AuditSettings,
  CompareSettings,
  GithubSettings,
  MergeSettings,
  PageSettings,
  ServeSettings,
} from './model/settings.ts';
export type { Mark, Request, Timeline } from './model/timeline.ts';
export type { TrendPage, TrendResult, TrendSettings } from './model/trend.ts';
export type { Detector, PageComplete, Policy, Verdict } from './model/verdict.ts';
export { defineScript, type Script } from './shell/chrome/script.ts';
