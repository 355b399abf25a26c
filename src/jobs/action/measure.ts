import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ProblemMessage } from '../../model/result/problem-message.ts';
import type { ActionPlan } from '../../settings/action-inputs.ts';
import { RESULT_FILE } from '../../shell/disk/stored-results.ts';
import { fetchRef } from '../../shell/git/fetch-ref.ts';
import { appendOutputs } from '../../shell/github/job-files.ts';
import { withoutStepFiles } from '../../shell/process/inherited-environment.ts';
import { runProgram } from '../../shell/process/run-program.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import { notMeasured } from './not-measured.ts';
import type { StepHooks } from './plan.ts';

/** What the step that measures is given. */
export interface MeasureHooks extends Omit<StepHooks, 'isRoot'> {
  /** How Quiesce is started: a program and its first words. */
  readonly program: readonly string[];
  /** Aborted when the job is ended; the second one when it is ended at once. */
  readonly stops: readonly [AbortSignal, AbortSignal];
}

/** The end of the log that is kept for the summary, letters. */
const KEPT = 256 * 1024;
/** Exit codes with which something was measured. */
const MEASURED: readonly number[] = [EXIT.ok, EXIT.gate, EXIT.undecided];
/** Exit codes after SIGINT and SIGTERM. */
const INTERRUPTED: readonly number[] = [EXIT.interrupted, 143];

/**
 * The step that measures: starts Quiesce as planned, and writes the outputs `exit-code`, `fresh` (is there a new result?)
 * and `out`, the folder of the results.
 *
 * @returns The exit code of the step: 0 when there is a result to tell of, whatever it says.
 */
export async function measure(plan: ActionPlan, hooks: MeasureHooks): Promise<number> {
  const { cwd, env, write } = hooks;
  const out = path.resolve(cwd, plan.out);
  const before = await stampOf(out);
  let log = '';
  let reason: string | undefined;
  // Titles and addresses of pages are printed, and builds say what they like: no line of it is a command to the runner.
  const resume = randomUUID();
  write(`::stop-commands::${resume}\n`);
  const code = await runJob(plan, hooks, {
    onText(text) {
      log = (log + text).slice(-KEPT);
      write(text);
    },
    onProblem(problem) {
      reason ??= problem;
    },
  });
  write(`\n::${resume}::\n`);
  const after = await stampOf(out);
  // A result that lay there before is no answer.
  const isFresh = after !== undefined && after !== before;
  if (env.GITHUB_OUTPUT !== undefined) {
    await appendOutputs(env.GITHUB_OUTPUT, { 'exit-code': String(code), fresh: String(isFresh), out });
  }
  if (isFresh) return EXIT.ok;
  write(await notMeasured(log, reason, env));
  return code === EXIT.ok || code === EXIT.undecided ? EXIT.unmeasured : code;
}

const PROBLEM_MESSAGE: z.ZodType<ProblemMessage> = z.object({ problem: z.string() });

/** Did a signal end it? */
export const wasInterrupted = (exitCode: number): boolean => INTERRUPTED.includes(exitCode);

/** The exit code of the whole Action, when GitHub was published of the result: what a result does not show counts, too. */
export function exitAfter(measured: number, published: number): number {
  if (published !== EXIT.ok) return published;
  // A full disk, a browser that died, a job that was ended.
  return MEASURED.includes(measured) ? EXIT.ok : measured;
}

/** What a job prints, and what it tells of its own. */
interface JobListener {
  onText(text: string): void;
  onProblem(problem: string): void;
}

async function runJob(plan: ActionPlan, hooks: MeasureHooks, { onText, onProblem }: JobListener): Promise<number> {
  const { cwd, program, stops } = hooks;
  // What a build reads must not depend on how the steps speak to each other, and it must set nothing for those that follow.
  const { ACTION_PLAN: _plan, QUIESCE: _program, ...env } = withoutStepFiles(hooks.env);
  const base: string[] = [];
  try {
    if (plan.baseRef !== undefined) {
      const { ref, problems } = await fetchRef(cwd, plan.baseRef, stops[0]);
      for (const line of problems) onText(`git: ${line}\n`);
      base.push(`--base-ref=${ref}`);
    }
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
    onText(`quiesce: ${error.message}\n`);
    onProblem(error.message);
    return error.exit;
  }
  const words = [plan.job, ...plan.options, ...base, '--', ...plan.targets];
  return runProgram({
    ...{ program: [...program, ...words], folder: cwd, env, stops, onText },
    onMessage(message) {
      const told = PROBLEM_MESSAGE.safeParse(message);
      if (told.success) onProblem(told.data.problem);
    },
  });
}

/** What changes when the result in a folder is written again; undefined where there is none. */
async function stampOf(out: string): Promise<string | undefined> {
  const found = await stat(path.join(out, RESULT_FILE), { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}
