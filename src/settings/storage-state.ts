import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import type { StorageState } from '../model/storage-state.ts';
import { whyUnreadable } from '../wording/messages/file-errors.ts';
import { QuiesceError } from '../wording/messages/messages.ts';

/** Larger files are refused, bytes: each load writes all of it into its profile. */
const MAX_BYTES = 4 * 1024 * 1024;

const items = z.array(z.looseObject({ name: z.string(), value: z.string() }));
const keyPaths = { keyPath: z.string().optional(), keyPathArray: z.array(z.string()).optional() };
const schema = z.looseObject({
  cookies: z
    .array(
      z.looseObject({
        name: z.string(),
        value: z.string(),
        domain: z.string().min(1),
        path: z.string().default('/'),
        expires: z.number().optional(),
        httpOnly: z.boolean().optional(),
        secure: z.boolean().optional(),
        sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
        partitionKey: z.string().optional(),
      }),
    )
    .default([]),
  origins: z
    .array(
      z.looseObject({
        origin: z
          .string()
          .refine((value) => /^https?:/.test(value) && URL.canParse(value), 'must be an http:// or https:// origin')
          .transform((value) => new URL(value).origin),
        localStorage: items.default([]),
        sessionStorage: items.optional(),
        indexedDB: z
          .array(
            z.looseObject({
              name: z.string(),
              version: z.number(),
              stores: z.array(
                z.looseObject({
                  name: z.string(),
                  autoIncrement: z.boolean().default(false),
                  ...keyPaths,
                  records: z.array(z.looseObject({})).default([]),
                  indexes: z
                    .array(
                      z.looseObject({
                        name: z.string(),
                        ...keyPaths,
                        multiEntry: z.boolean().default(false),
                        unique: z.boolean().default(false),
                      }),
                    )
                    .default([]),
                }),
              ),
            }),
          )
          .optional(),
      }),
    )
    .default([]),
});

/**
 * Reads a storage state of Playwright. What is wrong is said without values: they are secrets.
 *
 * @throws QuiesceError `storage-state-invalid`
 */
export function readStorageState(file: string): StorageState {
  const refuse = (detail: string, cause?: unknown) =>
    new QuiesceError('storage-state-invalid', { path: file, detail }, { cause });
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) throw refuse('it is larger than 4 MB');
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw error instanceof QuiesceError ? error : refuse(whyUnreadable(error), error);
  }
  const parsed = schema.safeParse(jsonOf(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw refuse(place === '' ? 'it is not a JSON object' : `${place}: ${issue?.message}`);
  }
  const { cookies, origins } = parsed.data;
  // A file of something else is an object, too.
  if (cookies.length === 0 && origins.length === 0) throw refuse('it has no cookies and no origins');
  return { cookies, origins };
}

/** Undefined for what is no JSON: a message of the parser would repeat a part of it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
