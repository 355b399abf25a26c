import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { startTrouble } from '../../core/browser-start.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import { markedPrefix, removeLeftovers } from '../../shell/disk/leftovers.ts';
import { inheritedEnvironment } from '../../shell/process/inherited-environment.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { RunningBrowser } from './browser.ts';
import { chromeArguments } from './flags.ts';
import { startInactivityTimeout } from './inactivity-timeout.ts';
import { pipeWire } from './pipe-wire.ts';
import { openSessions } from './sessions.ts';
import { type SharedTransport, shareWire } from './shared-transport.ts';

/** How long a browser may take to start, and each of the two steps of its end, ms. */
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5_000;
/** How long after its end its last words may come, ms. */
const LAST_WORDS_MS = 500;
/** How much of the end of its standard error is kept, characters. */
const KEPT_CHARACTERS = 64 * 1024;
/** How the name of a profile's folder begins. */
const PROFILE = 'quiesce-profile-';
/** The longest path of a socket, bytes. Source: `sun_path` has 108 in Linux and 104 elsewhere, with the zero at its end. */
const LONGEST_SOCKET = process.platform === 'linux' ? 107 : 103;
/** Every system but Windows has it. Source: Filesystem Hierarchy Standard, and macOS. */
const SHORT_FOLDER = '/tmp';
/**
 * What Chrome appends to the folder for temporary files for its singleton's socket. Source: Chromium, `FormatTemporaryFileName`
 * in base/files/file_util_posix.cc, which is shorter in Google's builds.
 */
const SINGLETON_SOCKET = '/.org.chromium.Chromium.XXXXXX/SingletonSocket';

/**
 * Starts a browser with an empty profile, at the other end of two pipes: when this program is gone, for whatever reason, the
 * browser ends by itself. Profiles of programs that were killed are removed. Rejects with the `QuiesceError`
 * `browser-start-failed`.
 */
export async function launchBrowser(settings: BrowserSettings, executablePath: string): Promise<RunningBrowser> {
  const folder = folderForProfiles();
  const sweeping = removeLeftovers(folder, PROFILE);
  const profile = makeProfile(folder, executablePath);
  let child: ChildProcess | undefined;
  // When this program is ended at once, neither the browser nor the profile may stay.
  const endAtOnce = (): void => {
    if (child) kill(child);
    try {
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // The browser's children still write there.
    }
  };
  process.once('exit', endAtOnce);
  const removeProfile = async (): Promise<void> => {
    process.off('exit', endAtOnce);
    // Chrome's children may still write there while they end.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  let started: Started;
  let said = '';
  try {
    child = spawn(
      executablePath,
      [
        ...chromeArguments(settings.browserArg),
        `--user-data-dir=${profile}`,
        ...(settings.sandbox ? [] : ['--no-sandbox']),
      ],
      {
        // A group of its own: Ctrl-C in the terminal only reaches this program.
        detached: process.platform !== 'win32',
        windowsHide: true,
        // The browser reads from the fourth, and writes to the fifth.
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
        // Chrome keeps its singleton's socket in the folder for temporary files, and leaves it there when it is killed.
        env: { ...inheritedEnvironment(), TMPDIR: profile },
      },
    );
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
    });
    started = await startedBrowser(child);
  } catch (error) {
    if (child) await endOf(child);
    await removeProfile();
    throw startFailed(executablePath, error, said);
  } finally {
    await sweeping;
  }
  const running = child;
  const { sessions, transport, exited } = started;
  let isGone = false;
  void sessions.gone.then(() => {
    isGone = true;
  });
  const stopTimeout = (): Promise<unknown> => setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false });
  return {
    ...sessions,
    sandbox: settings.sandbox,
    path: executablePath,
    isConnected: false,
    isRemote: false,
    notes: [],
    gone: Promise.race([sessions.gone, exited]),
    pid: running.pid,
    async lastWords() {
      // They may still be on their way. Processes that outlive it may hold its standard error.
      const late = setTimeout(LAST_WORDS_MS, undefined, { ref: false });
      if (running.stderr?.closed === false) await Promise.race([once(running.stderr, 'close'), late]);
      return said;
    },
    async close() {
      // One whose connection is gone cannot be asked.
      if (!isGone) {
        const closing = sessions.root.send('Browser.close').catch(() => undefined);
        await Promise.race([closing.then(() => exited), stopTimeout()]);
      }
      transport.close();
      await endOf(running);
      await removeProfile();
    },
  };
}

/**
 * Where profiles are made: the folder for temporary files, or a shorter one where the paths of sockets below it would be too
 * long, as in macOS.
 */
function folderForProfiles(): string {
  const folder = os.tmpdir();
  const socket = path.join(folder, `${markedPrefix(PROFILE)}XXXXXX${SINGLETON_SOCKET}`);
  return process.platform === 'win32' || Buffer.byteLength(socket) <= LONGEST_SOCKET ? folder : SHORT_FOLDER;
}

function makeProfile(folder: string, executablePath: string): string {
  try {
    return mkdtempSync(path.join(folder, markedPrefix(PROFILE)));
  } catch (error) {
    throw startFailed(executablePath, error);
  }
}

function startFailed(executablePath: string, error: unknown, said = ''): QuiesceError {
  const trouble = startTrouble(`${error instanceof Error ? error.message : String(error)}\nstderr:\n${said}`);
  return new QuiesceError('browser-start-failed', { path: executablePath, ...trouble }, { cause: error });
}

/** A browser that has answered. */
interface Started {
  readonly sessions: Awaited<ReturnType<typeof openSessions>>;
  readonly transport: SharedTransport;
  /** Resolves when its process is gone. */
  readonly exited: Promise<void>;
}

/** Waits until a browser answers; rejects with the reason when it does not. */
async function startedBrowser(child: ChildProcess): Promise<Started> {
  const { promise: exited, resolve } = Promise.withResolvers<void>();
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(error));
    child.once('exit', (code, signal) => {
      resolve();
      // What it said last may still be on its way.
      child.once('close', () => reject(new Error(`it ended with ${signal ?? `exit code ${code}`}`)));
    });
  });
  // It ends later, too, when it is not awaited.
  failed.catch(() => undefined);
  const late = startInactivityTimeout(START_TIMEOUT_MS, () => new Error(`no answer within ${START_TIMEOUT_MS} ms`));
  const [, , , toBrowser, fromBrowser] = streamsOf(child);
  try {
    if (!(toBrowser instanceof Writable) || !(fromBrowser instanceof Readable)) return await failed;
    const transport = shareWire(pipeWire(toBrowser, fromBrowser));
    let isGone = false;
    void transport.gone.then(() => {
      isGone = true;
    });
    const opening = openSessions(transport).catch(async (error: unknown) => {
      await setImmediate();
      // Its pipes end before its process: how that ends says more.
      return isGone ? failed : Promise.reject(error);
    });
    const sessions = await Promise.race([opening, failed, late.expired]);
    return { sessions, transport, exited };
  } finally {
    late.stop();
  }
}

/** Ends a browser at once, and waits for its end. */
async function endOf(child: ChildProcess): Promise<void> {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const exited = isRunning ? once(child, 'exit') : undefined;
  kill(child);
  await Promise.race([exited, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  // Processes that outlive it may hold its pipes, which would keep this program alive.
  for (const stream of streamsOf(child)) stream?.destroy();
}

/** Its streams; none where there were no files left to open for them, which Node's types leave out. */
function streamsOf(child: ChildProcess): Partial<ChildProcess['stdio']> {
  return (child as Partial<ChildProcess>).stdio ?? [];
}

/** Kills a browser with all its processes. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
