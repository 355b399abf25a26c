import { copyFile, link, lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Links a file into another folder, or copies it to another disk. A file of that name is replaced. Returns its size, bytes;
 * undefined when there is no such file. Symbolic links are not followed: they may lead anywhere. Rejects when it cannot be
 * written.
 */
export async function placeFile(from: string, to: string): Promise<number | undefined> {
  const found = await lstat(from).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  await mkdir(path.dirname(to), { recursive: true });
  await rm(to, { force: true });
  try {
    await link(from, to);
  } catch {
    // Another disk, or a file system without hard links.
    await copyFile(from, to);
  }
  return found.size;
}
