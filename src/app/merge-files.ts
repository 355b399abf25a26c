import { rm } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../core/messages.ts';
import type { TargetResult } from '../model/result.ts';
import { siblingFile } from '../report/text.ts';
import { placeFile } from '../shell/place-file.ts';
import { picturesOf } from './evidence-files.ts';

/** Brings the files of shards together in one folder, each under a name that no other has. */
export interface MergedFiles {
  /**
   * The same target, naming its files as they are called in the new folder. A file that is not there is named all the
   * same: reports say that it is gone. A name that leads elsewhere is forgotten.
   *
   * @param prefix put before the names of recordings and Lighthouse's reports; pictures are named by what is in them
   */
  bring<T extends TargetResult>(target: T, folder: string, prefix: string): Promise<T>;
  /** Counts what was written there as brought, by its path. */
  wrote(file: string): void;
  /** Paths of what was brought. */
  files(): readonly string[];
  /** How large it is, bytes, by its path in the new folder. */
  sizes(): Readonly<Record<string, number>>;
  /** Takes back what was brought. */
  undo(): Promise<void>;
}

/** What a recording and a report of Lighthouse's are called: nothing else is brought under their name. */
const RECORDING = /\.har(?:\.gz)?$/i;
const REPORT = /\.html$/i;
const PICTURE = /\.(?:png|jpe?g)$/i;

/** Nothing was brought yet to the folder `out`. */
export function mergedFiles(out: string): MergedFiles {
  const placed = new Map<string, string>();
  const brought: string[] = [];
  const sizes: Record<string, number> = {};
  const place = async (from: string, name: string): Promise<void> => {
    const to = path.join(out, name);
    placed.set(name, from);
    try {
      const size = await placeFile(from, to);
      if (size === undefined) return;
      brought.push(to);
      sizes[name] = size;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new UsageError('write-failed', { path: to, detail: code ?? message }, { cause: error });
    }
  };
  const placeAs = async (
    name: string | undefined,
    form: RegExp,
    folder: string,
    prefix: string,
  ): Promise<string | undefined> => {
    const sibling = siblingFile(name);
    if (sibling === undefined || !form.test(sibling)) return undefined;
    const from = path.join(folder, sibling);
    const wanted = `${prefix}${sibling}`;
    let free = wanted;
    for (let n = 2; placed.has(free) && placed.get(free) !== from; n += 1) free = `${n}-${wanted}`;
    if (!placed.has(free)) await place(from, free);
    return free;
  };
  return {
    async bring(target, folder, prefix) {
      const runs = [];
      for (const { har, ...run } of target.runs) {
        const name = await placeAs(har, RECORDING, folder, prefix);
        runs.push({ ...run, ...(name !== undefined && { har: name }) });
      }
      for (const file of picturesOf(target.evidence)) {
        if (PICTURE.test(file) && !placed.has(file)) await place(path.join(folder, file), file);
      }
      if (target.lighthouse === undefined) return { ...target, runs };
      const { report, ...lighthouse } = target.lighthouse;
      const name = await placeAs(report, REPORT, folder, prefix);
      return { ...target, runs, lighthouse: { ...lighthouse, ...(name !== undefined && { report: name }) } };
    },
    wrote: (file) => void brought.push(file),
    files: () => brought,
    sizes: () => sizes,
    async undo() {
      for (const file of brought) await rm(file, { force: true });
    },
  };
}
