import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** The built command, as a user starts it in a folder. */
export async function builtCommand(
  folder: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = [path.resolve('bin/quiesce.js'), ...args];
  const options = { cwd: folder, env: { ...process.env, FORCE_COLOR: '0' }, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)(process.execPath, command, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}
