import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** What is to be run. */
export interface ProgramRequest {
  readonly program: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the program shall end, once for each time that it is asked to. */
  readonly stops: readonly AbortSignal[];
  /** Gets what it writes to either stream, as it comes. */
  onText(text: string): void;
  /** Gets what a program of Node's sends to who started it. Without it there is no channel. */
  onMessage?(message: unknown): void;
}

/**
 * Runs a program to its end, and gives its exit code, as shells have it: 128 and the number of the signal that ended it.
 * Only the program itself is asked to stop, with SIGTERM: what it started is its own to end.
 */
export async function runProgram(request: ProgramRequest): Promise<number> {
  const { program, folder, env, stops, onText, onMessage } = request;
  const [file = '', ...words] = program;
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', ...(onMessage ? (['ipc'] as const) : [])];
  const child = spawn(file, words, { cwd: folder, env, stdio, windowsHide: true });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onText);
  if (onMessage) child.on('message', onMessage);
  const stop = () => void child.kill('SIGTERM');
  for (const each of stops) {
    if (each.aborted) stop();
    else each.addEventListener('abort', stop);
  }
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  } finally {
    for (const each of stops) each.removeEventListener('abort', stop);
  }
}
