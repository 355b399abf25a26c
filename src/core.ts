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
export type * from './model/completion.ts';
export type * from './model/finding.ts';
export type * from './model/har-fault.ts';
export type * from './model/lab.ts';
export type * from './model/network.ts';
export type * from './model/reason.ts';
export type * from './model/recording.ts';
export type * from './model/request-reason.ts';
export type * from './model/run-facts.ts';
export type * from './model/timeline.ts';
export type * from './model/verdict.ts';
export type * from './model/visit.ts';
export { runInWords } from './wording/run.ts';
export { verdictReasonInWords } from './wording/verdict-reasons.ts';
