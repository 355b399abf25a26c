import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import sirv from 'sirv';
import { hasContentHash } from '../../core/changes/content-hash.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** A folder with a built site, served on the loopback interface. */
export interface StaticServer {
  /** With a slash at the end. */
  readonly url: string;
  /** Stops at once, and closes connections that are kept alive. */
  close(): Promise<void>;
}

/** Several folders at one URL, one of them at a time. */
export interface BuildServer extends StaticServer {
  /**
   * Serves the folder at this place of the list from now on, and closes all connections: each load finds the server in the
   * same state. Nothing must be loading meanwhile.
   */
  use(index: number): void;
  /** Serves the folder at this place of the list at another port as well, from the same cache, until all is closed. */
  serveBeside(index: number): Promise<string>;
}

/** Types that compress well, with the full content type. Others are compressed already, or unknown. */
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

/** Smaller bodies, bytes, would need as many packets when compressed. Source: the default of common servers. */
const MIN_COMPRESSED_BYTES = 1024;

/**
 * Cache headers as hosts of built sites send them: pages are revalidated, files with a content hash in their name never
 * change, others are cached for ten minutes. Sources: RFC 8246 for `immutable`; GitHub Pages for the ten minutes.
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
  // Quality 9 is within a few per cent of 11, in a tenth of the time.
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify<Buffer, Buffer>(gzip),
};

/** A file that may be served. */
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
 * Serves a folder with a built site. Unknown paths without a file extension get index.html, for single-page applications;
 * a missing file with an extension is a 404. Compressed bodies are cached, so that compression does not slow down a
 * measured load on the same machine.
 *
 * @throws QuiesceError when the folder has no index.html.
 */
export async function serveFolder(dir: string): Promise<StaticServer> {
  const { url, close } = await serveBuilds([dir]);
  return { url, close };
}

/**
 * Serves several builds of a site as `serveFolder` does, all at the same origin, beginning with the first. With different
 * URLs the builds would differ in the length of the URL and in the browser's caches.
 *
 * @param port used when it is free, else any port
 * @throws QuiesceError when a folder has no index.html.
 */
export async function serveBuilds(folders: readonly string[], port = 0): Promise<BuildServer> {
  const answers: Answer[] = [];
  for (const folder of folders) answers.push(await folderHandler(folder));
  let current = 0;
  const server = await serve(() => answers[current], port);
  const servers = [server];
  return {
    url: urlOf(server),
    use(index) {
      if (answers[index] === undefined) throw new RangeError(`there is no build ${index}`);
      current = index;
      server.closeAllConnections();
    },
    async serveBeside(index) {
      const other = await serve(() => answers[index]);
      servers.push(other);
      return urlOf(other);
    },
    async close() {
      await Promise.all(
        servers.map(async (each) => {
          const closed = once(each, 'close');
          each.close();
          each.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serve(answerNow: () => Answer | undefined, port = 0): Promise<Server> {
  const server = createServer((request, response) => {
    const answer = answerNow();
    if (!answer) return refuse(response, 500);
    answer(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  await listenOn(server, port);
  return server;
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

/** A handler that serves one folder, with a cache of compressed bodies. */
async function folderHandler(dir: string): Promise<Answer> {
  if (!existsSync(join(dir, 'index.html'))) throw new QuiesceError('folder-without-index', { path: dir });
  const root = await realpath(dir);
  const kept = new Map<string, Promise<Buffer>>();
  const plain = sirv(root, {
    // "dev" reads the disk for each request: a build may be replaced while it is served.
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
    // A file that cannot be read now may be readable later.
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
    // Weak, and the same for every encoding. The format is sirv's.
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
    // A range counts bytes of the uncompressed file.
    const plainly = type === undefined || found.size < MIN_COMPRESSED_BYTES || request.headers.range !== undefined;
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

/** Has a folder with a built site a file for this page, and not only its index.html, which stands for all others? */
export async function hasPage(folder: string, url: string): Promise<boolean> {
  const [path] = splitUrl(url);
  const found = path === undefined ? undefined : await find(await realpath(folder), path);
  if (found === undefined || 'redirect' in found) return found !== undefined;
  return found.path !== '/index.html' || path === '/' || path === '/index.html';
}

/** The file for a path: itself, a folder's index, `<path>.html`, or index.html of a single-page application. */
async function find(root: string, path: string): Promise<Found> {
  const segments = path.split('/');
  if (segments.some(isForbidden)) return undefined;
  const exact = await look(root, path);
  if (exact === 'folder') {
    // Without the slash the page's relative URLs would be resolved one level too high.
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

/** Looks at the disk. Files outside the root, behind symbolic links, do not exist. */
async function look(root: string, path: string): Promise<Served | 'folder' | undefined> {
  try {
    // A path with a slash at the end is a folder, never a file.
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

/** Hidden files are private (`.env`, `.git`), except `.well-known` (RFC 8615). `..` and `\` would leave the folder. */
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
