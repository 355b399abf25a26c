/** Pages that are complete at a known time. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>';

/** A document that asks for nothing but what its body names. */
export const page = (body: string): string =>
  `<!doctype html><title>Bench</title><link rel="icon" href="data:,"><h1>Bench</h1>${body}`;

/**
 * Serves pages by their paths, a picture at `/picture?450`, and text at every other path, `/items?400`: as many ms after it
 * was asked for.
 */
export async function servePages(
  pages: Readonly<Record<string, string>>,
): Promise<{ readonly origin: string; close(): void }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname, search } = new URL(url, 'http://localhost');
    const document = pages[pathname];
    if (document !== undefined) {
      response.setHeader('content-type', 'text/html').end(document);
      return;
    }
    await wait(Number(search.slice(1)));
    response.setHeader('content-type', pathname === '/picture' ? 'image/svg+xml' : 'text/plain');
    response.end(pathname === '/picture' ? PICTURE : 'Items that a script asked for');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
