import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse as parseHost } from 'tldts';
import { nearest } from '../../settings/suggest.ts';
import { isFile, isFolder } from '../../shell/disk/is-file.ts';
import { serveFolder } from '../../shell/servers/static-server.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** What the user named, checked but not yet opened. */
export interface Target {
  /** As the user wrote it, or what stands for it in reports. */
  readonly name: string;
  /** A short name for a folder: the host, or the folder's own name. */
  readonly slug: string;
  /** The folder, for a built site. */
  readonly folder?: string;
  /** The address, for anything else. */
  readonly url?: string;
  /** Makes it loadable; a folder is served until `close`. */
  open(): Promise<OpenTarget>;
}

/** A target that can be loaded now. */
interface OpenTarget {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A URL, with its scheme or without, or a folder with a built site; where there is a server under test, also a path on it.
 * Rejects with a `QuiesceError` for anything else.
 *
 * @param server the address of the server under test
 */
export async function parseTarget(name: string, server?: string): Promise<Target> {
  if (server !== undefined && /^\/(?!\/)/.test(name)) return urlTarget(name, new URL(name, server));
  if (await isFolder(name)) return folderTarget(name);
  if (path.basename(name).toLowerCase() === 'index.html' && (await isFile(name)))
    return folderTarget(path.dirname(name));
  try {
    return urlTarget(name, parseUrl(name));
  } catch (error) {
    const near = await nearFolder(name);
    throw near === undefined ? error : new QuiesceError('target-not-url', { detail: name, suggestion: near });
  }
}

/** The folder beside it whose name is nearly the same: `./dist` for `./dits`. */
async function nearFolder(name: string): Promise<string | undefined> {
  const entries = await readdir(path.dirname(name), { withFileTypes: true }).catch(() => []);
  const near = nearest(
    path.basename(name),
    entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
  );
  return near === undefined ? undefined : name.slice(0, -path.basename(name).length) + near;
}

function urlTarget(name: string, { hostname, href }: URL): Target {
  return { name, slug: hostname, url: href, open: async () => ({ url: href, close: async () => undefined }) };
}

async function folderTarget(name: string): Promise<Target> {
  if (!(await isFile(path.join(name, 'index.html')))) throw new QuiesceError('folder-without-index', { path: name });
  return siteTarget(name, name, path.basename(path.resolve(name)));
}

/** A folder with a built site under a name of its own. */
export function siteTarget(folder: string, name: string, slug: string): Target {
  return { name, slug, folder, open: () => serveFolder(folder) };
}

function parseUrl(name: string): URL {
  const [, scheme = '', rest] = /^(https?)\/\/(.+)$/i.exec(name) ?? [];
  if (rest !== undefined) throw new QuiesceError('target-not-url', { detail: name, suggestion: `${scheme}://${rest}` });
  if (/\.har(?:\.gz)?$/i.test(name) && !/^https?:/i.test(name)) throw new QuiesceError('target-har', { path: name });
  const url = tryUrl(name);
  // "localhost:3000" and "example.com:8080" parse as URLs of a scheme that nobody means.
  if (url === undefined || /^[\w.-]+:\d+(?:[/?#]|$)/.test(name)) return withScheme(name);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new QuiesceError('target-scheme', { detail: url.protocol.slice(0, -1) });
  }
  return url;
}

/** A host as people type it in a browser: an address, a name with a known ending or a port, or this machine. */
function withScheme(name: string): URL {
  const [, host = '', port = ''] = /^(\[[0-9a-f:]+\]|[\w.-]+)(:\d+)?(?:[/?#]\S*)?$/i.exec(name) ?? [];
  const { isIp, isIcann, domain } = parseHost(host);
  const isLocal = /^(?:[\w-]+\.)*localhost$/i.test(host) || isIp === true;
  // Servers on a port of their own rarely speak TLS, and servers on the Web nearly always do.
  const url = tryUrl(`${isLocal || port !== '' ? 'http' : 'https'}://${name}`);
  const isHost = isLocal || (isIcann === true && domain !== null) || (port !== '' && host !== '');
  if (isHost && url !== undefined) return url;
  const isWord = /^[\w-]+$/.test(host) && url !== undefined;
  throw new QuiesceError('target-not-url', { detail: name, ...(isWord && { suggestion: `http://${name}/` }) });
}

function tryUrl(name: string): URL | undefined {
  return URL.canParse(name) ? new URL(name) : undefined;
}
