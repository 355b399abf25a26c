import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../core/messages.ts';
import { atExit } from './at-exit.ts';

/** What is to be started. */
export interface CommandRequest {
  /** A line for the shell, or a program with its arguments. */
  readonly command: string | readonly [program: string, ...words: string[]];
  /** Where it works; where this process does when absent. */
  readonly folder?: string;
  /** This process's own when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Told what it writes to either stream, as it comes. */
  heard?(text: string): void;
}

/** A command that was started, with all that it starts. */
export interface CommandGroup {
  /** Aborted when the command has ended by itself. */
  readonly over: AbortSignal;
  /** Resolves when nobody can write to its output any more, or when nobody is waited for any longer after its end. */
  silence(): Promise<unknown>;
  /** How it ended by itself, as a clause; undefined while it runs. */
  ended(): string | undefined;
  /** Its exit code; undefined while it runs, and when a signal ended it. */
  exitCode(): number | undefined;
  /** The last lines that it wrote, to either stream. */
  output(): readonly string[];
  /** Ends it with all its children. */
  close(): Promise<void>;
}

/** The end of its output that is kept, letters. */
const KEPT = 64 * 1024;
/** Lines of it that are told. */
const TOLD = 60;
/** Between two looks whether it has ended, ms. */
const LOOK_EVERY = 25;
/** Between the wish that it ends and its end, ms. */
const GRACE = 5_000;
/** After its end a command's output may take so long to come, ms; what it left behind may hold the other end for ever. */
const LAST_WORDS = 500;
/** How long a process that was killed may still be listed, ms. */
const BURIAL = 1_000;

/**
 * Starts a command in a process group of its own, which is ended as a whole: by `close`, and whenever this process ends
 * in a way that it notices. It reads nothing.
 */
export function startGroup({ command, folder, env, heard }: CommandRequest): CommandGroup {
  const child = spawnGroup(command, { ...(folder !== undefined && { cwd: folder }), ...(env && { env }) });
  const over = new AbortController();
  let kept = '';
  let end: string | undefined;
  let exitCode: number | undefined;
  let closing: Promise<void> | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT);
      heard?.(text);
    });
  }
  const tellEnd = (how: string, code?: number) => {
    end ??= how;
    exitCode ??= code;
    over.abort();
  };
  child.once('error', (error) => tellEnd(error.message));
  child.once('exit', (code, name) => tellEnd(name === null ? `exit code ${code}` : name, code ?? undefined));
  const silent = new Promise((resolve) => child.once('close', resolve));
  const forget = atExit(() => signalGroup(child, 'SIGKILL'));
  return {
    over: over.signal,
    silence: () => Promise.race([silent, setTimeout(LAST_WORDS, undefined, { ref: false })]),
    ended: () => end,
    exitCode: () => exitCode,
    output: () =>
      kept
        .split(/\r?\n|\r/)
        .filter((line) => line.trim() !== '')
        .slice(-TOLD),
    close() {
      closing ??= endGroup(child).finally(forget);
      return closing;
    },
  };
}

/** How a command ended that was waited for. */
export interface EndedCommand {
  /** True for exit code 0. */
  readonly succeeded: boolean;
  /** 'exit code 1', or what ended it. */
  readonly how: string;
  /** The last lines that it wrote, to either stream. */
  readonly output: readonly string[];
}

/**
 * Runs a command to its end, and ends what it left running.
 *
 * @throws UsageError `interrupted` when the signal ended it
 */
export async function runGroup(request: CommandRequest, signal: AbortSignal): Promise<EndedCommand> {
  const interrupted = () => new UsageError('interrupted', { detail: 'Nothing was measured' });
  if (signal.aborted) throw interrupted();
  const group = startGroup(request);
  try {
    await once(AbortSignal.any([signal, group.over]), 'abort');
    const how = group.ended();
    if (how === undefined || signal.aborted) throw interrupted();
    await group.silence();
    return { succeeded: group.exitCode() === 0, how, output: group.output() };
  } finally {
    await group.close();
  }
}

function spawnGroup(command: CommandRequest['command'], more: SpawnOptions): ChildProcess {
  const options: SpawnOptions = {
    ...more,
    // A session and group of its own: Ctrl-C in the terminal is for us to hear, and the group can be ended as one.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  };
  if (typeof command === 'string') return spawn(command, { ...options, shell: true });
  const [program, ...words] = command;
  return spawn(program, words, options);
}

/** First the wish, then the end: of the shell, of what it started, and of what that started. */
async function endGroup(child: ChildProcess): Promise<void> {
  const wished = performance.now();
  signalGroup(child, 'SIGTERM');
  while (isAlive(child) && performance.now() - wished < GRACE) await setTimeout(LOOK_EVERY);
  const killed = performance.now();
  if (isAlive(child)) signalGroup(child, 'SIGKILL');
  while (isAlive(child) && performance.now() - killed < BURIAL) await setTimeout(LOOK_EVERY);
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
