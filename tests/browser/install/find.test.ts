import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Browser, computeExecutablePath, detectBrowserPlatform } from '@puppeteer/browsers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolders, findBrowser, installedLocations } from '../../../src/browser/install/find.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-find-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const executable = (path: string, content = '#!/bin/sh\n') => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  return file;
};

const find = (explicit?: string, env: Record<string, string> = {}, installed: readonly string[] = []) =>
  findBrowser(explicit, { HOME: folder, PATH: join(folder, 'bin'), ...env }, 'linux', installed);

const cached = (cacheDir: string, buildId: string) => {
  const platform = detectBrowserPlatform();
  if (platform === undefined) throw new Error('no platform');
  const path = computeExecutablePath({ browser: Browser.CHROME, buildId, platform, cacheDir });
  return executable(path.slice(folder.length + 1));
};

describe('a named browser', () => {
  test('is taken before everything else', async () => {
    executable('bin/google-chrome');
    const named = executable('my/chrome');
    expect((await find(named)).path).toBe(named);
    expect((await find(undefined, { QUIESCE_BROWSER: named })).path).toBe(named);
    expect((await find(named, { QUIESCE_BROWSER: '/elsewhere' })).path).toBe(named);
  });

  test('a bare name is looked up on the PATH', async () => {
    executable('bin/google-chrome');
    const chromium = executable('bin/chromium');
    expect((await find('chromium')).path).toBe(chromium);
  });

  test.each([
    ['gone', 'no such file'],
    ['plain.txt', 'not executable'],
    ['folder', 'not a file'],
  ])('%s is refused: %s', async (name, why) => {
    executable('bin/google-chrome');
    writeFileSync(join(folder, 'plain.txt'), 'no browser');
    mkdirSync(join(folder, 'folder'));
    const path = join(folder, name);
    await expect(find(path)).rejects.toMatchObject({
      code: 'browser-not-executable',
      exit: 3,
      message: expect.stringContaining(`${path} cannot be started as a browser (${why})`),
    });
  });
});

describe('a browser that is there', () => {
  test('Chrome before Chromium before Edge, stable before beta', async () => {
    for (const name of ['google-chrome-beta', 'microsoft-edge', 'chromium', 'google-chrome-stable']) {
      const path = executable(`bin/${name}`);
      expect((await find()).path).toBe(path);
    }
  });

  test('what is no executable on the PATH is passed over', async () => {
    mkdirSync(join(folder, 'bin', 'google-chrome'), { recursive: true });
    writeFileSync(join(folder, 'bin', 'chrome'), 'not executable');
    const path = executable('bin/chromium');
    expect((await find()).path).toBe(path);
  });

  test('an empty entry of the PATH is not the current folder', async () => {
    await expect(find(undefined, { PATH: '::' })).rejects.toMatchObject({ code: 'browser-not-found' });
  });

  test('well-known places after the PATH', async () => {
    const opt = executable('opt/google/chrome/chrome');
    expect((await find(undefined, {}, [join(folder, 'gone'), opt])).path).toBe(opt);
    const onPath = executable('bin/chromium');
    expect((await find(undefined, {}, [opt])).path).toBe(onPath);
  });

  test("Ubuntu's pointer to a snap is no browser", async () => {
    const stub = '#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then echo "requires the chromium snap" >&2; exit 1; fi\n';
    executable('bin/chromium-browser', stub);
    await expect(find()).rejects.toMatchObject({ code: 'browser-not-found' });
  });

  test('the newest Chrome for Testing of all caches comes last', async () => {
    cached(join(folder, '.cache/puppeteer'), '99.0.1.2');
    const newest = cached(join(folder, '.cache/quiesce'), '130.0.1.2');
    cached(join(folder, '.cache/puppeteer'), '130.0.1.1');
    rmSync(cached(join(folder, '.cache/puppeteer'), '131.0.0.0'));
    expect((await find()).path).toBe(newest);
    const elsewhere = cached(join(folder, 'my-cache'), '140.0.0.0');
    expect((await find(undefined, { PUPPETEER_CACHE_DIR: join(folder, 'my-cache') })).path).toBe(elsewhere);
    const chromium = executable('bin/chromium');
    expect((await find()).path).toBe(chromium);
  });

  test('none at all: what to do', async () => {
    await expect(find()).rejects.toMatchObject({
      code: 'browser-not-found',
      message: expect.stringContaining('quiesce browser install'),
    });
  });
});

test.each(['linux', 'darwin', 'win32'] as const)('well-known places on %s are absolute, stable first', (platform) => {
  const places = installedLocations(platform, { HOME: '/home/me', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' });
  for (const place of places) expect(place).toMatch(platform === 'win32' ? /^C:\\.*\.exe$/ : /^\//);
  expect(new Set(places).size).toBe(places.length);
  expect(places[0]).toMatch(/google|chrome/i);
  const firstDaily = places.findIndex((place) => /beta|dev|unstable|canary|sxs/i.test(place));
  const edge = places.findIndex((place) => /edge/i.test(place));
  expect(edge).toBeLessThan(firstDaily);
});

test('a folder named for the cache comes before the usual ones', () => {
  expect(cacheFolders({ HOME: '/h', PUPPETEER_CACHE_DIR: '/c' })[0]).toBe('/c');
  expect(cacheFolders({ HOME: '/h', PUPPETEER_CACHE_DIR: '' })[0]).toMatch(/puppeteer$/);
});
