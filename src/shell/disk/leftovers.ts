import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Letters of a mark that say on which machine its process runs. */
const MACHINE_LETTERS = 4;
const MARK = new RegExp(`^([0-9a-z]{${MACHINE_LETTERS}})([0-9a-z]{1,8})-`);

/**
 * Puts this process's mark behind `prefix`, for names of temporary files and folders: what a process that was killed has
 * left can be told from what another one still uses.
 */
export function markedPrefix(prefix: string): string {
  return `${prefix}${machine()}${process.pid.toString(36)}-`;
}

/**
 * Makes a folder that is not to stay, in the folder for temporary files, and gives its path without symbolic links. Those with
 * this prefix are removed that processes have left which are gone.
 */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
  const folder = await realpath(os.tmpdir());
  await removeLeftovers(folder, prefix);
  return mkdtemp(path.join(folder, markedPrefix(prefix)));
}

/**
 * Removes what processes of this machine that are gone have left in the folder below names with this prefix. What cannot be
 * removed stays.
 */
export async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  for (const { name, pid } of await markedIn(folder, prefix)) {
    if (isRunning(pid)) continue;
    const left = path.join(folder, name);
    // In a folder that all users share, others may have given a name like ours to something else.
    const { uid } = (await lstat(left).catch(() => undefined)) ?? {};
    if (uid === undefined || (process.getuid && uid !== process.getuid())) continue;
    await rm(left, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 }).catch(() => undefined);
  }
}

/** What a process of this machine uses. */
export interface Marked {
  readonly name: string;
  /** The number of the process. */
  readonly pid: number;
}

/** What processes of this machine that run use in the folder below names with this prefix. */
export async function usedIn(folder: string, prefix: string): Promise<readonly Marked[]> {
  return (await markedIn(folder, prefix)).filter(({ pid }) => isRunning(pid));
}

async function markedIn(folder: string, prefix: string): Promise<readonly Marked[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const mark = name.startsWith(prefix) ? MARK.exec(name.slice(prefix.length)) : null;
    const [, where, pid = ''] = mark ?? [];
    return where === machine() ? [{ name, pid: Number.parseInt(pid, 36) }] : [];
  });
}

let machineMark: string | undefined;

/** Where the numbers of processes mean the same: a machine, and in a container the container. */
function machine(): string {
  machineMark ??= createHash('sha256')
    .update(`${os.hostname()} ${processNumbers()}`)
    .digest('hex')
    .slice(0, MACHINE_LETTERS);
  return machineMark;
}

/** The kernel's name for the set of process numbers. Source: man 7 pid_namespaces; empty on other systems than Linux. */
function processNumbers(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
