import type { HarFault } from '../../model/network/har-fault.ts';
import { isHar, isStrictHar } from './generated/schema.ts';

/** An error of ajv 8. */
interface SchemaError {
  /** A JSON pointer: /log/entries/0/time. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: {
    readonly missingProperty?: string;
    readonly additionalProperty?: string;
    readonly limit?: number;
  };
}

/** A schema, compiled. */
interface Schema {
  (har: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

/**
 * What is wrong with a HAR that Quiesce wrote, once it is JSON: with the entry, the field, and what the field has to be;
 * none when it is a HAR 1.2 in all strictness. Beside the schema, every `pageref` must name a page.
 */
export function validateHar(har: unknown): readonly HarFault[] {
  let written: unknown;
  try {
    written = JSON.parse(JSON.stringify(har) ?? 'null');
  } catch (error) {
    return [{ code: 'no-json', detail: error instanceof Error ? error.message : String(error) }];
  }
  return faultsOf(written, isStrictHar as Schema);
}

/** The same for what was read from a file: other tools leave out pages, and write fields of their own. */
export function validateWritten(har: unknown): readonly HarFault[] {
  return faultsOf(har, isHar as Schema);
}

function faultsOf(har: unknown, schema: Schema): readonly HarFault[] {
  if (!isObject(har)) return [{ code: 'no-log' }];
  if (schema(har)) return unknownPages(har);
  const faults = (schema.errors ?? []).map((error): HarFault => {
    const { instancePath, params } = error;
    const more = params.missingProperty ?? params.additionalProperty;
    const place = parsePlace(har, more === undefined ? instancePath : `${instancePath}/${more}`);
    return params.missingProperty === undefined
      ? { ...problemOf(error, valueAt(har, instancePath)), ...place }
      : { code: 'field-missing', ...place };
  });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values(), ...unknownPages(har)];
}

type Problem =
  | { readonly code: 'no-address' | 'no-date-time' }
  | { readonly code: 'too-small'; readonly value: number; readonly least: number }
  | { readonly code: 'wrong'; readonly detail: string };

/** What is wrong with a field, for people: a pattern is no help to them. */
function problemOf({ keyword, schemaPath, message, params }: SchemaError, value: unknown): Problem {
  if (keyword === 'minimum') return { code: 'too-small', value: value as number, least: params.limit ?? 0 };
  if (keyword === 'pattern') {
    if (/(?:address|serverIPAddress)\/pattern$/.test(schemaPath)) return { code: 'no-address' };
    if (/url\/pattern$/i.test(schemaPath)) return { code: 'wrong', detail: 'should match format "uri"' };
    return { code: 'no-date-time' };
  }
  if (keyword === 'additionalProperties') return { code: 'wrong', detail: 'is not a field of HAR 1.2' };
  return { code: 'wrong', detail: (message ?? 'is wrong').replace(/^must /, 'should ') };
}

function unknownPages(har: Fields): readonly HarFault[] {
  const log = fieldsOf(har.log);
  const pages = new Set((Array.isArray(log.pages) ? log.pages : []).map((page) => fieldsOf(page).id));
  const entries = Array.isArray(log.entries) ? log.entries : [];
  return entries.flatMap((item, index): readonly HarFault[] => {
    const { pageref } = fieldsOf(item);
    if (pageref === undefined || pages.has(pageref)) return [];
    const place = parsePlace(har, `/log/entries/${index}/pageref`);
    return [{ code: 'unknown-page', page: JSON.stringify(pageref), ...place }];
  });
}

/** Where a fault is, so that its entry can be found without counting. */
interface Place {
  readonly entry?: number;
  readonly url?: string;
  readonly path: string;
}

/** A JSON pointer in the words of people: /log/entries/3/cookies/0/name is `cookies[0].name` in entry 3. */
function parsePlace(har: Fields, pointer: string): Place {
  const [, index, inside] = /^\/log\/entries\/(\d+)(.*)$/s.exec(pointer) ?? [];
  const path = partsOf(inside ?? pointer)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  if (index === undefined) return { path };
  const url = valueAt(har, `/log/entries/${index}/request/url`);
  return { entry: Number(index), ...(typeof url === 'string' && { url }), path };
}

function partsOf(pointer: string): readonly string[] {
  const [, ...parts] = pointer.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(har: Fields, pointer: string): unknown {
  return partsOf(pointer).reduce<unknown>((value, part) => (value as Fields | null | undefined)?.[part], har);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
