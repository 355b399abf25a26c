/** Writes `schema/result.v1.schema.json` from the types in `src/model/stored-result.ts`. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerator } from 'ts-json-schema-generator';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where the schema is kept, from the root. */
export const SCHEMA_FILE = 'schema/result.v1.schema.json';

/** The identifier that a result's `$schema` may name. */
export const SCHEMA_ID = 'https://unpkg.com/quiesce/schema/result.v1.schema.json';

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
      files: [join(ROOT, 'src/model/stored-result.ts')],
    }),
  );
  try {
    const { $schema, definitions, ...root } = createGenerator({
      path: join(ROOT, 'src/model/stored-result.ts'),
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
      definitions,
    };
    return `${JSON.stringify(schema, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(ROOT, 'schema'), { recursive: true });
  writeFileSync(join(ROOT, SCHEMA_FILE), resultSchema());
  process.stdout.write(`wrote ${SCHEMA_FILE}\n`);
}
