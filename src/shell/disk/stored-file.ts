import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type StoredKind, storedName } from '../../wording/text/text.ts';

/**
 * The path of a file that a stored result names; undefined where no such file is in its folder, or where Quiesce gives files of
 * this kind no such name. Every reader of stored results opens files by this function: a result may be a stranger's.
 */
export async function storedFile(
  folder: string,
  kind: StoredKind,
  name: string | undefined,
): Promise<string | undefined> {
  const stored = storedName(kind, name);
  return stored === undefined ? undefined : fileInside(folder, stored);
}

/**
 * The path of a regular file in a folder or below it; undefined where there is none. Symbolic links are not followed, neither
 * that of the file nor that of a folder on the way: they may lead anywhere.
 */
export async function fileInside(folder: string, name: string): Promise<string | undefined> {
  try {
    const whole = path.join(await realpath(folder), name);
    return (await realpath(whole)) === whole && (await lstat(whole)).isFile() ? whole : undefined;
  } catch {
    return undefined;
  }
}
