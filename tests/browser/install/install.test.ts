import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Browser, computeExecutablePath, detectBrowserPlatform } from '@puppeteer/browsers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findBrowser } from '../../../src/browser/install/find.ts';
import { type InstallProgress, installBrowser } from '../../../src/browser/install/install.ts';

const VERSION = '130.0.1.2';
const VERSIONS = JSON.stringify({ channels: { Stable: { channel: 'Stable', version: VERSION } } });

let cacheDir: string;
let server: Server;
let baseUrl: string;
let answer: RequestListener;
let asked: string[];

beforeEach(async () => {
  cacheDir = mkdtempSync(join(tmpdir(), 'quiesce-install-'));
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(cacheDir, { recursive: true, force: true });
});

const platform = detectBrowserPlatform();
if (platform === undefined) throw new Error('no platform');
const build = { browser: Browser.CHROME, buildId: VERSION, platform };
/** Inside the archive: chrome-linux64/chrome. */
const inArchive = computeExecutablePath({ ...build, cacheDir: null });

const serve =
  (zip: RequestListener): RequestListener =>
  (request, response) =>
    request.url?.endsWith('.json') ? response.end(VERSIONS) : zip(request, response);

const chromeDir = () => join(cacheDir, 'chrome');
const leftovers = () =>
  existsSync(chromeDir()) ? readdirSync(chromeDir()).filter((name) => name !== '.metadata') : [];

describe('installBrowser', () => {
  test('downloads, unpacks, tells percents; the browser is found afterwards; a second time does nothing', async () => {
    const archive = storedZip(inArchive, Buffer.from(`#!/bin/sh\n${'# filling\n'.repeat(50_000)}`));
    answer = serve((_, response) => response.writeHead(200, { 'content-length': archive.length }).end(archive));
    const told: InstallProgress[] = [];
    const installed = await installBrowser({ cacheDir, baseUrl, onProgress: (it) => told.push(it) });

    expect(installed).toEqual({
      path: computeExecutablePath({ ...build, cacheDir }),
      version: VERSION,
      already: false,
    });
    expect(leftovers()).toEqual([`${platform}-${VERSION}`]);
    const percents = told.flatMap((it) => it.percent ?? []);
    expect(percents[0]).toBe(0);
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual([...new Set(percents)].toSorted((a, b) => a - b));
    expect(told.at(-1)).toEqual({ version: VERSION, step: 'unpack' });
    const env = { HOME: cacheDir, PATH: '', PUPPETEER_CACHE_DIR: cacheDir };
    expect((await findBrowser(undefined, env, process.platform, [])).path).toBe(installed.path);

    asked = [];
    expect(await installBrowser({ cacheDir, baseUrl })).toEqual({ ...installed, already: true });
    expect(asked).toEqual(['/last-known-good-versions.json']);
  });

  test('mends what an earlier, killed attempt left', async () => {
    mkdirSync(join(chromeDir(), `${platform}-${VERSION}`), { recursive: true });
    const archive = storedZip(inArchive, Buffer.from('#!/bin/sh\n'));
    answer = serve((_, response) => response.end(archive));
    expect((await installBrowser({ cacheDir, baseUrl })).already).toBe(false);
  });

  test.each<[string, RequestListener, RegExp]>([
    ['no list of versions', (_, response) => response.writeHead(503).end(), /HTTP 503 from http/],
    ['a list without a stable version', (_, response) => response.end('{}'), /names no stable build/],
    ['a list that is no JSON', (_, response) => response.end('<html>'), /JSON/],
    [
      'a version that is a path',
      (_, response) => response.end('{"channels":{"Stable":{"version":"../../x"}}}'),
      /names no stable build/,
    ],
    ['no such build', serve((_, response) => response.writeHead(404).end()), /HTTP 404 from http/],
    [
      'a connection that breaks half-way',
      serve((_, response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half', () => response.destroy());
      }),
      /./,
    ],
    ['an archive that is none', serve((_, response) => response.end('not a zip')), /./],
    [
      'an archive without the browser',
      serve((_, response) => response.end(storedZip('readme.txt', Buffer.from('hello')))),
      /contains no browser/,
    ],
  ])('%s: one line, nothing left behind', async (_, listener, why) => {
    answer = listener;
    const error = await installBrowser({ cacheDir, baseUrl }).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ name: 'QuiesceError', code: 'browser-download-failed', exit: 3 });
    const { message } = error as Error;
    expect(message).toMatch(/^The browser could not be downloaded \(.+\)\. Install Chrome or Chromium/);
    expect(message).not.toMatch(/\n|fetch failed|All providers/);
    expect(message).toMatch(why);
    expect(leftovers()).toEqual([]);
  });

  test('a server that is not there', async () => {
    await expect(installBrowser({ cacheDir, baseUrl: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'browser-download-failed',
    });
  });

  test('a cache that cannot be written', async () => {
    writeFileSync(join(cacheDir, 'file'), '');
    answer = serve((_, response) => response.end('x'));
    await expect(installBrowser({ cacheDir: join(cacheDir, 'file'), baseUrl })).rejects.toMatchObject({
      code: 'browser-download-failed',
      message: expect.stringMatching(/ENOTDIR|EEXIST/),
    });
  });

  test('Ctrl-C in the middle of the download removes it', async () => {
    const controller = new AbortController();
    answer = serve((_, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 });
      response.write(Buffer.alloc(500_000));
    });
    const installing = installBrowser({
      cacheDir,
      baseUrl,
      signal: controller.signal,
      onProgress: ({ percent }) => {
        if (percent !== undefined && percent > 0) controller.abort();
      },
    });
    await expect(installing).rejects.toMatchObject({ code: 'interrupted', exit: 130 });
    expect(leftovers()).toEqual([]);
  });
});

/** A ZIP archive of one executable file, not compressed: APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.16. */
function storedZip(path: string, content: Buffer): Buffer {
  const name = Buffer.from(path.split('\\').join('/'));
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // version needed
  common.writeUInt16LE(0x21, 8); // 1980-01-01
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, content]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(0o100755 * 0x10000, 6); // Unix mode; what is left out is 0, the offset of the local header too
  const central = Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}
