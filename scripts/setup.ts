/**
 * Makes sure that a browser is there before the demo and the tests: silent when one is; else Chrome for Testing, and
 * where that cannot be had, root on Debian and its relatives takes the distribution's Chromium.
 *
 * With `--for-tests` there too: the headless shell, in which most tests need half of the processor's time. They run
 * without it as well, so that it is installed only where that is one command.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FoundBrowser, findBrowser } from '../src/browser/install/find.ts';
import type { Installation } from '../src/browser/install/install.ts';
import { QuiesceError } from '../src/wording/messages/messages.ts';
import { headlessShell } from '../tests/support/headless-shell.ts';

/** Debian's. */
const SHELL_PACKAGE = 'chromium-headless-shell';

/** What the set-up does to the machine, so that a test can watch it. */
export interface SetupWorld {
  find(): Promise<FoundBrowser>;
  /** Whether the tests find a headless shell. */
  hasShell(): boolean;
  install(): Promise<Installation>;
  /** Runs a program to its end; the exit status, with the last words when it failed. */
  run(program: string, args: readonly string[]): { readonly status: number; readonly said: string };
  readFile(path: string): string | undefined;
  readonly isRoot: boolean;
  say(line: string): void;
}

/** The exit code; one line is said when something was done, or could not be. */
export async function setUp(world: SetupWorld): Promise<number> {
  try {
    await world.find();
    return 0;
  } catch (error) {
    // A named browser that does not work is the user's to mend, not ours to replace.
    if (!(error instanceof QuiesceError) || error.code !== 'browser-not-found') return refuse(world, lineOf(error));
  }
  let trouble: string;
  try {
    const installed = await world.install();
    const missing = startOrMendLibraries(installed.path, world);
    if (missing === undefined) {
      world.say(`Installed Chrome for Testing ${installed.version}: ${installed.path}`);
      return 0;
    }
    trouble = `Chrome for Testing ${installed.version} does not start: ${missing}`;
  } catch (error) {
    trouble = lineOf(error);
  }
  return installWithApt(trouble, world);
}

/** A machine on which it cannot be installed runs the tests in Chrome: that is no trouble. */
export function setUpShell(world: SetupWorld): void {
  if (world.hasShell() || !world.isRoot || !systemOf(world).isDebian) return;
  world.run('apt-get', ['update']);
  const done = world.run('apt-get', ['install', '-y', SHELL_PACKAGE]);
  world.say(
    done.status === 0
      ? `Installed ${SHELL_PACKAGE} with apt-get, for the tests.`
      : `The tests run in Chrome and take longer: "apt-get install ${SHELL_PACKAGE}" failed: ${done.said}`,
  );
}

function systemOf(world: SetupWorld): { readonly isDebian: boolean; readonly isUbuntu: boolean } {
  const { ID, ID_LIKE = '' } = parseOsRelease(world.readFile('/etc/os-release') ?? '');
  const family = [ID, ...ID_LIKE.split(' ')];
  return { isDebian: family.includes('debian') || family.includes('ubuntu'), isUbuntu: ID === 'ubuntu' };
}

async function installWithApt(trouble: string, world: SetupWorld): Promise<number> {
  const { isDebian, isUbuntu } = systemOf(world);
  if (!isDebian) return refuse(world, trouble);
  if (!world.isRoot) return refuse(world, `${trouble} As root, "apt-get install chromium" would do.`);
  for (const args of [['update'], ['install', '-y', 'chromium']]) {
    const done = world.run('apt-get', args);
    // An update fails for one dead source of many; whether the package can be had is for the install to say.
    if (done.status !== 0 && args[0] !== 'update') {
      return refuse(world, `${trouble} "apt-get ${args.join(' ')}" failed as well: ${done.said}`);
    }
  }
  try {
    const found = await world.find();
    world.say(`Chrome for Testing could not be used; installed Chromium with apt-get: ${found.path}`);
    return 0;
  } catch (error) {
    // Ubuntu's own package is only a pointer to a snap, which starts nothing where snaps do not run.
    const why = isUbuntu ? 'apt-get\'s "chromium" is only a pointer to a snap here.' : lineOf(error);
    return refuse(world, `${trouble} ${why}`);
  }
}

/** A bare container has none of the libraries that Chrome links to; the archive lists them for Debian's package manager. */
function startOrMendLibraries(path: string, world: SetupWorld): string | undefined {
  const first = world.run(path, ['--version']);
  if (first.status === 0) return undefined;
  const wanted = world.readFile(join(dirname(path), 'deb.deps'));
  if (!world.isRoot || wanted === undefined) return first.said;
  world.run('apt-get', ['update']);
  world.run('apt-get', ['satisfy', '-y', '--no-install-recommends', wanted.trim().split('\n').join(',')]);
  const second = world.run(path, ['--version']);
  return second.status === 0 ? undefined : second.said;
}

function parseOsRelease(text: string): Readonly<Record<string, string>> {
  const lines = [...text.matchAll(/^(\w+)="?(.*?)"?$/gm)];
  return Object.fromEntries(lines.map(([, key = '', value = '']) => [key, value]));
}

function refuse(world: SetupWorld, line: string): number {
  world.say(line);
  return 3;
}

function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const world: SetupWorld = {
    find: () => findBrowser(undefined, process.env),
    hasShell: () => headlessShell(process.env) !== undefined,
    // Loaded only when needed: with a browser there, set-up takes a few milliseconds.
    install: async () => (await import('../src/browser/install/install.ts')).installBrowser(),
    run(program, args) {
      const done = spawnSync(program, args, {
        encoding: 'utf8',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        maxBuffer: 2 ** 26,
      });
      const lines = `${done.stderr ?? ''}\n${done.error?.message ?? ''}`.trim().split('\n');
      return { status: done.status ?? 1, said: lines.at(-1) ?? '' };
    },
    readFile(path) {
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return undefined;
      }
    },
    isRoot: process.getuid?.() === 0,
    say: (line) => process.stderr.write(`set-up: ${line}\n`),
  };
  process.exitCode = await setUp(world);
  if (process.exitCode === 0 && process.argv.includes('--for-tests')) setUpShell(world);
}
