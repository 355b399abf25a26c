import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { UsageError } from '../core/messages.ts';

/** A line that names a page. */
export interface UrlLine {
  readonly url: string;
  readonly name?: string;
  /** From 1. */
  readonly line: number;
}

/** Larger files are no lists of pages, bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * A file with a target a line and, behind a blank or a tab, what to call it. Empty lines, and lines that begin with `#`,
 * say nothing. `-` is the standard input.
 *
 * @throws UsageError `urls-file-unreadable`
 */
export async function readUrlsFile(
  file: string,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<readonly UrlLine[]> {
  const path = file === '-' ? 'the standard input' : file;
  const refuse = (detail: string, cause?: unknown) =>
    new UsageError('urls-file-unreadable', { path, detail }, { cause });
  let text: string;
  try {
    text = file === '-' ? await textOf(stdin as NodeJS.ReadableStream) : await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw refuse(code === 'ENOENT' ? 'no such file' : (code ?? String(error)), error);
  }
  if (text.length > LARGEST || text.includes('\u0000')) throw refuse('it is not a list of URLs');
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|[\r\n]/)
    .flatMap((each, i): readonly UrlLine[] => {
      const [, url, name] = /^\s*([^\s#]\S*)\s*(.*?)\s*$/.exec(each) ?? [];
      return url === undefined ? [] : [{ url, ...(name && { name }), line: i + 1 }];
    });
  if (lines.length === 0) throw refuse('it names no page');
  return lines;
}
