/**
 * A GitHub runner as far as a composite action needs one: expressions, conditions, environment, the files that steps write
 * to, and the commands in what they print. Steps that are scripts are run by bash as GitHub does; those that use other
 * actions are played by stubs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { parse } from 'yaml';
import { commandsIn, type RunnerCommand } from './commands.ts';
import { readOutputs } from './job-files.ts';

type Texts = Readonly<Record<string, string>>;

/** Texts by name, at any depth. */
interface Context {
  readonly [name: string]: string | Context;
}

interface StepForm {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string | boolean;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Texts;
  readonly 'working-directory'?: string;
}

/** An action as its file has it. */
export interface ActionForm {
  readonly inputs: Readonly<Record<string, { readonly description?: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description?: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly StepForm[] };
}

/** What stands in for an action that a step uses: its outputs by its inputs. */
export type Stub = (inputs: Texts) => Texts | Promise<Texts>;

/** A job in which the action is one step. */
export interface JobForm {
  /** Where the action's source lies. */
  readonly action: string;
  /** Where the repository is checked out. */
  readonly workspace: string;
  /** A folder for the runner's own files. */
  readonly temp: string;
  readonly with?: Texts;
  /** The `github` context. */
  readonly github?: Context;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** By the name before `@`. */
  readonly uses: Readonly<Record<string, Stub>>;
}

/** What became of a step. */
export interface StepOutcome {
  readonly name: string;
  readonly outcome: 'success' | 'failure' | 'skipped';
  /** Of scripts. */
  readonly code?: number;
  readonly outputs: Texts;
  /** What it printed. */
  readonly log: string;
}

/** What became of the job. */
export interface JobOutcome {
  readonly outcome: 'success' | 'failure';
  readonly outputs: Texts;
  readonly steps: readonly StepOutcome[];
  /** The summaries of all steps. */
  readonly summary: string;
  /** All that the runner took for commands. */
  readonly commands: readonly RunnerCommand[];
}

/** Reads an action's file. */
export async function readAction(folder: string): Promise<ActionForm> {
  return parse(await readFile(path.join(folder, 'action.yml'), 'utf8')) as ActionForm;
}

/** Runs an action's steps one after another. */
export async function runAction(job: JobForm): Promise<JobOutcome> {
  const action = await readAction(job.action);
  const scope: Scope = {
    inputs: Object.fromEntries(
      Object.entries(action.inputs).map(([name, { default: usual = '' }]) => {
        const fallback = expand(usual, { github: job.github ?? {}, inputs: {}, steps: {}, failed: false });
        return [name, job.with?.[name] ?? fallback];
      }),
    ),
    github: job.github ?? {},
    steps: {},
    failed: false,
  };
  const steps: StepOutcome[] = [];
  let added: readonly string[] = [];
  let summary = '';
  for (const [i, form] of action.runs.steps.entries()) {
    const files = await filesOf(job, i);
    const done = await runStep(form, job, scope, files, added);
    steps.push(done);
    summary += await readFile(files.GITHUB_STEP_SUMMARY, 'utf8');
    added = [...(await readFile(files.GITHUB_PATH, 'utf8')).split('\n').filter(Boolean), ...added];
    if (form.id !== undefined) scope.steps[form.id] = done.outputs;
    if (done.outcome === 'failure') scope.failed = true;
  }
  return {
    outcome: scope.failed ? 'failure' : 'success',
    outputs: mapped(action.outputs, ({ value }) => expand(value, scope)),
    steps,
    summary,
    commands: steps.flatMap(({ log }) => commandsIn(log)),
  };
}

// --- Steps --------------------------------------------------------------------------------------------------------

type StepFiles = Readonly<
  Record<'GITHUB_OUTPUT' | 'GITHUB_STEP_SUMMARY' | 'GITHUB_PATH' | 'GITHUB_ENV' | 'GITHUB_STATE', string>
>;

async function filesOf({ temp }: JobForm, step: number): Promise<StepFiles> {
  const folder = path.join(temp, '_runner_file_commands', String(step));
  await mkdir(folder, { recursive: true });
  const names = ['GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_PATH', 'GITHUB_ENV', 'GITHUB_STATE'] as const;
  const files = names.map((name) => [name, path.join(folder, name.toLowerCase())] as const);
  for (const [, file] of files) await writeFile(file, '');
  return Object.fromEntries(files) as StepFiles;
}

