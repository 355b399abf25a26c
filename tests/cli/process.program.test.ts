/** The built command line in processes of its own: what only a real process shows. */

import { type ChildProcessWithoutNullStreams, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderForEach } from '../support/folders.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BIN = join(ROOT, 'bin', 'quiesce.js');

const folder = folderForEach('cli');

const start = (args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams =>
  spawn(process.execPath, args, { cwd: folder(), env: { PATH: process.env.PATH, HOME: folder(), ...env } });

async function ended(child: ChildProcessWithoutNullStreams) {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  );
  return { code, signal, stdout, stderr };
}

const said = (child: ChildProcessWithoutNullStreams, text: string) =>
  new Promise<void>((resolve) => {
    let heard = '';
    child.stderr.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes(text)) resolve();
    });
  });

test('what went wrong is told to the program that started it, where that listens', async () => {
  const child = fork(BIN, ['adit', 'x'], { cwd: folder(), silent: true, execArgv: [] });
  const [[told], [code]] = await Promise.all([once(child, 'message'), once(child, 'close')]);
  expect([told, code]).toEqual([{ problem: expect.stringMatching(/^Unknown command "adit"\./) }, 2]);
});

describe('exit codes and streams', () => {
  test.each<[readonly string[], number, 'stdout' | 'stderr', RegExp]>([
    [[], 0, 'stdout', /^Quiesce measures/],
    [['--version'], 0, 'stdout', /^\d+\.\d+\.\d+/],
    [['help'], 0, 'stdout', /^The most used options:/m],
    [['help', 'all'], 0, 'stdout', /Examples:/],
    [['completion', 'bash'], 0, 'stdout', /^complete .* quiesce$/m],
    [['audit', '--help'], 0, 'stdout', /Usage: quiesce audit/],
    [['adit', 'x'], 2, 'stderr', /^quiesce: Unknown command "adit"\. Did you mean[^\n]*\n$/],
    [['audit', 'http://x/', '--runz=1'], 2, 'stderr', /^quiesce: Unknown option --runz\. Did you mean --runs[^\n]*\n$/],
    [['audit'], 2, 'stderr', /^quiesce: Missing argument: what to audit[^\n]*\n$/],
    [['audit', 'ftp://x/', '--quiet'], 2, 'stderr', /^quiesce: [^\n]*http[^\n]*\n$/],
    [
      ['audit', 'http://x/', '--quiet', '--browser', './gone'],
      3,
      'stderr',
      /^quiesce: \.\/gone cannot be started[^\n]*\n$/,
    ],
  ])('quiesce %j: %i', async (args, code, stream, text) => {
    const done = await ended(start([BIN, ...args]));
    expect(done[stream]).toMatch(text);
    expect(done[stream === 'stdout' ? 'stderr' : 'stdout']).toBe('');
    expect(done.code).toBe(code);
  });

  test('variables and the configuration file are read', async () => {
    expect((await ended(start([BIN, 'audit', 'http://x/'], { QUIESCE_RUNS: 'x' }))).stderr).toMatch(
      /^quiesce: QUIESCE_RUNS:/,
    );
    writeFileSync(join(folder(), 'quiesce.config.ts'), 'export default { runz: 3 as number };');
    const done = await ended(start([BIN, 'audit', 'http://x/']));
    expect(done.stderr).toBe('quiesce: quiesce.config.ts: unknown option "runz" (did you mean "runs"?).\n');
    expect(done.code).toBe(2);
  });

  test('what a configuration file leaves running does not keep a command from ending', async () => {
    writeFileSync(join(folder(), 'busy.mjs'), 'setInterval(() => {}, 1000); export default {};');
    const done = await ended(start([BIN, 'analyze', 'gone.har', '--config', 'busy.mjs']));
    expect(done.code).toBe(3);
    expect(done.stderr).toMatch(/^quiesce: .*gone\.har/m);
  });

  test.each([
    [
      'a program that is ended from within',
      'process.exit(0);',
      /^quiesce: A configuration file or a script ended this program \(process\.exit\).*\n$/,
    ],
    ['nor as a gate that failed', 'process.exit(1);', /^quiesce: A configuration file or a script ended this program/],
    [
      'an error that nothing caught',
      "setImmediate(() => { throw new Error('too late'); });",
      /^quiesce: unexpected error: too late \(run again with --verbose\)\n$/,
    ],
    [
      'a promise that nothing waits for',
      "Promise.reject(new Error('lost'));",
      /^quiesce: unexpected error: lost \(run again with --verbose\)\n$/,
    ],
  ])('%s does not count as an answer', async (_what, code, line) => {
    writeFileSync(
      join(folder(), 'broken.mjs'),
      `${code} await new Promise((done) => setTimeout(done, 5_000)); export default {};`,
    );
    const done = await ended(start([BIN, 'analyze', 'gone.har', '--config', 'broken.mjs']));
    expect(done).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(line) });
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk behind the output is one line, and no answer', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [BIN, 'help'], { cwd: folder(), stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    const said: string[] = [];
    child.stderr?.on('data', (text) => said.push(String(text)));
    const [code] = await once(child, 'close');
    expect(said.join('')).toMatch(/^quiesce: Printing failed \(the disk is full\).*\n$/);
    expect(code).toBe(3);
  });

  test('a reader that has seen enough is no error', async () => {
    const child = start([BIN, 'help']);
    child.stdout.destroy();
    const done = await ended(child);
    expect(done).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an old Node', () => {
  const pretend = (version: string) => [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
  ];

  test.each(['8.17.0', '20.20.2', '22.18.0'])('%s is refused in one line', async (version) => {
    const done = await ended(start([...pretend(version), BIN, '--version']));
    expect(done.stdout).toBe('');
    expect(done.stderr).toMatch(/^quiesce: Node \S+ is too old; 22\.19 or newer is needed\. Install [^\n]+\n$/);
    expect(done.stderr).toContain(version);
    expect(done.code).toBe(2);
  });

  const old = oldNodeOnPath();
  test.skipIf(old === undefined)('the machine’s own is refused as well, when it is one', async () => {
    const done = await ended(spawn(old ?? '', [BIN, '--version'], { cwd: folder() }));
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toMatch(/^quiesce: Node \S+ is too old; 22\.19 or newer is needed\. Install [^\n]+\n$/);
  });

  test.each(['22.19.0', '24.0.0', '30.1.2'])('%s is not', async (version) => {
    expect((await ended(start([...pretend(version), BIN, '--version']))).code).toBe(0);
  });
});

