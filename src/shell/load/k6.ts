import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readJson } from '../../core/capacity/import/json.ts';
import { k6Script } from '../../core/capacity/k6-script.ts';
import type { PassFigures } from '../../core/capacity/pass.ts';
import { QuiesceError } from '../../wording/messages.ts';
import type { BatchEngine } from './engine.ts';

const run = promisify(execFile);
/** Lines of k6's output that an error shows. */
const MOST_OUTPUT = 300;

/** An installed k6, which runs a script of ours and writes its summary. Rejects with `k6-missing`. */
export async function k6Engine(command = 'k6'): Promise<BatchEngine> {
  let version: string;
  try {
    version = (await run(command, ['version'])).stdout;
  } catch (error) {
    throw new QuiesceError('k6-missing', {}, { cause: error });
  }
  const name = `k6 ${/v?(\d+\.\d+\.\d+\S*)/.exec(version)?.[1] ?? ''}`.trim();
  return {
    kind: 'batch',
    name,
    async measure(plan, { warmUp, measured }, signal): Promise<PassFigures> {
      const folder = await mkdtemp(path.join(tmpdir(), 'quiesce-k6-'));
      try {
        const script = path.join(folder, 'load.js');
        const summary = path.join(folder, 'summary.json');
        await writeFile(script, k6Script(plan, { warmUp, measured }, summary), { mode: 0o600 });
        await run(command, ['run', '--quiet', '--no-usage-report', script], { signal, maxBuffer: 64 * 1024 * 1024 });
        const figures = readJson(JSON.parse(await readFile(summary, 'utf8')))?.levels[0]?.figures;
        if (figures === undefined) throw new QuiesceError('load-engine-failed', { detail: 'k6 wrote no summary' });
        return figures;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof QuiesceError) throw error;
        const { stderr = '', message } = error as Error & { stderr?: string };
        const detail = `k6: ${(stderr.trim() || message).slice(0, MOST_OUTPUT)}`;
        throw new QuiesceError('load-engine-failed', { detail }, { cause: error });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