async function runStep(
  form: StepForm,
  job: JobForm,
  scope: Scope,
  files: StepFiles,
  added: readonly string[],
): Promise<StepOutcome> {
  const name = form.name ?? form.id ?? form.uses ?? 'a step';
  if (!isWanted(form.if, scope)) return { name, outcome: 'skipped', outputs: {}, log: '' };
  if (form.uses !== undefined) {
    const stub = job.uses[form.uses.split('@')[0] ?? ''];
    if (stub === undefined) throw new Error(`nobody plays ${form.uses}`);
    const inputs = mapped(form.with ?? {}, (value) => expand(String(value), scope));
    return { name, outcome: 'success', outputs: await stub(inputs), log: '' };
  }
  if (form.shell !== 'bash') throw new Error(`${name}: scripts of composite actions need a shell, and ours is bash`);
  const script = path.join(path.dirname(files.GITHUB_OUTPUT), 'script.sh');
  await writeFile(script, expand(form.run ?? '', scope));
  const own = mapped(form.env ?? {}, (value) => expand(value, scope));
  const cwd = path.resolve(job.workspace, expand(form['working-directory'] ?? '.', scope));
  const { code, log } = await bash(script, cwd, environment(job, files, added, own));
  const outputs = readOutputs(await readFile(files.GITHUB_OUTPUT, 'utf8'));
  return { name, outcome: code === 0 ? 'success' : 'failure', code, outputs, log };
}

function environment(job: JobForm, files: StepFiles, added: readonly string[], own: Texts): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:GITHUB_|RUNNER_|INPUT_|QUIESCE_|CI$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: [...added, job.env?.PATH ?? process.env.PATH].join(path.delimiter),
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: job.workspace,
    GITHUB_ACTION_PATH: job.action,
    GITHUB_BASE_REF: String(job.github?.base_ref ?? ''),
    RUNNER_TEMP: job.temp,
    ...Object.fromEntries(Object.entries(job.env ?? {}).filter(([name]) => name !== 'PATH')),
    ...files,
    ...own,
  };
}

/** Source: GitHub Docs, "Workflow syntax", shell: bash. */
async function bash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<{ code: number; log: string }> {
  const child = spawn('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', script], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, log };
}

// --- Expressions --------------------------------------------------------------------------------------------------

interface Scope {
  readonly inputs: Texts;
  readonly github: Context;
  readonly steps: Record<string, Texts>;
  failed: boolean;
}

/** A step without a word on failures runs only while there was none. */
function isWanted(condition: StepForm['if'], scope: Scope): boolean {
  const text = String(condition ?? 'success()').replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1');
  const speaks = /\b(?:always|success|failure|cancelled)\s*\(/.test(text);
  return truthy(evaluate(speaks ? text : `success() && (${text})`, scope));
}

const truthy = (text: string): boolean => text !== '' && text !== 'false' && text !== '0';

/** A text with its expressions replaced. */
function expand(text: string, scope: Scope): string {
  return text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) => evaluate(expression, scope));
}

function evaluate(expression: string, { inputs, github, steps, failed }: Scope): string {
  const answers: Readonly<Record<string, boolean>> = {
    always: true,
    success: !failed,
    failure: failed,
    cancelled: false,
  };
  const functions = Object.entries(answers).map(([name, answer]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(answer),
  }));
  const contexts = new data.Dictionary(
    { key: 'inputs', value: dictionary(inputs) },
    { key: 'github', value: dictionary(github) },
    {
      key: 'steps',
      value: new data.Dictionary(
        ...Object.entries(steps).map(([key, outputs]) => ({
          key,
          value: new data.Dictionary({ key: 'outputs', value: dictionary(outputs) }),
        })),
      ),
    },
  );
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, ['inputs', 'github', 'steps'], functions).parse();
  const called = new Map(functions.map((each) => [each.name, each]));
  return new Evaluator(tree, contexts, called).evaluate().coerceString();
}

const dictionary = (context: Context): data.Dictionary =>
  new data.Dictionary(
    ...Object.entries(context).map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? new data.StringData(value) : dictionary(value),
    })),
  );

function mapped<T>(of: Readonly<Record<string, T>>, to: (value: T) => string): Texts {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value)]));
}
