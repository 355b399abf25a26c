import { defined } from '../core/text/defined.ts';
/** The front doors: options out of a command line with its context, or out of a library call. */

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Settings } from '../model/result/result.ts';
import { QuiesceError } from '../wording/messages/messages.ts';
import { checkObject, checkValue, type Entries, type Entry, type ObjectProblem, ownError, ownPart } from './check.ts';
import { type Config, readConfig } from './config-file.ts';
import { mergeSources, type Source } from './merge.ts';
import {
  COMPARED_PAGE_OPTIONS,
  type CommandName,
  OPTIONS,
  type Option,
  type OptionsOf,
  optionsFor,
  PAGE_OPTIONS,
  parseText,
  type ValuesOf,
  variableOf,
} from './options.ts';
import { type CheckedPage, checkPages } from './pages.ts';
import { nearest } from './suggest.ts';

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What Quiesce is run in. */
export interface RunContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly isRoot: boolean;
  /** False where no configuration file is read: one in JavaScript or TypeScript is a program of the working folder. */
  readonly readsConfig?: boolean;
}

/** Values as typed, by option name: a text, several texts, or true/false for a switch. */
export type RawOptions = Readonly<Record<string, string | readonly string[] | boolean>>;

/** Options of a job, read once. */
export interface Gathered<C extends CommandName = CommandName> {
  readonly values: ValuesOf<C>;
  /** The same as results store them: JSON, without secrets. */
  readonly stored: Settings;
  /** What stands behind the command: targets, files, folders. */
  readonly words: readonly string[];
  /** Pages with options of their own; of a comparison all that are named one by one. */
  readonly pages: readonly GatheredPage<C>[];
  /** Where browsers and caches are looked for; scripts see it, too. */
  readonly env: Environment;
  /** Where a job of continuous integration says what it is. Empty for library calls: only a command line is such a job. */
  readonly ci: Environment;
}

/** A page with options of its own, over those of the whole job. */
interface GatheredPage<C extends CommandName> {
  readonly url: string;
  readonly name?: string;
  readonly values: ValuesOf<C>;
  readonly stored: Settings;
}

