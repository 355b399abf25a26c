import { defined } from '../core/text/defined.ts';
/** Checks values where they were written, each once. */

import type { z } from 'zod';
import { QuiesceError } from '../wording/messages/messages.ts';
import { type Option, optionNamed, optionsFor } from './options.ts';
import { nearest } from './suggest.ts';

/** A value that was checked. */
export interface Entry {
  /** What jobs work with. */
  readonly value: unknown;
  /** What results store: JSON, without secrets. */
  readonly stored: unknown;
}

/** Checked values by the name of their option. */
export type Entries = Readonly<Record<string, Entry>>;

/** Checks one value. */
export function checkValue(
  option: Option,
  given: unknown,
): { readonly entry: Entry } | { readonly issue: z.core.$ZodIssue } {
  const checked = option.schema.safeParse(given);
  const issue = checked.error?.issues[0];
  if (issue) return { issue };
  const value: unknown = checked.data;
  return { entry: { value, stored: option.stored ? option.stored(value, given) : value } };
}

/**
 * A file and the environment speak to all commands: of a list, what only others take (`har` among the formats) is left
 * out, and a list that is nothing else says nothing. Undefined when nothing is left.
 */
export function ownPart(option: Option, given: unknown): unknown {
  const general = optionNamed(option.name).schema;
  if (general === option.schema || !Array.isArray(given) || !general.safeParse(given).success) return given;
  const own = given.filter((item) => option.schema.safeParse([item]).success);
  return own.length === 0 && given.length > 0 ? undefined : own;
}

/** Something wrong with an object. */
export interface ObjectProblem {
  /** A clause that begins with the place. */
  readonly clause: string;
  /** Where one option is wrong in a way that has a message of its own. */
  readonly error?: QuiesceError;
}

/** What stands in an object with options, and what is wrong with it. */
export interface CheckedObject {
  readonly entries: Entries;
  readonly problems: readonly ObjectProblem[];
}

/**
 * Checks the options in an object of a configuration file or a library call.
 *
 * @param place where the object stands: 'pages[2]'; empty for the whole
 * @param besides keys that are no options
 */
export function checkObject(
  given: Readonly<Record<string, unknown>>,
  options: readonly Option[],
  place: string,
  besides: readonly string[],
): CheckedObject {
  const entries: Record<string, Entry> = {};
  const problems: ObjectProblem[] = [];
  for (const option of options) {
    const value = given[option.name];
    if (value === undefined) continue;
    const checked = checkValue(option, value);
    if ('entry' in checked) {
      entries[option.name] = checked.entry;
      continue;
    }
    const at = [place, option.name].filter(Boolean).join('.');
    const error = ownError(checked.issue, at);
    problems.push(defined({ clause: describeIssue(checked.issue, value, at, option.secret), error }));
  }
  const known = [...besides, ...options.map(({ name }) => name)];
  for (const key of Object.keys(given))
    if (!known.includes(key)) problems.push({ clause: describeUnknown(key, place, known) });
  return { entries, problems };
}

/** The error for an issue that has a message of its own. */
export function ownError(issue: z.core.$ZodIssue, option: string): QuiesceError | undefined {
  const params = issue.code === 'custom' ? issue.params : undefined;
  if (params?.code !== 'metric-unknown') return undefined;
  return new QuiesceError('metric-unknown', {
    option,
    detail: String(params.detail),
    suggestion: String(params.suggestion),
  });
}

/** Where, what is wanted there, and what is there. */
export function describeIssue(issue: z.core.$ZodIssue, given: unknown, place: string, secret = false): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const value = issue.path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown>)[part], given);
  if (value === undefined) return `${place}${path} is missing: it ${issue.message}`;
  return secret ? `${place}${path} ${issue.message}` : `${place}${path} ${issue.message}, not ${shownValue(value)}`;
}

function describeUnknown(key: string, place: string, known: readonly string[]): string {
  const where = place === '' ? '' : `${place} has the `;
  const isOfAll = place !== '' && optionsFor('audit').some(({ name, scope }) => name === key && scope !== 'lookup');
  if (isOfAll) return `${where}option "${key}", which applies to all pages: move it to the top level of the file`;
  const near = nearest(key, known);
  return `${where}unknown option "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}`;
}

/** Longer values are cut, in letters. */
const LONGEST_VALUE = 60;

/** A value as messages show it. */
export function shownValue(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}
