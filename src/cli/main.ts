import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command as Parser } from 'commander';
import { version } from '../app/version.ts';
import { EXIT, UsageError } from '../core/messages.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { commandHelp, fullHelp, HELP_WIDTH, shortHelp } from './help.ts';
import { OPTIONS, type Option, optionsOf } from './options.ts';
import type { Given } from './settings.ts';
import { nearest } from './suggest.ts';
import { JOBS, type World, widthOf } from './world.ts';

/**
 * Runs one command line.
 *
 * @param argv What stands behind the program's name.
 * @returns The exit code. Every expected error has been told in one line on stderr then.
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  if (argv.length === 0) {
    world.stdout.write(shortHelp(COMMANDS, helpWidth(world)));
    return EXIT.ok;
  }
  let exit: number = EXIT.ok;
  const parser = buildParser(world, async (command, words, given) => {
    exit = await command.run(words, given, world);
  });
  try {
    await parser.parseAsync(withOptionalValues(argv), { from: 'user' });
    return exit;
  } catch (error) {
    return tell(translate(error, argv), argv, world);
  }
}

/** The process behind the command line: its streams, its signals, its exit code. */
export async function start(): Promise<void> {
  // The reader of a pipe may have seen enough (`| head`); that is no error of ours.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  process.exitCode = await main(process.argv.slice(2), {
    env: process.env,
    cwd: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    isRoot: process.getuid?.() === 0,
    signals: process,
    exit: (code) => process.exit(code),
    jobs: JOBS,
  });
}

/** Optional values are numbers: what else follows such an option is a word of its own, `--lighthouse https://…`. */
function withOptionalValues(argv: readonly string[]): readonly string[] {
  const optional = OPTIONS.filter(({ argument }) => argument?.startsWith('[')).map(({ flag }) => flag);
  return argv.map((word, i) => (optional.includes(word) && !/^\d+$/.test(argv[i + 1] ?? '') ? `${word}=1` : word));
}

type Act = (command: Command, words: readonly string[], given: Given) => Promise<void>;

/** Commander does the cutting up only: words, values, `--name=value`, `--`. What it would say is said by us. */
function buildParser(world: World, act: Act): Parser {
  const root = silent(new Parser('quiesce'), world)
    .version(version(), '-V, --version')
    .helpOption('-h, --help')
    .argument('[words...]')
    .action((words: string[]) => {
      throw unknownCommand(words[0] ?? '', world);
    });
  root.helpInformation = () => fullHelp(COMMANDS, helpWidth(world));

  const parents = new Map<string, Parser>();
  for (const command of COMMANDS) {
    const [first = '', second] = command.name.split(' ');
    let parent = root;
    if (second !== undefined) {
      parent = parents.get(first) ?? buildParent(root, first, world);
      parents.set(first, parent);
    }
    const parser = silent(parent.command(second ?? first), world)
      .helpOption('-h, --help')
      .argument('[words...]')
      .action((words: string[]) => act(command, words, given(parser)));
    parser.helpInformation = () => commandHelp(command, helpWidth(world));
    for (const option of command.options === undefined ? [] : optionsOf(command.options)) addOption(parser, option);
  }

  silent(root.command('help'), world)
    .argument('[words...]')
    .action((words: string[]) => void world.stdout.write(helpOn(words, world)));
  return root;
}

function buildParent(root: Parser, name: string, world: World): Parser {
  const parent = silent(root.command(name), world)
    .helpOption('-h, --help')
    .argument('[words...]')
    .action((words: string[]) => {
      if (words[0] !== undefined) throw unknownCommand(`${name} ${words[0]}`, world);
      world.stdout.write(helpOn([name], world));
    });
  parent.helpInformation = () => helpOn([name], world);
  return parent;
}

function silent(parser: Parser, world: World): Parser {
  return parser
    .exitOverride()
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: (text) => world.stdout.write(text), writeErr: () => {} });
}

function addOption(parser: Parser, option: Option): void {
  const flags = option.argument === undefined ? option.flag : `${option.flag} ${option.argument}`;
  if (option.kind !== 'list') {
    parser.option(flags, option.description);
  } else {
    parser.option(flags, option.description, (text: string, before: string[] = []) => [...before, text]);
  }
}

