import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { atExit } from './at-exit.ts';
import { inheritedEnvironment } from './inherited-environment.ts';

/** What is to be started. */
export interface CommandRequest {
  /** A command line for the shell, or a program with its arguments. */
  readonly command: string | readonly [program: string, ...args: string[]];
  /** Its working folder; that of this process when absent. */
  readonly folder?: string;
  /** That which programs inherit from this process when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Called with what it writes to either stream, as it comes. */
  onOutput?(text: string): void;
}

/** A command that was started, with all processes that it starts. */
export interface CommandGroup {
  /** Its first process; undefined where it could not be started. */
  readonly pid: number | undefined;
  /** Aborted when the command has ended. */
  readonly ended: AbortSignal;
  /** Resolves when all its output has come, or some time after its end. */
  drained(): Promise<unknown>;
  /** How it ended: 'exit code 1', 'SIGTERM'; undefined while it runs. */
  endReason(): string | undefined;
  /** Its exit code; undefined while it runs, and when a signal ended it. */
  exitCode(): number | undefined;
  /** The last lines of its output, of both streams. */
  output(): readonly string[];
  /** Ends it with all its children. */
  close(): Promise<void>;
}

/** How much of the end of its output is kept, characters. */
const KEPT_CHARACTERS = 64 * 1024;
/** How many of the last lines are kept. */
const KEPT_LINES = 60;
/** How often to look whether it has ended, ms. */
const POLL_EVERY_MS = 25;
/** How long after SIGTERM it is killed, ms. */
const TERMINATION_GRACE_MS = 5_000;
/** How long after its end output may still come, ms. A child that it left running may keep the pipe open for ever. */
const DRAIN_MS = 500;
/** How long after SIGKILL a process may still be listed, ms. */
const REAP_TIMEOUT_MS = 1_000;

/**
 * Starts a command in a process group of its own, without standard input. The group is ended by `close`, and at the exit of
 * this process.
 */
export function startGroup({ command, folder, env = inheritedEnvironment(), onOutput }: CommandRequest): CommandGroup {
  const child = spawnGroup(command, { env, cwd: folder });
  const over = new AbortController();
  let kept = '';
  let end: string | undefined;
  let exitCode: number | undefined;
  let closing: Promise<void> | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT_CHARACTERS);
      onOutput?.(text);
    });
  }
  const setEnd = (reason: string, code?: number) => {
    end ??= reason;
    exitCode ??= code;
    over.abort();
  };
  child.once('error', (error) => setEnd(error.message));
  child.once('exit', (code, name) => setEnd(name === null ? `exit code ${code}` : name, code ?? undefined));
  const closed = new Promise((resolve) => child.once('close', resolve));
  const cancelAtExit = atExit(() => signalGroup(child, 'SIGKILL'));
  return {
    pid: child.pid,
    ended: over.signal,
    drained: () => Promise.race([closed, setTimeout(DRAIN_MS, undefined, { ref: false })]),
    endReason: () => end,
    exitCode: () => exitCode,
    output: () =>
      kept
        .split(/\r?\n|\r/)
        .filter((line) => line.trim() !== '')
        .slice(-KEPT_LINES),
    close() {
      closing ??= endGroup(child).finally(cancelAtExit);
      return closing;
    },
  };
}

/** How a command has ended. */
export interface EndedCommand {
  /** True for exit code 0. */
  readonly succeeded: boolean;
  /** 'exit code 1', or the signal or error that ended it. */
  readonly how: string;
  /** The last lines of its output, of both streams. */
  readonly output: readonly string[];
}

/**
 * Runs a command to its end, and ends what it left running.
 *
 * @throws QuiesceError `interrupted` when the signal ended it
 */
export async function runGroup(request: CommandRequest, signal: AbortSignal): Promise<EndedCommand> {
  const interrupted = () => new QuiesceError('interrupted', { nothingMeasured: true });
  if (signal.aborted) throw interrupted();
  const group = startGroup(request);
  try {
    await once(AbortSignal.any([signal, group.ended]), 'abort');
    const how = group.endReason();
    if (how === undefined || signal.aborted) throw interrupted();
    await group.drained();
    return { succeeded: group.exitCode() === 0, how, output: group.output() };
  } finally {
    await group.close();
  }
}

function spawnGroup(command: CommandRequest['command'], more: SpawnOptions): ChildProcess {
  const options: SpawnOptions = {
    ...more,
    // A session and group of its own: Ctrl-C in the terminal only reaches this process, and the group can be ended as one.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  };
  if (typeof command === 'string') return spawn(command, { ...options, shell: true });
  const [program, ...args] = command;
  return spawn(program, args, options);
}

/** Ends the whole group: first with SIGTERM, after a while with SIGKILL. */
async function endGroup(child: ChildProcess): Promise<void> {
  const asked = performance.now();
  signalGroup(child, 'SIGTERM');
  while (isAlive(child) && performance.now() - asked < TERMINATION_GRACE_MS) await setTimeout(POLL_EVERY_MS);
  const killed = performance.now();
  if (isAlive(child)) signalGroup(child, 'SIGKILL');
  while (isAlive(child) && performance.now() - killed < REAP_TIMEOUT_MS) await setTimeout(POLL_EVERY_MS);
  // A process that has left the group may hold the pipes, which would keep this process alive.
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    await Promise.race([once(child, 'exit'), setTimeout(REAP_TIMEOUT_MS, undefined, { ref: false })]);
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
    // No process of the group is left.
    return false;
  }
}

/** True while a process of the group runs. Zombies, which stay in containers without an init process, do not count. */
function isAlive(child: ChildProcess): boolean {
  if (!signalGroup(child, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && groupOfRunning(name) === child.pid);
}

/** The group of a process, unless it is a zombie or gone. Source: proc_pid_stat(5): "pid (comm) state ppid pgrp". */
function groupOfRunning(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : Number(group);
  } catch {
    return undefined;
  }
}