describe('compiled code', () => {
  const home = () => join(folder(), 'home');
  const kept = (...below: readonly string[]) => join(home(), '.cache', 'quiesce', 'compiled', ...below);
  /** Runs the command with a home folder and an empty folder for temporary files. */
  const version = async (env: Record<string, string> = {}) => {
    mkdirSync(join(folder(), 'temporary'), { recursive: true });
    const done = await ended(start([BIN, '--version'], { HOME: home(), TMPDIR: join(folder(), 'temporary'), ...env }));
    expect(done).toMatchObject({ code: 0, stderr: '' });
    // Other users may write there, and be first.
    expect(readdirSync(join(folder(), 'temporary'))).toEqual([]);
  };
  const makeKept = (mode: number) => {
    mkdirSync(kept(), { recursive: true, mode: 0o700 });
    chmodSync(kept(), mode);
  };
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('is kept in the user’s own cache folder, which other users cannot even read', async () => {
    mkdirSync(home());
    await version();
    expect(readdirSync(kept())).not.toEqual([]);
    for (const made of [kept(), dirname(kept()), dirname(dirname(kept()))]) expect(modeOf(made)).toBe(0o700);
  });

  test('is kept in the cache folder that the environment names', async () => {
    const cache = join(folder(), 'cache');
    for (const made of [home(), cache]) mkdirSync(made, { mode: 0o700 });
    await version({ XDG_CACHE_HOME: cache });
    expect(readdirSync(join(cache, 'quiesce', 'compiled'))).not.toEqual([]);
    expect(readdirSync(home())).toEqual([]);
  });

  test('is not kept without a home folder, or where a variable says so', async () => {
    await version();
    expect(existsSync(home())).toBe(false);
    mkdirSync(home());
    await version({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(home())).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('is not kept where other users can write', async () => {
    for (const mode of [0o777, 0o1777, 0o770]) {
      makeKept(mode);
      await version();
      expect([mode, readdirSync(kept())]).toEqual([mode, []]);
    }
    makeKept(0o700);
    chmodSync(dirname(kept()), 0o777);
    await version();
    expect(readdirSync(kept())).toEqual([]);
    chmodSync(dirname(kept()), 0o700);
    await version();
    expect(readdirSync(kept())).not.toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('is not kept where a link leads to a folder of other users', async () => {
    const shared = join(folder(), 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o777);
    mkdirSync(dirname(kept()), { recursive: true });
    symlinkSync(shared, kept());
    await version();
    expect(readdirSync(shared)).toEqual([]);
  });

  test.skipIf(process.getuid?.() !== 0)('is neither kept in the home folder of another user', async () => {
    for (const others of [kept(), dirname(kept()), home()]) {
      makeKept(0o700);
      chownSync(others, 65_534, 65_534);
      await version();
      expect([others, readdirSync(kept())]).toEqual([others, []]);
      rmSync(home(), { recursive: true });
    }
  });
});

describe('a checkout that is not whole', () => {
  const checkout = (files: Record<string, string>) => {
    mkdirSync(join(folder(), 'bin'));
    copyFileSync(BIN, join(folder(), 'bin', 'quiesce.js'));
    writeFileSync(join(folder(), 'package.json'), '{ "type": "module" }');
    mkdirSync(join(folder(), 'dist', 'cli'), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder(), name), text);
    return ended(start([join(folder(), 'bin', 'quiesce.js'), '--version']));
  };

  test('not built: what to do', async () => {
    const done = await checkout({});
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toBe('quiesce: this checkout is not built. Run "npm run build" first.\n');
  });

  test('a file or package missing', async () => {
    const done = await checkout({ 'dist/cli/main.js': "import './gone.js';" });
    expect(done.code).toBe(3);
    expect(done.stderr).toMatch(/^quiesce: the installation is damaged \(.*gone\.js.*\)[^\n]*\n$/);
  });
});

describe('signals', () => {
  /** The real command line around a job that waits for its end; `stubborn` does not even end when asked. */
  const waiting = (stubborn: boolean) => {
    const script = join(folder(), 'waiting.mjs');
    writeFileSync(
      script,
      `import { main } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/cli/main.js')).href)};
       const result = { targets: [], interrupted: true };
       const jobs = {
         async audit(settings, { signal }) {
           const busy = setInterval(() => {}, 1000);
           process.stderr.write('working\\n');
           await new Promise((done) => signal.addEventListener('abort', ${stubborn ? '() => {}' : 'done'}));
           clearInterval(busy);
           return { result, report: { result }, out: 'reports/x', files: ['reports/x/result.json'], exit: 130, problems: [] };
         },
         renderTerminal: async () => 'TABLE',
       };
       const { env, stdout, stderr } = process;
       process.exitCode = await main(['audit', 'http://x/'], {
         env, stdout, stderr, cwd: process.cwd(), isRoot: false, signals: process, exit: (code) => process.exit(code), jobs,
       });`,
    );
    return start([script]);
  };

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s keeps what is done and ends with %i', async (name, code) => {
    const child = waiting(false);
    const end = ended(child);
    await said(child, 'working\n');
    child.kill(name);
    const done = await end;
    expect(done).toMatchObject({ code, signal: null });
    expect(done.stdout).toContain('TABLE\nResults: reports/x\n');
    expect(done.stderr).toContain('Interrupted. Finished runs are kept.');
  });

  test('an error that nothing caught ends a job as Ctrl-C does, with its own exit code', async () => {
    const [main, world] = ['main', 'world'].map((name) => pathToFileURL(join(ROOT, `dist/cli/${name}.js`)).href);
    const script = join(folder(), 'crashing.mjs');
    writeFileSync(
      script,
      `import { start } from ${JSON.stringify(main)};
       import { JOBS } from ${JSON.stringify(world)};
       JOBS.audit = async (settings, { signal }) => {
         await new Promise((done) => {
           const failing = setInterval(() => {
             if (signal.aborted) {
               clearInterval(failing);
               done();
             }
             throw new Error('again and again');
           });
         });
         const result = { targets: [], interrupted: true };
         return { result, report: { result }, out: 'reports/x', files: ['reports/x/index.html'], exit: 130, problems: [] };
       };
       JOBS.renderTerminal = async () => 'TABLE';
       await start();`,
    );
    const done = await ended(start([script, 'audit', 'http://x/', '--quiet']));
    expect(done).toMatchObject({ code: 3, signal: null });
    expect(done.stdout).toContain('Report: reports/x/index.html\n');
    expect(done.stderr.match(/unexpected error: again and again/g)).toHaveLength(1);
  });

  test('a second Ctrl-C ends a job that does not listen', async () => {
    const child = waiting(true);
    const end = ended(child);
    await said(child, 'working\n');
    child.kill('SIGINT');
    await said(child, 'Press Ctrl-C again to stop at once.');
    child.kill('SIGINT');
    expect(await end).toMatchObject({ code: 130, signal: null });
  });
});

/** A real Node that is too old, where the machine has one. */
function oldNodeOnPath(): string | undefined {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, 'node'));
  return candidates.find((path) => {
    const said = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '';
    const [, major, minor] = /^v(\d+)\.(\d+)/.exec(said) ?? [];
    return major !== undefined && (Number(major) < 22 || (Number(major) === 22 && Number(minor) < 19));
  });
}
