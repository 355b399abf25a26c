/** The public API: the same jobs as the command line's, typed, with an `AbortSignal` and progress events. */
export { type AnalyzeHooks, type AnalyzeOutcome, type AnalyzeSettings, analyze } from './app/analyze.ts';
export { type AuditHooks, type AuditOutcome, audit } from './app/audit.ts';
export { classify, detectors } from './core/background/index.ts';
export { DEFAULT_POLICY, ENDED, judge, judgeRaw } from './core/complete.ts';
export { buildHar } from './core/har/build.ts';
export { type HarReading, type HarRecording, readHar } from './core/sources/har.ts';
export { recordingOfHar } from './core/sources/har-recording.ts';
export { foldTimeline } from './core/timeline/fold.ts';
export type { Lab, LoadOutcome, LoadRequest } from './model/lab.ts';
export type { NetworkEvent } from './model/network.ts';
export type { Progress } from './model/progress.ts';
export type { Recording } from './model/recording.ts';
export type { AuditReport } from './model/report.ts';
export type { AuditResult, RunResult, TargetResult } from './model/result.ts';
export type { AuditSettings } from './model/settings.ts';
export type { Mark, Request, Timeline } from './model/timeline.ts';
export type { Detector, PageComplete, Policy, Verdict } from './model/verdict.ts';
