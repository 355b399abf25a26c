/**
 * The Action's own steps, in this process and in their order, with a program in the place of the measuring one. What
 * connects them is read from action.yml by the tests of its steps.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { ACTIONS_BOT, type FakeGithub, startFakeGithub, TOKEN } from '../../fixtures/github/server.ts';
import { main } from '../../src/cli/main.ts';
import { JOBS } from '../../src/cli/world.ts';
import { fakeWorld } from '../cli/fake-world.ts';
import { commandsIn, type RunnerCommand } from './commands.ts';
import { readOutputs } from './job-files.ts';
import type { ActionForm } from './runner.ts';

type Texts = Readonly<Record<string, string>>;

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const SHA = 'b'.repeat(40);
export const ARTIFACT = 'https://github.com/octo/shop/actions/runs/42/artifacts/9';

/** What the program in place of Quiesce does. */
export interface Faked {
  /** Stored as the result. */
  readonly result?: unknown;
  readonly exit?: number;
  readonly says?: string;
  /** What it tells the program that started it. */
  readonly problem?: string;
  /** The job is ended once it runs: it waits for that, and fails when it does not come. */
  readonly ended?: boolean;
}

/** In place of Quiesce: notes how it was called, says and stores what the test wants, and ends as it wants. */
const FAKE = `
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [folder, ...args] = process.argv.slice(2);
writeFileSync(folder + '/args.json', JSON.stringify(args));
writeFileSync(folder + '/env.json', JSON.stringify(process.env));
const { exit, says, problem, ended } = JSON.parse(readFileSync(folder + '/faked.json', 'utf8'));
if (ended) {
  const late = setTimeout(() => process.exit(99), 20_000);
  const asked = new Promise((resolve) => process.once('SIGTERM', resolve));
  console.error('running');
  await asked;
  clearTimeout(late);
}
const out = args.filter((each) => each.startsWith('--out=')).at(-1).replace('--out=', '');
if (existsSync(folder + '/result.json')) {
  mkdirSync(out, { recursive: true });
  copyFileSync(folder + '/result.json', out + '/result.json');
}
if (problem !== undefined) await new Promise((resolve) => process.send({ problem }, resolve));
process.stderr.write(says, () => process.exit(exit));
`;

/** What became of one step. */
export interface StepDone {
  readonly code: number;
  readonly log: string;
}

/** What became of a job. */
export interface JobDone {
  readonly outcome: 'success' | 'failure';
  readonly outputs: Texts;
  readonly steps: Readonly<Record<string, StepDone>>;
  readonly summary: string;
  readonly commands: readonly RunnerCommand[];
  /** Names of artifacts and what is in them. */
  readonly uploads: readonly { readonly name: string; readonly path: string }[];
}

/** A folder to work in, and a GitHub that is told. */
export interface Place {
  readonly folder: string;
  readonly work: string;
  readonly hub: FakeGithub;
  /** Changes what the event says. */
  event(event: unknown): Promise<void>;
  act(inputs: Texts, faked?: Faked, env?: Texts): Promise<JobDone>;
  /** How the fake was called. */
  args(): Promise<readonly string[]>;
  /** The environment that the fake was called in. */
  env(): Promise<Texts>;
  close(): Promise<void>;
}

const action = parse(await readFile(path.join(ROOT, 'action.yml'), 'utf8')) as ActionForm;
const DEFAULTS = Object.fromEntries(
  Object.entries(action.inputs).map(([name, { default: usual = '' }]) => [name, usual]),
);

export async function startPlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-action-'));
  const work = path.join(folder, 'work');
  await mkdir(work);
  await writeFile(path.join(folder, 'fake.mjs'), FAKE);
  const hub = await startFakeGithub({
    pulls: [{ number: 7, head: { label: 'octo:topic', sha: SHA } }],
    tokens: { [TOKEN]: { account: ACTIONS_BOT }, fork: { account: ACTIONS_BOT, mayWrite: false } },
  });
  const event = (of: unknown) => writeFile(path.join(folder, 'event.json'), JSON.stringify(of));
  await event({ pull_request: { number: 7, head: { sha: SHA } } });
  const json = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8'));
  return {
    folder,
    work,
    hub,
    event,
    args: () => json('args.json'),
    env: () => json('env.json'),
    async close() {
      await hub.close();
      await rm(folder, { recursive: true, force: true });
    },
    async act(inputs, { result, exit = 0, says = '', problem, ended = false } = {}, env = {}) {
      if (result !== undefined) await writeFile(path.join(folder, 'result.json'), JSON.stringify(result));
      await writeFile(path.join(folder, 'faked.json'), JSON.stringify({ exit, says, problem, ended }));
      return runSteps({ ...DEFAULTS, 'github-token': TOKEN, ...inputs }, ended, {
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: hub.url,
        GITHUB_REPOSITORY: 'octo/shop',
        GITHUB_RUN_ID: '42',
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_EVENT_PATH: path.join(folder, 'event.json'),
        GITHUB_BASE_REF: 'main',
        PATH: process.env.PATH ?? '',
        ...env,
      });
    },
  };

  async function runSteps(inputs: Texts, ended: boolean, env: Texts): Promise<JobDone> {
    const steps: Record<string, StepDone> = {};
    let summary = '';
    const step = async (name: string, own: Texts): Promise<Texts> => {
      const [GITHUB_OUTPUT = '', GITHUB_STEP_SUMMARY = '', GITHUB_ENV = '', GITHUB_PATH = '', GITHUB_STATE = ''] = [
        ...['outputs', 'summary', 'variables', 'paths', 'state'].map((name) => path.join(folder, name)),
      ];
      const files = { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, GITHUB_ENV, GITHUB_PATH, GITHUB_STATE };
      for (const file of Object.values(files)) await writeFile(file, '');
      const world = fakeWorld({
        env: { ...env, ...own, ...files },
        cwd: work,
        program: [process.execPath, path.join(folder, 'fake.mjs'), folder],
        jobs: { github: JOBS.github },
      });
      // As a runner ends a job: once the program runs.
      const { write } = world.stdout;
      const stdout = {
        write(text: string) {
          write(text);
          if (ended && text.includes('running')) world.signals.emit('SIGINT');
        },
      };
      const code = await main(['action', name], { ...world, stdout });
      steps[name] = { code, log: world.written.stdout + world.written.stderr };
      summary += await readFile(files.GITHUB_STEP_SUMMARY, 'utf8');
      return readOutputs(await readFile(files.GITHUB_OUTPUT, 'utf8'));
    };
    const { 'github-token': token = '', ...others } = inputs;
    const planned = await step('plan', { ACTION_INPUTS: JSON.stringify(others) });
    const { plan = '', artifact = '' } = planned;
    const measured = plan === '' ? {} : await step('measure', { ACTION_PLAN: plan });
    const { out = '', fresh } = measured;
    const uploads = artifact !== '' && fresh === 'true' ? [{ name: artifact, path: out }] : [];
    const told =
      fresh !== 'true'
        ? {}
        : await step('publish', {
            ACTION_PLAN: plan,
            ACTION_EXIT_CODE: measured['exit-code'] ?? '',
            ACTION_REPORT_URL: uploads.length > 0 ? ARTIFACT : '',
            GITHUB_TOKEN: token,
          });
    return {
      outcome: Object.values(steps).every(({ code }) => code === 0) ? 'success' : 'failure',
      outputs: { ...told, 'exit-code': measured['exit-code'] ?? planned['exit-code'] ?? '' },
      steps,
      summary,
      commands: Object.values(steps).flatMap(({ log }) => commandsIn(log)),
      uploads,
    };
  }
}
