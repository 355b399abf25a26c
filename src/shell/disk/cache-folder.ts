import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder in which Quiesce keeps browsers and builds between runs. Source: XDG Base Directory Specification 0.8. */
export function ownCacheFolder(env: Environment): string {
  const { XDG_CACHE_HOME: own = '' } = env;
  return join(isAbsolute(own) ? own : join(homeFolder(env), '.cache'), 'quiesce');
}

/** The user's home folder: the environment's, so that a test can name another, else the system's. */
export function homeFolder(env: Environment): string {
  return env.HOME || env.USERPROFILE || homedir();
}
