import { homedir } from 'node:os';
import { resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which Quiesce keeps browsers and builds between runs. */
export function ownCacheFolder(env: Environment): string {
  return resolve(homeFolder(env), '.cache', 'quiesce');
}

/** The user's home folder: the environment's, so that a test can name another, else the system's. */
export function homeFolder(env: Environment): string {
  return env.HOME || env.USERPROFILE || homedir();
}
