import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIONS_BOT, type FakeGithub, startFakeGithub, TOKEN } from '../../fixtures/github/server.ts';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import { comparisonReport } from '../report/comparison.ts';
import { auditOf, measuredTarget } from '../stored-results.ts';
import { type JobForm, type JobOutcome, readAction, runAction } from './runner.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHA = 'b'.repeat(40);
const ARTIFACT = 'https://github.com/octo/shop/actions/runs/42/artifacts/9';

/**
 * In place of a browser: notes how it was called, says and stores what the test wants, and ends as it wants. What it is
 * told to tell GitHub the real one tells.
 */
const FAKE = `#!/usr/bin/env bash
if [ "$1" = github ]; then exec node "${ROOT}bin/quiesce.js" "$@"; fi
printf '%s\\n' "$@" > "$FAKE_FOLDER/args"
out=.
while [ "$#" -gt 0 ]; do if [ "$1" = --out ]; then out="$2"; fi; shift; done
# As a runner that ends the job: it tells the shell of the step, and nobody else.
if [ -f "$FAKE_FOLDER/ends-job" ]; then
  # It may be passed on before there is anything to wait for.
  trap 'told=true; kill "$!"' TERM
  sleep 60 > /dev/null 2>&1 &
  kill -TERM "$PPID"
  wait
  if [ "$told" != true ]; then exit 1; fi
fi
if [ -f "$FAKE_FOLDER/result.json" ]; then mkdir -p "$out"; cp "$FAKE_FOLDER/result.json" "$out/result.json"; fi
cat "$FAKE_FOLDER/says" >&2
exit "$(cat "$FAKE_FOLDER/exit")"
`;

