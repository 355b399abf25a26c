import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditCall } from '../../src/api.ts';
import { type RawOptions, readCommandLine } from '../../src/settings/gather.ts';
import { PAGE_OPTIONS } from '../../src/settings/options.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { folderForEach } from '../support/folders.ts';
import { refusalOf } from '../support/settings.ts';

const folder = folderForEach('config-pages');

const write = (content: string) => writeFileSync(join(folder(), 'quiesce.config.yaml'), content);

const resolved = async (
  words: readonly string[] = [],
  given: RawOptions = {},
  env: Record<string, string> = {},
  cwd = folder(),
) => (await readCommandLine('audit', words, given, { env, cwd, isRoot: true })).stored as AuditCall;

const FILE = `
runs: 3
quietWindow: 2s
background: ['*/all*']
pages:
  - { name: home, url: 'https://x.test/' }
  - { name: shop, url: 'https://x.test/shop/', runs: 9, quietWindow: 500, background: ['*/shop*'] }
`;

describe('pages of a configuration file', () => {
  test('are offered to who misspells their names, unless there is a folder of that name', async () => {
    write(FILE);
    expect(await refusalOf(resolved(['hoem']))).toContain('Did you mean home?');
    mkdirSync(join(folder(), 'hoem'));
    expect((await resolved(['hoem'])).targets).toEqual(['hoem']);
    expect((await resolved(['dist'])).targets).toEqual(['dist']);
  });

  test('have their own options over those of the file; flags and variables win over both', async () => {
    write(FILE);
    const pages = async (given: RawOptions = {}, env = {}) =>
      (await resolved([], given, env)).pages?.map(({ name, runs, quietWindow, background }) => [
        name,
        runs,
        quietWindow,
        background,
      ]);
    expect(await pages()).toEqual([
      ['home', 3, 2000, ['*/all*']],
      ['shop', 9, 500, ['*/shop*']],
    ]);
    expect(await pages({ runs: '1' }, { QUIESCE_QUIET_WINDOW: '1s' })).toEqual([
      ['home', 1, 1000, ['*/all*']],
      ['shop', 1, 1000, ['*/shop*']],
    ]);
    expect(await pages({ foreground: ['*/shop*'] })).toEqual([
      ['home', 3, 2000, ['*/all*']],
      ['shop', 9, 500, []],
    ]);
  });

  test('are resolved fully, but for what concerns the whole audit', async () => {
    write(FILE);
    const [home] = (await resolved()).pages ?? [];
    const settings = await resolved();
    for (const { name } of PAGE_OPTIONS) {
      expect([name, home?.[name as keyof typeof home]]).toEqual([name, settings[name as keyof typeof settings]]);
    }
    expect(home).not.toHaveProperty('out');
    expect(home).not.toHaveProperty('sandbox');
    expect(PAGE_OPTIONS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['runs', 'timeout', 'completeOn', 'evidence']),
    );
  });

  test('are audited when nothing else is named, or when they are named', async () => {
    write(FILE);
    const chosen = async (words: readonly string[], given: RawOptions = {}, env = {}) => {
      const { targets, pages, urlsFile, sitemap } = await resolved(words, given, env);
      return { targets, pages: pages?.map(({ name }) => name), urlsFile, sitemap };
    };
    const none = { targets: [], pages: undefined, urlsFile: undefined, sitemap: undefined };
    expect(await chosen([])).toEqual({ ...none, pages: ['home', 'shop'] });
    expect(await chosen(['shop'])).toEqual({ ...none, pages: ['shop'] });
    expect(await chosen(['shop', 'https://y.test/'])).toEqual({
      ...none,
      pages: ['shop'],
      targets: ['https://y.test/'],
    });
    expect(await chosen(['https://y.test/'])).toEqual({ ...none, targets: ['https://y.test/'] });
    expect(await chosen([], { sitemap: 'https://y.test/s.xml' })).toEqual({ ...none, sitemap: 'https://y.test/s.xml' });
    write(`${FILE}\nsitemap: map.xml\n`);
    expect(await chosen([])).toEqual({ ...none, pages: ['home', 'shop'], sitemap: join(folder(), 'map.xml') });
    expect(await chosen(['home'])).toEqual({ ...none, pages: ['home'] });
    expect(await chosen([], { urlsFile: '-' })).toEqual({ ...none, urlsFile: '-' });
    expect(await chosen([], {}, { QUIESCE_URLS_FILE: 'a.txt' })).toEqual({ ...none, urlsFile: 'a.txt' });
  });

  test('are for audits alone: other commands read past them', async () => {
    write(FILE);
    const { stored: settings } = await readCommandLine(
      'compare',
      ['a', 'b'],
      {},
      { env: {}, cwd: folder(), isRoot: true },
    );
    expect(settings).not.toHaveProperty('pages');
  });

  test('name folders from the file on, and paths of the server under test', async () => {
    mkdirSync(join(folder(), 'dist'));
    mkdirSync(join(folder(), 'below'));
    write("pages: [{ url: dist }, { url: 'https://x.test/' }]");
    expect((await resolved()).pages?.map(({ url }) => url)).toEqual(['dist', 'https://x.test/']);
    expect((await resolved([], {}, {}, join(folder(), 'below'))).pages?.map(({ url }) => url)).toEqual([
      '../dist',
      'https://x.test/',
    ]);
    write('serveCommand: npm start\nserveUrl: http://localhost:1/\npages: [{ url: /shop/ }]');
    expect((await resolved()).pages?.map(({ url }) => url)).toEqual(['/shop/']);
  });
});

const WRONG = [
  'pages: [{ url: https://x/ }, { url: https://y/, quietWindow: abc }]',
  'pages: [{ url: https://x/, runs: 0 }]',
  'pages: [{ name: a }]',
  'pages: [{ url: https://x/, name: 7 }]',
  'pages: [https://x/]',
  'pages: https://x/',
  'pages: [{ url: https://x/, runz: 3 }]',
  'pages: [{ url: https://x/, out: there }]',
  'page: []',
  'pagez: []',
  'pages: [{ url: gone }]',
  'pages: [{ url: /shop/ }]',
  'pages: [{ url: "ftp://x/" }]',
  'serveUrl: localhost:3000',
  'serveUrl: http://me:pw@localhost:3000',
  "background: ['']",
  `completeOn: ${'x'.repeat(200)}!!!\ntimeout: { a: 1 }`,
  'timeout: 5s\npages: [{ url: https://x/, quietWindow: 9s }]',
];

describe('what is wrong in a file', () => {
  test('is told in one line with file, path and value', async () => {
    const said: Record<string, string> = {};
    for (const content of WRONG) {
      write(content);
      said[content] = await refusalOf(resolved());
    }
    await expectApproved('settings/pages', outlined(said));
  });

  test('a long value is cut, and $schema is nothing', async () => {
    write(`$schema: https://unpkg.com/quiesce/schema/config.v1.schema.json\nruns: ${'x'.repeat(500)}`);
    const line = await refusalOf(resolved());
    expect(line.length).toBeLessThan(200);
    expect(line).toMatch(/x…\.$/);
  });
});
