/** Parses a command line: the command, its arguments, its options as typed. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Given } from '../settings/gather.ts';
import { OPTIONS, type Option, optionsFor } from '../settings/options.ts';
import { nearest } from '../settings/suggest.ts';
import { QuiesceError } from '../wording/messages.ts';
import type { Command } from './command.ts';
import { visible } from './help.ts';

/** What a command line asks for. */
export type CommandLine =
  | { readonly asks: 'version' }
  /** Help on these words; on everything when there are none. */
  | { readonly asks: 'help'; readonly words: readonly string[] }
  | { readonly asks: 'run'; readonly command: Command; readonly words: readonly string[]; readonly given: Given };

/**
 * Reads a command line.
 *
 * @throws QuiesceError for unknown commands and options, and for options without a value.
 */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[], cwd: string): CommandLine {
  const { tokens } = parseArgs({
    args: [...withOptionalValues(argv)],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
      ...Object.fromEntries(
        OPTIONS.map(({ flag, argument }) => [flag.slice(2), { type: argument ? 'string' : 'boolean' }]),
      ),
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const options = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const [first, ...rest] = words;
  const isFirst = (name: string) => options.some((option) => option.name === name);
  if (isFirst('version')) return { asks: 'version' };
  if (first === 'help') return { asks: 'help', words: rest };
  const command = commands.find(({ name }) => name === first || name === words.slice(0, 2).join(' '));
  const isParent = commands.some(({ name }) => name.startsWith(`${first} `));
  const isNamed = command !== undefined || isParent;
  if (isFirst('help')) return { asks: 'help', words: isNamed ? (command?.name ?? `${first}`).split(' ') : [] };

  const own = command?.options === undefined ? [] : optionsFor(command.options);
  const place = tokens.find(({ kind }) => kind === 'positional')?.index ?? Number.POSITIVE_INFINITY;
  const given: Record<string, string | readonly string[] | boolean> = {};
  for (const { rawName, name, value, inlineValue, index } of options) {
    const option = own.find(({ flag }) => flag === `--${name}`);
    if (option === undefined || index < place) throw wrongOption(rawName, own);
    if (option.argument === undefined) {
      if (inlineValue) throw new QuiesceError('option-invalid', { option: option.flag, detail: 'takes no value' });
      given[option.name] = option.negated !== true;
    } else if (value === undefined) {
      throw new QuiesceError('option-invalid', { option: option.flag, detail: `needs a value ${option.argument}` });
    } else if (option.kind === 'list') {
      const before = given[option.name];
      given[option.name] = [...(Array.isArray(before) ? before : []), value];
    } else {
      given[option.name] = value;
    }
  }
  if (command) return { asks: 'run', command, words: words.slice(command.name.split(' ').length), given };
  if (isParent && rest.length === 0) return { asks: 'help', words };
  if (first === undefined) return { asks: 'help', words: [] };
  throw unknownCommand(isParent ? words.slice(0, 2).join(' ') : first, commands, cwd);
}

/** Optional values are numbers: anything else after such an option is a separate argument, `--lighthouse https://…`. */
function withOptionalValues(argv: readonly string[]): readonly string[] {
  const optional = OPTIONS.filter(({ argument }) => argument?.startsWith('[')).map(({ flag }) => flag);
  return argv.map((word, i) => (optional.includes(word) && !/^\d+$/.test(argv[i + 1] ?? '') ? `${word}=1` : word));
}

/** The error for an option that the command does not have, or that is placed before the command. */
function wrongOption(flag: string, own: readonly Option[]): QuiesceError {
  const known = OPTIONS.find((option) => option.flag === flag);
  if (known) return new QuiesceError('option-misplaced', { option: flag, detail: known.commands.join(' or ') });
  const names = [...(own.length > 0 ? own : OPTIONS).map((option) => option.flag), '--help', '--version'];
  const near = nearest(flag, names);
  return new QuiesceError('option-unknown', { option: flag, ...(near === undefined ? {} : { suggestion: near }) });
}

/** The error for a word that should be a command. */
export function unknownCommand(word: string, commands: readonly Command[], cwd: string): QuiesceError {
  const near = nearest(word, [...visible(commands).map((command) => command.name), 'help']);
  const suggestion = near ?? (isHar(word) ? `analyze ${word}` : isTarget(word, cwd) ? `audit ${word}` : undefined);
  return new QuiesceError('command-unknown', {
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
