import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitCommand } from './git.ts';

/** The largest list that is read, bytes: more than ten thousand submodules. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The folders of a tree's submodules by its `.gitmodules`, without submodules of submodules. */
export async function submodulesOf(top: string): Promise<readonly string[]> {
  const file = path.join(top, '.gitmodules');
  if (!(await exists(file))) return [];
  const { command, env } = gitCommand(top, 'config', '-z', '--file', file, '--get-regexp', '^submodule\\..*\\.path$');
  const call = promisify(execFile)(command[0], command.slice(1), {
    env,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  });
  // Git reports a broken file when the submodules are used.
  const { stdout } = await call.catch(() => ({ stdout: '' }));
  return stdout
    .split('\0')
    .map((entry) => entry.slice(entry.indexOf('\n') + 1))
    .filter((place) => place !== '' && !path.isAbsolute(place) && !place.split('/').includes('..'));
}

/**
 * The submodules, at any depth, that are not checked out in a work tree: their folders are there, and empty. CI jobs have
 * them only on request.
 */
export async function missingSubmodules(top: string, below = ''): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const each of await submodulesOf(path.join(top, below))) {
    const place = path.posix.join(below, each);
    const held = await readdir(path.join(top, place)).catch(() => undefined);
    if (held?.length === 0) missing.push(place);
    else if (held?.includes('.git')) missing.push(...(await missingSubmodules(top, place)));
  }
  return missing;
}

async function exists(place: string): Promise<boolean> {
  return (await stat(place).catch(() => undefined)) !== undefined;
}
