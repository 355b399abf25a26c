import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lilconfig } from 'lilconfig';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../core/messages.ts';
import { OPTIONS, type Option, parseText } from './options.ts';
import { PAGE_OPTIONS } from './page-options.ts';
import { nearest } from './suggest.ts';

/** A configuration file that was read and checked. */
export interface Config {
  /** Absolute path. */
  readonly file: string;
  /** The path as messages name it. */
  readonly path: string;
  /** Options by name, pages apart. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Absent when it names none. */
  readonly pages?: readonly ConfigPage[];
}

/** A page as a configuration file has it; beside these it holds options by name. */
export interface ConfigPage {
  readonly url: string;
  readonly name?: string;
  readonly [option: string]: unknown;
}

/** The options that a configuration file may hold. */
export const FILE_OPTIONS: readonly Option[] = OPTIONS.filter((option) => option.steers !== 'lookup');

/** A time may be written with its unit, as on the command line. */
const inFile = (option: Option): z.ZodType =>
  option.kind === 'duration'
    ? z.preprocess((value) => (typeof value === 'string' ? parseText(option, value) : value), option.schema.optional())
    : option.schema.optional();

const optional = (options: readonly Option[]): Record<string, z.ZodType> =>
  Object.fromEntries(options.map((option) => [option.name, inFile(option)]));

const sayPage = 'must be an object with the url of a page, such as { name: "home", url: "https://example.com/" }';
const sayName = 'must be a name';
const sayUrl = 'must be a URL, a folder with a built site, or a path on the server under test';

/** One of the `pages`: its address, its name, and whatever does not concern the whole audit. */
export const pageSchema = z.strictObject(
  {
    name: z.string(sayName).regex(/\S/, sayName).optional(),
    url: z.string(sayUrl).regex(/^\S/, sayUrl),
    ...optional(PAGE_OPTIONS),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? sayPage : undefined) },
);

/** What a configuration file may hold: every option under its camelCase name, pages, none required, nothing else. */
export const configSchema = z.strictObject(
  {
    // Editors find the schema by it.
    $schema: z.string('must be the address of a schema').optional(),
    ...optional(FILE_OPTIONS),
    pages: z.array(pageSchema, 'must be a list of pages').optional(),
  },
  'must hold an object with options, such as { "runs": 10 }',
);

/** The names looked for, in this order. */
export const CONFIG_FILES = ['json', 'yaml', 'yml', 'js', 'mjs', 'ts'].map((end) => `quiesce.config.${end}`);

const readJson = (_file: string, content: string): unknown => JSON.parse(content);
const readYaml = (_file: string, content: string): unknown => parseYaml(content);
// Node strips types by itself from 22.18 on.
const readModule = async (file: string): Promise<unknown> => {
  const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (module.default === undefined) throw new Error('has no default export');
  return module.default;
};

const LOADERS: Readonly<Record<string, (file: string, content: string) => unknown>> = {
  '.json': readJson,
  '.yaml': readYaml,
  '.yml': readYaml,
  '.js': readModule,
  '.mjs': readModule,
  '.ts': readModule,
};

/**
 * The named file, or the first `quiesce.config.*` in this folder or one above it; undefined when there is none.
 *
 * @throws UsageError `config-invalid` with the path to the value that is wrong.
 */
export async function readConfig(named: string | undefined, cwd: string): Promise<Config | undefined> {
  const shown = (file: string) => {
    const short = relative(cwd, file);
    return short.startsWith('..') ? file : short;
  };
  const refuse = (file: string, detail: string, cause?: unknown) =>
    new UsageError('config-invalid', { path: shown(file), detail }, { cause });

  // The file that a loader was reading when it failed.
  let reading = named;
  const loaders = Object.fromEntries(
    Object.entries(LOADERS).map(([end, load]) => [
      end,
      async (file: string, content: string) => {
        reading = file;
        return load(file, content);
      },
    ]),
  );
  if (named !== undefined && !(extname(named) in LOADERS)) {
    throw refuse(named, `must end in ${Object.keys(LOADERS).join(', ')}`);
  }

  const finder = lilconfig('quiesce', { searchPlaces: CONFIG_FILES, loaders, cache: false });
  let found: Awaited<ReturnType<typeof finder.search>>;
  try {
    found = named === undefined ? await finder.search(cwd) : await finder.load(named);
  } catch (error) {
    if (reading === undefined) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw refuse(reading, missing ? 'no such file' : firstLine(error), error);
  }
  if (found === null) return undefined;

  // An empty YAML file is null; it says nothing rather than something wrong.
  const given: unknown = found.isEmpty ? {} : (found.config ?? {});
  const checked = configSchema.safeParse(given);
  if (!checked.success) {
    throw refuse(found.filepath, checked.error.issues.map((issue) => describe(issue, given)).join('; '), checked.error);
  }
  const { $schema: _schema, pages, ...values } = checked.data;
  return {
    file: found.filepath,
    path: shown(found.filepath),
    values,
    ...(pages !== undefined && { pages: pages as unknown as readonly ConfigPage[] }),
  };
}

/** Where in the file, what is wanted there, and what is there. */
function describe(issue: z.core.$ZodIssue, given: unknown): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const place = path.replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => describeUnknown(key, place)).join('; ');
  if (place === '') return issue.message;
  const value = issue.path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown>)[part], given);
  if (value === undefined) return `${place} is missing: it ${issue.message}`;
  const isSecret = FILE_OPTIONS.some(({ name, secret }) => secret === true && issue.path.includes(name));
  return isSecret ? `${place} ${issue.message}` : `${place} ${issue.message}, not ${shownValue(value)}`;
}

function describeUnknown(key: string, place: string): string {
  const inPage = place !== '';
  const known = inPage
    ? ['name', 'url', ...PAGE_OPTIONS.map(({ name }) => name)]
    : ['pages', ...FILE_OPTIONS.map(({ name }) => name)];
  const where = inPage ? `${place} has the ` : '';
  if (inPage && FILE_OPTIONS.some(({ name }) => name === key)) {
    return `${where}option "${key}", which is for all pages alike: write it at the top of the file`;
  }
  const near = nearest(key, known);
  return `${where}unknown option "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

/** Longer values are cut, in letters. */
const LONGEST_VALUE = 60;

function shownValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

function firstLine(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return line.replace(/[.:\s]+$/, '') || 'cannot be read';
}
