import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { configText } from '../../core/init/config-text.ts';
import { type ProjectServer, serverOf } from '../../core/init/project.ts';
import { readProject } from '../../shell/disk/project.ts';
import { whyUnwritable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** The file that is written. */
const CONFIG_FILE = 'quiesce.config.yaml';

/** What was written, and what it was written for. */
export interface Initialised {
  /** Absolute path. */
  readonly file: string;
  /** Folders with a built site; the first stands in the file. */
  readonly builds: readonly string[];
  /** How the project can be served. */
  readonly server?: ProjectServer;
}

/**
 * Writes a commented configuration file for the project in a folder.
 *
 * @throws QuiesceError `init-exists` when there is one and it is not to be replaced, `out-not-writable`
 */
export async function init(folder: string, { force }: { readonly force: boolean }): Promise<Initialised> {
  const project = await readProject(folder);
  const file = path.join(folder, CONFIG_FILE);
  try {
    await writeFile(file, configText(project), { flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new QuiesceError('init-exists', { path: CONFIG_FILE }, { cause: error });
    throw new QuiesceError('write-failed', { path: file, detail: whyUnwritable(error) }, { cause: error });
  }
  const server = serverOf(project);
  return { file, builds: project.builds, server };
}
