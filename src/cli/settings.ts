import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { z } from 'zod';
import type { AnalyzeSettings } from '../app/analyze.ts';
import type { ReportSettings } from '../app/report-again.ts';
import { UsageError } from '../core/messages.ts';
import type { DoctorSettings } from '../model/doctor.ts';
import type { AuditSettings, CompareSettings, GithubSettings, MergeSettings } from '../model/settings.ts';
import type { TrendSettings } from '../model/trend.ts';
import { type Config, type ConfigPage, readConfig } from './config.ts';
import { type CommandName, EXCLUSIVE, type Option, optionNamed, optionsOf, parseText, variableOf } from './options.ts';
import { PAGE_OPTIONS } from './page-options.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, unknown>>;

/** Values as typed, by option name: a text, several texts, or true/false for a switch. */
export type Given = Readonly<Record<string, string | readonly string[] | boolean>>;

/** What only concerns this command line. */
export interface OutputSettings {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** What each command's job is told. */
interface SettingsOf {
  readonly audit: AuditSettings;
  readonly compare: CompareSettings;
  readonly doctor: DoctorSettings;
  readonly analyze: AnalyzeSettings;
  readonly trend: TrendSettings;
  /** Without the result, which stands behind the command. */
  readonly report: Omit<ReportSettings, 'result'>;
  readonly merge: MergeSettings;
  /** Without the result, which stands behind the command. */
  readonly github: Omit<GithubSettings, 'result'>;
  readonly init: Readonly<Record<string, never>>;
}

/** Under which name a job finds what stands behind its command. */
const WORDS: Readonly<Record<CommandName, string | undefined>> = {
  audit: 'targets',
  compare: 'targets',
  analyze: 'files',
  trend: 'paths',
  report: undefined,
  merge: 'dirs',
  github: undefined,
  doctor: undefined,
  init: undefined,
};

/** Everything resolved. */
export interface ResolvedSettings<C extends CommandName = 'audit'> {
  readonly settings: SettingsOf[C];
  readonly output: OutputSettings;
  /** True when nobody asked for the sandbox to be off: it is, because root cannot have it. */
  readonly sandboxOffForRoot: boolean;
}

/** One place that values come from. */
interface Source {
  readonly values: Values;
  /** How the user would find the option there: '--runs', 'QUIESCE_RUNS', 'runs in quiesce.config.json'. */
  readonly nameOf: (option: Option) => string;
}

/**
 * Flags over variables over the configuration file over defaults, each checked where it was written.
 *
 * @throws UsageError with one line for what cannot be.
 */
export async function resolveSettings<C extends CommandName>(
  command: C,
  words: readonly string[],
  given: Given,
  surroundings: { readonly env: Environment; readonly cwd: string; readonly isRoot: boolean },
): Promise<ResolvedSettings<C>> {
  const { env, cwd, isRoot } = surroundings;
  const options = optionsOf(command);
  const flags: Source = { values: readFlags(options, given), nameOf: (option) => option.flag };
  const variables: Source = { values: readVariables(options, env), nameOf: variableOf };
  const named = flags.values.config ?? variables.values.config;
  const config = await readConfig(typeof named === 'string' ? resolve(cwd, named) : undefined, cwd);
  const file: Source = {
    values: config === undefined ? {} : withPaths(options, config.values, dirname(config.file)),
    nameOf: (option) => `${option.name} in ${config?.path}`,
  };

  const { resolved, sandboxOffForRoot } = resolveOver([file, variables, flags], options, isRoot);
  const chosen = command === 'audit' ? choosePages(words, { file, variables, flags }, config) : { words, pages: [] };
  for (const dropped of chosen.dropped ?? []) delete resolved[dropped];
  const pages = await Promise.all(
    chosen.pages.map(async ({ page: { name: own, url, ...values }, position }) => {
      const { file: at = '', path: shown = '' } = config ?? {};
      const source: Source = {
        values: withPaths(PAGE_OPTIONS, values, dirname(at)),
        nameOf: (option) => `pages[${position}].${option.name} in ${shown}`,
      };
      const target = await targetIn(url, dirname(at), cwd, resolved.serveUrl !== undefined);
      if (target === undefined) {
        throw new UsageError('config-invalid', {
          path: shown,
          detail: `pages[${position}].url must be a URL, a folder with a built site, or with serveUrl a path that begins with a slash, not ${JSON.stringify(url)}`,
        });
      }
      // Options of the whole audit are the same for all; only a page's own are resolved again.
      const all = resolveOver([file, source, variables, flags], options, isRoot).resolved;
      const ofPage = PAGE_OPTIONS.filter((option) => all[option.name] !== undefined);
      return {
        ...(own !== undefined && { name: own }),
        url: target,
        ...Object.fromEntries(ofPage.map((option) => [option.name, all[option.name]])),
      };
    }),
  );

  const name = WORDS[command];
  const forJob = options.filter((option) => option.steers === 'job' && resolved[option.name] !== undefined);
  return {
    // The list's schemas have checked every value; a test holds that the list and the settings name the same options.
    settings: {
      ...(name !== undefined && { [name]: chosen.words }),
      ...(pages.length > 0 && { pages }),
      ...Object.fromEntries(forJob.map((option) => [option.name, resolved[option.name]])),
    } as unknown as SettingsOf[C],
    output: {
      json: resolved.json === true,
      quiet: resolved.quiet === true,
      verbose: resolved.verbose === true,
    },
    sandboxOffForRoot,
  };
}

/**
 * Options out of sources, the weakest first: what a stronger one says replaces, and drops what contradicts it.
 *
 * @throws UsageError when what comes out contradicts itself
 */
function resolveOver(
  sources: readonly Source[],
  options: readonly Option[],
  isRoot: boolean,
): { readonly resolved: Record<string, unknown>; readonly sandboxOffForRoot: boolean } {
  const merged: Record<string, { readonly value: unknown; readonly from: string }> = {};
  for (const source of sources) {
    refuseContradictions(source);
    for (const [name, value] of Object.entries(source.values)) {
      for (const { pair } of EXCLUSIVE) {
        const other = pair[0] === name ? pair[1] : pair[1] === name ? pair[0] : undefined;
        if (other !== undefined && isSet(name, value) && !isSet(other, source.values[other])) delete merged[other];
      }
      merged[name] = { value, from: source.nameOf(optionNamed(name)) };
    }
    dropOverruledPatterns(merged, source);
  }

  const resolved: Record<string, unknown> = {};
  for (const option of options) {
    const value = merged[option.name]?.value ?? option.default;
    if (value !== undefined) resolved[option.name] = value;
  }
  const hasSandbox = options.some(({ name }) => name === 'sandbox');
  const sandboxOffForRoot = hasSandbox && resolved.sandbox === undefined && isRoot && resolved.browserWs === undefined;
  resolved.sandbox ??= !isRoot;
  const nameOf = (name: string) => merged[name]?.from ?? optionNamed(name).flag;
  const { timeout, quietWindow } = resolved as { timeout?: number; quietWindow?: number };
  if (timeout !== undefined && quietWindow !== undefined && timeout <= quietWindow) {
    throw new UsageError('options-contradict', {
      option: `${nameOf('timeout')} (${timeout} ms)`,
      detail: `${nameOf('quietWindow')} (${quietWindow} ms)`,
      suggestion: 'the timeout must be longer than the quiet window',
    });
  }
  return { resolved, sandboxOffForRoot };
}

/** Where pages can be named beside the words on the command line. */
const PAGE_LISTS = ['urlsFile', 'sitemap'] as const;

/** The pages that are meant. */
interface ChosenPages {
  /** Words that are targets. */
  readonly words: readonly string[];
  /** Pages of the file, and where in its list they stand. */
  readonly pages: readonly { readonly page: ConfigPage; readonly position: number }[];
  /** Lists of weaker sources, by their option. */
  readonly dropped?: readonly string[];
}

/**
 * Whoever names pages replaces what a weaker source names: the command line the variables, these the file. A word on the
 * command line may be the name of a page in the file, which is then audited as the file has it.
 */
function choosePages(
  words: readonly string[],
  { file, variables, flags }: Readonly<Record<'file' | 'variables' | 'flags', Source>>,
  config: Config | undefined,
): ChosenPages {
  const all = (config?.pages ?? []).map((page, position) => ({ page, position }));
  const lists = (source: Source) => PAGE_LISTS.filter((each) => source.values[each] !== undefined);
  const without = (kept: readonly string[]) => PAGE_LISTS.filter((each) => !kept.includes(each));
  if (words.length > 0 || lists(flags).length > 0) {
    const named = words.map((word) => ({ word, found: all.find(({ page }) => page.name === word) }));
    return {
      words: named.flatMap(({ word, found }) => (found ? [] : word)),
      pages: named.flatMap(({ found }) => found ?? []),
      dropped: without(lists(flags)),
    };
  }
  if (lists(variables).length > 0) return { words, pages: [], dropped: without(lists(variables)) };
  return { words, pages: all, dropped: without(lists(file)) };
}

/** A page's address as it is to be loaded; folders are relative to the file. Undefined when it is nothing of that. */
async function targetIn(url: string, folder: string, cwd: string, hasServer: boolean): Promise<string | undefined> {
  if (/^https?:\/\//i.test(url)) return URL.canParse(url) ? url : undefined;
  if (hasServer && /^\/(?!\/)/.test(url)) return url;
  const place = resolve(folder, url);
  const found = await stat(place).catch(() => undefined);
  return found === undefined ? undefined : relative(cwd, place) || '.';
}

function readFlags(options: readonly Option[], given: Given): Values {
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const raw = given[option.name];
    if (raw === undefined) continue;
    const texts = typeof raw === 'boolean' ? [] : typeof raw === 'string' ? [raw] : raw;
    for (const text of texts) {
      // Commander takes whatever comes next as the value: "--out --json" would make a folder "--json".
      if (option.name !== 'browserArg' && /^--[a-z]/.test(text)) {
        throw new UsageError('option-invalid', {
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
    values[option.name] = check(option, value, option.flag, texts.join(' '));
  }
  return values;
}

function readVariables(options: readonly Option[], env: Environment): Values {
  const values: Record<string, unknown> = {};
  for (const option of options) {
    const text = env[variableOf(option)];
    // CI systems set a variable to nothing to say that it is not set.
    if (text === undefined || text === '') continue;
    const value = ownPart(option, parseText(option, text));
    if (value !== undefined) values[option.name] = check(option, value, variableOf(option), text);
  }
  return values;
}

function check(option: Option, value: unknown, where: string, asTyped: string): unknown {
  const checked = option.schema.safeParse(value);
  if (checked.success) return checked.data;
  throw new UsageError('option-invalid', {
    option: where,
    // A password that was mistyped is still almost the password.
    detail: `${(checked.error as z.ZodError).issues[0]?.message}${option.secret ? '' : `, not "${asTyped}"`}`,
  });
}

/** Paths in a file are relative to the file. */
function withPaths(options: readonly Option[], given: Values, folder: string): Values {
  const values: Record<string, unknown> = { ...given };
  for (const option of options) {
    if (option.name in values) values[option.name] = ownPart(option, values[option.name]);
    const value = values[option.name];
    if (!option.isPath || typeof value !== 'string' || option.unlessPath?.test(value)) continue;
    values[option.name] = resolve(folder, value);
  }
  return values;
}

/**
 * A file and the environment speak to all commands: of a list, what only others take (`har` among the formats) is left
 * out, and a list that is nothing else says nothing.
 */
function ownPart(option: Option, value: unknown): unknown {
  if (!Array.isArray(value) || !isForOthers(option, value)) return value;
  const own = value.filter((item) => option.schema.safeParse([item]).success);
  return own.length === 0 ? undefined : own;
}

function isForOthers(option: Option, value: readonly unknown[]): boolean {
  return !option.schema.safeParse(value).success && optionNamed(option.name).schema.safeParse(value).success;
}

function isSet(name: string, value: unknown): boolean {
  if (name === 'sandbox') return value === false;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

function refuseContradictions(source: Source): void {
  const { values, nameOf } = source;
  for (const { pair, why } of EXCLUSIVE) {
    const [a, b] = pair;
    if (!isSet(a, values[a]) || !isSet(b, values[b])) continue;
    throw new UsageError('options-contradict', {
      option: nameOf(optionNamed(a)),
      detail: nameOf(optionNamed(b)),
      suggestion: why,
    });
  }
  const both = patterns(values.background).find((pattern) => patterns(values.foreground).includes(pattern));
  if (both !== undefined) {
    throw new UsageError('options-contradict', {
      option: `${nameOf(optionNamed('background'))} ${both}`,
      detail: `${nameOf(optionNamed('foreground'))} ${both}`,
      suggestion: 'a request is needed or it is not',
    });
  }
}

function dropOverruledPatterns(merged: Record<string, { value: unknown; from: string }>, source: Source): void {
  for (const [strong, weak] of [
    ['background', 'foreground'],
    ['foreground', 'background'],
  ] as const) {
    const overruled = patterns(source.values[strong]);
    const there = merged[weak];
    if (there === undefined || overruled.length === 0) continue;
    merged[weak] = { ...there, value: patterns(there.value).filter((pattern) => !overruled.includes(pattern)) };
  }
}

function patterns(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}
