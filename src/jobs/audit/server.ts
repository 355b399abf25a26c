import { shownCommand } from '../../core/text/shown-command.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { ResolvedServer } from '../../settings/resolved.ts';
import { type ServedCommand, serveCommand } from '../../shell/servers/serve-command.ts';
import { type Problem, problem } from '../engine/problem.ts';

/** The server under test. */
export interface ServerUnderTest {
  /** Set when it has ended by itself: whatever is loaded from now on says nothing of the page. */
  lost(): Problem | undefined;
  close(): Promise<void>;
}

/**
 * Starts the server under test and waits until it answers; undefined when none is asked for.
 *
 * @throws QuiesceError when it does not come up.
 */
export async function openServer(
  asked: ResolvedServer | undefined,
  signal: AbortSignal,
  onProgress: (event: Progress) => void,
): Promise<ServerUnderTest | undefined> {
  if (!asked) return undefined;
  const { command, url, timeout } = asked;
  const shown = shownCommand(command);
  onProgress({ kind: 'server-starting', command: shown, url });
  const onFailure = (lines: readonly string[]) => onProgress({ kind: 'server-output', command: shown, lines });
  const server: ServedCommand = await serveCommand({ command, url, timeout, signal, onFailure });
  onProgress({ kind: 'server-started', command: shown, url, after: server.after });
  let lost: Problem | undefined;
  return {
    lost() {
      const how = server.endReason();
      if (how === undefined || lost) return lost;
      onFailure(server.output());
      lost = problem('serve-lost', { detail: how });
      return lost;
    },
    close: () => server.close(),
  };
}
