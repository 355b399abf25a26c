/** action.yml: its steps as a runner takes them, with bash. What they do is in action.test.ts. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIONS_BOT, type FakeGithub, startFakeGithub, TOKEN } from '../../fixtures/github/server.ts';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import { optionsFor } from '../../src/settings/options.ts';
import { pinsIn, workflowIn } from '../examples/workflows.ts';
import { folderForEach } from '../support/folders.ts';
import { auditOf, measuredTarget } from '../support/stored-results.ts';
import { ARTIFACT, ROOT, SHA } from './action-job.ts';
import { type JobForm, type JobOutcome, readAction, runAction } from './runner.ts';

const INSTALLED = `#!/usr/bin/env bash\nexec node "${ROOT}/bin/quiesce.js" "$@"\n`;

const folder = folderForEach('steps');
let hub: FakeGithub;
beforeEach(async () => {
  for (const each of ['work', 'bin', 'temp']) await mkdir(path.join(folder(), each));
  await writeFile(path.join(folder(), 'bin', 'quiesce'), INSTALLED, { mode: 0o755 });
  hub = await startFakeGithub({
    pulls: [{ number: 7, head: { label: 'octo:topic', sha: SHA } }],
    tokens: { [TOKEN]: { account: ACTIONS_BOT } },
  });
  await writeFile(
    path.join(folder(), 'event.json'),
    JSON.stringify({ pull_request: { number: 7, head: { sha: SHA } } }),
  );
});
afterEach(async () => {
  await hub.close();
});

/** What the artifact store was given. */
const uploads: Record<string, string>[] = [];

