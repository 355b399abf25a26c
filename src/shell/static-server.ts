import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import sirv from 'sirv';
import { hasContentHash } from '../core/changes/content-hash.ts';
import { UsageError } from '../core/messages.ts';

/** A folder with a built site, served on the loopback interface. */
export interface StaticServer {
  /** With a slash at the end. */
  readonly url: string;
  /** Stops at once: sockets that are kept alive are ended too. */
  close(): Promise<void>;
}

/** Several folders at one address, one of them at a time. */
export interface BuildServer extends StaticServer {
  /**
   * Serves this folder from now on, by its place in the list, and ends every connection: each load finds the server as
   * the one before it did. Nothing must be loading meanwhile.
   */
  use(index: number): void;
}

/** What compresses well, with its type in full; what is not named here is compressed already, or unknown. */
const COMPRESSIBLE: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.htm': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.wasm': 'application/wasm',
  '.ico': 'image/x-icon',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
};

/** Below this a compressed body saves no packet. Source: the default of common servers and middlewares. */
const COMPRESS_FROM = 1024;

/**
 * How long an answer may be kept, as hosts of built sites have it: pages are asked for again, files with a content hash
 * in their name never change, and of the rest nobody knows, so they are kept for ten minutes. Sources: RFC 8246 for
 * `immutable`; the ten minutes are GitHub Pages'.
 */
const CACHE_CONTROL = {
  page: 'no-cache',
  hashed: 'public, max-age=31536000, immutable',
  other: 'public, max-age=600',
} as const;
const PAGES: ReadonlySet<string> = new Set(['.html', '.htm']);

type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const COMPRESS: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  // Quality 9 comes within a few per cent of 11, at a tenth of the time.
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** A file that may be given out. */
interface Served {
  /** Path inside the folder, with a leading slash. */
  readonly path: string;
  readonly file: string;
  readonly size: number;
  readonly modified: Date;
}

type Found = Served | { readonly redirect: string } | undefined;
type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Serves a folder with a built site. Unknown paths without a file extension get index.html, as single-page
 * applications want it; a missing file with one is a 404. Compressed bodies are made once and kept, so that a measured
 * load does not pay for compression on the machine that measures it.
 *
 * @throws UsageError when the folder has no index.html.
 */
export async function serveFolder(dir: string): Promise<StaticServer> {
  const { url, close } = await serveBuilds([dir]);
  return { url, close };
}

/**
 * Serves several builds of a site as `serveFolder` does, all at the same origin, the first of them at first: addresses
 * that differ in length, or in what the browser remembers of them, would be a difference between the builds.
 *
 * @param port where it should be, if nothing else listens there; any when absent
 * @throws UsageError when a folder has no index.html.
 */
