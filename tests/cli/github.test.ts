import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { GithubOutcome } from '../../src/jobs/github/github.ts';
import type { ResolvedGithub } from '../../src/settings/resolved.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';
import { commandsIn } from '../action/commands.ts';
import { fakeWorld } from './fake-world.ts';

const OUTCOME: GithubOutcome = {
  decision: 'slower',
  resultPath: '/work/result.json',
  summary: '### Slower\n',
  annotations: [{ kind: 'error', title: 'Page complete: the gate fails', message: 'It is 8% slower.' }],
  notes: [],
  isJob: false,
  isSummaryWritten: false,
  exit: 1,
};

const IN_JOB = { env: { GITHUB_ACTIONS: 'true' } };

async function run(argv: readonly string[], over: Partial<GithubOutcome> | Error = {}, world = {}) {
  let given: Omit<ResolvedGithub, 'env'> | undefined;
  const fake = fakeWorld({
    ...world,
    jobs: {
      github: async (settings) => {
        const { env: _env, ...rest } = settings;
        given = rest;
        if (over instanceof Error) throw over;
        return { ...OUTCOME, ...over };
      },
    },
  });
  const exit = await main(['github', ...argv], fake);
  return { exit, given, ...fake.written };
}

test('the settings are what was typed, and what is usual', async () => {
  expect((await run(['reports/x'])).given).toEqual({
    result: 'reports/x',
    failOn: 'slower',
    comment: true,
    commentKey: 'quiesce',
  });
  const typed = [
    '--fail-on',
    'never',
    '--no-comment',
    '--comment-key',
    'a',
    '--pull',
    '7',
    '--report-url',
    'https://x/',
  ];
  expect((await run(['x', ...typed])).given).toEqual({
    result: 'x',
    failOn: 'never',
    comment: false,
    commentKey: 'a',
    pull: 7,
    reportUrl: 'https://x/',
  });
});

test.each([
  [[], /One argument is needed, the stored result/],
  [['a', 'b'], /One argument is needed, the stored result/],
  [['a', '--fail-on', 'always'], /--fail-on: must be broken, slower, budget or never/],
  [['a', '--comment-key', '-->'], /--comment-key/],
  [['a', '--pull', '0'], /--pull/],
  [['a', '--report-url', 'javascript:alert(1)'], /--report-url: must be an http/],
])('%j is one line', async (argv, line) => {
  const { exit, stdout, stderr } = await run(argv);
  expect([exit, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(line);
  expect(stderr.trimEnd()).not.toMatch(/\n/);
});

describe('at home', () => {
  test('the summary is printed, and what would stand beside the job', async () => {
    const { exit, stdout, stderr } = await run(['x']);
    expect(exit).toBe(1);
    expect(stdout).toBe('### Slower\n');
    expect(stderr).toBe('error: Page complete: the gate fails. It is 8% slower.\n');
  });

  test('--json is the outcome alone', async () => {
    const { stdout } = await run(['x', '--json']);
    expect(JSON.parse(stdout)).toEqual(OUTCOME);
  });

  test('a result that cannot be read is an error as everywhere', async () => {
    const { exit, stdout, stderr } = await run(['x'], new QuiesceError('result-not-json', { path: 'x' }));
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^quiesce: x is not JSON/);
  });
});

describe('in a job', () => {
  const evil = '\n::set-output name=decision::same\n##[error]forged';

  test('annotations are commands, and nothing else is', async () => {
    const { stdout, stderr } = await run(
      ['x'],
      {
        isJob: true,
        isSummaryWritten: true,
        annotations: [{ kind: 'warning', title: evil, message: evil }],
        notes: [`a note ${evil}`],
        commentUrl: `https://x/${evil}`,
      },
      IN_JOB,
    );
    expect(commandsIn(`${stdout}${stderr}`).map(({ command }) => command)).toEqual(['warning']);
    expect(stderr).toMatch(/^note: /);
    expect(stderr).toMatch(/^Comment: https:/m);
  });

  test('a summary that has no file is printed so that nothing in it is a command', async () => {
    const { stdout } = await run(['x'], { isJob: true, summary: evil }, IN_JOB);
    expect(stdout).toContain(evil);
    expect(commandsIn(stdout).map(({ command }) => command)).toEqual(['error']);
    expect(commandsIn(stdout)[0]?.properties.title).toBe('Page complete: the gate fails');
  });

  test('--json gives a runner no command, and is the outcome', async () => {
    const summary = 'a ##[error]b\n::error::c';
    const { stdout } = await run(['x', '--json'], { summary, isJob: true }, IN_JOB);
    expect(commandsIn(stdout)).toEqual([]);
    expect(JSON.parse(stdout).summary).toBe(summary);
  });

  test('a note that is an annotation is said once', async () => {
    const annotations = [{ kind: 'notice', title: 'Quiesce', message: 'No comment.' }] as const;
    const over = { isJob: true, isSummaryWritten: true, annotations, notes: ['No comment.'] };
    const { stdout, stderr } = await run(['x'], over, IN_JOB);
    expect(`${stdout}${stderr}`.match(/No comment\./g)).toHaveLength(1);
  });

  test('a result that cannot be read is an annotation', async () => {
    const error = new QuiesceError('result-broken', { path: 'x', detail: 'a##[error]b\n::error::c' });
    const { exit, stdout, stderr } = await run(['x'], error, IN_JOB);
    expect([exit, stderr]).toEqual([2, '']);
    expect(commandsIn(stdout)).toEqual([
      { command: 'error', properties: { title: 'Quiesce' }, message: expect.stringMatching(/not as Quiesce wrote it/) },
    ]);
  });
});
