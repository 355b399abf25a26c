import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A TCP port that nothing listens on now, on any address of this machine.
 *
 * @param preferred the port if it is free; 0 for any
 */
export async function freePort(preferred = 0): Promise<number> {
  const probe = createServer().listen(preferred);
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (preferred === 0) throw error;
    return freePort();
  }
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return address.port;
}