export async function serveBuilds(folders: readonly string[], port = 0): Promise<BuildServer> {
  const answers: Answer[] = [];
  for (const folder of folders) answers.push(await answering(folder));
  let current = 0;
  const server = createServer((request, response) => {
    const answer = answers[current];
    if (!answer) return refuse(response, 500);
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  await listenOn(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    use(index) {
      if (answers[index] === undefined) throw new RangeError(`there is no build ${index}`);
      current = index;
      server.closeAllConnections();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenOn(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    await listenOn(server, 0);
  }
}

/** Answers out of one folder, with what it has compressed so far. */
async function answering(dir: string): Promise<Answer> {
  if (!existsSync(join(dir, 'index.html'))) throw new UsageError('folder-without-index', { path: dir });
  const root = await realpath(dir);
  const kept = new Map<string, Promise<Buffer>>();
  const plain = sirv(root, {
    // "dev" looks at the disk for every request, so that a build may be replaced while it is served.
    dev: true,
    etag: true,
    setHeaders(response, path) {
      response.setHeader('Cache-Control', cacheControl(path));
      const type = COMPRESSIBLE[extname(path).toLowerCase()];
      if (type === undefined) return;
      response.setHeader('Content-Type', type);
      response.setHeader('Vary', 'Accept-Encoding');
    },
  });

  function compressed(served: Served, encoding: Encoding): Promise<Buffer> {
    const key = `${encoding} ${served.modified.getTime()} ${served.size} ${served.file}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = readFile(served.file).then(COMPRESS[encoding]);
    kept.set(key, made);
    // A file that could not be read now may be readable later.
    made.catch(() => kept.delete(key));
    return made;
  }

  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, { Allow: 'GET, HEAD' });
    const [path, query] = splitUrl(request.url ?? '/');
    const found = path === undefined ? undefined : await find(root, path);
    if (found === undefined) return refuse(response, path === undefined ? 400 : 404);
    if ('redirect' in found) return refuse(response, 301, { Location: found.redirect + query });

    const type = COMPRESSIBLE[extname(found.path).toLowerCase()];
    // Weak, and the same for every encoding: it stands for the file. The form is sirv's.
    const etag = `W/"${found.size}-${found.modified.getTime()}"`;
    const shared = {
      ETag: etag,
      'Cache-Control': cacheControl(found.path),
      ...(type !== undefined && { Vary: 'Accept-Encoding' }),
    };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, shared).end();
      return;
    }

    const encoding = preferredEncoding(request.headers['accept-encoding']);
    // A range counts bytes of the file as it is.
    const plainly = type === undefined || found.size < COMPRESS_FROM || request.headers.range !== undefined;
    if (plainly || encoding === undefined) {
      request.url = encodeURI(found.path);
      plain(request, response, () => refuse(response, 404));
      return;
    }
    const body = await compressed(found, encoding);
    response.writeHead(200, {
      ...shared,
      'Content-Type': type,
      'Content-Encoding': encoding,
      'Content-Length': body.length,
      'Last-Modified': found.modified.toUTCString(),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function cacheControl(path: string): string {
  if (PAGES.has(extname(path).toLowerCase())) return CACHE_CONTROL.page;
  return hasContentHash(path) ? CACHE_CONTROL.hashed : CACHE_CONTROL.other;
}

/** Which file a path means: itself, a folder's index, `<path>.html`, or the single page. */
async function find(root: string, path: string): Promise<Found> {
  const segments = path.split('/');
  if (segments.some(isForbidden)) return undefined;
  const exact = await look(root, path);
  if (exact === 'folder') {
    // Without the slash the page's relative addresses would point one level too high.
    if (!path.endsWith('/')) return { redirect: encodeURI(`/${path.replace(/^\/+/, '')}/`) };
    const index = await look(root, `${path}index.html`);
    if (isServed(index)) return index;
  } else if (isServed(exact)) {
    return exact;
  }
  if (extname(path) !== '' || segments.includes('.well-known')) return undefined;
  for (const candidate of [`${path.replace(/\/$/, '')}.html`, '/index.html']) {
    const fallback = await look(root, candidate);
    if (isServed(fallback)) return fallback;
  }
  return undefined;
}

/** Looks at the disk. Whatever a symbolic link leads to outside of the root does not exist. */
async function look(root: string, path: string): Promise<Served | 'folder' | undefined> {
  try {
    // A slash at the end asks for a folder, never for the file of that name.
    const file = await realpath(resolve(root, `.${path}`) + (path.endsWith('/') ? sep : ''));
    if (file !== root && !file.startsWith(root + sep)) return undefined;
    const { size, mtime, ...kind } = await stat(file).then((found) => ({
      size: found.size,
      mtime: found.mtime,
      isFile: found.isFile(),
      isFolder: found.isDirectory(),
    }));
    if (kind.isFolder) return 'folder';
    return kind.isFile ? { path, file, size, modified: mtime } : undefined;
  } catch {
    return undefined;
  }
}

function isServed(found: Served | 'folder' | undefined): found is Served {
  return typeof found === 'object';
}

/** Hidden files are private (`.env`, `.git`), save what RFC 8615 publishes; `..` and `\` only serve to break out. */
function isForbidden(segment: string): boolean {
  return (segment.startsWith('.') && segment !== '.well-known') || /[\\\0]/.test(segment);
}

/** The decoded path and the query with its question mark; no path when it is not decodable. */
function splitUrl(url: string): readonly [path: string | undefined, query: string] {
  const at = url.indexOf('?');
  const query = at < 0 ? '' : url.slice(at);
  try {
    return [decodeURIComponent(at < 0 ? url : url.slice(0, at)), query];
  } catch {
    return [undefined, query];
  }
}

/** Brotli before gzip, unless the client ranks them otherwise. RFC 9110 section 12.5.3. */
function preferredEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  const weights = new Map(
    String(accepted ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
        return [name, Number(weight ?? 1)] as const;
      }),
  );
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0;
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > 0 ? best : undefined;
}

function refuse(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const body = status === 404 ? 'Not found\n' : '';
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}
