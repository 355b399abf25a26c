/** 42 secrets in requests and answers: none of them may stand in anything that Quiesce writes, also when it is killed. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as settle } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { mustHold, type Ran, run } from './command.ts';
import { BY_CHANCE, type Fault, type Happened } from './fault.ts';
import { AUDIT, BOUND_S } from './pages.ts';

/** Given on the command line: they are removed from everything, whatever is asked for. */
const GIVEN = ['header', 'bearer', 'cookie', 'password', 'api-key'] as const;
/** Names of parameters in addresses, of fields in bodies, and of headers that servers send. */
const IN_ADDRESSES = [
  'token',
  'access_token',
  'id_token',
  'api_key',
  'apikey',
  'secret',
  'client_secret',
  'password',
  'sig',
  'signature',
  'session',
  'jwt',
  'code',
  'auth',
];
const IN_FORMS = ['password', 'token', 'pin', 'otp', 'csrf_token', 'card_number_token', 'refreshToken'];
const IN_JSON = ['password', 'accessToken', 'clientSecret', 'passphrase', 'sessionId', 'apiKey'];
const IN_HEADERS = ['set-cookie', 'x-api-key', 'x-auth-token', 'authorization', 'x-csrf-token', 'x-amz-security-token'];
const IN_MESSAGES = ['socket sent', 'socket received', 'event', 'redirect'];
const PLACES: readonly string[] = [
  ...GIVEN,
  ...IN_ADDRESSES.map((name) => `?${name}=`),
  ...IN_FORMS.map((name) => `form ${name}`),
  ...IN_JSON.map((name) => `JSON ${name}`),
  ...IN_HEADERS,
  ...IN_MESSAGES,
];

type Secrets = ReadonlyMap<string, string>;
const plant = (): Secrets => new Map(PLACES.map((place) => [place, randomBytes(15).toString('hex')]));

/** Serves a page that sends and gets all of them. */
async function startSite(secrets: Secrets) {
  const of = (place: string): string => secrets.get(place) ?? '';
  const asked = [
    ...IN_ADDRESSES.map((name) => `fetch('/api?${name}=${of(`?${name}=`)}')`),
    ...IN_FORMS.map(
      (name) =>
        `fetch('/form', { method: 'POST', body: new URLSearchParams({ ${JSON.stringify(name)}: '${of(`form ${name}`)}' }) })`,
    ),
    ...IN_JSON.map(
      (name) =>
        `fetch('/json', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ user: { ${JSON.stringify(name)}: '${of(`JSON ${name}`)}' } }) })`,
    ),
    `fetch('/redirect')`,
  ];
  const page = `<!doctype html><html lang="en"><title>Secrets</title><link rel="icon" href="data:,"><h1>Secrets</h1><script>
    const socket = new WebSocket('ws://' + location.host + '/socket');
    socket.onopen = () => socket.send('${of('socket sent')}');
    new EventSource('/events');
    for (const ask of [${asked.map((each) => `() => ${each}`).join(',')}]) ask().then((answer) => answer.text()).catch(() => {});
  </script></html>`;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(`data: ${of('event')}\n\n`), 400);
      response.once('close', () => clearInterval(timer));
      return;
    }
    for (const name of IN_HEADERS)
      response.setHeader(name, name === 'set-cookie' ? `sid=${of(name)}; Path=/` : of(name));
    if (pathname === '/redirect') response.writeHead(302, { location: `/api?token=${of('redirect')}` }).end();
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(page);
    else response.setHeader('content-type', 'application/json').end('{"fine":true}');
  };
  const server = createServer(answer);
  const sockets = new WebSocketServer({ server, path: '/socket' });
  sockets.on('connection', (socket) => socket.send(of('socket received')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://ann:${encodeURIComponent(of('password'))}@127.0.0.1:${port}/`,
    close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The places whose secret stands in what was written or printed. */
async function shownIn(ran: Ran, folder: string, secrets: Secrets): Promise<readonly string[]> {
  const texts: string[] = [ran.stdout, ran.stderr];
  const read = async (where: string): Promise<void> => {
    for (const entry of await readdir(where, { withFileTypes: true }).catch(() => [])) {
      const file = path.join(where, entry.name);
      if (entry.isDirectory()) await read(file);
      else {
        const bytes = await readFile(file).catch(() => Buffer.alloc(0));
        texts.push(bytes.toString('latin1'));
        if (bytes[0] === 0x1f && bytes[1] === 0x8b) texts.push(gunzipSync(bytes).toString('latin1'));
      }
    }
  };
  await read(folder);
  const all = texts.join('\n');
  return [...secrets].flatMap(([place, secret]) => {
    const forms = [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(2, -2)];
    return forms.some((form) => all.includes(form)) ? [place] : [];
  });
}

interface Mode {
  readonly name: string;
  readonly args: readonly string[];
  /** Secrets of the page's own traffic may stand in HARs: it was asked for. */
  readonly onlyGiven?: boolean;
  readonly killAfter?: (random: () => number) => number;
  readonly times?: number;
}

const MODES: readonly Mode[] = [
  { name: 'all formats', args: ['--format', 'html,json,har,junit,md,csv'] },
  { name: '--json', args: ['--json', '--format', 'json'] },
  { name: '--verbose', args: ['--verbose'] },
  { name: '--har-secrets', args: ['--har-secrets', '--har-content'], onlyGiven: true },
  { name: 'killed in the middle', args: [], killAfter: (random) => 2_000 + random() * 12_000, times: BY_CHANCE },
];

export const secrets: readonly Fault[] = MODES.map(
  ({ name, args, onlyGiven = false, killAfter, times = 1 }): Fault => ({
    group: 'secret',
    name: `${PLACES.length} secrets, ${name}`,
    times,
    must: onlyGiven ? 'those that were given stand nowhere' : 'none stands anywhere',
    async inject(random): Promise<Happened> {
      const planted = plant();
      const site = await startSite(planted);
      const given = [
        ...[
          '--header',
          `X-Preview: ${planted.get('header')}`,
          '--header',
          `Authorization: Bearer ${planted.get('bearer')}`,
        ],
        ...['--header', `X-Api-Key: ${planted.get('api-key')}`, '--cookie', `session=${planted.get('cookie')}`],
      ];
      let folder = '';
      try {
        return await run(
          {
            args: ['audit', site.url, ...AUDIT, ...given, ...args],
            async during(running) {
              folder = running.folder;
              if (!killAfter) return;
              await settle(killAfter(random));
              if (!running.ended) running.child.kill('SIGKILL');
            },
          },
          async (ran) => {
            const held = mustHold(ran, { within: 2 * BOUND_S, ...(killAfter && { killed: true, leavesFiles: true }) });
            const shown = await shownIn(ran, folder, planted);
            const wrong = onlyGiven ? shown.filter((place) => (GIVEN as readonly string[]).includes(place)) : shown;
            return wrong.length === 0
              ? held
              : { ...held, violations: [...held.violations, `shown: ${wrong.join(', ')}`] };
          },
        );
      } finally {
        site.close();
      }
    },
  }),
);
