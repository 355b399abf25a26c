import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { K6_WARM, k6Script } from '../../core/capacity/k6-script.ts';
import { readK6Summary } from '../../core/capacity/k6-summary.ts';
import { cutTo } from '../../core/text/cut-to.ts';
import type { EngineFault } from '../../model/network/load.ts';
import { engineFaultInWords } from '../../wording/capacity.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { makeTemporaryFolder } from '../disk/leftovers.ts';
import { inheritedEnvironment } from '../process/inherited-environment.ts';
import type { BatchEngine, BatchPass } from './engine.ts';

const run = promisify(execFile);
/** Of k6's output that an error shows, characters. */
const MOST_OUTPUT = 300;
/** k6's exit code when a script ends it: here because no more requests may be sent. Source: k6, errext/exitcodes. */
const ENDED_BY_SCRIPT = 108;
/** Colours and dates, the user's outputs and thresholds, and a port for remote control are for people. */
const FLAGS = ['--quiet', '--no-color', '--no-usage-report', '--no-thresholds', '--address', ''];

/** An installed k6, which runs a script of ours and writes its summary. Rejects with `k6-missing`. */
export async function k6Engine(command = 'k6'): Promise<BatchEngine> {
  // What the user has set for scripts of their own would replace the load of ours.
  const env = Object.fromEntries(Object.entries(inheritedEnvironment()).filter(([name]) => !name.startsWith('K6_')));
  let version: string;
  try {
    version = (await run(command, ['version'], { env })).stdout;
  } catch (error) {
    throw new QuiesceError('k6-missing', {}, { cause: error });
  }
  const name = `k6 ${/v?(\d+\.\d+\.\d+\S*)/.exec(version)?.[1] ?? ''}`.trim();
  return {
    kind: 'batch',
    name,
    async measure(plan, time, signal, onWarm): Promise<BatchPass> {
      const folder = await makeTemporaryFolder('quiesce-k6-');
      try {
        const script = path.join(folder, 'load.js');
        const summary = path.join(folder, 'summary.json');
        await writeFile(script, k6Script(plan, time, summary), { mode: 0o600 });
        const child = execFile(command, ['run', ...FLAGS, script], { env, signal, killSignal: 'SIGKILL' });
        let said = '';
        child.stderr?.on('data', (text: string) => {
          if (text.includes(K6_WARM) && child.pid !== undefined) onWarm(child.pid);
          else said = `${said}${text}`.slice(-MOST_OUTPUT);
        });
        const [code] = (await once(child, 'close')) as [number | null];
        if (code !== 0 && code !== ENDED_BY_SCRIPT) {
          throw failed({ code: 'failed', said: said.trim() || null, exit: code });
        }
        const pass = readK6Summary(JSON.parse(await readFile(summary, 'utf8')), time.measured);
        if (pass === undefined) throw failed({ code: 'no-summary' });
        return { ...pass, ...(code === ENDED_BY_SCRIPT && { isCut: true }) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof QuiesceError) throw error;
        throw failed({ code: 'failed', said: cutTo((error as Error).message, MOST_OUTPUT) }, error);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function failed(fault: EngineFault, cause?: unknown): QuiesceError {
  return new QuiesceError('load-engine-failed', { detail: engineFaultInWords('k6', fault) }, { cause });
}
