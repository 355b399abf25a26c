import { z } from 'zod';
import { QuiesceError } from '../wording/messages/messages.ts';
import { OPTIONS, type Option, parseText } from './options.ts';

/** The inputs of the GitHub Action by name; empty when nothing is said. */
export type ActionInputs = Readonly<Record<string, string>>;

/** What the event that started the workflow compares with, where it says so. */
export interface ActionEvent {
  /** The branch that a pull request is to be merged into. */
  readonly pullRequestBase?: string | undefined;
  /** The commit that a merge group was made on. */
  readonly mergeGroupBase?: string | undefined;
}

const planSchema = z.strictObject({
  job: z.enum(['audit', 'compare', 'merge']),
  /** Options of the job, as on a command line. */
  options: z.array(z.string()),
  /** What stands behind `--`. */
  targets: z.array(z.string()),
  /** What to build and compare with; it may have to be fetched. */
  baseRef: z.string().optional(),
  /** The folder for the results, as typed. */
  out: z.string(),
  /** The name of the artifact; empty for none. */
  artifact: z.string(),
  /** Options of `quiesce github` by name, as typed. */
  github: z.record(z.string(), z.string()),
});

/** What the steps of the Action do. It holds no token. */
export type ActionPlan = z.infer<typeof planSchema>;

/** Inputs that are not handed on as an option of the same name. */
const OWN = new Set(['base', 'candidate', 'audit', 'merge', 'args', 'out', 'base-ref', 'working-directory']);
/** Inputs of other steps: the code that runs the builds must not see the token. */
const ELSEWHERE = new Set(['github-token', 'artifact-name']);
/** Options that only a comparison of two builds of this repository takes. */
const BUILD_OPTIONS = new Set(['build', 'dist']);

/**
 * What the Action does for these inputs. An input that is not one of the Action's own is the option of the command line
 * with the same name; which command takes it, and what it may say, stands in the list of options.
 *
 * @throws QuiesceError for an input that nothing takes
 */
export function planAction(inputs: ActionInputs, event: ActionEvent): ActionPlan {
  const input = (name: string): string => inputs[name] ?? '';
  const job = input('merge') !== '' ? 'merge' : input('audit') !== '' ? 'audit' : 'compare';
  const targets = {
    merge: [input('merge')],
    audit: linesIn(input('audit')),
    compare: [input('base'), input('candidate')].filter((target) => target !== ''),
  }[job];
  const buildsBoth = job === 'compare' && targets.length === 0;
  const options = linesIn(input('args')).map(joined);
  const github: Record<string, string> = {};
  for (const [name, text] of Object.entries(inputs)) {
    if (text === '' || OWN.has(name) || ELSEWHERE.has(name)) continue;
    const option = optionOfInput(name);
    if (option.commands.includes('github')) github[option.name] = text;
    else if (option.commands.includes(job) && (buildsBoth || !BUILD_OPTIONS.has(name))) {
      options.push(...asTyped(option, name, text));
    }
  }
  // The last value counts, and the steps that follow look for what is written there.
  options.push(
    `--out=${input('out')}`,
    `--format=${job === 'merge' ? 'html,json,md,junit' : 'html,json,har,md,junit'}`,
  );
  const { pullRequestBase, mergeGroupBase } = event;
  const eventBase = pullRequestBase === undefined ? mergeGroupBase : `origin/${pullRequestBase}`;
  const baseRef = buildsBoth ? input('base-ref') || eventBase : undefined;
  const shard = input('shard').replace(/[^A-Za-z0-9]/g, '-of-');
  const artifact = input('artifact-name') === '' ? '' : [input('artifact-name'), shard].filter(Boolean).join('-');
  return { job, options, targets, baseRef, out: input('out'), artifact, github };
}

/**
 * The inputs as `${{ toJSON(inputs) }}` has them.
 *
 * @throws ZodError or SyntaxError when it is something else, which only a changed action.yml can do
 */
export function readInputs(json: string): ActionInputs {
  return z.record(z.string(), z.string()).parse(JSON.parse(json));
}

/** A plan that an earlier step wrote. @throws ZodError or SyntaxError as `readInputs` */
export function readPlan(json: string): ActionPlan {
  return planSchema.parse(JSON.parse(json));
}

/** The option of an input: `shard` is `--shard`, `comment` is `--no-comment`. */
function optionOfInput(name: string): Option {
  const option = OPTIONS.find(({ flag }) => flag === `--${name}` || flag === `--no-${name}`);
  if (option === undefined) throw new QuiesceError('action-input-unknown', { option: name });
  return option;
}

/** An input as words of a command line; one for each line where the option may be repeated. */
function asTyped(option: Option, name: string, text: string): readonly string[] {
  const { flag, kind, repeatable = false } = option;
  if (kind !== 'switch') return (repeatable ? linesIn(text) : [text]).map((value) => `${flag}=${value}`);
  const isOn = parseText(option, text);
  if (typeof isOn !== 'boolean') {
    throw new QuiesceError('option-invalid', { option: name, detail: `must be true or false, not "${text}"` });
  }
  return isOn === flag.startsWith('--no-') ? [] : [flag];
}

/** A line is a word, without the blanks around it. */
const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `--max-pairs 20` stands in one line, and is one word then. */
const joined = (line: string): string => line.replace(/^(--[a-z-]+)\s+(?!-)/, '$1=');
