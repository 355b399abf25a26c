import { fileInWords, whyUnreadable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { readText } from './read-pieces.ts';

/** A line that names a page. */
export interface UrlLine {
  readonly url: string;
  readonly name?: string;
  /** From 1. */
  readonly line: number;
}

/** The longest list of pages that is read, bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file with one page per line: URL, then an optional name. Empty lines, and lines that begin with `#`, are ignored.
 * `-` is the standard input.
 *
 * @throws QuiesceError `urls-file-unreadable`
 */
export async function readUrlsFile(
  file: string,
  stdin: AsyncIterable<Uint8Array | string>,
): Promise<readonly UrlLine[]> {
  const refuse = (detail: string, cause?: unknown) =>
    new QuiesceError('urls-file-unreadable', { path: fileInWords(file), detail }, { cause });
  const text = await readText(file, stdin, { most: MAX_BYTES }).catch((error: unknown) => {
    throw refuse(whyUnreadable(error), error);
  });
  if (text.includes('\u0000')) throw refuse('it is not a list of URLs');
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
