import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isFolder } from './is-file.ts';

/**
 * Creates a folder and those above it. Returns the first that was created; undefined when all were there. Rejects with the
 * error of the file system. Node's own `recursive` never ends where a folder that is there says that it is not, as `/proc` does.
 */
export async function makeFolder(folder: string): Promise<string | undefined> {
  const whole = path.resolve(folder);
  if (await isFolder(whole)) return undefined;
  const above = path.dirname(whole);
  const first = above === whole ? undefined : await makeFolder(above);
  try {
    await mkdir(whole);
  } catch (error) {
    if (!(await isFolder(whole))) throw error;
    // Another process was quicker: the folder is not ours.
    return undefined;
  }
  return first ?? whole;
}
