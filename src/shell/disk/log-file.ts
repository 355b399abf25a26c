import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Redactor } from '../../core/har/redact.ts';
import { lineCutter } from '../process/lines.ts';

/** What a program writes while it runs, kept line by line and without secrets. */
export interface LogFile {
  /** Where it is; undefined where nothing is written. */
  readonly path?: string;
  add(text: string): void;
  /** Rejects never: a disk that is full shows in what matters more. */
  close(): Promise<void>;
}

/**
 * Opens a log; one that keeps nothing without a path.
 *
 * @param continues behind what is there
 */
export function openLogFile(path: string | undefined, { text }: Pick<Redactor, 'text'>, continues = false): LogFile {
  if (path === undefined) return { add() {}, close: async () => undefined };
  const file = createWriteStream(path, { flags: continues ? 'a' : 'w' });
  file.on('error', () => undefined);
  const lines = lineCutter((all) => {
    file.write(`${all.map(text).join('\n')}\n`);
  });
  return {
    path,
    add: (more) => lines.add(more),
    async close() {
      lines.end();
      file.end();
      await finished(file).catch(() => undefined);
    },
  };
}
