import { stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readSitemap as parse } from '../../core/requests/sitemap.ts';
import type { PagesNote } from '../../model/result/note.ts';
import { whyUnfetched } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { formatCount } from '../../wording/text/format.ts';
import { ReadFault, readBytes } from '../disk/read-pieces.ts';

/** The largest file, unpacked, bytes. Source: sitemaps.org, "Using Sitemap index files". */
const MAX_BYTES = 50 * 1024 * 1024;
/** How many sitemaps of an index are read: each may name 50,000 pages. */
const MAX_FILES = 50;
/** An index names sitemaps, not further indexes; one more level is tolerated. */
const MAX_DEPTH = 2;
/** The time for all files together, ms. */
const TIMEOUT_MS = 60_000;

/** The pages of a sitemap, with notes for the reader. */
export interface SitemapPages {
  readonly urls: readonly string[];
  readonly notes: readonly PagesNote[];
}

/** Options of {@link readSitemap}. */
export interface SitemapReading {
  /** The largest number of pages; the first ones are taken. */
  readonly most: number;
  readonly signal: AbortSignal;
  /** The server under test: pages of another origin are loaded from here, at the same paths. */
  readonly movedTo?: string;
}

/** What was found so far. */
interface Found {
  readonly urls: Set<string>;
  readonly files: Set<string>;
  /** Origins whose pages count; empty until a file on disk has named its first page. */
  readonly origins: Set<string>;
  /** Origins whose pages were left out, with their number. */
  readonly foreign: Map<string, number>;
  /** Addresses that are invalid, or not http(s). */
  unusable: number;
  /** Sitemaps of an index that were not read. */
  unread: number;
}

/**
 * Reads the pages of a sitemap, or of an index of sitemaps: those of its own origin, each once. Size, files, depth and time
 * are limited.
 *
 * @param source a URL, a path on the server under test, or a file
 * @throws QuiesceError `sitemap-unreadable`
 */
