import { UsageError } from '../core/messages.ts';
import { shownCommand } from '../core/shown-command.ts';
import type { Progress } from '../model/progress.ts';
import type { ServeSettings } from '../model/settings.ts';
import { type ServedCommand, serveCommand } from '../shell/serve-command.ts';
import type { Problem } from './job.ts';

/** How long a server may take to answer when nobody says, ms. */
export const SERVE_TIMEOUT = 60_000;

/** The server under test. */
export interface ServerUnderTest {
  /** Set when it has ended by itself: whatever is loaded from now on says nothing of the page. */
  lost(): Problem | undefined;
  close(): Promise<void>;
}

/**
 * Starts the server under test and waits until it answers; undefined when none is asked for.
 *
 * @throws UsageError when it does not come up, or when only a half of what is needed was given.
 */
export async function openServer(
  { serveCommand: command, serveUrl: url, serveTimeout: timeout = SERVE_TIMEOUT }: ServeSettings,
  signal: AbortSignal,
  tell: (event: Progress) => void,
): Promise<ServerUnderTest | undefined> {
  if (command === undefined && url === undefined) return undefined;
  if (url === undefined) {
    throw new UsageError('serve-incomplete', {
      option: '--serve-command',
      suggestion: '--serve-url',
      detail: 'the address at which the server answers, such as http://localhost:3000',
    });
  }
  if (command === undefined) {
    throw new UsageError('serve-incomplete', {
      option: '--serve-url',
      suggestion: '--serve-command',
      detail: 'to audit a server that runs already, name its address as the target',
    });
  }
  const shown = shownCommand(command);
  tell({ kind: 'server-starting', command: shown, url });
  const failed = (lines: readonly string[]) => tell({ kind: 'server-output', command: shown, lines });
  const server: ServedCommand = await serveCommand({ command, url, timeout, signal, failed });
  tell({ kind: 'server-started', command: shown, url, after: server.after });
  let problem: Problem | undefined;
  return {
    lost() {
      const how = server.ended();
      if (how === undefined || problem) return problem;
      failed(server.output());
      const error = new UsageError('serve-lost', { detail: how });
      problem = { code: error.code, message: error.message };
      return problem;
    },
    close: () => server.close(),
  };
}
