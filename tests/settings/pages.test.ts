import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditCall } from '../../src/api.ts';
import { type RawOptions, readCommandLine } from '../../src/settings/gather.ts';
import { PAGE_OPTIONS } from '../../src/settings/options.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-config-pages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (content: string) => writeFileSync(join(folder, 'quiesce.config.yaml'), content);

const resolved = async (
  words: readonly string[] = [],
  given: RawOptions = {},
  env: Record<string, string> = {},
  cwd = folder,
) => (await readCommandLine('audit', words, given, { env, cwd, isRoot: true })).stored as AuditCall;

const lineOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error & { exit?: number }) => {
      expect(error.name, error.stack).toBe('QuiesceError');
      expect(error.exit).toBe(2);
      expect(error.message).not.toMatch(/\n/);
      return error.message;
    },
  );

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
    expect(await lineOf(resolved(['hoem']))).toContain('Did you mean home?');
    mkdirSync(join(folder, 'hoem'));
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
    expect(await chosen([])).toEqual({ ...none, pages: ['home', 'shop'], sitemap: join(folder, 'map.xml') });
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
      { env: {}, cwd: folder, isRoot: true },
    );
    expect(settings).not.toHaveProperty('pages');
  });

  test('name folders from the file on, and paths of the server under test', async () => {
    mkdirSync(join(folder, 'dist'));
    mkdirSync(join(folder, 'below'));
    write("pages: [{ url: dist }, { url: 'https://x.test/' }]");
    expect((await resolved()).pages?.map(({ url }) => url)).toEqual(['dist', 'https://x.test/']);
    expect((await resolved([], {}, {}, join(folder, 'below'))).pages?.map(({ url }) => url)).toEqual([
      '../dist',
      'https://x.test/',
    ]);
    write('serveCommand: npm start\nserveUrl: http://localhost:1/\npages: [{ url: /shop/ }]');
    expect((await resolved()).pages?.map(({ url }) => url)).toEqual(['/shop/']);
  });
});

describe('what is wrong in a file is told with file, path and value', () => {
  test.each([
    [
      'pages: [{ url: https://x/ }, { url: https://y/, quietWindow: abc }]',
      'pages[1].quietWindow must be a time above 0 and at most 24 h, such as 500ms, 5s or 2m, not "abc".',
    ],
    ['pages: [{ url: https://x/, runs: 0 }]', 'pages[0].runs must be a whole number from 1 to 1000, not 0.'],
    [
      'pages: [{ name: a }]',
      'pages[0].url is missing: it must be a URL, a folder with a built site, or a path on the server under test.',
    ],
    ['pages: [{ url: https://x/, name: 7 }]', 'pages[0].name must be a name, not 7.'],
    [
      'pages: [https://x/]',
      'pages[0] must be an object with the url of a page, such as { name: "home", url: "https://example.com/" }, not "https://x/".',
    ],
    ['pages: https://x/', 'pages must be a list of pages, not "https://x/".'],
    ['pages: [{ url: https://x/, runz: 3 }]', 'pages[0] has the unknown option "runz" (did you mean "runs"?).'],
    [
      'pages: [{ url: https://x/, out: there }]',
      'pages[0] has the option "out", which applies to all pages: move it to the top level of the file.',
    ],
    ['page: []', 'page must be true or false (a list of pages is called pages), not [].'],
    ['pagez: []', 'unknown option "pagez" (did you mean "pages"?).'],
    [
      'pages: [{ url: gone }]',
      'pages[0].url must be a URL, a folder with a built site or, with serveUrl, a path that starts with /, not "gone".',
    ],
    ['pages: [{ url: /shop/ }]', 'pages[0].url must be a URL,'],
    ['pages: [{ url: "ftp://x/" }]', 'not "ftp://x/".'],
    [
      'serveUrl: localhost:3000',
      'serveUrl must be an http:// or https:// address, without a password, not "localhost:3000".',
    ],
    ['serveUrl: http://me:pw@localhost:3000', 'serveUrl must be an http:// or https:// address, without a password'],
    ["background: ['']", 'background[0] must be a URL or a part of one, with * for anything, not "".'],
    [
      `completeOn: ${'x'.repeat(200)}!!!\ntimeout: { a: 1 }`,
      'timeout must be a time above 0 and at most 24 h, such as 500ms, 5s or 2m, not {"a":1}.',
    ],
  ])('%s', async (content, line) => {
    write(content);
    const told = await lineOf(resolved());
    expect(told).toMatch(/^quiesce\.config\.yaml: /);
    expect(told).toContain(line);
  });

  test('contradictions of a page are those of its options together', async () => {
    write('timeout: 5s\npages: [{ url: https://x/, quietWindow: 9s }]');
    expect(await lineOf(resolved())).toMatch(
      /^timeout in quiesce\.config\.yaml \(5000 ms\) and pages\[0\]\.quietWindow in quiesce\.config\.yaml \(9000 ms\) contradict/,
    );
  });

  test('a long value is cut, and $schema is nothing', async () => {
    write(`$schema: https://unpkg.com/quiesce/schema/config.v1.schema.json\nruns: ${'x'.repeat(500)}`);
    const line = await lineOf(resolved());
    expect(line.length).toBeLessThan(200);
    expect(line).toMatch(/x…\.$/);
  });
});
