import type { FindingFacts } from '../model/result/finding.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { RunResult } from '../model/result/result.ts';
import { otherFindings } from './findings.ts';
import { type Fault, faultsOf } from './health.ts';

/** What tables of many pages show of the metrics. */
const TABLED: ReadonlySet<string> = new Set(['pageComplete', 'largestContentfulPaint', 'requestCount', 'transferSize']);

/**
 * The target without what only its own page shows: about a tenth of it. Tables of many pages and what is said of them all
 * (`pagesColumns`, `worstFirst`) are the same with it.
 */
export function toTargetSummary(target: TargetReport): TargetReport {
  const { result, representative, sentence, networkIdle } = target;
  const { evidence: _evidence, lighthouse: _lighthouse, totals: _totals, ...rest } = result;
  const bearer = representative ?? result.runs.find(({ role }) => role === 'timed' || role === 'evidence');
  const faults = faultsOf(result);
  const runs = result.runs.map((run): RunResult => {
    const summary = toRunSummary(run);
    if (run.index !== bearer?.index) return summary;
    // Those of all runs, each once, so that they can be counted.
    const findings = otherFindings(target).map(({ code, message, facts }) => ({
      code,
      message,
      urls: [],
      facts: judged(code, facts, faults),
    }));
    return { ...summary, findings };
  });
  const stands = representative && runs.find(({ index }) => index === representative.index);
  return {
    result: {
      ...rest,
      runs,
      summary: Object.fromEntries(Object.entries(result.summary).filter(([name]) => TABLED.has(name))),
      background: result.background.map((endpoint) => ({ ...endpoint, urls: [] })),
    },
    sentence,
    networkIdle,
    notes: [],
    representative: stands,
    waterfalls: [],
  };
}

/** What the filmed run knows of failed requests is not there to be asked again. */
function judged(code: string, facts: FindingFacts | undefined, faults: readonly Fault[]): FindingFacts | undefined {
  const fault = faults.find(({ finding }) => finding.code === code);
  if (code !== 'broken-request' || fault === undefined || facts === undefined || !('requests' in facts)) return facts;
  return { ...facts, isBroken: fault.isBroken, failed: fault.failed } as FindingFacts;
}

/** What a run came to, why it does not count if it does not, and whether the machine was fit. */
export function toRunSummary({
  index,
  role,
  ok,
  failure,
  excluded,
  order,
  repeatedEnding,
  pageComplete,
  host,
}: RunResult): RunResult {
  return {
    index,
    role,
    ok,
    failure,
    excluded,
    order,
    repeatedEnding,
    ...(host && { host: { verdict: host.verdict, reasons: [] } }),
    ...(pageComplete && {
      pageComplete: {
        state: pageComplete.state,
        at: pageComplete.at,
        decidedBy: pageComplete.decidedBy,
        observedUntil: pageComplete.observedUntil,
        raw: {
          state: pageComplete.raw.state,
          at: pageComplete.raw.at,
        },
        doubt: pageComplete.doubt,
        doubts: pageComplete.doubts,
        waitingFor: [],
      },
    }),
  };
}
