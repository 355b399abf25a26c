import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { defined } from '../../core/text/defined.ts';
import { shownCommand } from '../../core/text/shown-command.ts';
import type { Build } from '../../model/compare/build.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { type CommandGroup, startGroup } from '../process/command-group.ts';

/** A server that was started and answers. */
export interface ServedCommand extends Pick<CommandGroup, 'pid' | 'endReason' | 'drained' | 'output' | 'close'> {
  /** How long it took to answer, ms. */
  readonly after: number;
}

/** What is to be started. */
export interface ServeRequest {
  /** A command line for the shell. */
  readonly command: string;
  /** Its working folder, and its environment; those of this process when absent. */
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The URL at which it answers when it is ready. */
  readonly url: string;
  /** How long it may take to start, ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The build that it serves, where there are two. */
  readonly build?: Build;
  /** True where its port was chosen for it. */
  readonly isPortChosen?: boolean;
  /** Called with what it writes to either stream, as it comes. */
  onOutput?(text: string): void;
  /** Called with the last lines of its output when it did not start. */
  onFailure(lines: readonly string[]): void;
}

/** How often to look whether it answers, ms. */
const POLL_EVERY_MS = 100;
/** How long one answer may take, ms: development servers build the page on the first request. */
const ANSWER_TIMEOUT_MS = 30_000;
const REFUSED = 'nothing listens there';

/**
 * Starts the user's server and waits until its URL answers with a status below 500. It runs in a process group of its own,
 * which is ended by `close`, and at the exit of this process.
 *
 * @throws QuiesceError when something listens there already, when it ends or does not answer in time.
 */
export async function serveCommand(request: ServeRequest): Promise<ServedCommand> {
  const { command, folder, env, url, timeout, signal, build, isPortChosen, onOutput } = request;
  const shown = shownCommand(command);
  if (await listens(url)) throw new QuiesceError('serve-url-taken', { url, detail: shown });
  const startedAt = performance.now();
  const server = startGroup({ command, folder, env, onOutput });
  try {
    const problem = await waitForAnswer(server, request, startedAt);
    if (problem === undefined) {
      return {
        after: performance.now() - startedAt,
        pid: server.pid,
        endReason: server.endReason,
        drained: server.drained,
        output: server.output,
        close: server.close,
      };
    }
    signal.throwIfAborted();
    const ended = server.endReason();
    // The last output may still be on its way.
    if (ended !== undefined) await server.drained();
    request.onFailure(server.output());
    throw ended === undefined
      ? new QuiesceError('serve-no-answer', { url, timeout, detail: problem, ...defined({ build, isPortChosen }) })
      : new QuiesceError('serve-ended', { url, detail: ended, ...defined({ build }) });
  } catch (error) {
    await server.close();
    if (signal.aborted) throw new QuiesceError('interrupted', { nothingMeasured: true }, { cause: error });
    throw error;
  }
}

/** Undefined when it answers, else the last problem, a clause. */
async function waitForAnswer(
  server: CommandGroup,
  request: ServeRequest,
  startedAt: number,
): Promise<string | undefined> {
  const { url, timeout, signal } = request;
  let last = REFUSED;
  while (server.endReason() === undefined && !signal.aborted && performance.now() - startedAt < timeout) {
    const left = timeout - (performance.now() - startedAt);
    // A request is aborted by the user, at the end of the server, or by its time-out.
    const over = AbortSignal.any([
      signal,
      server.ended,
      AbortSignal.timeout(Math.ceil(Math.min(left, ANSWER_TIMEOUT_MS))),
    ]);
    try {
      const answer = await fetch(url, { redirect: 'manual', signal: over });
      await answer.body?.cancel();
      if (answer.status < 500) return undefined;
      last = `HTTP ${answer.status}`;
    } catch (error) {
      const { code, name } = ((error as Error).cause ?? error) as { code?: string; name: string };
      if (code === 'ECONNREFUSED') last = REFUSED;
      else if (name !== 'TimeoutError') last = code ?? name;
      // The last request may be cut off before it could learn anything.
      else if (left >= POLL_EVERY_MS) last = 'it is slow to answer';
    }
    await setTimeout(POLL_EVERY_MS, undefined, { signal: AbortSignal.any([signal, server.ended]) }).catch(
      () => undefined,
    );
  }
  return last;
}

/** Does anything accept connections at the URL's host and port? */
export function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''));
  return new Promise((resolve) => {
    const answer = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket
      .setTimeout(POLL_EVERY_MS * 10, answer(false))
      .once('connect', answer(true))
      .once('error', answer(false));
  });
}
