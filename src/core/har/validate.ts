// @ts-expect-error har-validator has no types of its own, and this entry calls back before it returns.
import validator from 'har-validator/lib/async.js';

/** An error of ajv 6, as har-validator hands it on. */
interface SchemaError {
  readonly dataPath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params?: { readonly missingProperty?: string; readonly format?: string };
}

type Validate = (har: unknown, done: (error: { errors?: readonly SchemaError[] } | null) => void) => void;

/**
 * What is wrong with a HAR once it is written down: one sentence for each fault, with the entry, the field, and what
 * the field has to be; none when it is a valid HAR 1.2. Beside the schema of har-validator, which knows no limits,
 * this checks that times and sizes are not below −1 and that every `pageref` names a page.
 */
export function validateHar(har: unknown): readonly string[] {
  let written: unknown;
  try {
    written = JSON.parse(JSON.stringify(har) ?? 'null');
  } catch (error) {
    return [`The HAR cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}.`];
  }
  return validateWritten(written);
}

/** The same for what was read from a file: there is nothing in it that JSON could not hold. */
export function validateWritten(har: unknown): readonly string[] {
  if (!isObject(har)) return ['The HAR has to be an object with a log.'];
  return [...schemaFaults(har), ...limitFaults(har)];
}

function schemaFaults(har: Fields): readonly string[] {
  let errors: readonly SchemaError[] = [];
  (validator as { har: Validate }).har(har, (error) => {
    if (error) errors = error.errors ?? [];
  });
  const faults = errors
    // These only say that one of the alternatives beside them has to hold.
    .filter(({ keyword }) => keyword !== 'oneOf')
    .map((error) => {
      const missing = error.params?.missingProperty;
      const path = missing === undefined ? error.dataPath : `${error.dataPath}.${missing}`;
      return `${placeOf(har, path)} ${missing === undefined ? wordsOf(error) : 'is missing'}.`;
    });
  return [...new Set(faults)];
}

/** What a field has to be, for people: a pattern is no help to them. */
function wordsOf({ keyword, message, params }: SchemaError): string {
  if (params?.format === 'ipv4' || params?.format === 'ipv6') return 'should be an IP address';
  // The only patterns in the schema are those of dates.
  if (params?.format === 'date-time' || keyword === 'pattern') {
    return 'should be a date with its time, as in 2026-01-31T12:00:00.000Z';
  }
  return message ?? 'is wrong';
}

const SIZES = ['headersSize', 'bodySize'] as const;
const PHASES = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'] as const;

function limitFaults(har: Fields): readonly string[] {
  const log = fieldsOf(har.log);
  const entries = Array.isArray(log.entries) ? log.entries : [];
  const pages = new Set((Array.isArray(log.pages) ? log.pages : []).map((page) => fieldsOf(page).id));
  const faults: string[] = [];
  for (const [index, item] of entries.entries()) {
    const entry = fieldsOf(item);
    const fault = (path: string, what: string): void => {
      faults.push(`${placeOf(har, `.log.entries[${index}].${path}`)} ${what}.`);
    };
    const atLeast = (path: string, value: unknown, least: number): void => {
      if (typeof value === 'number' && value < least) fault(path, `is ${value}, should be >= ${least}`);
    };
    atLeast('time', entry.time, 0);
    const response = fieldsOf(entry.response);
    for (const size of SIZES) atLeast(`request.${size}`, fieldsOf(entry.request)[size], -1);
    for (const size of SIZES) atLeast(`response.${size}`, response[size], -1);
    atLeast('response.content.size', fieldsOf(response.content).size, -1);
    for (const phase of PHASES) atLeast(`timings.${phase}`, fieldsOf(entry.timings)[phase], -1);
    if (entry.pageref !== undefined && !pages.has(entry.pageref)) {
      fault('pageref', `names the page ${short(JSON.stringify(entry.pageref))}, which is not in log.pages`);
    }
  }
  return faults;
}

/** 'Entry 3 (https://…): response.status', so that the entry can be found without counting. */
function placeOf(har: Fields, path: string): string {
  const [, index, rest] = /^\.?log\.entries\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return path.replace(/^\./, '') || 'The HAR';
  const entry = fieldsOf((fieldsOf(har.log).entries as readonly unknown[])[Number(index)]);
  const { url } = fieldsOf(entry.request);
  const name = typeof url === 'string' && url !== '' ? ` (${short(url)})` : '';
  return `Entry ${index}${name}: ${rest || 'it'}`;
}

function short(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99).toWellFormed()}…`;
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
