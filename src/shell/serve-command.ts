import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../core/messages.ts';
import { shownCommand } from '../core/shown-command.ts';
import { type CommandGroup, startGroup } from './command-group.ts';

/** A server that was started, and answers. */
export interface ServedCommand extends Pick<CommandGroup, 'ended' | 'output' | 'close'> {
  /** How long it took to answer, ms. */
  readonly after: number;
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

/** Between two looks whether it answers, ms. */
const ASK_EVERY = 100;
/** One answer may take so long, ms: servers of development build the page when it is first asked for. */
const LONGEST_ANSWER = 30_000;

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
  const server = startGroup({ command });
  try {
    const last = await answers(server, request, startedAt);
    if (last === undefined) {
      return { after: performance.now() - startedAt, ended: server.ended, output: server.output, close: server.close };
    }
    signal.throwIfAborted();
    const ended = server.ended();
    // What it said last may be on its way still.
    if (ended !== undefined) await server.silence();
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
async function answers(server: CommandGroup, request: ServeRequest, startedAt: number): Promise<string | undefined> {
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
