import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { convertWorkflowTemplate, ErrorPolicy } from '@actions/workflow-parser/model/convert';
import { parse } from 'yaml';
import { filesIn, textOf } from './places.ts';

/** One step of a job. */
export interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A workflow as YAML has it, so far as these tests look. */
export interface Workflow {
  readonly name: string;
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[];
        readonly if?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly 'timeout-minutes'?: number;
        readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly unknown[]>> };
        readonly steps: readonly Step[];
      }
    >
  >;
}

/** The action itself. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
}

/** How examples name this repository's action. */
export const OURS = 'quiesce/quiesce@v0';

/** All workflows, by file. */
export const WORKFLOWS: readonly string[] = filesIn('examples/github', '.yml');

/** Those that this repository runs itself. */
export const OWN_WORKFLOWS: readonly string[] = filesIn('.github/workflows', '.yml');

/** What is in a workflow, not checked. */
export const workflowIn = (file: string): Workflow => parse(textOf(file)) as Workflow;

/** The actions that a text names by commit, with the version behind them. */
export const pinsIn = (text: string): readonly { readonly uses: string; readonly version: string }[] =>
  [...text.matchAll(/\buses: (\S+@[0-9a-f]{40}) # (v\d+\.\d+\.\d+)$/gm)].map(([, uses = '', version = '']) => ({
    uses,
    version,
  }));

/** What is in action.yml, not checked. */
export const action = (): Action => parse(textOf('action.yml')) as Action;

/** What GitHub's own parser finds wrong with a workflow: its form, its expressions, its jobs. */
export async function workflowErrors(content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow.yml', content }, new NoOperationTraceWriter());
  // Jobs that need each other are looked at only here; what it finds joins the others.
  if (value) await convertWorkflowTemplate(context, value, undefined, { errorPolicy: ErrorPolicy.TryConversion });
  return context.errors.getErrors().map(({ message }) => message);
}

/** What GitHub's own parser finds wrong with an action.yml. */
export function actionErrors(content: string): readonly string[] {
  const { context } = parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/**
 * What other actions take, out of their action.yml; GitHub only warns of an input that is not there.
 * Source: github.com/actions and github.com/ruby, the versions that examples name.
 */
const OF_OTHERS: Readonly<Record<string, readonly string[]>> = {
  'actions/checkout': ['fetch-depth', 'persist-credentials', 'ref', 'repository', 'path'],
  'actions/setup-node': ['node-version', 'node-version-file', 'cache', 'registry-url'],
  'actions/cache': ['path', 'key', 'restore-keys'],
  'actions/cache/restore': ['path', 'key', 'restore-keys'],
  'actions/cache/save': ['path', 'key'],
  'actions/upload-artifact': ['name', 'path', 'if-no-files-found', 'retention-days', 'overwrite'],
  'ruby/setup-ruby': ['ruby-version', 'bundler-cache', 'working-directory'],
  'actions/download-artifact': ['name', 'pattern', 'path', 'merge-multiple', 'run-id', 'github-token', 'repository'],
};

/** What no parser of workflows sees: inputs that an action does not take, and names that nothing has. */
export function loose({ jobs }: Workflow, { inputs, outputs }: Action): readonly string[] {
  return Object.entries(jobs).flatMap(([id, job]) => {
    const ours = new Set(job.steps.filter(({ uses }) => uses === OURS).map((step) => step.id));
    const known = new Set(job.steps.map((step) => step.id));
    const strange = job.steps.flatMap(({ uses, with: given = {} }) => {
      if (uses === undefined) return [];
      const called = uses === OURS ? uses : (uses.split('@')[0] ?? uses);
      const taken = uses === OURS ? Object.keys(inputs) : OF_OTHERS[called];
      if (taken === undefined) return [`${id}: ${called} is not known here`];
      return Object.keys(given).flatMap((name) => (taken.includes(name) ? [] : [`${id}: ${called} takes no ${name}`]));
    });
    const expressions = JSON.stringify(job);
    const references = [...expressions.matchAll(/\bsteps\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
      ([all, step = '', output = '']) =>
        known.has(step) && (!ours.has(step) || output in outputs) ? [] : [`${id}: there is no ${all}`],
    );
    const matrix = [...expressions.matchAll(/\bmatrix\.([\w-]+)/g)].flatMap(([all, name = '']) =>
      name in (job.strategy?.matrix ?? {}) ? [] : [`${id}: there is no ${all}`],
    );
    return [...strange, ...references, ...matrix];
  });
}
