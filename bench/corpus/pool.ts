import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { JudgeJob, PageDone, VariantNames } from './judge-worker.ts';

/** Judging so many versions of the rules, a process is replaced: modules are never let go. */
const VARIANTS_OF_A_PROCESS = 40;

/** Processes that judge the corpus. */
export interface Pool {
  /** Judges pages with a version of the rules. */
  judge(pages: readonly string[], variant: VariantNames, quietOnly: boolean): Promise<readonly PageDone[]>;
  /** The same, in one process: several versions are judged at a time then. */
  judgeAlone(pages: readonly string[], variant: VariantNames, quietOnly: boolean): Promise<readonly PageDone[]>;
  close(): void;
}

interface Worker {
  child: ChildProcess;
  variants: number;
  busy: Promise<unknown>;
}

export function openPool(size = availableParallelism()): Pool {
  const file = fileURLToPath(new URL('./judge-worker.ts', import.meta.url));
  const start = (): ChildProcess => fork(file, [], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const workers: Worker[] = Array.from({ length: size }, () => ({
    child: start(),
    variants: 0,
    busy: Promise.resolve(),
  }));
  let ids = 0;
  const ask = async (worker: Worker, job: Omit<JudgeJob, 'id'>): Promise<readonly PageDone[]> => {
    if (worker.variants >= VARIANTS_OF_A_PROCESS) {
      worker.child.disconnect();
      worker.child = start();
      worker.variants = 0;
    }
    worker.variants += 1;
    const id = ids++;
    const { child } = worker;
    const done: PageDone[] = [];
    return await new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('a process that judges ended'));
      const onMessage = (message: { readonly id: number; readonly page?: PageDone; readonly done?: true }): void => {
        if (message.id !== id) return;
        if (message.page) done.push(message.page);
        if (!message.done) return;
        child.off('message', onMessage).off('exit', onExit);
        resolve(done);
      };
      child.on('message', onMessage).once('exit', onExit);
      child.send({ id, ...job } satisfies JudgeJob);
    });
  };
  const queue = (worker: Worker, job: Omit<JudgeJob, 'id'>): Promise<readonly PageDone[]> => {
    const result = worker.busy.then(() => ask(worker, job));
    worker.busy = result.catch(() => undefined);
    return result;
  };
  let turn = 0;
  return {
    async judge(pages, variant, quietOnly) {
      const parts = workers.map((worker, i) =>
        queue(worker, { pages: pages.filter((_, page) => page % workers.length === i), variant, quietOnly }),
      );
      return (await Promise.all(parts)).flat();
    },
    judgeAlone: (pages, variant, quietOnly) =>
      queue(workers[turn++ % workers.length] as Worker, { pages, variant, quietOnly }),
    close() {
      for (const { child } of workers) child.disconnect();
    },
  };
}