/** Only what was typed: commander fills in `true` for every `--no-…` that was not. */
function given(parser: Parser): Given {
  const values = parser.opts<Record<string, string | readonly string[] | boolean>>();
  return Object.fromEntries(Object.entries(values).filter(([name]) => parser.getOptionValueSource(name) === 'cli'));
}

/** As wide as the terminal, within what can be read. */
const helpWidth = ({ stdout }: World): number => Math.max(60, Math.min(HELP_WIDTH, widthOf(stdout, HELP_WIDTH)));

function helpOn(words: readonly string[], world: World): string {
  if (words.length === 0) return fullHelp(COMMANDS, helpWidth(world));
  const wanted = words.join(' ');
  const matching = COMMANDS.filter((command) => command.name === wanted || command.name.startsWith(`${wanted} `));
  if (wanted === 'help') return fullHelp(COMMANDS, helpWidth(world));
  if (matching.length === 0) throw unknownCommand(wanted, world);
  return matching.map((command) => commandHelp(command, helpWidth(world))).join('\n');
}

function unknownCommand(word: string, world: World): UsageError {
  const near = nearest(word, [...COMMANDS.map((command) => command.name), 'help']);
  const suggestion =
    near ?? (isHar(word) ? `analyze ${word}` : isTarget(word, world.cwd) ? `audit ${word}` : undefined);
  return new UsageError('command-unknown', {
    detail: word,
    ...(suggestion === undefined ? {} : { suggestion: `"quiesce ${suggestion}"` }),
  });
}

function isHar(word: string): boolean {
  return /\.har(?:\.gz)?$/i.test(word);
}

function isTarget(word: string, cwd: string): boolean {
  if (/^https?:\/\//i.test(word)) return true;
  return statSync(resolve(cwd, word), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Commander's errors in our words. Undefined for what is none: help and version were printed. */
function translate(error: unknown, argv: readonly string[]): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== 'string' || !code.startsWith('commander.')) return error;
  if (['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code)) return undefined;
  const message = (error as Error).message;
  // "error: unknown option '--runz=3'", "error: option '--out <dir>' argument missing"
  const typed = /'([^']*)'/.exec(message)?.[1] ?? '';
  if (code === 'commander.unknownOption') {
    const flag = typed.replace(/=.*$/s, '');
    const command = argv.find((word) => !word.startsWith('-')) ?? '';
    const options = OPTIONS.filter((option) => option.commands.some((it) => command.startsWith(it)));
    const known = OPTIONS.find((option) => option.flag === flag);
    if (
      known !== undefined &&
      options.every((option) => option !== known || argv.indexOf(flag) < argv.indexOf(command))
    ) {
      return new UsageError('option-misplaced', { option: flag, detail: known.commands.join(' or ') });
    }
    const names = [...(options.length > 0 ? options : OPTIONS).map((option) => option.flag), '--help', '--version'];
    const near = nearest(flag, names);
    return new UsageError('option-unknown', { option: flag, ...(near === undefined ? {} : { suggestion: near }) });
  }
  if (code === 'commander.optionMissingArgument') {
    const [flag = '', argument = ''] = typed.split(' ');
    return new UsageError('option-invalid', { option: flag, detail: `needs a value ${argument}` });
  }
  return new UsageError('option-invalid', { option: 'quiesce', detail: message.replace(/^error: /, '') });
}

function tell(error: unknown, argv: readonly string[], world: World): number {
  if (error === undefined) return EXIT.ok;
  const verbose = argv.includes('--verbose') || /^(1|true|yes|on)$/i.test(world.env.QUIESCE_VERBOSE ?? '');
  if (error instanceof UsageError) {
    world.stderr.write(`quiesce: ${error.message}\n`);
    if (verbose && error.cause instanceof Error) world.stderr.write(`${error.cause.stack}\n`);
    return error.exit;
  }
  const first = (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0];
  world.stderr.write(`quiesce: unexpected error: ${first}${verbose ? '' : ' (run again with --verbose)'}\n`);
  if (verbose) world.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.unmeasured;
}
