import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * The fixture server in a process of its own: what the recorder computes must not hold up its answers.
 *
 * @param seed what factors for all delays are drawn from, another for each load; without it nothing is changed
 */
export async function startServerApart(
  seed?: string,
): Promise<{ url(scenario: string): string; close(): Promise<void> }> {
  const child = fork(fileURLToPath(new URL('./server-child.ts', import.meta.url)), seed === undefined ? [] : [seed]);
  const [origin] = (await once(child, 'message')) as [string];
  return {
    url: (scenario) => `${origin}/${scenario}/`,
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
