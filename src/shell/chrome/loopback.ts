import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession } from 'puppeteer-core';
import { within } from './within.ts';

/** How long a page may take to open an address of this machine, ms; the way there and back is next to nothing. */
const VISIT_TIMEOUT_MS = 5_000;

/**
 * Does a browser that runs on this machine reach what listens on its loopback addresses? One in a container has a loopback
 * of its own. Undefined when it did not tell in time.
 *
 * @param page a blank one in it, which stays blank
 */
export async function reachesLoopback(page: CDPSession, timeout = VISIT_TIMEOUT_MS): Promise<boolean | undefined> {
  // In the other loopback somebody else may listen at the same port.
  const path = `/${randomUUID()}`;
  let isVisited = false;
  const server = createServer((request, response) => {
    if (request.url === path) isVisited = true;
    // No content: the page stays where it is, and no renderer is started for another one.
    response.writeHead(204).end();
  });
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await within(timeout, page.send('Page.navigate', { url: `http://127.0.0.1:${port}${path}` }));
    if (isVisited) return true;
    return answer === undefined ? undefined : false;
  } catch {
    return undefined;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
