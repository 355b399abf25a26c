import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseTarget } from '../../../src/jobs/engine/target.ts';

const started = process.cwd();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-target-'));
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(started);
  await rm(folder, { recursive: true, force: true });
});

describe('a slip of the keyboard', () => {
  test.each([
    ['http//x', 'http://x'],
    ['https//example.com/shop/', 'https://example.com/shop/'],
    ['./dits', './dist'],
    ['dits', 'dist'],
    ['sites/hom', 'sites/home'],
  ])('%s is answered with %s', async (typed, meant) => {
    for (const name of ['dist', 'sites/home', 'node_modules'])
      await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, 'dits.js'), '');
    await expect(parseTarget(typed)).rejects.toMatchObject({
      code: 'target-not-url',
      message: `"${typed}" is neither a folder here nor a URL. Did you mean ${meant}?`,
    });
  });
});

describe('an address without its scheme', () => {
  test.each([
    ['example.com', 'https://example.com/'],
    ['www.example.co.uk/shop/?a=1#b', 'https://www.example.co.uk/shop/?a=1#b'],
    ['example.com:8080', 'http://example.com:8080/'],
    ['example.com:8080/x', 'http://example.com:8080/x'],
    ['localhost', 'http://localhost/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['shop.localhost:3000/a', 'http://shop.localhost:3000/a'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/'],
    ['192.168.0.4/x', 'http://192.168.0.4/x'],
    ['[::1]:3000', 'http://[::1]:3000/'],
    ['intranet:8080/', 'http://intranet:8080/'],
    ['HTTPS://example.com', 'https://example.com/'],
  ])('%s is %s', async (typed, url) => {
    expect(await parseTarget(typed)).toMatchObject({ name: typed, url });
  });

  test.each([
    ['dist', 'target-not-url', 'Did you mean http://dist/?'],
    ['./dist', 'target-not-url', 'Write a URL with its scheme'],
    ['index.html', 'target-not-url', 'neither a folder here nor a URL'],
    ['app.js', 'target-not-url', 'neither a folder here nor a URL'],
    ['user@example.com', 'target-not-url', 'neither a folder here nor a URL'],
    ['example.com:99999', 'target-not-url', 'neither a folder here nor a URL'],
    ['page.har', 'target-har', 'quiesce analyze page.har'],
    ['a/page.har.gz', 'target-har', 'quiesce analyze a/page.har.gz'],
    ['ftp://example.com/', 'target-scheme', 'only load http and https'],
    ['javascript:alert(1)', 'target-scheme', 'only load http and https'],
    ['', 'target-not-url', 'neither a folder here nor a URL'],
  ])('%j is none: %s', async (typed, code, message) => {
    await expect(parseTarget(typed)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('is a folder where there is one of that name', async () => {
    await mkdir('example.com');
    await writeFile('example.com/index.html', '');
    expect(await parseTarget('example.com')).toMatchObject({ folder: 'example.com' });
  });
});
