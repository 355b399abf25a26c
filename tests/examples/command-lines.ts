import { parse, parseAllDocuments } from 'yaml';
import { planAction } from '../../src/settings/action-inputs.ts';
import { filesIn, textOf } from './places.ts';
import { action, OURS, type Step, WORKFLOWS, workflowIn } from './workflows.ts';

/** A command line that the documentation or an example tells people to type. */
export interface CommandLine {
  /** The file, and where it stands there. */
  readonly from: string;
  /** Behind the program's name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** All of them. */
export function commandLines(): readonly CommandLine[] {
  const documents = ['README.md', ...filesIn('docs', '.md'), ...filesIn('examples', '.md')];
  return [
    ...documents.flatMap((file) => inMarkdown(file, textOf(file))),
    ...WORKFLOWS.flatMap(inWorkflow),
    ...filesIn('examples/gitlab', '.yml').flatMap(inPipeline),
    ...filesIn('examples/kubernetes', '.yaml').flatMap(inManifests),
  ];
}

/** In fenced blocks, one a line, a prompt before it or not; and between backticks, where the words begin with our name. */
function inMarkdown(file: string, text: string): readonly CommandLine[] {
  const lines: string[] = [];
  const prose = text.replace(/^```(\w*)\n(.*?)^```$/gms, (_all, language: string, block: string) => {
    if (['', 'sh', 'bash', 'console'].includes(language)) lines.push(...logicalLines(block));
    return '';
  });
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span.replace(/\s+/g, ' '));
  return [
    ...lines.flatMap((line) => ofOurs(file, line)),
    // A command alone between backticks is only describeEndpoints of.
    ...spans.flatMap((line) => ofOurs(file, line)).filter(({ argv }) => argv.length > 1),
  ];
}

function inWorkflow(file: string): readonly CommandLine[] {
  return Object.values(workflowIn(file).jobs).flatMap(({ steps }) =>
    steps.flatMap((step) => [
      ...logicalLines(withEnvironment(step)).flatMap((line) => ofOurs(file, line)),
      ...(step.uses === OURS ? [{ from: file, argv: typedByTheAction(step), env: {} }] : []),
    ]),
  );
}

/** What an expression may come to. */
const evaluated = (text: string): string =>
  text.replace(/\$\{\{[^}]*_url *\}\}/g, 'https://example.com/').replace(/\$\{\{.*?\}\}/g, '1');

/** The script of a step, the variables of its own put in. */
function withEnvironment({ run = '', env = {} }: Step): string {
  return Object.entries(env).reduce((text, [name, value]) => text.replaceAll(`$${name}`, evaluated(value)), run);
}

/** What the action makes of its inputs; in place of expressions stands what they may come to. */
function typedByTheAction({ with: given = {} }: Step): readonly string[] {
  const usual = Object.entries(action().inputs).map(([name, input]) => [name, input.default ?? ''] as const);
  const typed = Object.entries(given).map(([name, value]) => [name, evaluated(String(value))] as const);
  const { job, options, baseRef, targets } = planAction(Object.fromEntries([...usual, ...typed]), {});
  return [job, ...options, ...(baseRef === undefined ? [] : [`--base-ref=${baseRef}`]), '--', ...targets];
}

function inPipeline(file: string): readonly CommandLine[] {
  const jobs = Object.values(parse(textOf(file)) as Record<string, { readonly script?: readonly string[] } | null>);
  return jobs.flatMap((job) => (job?.script ?? []).flatMap((line) => ofOurs(file, line)));
}

interface Podded {
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: readonly { readonly args?: readonly string[] }[] } };
  };
}

function inManifests(file: string): readonly CommandLine[] {
  const manifests = parseAllDocuments(textOf(file)).map((document) => document.toJS() as Podded);
  return manifests.flatMap(({ spec }) =>
    (spec?.template?.spec.containers ?? []).flatMap(({ args }) =>
      args === undefined
        ? []
        : [{ from: file, argv: args.map((arg) => arg.replace('$(JOB_COMPLETION_INDEX)', '0')), env: {} }],
    ),
  );
}

const logicalLines = (script: string): readonly string[] => script.replace(/\\\n\s*/g, ' ').split('\n');

/** The commands of ours in a line of shell, as a shell would cut it up; quoting and the usual separators are known. */
export function ofOurs(file: string, line: string): readonly CommandLine[] {
  return commandsOf(line).flatMap((words) => {
    const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    const env = Object.fromEntries(words.slice(0, start).map((word) => word.split(/=(.*)/s, 2) as [string, string]));
    const command = words.slice(start);
    if (command[0] === '$' || command[0] === 'npx') command.shift();
    return command[0] === 'quiesce' ? [{ argv: command.slice(1), env, from: `${file}: ${line}` }] : [];
  });
}

/** One word: a separator; what is quoted, escaped or plain, in a row; `<url>` in documentation is no redirection. */
const WORD =
  /(\|\||&&|[|;&])|((?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|<[\w.|]+>|[^\s'"\\|;&<>#]|(?<=\S)#)+)|([<>]+\s*\S+)|(#.*)/g;

function commandsOf(line: string): readonly string[][] {
  const commands: string[][] = [[]];
  for (const [, separator, word] of line.matchAll(WORD)) {
    if (separator !== undefined) commands.push([]);
    if (word !== undefined) commands.at(-1)?.push(unquoted(word));
  }
  return commands;
}

const unquoted = (word: string): string =>
  word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_all, single, double, escaped) => single ?? double ?? escaped);
