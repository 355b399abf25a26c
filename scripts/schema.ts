/**
 * Writes `schema/result.v1.schema.json` from the types in `src/model/result/stored-result.ts`, and `schema/config.v1.schema.json`
 * from the list of options that the loader of configuration files checks with.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';
import { z } from 'zod';
import { FILE_OPTIONS, type Option, PAGE_OPTIONS } from '../src/settings/options.ts';
import { pageSchema } from '../src/settings/pages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where the schema is kept, from the root. */
export const SCHEMA_FILE = 'schema/result.v1.schema.json';

/** The identifier that a result's `$schema` may name. */
export const SCHEMA_ID = 'https://unpkg.com/quiesce/schema/result.v1.schema.json';

/** No time in ms, no size in bytes and no count is larger: 31,000 years, a petabyte. */
const LARGEST = 1e15;

/** A schema whose numbers all can be: what is larger than anything measured is a broken file, and no figure to show. */
function bounded(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bounded);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, bounded(part)]));
  // What is not set is not there in JSON: an optional part is what it is when it is there.
  const { anyOf } = parts;
  const [only, never] = Array.isArray(anyOf) && anyOf.length === 2 ? (anyOf as readonly object[]) : [];
  if (only && JSON.stringify(never) === '{"not":{}}') return only;
  const isFigure = parts.type === 'number' && !('enum' in parts || 'const' in parts);
  return isFigure ? { minimum: -LARGEST, maximum: LARGEST, ...parts } : parts;
}

/** The schema's text: the same types give the same bytes. */
export function resultSchema(): string {
  // The generator brings its own TypeScript 5 and needs but these; our tsconfig would have it read the whole tree.
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-schema-'));
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(
    tsconfig,
    JSON.stringify({
      compilerOptions: {
        target: 'ES2022',
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        types: [],
        rootDir: ROOT,
      },
      files: [join(ROOT, 'src/model/result/stored-result.ts')],
    }),
  );
  try {
    const { $schema, definitions, ...root } = createGenerator({
      path: join(ROOT, 'src/model/result/stored-result.ts'),
      tsconfig,
      type: 'StoredResult',
      topRef: false,
      jsDoc: 'extended',
      sortProps: true,
      // Readers of a result must cope with what later versions add; tests close the schema for what we write.
      additionalProperties: true,
      skipTypeCheck: true,
    }).createSchema('StoredResult') as Record<string, unknown>;
    const schema = {
      $schema,
      $id: SCHEMA_ID,
      title: 'Quiesce result, version 1',
      ...root,
      definitions: bounded(definitions),
    };
    return `${JSON.stringify(schema, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Where the schema of configuration files is kept, from the root. */
export const CONFIG_SCHEMA_FILE = 'schema/config.v1.schema.json';

/** What a configuration file may name as its `$schema`. */
export const CONFIG_SCHEMA_ID = 'https://unpkg.com/quiesce/schema/config.v1.schema.json';

/** The text of the schema of configuration files, for editors: the same options give the same bytes. */
export function configSchema(): string {
  const { name, url } = pageSchema.shape;
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: CONFIG_SCHEMA_ID,
    title: 'Quiesce configuration, version 1',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      pages: {
        description: 'the pages to audit when the command line names none; they are measured in turns',
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['url'],
          properties: {
            name: {
              description: 'what reports and files call it; on the command line it stands for the page',
              ...jsonSchemaOf(name),
            },
            url: {
              description: 'a URL, a folder with a built site (from this file), or with serveUrl a path such as /shop/',
              ...jsonSchemaOf(url),
            },
            ...propertiesOf(PAGE_OPTIONS),
          },
        },
      },
      ...propertiesOf(FILE_OPTIONS),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function propertiesOf(options: readonly Option[]): Record<string, object> {
  return Object.fromEntries(
    options.map((option) => {
      const { flag, defaultText, default: fallback } = option;
      // The flag switches it off; in a file it is a switch with two sides.
      const description = flag.startsWith('--no-') ? `false: ${option.description}` : option.description;
      const inWords = defaultText === undefined ? description : `${description} (default: ${defaultText})`;
      return [
        option.name,
        { description: inWords, ...(fallback !== undefined && { default: fallback }), ...jsonSchemaOf(option.schema) },
      ];
    }),
  );
}

/** What has no words in JSON Schema (is it an expression, can it be parsed?) is left for the loader to refuse. */
function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
  });
  return json;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(ROOT, 'schema'), { recursive: true });
  writeFileSync(join(ROOT, SCHEMA_FILE), resultSchema());
  writeFileSync(join(ROOT, CONFIG_SCHEMA_FILE), configSchema());
  process.stdout.write(`wrote ${SCHEMA_FILE} and ${CONFIG_SCHEMA_FILE}\n`);
}