let folder: string;
let hub: FakeGithub;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-action-'));
  for (const each of ['work', 'bin', 'temp']) await mkdir(path.join(folder, each));
  await writeFile(path.join(folder, 'bin', 'quiesce'), FAKE);
  await chmod(path.join(folder, 'bin', 'quiesce'), 0o755);
  hub = await startFakeGithub({
    pulls: [{ number: 7, head: { label: 'octo:topic', sha: SHA } }],
    tokens: { [TOKEN]: { account: ACTIONS_BOT }, fork: { account: ACTIONS_BOT, mayWrite: false } },
  });
  await writeFile(path.join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7, head: { sha: SHA } } }));
});
afterEach(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

interface Faked {
  readonly result?: unknown;
  readonly exit?: number;
  readonly says?: string;
}

/** What the artifact store was given. */
const uploads: Record<string, string>[] = [];

const environment = () => ({
  PATH: [path.join(folder, 'bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  FAKE_FOLDER: folder,
  GITHUB_API_URL: hub.url,
  GITHUB_REPOSITORY: 'octo/shop',
  GITHUB_RUN_ID: '42',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_EVENT_PATH: path.join(folder, 'event.json'),
});

/** The action's steps as a runner takes them, with the fake in place of a browser. */
async function act(given: Readonly<Record<string, string>>, faked: Faked = {}, over: Partial<JobForm> = {}) {
  const { result, exit = 0, says = '' } = faked;
  if (result !== undefined) await writeFile(path.join(folder, 'result.json'), JSON.stringify(result));
  await writeFile(path.join(folder, 'says'), says);
  await writeFile(path.join(folder, 'exit'), String(exit));
  uploads.length = 0;
  return runAction({
    action: ROOT,
    workspace: path.join(folder, 'work'),
    temp: path.join(folder, 'temp'),
    with: given,
    github: { token: TOKEN, base_ref: 'main' },
    env: environment(),
    uses: {
      'actions/setup-node': () => ({}),
      'actions/upload-artifact': (inputs) => {
        uploads.push({ ...inputs });
        return { 'artifact-url': ARTIFACT };
      },
    },
    ...over,
  });
}

const args = async () => (await readFile(path.join(folder, 'args'), 'utf8')).trimEnd().split('\n');
const told = ({ commands }: JobOutcome) =>
  commands.map(({ command, properties, message }) => `${command} ${properties.title}: ${message}`);
const stepsOf = ({ steps }: JobOutcome) => Object.fromEntries(steps.map(({ name, outcome }) => [name, outcome]));
const slower = () => comparisonReport().result;

describe('the file', () => {
  it('lets no input into a script', async () => {
    const { runs } = await readAction(ROOT);
    expect(runs.using).toBe('composite');
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  });

  it('names steps, inputs and outputs that are there, and actions by their version', async () => {
    const text = await readFile(path.join(ROOT, 'action.yml'), 'utf8');
    const { inputs, outputs, runs } = await readAction(ROOT);
    const ids = runs.steps.flatMap(({ id }) => id ?? []);
    for (const [, id] of text.matchAll(/steps\.([\w-]+)\./g)) expect(ids).toContain(id);
    for (const [, name] of text.matchAll(/inputs\.([\w-]+)/g)) expect(Object.keys(inputs)).toContain(name);
    for (const name of Object.keys(inputs)) expect(text).toContain(`inputs.${name} `);
    for (const each of [...Object.values(inputs), ...Object.values(outputs)]) expect(each.description).toMatch(/\w{3}/);
    expect(Object.keys(outputs)).toEqual([
      'decision',
      'page-complete-difference',
      'report-path',
      'result-path',
      'comment-url',
      'exit-code',
    ]);
    for (const { uses, shell, name } of runs.steps) {
      expect(name).toMatch(/\w/);
      if (uses === undefined) expect(shell).toBe('bash');
      else expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/);
    }
  });
});

describe('a comparison', () => {
  it('is measured, kept, told and commented on; a gate that fails fails the job', async () => {
    const job = await act({ base: 'https://main.example/', candidate: './dist' }, { result: slower(), exit: 1 });
    expect(job.outcome).toBe('failure');
    expect(await args()).toEqual([
      ...['compare', '--out', 'quiesce-report', '--format', 'html,json,har,md,junit'],
      ...['--', 'https://main.example/', './dist'],
    ]);
    expect(stepsOf(job)).toEqual({
      'Look for Node.js': 'success',
      'Set up Node.js': 'skipped',
      'Make Quiesce available': 'success',
      Measure: 'success',
      'Keep the report': 'success',
      'Tell GitHub': 'failure',
    });
    const out = path.join(folder, 'work', 'quiesce-report');
    expect(uploads).toEqual([{ name: 'quiesce-report', path: out, overwrite: 'true' }]);
    expect(job.outputs).toEqual({
      decision: 'slower',
      'page-complete-difference': expect.stringMatching(/^0\.08\d\d$/),
      'report-path': '',
      'result-path': path.join(out, 'result.json'),
      'comment-url': hub.comments[0]?.html_url,
      'exit-code': '1',
    });
    expect(hub.comments[0]?.body).toContain(`[**Full report**](<${ARTIFACT}>)`);
    expect(job.summary).toContain('### 🔴 Slower');
    expect(told(job)).toEqual([
      expect.stringMatching(/^error Page complete: the gate fails: Page complete is 8\.\d % slower/),
    ]);
  });

  it.each([
    ['never', 'success'],
    ['budget', 'success'],
    ['slower', 'failure'],
  ])('with fail-on %s ends in %s', async (rule, outcome) => {
    const job = await act(
      { base: 'a', candidate: 'b', 'fail-on': rule, comment: 'false' },
      { result: slower(), exit: 1 },
    );
    expect(job.outcome).toBe(outcome);
    expect(hub.seen).toEqual([]);
  });

  it("with a fork's token is told without a comment, and fails nothing", async () => {
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await act({ base: 'a', candidate: 'b', 'github-token': 'fork', 'artifact-name': '' }, { result });
    expect(job.outcome).toBe('success');
    expect(told(job)).toEqual([
      expect.stringMatching(/^notice Same: /),
      expect.stringMatching(/^notice Quiesce: No comment was written: the token may only read/),
    ]);
    expect(job.summary).toContain('### ⚪ The same');
    expect(uploads).toEqual([]);
  });

  it('that is undecided warns', async () => {
    const { result } = comparisonReport({ outcome: 'unsure' });
    const job = await act({ base: 'a', candidate: 'b' }, { result, exit: 4 });
    expect([job.outcome, job.outputs.decision, job.outputs['exit-code']]).toEqual(['success', 'unsure', '4']);
    expect(told(job)).toEqual([expect.stringMatching(/^warning Undecided: /)]);
  });
});

describe('where it belongs', () => {
  it('is the pull request that is named, where the event has none', async () => {
    await writeFile(path.join(folder, 'event.json'), JSON.stringify({ issue: { number: 7 } }));
    const job = await act(
      { base: 'a', candidate: 'b', pull: '7' },
      { result: comparisonReport({ outcome: 'same' }).result },
    );
    expect([job.outcome, hub.comments.length]).toEqual(['success', 1]);
    expect(job.outputs['comment-url']).toContain('/pull/7#');
  });

  it('is what the merge group was made on, where there is no pull request to build for', async () => {
    const github = { base_ref: '', token: TOKEN, event: { merge_group: { base_sha: SHA } } };
    await act({ build: 'make', dist: 'dist' }, { result: slower() }, { github });
    expect((await args()).join(' ')).toContain(`--base-ref ${SHA} --build make --dist dist`);
  });

  it('is reached through the proxy of the runner', async () => {
    const asked: string[] = [];
    const proxies = await listenOn(
      () =>
        createServer().on('connect', (request, socket: Duplex) => {
          asked.push(request.url ?? '');
          const [host, port] = (request.url ?? '').split(':');
          const on = connect(Number(port), host, () => {
            socket.write('HTTP/1.1 200 OK\r\n\r\n');
            on.pipe(socket).pipe(on);
          });
          for (const each of [on, socket]) each.on('error', () => each.destroy());
        }),
      0,
    );
    try {
      const env = { ...environment(), http_proxy: `http://127.0.0.1:${portOf(proxies)}` };
      const { result } = comparisonReport({ outcome: 'same' });
      await act({ base: 'a', candidate: 'b' }, { result }, { env });
      expect(asked).toContain(new URL(hub.url).host);
      expect(hub.comments).toHaveLength(1);
    } finally {
      await closeOn(proxies);
    }
  });
});

describe('other jobs', () => {
  const audit = auditOf([measuredTarget('https://a.example/', [1000, 1001, 1002])]);

  it('audit addresses, one a line, with options, one a line; nothing of them is read by the shell', async () => {
    const evil = '$(touch pwned) `touch pwned`; touch pwned #';
    const job = await act(
      {
        audit: `\n  https://a.example/?x=1&y  \r\n--runs=9\n${evil}\n`,
        args: `--runs=3\n--header  X: a b\n--out=elsewhere\n\n  ${evil}`,
        out: 'o ut',
      },
      { result: audit },
    );
    expect(await args()).toEqual([
      ...['audit', '--runs=3', '--header=X: a b', '--out=elsewhere', evil],
      ...['--out', 'o ut', '--format', 'html,json,har,md,junit'],
      ...['--', 'https://a.example/?x=1&y', '--runs=9', evil],
    ]);
    expect(job).toMatchObject({ outcome: 'success', outputs: { decision: 'complete' } });
    expect(job.outputs['result-path']).toBe(path.join(folder, 'work', 'o ut', 'result.json'));
    expect(await readFile(path.join(folder, 'work', 'pwned')).catch(() => 'nothing')).toBe('nothing');
  });

  it('a share of it has an artifact of its own, a short summary and no comment', async () => {
    const result = { ...audit, shard: { index: 2, of: 4, work: 'w', total: 4 } };
    const job = await act({ audit: 'https://a.example/', shard: '2/4' }, { result });
    expect((await args()).join(' ')).toContain('--shard 2/4 -- https://a.example/');
    expect(uploads.map(({ name }) => name)).toEqual(['quiesce-report-2-of-4']);
    expect(job.summary).toMatch(/^\n### Shard 2 of 4\n\n1 of 4 pages was measured here\./);
    expect([job.outcome, hub.seen]).toEqual(['success', []]);
  });

  it('shards are merged', async () => {
    const { result } = comparisonReport({ outcome: 'faster', unchanged: true });
    const job = await act({ merge: 'shards', shard: '1/4' }, { result });
    expect(await args()).toEqual([
      'merge',
      '--out',
      'quiesce-report',
      '--format',
      'html,json,md,junit',
      '--',
      'shards',
    ]);
    expect(job.outputs.decision).toBe('faster');
  });
});

describe('what goes wrong', () => {
  const wrong = 'quiesce: --runs: must be a whole number from 1 to 1000, not "100%".\n';

  it('in the configuration fails the job with the line that says why', async () => {
    const job = await act({ audit: 'https://a.example/', 'fail-on': 'never' }, { exit: 2, says: `progress\n${wrong}` });
    expect(job).toMatchObject({ outcome: 'failure', outputs: { decision: '', 'exit-code': '2' } });
    expect(job.steps.at(-1)?.code).toBe(2);
    expect(told(job)).toEqual([`error Quiesce: ${wrong.trim().replace('quiesce: ', '')}`]);
    expect(job.summary).toContain('### ⛔ Nothing was measured');
    expect(job.summary).toContain(`    ${wrong}`);
    expect(uploads).toEqual([]);
  });

  it.each([
    [{ 'fail-on': 'always' }, 'fail-on: must be slower, budget or never, not "always".'],
    [{ comment: 'yes' }, 'comment: must be true or false, not "yes".'],
    [{ 'comment-key': 'a b' }, /^error Quiesce: comment-key: must be up to 64 letters/],
    [{ pull: '#7' }, 'pull: must be the number of a pull request.'],
  ])('in %j is said before anything is measured', async (given, line) => {
    const job = await act({ base: 'a', candidate: 'b', ...given }, { result: slower() });
    expect(told(job)).toEqual([typeof line === 'string' ? `error Quiesce: ${line}` : expect.stringMatching(line)]);
    expect([job.outcome, job.outputs['exit-code'], await args().catch(() => 'not run')]).toEqual([
      'failure',
      '2',
      'not run',
    ]);
  });

  it('from outside, which ends the job, leaves what was measured until then, and no comment', async () => {
    await writeFile(path.join(folder, 'ends-job'), '');
    const { result } = comparisonReport({ outcome: 'unsure', interrupted: true });
    const job = await act({ base: 'a', candidate: 'b' }, { result, exit: 143, says: 'ending\n::error::forged\n' });
    expect([job.outcome, job.outputs.decision, job.outputs['exit-code']]).toEqual(['failure', 'unsure', '143']);
    expect(job.steps.find(({ name }) => name === 'Measure')?.log).toContain('ending');
    expect(told(job)).toContainEqual(expect.stringMatching(/^warning Ended early: /));
    expect(told(job)).not.toContainEqual(expect.stringContaining('forged'));
    expect([uploads.length, hub.seen]).toEqual([1, []]);
  });

  it('with the page fails the job under every rule', async () => {
    const target = measuredTarget('https://a.example/', [1]);
    const failure = { code: 'no-answer', message: 'It did not answer.' };
    const runs = target.runs.map(({ index, role }) => ({ index, role, ok: false, failure }));
    const result = auditOf([{ ...target, runs }]);
    const job = await act({ audit: 'https://a.example/', 'fail-on': 'never' }, { result, exit: 3 });
    expect(job.steps.at(-1)?.code).toBe(3);
    expect(told(job)).toEqual(['error Not measured: It did not answer.']);
  });

  it('with the disk, while the result looks well, still fails the job', async () => {
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await act({ base: 'a', candidate: 'b' }, { result, exit: 3 });
    expect(job.steps.at(-1)?.code).toBe(3);
  });

  it('leaves no answer of an earlier run', async () => {
    await mkdir(path.join(folder, 'work', 'quiesce-report'));
    await writeFile(path.join(folder, 'work', 'quiesce-report', 'result.json'), JSON.stringify(slower()));
    const job = await act({ base: 'a', candidate: 'b' }, { exit: 3, says: 'quiesce: No such host: x.\n' });
    expect([job.outputs.decision, job.steps.at(-1)?.code, hub.seen.length, uploads.length]).toEqual(['', 3, 0, 0]);
    expect(job.summary).not.toContain('Slower');
  });

  it('cannot be said without a result, whatever was ended with', async () => {
    const job = await act({ base: 'a', candidate: 'b' }, { exit: 0 });
    expect(job.steps.at(-1)?.code).toBe(3);
    expect(told(job)).toEqual(['error Quiesce: Nothing was measured: the log says why.']);
  });

  it('lets no page speak to the runner, or into the summary', async () => {
    const evil = `${'x'.repeat(2e6)}\n::error::forged\n##[set-output name=decision;]faster\n\r# head\u001b[31m\n@octocat\nquiesce: a\r::warning::b`;
    const job = await act({ base: 'a', candidate: 'b' }, { exit: 3, says: evil });
    expect(told(job)).toEqual(['error Quiesce: a::warning::b']);
    expect(job.outputs.decision).toBe('');
    const lines = job.summary.split(/\r|\n/).filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith('    '))).toEqual(['### ⛔ Nothing was measured']);
    expect(job.summary.length).toBeLessThan(100_000);
  });
});

describe('Quiesce itself', () => {
  it("is the project's own where it has one", async () => {
    const own = path.join(folder, 'work', 'app', 'node_modules', '.bin');
    await mkdir(own, { recursive: true });
    await cp(path.join(folder, 'bin', 'quiesce'), path.join(own, 'quiesce'));
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await act({ base: 'a', candidate: 'b', 'working-directory': 'app' }, { result });
    expect(job.steps[2]?.outputs).toEqual({ command: path.join(own, 'quiesce') });
    expect(job.outputs['result-path']).toBe(path.join(folder, 'work', 'app', 'quiesce-report', 'result.json'));
  });

  it('is else built from the source of the action, once, in a copy', async () => {
    const source = path.join(folder, 'source');
    await mkdir(path.join(source, 'bin'), { recursive: true });
    await cp(path.join(ROOT, 'action.yml'), path.join(source, 'action.yml'));
    await cp(path.join(folder, 'bin', 'quiesce'), path.join(source, 'bin', 'quiesce.js'));
    // In place of a registry and a compiler.
    const tools = path.join(folder, 'tools');
    await mkdir(tools);
    const npm =
      '#!/usr/bin/env bash\necho "$PWD $*" >> "$FAKE_FOLDER/npm"\nmkdir -p dist/cli && : > dist/cli/main.js\n';
    await writeFile(path.join(tools, 'npm'), npm, { mode: 0o755 });
    const { result } = comparisonReport({ outcome: 'same' });
    const env = {
      PATH: [tools, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter),
      FAKE_FOLDER: folder,
      GITHUB_API_URL: hub.url,
    };
    const built = path.join(folder, 'temp', 'quiesce-action');
    for (let use = 1; use <= 2; use += 1) {
      const job = await act({ base: 'a', candidate: 'b', comment: 'false' }, { result }, { action: source, env });
      expect(job.outcome).toBe('success');
      expect(job.steps[2]?.outputs).toEqual({ command: path.join(built, 'bin', 'quiesce.js') });
    }
    expect(await readFile(path.join(folder, 'npm'), 'utf8')).toBe(
      `${built} ci --include=dev --no-audit --no-fund\n${built} run --silent build\n`,
    );
  });

  it('gets a Node.js where there is none that is new enough', async () => {
    const old = path.join(folder, 'old');
    await mkdir(old);
    // It looks old, and does the rest.
    const node = `#!/bin/sh\ncase "$1" in -e) exit 1 ;; *) exec "${process.execPath}" "$@" ;; esac\n`;
    await writeFile(path.join(old, 'node'), node, { mode: 0o755 });
    const asked: unknown[] = [];
    const play = (inputs: unknown) => {
      asked.push(inputs);
      return {};
    };
    const job = await act(
      { base: 'a', candidate: 'b' },
      {},
      {
        env: { PATH: [old, path.join(folder, 'bin'), '/usr/bin', '/bin'].join(path.delimiter), FAKE_FOLDER: folder },
        uses: { 'actions/setup-node': play, 'actions/upload-artifact': () => ({}) },
      },
    );
    expect(asked).toEqual([{ 'node-version': '24', 'package-manager-cache': 'false' }]);
    expect(stepsOf(job)['Set up Node.js']).toBe('success');
  });
});
