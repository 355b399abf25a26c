/** What users get: the packed package, installed into an empty folder. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

let folder: string;
let packed: readonly string[];
let server: Server;
let url: string;

/** Whatever Node npm itself runs on, the one that runs these tests comes first on the PATH of what it starts. */
const env = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(npm_|QUIESCE_|FORCE_COLOR$|VITEST)/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    NO_COLOR: '1',
  };
};

interface Done {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (program: string, args: readonly string[], cwd: string): Promise<Done> =>
  new Promise((resolve) => {
    const options = { cwd, env: env(), maxBuffer: 2 ** 26, shell: process.platform === 'win32' };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });

const quiesce = (...args: readonly string[]) => run('npx', ['quiesce', ...args], folder);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-package-'));
  // Built already, by whatever ran these tests; building again would pull dist/ away under the other tests.
  const pack = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT);
  expect(pack.code, pack.stderr).toBe(0);
  // npm 11 lists packages in an array, npm 12 under their names.
  const [tarball] = Object.values(
    JSON.parse(pack.stdout) as Record<string, { filename: string; files: { path: string }[] }>,
  );
  if (tarball === undefined) throw new Error(`npm pack said ${pack.stdout}`);
  packed = tarball.files.map((file) => file.path);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const install = await run(
    'npm',
    ['install', `./${tarball.filename}`, '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'],
    folder,
  );
  expect(install.code, install.stderr).toBe(0);

  server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Packed</title><link rel="icon" href="data:,"><p>Hello</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  rmSync(folder, { recursive: true, force: true });
});

describe('the tarball', () => {
  test('holds the program, its schema and its papers', () => {
    for (const path of ['bin/quiesce.js', 'dist/cli/main.js', 'dist/app/audit.js', 'LICENSE', 'package.json']) {
      expect(packed).toContain(path);
    }
    expect(packed).toContain('schema/result.v1.schema.json');
  });

  test('holds nothing else', () => {
    const meant = [
      /^bin\/quiesce\.js$/,
      /^dist\/.+\.(js|d\.ts)$/,
      /^schema\/[\w.]+\.schema\.json$/,
      /^(README\.md|CHANGELOG\.md|LICENSE|package\.json)$/,
    ];
    expect(packed.filter((path) => !meant.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test('every built file has its source: nothing is left over from an earlier build', () => {
    const orphans = packed
      .filter((path) => path.startsWith('dist/'))
      .map((path) => path.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, ''))
      .filter((path) => !existsSync(join(ROOT, `${path}.ts`)) && !existsSync(join(ROOT, `${path}.tsx`)));
    expect(orphans).toEqual([]);
  });

  test('runs no install step on a user’s machine', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/quiesce/package.json'), 'utf8')) as {
      scripts?: Record<string, string>;
    };
    for (const step of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts?.[step]).toBeUndefined();
    }
  });
});

describe('installed into an empty folder', () => {
  test('npx quiesce --version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    // Not stderr: npm has its own things to say there.
    expect(await quiesce('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('npx quiesce help', async () => {
    const { code, stdout } = await quiesce('help');
    expect(code).toBe(0);
    expect(stdout).toContain('quiesce audit https://example.com/');
  });

  test('npx quiesce audit <url>', async () => {
    const { code, stdout, stderr } = await quiesce(
      ...['audit', url, '--runs', '1', '--quiet-window', '500', '--out', 'results'],
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Report: results[\\/]index\.html\n$/);
    const files = readdirSync(join(folder, 'results'));
    expect(files).toEqual(expect.arrayContaining(['index.html', 'result.json', 'run-1.har']));
    const result = JSON.parse(readFileSync(join(folder, 'results/result.json'), 'utf8')) as Record<string, unknown>;
    expect(result).toMatchObject({ version: 1, kind: 'audit', targets: [{ title: 'Packed' }] });
  });

  test('npx quiesce audit <dir> --json', async () => {
    mkdirSync(join(folder, 'site'));
    writeFileSync(
      join(folder, 'site/index.html'),
      '<!doctype html><title>Folder</title><link rel="icon" href="data:,">',
    );
    const { code, stdout, stderr } = await quiesce(
      ...[
        'audit',
        './site',
        '--runs',
        '1',
        '--quiet-window',
        '500',
        '--out',
        'folder-results',
        '--json',
        '--format',
        'json',
      ],
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ targets: [{ target: './site', title: 'Folder' }] });
    expect(readdirSync(join(folder, 'folder-results'))).toEqual(['evidence', 'result.json']);
  });
});
