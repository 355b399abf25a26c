import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { UsageError } from '../../core/messages.ts';

/** Adds to the summary of a job. Rejects with `github-file-unwritable`. */
export async function appendSummary(file: string, markdown: string): Promise<void> {
  // A step before may have left a line open, and a heading must begin one.
  await append('GITHUB_STEP_SUMMARY', file, `\n${markdown}`);
}

/**
 * Sets outputs of a step. No value can end early or set another: the line that ends it is drawn at random. Source: GitHub
 * Docs, "Workflow commands", multiline strings. Rejects with `github-file-unwritable`.
 */
export async function appendOutputs(file: string, outputs: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(outputs).map(([name, value]) => {
    const end = `end-${randomUUID()}`;
    return `${name}<<${end}\n${value}\n${end}\n`;
  });
  await append('GITHUB_OUTPUT', file, lines.join(''));
}

async function append(variable: string, file: string, text: string): Promise<void> {
  try {
    await appendFile(file, text);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError('github-file-unwritable', { option: variable, detail: code }, { cause: error });
  }
}
