/** What users get: the packed package, installed into an empty folder. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitWithoutHost } from './support/exit.ts';
import { folderForAll } from './support/folders.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

const folder = folderForAll('package');
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

const run = (program: string, args: readonly string[], cwd: string, more?: NodeJS.ProcessEnv): Promise<Done> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...env(), ...more }, maxBuffer: 2 ** 26, shell: process.platform === 'win32' };
    execFile(program, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });

const quiesce = (...args: readonly string[]) => run('npx', ['quiesce', ...args], folder());

beforeAll(async () => {
  // Built already, by whatever ran these tests; building again would pull dist/ away under the other tests.
  const pack = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder()], ROOT);
  expect(pack.code, pack.stderr).toBe(0);
  // npm 11 lists packages in an array, npm 12 under their names.
  const [tarball] = Object.values(
    JSON.parse(pack.stdout) as Record<string, { filename: string; files: { path: string }[] }>,
  );
  if (tarball === undefined) throw new Error(`npm pack said ${pack.stdout}`);
  packed = tarball.files.map((file) => file.path);
  writeFileSync(join(folder(), 'package.json'), '{ "private": true }');
  const install = await run(
    'npm',
    // A registry that does not answer is asked again, rather than waited for.
    [
      ...['install', `./${tarball.filename}`, '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock'],
      ...['--fetch-timeout=15000', '--fetch-retries=3', '--fetch-retry-mintimeout=1000'],
    ],
    folder(),
  );
  expect(install.code, install.stderr).toBe(0);

  server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end();
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Compressed</title><link rel="icon" href="data:,"><p>Hello</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
});

describe('the tarball', () => {
  test('holds the program, its schema and its papers', () => {
    for (const path of ['bin/quiesce.js', 'dist/cli/main.js', 'dist/jobs/audit/audit.js', 'LICENSE', 'package.json']) {
      expect(packed).toContain(path);
    }
    expect(packed).toContain('schema/result.v1.schema.json');
  });

  test('holds nothing else', () => {
    const meant = [
      /^bin\/quiesce\.js$/,
      /^dist\/.+\.(js|d\.ts|d\.ts\.map)$/,
      // What declaration maps lead to, and what messages name.
      /^src\/.+\.tsx?$/,
      /^docs\/[\w-]+\.md$/,
      /^schema\/[\w.]+\.schema\.json$/,
      /^(README\.md|CHANGELOG\.md|LICENSE|package\.json)$/,
    ];
    expect(packed.filter((path) => !meant.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  test('every built file has its source: nothing is left over from an earlier build', () => {
    const orphans = packed
      .filter((path) => path.startsWith('dist/'))
      .map((path) => path.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.d\.ts\.map|\.js)$/, ''))
      .filter((path) => !existsSync(join(ROOT, `${path}.ts`)) && !existsSync(join(ROOT, `${path}.tsx`)));
    expect(orphans).toEqual([]);
  });

  test('leads an editor from a declaration to its source', () => {
    const maps = packed.filter((path) => path.endsWith('.d.ts.map'));
    expect(maps).toContain('dist/index.d.ts.map');
    for (const map of maps) {
      const { sources } = JSON.parse(readFileSync(join(ROOT, map), 'utf8')) as { sources: readonly string[] };
      for (const source of sources) expect(packed).toContain(posix.join(posix.dirname(map), source));
    }
  });

  test('has the papers that messages name', () => {
    const named = packed
      .filter((path) => /^src\/.+\.ts$/.test(path))
      .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/\bdocs\/[\w-]+\.md/g) ?? []);
    expect(named).toContain('docs/recipes.md');
    for (const path of named) expect(packed).toContain(path);
  });

  test('runs no install step on a user’s machine', () => {
    const manifest = JSON.parse(readFileSync(join(folder(), 'node_modules/quiesce/package.json'), 'utf8')) as {
      scripts?: Record<string, string>;
    };
    for (const step of ['preinstall', 'install', 'postinstall', 'prepare']) {
      expect(manifest.scripts?.[step]).toBeUndefined();
    }
  });
});

describe('the library', () => {
  const TSC = join(ROOT, 'node_modules/.bin/tsc');
  /** What the compiler says of programs that use the package, all at once: most of its time goes into the libraries. */
  const compile = async (programs: Readonly<Record<string, string>>): Promise<string> => {
    const files = Object.keys(programs).map((name) => `${name}.mts`);
    for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder(), `${name}.mts`), program);
    const config = {
      compilerOptions: {
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true },
        ...{ module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2023' },
        ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
      },
      files,
    };
    writeFileSync(join(folder(), 'tsconfig.json'), JSON.stringify(config));
    return (await run(TSC, ['-p', 'tsconfig.json'], folder())).stdout;
  };
  const PROGRAM = `
    import { analyze, audit, AUDIT_DEFAULTS, type AuditOptions, compare, judgeHar, QuiesceError } from 'quiesce';
    import { metrics } from 'quiesce/core';
    const options: AuditOptions = { runs: 5, network: 'slow-4g', timeout: '30s', format: [] };
    export const limited: AuditOptions = {
      budget: ['LCP=2s', 'page-complete<=1.5s:warn', 'requests:script=20', { metric: 'pageComplete', max: '2s' }],
      device: 'iPhone 15',
      network: '150ms,1.6Mbps,750kbps',
    };
    const { result, problems } = await audit('https://example.com/', options);
    export const median: number | undefined = result.targets[0]?.summary.pageComplete?.median;
    await audit({ targets: ['https://a.example/', './dist'], device: 'phone', signal: AbortSignal.timeout(1000) });
    await audit({ url: 'https://a.example/' }, { onProgress: ({ kind }) => console.log(kind) });
    export const { decision } = (await compare('./main', './dist', { gate: ['LCP'], format: ['json'] })).result;
    await compare({ baseRef: 'origin/main', build: 'npm run build', dist: 'dist' });
    await analyze(['page.har'], { quietWindow: 1000 });
    export const { pages } = judgeHar('{}', { quietWindow: 1000 });
    export const code: string | undefined = problems[0]?.code;
    export const isOurs = (error: unknown) => error instanceof QuiesceError && error.code;
    export const runs: number = AUDIT_DEFAULTS.runs + metrics.length;
  `;

  test('is typed: a program that uses it compiles, with the libraries checked; a slip of the keyboard does not', async () => {
    // Not of metrics: their names may be those of own metrics, which are checked when the job begins.
    const slips = [
      { of: 'option', right: 'runs: 5', wrong: 'rnus: 5', says: /'rnus' does not exist/ },
      { of: 'device', right: "device: 'phone'", wrong: "device: 'phnoe'", says: /'"phnoe"' is not assignable/ },
      { of: 'network', right: "network: 'slow-4g'", wrong: "network: 'slow4g'", says: /'"slow4g"' is not assignable/ },
      { of: 'value', right: "format: ['json']", wrong: "format: ['jsn']", says: /'"jsn"' is not assignable/ },
    ];
    const wrong = slips.map(({ of, right, wrong }) => [of, PROGRAM.replace(right, wrong)]);
    const errors = (await compile({ program: PROGRAM, ...Object.fromEntries(wrong) }))
      .split(/^(?=\S)/m)
      .filter((error) => error !== '');
    // One each, and none of the program without a slip, or of a library.
    expect(errors.map((line) => line.split('(')[0]).toSorted()).toEqual(slips.map(({ of }) => `${of}.mts`).toSorted());
    for (const { of, says } of slips) expect(errors.find((line) => line.startsWith(of))).toMatch(says);
  });

  test('judges, and rejects with its own class of error', async () => {
    const program = `
      import { audit, judgeHar, QuiesceError } from 'quiesce';
      const entry = (path, at, time) => ({ startedDateTime: new Date(Date.UTC(2026, 0, 1) + at).toISOString(), time,
        request: { method: 'GET', url: 'https://x.test/' + path, httpVersion: 'h2', headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
        response: { status: 200, statusText: '', httpVersion: 'h2', headers: [], cookies: [], content: { size: 1, mimeType: path ? 'text/css' : 'text/html' }, redirectURL: '', headersSize: -1, bodySize: 1 },
        cache: {}, timings: { send: 0, wait: time, receive: 0 } });
      const { pages } = judgeHar({ log: { version: '1.2', creator: { name: 'x', version: '1' }, entries: [entry('', 0, 100), entry('a.css', 100, 300)] } });
      const refused = await audit('http://x/', { rnus: 3 }).catch((error) => error);
      console.log(JSON.stringify([pages[0].url, pages[0].pageComplete, refused instanceof QuiesceError, refused.code, refused.message]));
    `;
    writeFileSync(join(folder(), 'use.mjs'), program);
    const { code, stdout, stderr } = await run('node', ['use.mjs'], folder());
    expect(code, stderr).toBe(0);
    const [url, pageComplete, isOurs, errorCode, message] = JSON.parse(stdout) as unknown[];
    expect(url).toBe('https://x.test/');
    // The file ends with its last answer: nobody watched a quiet window.
    expect(pageComplete).toMatchObject({ state: 'unconfirmed' });
    expect([isOurs, errorCode]).toEqual([true, 'options-invalid']);
    expect(message).toBe('audit(): unknown option "rnus" (did you mean "runs"?).');
  });
});

