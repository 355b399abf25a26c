import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineFault, LoadPlan, LoadTick } from '../../model/network/load.ts';
import { engineFaultInWords } from '../../wording/capacity.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { installedPackage, OPTIONAL_PACKAGES } from '../process/optional-package.ts';
import type { WorkerPlan } from './autocannon-worker.ts';
import type { LiveEngine, RunningLoad } from './engine.ts';

/** Sources run as they are, the package as JavaScript. */
const WORKER = fileURLToPath(new URL(`autocannon-worker${import.meta.url.slice(-3)}`, import.meta.url));

/** Of what a process says at its end, characters. */
const MOST_SAID = 4_000;

/**
 * autocannon in processes of its own, so that nothing else of this program takes their time, and what they need can be
 * told from the rest.
 *
 * @param processes how many share the connections
 * @throws QuiesceError `package-missing`
 */
export function autocannonEngine(processes: number): LiveEngine {
  const entry = installedPackage('autocannon');
  return {
    kind: 'live',
    name: `autocannon ${OPTIONAL_PACKAGES.autocannon}`,
    start: (plan, onTick) => start(plan, onTick, processes, entry),
  };
}

async function start(
  plan: LoadPlan,
  onTick: (tick: LoadTick) => void,
  processes: number,
  entry: string,
): Promise<RunningLoad> {
  const of = Math.max(1, Math.min(processes, plan.connections));
  const children = Array.from({ length: of }, () => startWorker(entry));
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end));
  };
  try {
    await Promise.all(children.map((child) => once(child, 'spawn')));
  } catch (error) {
    await stop();
    throw failed({ code: 'failed', said: (error as Error).message }, error);
  }
  let isStopping = false;
  const broken = Promise.race(
    children.map(async (child): Promise<never> => {
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(0, MOST_SAID);
      });
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
      // The caller of stop() does not wait for this.
      if (isStopping) await new Promise<never>(() => undefined);
      throw failed({ code: 'ended', said: /^\w*Error: .*$/m.exec(said)?.[0] ?? signal, exit: code });
    }),
  );
  broken.catch(() => undefined);
  const zero = Date.now();
  const share = (total: number, index: number) => Math.floor(total / of) + (index < total % of ? 1 : 0);
  for (const [worker, child] of children.entries()) {
    child.on('message', (tick) => onTick(tick as LoadTick));
    const connections = share(plan.connections, worker);
    child.send({ ...plan, connections, most: share(plan.most, worker), worker, of, zero } satisfies WorkerPlan);
  }
  return {
    pids: children.flatMap(({ pid }) => pid ?? []),
    broken,
    stop: () => {
      isStopping = true;
      return stop();
    },
  };
}

function startWorker(entry: string): ChildProcess {
  // What autocannon prints is not shown; why it fails is in the error.
  const child = fork(WORKER, [entry], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
  child.on('error', () => undefined);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function failed(fault: EngineFault, cause?: unknown): QuiesceError {
  return new QuiesceError('load-engine-failed', { detail: engineFaultInWords('autocannon', fault) }, { cause });
}
