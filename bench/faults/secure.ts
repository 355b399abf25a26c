/** TLS and HTTP/2 that go wrong below the page. */
import { once } from 'node:events';
import { constants, createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import { createServer, type Server } from 'node:net';
import { setTimeout as settle } from 'node:timers/promises';
import { FIXTURE_TLS } from '../../fixtures/http2.ts';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import { type Allowed, mustHold, run } from './command.ts';
import type { Fault } from './fault.ts';
import { AUDIT, BOUND_S, TRUTH } from './pages.ts';
import { PICTURE, PICTURE_MS, page } from './site.ts';

const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;
const SVG = { ':status': 200, 'content-type': 'image/svg+xml' };

function fault(
  name: string,
  must: string,
  create: () => Server,
  allowed: Allowed,
  args: readonly string[] = ['--ignore-certificate-errors'],
): Fault {
  return {
    group: 'network',
    name,
    times: 1,
    must,
    async inject() {
      const servers = await listenOn(create, 0);
      try {
        const url = `https://127.0.0.1:${portOf(servers)}/`;
        return await run({ args: ['audit', url, ...AUDIT, ...args] }, (ran) =>
          mustHold(ran, { within: BOUND_S, ...allowed }),
        );
      } finally {
        await closeOn(servers);
      }
    },
  };
}

/** An ordinary page with one picture, over HTTP/2; `answer` sends the picture, or what it likes. */
function overHttp2(
  answer: (stream: ServerHttp2Stream) => unknown,
  afterDocument: (stream: ServerHttp2Stream) => unknown = () => undefined,
): Server {
  const server: Http2SecureServer = createSecureServer({ ...FIXTURE_TLS, allowHTTP1: false });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers[':path'] === '/picture.svg') return answer(stream);
    stream.respond({ ':status': 200, 'content-type': 'text/html; charset=utf-8' });
    stream.end(page(''));
    return afterDocument(stream);
  });
  return server;
}

const picture = async (stream: ServerHttp2Stream): Promise<void> => {
  await settle(PICTURE_MS);
  if (stream.destroyed) return;
  stream.respond(SVG);
  stream.end(PICTURE);
};

const tcp = (listener: Parameters<typeof createServer>[1]): Server =>
  createServer(listener).on('connection', (socket) => socket.on('error', () => undefined));

const REFUSED = 'one line that says why, exit 3';
const RIGHT = 'right, or not measured';

export const secure: readonly Fault[] = [
  fault('a certificate that nobody signed', REFUSED, () => overHttp2(picture), { exits: [3] }, []),
  fault('TLS: the handshake is cut', REFUSED, () => tcp((socket) => socket.once('data', () => socket.destroy())), {
    exits: [3],
  }),
  fault('TLS: the handshake is never answered', REFUSED, () => tcp(() => undefined), { exits: [3] }),
  fault('TLS: the server speaks plain HTTP', REFUSED, () => tcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')), {
    exits: [3],
  }),
  fault(
    'HTTP/2: the server goes away after the document',
    RIGHT,
    () => overHttp2(picture, (stream) => stream.session?.goaway(NGHTTP2_NO_ERROR)),
    { truth: TRUTH },
  ),
  fault(
    'HTTP/2: the session is destroyed in the middle',
    RIGHT,
    () => overHttp2((stream) => stream.session?.destroy(), undefined),
    {},
  ),
  fault(
    'HTTP/2: a stream is reset',
    RIGHT,
    () =>
      overHttp2(async (stream) => {
        await settle(PICTURE_MS);
        stream.close(NGHTTP2_INTERNAL_ERROR);
      }),
    { truth: TRUTH },
  ),
  fault(
    'HTTP/2: an answer of which the end never comes',
    RIGHT,
    () =>
      overHttp2(async (stream) => {
        stream.respond(SVG);
        stream.write(PICTURE.slice(0, 40));
        await once(stream, 'close');
      }),
    {},
  ),
  fault(
    'HTTP/2: headers of 60 kB',
    RIGHT,
    () =>
      overHttp2(async (stream) => {
        await settle(PICTURE_MS);
        if (stream.destroyed) return;
        stream.respond({ ...SVG, 'x-long': 'y'.repeat(60_000) });
        stream.end(PICTURE);
      }),
    { truth: TRUTH },
  ),
];
