import type { TargetReport } from '../model/report.ts';
import type { RunResult } from '../model/result.ts';
import { otherFindings } from './select.ts';

/** What tables of many pages show of the metrics. */
const TABLED: ReadonlySet<string> = new Set(['pageComplete', 'largestContentfulPaint', 'requestCount', 'transferSize']);

/**
 * The target without what only its own page shows: about a tenth of it. Tables of many pages and what is said of them all
 * (`IndexOfTargets`, `worstFirst`, the terminal's and the summary's overviews) are the same with it.
 */
export function leanTarget(target: TargetReport): TargetReport {
  const { result, representative, sentence } = target;
  const { evidence: _evidence, lighthouse: _lighthouse, ...rest } = result;
  const bearer = representative ?? result.runs.find(({ role }) => role === 'timed' || role === 'evidence');
  const runs = result.runs.map((run): RunResult => {
    const lean = leanRun(run);
    if (run.index !== bearer?.index) return lean;
    // Those of all runs, each once, so that they can be counted.
    const findings = otherFindings(target).map(({ code, message }) => ({ code, message, urls: [] }));
    return { ...lean, findings };
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
    notes: [],
    ...(stands && { representative: stands }),
    waterfalls: [],
  };
}

/** What a run came to, why it does not count if it does not, and whether the machine was fit. */
export function leanRun({ index, role, ok, failure, excluded, order, pageComplete, host }: RunResult): RunResult {
  return {
    index,
    role,
    ok,
    ...(failure && { failure }),
    ...(excluded !== undefined && { excluded }),
    ...(order !== undefined && { order }),
    ...(host && { host: { verdict: host.verdict, reasons: [] } }),
    ...(pageComplete && {
      pageComplete: {
        state: pageComplete.state,
        ...(pageComplete.at !== undefined && { at: pageComplete.at }),
        observedUntil: pageComplete.observedUntil,
        raw: {
          state: pageComplete.raw.state,
          ...(pageComplete.raw.at !== undefined && { at: pageComplete.raw.at }),
        },
        waitingFor: [],
      },
    }),
  };
}
