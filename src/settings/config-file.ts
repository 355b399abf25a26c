import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson } from '../core/text/read-json.ts';
import { readBytes } from '../shell/disk/read-pieces.ts';
import { whyUnreadable } from '../wording/messages/file-errors.ts';
import { QuiesceError } from '../wording/messages/messages.ts';
import { checkObject, type Entries, type ObjectProblem, ownPart } from './check.ts';
import { type CommandName, FILE_OPTIONS, optionsFor } from './options.ts';
import { type CheckedPage, checkPages } from './pages.ts';

/** A configuration file that was read and checked. */
export interface Config {
  /** Absolute path. */
  readonly file: string;
  /** The path as messages name it. */
  readonly path: string;
  readonly entries: Entries;
  readonly pages: readonly CheckedPage[];
}

/** The names looked for, in this order. */
export const CONFIG_FILES = ['json', 'yaml', 'yml', 'js', 'mjs', 'ts'].map((end) => `quiesce.config.${end}`);

/** The longest file that is read, bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

const readJsonFile = (_file: string, content: string): unknown => {
  const json = readJson(content);
  if (json.ok) return json.value;
  throw new Error(`is not JSON, line ${json.line}, column ${json.column}: ${json.problem}`);
};
// Few have one, and reading the code for it takes as long as the rest of the settings.
const readYaml = async (_file: string, content: string): Promise<unknown> => {
  const { parse, YAMLParseError } = await import('yaml');
  try {
    // Its warnings would go past our own output. What is really wrong is refused.
    return parse(content, { logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const [at] = error.linePos ?? [];
    const place = at === undefined ? '' : `, line ${at.line}, column ${at.col}`;
    throw new Error(`is not YAML${place}: ${firstLine(error).replace(/ at line \d+, column \d+$/, '')}`, {
      cause: error,
    });
  }
};
// Node strips types by itself from 22.18 on.
const readModule = async (file: string): Promise<unknown> => {
  const module = await importModule(file);
  if (module.default === undefined) throw new Error('has no default export');
  return module.default;
};

async function importModule(file: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    const stack = (error instanceof Error ? error.stack : undefined) ?? '';
    const [, behind = ''] = stack.split(`${basename(file)}:`);
    const [line] = /^\d+/.exec(behind) ?? [];
    throw new Error(`cannot be run${line === undefined ? '' : `, line ${line}`}: ${firstLine(error)}`, {
      cause: error,
    });
  }
}

const LOADERS: Readonly<Record<string, (file: string, content: string) => unknown>> = {
  '.json': readJsonFile,
  '.yaml': readYaml,
  '.yml': readYaml,
  '.js': readModule,
  '.mjs': readModule,
  '.ts': readModule,
};

/**
 * The named file, or the first `quiesce.config.*` in this folder or one above it; undefined when there is none.
 *
 * @throws QuiesceError `config-invalid` with the path to the value that is wrong.
 */
export async function readConfig(
  named: string | undefined,
  cwd: string,
  command: CommandName,
): Promise<Config | undefined> {
  const shown = (file: string) => {
    const short = relative(cwd, file);
    return short.startsWith('..') ? file : short;
  };
  const refuse = (file: string, detail: string, cause?: unknown) =>
    new QuiesceError('config-invalid', { path: shown(file), detail }, { cause });

  if (named !== undefined && !(extname(named) in LOADERS)) {
    throw refuse(named, `must end in ${Object.keys(LOADERS).join(', ')}`);
  }
  const file = named ?? (await findConfig(cwd));
  if (file === undefined) return undefined;
  if (named === undefined && (await mayBeOfAnotherUser(file))) {
    throw refuse(
      file,
      'is in a folder that everybody can write to, and belongs to another user. To use it anyway, pass it with --config',
    );
  }
  // Modules too: Node would read one without end.
  const content = await readBytes(file, { most: MAX_BYTES }).catch((error: unknown) => {
    throw refuse(file, whyUnreadable(error), error);
  });
  const text = content.toString();
  let found: unknown;
  try {
    // An empty file, and YAML without a value, says nothing rather than something wrong.
    found = text.trim() === '' ? {} : ((await LOADERS[extname(file)]?.(file, text)) ?? {});
  } catch (error) {
    throw refuse(file, firstLine(error), error);
  }
  // A module may export what throws when it is read, or what no message can show.
  const attempt = <T>(check: () => T): T => {
    try {
      return check();
    } catch (error) {
      throw error instanceof QuiesceError ? error : refuse(file, firstLine(error), error);
    }
  };

  const { problems, ...config } = attempt(() => checkConfig(found, command));
  if (problems.length > 0) throw refuse(file, problems.map(({ clause }) => clause).join('; '));
  return { file, path: shown(file), ...config };
}

/** The first in this folder or one above it, up to the user's own. */
async function findConfig(cwd: string): Promise<string | undefined> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of CONFIG_FILES) {
      const file = join(folder, name);
      if ((await stat(file).catch(() => undefined)) !== undefined) return file;
    }
    if (folder === homedir() || folder === dirname(folder)) return undefined;
  }
}

/** A file that any user could have put there, in /tmp above the working folder say: it may name commands, or be code. */
async function mayBeOfAnotherUser(file: string): Promise<boolean> {
  const [{ uid }, { mode }] = await Promise.all([stat(file), stat(dirname(file))]);
  const isOurs = process.getuid === undefined || uid === process.getuid() || uid === 0;
  return !isOurs && (mode & EVERYBODY_WRITES) !== 0;
}

/** The bit of a folder's mode. */
const EVERYBODY_WRITES = 0o002;

/** What a configuration file may hold: every option under its camelCase name, pages, none required, nothing else. */
export function checkConfig(
  given: unknown,
  command: CommandName = 'audit',
): Pick<Config, 'entries' | 'pages'> & { readonly problems: readonly ObjectProblem[] } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return {
      entries: {},
      pages: [],
      problems: [{ clause: 'must be an object with options, such as { "runs": 10 }' }],
    };
  }
  const { $schema, pages: listed, ...values }: Record<string, unknown> = { ...given };
  const own = new Map(optionsFor(command).map((option) => [option.name, option]));
  const options = FILE_OPTIONS.map((option) => own.get(option.name) ?? option);
  for (const option of options) values[option.name] = ownPart(option, values[option.name]);
  const { entries, problems } = checkObject(values, options, '', ['pages']);
  const checked = checkPages(listed);
  // Editors find the schema by it.
  const wrongSchema =
    $schema === undefined || typeof $schema === 'string' ? [] : [{ clause: '$schema must be the URL of a schema' }];
  return { entries, pages: checked.pages, problems: [...wrongSchema, ...problems, ...checked.problems] };
}

function firstLine(error: unknown): string {
  const line = (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  return line.replace(/[.:\s]+$/, '') || 'cannot be read';
}
