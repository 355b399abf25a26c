import { copyFile, link, lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Puts a file into another folder as well: as a second name of it where the disk is the same, else as a copy. What is
 * there under that name already gives way. Gives its size, bytes; undefined when there is no such file, and a link is
 * none, for it may lead anywhere. Rejects when nothing can be written.
 */
export async function placeFile(from: string, to: string): Promise<number | undefined> {
  const found = await lstat(from).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  await mkdir(path.dirname(to), { recursive: true });
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    // Another disk, or one that knows no second names.
    await copyFile(from, to);
  }
  return found.size;
}