describe('installed into an empty folder', () => {
  test('has at most 60 packages', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], folder());
    const packages = new Set(stdout.trim().split('\n'));
    packages.delete(folder());
    expect(packages.size).toBeGreaterThan(20);
    expect(packages.size).toBeLessThanOrEqual(60);
  });

  test('says what is missing in continuous integration, where nothing is fetched unasked', async () => {
    const { code, stderr } = await run(
      'npx',
      ['quiesce', 'audit', url, '--lighthouse', '--out', 'no-results'],
      folder(),
      { CI: 'true', HOME: join(folder(), 'home') },
    );
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(
      'lighthouse is not installed. Run "npm install lighthouse@13.5.0" where Quiesce is installed, or add --install to fetch it once.',
    );
  });

  test('runs no package out of the folder that it is started in', async () => {
    const work = join(folder(), '..', 'package-work');
    const planted = join(work, 'node_modules/lighthouse');
    mkdirSync(planted, { recursive: true });
    writeFileSync(join(planted, 'package.json'), '{ "name": "lighthouse", "version": "13.5.0", "main": "index.js" }');
    writeFileSync(join(planted, 'index.js'), '');
    const command = join(folder(), 'node_modules/quiesce/bin/quiesce.js');
    const { code, stderr } = await run('node', [command, 'audit', url, '--lighthouse'], work, {
      CI: 'true',
      HOME: join(folder(), 'home'),
    });
    rmSync(work, { recursive: true });
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('lighthouse is not installed.');
  });

  test('fetches the load generator once', async () => {
    const { stdout: cache } = await run('npm', ['config', 'get', 'cache'], folder());
    const measured = () =>
      run(
        'npx',
        [
          ...['quiesce', 'capacity', url, '--levels', '1', '--level-time', '1s', '--no-page'],
          ...['--format', 'json', '--out', 'capacity', '--force'],
        ],
        folder(),
        { CI: '', HOME: join(folder(), 'home'), npm_config_cache: cache.trim(), npm_config_prefer_offline: 'true' },
      );
    const first = await measured();
    expect(first.stderr).toContain('Fetching autocannon 9.0.0, once.');
    expect(existsSync(join(folder(), 'capacity/result.json')), first.stderr).toBe(true);
    const second = await measured();
    expect(second.stderr).not.toContain('Fetching');
    expect(readdirSync(join(folder(), 'home/.cache/quiesce/packages'))).toEqual(['autocannon-9.0.0']);
  });

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
    expect(exitWithoutHost({ code, stdout, stderr }), stderr).toBe(0);
    expect(stdout).toMatch(/Report: results[\\/]index\.html\n$/);
    const files = readdirSync(join(folder(), 'results'));
    expect(files).toEqual(expect.arrayContaining(['index.html', 'result.json', 'run-1.har']));
    const result = JSON.parse(readFileSync(join(folder(), 'results/result.json'), 'utf8')) as Record<string, unknown>;
    expect(result).toMatchObject({ version: 1, kind: 'audit', targets: [{ title: 'Compressed' }] });
  });

  test('npx quiesce audit <dir> --json', async () => {
    mkdirSync(join(folder(), 'site'));
    writeFileSync(
      join(folder(), 'site/index.html'),
      '<!doctype html><title>Folder</title><link rel="icon" href="data:,"><p>Hello</p>',
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
    expect(exitWithoutHost({ code, stdout, stderr }), stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ targets: [{ target: './site', title: 'Folder' }] });
    expect(readdirSync(join(folder(), 'folder-results'))).toEqual(['evidence', 'result.json']);
  });
});
