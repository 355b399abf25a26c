import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../core/messages.ts';
import { shownCommand } from '../core/shown-command.ts';

/** A server that was started, and answers. */
export interface ServedCommand {
  /** How long it took to answer, ms. */
  readonly after: number;
  /** How it ended by itself, as a clause; undefined while it runs. */
  ended(): string | undefined;
  /** The last lines that it wrote, to either stream. */
  output(): readonly string[];
  /** Ends it with all its children. */
  close(): Promise<void>;
}

/** What is to be started. */
export interface ServeRequest {
  /** A line for the shell, in the folder that this process works in and with its environment. */
  readonly command: string;
  /** Where it answers once it is up. */
  readonly url: string;
  /** How long it may take, ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Told the server's last lines when it did not come up. */
  failed(lines: readonly string[]): void;
}

/** The end of its output that is kept, letters. */
const KEPT = 64 * 1024;
/** Lines that are told when it fails. */
const TOLD = 60;
/** Between two looks whether it answers, ms. */
const ASK_EVERY = 100;
/** One answer may take so long, ms: servers of development build the page when it is first asked for. */
const LONGEST_ANSWER = 30_000;
/** Between the wish that it ends and its end, ms. */
const GRACE = 5_000;
/** After its end a server's output may take so long to come, ms; what it left behind may hold the other end for ever. */
const LAST_WORDS = 500;
/** How long a process that was killed may still be listed, ms. */
const BURIAL = 1_000;

/**
 * Starts a server by a line of the user's and waits until its address answers with anything but a server's own error
 * (HTTP 500 and up). It runs in a process group of its own, which is ended as a whole: by `close`, and whenever this
 * process ends in a way that it notices.
 *
 * @throws UsageError when something listens there already, when it ends or does not answer in time.
 */
export async function serveCommand(request: ServeRequest): Promise<ServedCommand> {
  const { command, url, timeout, signal } = request;
  const shown = shownCommand(command);
  if (await listens(url)) throw new UsageError('serve-url-taken', { url, detail: shown });
  const startedAt = performance.now();
  const server = start(command);
  try {
    const last = await answers(server, request, startedAt);
    if (last === undefined) {
      return { after: performance.now() - startedAt, ended: server.ended, output: server.output, close: server.close };
    }
    signal.throwIfAborted();
    const ended = server.ended();
    // What it said last may be on its way still.
    if (ended !== undefined) await Promise.race([server.silent, setTimeout(LAST_WORDS, undefined, { ref: false })]);
    request.failed(server.output());
    throw ended === undefined
      ? new UsageError('serve-no-answer', { url, timeout, detail: last })
      : new UsageError('serve-ended', { url, detail: ended });
  } catch (error) {
    await server.close();
    if (signal.aborted) throw new UsageError('interrupted', { detail: 'Nothing was measured' }, { cause: error });
    throw error;
  }
}

/** Undefined once it answers, else what was wrong last. */
async function answers(server: Started, request: ServeRequest, startedAt: number): Promise<string | undefined> {
  const { url, timeout, signal } = request;
  let last = 'nothing listens there';
  while (server.ended() === undefined && !signal.aborted && performance.now() - startedAt < timeout) {
    const left = timeout - (performance.now() - startedAt);
    // What it waits for ends with the server, with the user's patience, or with its own.
    const over = AbortSignal.any([signal, server.over, AbortSignal.timeout(Math.ceil(Math.min(left, LONGEST_ANSWER)))]);
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: over });
      await answer.body?.cancel();
      if (answer.status < 500) return undefined;
      last = `HTTP ${answer.status}`;
    } catch (error) {
      const { code, name } = ((error as Error).cause ?? error) as { code?: string; name: string };
      last =
        code === 'ECONNREFUSED'
          ? 'nothing listens there'
          : name === 'TimeoutError'
            ? 'it is slow to answer'
            : (code ?? name);
    }
    await setTimeout(ASK_EVERY, undefined, { signal: AbortSignal.any([signal, server.over]) }).catch(() => undefined);
  }
  return last;
}

/** Does anything accept connections at an address? */
function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''));
  return new Promise((resolve) => {
    const tell = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket
      .setTimeout(ASK_EVERY * 10, tell(false))
      .once('connect', tell(true))
      .once('error', tell(false));
  });
}

// --- The process ----------------------------------------------------------------------------------------------------

interface Started extends Omit<ServedCommand, 'after'> {
  /** Aborted when it has ended by itself. */
  readonly over: AbortSignal;
  /** Resolves when nobody can write to its output any more. */
  readonly silent: Promise<unknown>;
}

function start(command: string): Started {
  const child = spawn(command, {
    shell: true,
    // A session and group of its own: Ctrl-C in the terminal is for us to hear, and the group can be ended as one.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const over = new AbortController();
  let kept = '';
  let end: string | undefined;
  let closing: Promise<void> | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT);
    });
  }
  const tellEnd = (how: string) => {
    end ??= how;
    over.abort();
  };
  child.once('error', (error) => tellEnd(error.message));
  child.once('exit', (code, name) => tellEnd(name === null ? `exit code ${code}` : name));
  const kill = () => signalGroup(child, 'SIGKILL');
  const hangUp = () => {
    kill();
    process.off('SIGHUP', hangUp);
    process.kill(process.pid, 'SIGHUP');
  };
  process.once('exit', kill);
  // A terminal that is closed ends this process without its "exit", and no longer the server, which has left it.
  process.once('SIGHUP', hangUp);
  return {
    over: over.signal,
    silent: new Promise((resolve) => child.once('close', resolve)),
    ended: () => end,
    output: () =>
      kept
        .split(/\r?\n|\r/)
        .filter((line) => line.trim() !== '')
        .slice(-TOLD),
    close() {
      closing ??= endGroup(child).finally(() => {
        process.off('exit', kill);
        process.off('SIGHUP', hangUp);
      });
      return closing;
    },
  };
}

/** First the wish, then the end: of the shell, of what it started, and of what that started. */
async function endGroup(child: ChildProcess): Promise<void> {
  const wished = performance.now();
  signalGroup(child, 'SIGTERM');
  while (isAlive(child) && performance.now() - wished < GRACE) await setTimeout(ASK_EVERY / 4);
  const killed = performance.now();
  if (isAlive(child)) signalGroup(child, 'SIGKILL');
  while (isAlive(child) && performance.now() - killed < BURIAL) await setTimeout(ASK_EVERY / 4);
  // Whoever left the group and holds the pipes must not keep this process waiting.
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    await Promise.race([once(child, 'exit'), setTimeout(BURIAL, undefined, { ref: false })]);
  }
}

function signalGroup({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (pid === undefined) return false;
  try {
    if (process.platform === 'win32') {
      if (name !== 0) spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
      return process.kill(pid, 0);
    }
    return process.kill(-pid, name);
  } catch {
    // Nobody is left.
    return false;
  }
}

/** Does anybody of the group still do something? Where nobody buries the dead, as in many containers, they do not count. */
function isAlive(child: ChildProcess): boolean {
  if (!signalGroup(child, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && groupOfLiving(name) === child.pid);
}

/** The group of a process, unless it is a zombie or gone. Source: proc_pid_stat(5): "pid (comm) state ppid pgrp". */
function groupOfLiving(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : Number(group);
  } catch {
    return undefined;
  }
}
