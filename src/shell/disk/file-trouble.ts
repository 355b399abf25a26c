/** What the file system says when it refuses, each as one clause. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** Why a file or a folder cannot be read, by the code of the error. */
export const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GB',
};

const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'a folder of that name is in the way',
};

/** Why a file or a folder cannot be read. */
export const whyUnreadable = (error: unknown): string => clause(UNREADABLE, error);

/** Why a file cannot be written. */
export const whyUnwritable = (error: unknown): string => clause(UNWRITABLE, error);

function clause(clauses: Readonly<Record<string, string>>, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return clauses[code] ?? (code || message);
}

/** The text of a file, or of the standard input where `-` is its name. */
export async function readText(name: string, stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  return name === '-' ? await text(stdin as NodeJS.ReadableStream) : await readFile(name, 'utf8');
}
