import { QuiesceError } from '../../../wording/messages/messages.ts';
import type { ComparedPageJob } from '../compared-page.ts';

/**
 * Shares α evenly between all loads and steps that decide, once it is known which steps there are. Gives the error for a gate
 * that names no step.
 */
export function planSteps(jobs: readonly ComparedPageJob[]): QuiesceError | undefined {
  const found = new Set(jobs.flatMap(({ steps }) => steps.map(({ name }) => name)));
  // What could not be loaded has not shown its steps.
  for (const { page } of jobs.some(({ stopped }) => stopped !== undefined) ? [] : jobs) {
    for (const { step } of page.design.gates) {
      if (step === undefined || found.has(step) || (page.isOnly && step === page.name)) continue;
      return new QuiesceError('gate-without-step', {
        detail: step,
        ...(found.size > 0 && { suggestion: [...found].map((name) => `"${name}"`).join(', ') }),
      });
    }
  }
  if (found.size === 0) return undefined;
  for (const job of jobs) job.chooseGates();
  const deciding = jobs.flatMap((job) => [job, ...job.steps]).filter(({ decides }) => decides);
  for (const job of jobs) job.plan(deciding.length);
  return undefined;
}
