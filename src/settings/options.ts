/**
 * Every option, once. The parser and the help of the command line, QUIESCE_* variables, the keys of configuration files
 * and library calls, their JSON Schema and the types of what jobs get are all derived from this list: a new option is one
 * record in one file of options/.
 */

import { z } from 'zod';
import { kebabCase } from '../wording/text/kebab-case.ts';
import type { CommandName, OptionRecord } from './option.ts';
import { access } from './options/access.ts';
import { browser } from './options/browser.ts';
import { capacity } from './options/capacity.ts';
import { building, comparing } from './options/comparing.ts';
import { completion } from './options/completion.ts';
import { conditions } from './options/conditions.ts';
import { github } from './options/github.ts';
import { machines } from './options/machines.ts';
import { measuring } from './options/measuring.ts';
import { output } from './options/output.ts';
import { pages } from './options/pages.ts';
import { results } from './options/results.ts';
import { server } from './options/server.ts';
import { sides } from './options/sides.ts';
import { parseDuration } from './value-schemas.ts';

export { type CommandName, OPTION_GROUPS } from './option.ts';

const RECORDS = {
  ...pages,
  ...server,
  ...measuring,
  ...comparing,
  ...building,
  ...capacity,
  ...conditions,
  ...access,
  ...sides,
  ...completion,
  ...machines,
  ...results,
  ...github,
  ...browser,
  ...output,
};
type Records = typeof RECORDS;

/** An option with its name. */
export interface Option extends Omit<OptionRecord, 'for'> {
  /** In configuration files, library calls and results. */
  readonly name: string;
  /** As typed: `--quiet-window`; `--no-sandbox` for a switch that turns something off. */
  readonly flag: string;
}

/** All options in the order in which they are listed. */
export const OPTIONS: readonly Option[] = Object.entries<OptionRecord>(RECORDS).map(([name, record]) =>
  optionOf(name, record),
);

function optionOf(name: string, { for: _for, ...record }: OptionRecord): Option {
  return { ...record, name, flag: `--${record.negated ? 'no-' : ''}${kebabCase(name)}` };
}

/** The option of a name. */
export function optionNamed(name: string): Option {
  const option = OPTIONS.find((it) => it.name === name);
  if (option === undefined) throw new Error(`no option ${name}`);
  return option;
}

/** The options of a command, as they are for it, in the list's order. */
export function optionsFor(command: CommandName): readonly Option[] {
  return Object.entries<OptionRecord>(RECORDS)
    .filter(([, { commands }]) => commands.includes(command))
    .map(([name, record]) => ({ ...optionOf(name, record), ...record.for?.[command] }));
}

