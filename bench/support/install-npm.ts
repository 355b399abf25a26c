/** Installs packages of npm that only a benchmark needs, into a folder of its own. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs them if the folder does not have them, without their install scripts. Rejects where npm cannot.
 *
 * @param packages versions by name
 * @param more fields of the folder's package.json
 * @param prepared does what is to be done once afterwards
 */
export async function installNpm(
  folder: string,
  packages: Readonly<Record<string, string>>,
  more: object = {},
  prepared: () => Promise<void> = async () => undefined,
): Promise<string> {
  const done = path.join(folder, 'installed');
  if (existsSync(done)) return folder;
  await mkdir(folder, { recursive: true });
  const json = { private: true, dependencies: packages, ...more };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(json));
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await prepared();
  await writeFile(done, '');
  return folder;
}
