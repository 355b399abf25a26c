import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page that says what its browser has kept: it asks for `/seen?…`, whose answer it shows. */
const PAGE = `<!doctype html><title>Account</title><link rel="icon" href="data:,"><p>Nobody</p><script>
  const database = () => new Promise((resolve) => {
    const opening = indexedDB.open('shop', 3);
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onerror = () => resolve([]);
    opening.onsuccess = () => {
      const store = opening.result.transaction('users').objectStore('users');
      const all = store.index('byName').getAll();
      all.onsuccess = () => resolve(all.result.map((user) => user.name + (user.since instanceof Date ? user.since.getUTCFullYear() : '')));
    };
  });
  database().then((users) => {
    const seen = { local: localStorage.getItem('token'), session: sessionStorage.getItem('step'), users };
    return fetch('/seen?' + encodeURIComponent(JSON.stringify(seen)));
  }).then((response) => response.text()).then((text) => { document.querySelector('p').textContent = text; });
</script>`;

/** What a load had. */
export interface Seen {
  readonly cookie: string | undefined;
  readonly local: string | null;
  readonly session: string | null;
  readonly users: readonly string[];
}

/** A server of that page, on a port of its own of `localhost`. */
export async function accountServer(): Promise<{
  readonly url: string;
  readonly asked: readonly string[];
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}> {
  const asked: string[] = [];
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push(url.replace(/\?.*/, ''));
    if (!url.startsWith('/seen?')) {
      response.setHeader('content-type', 'text/html');
      return void response.end(PAGE);
    }
    const kept = JSON.parse(decodeURIComponent(url.slice('/seen?'.length)));
    seen.push({ cookie: headers.cookie, ...kept });
    response.end(`Hello ${JSON.stringify(kept)}`);
  }).listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    asked,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What Playwright saves of it, at another port of this machine. */
export const ACCOUNT_STATE = {
  cookies: [
    {
      name: 'sid',
      value: 'cookie-secret-1',
      domain: 'localhost',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax',
    },
    { name: 'other', value: 'cookie-secret-2', domain: 'shop.test', path: '/', expires: -1 },
  ],
  origins: [
    {
      origin: 'http://localhost:1',
      localStorage: [{ name: 'token', value: 'local-secret-3' }],
      sessionStorage: [{ name: 'step', value: 'session-secret-4' }],
      indexedDB: [
        {
          name: 'shop',
          version: 3,
          stores: [
            {
              name: 'users',
              autoIncrement: false,
              keyPath: 'id',
              records: [
                { value: { id: 1, name: 'database-secret-5' } },
                {
                  valueEncoded: {
                    o: [
                      { k: 'id', v: 2 },
                      { k: 'name', v: 'database-secret-6' },
                      { k: 'since', v: { d: '2020-06-01T00:00:00.000Z' } },
                    ],
                    id: 1,
                  },
                },
              ],
              indexes: [{ name: 'byName', keyPath: 'name', multiEntry: false, unique: true }],
            },
          ],
        },
      ],
    },
  ],
};