/** The environment variable of an option: QUIESCE_QUIET_WINDOW. */
export function variableOf(option: Option): string {
  return `QUIESCE_${option.name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A value out of text; what cannot be one comes back as something that the schema refuses. */
export function parseText(option: Option, given: string): unknown {
  switch (option.kind) {
    case 'switch':
      if (/^(1|true|yes|on)$/i.test(given)) return true;
      if (/^(0|false|no|off)$/i.test(given)) return false;
      return given;
    case 'text':
      return given;
    case 'number':
      return /^[-+]?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : Number.NaN;
    case 'duration':
      return parseDuration(given);
    case 'list':
      return given.split(option.separator ?? '\n').filter((part) => part !== '');
  }
}

/** Pairs that cannot both be given. Where one comes from a stronger source than the other, the stronger one stands. */
export const EXCLUSIVE: readonly { readonly pair: readonly [string, string]; readonly why: string }[] = [
  { pair: ['quiet', 'verbose'], why: 'leave one of them out' },
  {
    pair: ['dist', 'serveCommand'],
    why: 'leave one of them out, to serve a folder of files or to start the server of each build',
  },
  { pair: ['browser', 'browserWs'], why: 'leave one of them out, to start a browser or to use a running one' },
  {
    pair: ['browserWs', 'browserArg'],
    why: 'leave one of them out, because a running browser cannot get more arguments',
  },
  {
    pair: ['browserWs', 'sandbox'],
    why: 'leave one of them out, because a running browser keeps the sandbox that it was started with',
  },
];

// --- Types --------------------------------------------------------------------------------------------------------

type Variant<R, C extends CommandName> = R extends { readonly for: { readonly [P in C]: infer V } } ? V : unknown;
type SchemaOf<R extends OptionRecord, C extends CommandName> =
  Variant<R, C> extends { readonly schema: infer S extends z.ZodType } ? S : R['schema'];
type DefaultOf<R, C extends CommandName> =
  Variant<R, C> extends { readonly default: infer D } ? D : R extends { readonly default: infer D } ? D : undefined;

/** Names of the options that steer the job of a command. */
type OptionName<C extends CommandName> = {
  [N in keyof Records]: Records[N] extends { readonly scope: string }
    ? never
    : C extends Records[N]['commands'][number]
      ? N
      : never;
}[keyof Records];

type Shape<C extends CommandName> = {
  [N in OptionName<C>]: DefaultOf<Records[N], C> extends undefined
    ? z.ZodOptional<SchemaOf<Records[N], C>>
    : z.ZodPrefault<SchemaOf<Records[N], C>>;
};

/** The schema of what a job can be given: every option of its command, with its default, and nothing else. */
function schemaFor<C extends CommandName>(command: C): z.ZodObject<Shape<C>, z.core.$strict> {
  const shape = optionsFor(command)
    .filter(({ scope }) => scope === undefined)
    .map(({ name, schema, default: fallback }) => [
      name,
      fallback === undefined ? schema.optional() : schema.prefault(fallback),
    ]);
  return z.strictObject(Object.fromEntries(shape) as Shape<C>);
}

/** One schema for each job. */
export const SCHEMAS: { readonly [C in CommandName]: z.ZodObject<Shape<C>, z.core.$strict> } = {
  audit: schemaFor('audit'),
  compare: schemaFor('compare'),
  analyze: schemaFor('analyze'),
  capacity: schemaFor('capacity'),
  trend: schemaFor('trend'),
  report: schemaFor('report'),
  merge: schemaFor('merge'),
  github: schemaFor('github'),
  doctor: schemaFor('doctor'),
  init: schemaFor('init'),
};

type ReadonlyList<T> = T extends (infer E)[] ? readonly E[] : T;

/** Options as users give them: all optional. */
export type OptionsOf<C extends CommandName> = {
  readonly [N in keyof z.input<(typeof SCHEMAS)[C]>]: ReadonlyList<z.input<(typeof SCHEMAS)[C]>[N]>;
};
/** Options as jobs get them: read, with defaults. */
export type ValuesOf<C extends CommandName> = Readonly<z.output<(typeof SCHEMAS)[C]>>;

/** Names of the options that each page of an audit can have for itself. */
export type PageOptionName = {
  [N in OptionName<'audit'>]: Records[N] extends { readonly wholeAudit: true } ? never : N;
}[OptionName<'audit'>];

/** The options that each page of an audit can have for itself. */
export const PAGE_OPTIONS: readonly Option[] = optionsFor('audit').filter(
  ({ scope, wholeAudit }) => scope === undefined && wholeAudit === undefined,
);

/** What decides on a page, which each page of a comparison can have for itself as well. */
const DECIDING_OPTIONS = ['gate', 'minEffect', 'strict'];

/** The options that each page of a comparison can have for itself. */
export const COMPARED_PAGE_OPTIONS: readonly Option[] = optionsFor('compare').filter(
  ({ name }) => DECIDING_OPTIONS.includes(name) || PAGE_OPTIONS.some((option) => option.name === name),
);

/** The options that a configuration file can hold; its pages are more than paths. */
export const FILE_OPTIONS: readonly Option[] = OPTIONS.filter(
  ({ scope, name }) => scope !== 'lookup' && name !== 'pages',
);

type Defaults<C extends CommandName> = {
  readonly [N in OptionName<C> as DefaultOf<Records[N], C> extends undefined ? never : N]: DefaultOf<Records[N], C>;
};

/** The defaults of a command's options, as they would be given. */
export function defaultsFor<C extends CommandName>(command: C): Defaults<C> {
  const all = optionsFor(command).filter(({ scope, default: value }) => scope === undefined && value !== undefined);
  return Object.fromEntries(all.map(({ name, default: value }) => [name, value])) as Defaults<C>;
}
