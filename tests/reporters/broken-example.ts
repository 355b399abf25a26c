import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import type { FailedRequest } from '../../src/model/health.ts';
import type { Finding, RunRole } from '../../src/model/result/result.ts';
import { exampleReport } from './example-report.ts';

export const failed = (path: string, how: Partial<FailedRequest>): FailedRequest => ({
  url: `https://shop.example${path}`,
  method: 'GET',
  type: 'fetch',
  status: 500,
  isNeeded: true,
  ...how,
});

export const requests = (...all: FailedRequest[]): Finding => ({
  code: 'broken-request',
  message: 'as the result holds it',
  urls: all.map(({ url }) => url),
  facts: { requests: all.length, isBroken: all.some(({ isNeeded }) => isNeeded), failed: all },
});

export const SHOWN: Finding = {
  code: 'error-shown',
  message: 'The page shows an error',
  urls: [],
  facts: { text: 'Something *went* <b>wrong</b>', isBroken: true },
};

/** The example with these findings, in all runs of a role and of these numbers. */
export function withFindings(findings: readonly Finding[], role: RunRole = 'timed', only?: number) {
  const { result } = exampleReport();
  const targets = result.targets.map((target) => ({
    ...target,
    runs: target.runs.map((run) => {
      const { findings: _, ...rest } = run;
      return run.role === role && run.ok && (only === undefined || run.index === only) ? { ...rest, findings } : rest;
    }),
  }));
  return auditReport({ ...result, targets }, []);
}

/** A page that shows an error, and whose data did not come. */
export const BROKEN = withFindings([SHOWN, requests(failed('/api/items', {}))]);
