import type { RunResult } from '../model/result/result.ts';

type Run = Pick<RunResult, 'role' | 'ok' | 'excluded'>;

/** Was it loaded to be timed, whatever came of it? Failures are counted among these. */
export const isTimed = ({ role }: Pick<Run, 'role'>): boolean => role === 'timed';

/** Do its figures count? It was timed, it was measured, and it was not taken out together with its block. */
export const isCounted = ({ role, ok, excluded }: Run): boolean => role === 'timed' && ok && excluded === undefined;

/**
 * Was it timed and measured? In a comparison that may be a run whose block was dropped because another load of it failed:
 * its time does not count, but what the page asked for in it was seen all the same.
 */
export const isMeasured = ({ role, ok }: Pick<Run, 'role' | 'ok'>): boolean => role === 'timed' && ok;

/** Was the page complete in it? */
export const isCompleteRun = ({ pageComplete }: Pick<RunResult, 'pageComplete'>): boolean =>
  pageComplete?.state === 'complete';
