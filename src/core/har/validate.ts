// @ts-expect-error har-validator has no types of its own, and this entry calls back before it returns.
import validator from 'har-validator/lib/async.js';
import type { HarFault } from '../../model/har-fault.ts';

/** An error of ajv 6, as har-validator hands it on. */
interface SchemaError {
  readonly dataPath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params?: { readonly missingProperty?: string; readonly format?: string };
}

type Validate = (har: unknown, done: (error: { errors?: readonly SchemaError[] } | null) => void) => void;

/**
 * What is wrong with a HAR once it is written down: with the entry, the field, and what the field has to be;
 * none when it is a valid HAR 1.2. Beside the schema of har-validator, which knows no limits,
 * this checks that times and sizes are not below −1 and that every `pageref` names a page.
 */
export function validateHar(har: unknown): readonly HarFault[] {
  let written: unknown;
  try {
    written = JSON.parse(JSON.stringify(har) ?? 'null');
  } catch (error) {
    return [{ code: 'no-json', detail: error instanceof Error ? error.message : String(error) }];
  }
  return validateWritten(written);
}

/** The same for what was read from a file: there is nothing in it that JSON could not hold. */
export function validateWritten(har: unknown): readonly HarFault[] {
  if (!isObject(har)) return [{ code: 'no-log' }];
  return [...schemaFaults(har), ...limitFaults(har)];
}

/** Compiles the schema, which the first HAR would have to wait for. */
export function prepareValidator(): void {
  schemaFaults({});
}

function schemaFaults(har: Fields): readonly HarFault[] {
  let errors: readonly SchemaError[] = [];
  (validator as { har: Validate }).har(har, (error) => {
    if (error) errors = error.errors ?? [];
  });
  const faults = errors
    // These only say that one of the alternatives beside them has to hold.
    .filter(({ keyword }) => keyword !== 'oneOf')
    .map((error): HarFault => {
      const missing = error.params?.missingProperty;
      const path = missing === undefined ? error.dataPath : `${error.dataPath}.${missing}`;
      const place = parsePlace(har, path);
      return missing === undefined ? { ...problemOf(error), ...place } : { code: 'field-missing', ...place };
    });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

type Problem = { readonly code: 'no-address' | 'no-date-time' } | { readonly code: 'wrong'; readonly detail: string };

/** What is wrong with a field, for people: a pattern is no help to them. */
function problemOf({ keyword, message, params }: SchemaError): Problem {
  if (params?.format === 'ipv4' || params?.format === 'ipv6') return { code: 'no-address' };
  // The only patterns in the schema are those of dates.
  if (params?.format === 'date-time' || keyword === 'pattern') return { code: 'no-date-time' };
  return { code: 'wrong', detail: message ?? 'is wrong' };
}

const SIZES = ['headersSize', 'bodySize'] as const;
const PHASES = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'] as const;

function limitFaults(har: Fields): readonly HarFault[] {
  const log = fieldsOf(har.log);
  const entries = Array.isArray(log.entries) ? log.entries : [];
  const pages = new Set((Array.isArray(log.pages) ? log.pages : []).map((page) => fieldsOf(page).id));
  const faults: HarFault[] = [];
  for (const [index, item] of entries.entries()) {
    const entry = fieldsOf(item);
    const place = (path: string): Place => parsePlace(har, `.log.entries[${index}].${path}`);
    const atLeast = (path: string, value: unknown, least: number): void => {
      if (typeof value === 'number' && value < least) faults.push({ code: 'too-small', value, least, ...place(path) });
    };
    atLeast('time', entry.time, 0);
    const response = fieldsOf(entry.response);
    for (const size of SIZES) atLeast(`request.${size}`, fieldsOf(entry.request)[size], -1);
    for (const size of SIZES) atLeast(`response.${size}`, response[size], -1);
    atLeast('response.content.size', fieldsOf(response.content).size, -1);
    for (const phase of PHASES) atLeast(`timings.${phase}`, fieldsOf(entry.timings)[phase], -1);
    if (entry.pageref !== undefined && !pages.has(entry.pageref)) {
      faults.push({ code: 'unknown-page', page: JSON.stringify(entry.pageref), ...place('pageref') });
    }
  }
  return faults;
}

/** Where a fault is, so that its entry can be found without counting. */
interface Place {
  readonly entry?: number;
  readonly url?: string;
  readonly path: string;
}

function parsePlace(har: Fields, path: string): Place {
  const [, index, rest = ''] = /^\.?log\.entries\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return { path: path.replace(/^\./, '') };
  const entry = Number(index);
  const { url } = fieldsOf(fieldsOf((fieldsOf(har.log).entries as readonly unknown[])[entry]).request);
  return { entry, ...(typeof url === 'string' && { url }), path: rest };
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
