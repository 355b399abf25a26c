import type { VerdictReason } from '../background/reason.ts';
import type { RequestReason } from '../background/request-reason.ts';
import type { HostReason } from '../host/reason.ts';
import type { FindingFact } from './finding.ts';
import type {
  BackgroundEndpoint,
  CriticalPath,
  HostResult,
  PageCompleteResult,
  RequestStep,
  RunResult,
  WorkStep,
} from './result.ts';

/** What is measured of a run, as codes and figures; `runInWords` adds the texts that a result shows beside them. */
export type RunFacts = Required<Pick<RunResult, 'metrics'>> &
  Pick<
    RunResult,
    | 'undisturbed'
    | 'onPhone'
    | 'breakdown'
    | 'byType'
    | 'bySite'
    | 'largestContentfulPaint'
    | 'layoutShifts'
    | 'network'
    | 'blockingScripts'
    | 'longestFrame'
    | 'interaction'
  > & {
    readonly criticalPath?: CriticalPathFacts;
    readonly pageComplete: PageCompleteFacts;
    readonly background: readonly BackgroundFacts[];
    readonly findings: readonly FindingFact[];
  };

/** The chain of requests that determined page complete. */
export type CriticalPathFacts = Omit<CriticalPath, 'steps'> & { readonly steps: readonly CriticalStepFacts[] };

/** One step of it. */
export type CriticalStepFacts = RequestStepFacts | WorkStepFacts;

/** A request of it. */
export type RequestStepFacts = Omit<RequestStep, 'because' | 'reason'> & { readonly reason: RequestReason };

/** Work of the main thread on it. */
export type WorkStepFacts = Omit<WorkStep, 'because'>;

/** When the page was complete. */
export type PageCompleteFacts = Omit<PageCompleteResult, 'because' | 'watchedBecause' | 'waitingFor' | 'raw'> & {
  readonly raw: RawFacts;
};

/** One endpoint whose traffic is background, or looked like it. */
export type BackgroundFacts = Omit<BackgroundEndpoint, 'because' | 'overruledBy' | 'reason'> & {
  readonly reason: VerdictReason;
};

/** What network idle says. */
export type RawFacts = Omit<PageCompleteResult['raw'], 'waitingFor'>;

/** Whether the measuring machine was fit. */
export type HostFacts = Omit<HostResult, 'reasons' | 'reasonFacts'> & { readonly reasonFacts: readonly HostReason[] };
