import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { whyUnwritable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** Appends to the summary of a job. Rejects with the `QuiesceError` `github-file-unwritable`. */
export async function appendSummary(file: string, markdown: string): Promise<void> {
  // An earlier step may have ended without a line break, and a heading must begin a line.
  await append('GITHUB_STEP_SUMMARY', file, `\n${markdown}`);
}

/**
 * Sets outputs of a step. The line that ends a value is random: no value can end early or set another output. Source: GitHub
 * Docs, "Workflow commands", multiline strings. Rejects with the `QuiesceError` `github-file-unwritable`.
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
    const detail = whyUnwritable(error);
    throw new QuiesceError('github-file-unwritable', { option: variable, detail }, { cause: error });
  }
}
