import { z } from 'zod';

/** The first thing that a schema did not accept, with its place: 'runs.0.at: Expected number'; undefined of other errors. */
export function firstIssue(error: unknown): string | undefined {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  if (issue === undefined) return undefined;
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
