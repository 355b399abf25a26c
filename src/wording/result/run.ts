import type { BackgroundEndpoint, CriticalPath, PageCompleteResult, RunResult } from '../../model/result/result.ts';
import type {
  BackgroundFacts,
  CriticalPathFacts,
  PageCompleteFacts,
  RawFacts,
  RunFacts,
} from '../../model/result/run-facts.ts';
import { requestReasonInWords } from '../background/request-reasons.ts';
import { overrulingInWords, verdictReasonInWords } from '../background/verdict-reasons.ts';
import { completionReasonInWords, waitingForInWords, watchReasonInWords } from '../completion/waiting-for.ts';
import { workInWords } from '../critical-path.ts';
import { findingInWords } from './findings.ts';

/** What was measured of a run, with the texts that a result shows beside codes and figures. */
export type RunInWords = Required<Pick<RunResult, 'pageComplete' | 'metrics' | 'background' | 'findings'>> &
  Pick<
    RunResult,
    | 'undisturbed'
    | 'onPhone'
    | 'breakdown'
    | 'criticalPath'
    | 'byType'
    | 'bySite'
    | 'largestContentfulPaint'
    | 'layoutShifts'
    | 'network'
    | 'blockingScripts'
    | 'longestFrame'
    | 'interaction'
  >;

/** Puts what was measured of a run into words; addresses of the page's own origin are cut short in sentences. */
export function runInWords(facts: RunFacts, pageUrl: string): RunInWords {
  const { criticalPath, ...rest } = facts;
  return {
    ...rest,
    ...(criticalPath && { criticalPath: criticalPathInWords(criticalPath, pageUrl) }),
    pageComplete: pageCompleteInWords(facts.pageComplete, pageUrl),
    background: facts.background.map(backgroundInWords),
    findings: facts.findings.map((fact) => findingInWords(fact, pageUrl)),
  };
}

function criticalPathInWords({ steps, rest }: CriticalPathFacts, pageUrl: string): CriticalPath {
  return {
    steps: steps.map((step) =>
      step.cause === 'work'
        ? { ...step, because: workInWords(step, pageUrl) }
        : { ...step, because: requestReasonInWords(step.reason, pageUrl) },
    ),
    rest,
  };
}

function backgroundInWords(facts: BackgroundFacts): BackgroundEndpoint {
  const { reason, overruling } = facts;
  return {
    ...facts,
    because: verdictReasonInWords(reason),
    ...(overruling && { overruledBy: overrulingInWords(overruling) }),
  };
}

function pageCompleteInWords(facts: PageCompleteFacts, pageUrl: string): PageCompleteResult {
  const { reason, watchedReason, raw, waitingForFacts = [] } = facts;
  return {
    ...facts,
    ...(reason && { because: completionReasonInWords(reason, pageUrl) }),
    ...(watchedReason && { watchedBecause: watchReasonInWords(watchedReason, pageUrl) }),
    raw: rawInWords(raw),
    waitingFor: waitingForFacts.map((each) => waitingForInWords(each)),
  };
}

function rawInWords(raw: RawFacts): PageCompleteResult['raw'] {
  const { waitingForFacts } = raw;
  return { ...raw, ...(waitingForFacts && { waitingFor: waitingForFacts.map((each) => waitingForInWords(each)) }) };
}
