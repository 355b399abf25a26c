/** Installs the applications of bench/applications/list.ts, starts them and stops them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import type { Application, Place } from './list.ts';

const run = promisify(execFile);

const INSTALL_LIMIT_MS = 10 * 60_000;
/** How long an application may take until it answers, ms. */
const START_LIMIT_MS = 60_000;
/** After its first answer it may still be busy with its start, ms. */
const SETTLE_MS = 3_000;
/** How long a stopped application may take to end, ms. */
const STOP_LIMIT_MS = 5_000;

// --- Installing ---------------------------------------------------------------------------------------------------

/** Installs an application into a folder of its own in `cache`, unless it is there. */
export async function install(application: Application, cache: string): Promise<Place> {
  const folder = path.join(cache, folderName(application));
  const { packages, from, files = {} } = application;
  const place: Place = {
    folder,
    port: await freePort(),
    program: (name) =>
      from === 'npm' ? path.join(folder, 'node_modules', '.bin', name) : path.join(folder, '.debian', name),
  };
  const done = path.join(folder, '.installed');
  const isDone = existsSync(done) && (await readFile(done, 'utf8')) === packages.join('\n');
  if (!isDone) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const options = { cwd: folder, timeout: INSTALL_LIMIT_MS, maxBuffer: 2 ** 26 };
    if (from === 'PyPI') {
      await run('python3', ['-m', 'venv', '.venv'], options);
      await run(python(folder), ['-m', 'pip', 'install', '--quiet', ...packages], options);
    } else if (from === 'npm') {
      await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
      await run('npm', ['install', '--save-exact', '--no-audit', '--no-fund', '--silent', ...packages], options);
    } else {
      // Unpacked beside the system, not installed into it.
      await run('apt-get', ['download', '--quiet', ...packages], options);
      await run('sh', ['-c', 'for file in *.deb; do dpkg -x "$file" .debian; done'], options);
    }
  }
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (!isDone) await writeFile(done, packages.join('\n'));
  const prepared = application.prepare?.(place);
  if (prepared) await promisify(execFile)(...commandOf(prepared, folder), { cwd: folder, timeout: INSTALL_LIMIT_MS });
  return place;
}

function python(folder: string): string {
  return path.join(folder, '.venv', 'bin', 'python');
}

function commandOf([command = '', ...args]: readonly string[], folder: string): [string, string[]] {
  return [command === 'python' ? python(folder) : command, args];
}

async function freePort(): Promise<number> {
  const servers = await listenOn(() => createServer(), 0);
  const port = portOf(servers);
  await closeOn(servers);
  return port;
}

// --- Starting and stopping ----------------------------------------------------------------------------------------

/** What is done with the address of an application while it runs. */
export async function started<T>(application: Application, place: Place, use: (url: string) => Promise<T>): Promise<T> {
  const { folder, port } = place;
  const url = `http://127.0.0.1:${port}${application.path ?? '/'}`;
  const child = spawn(...commandOf(application.start(place), folder), {
    cwd: folder,
    // A group of its own, so that its children can be ended with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PYTHONUNBUFFERED: '1', ...application.env?.(place) },
  });
  let said = '';
  const listen = (text: Buffer): void => {
    said = `${said}${text}`.slice(-2_000);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.on('error', (error) => listen(Buffer.from(error.message)));
  const onEnd = (): void => kill(child, 'SIGKILL');
  process.once('exit', onEnd);
  try {
    if (!(await answers(url, child))) throw new Error(`does not answer at ${application.path ?? '/'}\n${said}`);
    await pause(SETTLE_MS);
    return await use(url);
  } finally {
    await stop(child);
    process.off('exit', onEnd);
  }
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  for (let waited = 0; waited < START_LIMIT_MS && child.exitCode === null; waited += 500) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await pause(500);
  }
  return false;
}

function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Ended already.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
  kill(child, 'SIGTERM');
  await Promise.race([ended, pause(STOP_LIMIT_MS)]);
  kill(child, 'SIGKILL');
}

/** What its folder is called. */
export function folderName({ name }: Application): string {
  return name.replace(/\W+/g, '-');
}
