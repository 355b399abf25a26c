/** Serves a built site of `npm run bench:why`, with the delays and the speed of a network. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { contentTypeOf } from '../../fixtures/content-types.ts';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import { type Built, ELSEWHERE, type Source } from './site.ts';

/** Of each answer: about 16 Mbit/s, bytes in a ms. */
const RATE = 2_000;
/** How much is sent at a time. */
const PIECE = 40_000;

/** A site that is served. */
export interface ServedSite {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a site, and its third party at another port. */
export async function serveSite(built: Built, { delays, elsewhere }: Source): Promise<ServedSite> {
  const others = await listen(async (pathname, response) => {
    const { text, delay } = elsewhere[pathname] ?? { text: '', delay: 0 };
    await wait(delay);
    await answer(response, '/tag.js', Buffer.from(text));
  });
  const origin = `http://127.0.0.1:${portOf(others)}`;
  const own = await listen(async (pathname, response) => {
    const file = pathname === '/' ? '/index.html' : pathname;
    const body = built.get(file);
    await wait(delays[pathname] ?? 0);
    const isText = /\.(?:html|js|css)$/.test(file);
    await answer(response, file, body && isText ? Buffer.from(body.toString().replaceAll(ELSEWHERE, origin)) : body);
  });
  return {
    url: `http://127.0.0.1:${portOf(own)}/`,
    close: async () => void (await Promise.all([closeOn(own), closeOn(others)])),
  };
}

function listen(handle: (pathname: string, response: ServerResponse) => Promise<void>): Promise<readonly Server[]> {
  return listenOn(
    () =>
      createServer((request, response) => {
        handle(new URL(request.url ?? '/', 'http://site.test').pathname, response).catch(() => response.destroy());
      }),
    0,
  );
}

async function answer(response: ServerResponse, file: string, body: Buffer | undefined): Promise<void> {
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'content-type': contentTypeOf(file) ?? 'application/octet-stream',
    'content-length': body.length,
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  for (let at = 0; at < body.length; at += PIECE) {
    const piece = body.subarray(at, at + PIECE);
    response.write(piece);
    if (body.length > PIECE) await wait(piece.length / RATE);
  }
  response.end();
}
