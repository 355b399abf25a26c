import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** One load of a stored comparison, as its HAR says it. */
export interface StoredLoad {
  /** Ms since the epoch. */
  readonly startedAt: number;
  readonly role: string | undefined;
  /** From the start, ms. */
  readonly observedUntil: number | undefined;
}

/** The loads of both builds of a comparison that stored HARs in this folder. */
export async function storedLoads(folder: string): Promise<readonly StoredLoad[]> {
  const files = (await readdir(folder)).filter((name) => /-run-\d+\.har$/.test(name));
  return await Promise.all(
    files.map(async (name) => {
      const { log } = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
      const [{ startedDateTime, _role: role, _observedUntil: observedUntil }] = log.pages;
      return { startedAt: Date.parse(startedDateTime), role, observedUntil };
    }),
  );
}
