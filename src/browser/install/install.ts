import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Browser, computeExecutablePath, detectBrowserPlatform, getDownloadUrl, install } from '@puppeteer/browsers';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { cacheFolders } from './find.ts';

/** Names the stable build of Chrome for Testing. https://github.com/GoogleChromeLabs/chrome-for-testing */
const VERSIONS = 'https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions.json';

/** Progress of an installation. */
export interface InstallProgress {
  readonly version: string;
  readonly step: 'download' | 'unpack';
  /** Whole percent of the download; absent when the server does not say how long it is. */
  readonly percent?: number;
}

/** Options of {@link installBrowser}. */
export interface InstallOptions {
  readonly onProgress?: (progress: InstallProgress) => void;
  readonly signal?: AbortSignal;
  /** Puppeteer's usual cache when absent. */
  readonly cacheDir?: string;
  /** The environment, which may name another cache. */
  readonly env?: Parameters<typeof cacheFolders>[0];
  /** A mirror that holds `last-known-good-versions.json` beside the builds. */
  readonly baseUrl?: string;
}

/** The installed browser. */
export interface Installation {
  readonly path: string;
  readonly version: string;
  /** True when it was there before. */
  readonly already: boolean;
}

/**
 * Installs the stable Chrome for Testing into the cache. Nothing incomplete stays: the archive is downloaded under another
 * name, and a folder that was not unpacked completely is removed.
 *
 * @throws QuiesceError `browser-download-failed`, or `interrupted` when the signal ended it.
 */
export async function installBrowser(options: InstallOptions = {}): Promise<Installation> {
  try {
    return await fetchAndUnpack(options);
  } catch (error) {
    if (options.signal?.aborted) throw new QuiesceError('interrupted', {}, { cause: error });
    throw new QuiesceError('browser-download-failed', { detail: firstCause(error) }, { cause: error });
  }
}

async function fetchAndUnpack(options: InstallOptions): Promise<Installation> {
  const { signal, onProgress, baseUrl } = options;
  const platform = detectBrowserPlatform();
  if (platform === undefined) {
    throw new Error(`no Chrome for Testing is made for ${process.platform} ${process.arch}`);
  }
  const cacheDir = resolve(options.cacheDir ?? (cacheFolders(options.env ?? {})[0] as string));
  const version = await stableVersion(baseUrl, signal);
  const build = { browser: Browser.CHROME, buildId: version, platform, cacheDir };
  const path = computeExecutablePath(build);
  if (existsSync(path)) return { path, version, already: true };

  const chromeDir = join(cacheDir, Browser.CHROME);
  const buildDir = join(chromeDir, `${platform}-${version}`);
  const url = getDownloadUrl(Browser.CHROME, platform, version, baseUrl);
  await mkdir(chromeDir, { recursive: true });
  // `install` unpacks an archive of this name, if there is one, and removes it. Its own download could not be aborted.
  const archive = join(chromeDir, `${version}-${basename(url.pathname)}`);
  const partial = `${archive}.${randomUUID()}.part`;
  try {
    await download(url, partial, signal, (percent) =>
      onProgress?.({ version, step: 'download', ...(percent === undefined ? {} : { percent }) }),
    );
    await rename(partial, archive);
    onProgress?.({ version, step: 'unpack' });
    // Left by an earlier attempt that was killed.
    await rm(buildDir, { recursive: true, force: true });
    const installed = await install({ ...build, ...(baseUrl === undefined ? {} : { baseUrl }) });
    signal?.throwIfAborted();
    if (!existsSync(installed.executablePath)) throw new Error(`the archive at ${url.href} contains no browser`);
    return { path: installed.executablePath, version, already: false };
  } catch (error) {
    await rm(buildDir, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(partial, { force: true });
    await rm(archive, { force: true });
  }
}

async function stableVersion(baseUrl: string | undefined, signal: AbortSignal | undefined): Promise<string> {
  const url = baseUrl === undefined ? VERSIONS : `${baseUrl}/last-known-good-versions.json`;
  const response = await get(url, signal);
  const answer = (await response.json()) as { channels?: { Stable?: { version?: unknown } } } | null;
  const version = answer?.channels?.Stable?.version;
  // It becomes part of a path.
  if (typeof version !== 'string' || !/^\d+(\.\d+){3}$/.test(version)) {
    throw new Error(`${url} names no stable build`);
  }
  return version;
}

async function download(
  url: URL,
  to: string,
  signal: AbortSignal | undefined,
  onPercent: (percent: number | undefined) => void,
): Promise<void> {
  const response = await get(url.href, signal);
  if (response.body === null) throw new Error(`${url.href} is empty`);
  const total = Number(response.headers.get('content-length')) || undefined;
  let received = 0;
  let reported: number | undefined;
  onPercent(total === undefined ? undefined : 0);
  const counted = Readable.fromWeb(response.body as import('node:stream/web').ReadableStream<Uint8Array>).on(
    'data',
    (chunk: Uint8Array) => {
      received += chunk.length;
      const percent = total === undefined ? undefined : Math.floor((100 * received) / total);
      if (percent === reported) return;
      reported = percent;
      onPercent(percent);
    },
  );
  await pipeline(counted, createWriteStream(to), signal === undefined ? {} : { signal });
  if (total !== undefined && received !== total) {
    throw new Error(`${received} of ${total} bytes arrived from ${url.href}`);
  }
}

async function get(url: string, signal: AbortSignal | undefined): Promise<Response> {
  const response = await fetch(url, signal === undefined ? {} : { signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`HTTP ${response.status} from ${url}`);
  }
  return response;
}

/** The reason in one line. That of "fetch failed" is in its cause, that of "All providers failed:" in its next line. */
function firstCause(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  if (!(cause instanceof Error)) return String(cause);
  const text = cause.message.replace(/^All providers failed[^\n]*\n\s*- \w+: /, '') || cause.name;
  return (text.split('\n')[0] ?? text).replace(/[.\s]+$/, '');
}
