/** `quiesce/core`: the judgement by itself, for programs that have recordings or HARs of their own. Pure functions. */

export { classify, detectors } from './core/background/index.ts';
export { FINISHED, judge, judgeRaw } from './core/completion/complete.ts';
export { DEFAULT_POLICY } from './core/completion/default-policy.ts';
export { blockOrder } from './core/experiment/blocks.ts';
export { type Evaluation, evaluate } from './core/experiment/evaluate.ts';
export { planExperiment } from './core/experiment/plan.ts';
export { buildHar } from './core/har/build.ts';
export { measure, visitOf } from './core/measure.ts';
export { metrics } from './core/metrics/index.ts';
export { type HarReading, type HarRecording, readHar } from './core/sources/har.ts';
export { recordingOfHar } from './core/sources/har-recording.ts';
export { foldTimeline } from './core/timeline/fold.ts';
export { judgeHar } from './jobs/analyze/judge-har.ts';
export type * from './model/background/reason.ts';
export type * from './model/background/request-reason.ts';
export type * from './model/background/verdict.ts';
export type * from './model/completion/completion.ts';
export type * from './model/network/har-fault.ts';
export type * from './model/network/network.ts';
export type * from './model/network/timeline.ts';
export type * from './model/network/visit.ts';
export type * from './model/recording/lab.ts';
export type * from './model/recording/recording.ts';
export type * from './model/result/finding.ts';
export type * from './model/result/run-facts.ts';
export { verdictReasonInWords } from './wording/background/verdict-reasons.ts';
export { runInWords } from './wording/result/run.ts';
