import { extname, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lilconfig } from 'lilconfig';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { UsageError } from '../core/messages.ts';
import { OPTIONS } from './options.ts';
import { nearest } from './suggest.ts';

/** A configuration file that was read and checked. */
export interface Config {
  /** Absolute path. */
  readonly file: string;
  /** The path as messages name it. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const IN_FILE = OPTIONS.filter((option) => option.steers !== 'lookup');

/** What a configuration file may hold: every option under its camelCase name, none required, nothing else. */
export const configSchema = z.strictObject(
  Object.fromEntries(IN_FILE.map((option) => [option.name, option.schema.optional()])),
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
  const checked = configSchema.safeParse(found.isEmpty ? {} : (found.config ?? {}));
  if (!checked.success) throw refuse(found.filepath, checked.error.issues.map(describe).join('; '), checked.error);
  return { file: found.filepath, path: shown(found.filepath), values: checked.data };
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => {
        const near = nearest(
          key,
          IN_FILE.map((option) => option.name),
        );
        return `unknown option "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
      })
      .join('; ');
  }
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return path === '' ? issue.message : `${path.slice(1)} ${issue.message}`;
}

function firstLine(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return line.replace(/[.:\s]+$/, '') || 'cannot be read';
}
