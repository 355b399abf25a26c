import { realpath } from 'node:fs/promises';

/** The path that a name leads to, whatever links are on the way; the name itself where nothing is there yet. */
export async function realPath(name: string): Promise<string> {
  return realpath(name).catch(() => name);
}
