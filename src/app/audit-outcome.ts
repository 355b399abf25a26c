import { EXIT, exitFor, type MessageCode, messageFor } from '../core/messages.ts';
import { whileWaiting } from '../core/sentences.ts';
import type { TargetResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { budgetProblems } from './budgets.ts';
import type { Problem } from './job.ts';

/**
 * What a reader must know before trusting the figures of a target.
 *
 * @param timeout how long a page was waited for
 * @param page what its budgets are told with, where they could be another page's; its name unless given
 */
export function problemsOfTarget(target: TargetResult, timeout: Ms, page = target.name): readonly Problem[] {
  const { runs, url, step, lighthouse } = target;
  const failed = runs.flatMap((run) =>
    run.failure ? [{ code: run.failure.code as MessageCode, message: run.failure.message }] : [],
  );
  const timed = runs.filter((run) => run.role === 'timed' && run.ok);
  const never = timed.find((run) => run.pageComplete?.state !== 'complete');
  const undecided: Problem[] = never
    ? [
        {
          code: 'never-complete',
          message: messageFor('never-complete', {
            url: step === undefined ? url : `The step "${step}" of ${url}`,
            timeout,
            detail: whileWaiting(never.pageComplete?.waitingFor ?? []),
          }),
        },
      ]
    : [];
  const inspected = (lighthouse?.runs ?? []).flatMap((run) =>
    run.failure ? [{ code: 'lighthouse-failed' as const, message: run.failure.message }] : [],
  );
  return [...failed, ...undecided, ...inspected, ...budgetProblems(target, page)];
}

/** A target of which at least one timed run was measured counts as measured; the others are told as problems. */
export function isMeasured({ runs }: TargetResult): boolean {
  return runs.some((run) => run.role === 'timed' && run.ok);
}

/** What decides the exit code of an audit. */
export interface AuditEnd {
  readonly interrupted: boolean;
  /** Something that should have been measured was not. */
  readonly unmeasured: boolean;
  /** What went wrong with the job itself. */
  readonly own: readonly Problem[];
  /** That, and what is wrong with its targets. */
  readonly problems: readonly Problem[];
}

/** The exit code of an audit. */
export function exitOfAudit({ interrupted, unmeasured, own, problems }: AuditEnd): number {
  if (interrupted) return EXIT.interrupted;
  const exits = own.map(({ code }) => (code ? exitFor(code) : EXIT.ok));
  if (exits.some((exit) => exit !== EXIT.ok)) return Math.max(...exits);
  if (unmeasured || problems.some(({ code }) => code === 'invalid-har')) return EXIT.unmeasured;
  if (problems.some(({ code }) => code === 'budget-failed')) return EXIT.gate;
  const isOpen = problems.some(({ code }) => code === 'never-complete' || code === 'budget-unknown');
  return isOpen ? EXIT.undecided : EXIT.ok;
}
