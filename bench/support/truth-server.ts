import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ServedLoad } from '../accuracy/server.ts';

/** The fixture server in a process of its own, with what it knows of each load. */
export interface TruthServer {
  readonly origin: string;
  loads(scenario: string): Promise<readonly ServedLoad[]>;
  close(): Promise<void>;
}

/** @param seed what factors for all delays are drawn from, another for each load */
export async function startTruthServer(seed: string): Promise<TruthServer> {
  const server: ChildProcess = fork(fileURLToPath(new URL('../accuracy/server.ts', import.meta.url)), [seed]);
  const [origin] = (await once(server, 'message')) as [string];
  return {
    origin,
    loads: (scenario) =>
      new Promise((resolve) => {
        const listen = (message: { readonly scenario: string; readonly loads: readonly ServedLoad[] }): void => {
          if (message.scenario !== scenario) return;
          server.off('message', listen);
          resolve(message.loads);
        };
        server.on('message', listen).setMaxListeners(0);
        server.send(scenario);
      }),
    async close() {
      server.disconnect();
      await once(server, 'exit');
    },
  };
}
