import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const PUBLISHED = new URL('../../schema/result.v1.schema.json', import.meta.url);

/**
 * Checks a stored result with the published schema, which tests/schema.test.ts proves to be what the types give; its
 * `errors` say what is wrong. Compiled once for all files of a process. Strict about the schema itself: an unknown keyword
 * is a slip of the generator.
 */
const ajv = new Ajv({ strict: true, allErrors: true }).addFormat('date-time', {
  validate: (text: string) => !Number.isNaN(Date.parse(text)),
});
export const isStoredResult = ajv.compile(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
