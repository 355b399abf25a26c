/** Browsertime, installed into a folder of its own, without the drivers of all browsers that it pins. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installNpm } from './install-npm.ts';

const run = promisify(execFile);
/** The version that the figures in docs/internals/benchmarks.md are of. */
const VERSION = '28.3.0';

/** Chrome and the chromedriver that fits it. */
export interface Chromes {
  readonly executable: string;
  readonly chromedriver: string;
}

/** Installs it, if it is not there, and gives its program. Rejects where npm cannot. */
export async function installBrowsertime(
  folder = path.join(os.tmpdir(), `quiesce-browsertime-${VERSION}`),
): Promise<string> {
  // Its drivers are not used, and a registry may not have the versions that it pins.
  const overrides = existsSync(path.join(folder, 'installed')) ? {} : await overridesOf('browsertime', VERSION);
  await installNpm(folder, { browsertime: VERSION }, { overrides });
  return path.join(folder, 'node_modules', 'browsertime', 'bin', 'browsertime.js');
}

/** Its arguments for so many loads in this browser, without a video, with what it writes in `out`. */
export function browsertimeArguments(
  { executable, chromedriver }: Chromes,
  loads: number,
  out: string,
  chromeArgs: readonly string[],
): readonly string[] {
  return [
    ...['-n', String(loads), '--headless', '--video', 'false', '--visualMetrics', 'false', '--resultDir', out],
    ...['--chrome.binaryPath', executable, '--chrome.chromedriverPath', chromedriver],
    ...['--chrome.collectPerfLog', 'false'],
    ...chromeArgs.flatMap((arg) => ['--chrome.args', arg]),
  ];
}

/** The versions of a package's drivers and helpers that exist, where a pinned one does not. */
async function overridesOf(name: string, version: string): Promise<Readonly<Record<string, string>>> {
  const view = async (...what: readonly string[]): Promise<unknown> =>
    JSON.parse((await run('npm', ['view', ...what, '--json'])).stdout);
  const dependencies = (await view(`${name}@${version}`, 'dependencies')) as Readonly<Record<string, string>>;
  const own = Object.entries(dependencies).filter(([each]) => each.startsWith('@sitespeed.io/'));
  const pairs = await Promise.all(
    own.map(async ([each, pinned]): Promise<[string, string]> => {
      const versions = [await view(each, 'versions')].flat() as string[];
      return [each, versions.includes(pinned) ? pinned : (versions.at(-1) ?? pinned)];
    }),
  );
  return Object.fromEntries(pairs);
}
