import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditCall } from '../../../src/api.ts';
import { main } from '../../../src/cli/main.ts';
import { init } from '../../../src/jobs/init/init.ts';
import { readCommandLine } from '../../../src/settings/gather.ts';
import { fakeWorld } from '../../cli/fake-world.ts';
import { folderForEach } from '../../support/folders.ts';
import { audit } from '../../support/jobs.ts';
import { answeringLab, page, recordingOf } from '../../support/scripted.ts';

const folder = folderForEach('init');

async function write(name: string, content: unknown = '<title>x</title>'): Promise<void> {
  const file = path.join(folder(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}
const settingsHere = async () =>
  (await readCommandLine('audit', [], {}, { env: {}, cwd: folder(), isRoot: true })).stored as AuditCall;

describe('quiesce init', () => {
  it('writes a file that loads and audits the built site', async () => {
    await write('dist/index.html');
    await write('package.json', { scripts: { preview: 'vite preview' }, devDependencies: { vite: '8' } });
    expect(await init(folder(), { force: false })).toEqual({
      file: path.join(folder(), 'quiesce.config.yaml'),
      builds: ['dist'],
      server: { command: 'npm run preview', url: 'http://localhost:4173' },
    });
    const settings = await settingsHere();
    expect(settings).toMatchObject({ runs: 5, quietWindow: 3000, pages: [{ name: 'home', url: 'dist', runs: 5 }] });
    expect(settings).not.toHaveProperty('serveCommand');
    const loads: string[] = [];
    const { exit, result } = await audit(
      {
        ...settings,
        pages: [{ name: 'home', url: path.join(folder(), 'dist') }],
        runs: 1,
        evidence: false,
        out: path.join(folder(), 'out'),
      },
      {
        openLab: answeringLab(async ({ url }) => {
          loads.push(await (await fetch(url)).text());
          return { ok: true, recording: recordingOf({ requests: page(), until: 9_000 }) };
        }),
      },
    );
    expect([exit, result.targets[0]?.name, loads[0]]).toEqual([0, 'home', '<title>x</title>']);
  });

  it.each<[string, Record<string, unknown>, readonly string[], string | undefined, string | undefined]>([
    [
      'Next, not exported',
      { 'package.json': { scripts: { dev: 'next dev', start: 'next start' }, dependencies: { next: '16' } } },
      [],
      'npm run start',
      'http://localhost:3000',
    ],
    [
      'a port of its own',
      { 'package.json': { scripts: { start: 'PORT=8123 node server.js' } }, 'yarn.lock': '' },
      [],
      'yarn run start',
      'http://localhost:8123',
    ],
    [
      'a port as an option',
      { 'package.json': { scripts: { serve: 'http-server -p 9000', start: 'x' } } },
      [],
      'npm run serve',
      'http://localhost:9000',
    ],
    [
      'Astro with pnpm',
      {
        'package.json': { scripts: { preview: 'astro preview' }, dependencies: { astro: '6' } },
        'pnpm-lock.yaml': '',
        'dist/index.html': '',
      },
      ['dist'],
      'pnpm run preview',
      'http://localhost:4321',
    ],
    [
      'Angular',
      { 'package.json': { scripts: { start: 'ng serve' } }, 'dist/shop/browser/index.html': '' },
      ['dist/shop/browser'],
      'npm run start',
      'http://localhost:4200',
    ],
    [
      'a template in public',
      { 'package.json': { dependencies: { 'react-scripts': '5' } }, 'public/index.html': '' },
      [],
      undefined,
      undefined,
    ],
    ['Hugo', { 'public/index.html': '' }, ['public'], undefined, undefined],
    [
      'a site and its storybook',
      { '_site/index.html': '', 'storybook-static/index.html': '' },
      ['_site', 'storybook-static'],
      undefined,
      undefined,
    ],
    ['a broken package.json', { 'package.json': '{ "scripts": ' }, [], undefined, undefined],
    [
      'a hostile package.json',
      { 'package.json': { scripts: { start: 7, __proto__: 1 }, dependencies: 'x' } },
      [],
      undefined,
      undefined,
    ],
    ['nothing', {}, [], undefined, undefined],
  ])('%s', async (_, files, builds, command, url) => {
    for (const [name, content] of Object.entries(files)) await write(name, content);
    const found = await init(folder(), { force: false });
    expect([found.builds, found.server?.command, found.server?.url]).toEqual([builds, command, url]);
    const settings = await settingsHere();
    // Without a build, the server's own page is what there is to audit.
    const served = builds.length === 0 && command !== undefined;
    expect(settings.pages?.[0]?.url).toBe(builds[0] ?? (served ? '/' : 'https://example.com/'));
    expect([settings.serveCommand, settings.serveUrl]).toEqual(served ? [command, url] : [undefined, undefined]);
  });

  it('takes a name that YAML would read otherwise', async () => {
    await write('dist/a: #b/index.html');
    await init(folder(), { force: false });
    expect((await settingsHere()).pages?.[0]?.url).toBe('dist/a: #b');
  });

  it('does not write over what is there, unless told so; says what is next', async () => {
    const world = () => fakeWorld({ cwd: folder(), jobs: { init } });
    const first = world();
    expect(await main(['init'], first)).toBe(0);
    expect(first.written.stdout).toMatch(
      /^Wrote quiesce\.config\.yaml\.\n(.*\n)*Next: {2}write the URL of your page into the file\n {7}quiesce audit/,
    );
    await writeFile(path.join(folder(), 'quiesce.config.yaml'), 'runs: 9');
    const second = world();
    expect(await main(['init'], second)).toBe(2);
    expect(second.written.stderr).toBe(
      'quiesce: quiesce.config.yaml already exists. Edit it, or overwrite it with --force.\n',
    );
    expect(await readFile(path.join(folder(), 'quiesce.config.yaml'), 'utf8')).toBe('runs: 9');
    expect(await main(['init', '--force'], world())).toBe(0);
    expect((await settingsHere()).runs).toBe(5);
    await writeFile(path.join(folder(), 'quiesce.config.json'), '{}');
    const third = world();
    expect(await main(['init', '--force'], third)).toBe(2);
    expect(third.written.stderr).toMatch(/quiesce\.config\.json already exists and takes precedence/);
    expect(await main(['init', 'there'], world())).toBe(2);
  });
});
