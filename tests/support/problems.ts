import type { Problem } from '../../src/jobs/engine/problem.ts';

/** The lines that a user reads. */
export function messagesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ message }) => message);
}
