/** Parses a command line: the command, its arguments, its options as typed. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { RawOptions } from '../settings/gather.ts';
import { OPTIONS, type Option, optionsFor } from '../settings/options.ts';
import { nearest } from '../settings/suggest.ts';
import { insteadOf } from '../settings/synonyms.ts';
import { QuiesceError } from '../wording/messages/messages.ts';
import { optionAdvice, useInstead } from '../wording/messages/option-advice.ts';
import { joined } from '../wording/text/format.ts';
import type { Command } from './command.ts';
import { visible } from './help.ts';

/** What a command line asks for. */
export type CommandLine =
  | { readonly asks: 'version' }
  /** Help on these words; on everything when there are none. */
  | { readonly asks: 'help'; readonly words: readonly string[] }
  | { readonly asks: 'run'; readonly command: Command; readonly words: readonly string[]; readonly given: RawOptions };

/**
 * Reads a command line. Options may stand before the command, too.
 *
 * @throws QuiesceError for unknown commands and options, and for options without a value.
 */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[], cwd: string): CommandLine {
  const { tokens } = parseArgs({
    args: [...withSeveralValues(withOptionalValues(argv))],
    options: {
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean', short: 'V' },
      ...Object.fromEntries(
        OPTIONS.map(({ flag, argument, short }) => [
          flag.slice(2),
          { type: argument ? 'string' : 'boolean', ...(short !== undefined && { short }) },
        ]),
      ),
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const options = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []));
  const [first, ...rest] = words;
  const asksFor = (name: string) => options.some((option) => option.name === name);
  if (asksFor('version') || (first === 'version' && words.length === 1)) return { asks: 'version' };
  if (first === 'help') return { asks: 'help', words: rest };
  const command = commands.find(({ name }) => name === first || name === words.slice(0, 2).join(' '));
  const isParent = commands.some(({ name }) => name.startsWith(`${first} `));
  const isNamed = command !== undefined || isParent;
  if (asksFor('help')) return { asks: 'help', words: isNamed ? (command?.name ?? `${first}`).split(' ') : [] };

  const given = optionsGiven(options, command);
  if (command) return { asks: 'run', command, words: words.slice(command.name.split(' ').length), given };
  if (isParent && rest.length === 0) return { asks: 'help', words };
  if (first === undefined) throw new QuiesceError('command-missing');
  throw unknownCommand(isParent ? words.slice(0, 2).join(' ') : first, commands, cwd);
}

/** An option as it was found. */
interface Typed {
  readonly rawName: string;
  readonly name: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionsGiven(typed: readonly Typed[], command: Command | undefined): RawOptions {
  // Without a command all options are known: the missing command is what is wrong then.
  const own = command === undefined ? OPTIONS : command.options === undefined ? [] : optionsFor(command.options);
  const given: Record<string, string | readonly string[] | boolean> = {};
  for (const { rawName, name, value: raw, inlineValue } of typed) {
    const option = own.find(({ flag }) => flag === `--${name}`);
    if (option === undefined) throw wrongOption(rawName, name, own, command);
    // As of many tools: -n=3 is -n3.
    const value = inlineValue && !rawName.startsWith('--') ? raw?.replace(/^=/, '') : raw;
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
  return given;
}

/** Optional values are numbers: anything else after such an option is a separate argument, `--lighthouse https://…`. */
function withOptionalValues(argv: readonly string[]): readonly string[] {
  const optional = OPTIONS.filter(({ argument }) => argument?.startsWith('[')).map(({ flag }) => flag);
  return argv.map((word, i) => (optional.includes(word) && !/^\d+$/.test(argv[i + 1] ?? '') ? `${word}=1` : word));
}

/** All words up to the next option are values of such an option: `--pages / /products`. */
function withSeveralValues(argv: readonly string[]): readonly string[] {
  const several = OPTIONS.filter(({ argument }) => argument?.endsWith('...>')).map(({ flag }) => flag);
  let current: string | undefined;
  return argv.flatMap((word, i) => {
    if (current !== undefined && !word.startsWith('-')) return [`${current}=${word}`];
    current = several.find((flag) => word === flag && argv[i + 1]?.startsWith('-') === false);
    return current === undefined ? [word] : [];
  });
}

/** The error for an option that the command does not have. */
function wrongOption(typed: string, name: string, own: readonly Option[], command: Command | undefined): QuiesceError {
  const known = OPTIONS.find((option) => option.flag === `--${name}`);
  const instead = insteadInWords(known?.flag ?? typed, own, command);
  if (known) {
    return new QuiesceError('option-misplaced', {
      option: known.flag,
      detail: joined(known.commands.map((each) => `quiesce ${each}`)),
      ...(instead !== undefined && { suggestion: instead }),
    });
  }
  if (instead !== undefined) return new QuiesceError('option-foreign', { option: typed, suggestion: instead });
  const names = [...(own.length > 0 ? own : OPTIONS).map((option) => option.flag), '--help', '--version'];
  const near = nearest(typed, names);
  return new QuiesceError('option-unknown', { option: typed, ...(near !== undefined && { suggestion: near }) });
}

/** What to type instead, where this is the name of something else in another tool. */
function insteadInWords(typed: string, own: readonly Option[], command: Command | undefined): string | undefined {
  const instead = insteadOf(typed);
  if (instead === undefined) return undefined;
  if ('advice' in instead) return command?.name === 'audit' ? optionAdvice(instead.advice) : undefined;
  for (const [name, value] of instead.options) {
    const option = own.find((each) => each.name === name && each.flag !== typed);
    if (option) return useInstead([option.flag, value ?? option.argument].filter(Boolean).join(' '));
  }
  return undefined;
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
