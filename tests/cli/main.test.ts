import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { main } from '../../src/cli/main.ts';
import type { Jobs } from '../../src/cli/world.ts';
import { noted } from '../../src/jobs/engine/progress-events.ts';
import { targetReport } from '../../src/jobs/engine/reports/report-model.ts';
import type { AuditResult, RunResult } from '../../src/model/result/result.ts';
import { trendFormats } from '../../src/reporters/formats.ts';
import type { ResolvedAudit } from '../../src/settings/resolved.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';
import { commandsIn } from '../action/commands.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { folderForAll } from '../support/folders.ts';
import { reporters } from '../support/reporters.ts';
import { analysis, comparison, fakeWorld, outcome, RESULT } from './fake-world.ts';

type FakeWorld = ReturnType<typeof fakeWorld>;
type Outcome = ReturnType<typeof outcome>;

const cwd = folderForAll('main');

/** Problems with these lines. */
const problems = (...lines: readonly string[]) => lines.map((message) => ({ code: 'har-invalid' as const, message }));

const run = async (argv: readonly string[], over: Parameters<typeof fakeWorld>[0] = {}) => {
  const world = fakeWorld({ cwd: cwd(), ...over });
  const exit = await main(argv, world);
  return { exit, ...world.written };
};

describe('help and version', () => {
  test.each([[[]], [['help']], [['--help']], [['-h']], [['help', 'help']]])('%j: one screen', async (argv) => {
    const { exit, stdout, stderr } = await run(argv);
    expect([exit, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(79);
    expect(stdout).toContain('quiesce audit https://example.com/');
    for (const { name, hidden } of COMMANDS) expect(stdout.includes(`\n  ${name}`)).toBe(!hidden);
    expect(stdout.match(/^ {2}(-\w, )?--[a-z]/gm)).toHaveLength(10);
    expect(stdout).toContain('quiesce help all');
  });

  test('help all: everything', async () => {
    const { exit, stdout, stderr } = await run(['help', 'all']);
    expect(exit).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('--quiet-window <time>');
    expect(stdout).toContain('browser install');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(stderr).toBe('');
  });

  test('help on a command begins with what most people need, and groups the rest', async () => {
    const { stdout } = await run(['help', 'audit']);
    const groups = [...stdout.matchAll(/^(\S.*) \(audit\):$/gm)].map(([, group]) => group);
    expect(groups.slice(0, 3)).toEqual(['Most used', 'Pages', 'Server under test']);
    expect(stdout.match(/^ {2}-n, --runs <n>/gm)).toHaveLength(1);
  });

  test('help on each command is approved', async () => {
    const said = COMMANDS.map(
      async ({ name }) => `$ quiesce help ${name}\n${(await run(['help', ...name.split(' ')])).stdout}`,
    );
    await expectApproved('cli/help', [(await run([])).stdout, ...(await Promise.all(said))].join('\n'));
  });

  test.each([
    ['audit --help', 'help audit'],
    ['audit http://x/ -h', 'help audit'],
    ['analyze -h', 'help analyze'],
    ['help browser', 'help browser install'],
    ['browser', 'help browser install'],
    ['browser --help', 'help browser install'],
    ['browser install --help', 'help browser install'],
  ])('%s is %s', async (typed, help) => {
    const [told, usual] = [await run(typed.split(' ')), await run(help.split(' '))];
    expect(told).toMatchObject({ exit: 0, stdout: usual.stdout });
  });

  test.each([['--version'], ['-V'], ['version']])('%s', async (flag) => {
    const { exit, stdout } = await run([flag]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

const HAR = { format: 'har', file: 'run-<i>.har' };
test.each([
  [
    ['help', 'all'],
    [...reporters, HAR],
  ],
  [
    ['help', 'audit'],
    [...reporters, HAR],
  ],
  [
    ['help', 'compare'],
    [...reporters, HAR],
  ],
  [['help', 'analyze'], reporters],
  [['help', 'merge'], reporters],
  [['help', 'report'], reporters],
  [['help', 'trend'], trendFormats],
  [['help', 'doctor'], []],
])('%j names the formats that there are, with their files, and no others', async (argv, formats) => {
  const { stdout } = await run(argv);
  const [, list = ''] = /^Formats:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  const named = [...list.matchAll(/^ {2}(\w+) +(\S+): /gm)].map(([, format, file]) => ({ format, file }));
  expect(named).toEqual(formats.map(({ format, file }) => ({ format, file })));
});

test.each([
  [80, 80],
  [200, 100],
])('on a terminal of %i columns, help is at most %i wide', async (columns, most) => {
  for (const argv of [[], ['help', 'all'], ...COMMANDS.map(({ name }) => [...name.split(' '), '--help'])]) {
    let text = '';
    await main(argv, fakeWorld({ cwd: cwd(), stdout: { columns, write: (more: string) => (text += more) } }));
    // A line to type stays whole: cut in two it could not be copied.
    const lines = text.split('\n').filter((line) => !line.startsWith('  quiesce ') && !line.startsWith('Usage:'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(most);
    expect(text).toContain('quiesce');
  }
});

test('what nobody types is not listed or suggested', async () => {
  for (const argv of [[], ['help', 'all']]) expect((await run(argv)).stdout).not.toMatch(/quiesce action|^ +action /m);
  expect((await run(['actio'])).stderr).not.toContain('Did you mean');
});

/** What cannot be, as it is typed. */
const UNUSABLE = `
audti http://x/
https://example.com/
.
page.har
analyse page.har
analyze
analyze x.har --runs 3
analyze x.har --format har
audit http://x/ --no-evidenc
browser instal
browser install now
completion
completion tcsh
action mesure
action plan now
help audi
audit http://x/ --runz 3
audit http://x/ --runz=3
audit http://x/ -r 3
audit http://x/ --sandbox
audit http://x/ --porthole x
--runs 3
--runz 3 audit http://x/
browser install --runs 3
browser install -n 3
audit http://x/ --iterations 5
audit http://x/ --numberOfRuns=5
compare a b --iterations 5
audit http://x/ --mobile
audit --url http://x/
audit http://x/ --port 3000
audit http://x/ -k
audit http://x/ -n
audit http://x/ --timeout 30
audit http://x/ --timeout 1h
audit http://x/ --runs
audit http://x/ --out --json
audit http://x/ --json=yes
audit
audit --runs 3
audit http://x/ --quiet --verbose
compare
compare a
compare a b c
compare a b --seed abc
compare a b --seed -1
compare a b --max-pairs many
compare a b --looks 10,x
compare a b --alpha x
compare a b --runs 3
doctor http://x/
`
  .trim()
  .split('\n');

test('what cannot be is told in one line, with exit code 2', async () => {
  const said: Record<string, string> = {};
  for (const typed of UNUSABLE) {
    const { exit, stdout, stderr } = await run(typed.split(' '));
    expect([typed, exit, stdout]).toEqual([typed, 2, '']);
    expect(stderr).toMatch(/^quiesce: (?!error:)[^\n]+\n$/);
    said[`quiesce ${typed}`] = stderr.trimEnd();
  }
  await expectApproved('cli/unusable', outlined(said));
});

describe('audit', () => {
  const settingsOf = async (argv: readonly string[], env: Record<string, string> = {}) => {
    let seen: ResolvedAudit | undefined;
    await run(['audit', ...argv], {
      env,
      jobs: {
        audit: async (settings) => {
          seen = settings;
          return outcome();
        },
      },
    });
    return seen;
  };

  test('hands the job its settings', async () => {
    const argv = ['http://x/', './dist', '--runs=3', '--background', 'a', '--background=b', '--format', 'har'];
    const more = [
      '--no-sandbox',
      '--browser-arg',
      '--mute-audio',
      '--browser-arg=--lang=de',
      '--complete-on',
      'js:a - -b',
    ];
    expect((await settingsOf([...argv, ...more], { QUIESCE_TIMEOUT: '9s' }))?.stored).toMatchObject({
      targets: ['http://x/', './dist'],
      runs: 3,
      timeout: 9000,
      background: ['a', 'b'],
      format: ['har'],
      sandbox: false,
      browserArg: ['--mute-audio', '--lang=de'],
      completeOn: 'js:a - -b',
    });
  });

  test('options have short names, may stand before the command, and take minutes', async () => {
    let seen: ResolvedAudit | undefined;
    const jobs = {
      audit: async (settings: ResolvedAudit) => {
        seen = settings;
        return outcome();
      },
    };
    const argv = ['--json', '-n3', '-H', 'A: b', 'audit', 'http://x/', '-qo', 'there', '-n=4', '-b', 'chrome'];
    const { exit, stderr } = await run([...argv, '--timeout', '2m'], { jobs });
    expect([exit, stderr]).toEqual([0, '']);
    expect(seen?.stored).toMatchObject({ runs: 4, out: 'there', header: ['A: [redacted]'], browser: 'chrome' });
    expect(seen?.stored).toMatchObject({ targets: ['http://x/'], timeout: 120_000 });
  });

  test('behind -- everything is a target', async () => {
    expect((await settingsOf(['--', '--odd-folder']))?.stored.targets).toEqual(['--odd-folder']);
  });

  test('table and place of the report on stdout', async () => {
    const { exit, stdout, stderr } = await run(['audit', 'http://x/']);
    expect(stdout).toBe('TABLE color=false width=100\nReport: reports/fake/index.html\n');
    expect(stderr).toBe('');
    expect(exit).toBe(0);
  });

  test('absolute paths of the job are shown relative', async () => {
    const out = join(cwd(), 'deep', 'results');
    const { stdout } = await run(['audit', 'http://x/'], {
      jobs: { audit: async () => outcome({ out, files: [join(out, 'run-1.har')] }) },
    });
    expect(stdout).toContain(`Results: ${join('deep', 'results')}\n`);
  });

  test('--json: the result alone on stdout, the rest on stderr', async () => {
    const { stdout, stderr } = await run(['audit', 'http://x/', '--json']);
    expect(JSON.parse(stdout)).toEqual(RESULT);
    expect(stderr).toContain('TABLE');
    expect(stderr).toContain('Report: ');
    expect((await run(['audit', 'http://x/', '--json', '--quiet'])).stderr).toBe('');
  });

  test.each([0, 1, 3, 4])('the exit code of the job: %i', async (exit) => {
    const done = await run(['audit', 'http://x/'], {
      jobs: { audit: async () => outcome({ exit, problems: exit === 0 ? [] : problems('One thing.', 'Another.') }) },
    });
    expect(done.exit).toBe(exit);
    expect(done.stderr).toBe(exit === 0 ? '' : 'quiesce: One thing.\nquiesce: Another.\n');
  });

  test.each<[object, Record<string, string>, boolean]>([
    [{}, {}, false],
    [{ isTTY: true }, {}, true],
    [{ isTTY: true }, { NO_COLOR: '1' }, false],
    [{ isTTY: true }, { NO_COLOR: '' }, true],
    [{ isTTY: true }, { TERM: 'dumb' }, false],
    [{}, { FORCE_COLOR: '1' }, true],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  ])('colour: %j %j', async (terminal, env, color) => {
    let stdout = '';
    const write = (text: string) => {
      stdout += text;
    };
    await run(['audit', 'http://x/', '--quiet'], { env, stdout: { ...terminal, write, columns: 77 } });
    expect(stdout).toContain(`TABLE color=${color} width=77`);
  });

  test('root is told that the sandbox is off, and why', async () => {
    const line = 'The browser runs without its sandbox, because Chrome cannot use it as root.';
    const jobs: Partial<Jobs> = {
      async audit(_settings, hooks) {
        hooks.onProgress?.({ kind: 'browser-started', product: 'Fake/1' });
        return outcome();
      },
    };
    expect((await run(['audit', 'http://x/'], { isRoot: true, jobs })).stderr).toContain(line);
    for (const argv of [['--no-sandbox'], ['--quiet'], ['--browser-ws', 'ws://x/']]) {
      expect((await run(['audit', 'http://x/', ...argv], { isRoot: true, jobs })).stderr).not.toContain(line);
    }
    // An error before that stands alone.
    const refused: Partial<Jobs> = { audit: () => Promise.reject(new QuiesceError('browser-not-found')) };
    expect((await run(['audit', 'http://x/'], { isRoot: true, jobs: refused })).stderr).toMatch(/^quiesce: No Chrome/);
  });

  test('a usage error of the job is one line', async () => {
    const { exit, stderr } = await run(['audit', 'http://x/'], {
      jobs: { audit: () => Promise.reject(new QuiesceError('browser-not-found')) },
    });
    expect(exit).toBe(3);
    expect(stderr).toMatch(/^quiesce: No Chrome.*browser install.*\n$/);
  });

  test('an unexpected error is one line, its stack with --verbose', async () => {
    const jobs = { audit: () => Promise.reject(new TypeError('x is not\na function')) };
    const plain = await run(['audit', 'http://x/'], { jobs });
    expect(plain.exit).toBe(3);
    expect(plain.stderr).toBe('quiesce: unexpected error: x is not (run again with --verbose)\n');
    const verbose = await run(['audit', 'http://x/', '--verbose'], { jobs });
    expect(verbose.exit).toBe(3);
    expect(verbose.stderr).toMatch(/settings \{.*\n.*quiesce: unexpected error: x is not\nTypeError:[\s\S]+at /);
  });
});

describe('the report', () => {
  const terminal = (over: object = {}) => {
    let text = '';
    return { stdout: { isTTY: true, write: (more: string) => (text += more), ...over }, text: () => text };
  };
  const file = () => join(cwd(), 'reports/fake/index.html');

  test('is a link on terminals that know links', async () => {
    const link = `\u001b]8;;${pathToFileURL(file()).href}\u001b\\reports/fake/index.html\u001b]8;;\u001b\\`;
    for (const [env, text] of [
      [{ TERM_PROGRAM: 'vscode' }, link],
      [{ VTE_VERSION: '6003' }, link],
      [{ TERM: 'xterm-kitty' }, link],
      [{ WT_SESSION: 'x' }, link],
      [{ FORCE_HYPERLINK: '1' }, link],
      [{ TERM: 'xterm-256color' }, 'reports/fake/index.html'],
      [{ VTE_VERSION: '6003', TMUX: 'x' }, 'reports/fake/index.html'],
      [{ TERM_PROGRAM: 'vscode', CI: 'true' }, 'reports/fake/index.html'],
      [{ TERM_PROGRAM: 'vscode', FORCE_HYPERLINK: '0' }, 'reports/fake/index.html'],
    ] as const) {
      const screen = terminal();
      await main(['audit', 'http://x/'], fakeWorld({ cwd: cwd(), env, stdout: screen.stdout }));
      expect(screen.text()).toContain(`Report: ${text}\n`);
    }
    expect((await run(['audit', 'http://x/'], { env: { VTE_VERSION: '6003' } })).stdout).not.toContain('\u001b');
  });

  test('is opened with --open on a terminal, never in CI or a pipe', async () => {
    const world = fakeWorld({ cwd: cwd(), stdout: terminal().stdout });
    expect(await main(['audit', 'http://x/', '--open'], world)).toBe(0);
    expect(world.written.opened).toEqual([file()]);
    for (const [over, why] of [
      [{ stdout: terminal().stdout, env: { CI: 'true' } }, 'because this is a CI job'],
      [{}, 'because the output is not a terminal'],
    ] as const) {
      const other = fakeWorld({ cwd: cwd(), ...over });
      expect(await main(['audit', 'http://x/', '--open'], other)).toBe(0);
      expect(other.written.opened).toEqual([]);
      expect(other.written.stderr).toContain(`--open: the report was not opened, ${why}.`);
    }
    const asked = fakeWorld({ cwd: cwd(), stdout: terminal().stdout });
    await main(['audit', 'http://x/'], asked);
    expect(asked.written.opened).toEqual([]);
  });

  test('that cannot be opened is a note', async () => {
    const openFile = () => Promise.reject(new Error('no such program'));
    const { exit, stderr } = await run(['audit', 'http://x/', '--open'], { stdout: terminal().stdout, openFile });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/^--open: .*index\.html could not be opened\. Open it in your browser\.\n$/);
  });
});

describe('what pages, files and arguments say', () => {
  const evil = 'x\u001b[2J\u202e\u3164\n::error::forged\r##[error]forged';
  const forger: Partial<Jobs> = {
    async audit(_settings, { onProgress }) {
      onProgress?.(noted({ code: 'other-origins', pages: 2, origin: evil }));
      return outcome({
        exit: 3,
        problems: problems(evil),
        out: evil,
        files: [],
        result: { ...RESULT, settings: { [evil]: evil } },
      });
    },
    renderTerminal: async () => `${evil}\n`,
    analyze: async () => {
      throw new Error(evil);
    },
    trend: async () => {
      throw new QuiesceError('result-broken', { path: evil });
    },
  };

  test.each([
    [['audit', 'http://x/', '--verbose']],
    [['audit', 'http://x/', '--json']],
    [['audit', evil]],
    [['audit', 'http://x/', `--${evil}`]],
    [['audit', 'http://x/', '--config', evil]],
    [[evil]],
    [['help', evil]],
    [['analyze', 'a.har', '--verbose']],
    [['trend', 'reports']],
  ])('%j moves no cursor, commands no runner, and is one line for each line', async (argv) => {
    for (const isTTY of [false, true]) {
      const written: string[] = [];
      const stream = { isTTY, write: (text: string) => written.push(text) };
      const env = { GITHUB_ACTIONS: 'true', ...(isTTY && { FORCE_COLOR: '1', FORCE_HYPERLINK: '1' }) };
      const world = fakeWorld({ env, stdout: stream, stderr: stream, jobs: forger });
      await main(argv, world);
      const log = written.join('');
      expect(log).not.toBe('');
      expect(commandsIn(log)).toEqual([]);
      for (const trick of ['\u001b[2J', '\u202e', '\u3164']) expect(log).not.toContain(trick);
    }
  });

  test('as JSON are the same values', async () => {
    const { stdout } = await run(['audit', 'http://x/', '--json', '--quiet'], { jobs: forger });
    expect(JSON.parse(stdout)).toEqual({ ...RESULT, settings: { [evil]: evil } });
  });
});

describe('what could not be measured', () => {
  const failure = { code: 'host-not-found', message: 'No such host: x.' };
  const failed: RunResult = { index: 1, role: 'timed', ok: false, failure };
  const of = (runs: readonly RunResult[], files: readonly string[]) => {
    const target = { target: 'http://x/', url: 'http://x/', runs, summary: {}, background: [] };
    const result: AuditResult = { ...RESULT, targets: [target] };
    const report = { result, columns: [], targets: [{ ...targetReport(target, []) }], files: [] };
    return outcome({ result, report, files, exit: 3, problems: problems(failure.message) });
  };

  test('is told once, without a table', async () => {
    const done = await run(['audit', 'http://x/'], { jobs: { audit: async () => of([failed], []) } });
    expect(done).toMatchObject({ exit: 3, stdout: '', stderr: 'quiesce: No such host: x.\n' });
    const named = await run(['audit', 'http://x/'], {
      jobs: { audit: async () => of([failed], ['reports/fake/index.html']) },
    });
    expect(named).toMatchObject({ stdout: 'Report: reports/fake/index.html\n', stderr: 'quiesce: No such host: x.\n' });
  });

  test('is told by the table, where there is one', async () => {
    const ok: RunResult = { index: 2, role: 'timed', ok: true };
    const done = await run(['audit', 'http://x/'], { jobs: { audit: async () => of([failed, ok], []) } });
    expect(done.stdout).toContain('TABLE');
    expect(done.stderr).toBe('');
    const json = await run(['audit', 'http://x/', '--json', '-q'], {
      jobs: { audit: async () => of([failed, ok], []) },
    });
    expect(json.stderr).toBe('quiesce: No such host: x.\n');
  });
});

describe('compare', () => {
  test('hands the job its builds and its plan', async () => {
    let seen: unknown;
    const argv = [
      'a',
      'b',
      '--looks',
      '4,8',
      '--gate',
      'LCP',
      '--gate',
      'CLS,TBT',
      '--seed',
      '5',
      '--min-effect',
      '3%',
    ];
    const { exit, stdout } = await run(['compare', ...argv], {
      jobs: {
        compare: async (settings) => {
          seen = settings;
          return comparison({ exit: 1 });
        },
      },
    });
    expect(seen).toMatchObject({
      builds: { targets: ['a', 'b'] },
      design: {
        looks: [4, 8],
        gates: [
          { metric: 'largestContentfulPaint' },
          { metric: 'cumulativeLayoutShift' },
          { metric: 'totalBlockingTime' },
        ],
        seed: 5,
        minEffect: { relative: 0.03, absolute: 10 },
        alpha: 0.05,
        strict: false,
      },
      resume: false,
      stored: {
        targets: ['a', 'b'],
        looks: [4, 8],
        gate: ['largestContentfulPaint', 'cumulativeLayoutShift', 'totalBlockingTime'],
        seed: 5,
        minEffect: '3%',
        alpha: 0.05,
      },
      loading: { evidence: true },
      formats: ['html', 'json', 'har'],
    });
    expect(seen).not.toHaveProperty('design.maxPairs');
    expect(exit).toBe(1);
    expect(stdout).toBe('TABLE color=false width=100\nReport: reports/fake/index.html\n');
  });

  test('--json prints the result', async () => {
    const { stdout } = await run(['compare', 'a', 'b', '--json', '--quiet']);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'compare' });
  });
});

describe('compare with --base-ref', () => {
  const settingsOf = async (argv: readonly string[], env: Record<string, string> = {}) => {
    let seen: Readonly<Record<string, unknown>> = {};
    const { stderr } = await run(['compare', ...argv], {
      env,
      jobs: {
        compare: async (settings) => {
          seen = settings.stored;
          return comparison();
        },
      },
    });
    const { targets, baseRef, build, dist, buildCache } = seen;
    return { targets, baseRef, build, dist, buildCache, stderr };
  };

  test('takes no targets', async () => {
    const argv = ['--base-ref', 'origin/main', '--build', 'npm run build', '--dist', 'dist', '--no-build-cache'];
    expect(await settingsOf(argv)).toEqual({
      targets: [],
      baseRef: 'origin/main',
      build: 'npm run build',
      dist: 'dist',
      buildCache: false,
      stderr: '',
    });
    expect((await settingsOf(['a', 'b', ...argv])).stderr).toMatch(
      /^quiesce: Give two targets or --base-ref, not both/,
    );
  });

  test('of the surroundings is overruled by targets', async () => {
    const env = { QUIESCE_BASE_REF: 'origin/main', QUIESCE_BUILD: 'npm run build', QUIESCE_DIST: 'dist' };
    expect(await settingsOf([], env)).toMatchObject({ targets: [], baseRef: 'origin/main', dist: 'dist' });
    const named = await settingsOf(['a', 'b'], env);
    expect(named).toMatchObject({ targets: ['a', 'b'], baseRef: undefined, build: undefined, dist: undefined });
    expect((await settingsOf(['a'], env)).stderr).toMatch(/^quiesce: Missing arguments: the two builds/);
  });
});

describe('analyze', () => {
  test('hands the job its files and what was said of the policy', async () => {
    let seen: unknown;
    const argv = ['a.har', '-', 'folder', '--quiet-window', '1s', '--background', '*/poll*', '--format', 'json'];
    const { exit, stdout } = await run(['analyze', ...argv], {
      jobs: {
        analyze: async (settings) => {
          seen = settings;
          return analysis();
        },
      },
    });
    expect(seen).toEqual({
      files: ['a.har', '-', 'folder'],
      policy: { quietWindow: 1000, background: ['*/poll*'] },
      metrics: [],
      formats: ['json'],
      failOn: 'slower',
      force: false,
      budgets: [],
      stored: {
        files: ['a.har', '-', 'folder'],
        quietWindow: 1000,
        background: ['*/poll*'],
        failOn: 'slower',
        force: false,
        format: ['json'],
      },
    });
    expect(exit).toBe(0);
    expect(stdout).toBe('TABLE color=false width=100\nReport: reports/fake/index.html\n');
  });

  test('tells flaws as notes, problems as errors, and the exit code of the job', async () => {
    const jobs = {
      analyze: async () => analysis({ exit: 4, warnings: ['a.har: a flaw.'], problems: problems('b.har is empty.') }),
    };
    const told = await run(['analyze', 'a.har', 'b.har'], { jobs });
    expect(told).toMatchObject({ exit: 4, stderr: 'note: a.har: a flaw.\nquiesce: b.har is empty.\n' });
    const quiet = await run(['analyze', 'a.har', 'b.har', '--quiet'], { jobs });
    expect(quiet.stderr).toBe('quiesce: b.har is empty.\n');
  });

  test('shows no table when nothing could be analysed', async () => {
    const { exit, stdout, stderr } = await run(['analyze', 'b.har'], {
      jobs: { analyze: async () => analysis({ exit: 3, files: [], problems: problems('b.har is empty.') }) },
    });
    expect([exit, stdout, stderr]).toEqual([3, '', 'quiesce: b.har is empty.\n']);
  });

  test('--json prints the result', async () => {
    const { stdout } = await run(['analyze', 'a.har', '--json', '--quiet']);
    expect(JSON.parse(stdout)).toEqual({ ...RESULT, kind: 'analysis' });
  });

  test('tells of each file, without what a name may do to a terminal', async () => {
    const { stderr } = await run(['analyze', 'a.har', 'b.har'], {
      jobs: {
        analyze: async (_, { onProgress }) => {
          for (const [i, file] of ['a\u001b[2J.har', '-'].entries()) {
            const place = { file, index: i + 1, of: 2 };
            onProgress?.({ kind: 'file-started', ...place });
            onProgress?.({ kind: 'file-finished', ...place, pages: 1 - i, requests: 1 - i });
          }
          return analysis();
        },
      },
    });
    expect(stderr).toBe('a.har (1 of 2): 1 page, 1 request\nstandard input (2 of 2): could not be analysed\n');
  });

  test('Ctrl-C ends it with what is done', async () => {
    const world = fakeWorld({
      cwd: cwd(),
      jobs: {
        analyze: async (_, { signal }) => {
          queueMicrotask(() => world.signals.emit('SIGINT'));
          await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
          return analysis({ exit: 130 });
        },
      },
    });
    expect(await main(['analyze', 'a.har'], world)).toBe(130);
    expect(world.written.stdout).toContain('Report: ');
    expect(world.written.stderr).toContain('quiesce: Interrupted.');
  });
});

describe('signals', () => {
  /** A job that gets this signal, and then goes on so. */
  const interruptedBy = (name: string, then: (world: FakeWorld) => Outcome | Promise<Outcome>): FakeWorld => {
    const world = fakeWorld({
      cwd: cwd(),
      jobs: {
        audit: async (_, { signal }) => {
          queueMicrotask(() => world.signals.emit(name));
          await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
          return then(world);
        },
      },
    });
    return world;
  };

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['crash', 3],
  ] as const)('%s ends the job with what it has', async (name, code) => {
    const done = outcome({ exit: 130, problems: [], result: { ...RESULT, interrupted: true } });
    const world = interruptedBy(name, () => done);
    expect(await main(['audit', 'http://x/'], world)).toBe(code);
    expect(world.written.stdout).toContain('Report: ');
    expect(world.written.stderr).toContain('quiesce: Interrupted. Finished runs are kept.\n');
    expect(world.written.exits).toEqual([]);
    expect(world.signals.listenerCount(name)).toBe(0);
  });

  test.each([
    ['before anything was measured, too', 'SIGTERM', 143, new QuiesceError('interrupted', { nothingMeasured: true })],
    ['whatever breaks afterwards', 'SIGINT', 130, new Error('socket hang up')],
  ] as const)('are what is told %s', async (_, name, code, error) => {
    const world = interruptedBy(name, () => Promise.reject(error));
    expect(await main(['audit', 'http://x/'], world)).toBe(code);
    expect(world.written.stderr).toContain('quiesce: Interrupted.');
    expect(world.written.stderr).not.toContain('unexpected');
  });

  test('a second one ends at once', async () => {
    const world = interruptedBy('SIGINT', ({ signals }) => {
      signals.emit('SIGINT');
      return outcome();
    });
    await main(['audit', 'http://x/'], world);
    expect(world.written.exits).toEqual([130]);
  });
});

test('what is told of an address leaves its secrets out: logs are read by many', async () => {
  const url = 'http://ann:hunter2@x/p?token=s3cret-value&page=1';
  const audit: Jobs['audit'] = async (_, { onProgress }) => {
    onProgress?.(noted({ code: 'lighthouse-run', index: 1, of: 1, name: url }));
    throw new QuiesceError('no-answer', { url, timeout: 1_000 });
  };
  const { exit, stderr } = await run(['audit', url, '--verbose'], { jobs: { audit } });
  expect(exit).toBe(3);
  expect(stderr).toContain('x/p?token=%5Bredacted%5D&page=1');
  expect(stderr).not.toMatch(/hunter2|s3cret/);
});

describe('browser install', () => {
  test.each([
    [false, 'Chrome for Testing 1.2.3.4 installed: /cache/chrome\n'],
    [true, 'Chrome for Testing 1.2.3.4 is already installed: /cache/chrome\n'],
  ])('says where it is; that it was there: %j', async (already, said) => {
    const installBrowser = async () => ({ path: '/cache/chrome', version: '1.2.3.4', already });
    expect(await run(['browser', 'install'], { jobs: { installBrowser } })).toMatchObject({ exit: 0, stdout: said });
  });

  test('a few lines of progress in a log, the mirror from the environment', async () => {
    let baseUrl: string | undefined;
    const { stderr } = await run(['browser', 'install'], {
      env: { PUPPETEER_CHROME_DOWNLOAD_BASE_URL: 'http://mirror/' },
      jobs: {
        installBrowser: async (options) => {
          baseUrl = options.baseUrl;
          for (let percent = 0; percent <= 100; percent++) {
            options.onProgress?.({ version: '1.2.3.4', step: 'download', percent });
          }
          options.onProgress?.({ version: '1.2.3.4', step: 'unpack' });
          return { path: '/cache/chrome', version: '1.2.3.4', already: false };
        },
      },
    });
    expect(baseUrl).toBe('http://mirror');
    expect(stderr.split('\n').map((line) => line.replace('Chrome for Testing 1.2.3.4: ', ''))).toEqual([
      '0%',
      '25%',
      '50%',
      '75%',
      '100%',
      'unpacking',
      '',
    ]);
  });

  test('a failed download is one line and exit code 3', async () => {
    const { exit, stderr } = await run(['browser', 'install'], {
      jobs: {
        installBrowser: () => Promise.reject(new QuiesceError('browser-download-failed', { detail: 'HTTP 404' })),
      },
    });
    expect(exit).toBe(3);
    expect(stderr).toMatch(/^quiesce: The browser could not be downloaded \(HTTP 404\)\.[^\n]*\n$/);
  });
});
