import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What nobody's own configuration changes. */
const OWN = ['user.name=A', 'user.email=a@b.test', 'commit.gpgsign=false', 'init.defaultBranch=main'];

/** What git says in a folder, as nobody in particular. */
export async function gitIn(folder: string, ...args: readonly string[]): Promise<string> {
  const words = ['-C', folder, ...OWN.flatMap((each) => ['-c', each]), ...args];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  return (await promisify(execFile)('git', words, { env })).stdout.trim();
}

/** Commits all files of a work tree, and gives the hash. */
export async function commitIn(folder: string, message: string): Promise<string> {
  await gitIn(folder, 'add', '.');
  await gitIn(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return gitIn(folder, 'rev-parse', 'HEAD');
}