const environment = () => ({
  PATH: [path.join(folder(), 'bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  GITHUB_API_URL: hub.url,
  GITHUB_REPOSITORY: 'octo/shop',
  GITHUB_RUN_ID: '42',
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_EVENT_PATH: path.join(folder(), 'event.json'),
});

/** The action's steps as a runner takes them. */
async function act(given: Readonly<Record<string, string>>, over: Partial<JobForm> = {}) {
  uploads.length = 0;
  return runAction({
    action: ROOT,
    workspace: path.join(folder(), 'work'),
    temp: path.join(folder(), 'temp'),
    with: given,
    github: { token: TOKEN },
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

const told = ({ commands }: JobOutcome) =>
  commands.map(({ command, properties, message }) => `${command} ${properties.title}: ${message}`);
const stepsOf = ({ steps }: JobOutcome) => Object.fromEntries(steps.map(({ name, outcome }) => [name, outcome]));

/** A job in which an `npm` in place of a registry installs what is called with `quiesce` here. */
async function installing(env: Readonly<Record<string, string>>): Promise<Partial<JobForm>> {
  const tools = path.join(folder(), 'tools');
  await mkdir(tools, { recursive: true });
  const npm = `#!/usr/bin/env bash\nmkdir -p "$3/node_modules/.bin" && cp "${folder()}/bin/quiesce" "$3/node_modules/.bin"\n`;
  await writeFile(path.join(tools, 'npm'), npm, { mode: 0o755 });
  return { env: { ...env, PATH: [tools, env.PATH].join(path.delimiter) } };
}

/** The results of two shards of an audit, which can be joined without a browser. */
async function writeShards(): Promise<void> {
  const targets = ['https://a.example/1', 'https://a.example/2'];
  for (const [i, target] of targets.entries()) {
    const index = i + 1;
    const shard = { index, of: 2, work: 'w', total: 2 };
    const result = { ...auditOf([measuredTarget(target, [1000, 1001, 1002])]), shard, settings: { targets } };
    await mkdir(path.join(folder(), 'work', 'shards', String(index)), { recursive: true });
    await writeFile(path.join(folder(), 'work', 'shards', String(index), 'result.json'), JSON.stringify(result));
  }
}

describe('the file', () => {
  it('lets no input into a script', async () => {
    const { runs } = await readAction(ROOT);
    expect(runs.using).toBe('composite');
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  });

  it('gives the token to the step that publishes, and to no other', async () => {
    const { runs } = await readAction(ROOT);
    const given = runs.steps.filter((step) => /github-token|toJSON\(inputs\)|github\.token/.test(JSON.stringify(step)));
    expect(given.map(({ id }) => id)).toEqual(['publish']);
  });

  it('plans with every other input', async () => {
    const { inputs, runs } = await readAction(ROOT);
    const given = runs.steps.find(({ id }) => id === 'plan')?.env?.ACTION_INPUTS ?? '';
    const named = [...given.matchAll(/"([\w-]+)": \$\{\{ toJSON\(inputs\.([\w-]+)\) \}\}/g)];
    for (const [, key, input] of named) expect(key).toBe(input);
    expect(named.map(([, key]) => key).toSorted()).toEqual(
      Object.keys(inputs)
        .filter((name) => name !== 'github-token')
        .toSorted(),
    );
  });

  it('names steps, inputs and outputs that are there, and actions by their version', async () => {
    const text = await readFile(path.join(ROOT, 'action.yml'), 'utf8');
    const { inputs, outputs, runs } = await readAction(ROOT);
    const ids = runs.steps.flatMap(({ id }) => id ?? []);
    for (const [, id] of text.matchAll(/steps\.([\w-]+)\./g)) expect(ids).toContain(id);
    for (const [, name] of text.matchAll(/(?<![\w-])inputs\.([\w-]+)/g)) expect(Object.keys(inputs)).toContain(name);
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
      else expect(pinsIn(text).map((pin) => pin.uses)).toContain(uses);
    }
  });

  it('takes inputs that something reads: the action itself, or the option of that name', async () => {
    const { inputs } = await readAction(ROOT);
    const own = ['base', 'candidate', 'audit', 'merge', 'args', 'working-directory', 'github-token', 'artifact-name'];
    const commands = ['audit', 'compare', 'merge', 'github'] as const;
    const flags = commands.flatMap((command) => optionsFor(command).map(({ flag }) => flag.replace(/^--(?:no-)?/, '')));
    for (const name of Object.keys(inputs)) expect([...own, ...flags]).toContain(name);
    for (const name of own) expect(Object.keys(inputs)).toContain(name);
  });
});

describe('the steps', () => {
  it('hand inputs on, keep the report, and tell GitHub of it', async () => {
    await writeShards();
    const job = await act({ merge: 'shards', out: 'o ut', 'comment-key': 'a' });
    expect(job.outcome, job.steps.map(({ log }) => log).join('')).toBe('success');
    expect(stepsOf(job)).toEqual({
      'Look for Node.js': 'success',
      'Set up Node.js': 'skipped',
      'Make Quiesce available': 'success',
      'Read the inputs': 'success',
      Measure: 'success',
      'Keep the report': 'success',
      'Publish the result': 'success',
    });
    const out = path.join(folder(), 'work', 'o ut');
    expect(uploads).toEqual([{ name: 'quiesce-report', path: out, overwrite: 'true' }]);
    expect(job.outputs).toEqual({
      decision: 'complete',
      'page-complete-difference': '',
      'report-path': path.join(out, 'index.html'),
      'result-path': path.join(out, 'result.json'),
      'comment-url': hub.comments[0]?.html_url,
      'exit-code': '0',
    });
    expect(hub.comments[0]?.body).toContain(`[**Full report**](<${ARTIFACT}>)`);
    expect(job.summary).toContain('https://a.example/2');
  });

  it('end where an input is wrong, with all that is to be said', async () => {
    const job = await act({ merge: 'shards', 'fail-on': 'always' });
    expect([job.outcome, job.outputs['exit-code'], job.outputs.decision]).toEqual(['failure', '2', '']);
    expect(told(job)).toEqual(['error Quiesce: fail-on: must be broken, slower, budget or never, not "always".']);
    expect(stepsOf(job)).toMatchObject({
      'Read the inputs': 'failure',
      Measure: 'skipped',
      'Publish the result': 'skipped',
    });
    expect(job.summary).toContain('### ⛔ Nothing was measured');
  });

  it('end where nothing is measured, with the exit code of that', async () => {
    const job = await act({ merge: 'nowhere' });
    expect([job.outcome, job.outputs['exit-code'], job.outputs.decision]).toEqual(['failure', '2', '']);
    expect(told(job)).toEqual([expect.stringMatching(/^error Quiesce: .*nowhere/)]);
    expect(stepsOf(job)).toMatchObject({
      Measure: 'failure',
      'Keep the report': 'skipped',
      'Publish the result': 'skipped',
    });
    expect(uploads).toEqual([]);
  });

  it('reach GitHub through the proxy of the runner', async () => {
    await writeShards();
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
      await act({ merge: 'shards' }, { env });
      expect(asked).toContain(new URL(hub.url).host);
      expect(hub.comments).toHaveLength(1);
    } finally {
      await closeOn(proxies);
    }
  });

  it('can be two jobs: one that measures without a token that writes, and one that comments without the repository', async () => {
    await writeShards();
    const measured = await act({ merge: 'shards', comment: 'false' }, { github: { token: 'reads-only' } });
    expect([measured.outcome, hub.seen, uploads.length]).toEqual(['success', [], 1]);
    const other = path.join(folder(), 'other-machine');
    await cp(uploads[0]?.path ?? '', path.join(other, 'quiesce-report'), { recursive: true });
    await rm(path.join(folder(), 'work'), { recursive: true });
    const { steps } = workflowIn('examples/github/compare-in-two-jobs.yml').jobs.comment ?? { steps: [] };
    const { run = '' } = steps.at(-1) ?? {};
    const REPORT = 'https://github.com/octo/shop/actions/runs/42#artifacts';
    const env = { ...environment(), GITHUB_ACTIONS: 'true', GITHUB_TOKEN: TOKEN, REPORT };
    await promisify(execFile)('bash', ['-e', '-c', run], { cwd: other, env });
    expect(hub.comments.map(({ body }) => body)).toEqual([expect.stringContaining(`[**Full report**](<${REPORT}>)`)]);
  });

  it('give the signal that ends a job to Quiesce itself', async () => {
    // It is started in the place of the shell, so it is the process that the runner knows.
    const program = `#!/usr/bin/env bash\nif [ "$2" = plan ]; then exec node "${ROOT}/bin/quiesce.js" "$@"; fi\nps -o comm= -p "$PPID" > "${folder()}/parent"\nexit 3\n`;
    await writeFile(path.join(folder(), 'bin', 'quiesce'), program, { mode: 0o755 });
    const job = await act({ base: 'a', candidate: 'b' });
    expect(stepsOf(job).Measure).toBe('failure');
    expect(await readFile(path.join(folder(), 'parent'), 'utf8')).not.toMatch(/bash/);
  });
});

describe('Quiesce itself', () => {
  /** It is enough to see that it is called. */
  const STUB = `#!/usr/bin/env bash\nif [ "$2" = plan ]; then printf 'plan=x\\n' >> "$GITHUB_OUTPUT"; else pwd; fi\n`;
  beforeEach(() => writeFile(path.join(folder(), 'bin', 'quiesce'), STUB, { mode: 0o755 }));

  it("is the project's own where it has one, for measuring", async () => {
    const own = path.join(folder(), 'work', 'app', 'node_modules', '.bin');
    await mkdir(own, { recursive: true });
    await cp(path.join(folder(), 'bin', 'quiesce'), path.join(own, 'quiesce'));
    const job = await act({ merge: 'nowhere', 'working-directory': 'app' });
    expect(job.steps[2]?.outputs).toEqual({
      command: path.join(folder(), 'bin', 'quiesce'),
      measuring: path.join(own, 'quiesce'),
    });
    expect(job.steps.find(({ name }) => name === 'Measure')?.log.trim()).toMatch(/work\/app$/);
  });

  it('that a build has put into the work tree does not get the token, and what the steps say to each other', async () => {
    await writeShards();
    await writeFile(path.join(folder(), 'bin', 'quiesce'), INSTALLED, { mode: 0o755 });
    const own = path.join(folder(), 'work', 'node_modules', '.bin');
    await mkdir(own, { recursive: true });
    // The first use of it, in the step that measures, is that of the build.
    const stranger = `#!/usr/bin/env bash\n{ echo "$*"; env; } >> "${folder()}/stolen"\nexec "${folder()}/bin/quiesce" "$@"\n`;
    await writeFile(path.join(own, 'quiesce'), stranger, { mode: 0o755 });
    await writeFile(
      path.join(folder(), 'work', 'quiesce.config.mjs'),
      `import { appendFileSync } from 'node:fs';
       const { env, argv } = process;
       appendFileSync('${folder()}/stolen', argv.slice(2).join(' ') + JSON.stringify(env));
       export default {};`,
    );
    const PATH = [own, environment().PATH].join(path.delimiter);
    for (const env of [environment(), { ...environment(), PATH }]) {
      await writeFile(path.join(folder(), 'stolen'), '');
      const job = await act({ merge: 'shards' }, await installing(env));
      expect(job.outcome, job.steps.map(({ log }) => log).join('')).toBe('success');
      const stolen = await readFile(path.join(folder(), 'stolen'), 'utf8');
      expect(stolen).toMatch(/^action measure$/m);
      expect(stolen).toMatch(/^merge /m);
      expect(stolen).not.toMatch(/action (?:plan|publish)/);
      expect(stolen).not.toContain(TOKEN);
    }
    expect(hub.comments).toHaveLength(1);
  });

  describe('that is not installed', () => {
    const source = () => path.join(folder(), 'source');
    const tools = () => path.join(folder(), 'tools');
    /** A checkout of the action as a runner has it, and `npm` in place of a registry. */
    const prepare = async (install: string) => {
      for (const each of [source(), tools()]) await mkdir(each);
      await cp(path.join(ROOT, 'action.yml'), path.join(source(), 'action.yml'));
      await writeFile(path.join(source(), 'package.json'), '{ "version": "9.8.7", "type": "module" }');
      const npm = `#!/usr/bin/env bash\necho "$PWD: $*" >> "${folder()}/npm"\n${install}\n`;
      await writeFile(path.join(tools(), 'npm'), npm, { mode: 0o755 });
      const PATH = [tools(), path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
      return { action: source(), env: { ...environment(), PATH } };
    };

    it('is the published package of the version of the action, installed anew for each use: a build may have been there', async () => {
      const bin = '"$3/node_modules/.bin"';
      const job = await prepare(`mkdir -p ${bin} && cp "${folder()}/bin/quiesce" ${bin}/quiesce`);
      const commands: string[] = [];
      for (let use = 1; use <= 2; use += 1) {
        const { steps } = await act({ merge: 'nowhere' }, job);
        const { command = '', measuring } = steps[2]?.outputs ?? {};
        expect([measuring, steps[3]?.outcome]).toEqual([command, 'success']);
        expect((await stat(command.replace(/\/node_modules\/.*/, ''))).mode & 0o777).toBe(0o700);
        commands.push(command);
      }
      const folders = commands.map((command) => command.replace(/\/node_modules\/\.bin\/quiesce$/, ''));
      for (const each of folders) expect(path.dirname(each)).toBe(path.join(folder(), 'temp'));
      expect(new Set(folders).size).toBe(2);
      // Not in the work tree, where a file may name another registry.
      expect(await readFile(path.join(folder(), 'npm'), 'utf8')).toBe(
        folders
          .map((each) => `${each}: install --prefix ${each} --ignore-scripts --no-audit --no-fund quiesce@9.8.7\n`)
          .join(''),
      );
    });

    it('and cannot be installed is an annotation, and ends the job', async () => {
      const job = await act({ merge: 'nowhere' }, await prepare('exit 1'));
      expect(told(job)).toEqual([expect.stringMatching(/^error Quiesce: The package quiesce@9\.8\.7 could not/)]);
      expect([job.outcome, job.steps[2]?.code, stepsOf(job).Measure]).toEqual(['failure', 3, 'skipped']);
    });
  });

  it('gets a Node.js where there is none that is new enough', async () => {
    const old = path.join(folder(), 'old');
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
      { merge: 'nowhere' },
      {
        env: { PATH: [old, path.join(folder(), 'bin'), '/usr/bin', '/bin'].join(path.delimiter) },
        uses: { 'actions/setup-node': play, 'actions/upload-artifact': () => ({}) },
      },
    );
    expect(asked).toEqual([{ 'node-version': '24', 'package-manager-cache': 'false' }]);
    expect(stepsOf(job)['Set up Node.js']).toBe('success');
  });
});
