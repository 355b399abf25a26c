import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitCall } from './git.ts';

/** Names of more than ten thousand submodules, bytes. */
const MOST_TEXT = 1024 * 1024;

/** Where a tree has its submodules, those of submodules not included, as it says itself. */
export async function submodulesOf(top: string): Promise<readonly string[]> {
  const file = path.join(top, '.gitmodules');
  if (!(await exists(file))) return [];
  const { command, env } = gitCall(top, 'config', '-z', '--file', file, '--get-regexp', '^submodule\\..*\\.path$');
  const call = promisify(execFile)(command[0], command.slice(1), { env, maxBuffer: MOST_TEXT, windowsHide: true });
  // What is broken is git's to tell once it is used.
  const { stdout } = await call.catch(() => ({ stdout: '' }));
  return stdout
    .split('\0')
    .map((entry) => entry.slice(entry.indexOf('\n') + 1))
    .filter((place) => place !== '' && !path.isAbsolute(place) && !place.split('/').includes('..'));
}

/**
 * The submodules, at any depth, that a work tree does without: their folders are there, and empty. Jobs of continuous
 * integration have it so unless they ask for them.
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