export async function readSitemap(source: string, reading: SitemapReading): Promise<SitemapPages> {
  const { most, movedTo } = reading;
  const signal = AbortSignal.any([reading.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const found: Found = {
    urls: new Set(),
    files: new Set(),
    origins: new Set(),
    foreign: new Map(),
    unusable: 0,
    unread: 0,
  };
  const start = await urlOrFile(source, movedTo);
  await readInto(found, start, 0, { ...reading, signal });
  const [elsewhere] = [...found.foreign].sort((a, b) => b[1] - a[1]);
  if (found.urls.size === 0) {
    const [origin, pages = 0] = elsewhere ?? [];
    const other = `of ${[...found.origins].join(' or ')} but ${formatCount(pages, 'page')} of ${origin}`;
    throw refusal(source, `it names no page${origin === undefined ? '' : ` ${other}`}`);
  }
  const left = [...found.foreign.values()].reduce((sum, each) => sum + each, 0);
  return {
    urls: [...found.urls].slice(0, most),
    notes: [
      ...(found.urls.size > most || found.unread > 0
        ? [
            {
              code: 'sitemap-cut' as const,
              source,
              measured: Math.min(most, found.urls.size),
              pages: found.urls.size,
              ...(found.unread > 0 && { atLeast: true as const }),
            },
          ]
        : []),
      ...(left > 0 && elsewhere !== undefined
        ? [{ code: 'other-origins' as const, pages: left, origin: elsewhere[0] }]
        : []),
      ...(found.unusable > 0 ? [{ code: 'unusable-entries' as const, source, entries: found.unusable }] : []),
    ],
  };
}

async function urlOrFile(source: string, base: string | undefined): Promise<string> {
  if (/^https?:\/\//i.test(source)) return source;
  const file = await stat(source).catch(() => undefined);
  return file === undefined && base !== undefined && source.startsWith('/')
    ? new URL(source, base).href
    : path.resolve(source);
}

async function readInto(found: Found, place: string, depth: number, reading: SitemapReading): Promise<void> {
  found.files.add(place);
  const { text, url } = await read(place, reading.signal);
  const sitemap = parse(text);
  if ('problem' in sitemap) throw refusal(place, sitemap.problem);
  for (const each of [place, url]) if (depth === 0 && isWeb(each)) found.origins.add(new URL(each).origin);
  for (const location of sitemap.locations) {
    const address = URL.canParse(location, url) ? new URL(location, url) : undefined;
    if (!address || !/^https?:$/.test(address.protocol)) {
      found.unusable += 1;
      continue;
    }
    // A file has no origin: that of its first page counts.
    if (found.origins.size === 0) found.origins.add(address.origin);
    const isOwn = found.origins.has(address.origin);
    if (sitemap.kind === 'pages') {
      // The sitemap of a build has the URLs of production; the pages are loaded from where the build is served.
      if (reading.movedTo !== undefined)
        found.urls.add(new URL(address.pathname + address.search, reading.movedTo).href);
      else if (isOwn) found.urls.add(address.href);
      else found.foreign.set(address.origin, (found.foreign.get(address.origin) ?? 0) + 1);
      continue;
    }
    const next =
      reading.movedTo === undefined ? address.href : new URL(address.pathname + address.search, reading.movedTo).href;
    if (found.files.has(next)) continue;
    if (!isOwn && reading.movedTo === undefined)
      found.foreign.set(address.origin, (found.foreign.get(address.origin) ?? 0) + 1);
    else if (depth >= MAX_DEPTH || found.files.size >= MAX_FILES || found.urls.size > reading.most) found.unread += 1;
    else await readInto(found, next, depth + 1, reading);
  }
}

const isWeb = (place: string): boolean => /^https?:\/\//i.test(place);

async function read(place: string, signal: AbortSignal): Promise<{ readonly text: string; readonly url: string }> {
  try {
    const { bytes, url } = isWeb(place) ? await fetched(place, signal) : await fromFile(place);
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip
      ? await promisify<Buffer, object, Buffer>(gunzip)(bytes, { maxOutputLength: MAX_BYTES })
      : bytes;
    return { text: new TextDecoder().decode(plain), url };
  } catch (error) {
    if (error instanceof QuiesceError) throw error;
    throw refusal(place, whyUnusable(error), error);
  }
}

async function fromFile(file: string): Promise<{ readonly bytes: Buffer; readonly url: string }> {
  // Relative addresses in a file are unusable, and with this base they are not http(s).
  return { bytes: await readBytes(file, { most: MAX_BYTES }), url: 'file:///' };
}

async function fetched(url: string, signal: AbortSignal): Promise<{ readonly bytes: Buffer; readonly url: string }> {
  const answer = await fetch(url, {
    signal,
    headers: { accept: 'application/xml, text/xml, application/gzip, */*;q=0.1' },
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`HTTP ${answer.status}`);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body ?? []) {
    size += piece.length;
    if (size > MAX_BYTES) throw refusal(url, TOO_LARGE);
    pieces.push(piece);
  }
  return { bytes: Buffer.concat(pieces), url: answer.url };
}

const TOO_LARGE = `it has more than ${MAX_BYTES / 2 ** 20} MB`;
const late = (limit: number): string => `it did not arrive within ${limit / 1000} s`;

function whyUnusable(error: unknown): string {
  if (error instanceof ReadFault) return 'most' in error.limit ? TOO_LARGE : late(error.limit.patience);
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return late(TIMEOUT_MS);
  return code === 'ERR_BUFFER_TOO_LARGE' ? `unpacked ${TOO_LARGE}` : whyUnfetched(error);
}

/** `detail`: what is wrong with it, a clause. */
function refusal(place: string, detail: string, cause?: unknown): QuiesceError {
  return new QuiesceError('sitemap-unreadable', { path: place, detail }, { cause });
}