/** What only concerns this command line. */
export interface OutputSettings {
  readonly json: boolean;
  /** Open the report when it is written. */
  readonly open: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** A command line, read. */
export interface CommandLine<C extends CommandName = CommandName> extends Gathered<C> {
  readonly output: OutputSettings;
  /** True when the sandbox was not asked to be off: it is, because root cannot have it. */
  readonly sandboxOffForRoot: boolean;
  /** Variables that are no option's, and what was probably meant. */
  readonly misspelt: readonly { readonly name: string; readonly suggestion: string }[];
}

/**
 * Flags over variables over the configuration file over defaults, each checked where it was written.
 *
 * @throws QuiesceError with one line for what cannot be.
 */
export async function readCommandLine<C extends CommandName>(
  command: C,
  words: readonly string[],
  given: RawOptions,
  context: RunContext,
): Promise<CommandLine<C>> {
  const { env, cwd, isRoot, readsConfig = true } = context;
  const options = optionsFor(command);
  const flags: Source = { entries: readFlags(options, given), nameOf: (option) => option.flag };
  const variables: Source = { entries: readVariables(options, env), nameOf: variableOf };
  const named = flags.entries.config?.value ?? variables.entries.config?.value;
  const config = readsConfig
    ? await readConfig(typeof named === 'string' ? resolve(cwd, named) : undefined, cwd, command)
    : undefined;
  const file: Source = {
    entries: config === undefined ? {} : withPaths(options, config.entries, dirname(config.file)),
    nameOf: (option) => `${option.name} in ${config?.path}`,
  };
  const entries = { ...mergeSources([file, variables, flags], options) };
  const sources = { file, variables, flags };
  const chosen: ChosenPages =
    command === 'audit'
      ? choosePages(words, sources, config, cwd)
      : { words, ...(command === 'compare' ? chooseComparedPages(sources, config) : { pages: [] }) };
  for (const dropped of chosen.dropped ?? []) delete entries[dropped];
  const pages = await Promise.all(
    chosen.pages.map(async ({ page, position }) => {
      const place = `pages[${position}]`;
      const url =
        command === 'compare'
          ? page.url
          : await targetInFile(page.url, place, config, cwd, entries.serveUrl !== undefined);
      const own: Source = {
        entries: withPaths(pageOptionsOf(command), page.entries, dirname(config?.file ?? '')),
        nameOf: (option) => `${place}.${option.name} in ${config?.path}`,
      };
      return gatherPage(command, { ...page, url }, mergeSources([file, own, variables, flags], options));
    }),
  );
  const hasSandbox = options.some(({ name }) => name === 'sandbox');
  return {
    ...gather<C>(command, withSandbox(entries, options, isRoot), chosen.words, pages),
    env,
    ci: env,
    output: {
      json: entries.json?.value === true,
      open: entries.open?.value === true,
      quiet: entries.quiet?.value === true,
      verbose: entries.verbose?.value === true,
    },
    misspelt: misspeltVariables(env),
    sandboxOffForRoot: hasSandbox && entries.sandbox === undefined && isRoot && entries.browserWs === undefined,
  };
}

/**
 * Options of a library call over defaults.
 *
 * @throws QuiesceError with one line for what cannot be, also for a name that is no option.
 */
export function readOptions<C extends CommandName>(
  command: C,
  words: readonly string[],
  given: Omit<OptionsOf<C>, 'pages'> & { readonly pages?: unknown },
  { env, isRoot }: Pick<RunContext, 'env' | 'isRoot'>,
): Gathered<C> {
  if (!words.every((word) => typeof word === 'string')) {
    throw new QuiesceError('options-invalid', { option: command, detail: 'takes addresses, paths and files as texts' });
  }
  const options = optionsFor(command).filter(({ scope }) => scope === undefined);
  const { pages: listed, ...own } = given;
  const takesPages = command === 'audit' || command === 'compare';
  const { entries: called, problems } = checkObject(takesPages ? own : given, options, '', takesPages ? ['pages'] : []);
  const checked = takesPages
    ? checkPages(command === 'compare' ? asPages(listed) : listed)
    : { pages: [], problems: [] };
  const isEmpty = command === 'compare' && Array.isArray(listed) && listed.length === 0;
  const all = [
    ...problems,
    ...checked.problems,
    ...(isEmpty ? [{ clause: 'pages must name a page' } as ObjectProblem] : []),
  ];
  if (all.length > 0) {
    const [{ error } = {}] = all;
    throw (
      error ??
      new QuiesceError('options-invalid', { option: command, detail: all.map(({ clause }) => clause).join('; ') })
    );
  }
  const source: Source = { entries: called, nameOf: ({ name }) => name };
  const entries = mergeSources([source], options);
  const pages = checked.pages.map((page, position) => {
    const pageSource = { entries: page.entries, nameOf: ({ name }: Option) => `pages[${position}].${name}` };
    return gatherPage(command, page, mergeSources([source, pageSource], options));
  });
  return { ...gather<C>(command, withSandbox(entries, options, isRoot), words, pages), env, ci: {} };
}

/** Chrome's sandbox cannot work for root. */
function withSandbox(entries: Entries, options: readonly Option[], isRoot: boolean): Entries {
  if (entries.sandbox || !options.some(({ name }) => name === 'sandbox')) return entries;
  return { ...entries, sandbox: { value: !isRoot, stored: !isRoot } };
}

/** Under which name results store what stands behind a command. */
const ARGUMENTS_KEY: Partial<Record<CommandName, string>> = {
  audit: 'targets',
  compare: 'targets',
  analyze: 'files',
  capacity: 'targets',
  trend: 'paths',
  merge: 'dirs',
};

function gather<C extends CommandName>(
  command: C,
  entries: Entries,
  words: readonly string[],
  pages: readonly GatheredPage<C>[],
): Pick<Gathered<C>, 'values' | 'stored' | 'words' | 'pages'> {
  const options = optionsFor(command).filter(({ scope }) => scope === undefined);
  const name = ARGUMENTS_KEY[command];
  const { sandbox, ...stored } = storedOf(entries, options);
  return {
    values: valuesOf<C>(entries, options),
    stored: {
      ...(name !== undefined && { [name]: words }),
      ...(pages.length > 0 && { pages: pages.map((page) => page.stored) }),
      ...stored,
      // A running browser does not report its sandbox.
      ...(sandbox !== undefined && entries.browserWs === undefined && { sandbox }),
    },
    words,
    pages,
  };
}

function gatherPage<C extends CommandName>(
  command: C,
  { url, name }: Omit<CheckedPage, 'entries'>,
  entries: Entries,
): GatheredPage<C> {
  const named = defined({ name, url });
  return {
    ...named,
    values: valuesOf<C>(entries, optionsFor(command)),
    // Options of the whole job are the same for all.
    stored: { ...named, ...storedOf(entries, pageOptionsOf(command)) },
  };
}

const pageOptionsOf = (command: CommandName): readonly Option[] =>
  command === 'compare' ? COMPARED_PAGE_OPTIONS : PAGE_OPTIONS;

/** A path alone is a page without options of its own. */
const asPages = (listed: unknown): unknown =>
  Array.isArray(listed) ? listed.map((page: unknown) => (typeof page === 'string' ? { url: page } : page)) : listed;

/** Every value came out of its option's schema, so that this is what the command's schema makes of them. */
function valuesOf<C extends CommandName>(entries: Entries, options: readonly Option[]): ValuesOf<C> {
  return Object.fromEntries(
    options.flatMap(({ name }) => (entries[name] ? [[name, entries[name].value]] : [])),
  ) as ValuesOf<C>;
}

function storedOf(entries: Entries, options: readonly Option[]): Settings {
  return Object.fromEntries(options.flatMap(({ name }) => (entries[name] ? [[name, entries[name].stored]] : [])));
}

// --- Which pages --------------------------------------------------------------------------------------------------

/** Where pages can be named beside the words on the command line. */
const PAGE_LISTS = ['urlsFile', 'sitemap'] as const;

/** The pages that are meant. */
interface ChosenPages {
  /** Words that are targets. */
  readonly words: readonly string[];
  /** Pages of the file, and where in its list they stand; of a comparison those that flags name as well. */
  readonly pages: readonly { readonly page: CheckedPage; readonly position?: number }[];
  /** Lists of weaker sources, by their option. */
  readonly dropped?: readonly string[];
}

/**
 * A source that names pages replaces those of weaker sources: the command line the variables, these the file. A word on the
 * command line may be the name of a page in the file, which is then audited as the file has it.
 */
function choosePages(
  words: readonly string[],
  { file, variables, flags }: Readonly<Record<'file' | 'variables' | 'flags', Source>>,
  config: Config | undefined,
  cwd: string,
): ChosenPages {
  const all = (config?.pages ?? []).map((page, position) => ({ page, position }));
  const lists = (source: Source) => PAGE_LISTS.filter((each) => source.entries[each] !== undefined);
  const without = (kept: readonly string[]) => PAGE_LISTS.filter((each) => !kept.includes(each));
  if (words.length > 0 || lists(flags).length > 0) {
    const named = words.map((word) => ({ word, found: all.find(({ page }) => page.name === word) }));
    for (const { word, found } of named)
      if (!found)
        refuseMisspelt(
          word,
          all.flatMap(({ page }) => page.name ?? []),
          cwd,
        );
    return {
      words: named.flatMap(({ word, found }) => (found ? [] : word)),
      pages: named.flatMap(({ found }) => found ?? []),
      dropped: without(lists(flags)),
    };
  }
  if (lists(variables).length > 0) return { words, pages: [], dropped: without(lists(variables)) };
  return { words, pages: all, dropped: without(lists(file)) };
}

/**
 * The pages of a comparison. What flags or variables name may be the name or the path of a page in the file, which then has
 * its options there. The lists of a file are an audit's, and so are pages of it that are no paths.
 */
function chooseComparedPages(
  { variables, flags }: Readonly<Record<'variables' | 'flags', Source>>,
  config: Config | undefined,
): Omit<ChosenPages, 'words'> {
  const all = (config?.pages ?? []).map((page, position) => ({ page, position }));
  const source = [flags, variables].find(({ entries }) => [...PAGE_LISTS, 'pages'].some((name) => entries[name]));
  if (source === undefined) return { pages: all.filter(({ page }) => page.url.startsWith('/')), dropped: PAGE_LISTS };
  const named = source.entries.pages?.value as readonly string[] | undefined;
  return {
    pages: (named ?? []).map(
      (word) => all.find(({ page }) => page.name === word || page.url === word) ?? { page: { url: word, entries: {} } },
    ),
    dropped: PAGE_LISTS.filter((each) => source.entries[each] === undefined),
  };
}

/** A word that is nothing else than nearly the name of a page. */
function refuseMisspelt(word: string, names: readonly string[], cwd: string): void {
  if (!/^[\w-]+$/.test(word) || word === 'localhost' || existsSync(resolve(cwd, word))) return;
  const suggestion = nearest(word, names);
  if (suggestion !== undefined) throw new QuiesceError('page-unknown', { detail: word, suggestion });
}

/** A page's address as it is to be loaded; folders are relative to the file. */
async function targetInFile(
  url: string,
  place: string,
  config: Config | undefined,
  cwd: string,
  hasServer: boolean,
): Promise<string> {
  const found = /^https?:\/\//i.test(url) ? URL.canParse(url) : (hasServer && /^\/(?!\/)/.test(url)) || undefined;
  if (found) return url;
  const folder = resolve(dirname(config?.file ?? ''), url);
  if (found === undefined && (await stat(folder).catch(() => undefined))) return relative(cwd, folder) || '.';
  throw new QuiesceError('config-invalid', {
    path: config?.path ?? '',
    detail: `${place}.url must be a URL, a folder with a built site or, with serveUrl, a path that starts with /, not ${JSON.stringify(url)}`,
  });
}

// --- Texts --------------------------------------------------------------------------------------------------------

function readFlags(options: readonly Option[], given: RawOptions): Entries {
  const entries: Record<string, Entry> = {};
  for (const option of options) {
    const raw = given[option.name];
    if (raw === undefined) continue;
    const texts = typeof raw === 'boolean' ? [] : typeof raw === 'string' ? [raw] : raw;
    for (const text of texts) {
      // Whatever comes next is the value: "--out --json" would make a folder "--json".
      if (option.name !== 'browserArg' && /^--[a-z]/.test(text)) {
        throw new QuiesceError('option-invalid', {
          option: option.flag,
          detail: `needs a value ${option.argument}, not the option ${text}`,
        });
      }
    }
    const value =
      typeof raw === 'boolean'
        ? raw
        : option.kind !== 'list'
          ? parseText(option, texts.at(-1) ?? '')
          : option.repeatable
            ? texts
            : texts.flatMap((text) => parseText(option, text));
    entries[option.name] = checked(option, value, option.flag, texts.join(' '));
  }
  return entries;
}

function readVariables(options: readonly Option[], env: Environment): Entries {
  const entries: Record<string, Entry> = {};
  for (const option of options) {
    const text = env[variableOf(option)];
    // CI systems set a variable to nothing to say that it is not set.
    if (text === undefined || text === '') continue;
    const value = ownPart(option, parseText(option, text));
    if (value !== undefined) entries[option.name] = checked(option, value, variableOf(option), text);
  }
  return entries;
}

/** Those that are nearly an option's. What a script reads may begin so, too, and is left alone. */
function misspeltVariables(env: Environment): CommandLine['misspelt'] {
  const known = new Set(OPTIONS.map(variableOf));
  const own = /^QUIESCE_/;
  const names = [...known].map((name) => name.replace(own, ''));
  return Object.keys(env).flatMap((name) => {
    if (!own.test(name) || known.has(name)) return [];
    const near = nearest(name.replace(own, ''), names);
    return near === undefined ? [] : [{ name, suggestion: `QUIESCE_${near}` }];
  });
}

function checked(option: Option, value: unknown, where: string, asTyped: string): Entry {
  // Nothing but separators is no list: nobody types that to say "none".
  const isEmpty = !option.repeatable && Array.isArray(value) && value.length === 0;
  const result = checkValue(option, isEmpty ? [asTyped] : value);
  if ('entry' in result) return result.entry;
  const { issue } = result;
  const own = ownError(issue, where);
  if (own) throw own;
  throw new QuiesceError('option-invalid', {
    option: where,
    // A password that was mistyped is still almost the password.
    detail: `${issue.message}${option.secret ? '' : `, not "${asTyped}"`}`,
  });
}

/** Paths in a file are relative to the file. */
function withPaths(options: readonly Option[], entries: Entries, folder: string): Entries {
  const absolute: Record<string, Entry> = { ...entries };
  for (const option of options) {
    const value = entries[option.name]?.value;
    if (!option.isPath || typeof value !== 'string' || option.notAPath?.test(value)) continue;
    const path = resolve(folder, value);
    absolute[option.name] = { value: path, stored: path };
  }
  return absolute;
}
