import { once } from 'node:events';
import { shownCommand } from '../../../core/text/shown-command.ts';
import type { Ms } from '../../../model/units.ts';
import { SETUP_LOG } from '../../../shell/disk/stored-results.ts';
import { startGroup } from '../../../shell/process/command-group.ts';
import { QuiesceError } from '../../../wording/messages/messages.ts';
import type { MakeHooks } from '../builds.ts';

/** What both builds need, which is there. */
export interface Setup {
  /** Ends what it has left running. */
  close(): Promise<void>;
}

/**
 * Runs the user's command to its end. What it has put into the background goes on until it is closed.
 *
 * @throws QuiesceError when it fails, or does not end in time
 */
export async function runSetup(
  command: string,
  timeout: Ms,
  { signal, onProgress, openLog }: Pick<MakeHooks, 'signal' | 'onProgress' | 'openLog'>,
): Promise<Setup> {
  const shown = shownCommand(command);
  const log = openLog(SETUP_LOG);
  onProgress({ kind: 'setup-starting', command: shown });
  const group = startGroup({ command, onOutput: log.add });
  const close = async (): Promise<void> => {
    await group.close();
    await log.close();
  };
  const startedAt = performance.now();
  const over = AbortSignal.any([signal, group.ended, AbortSignal.timeout(Math.ceil(timeout))]);
  if (!over.aborted) await once(over, 'abort');
  const how = group.endReason();
  if (how !== undefined && group.exitCode() === 0 && !signal.aborted) {
    onProgress({ kind: 'setup-finished', command: shown, after: performance.now() - startedAt });
    return { close };
  }
  if (how !== undefined) await group.drained();
  const lines = group.output();
  await close();
  if (signal.aborted) throw new QuiesceError('interrupted', { nothingMeasured: true });
  onProgress({ kind: 'server-output', command: shown, lines });
  throw how === undefined
    ? new QuiesceError('setup-endless', { timeout })
    : new QuiesceError('setup-failed', { detail: how });
}
