import { rm } from 'node:fs/promises';
import path from 'node:path';
import { defined } from '../../core/text/defined.ts';
import type { MainThread } from '../../model/main-thread.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { placeFile } from '../../shell/disk/place-file.ts';
import { storedFile } from '../../shell/disk/stored-file.ts';
import { whyUnwritable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { type StoredKind, storedName } from '../../wording/text/text.ts';
import { picturesOf } from '../engine/evidence/files.ts';

/** Puts the files of shards into one folder, each under a name that no other has. */
export interface MergedFiles {
  /**
   * Places the files of a target. Gives the same target, naming its files as they are called in the new folder. A file that is not there is named all the
   * same: reports say that it is gone. A name that leads elsewhere is forgotten.
   *
   * @param prefix put before the names of recordings and Lighthouse's reports; pictures are named by what is in them
   */
  place<T extends TargetResult>(target: T, folder: string, prefix: string): Promise<T>;
  /** Lists a file that was written there otherwise, by its path. */
  add(file: string): void;
  /** Paths of all files. */
  files(): readonly string[];
  /** How large it is, bytes, by its path in the new folder. */
  sizes(): Readonly<Record<string, number>>;
  /** Removes them. */
  undo(): Promise<void>;
}

/** Places files in the folder `out`. */
export function mergedFiles(out: string): MergedFiles {
  const placed = new Map<string, string>();
  const files: string[] = [];
  const sizes: Record<string, number> = {};
  const placeAt = async (folder: string, kind: StoredKind, stored: string, name: string): Promise<void> => {
    const to = path.join(out, name);
    placed.set(name, path.join(folder, stored));
    const from = await storedFile(folder, kind, stored);
    if (from === undefined) return;
    try {
      const size = await placeFile(from, to);
      if (size === undefined) return;
      files.push(to);
      sizes[name] = size;
    } catch (error) {
      throw new QuiesceError('write-failed', { path: to, detail: whyUnwritable(error) }, { cause: error });
    }
  };
  const placeAs = async (
    name: string | undefined,
    kind: StoredKind,
    folder: string,
    prefix: string,
  ): Promise<string | undefined> => {
    const stored = storedName(kind, name);
    if (stored === undefined) return undefined;
    const from = path.join(folder, stored);
    const wanted = `${prefix}${stored}`;
    let free = wanted;
    for (let n = 2; placed.has(free) && placed.get(free) !== from; n += 1) free = `${n}-${wanted}`;
    if (!placed.has(free)) await placeAt(folder, kind, stored, free);
    return free;
  };
  return {
    async place(target, folder, prefix) {
      const runs = [];
      for (const { har, ...run } of target.runs) {
        const name = await placeAs(har, 'har', folder, prefix);
        runs.push({ ...run, ...defined({ har: name }) });
      }
      for (const file of picturesOf(target.evidence)) {
        if (!placed.has(file)) await placeAt(folder, 'picture', file, file);
      }
      const { trace: tracePath, ...code } = target.mainThread ?? {};
      const trace = await placeAs(tracePath, 'trace', folder, prefix);
      const placedCode = target.mainThread && { mainThread: { ...(code as MainThread), ...defined({ trace }) } };
      if (target.lighthouse === undefined) return { ...target, runs, ...placedCode };
      const { report, ...lighthouse } = target.lighthouse;
      const name = await placeAs(report, 'lighthouse', folder, prefix);
      return { ...target, runs, ...placedCode, lighthouse: { ...lighthouse, ...defined({ report: name }) } };
    },
    add: (file) => void files.push(file),
    files: () => files,
    sizes: () => sizes,
    async undo() {
      for (const file of files) await rm(file, { force: true });
    },
  };
}
