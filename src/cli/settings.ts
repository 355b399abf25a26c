import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import type { AnalyzeSettings } from '../app/analyze.ts';
import type { ReportSettings } from '../app/report-again.ts';
import { UsageError } from '../core/messages.ts';
import type { DoctorSettings } from '../model/doctor.ts';
import type { AuditSettings, CompareSettings } from '../model/settings.ts';
import type { TrendSettings } from '../model/trend.ts';
import { type Config, readConfig } from './config.ts';
import { type CommandName, EXCLUSIVE, type Option, optionNamed, optionsOf, parseText, variableOf } from './options.ts';

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
}

/** Under which name a job finds what stands behind its command. */
const WORDS: Readonly<Record<CommandName, string | undefined>> = {
  audit: 'targets',
  compare: 'targets',
  analyze: 'files',
  trend: 'paths',
  report: undefined,
  doctor: undefined,
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
    values: config === undefined ? {} : withPaths(options, config),
    nameOf: (option) => `${option.name} in ${config?.path}`,
  };

  // Weakest first: what a stronger source says replaces, and drops what contradicts it.
  const merged: Record<string, { readonly value: unknown; readonly from: string }> = {};
  for (const source of [file, variables, flags]) {
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

  const name = WORDS[command];
  const forJob = options.filter((option) => option.steers === 'job' && resolved[option.name] !== undefined);
  return {
    // The list's schemas have checked every value; a test holds that the list and the settings name the same options.
    settings: {
      ...(name !== undefined && { [name]: words }),
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
    detail: `${(checked.error as z.ZodError).issues[0]?.message}, not "${asTyped}"`,
  });
}

/** Paths in a file are relative to the file; a bare browser name is looked up on the PATH instead. */
function withPaths(options: readonly Option[], config: Config): Values {
  const values: Record<string, unknown> = { ...config.values };
  for (const option of options) {
    if (option.name in values) values[option.name] = ownPart(option, values[option.name]);
    const value = values[option.name];
    if (!option.isPath || typeof value !== 'string') continue;
    if (option.name === 'browser' && !/[\\/]/.test(value)) continue;
    values[option.name] = resolve(dirname(config.file), value);
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
