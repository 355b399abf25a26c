/** Options from several sources, made one. */

import { metricNamed } from '../core/metrics/index.ts';
import type { BudgetEntry } from '../model/budgets.ts';
import type { Gate } from '../model/compare/gate.ts';
import type { OwnMetric } from '../model/metrics/metrics.ts';
import { QuiesceError } from '../wording/messages/messages.ts';
import { kebabCase } from '../wording/text/kebab-case.ts';
import { checkValue, type Entries, type Entry, shownValue } from './check.ts';
import { KNOWN_METRICS } from './metric-names.ts';
import { EXCLUSIVE, type Option, optionNamed } from './options.ts';
import { parseBudget } from './parse-budget.ts';

/** One place that values come from. */
export interface Source {
  readonly entries: Entries;
  /** How the user would find the option there: '--runs', 'QUIESCE_RUNS', 'runs in quiesce.config.json'. */
  readonly nameOf: (option: Option) => string;
}

/**
 * Options out of sources, the weakest first, and defaults: what a stronger one says replaces, and drops what contradicts
 * it.
 *
 * @throws QuiesceError when what comes out contradicts itself
 */
export function mergeSources(sources: readonly Source[], options: readonly Option[]): Entries {
  const merged: Record<string, Entry & { readonly from: string }> = {};
  for (const source of sources) {
    refuseContradictions(source);
    for (const [name, entry] of Object.entries(source.entries)) {
      for (const { pair } of EXCLUSIVE) {
        const other = pair[0] === name ? pair[1] : pair[1] === name ? pair[0] : undefined;
        if (other !== undefined && isSet(name, entry) && !isSet(other, source.entries[other])) delete merged[other];
      }
      merged[name] = { ...entry, from: source.nameOf(optionNamed(name)) };
    }
    dropOverruledPatterns(merged, source);
  }
  const complete: Record<string, Entry> = {};
  for (const option of options) {
    const entry = merged[option.name] ?? defaultOf(option);
    if (entry) complete[option.name] = { value: entry.value, stored: entry.stored };
  }
  const nameOf = (name: string) => merged[name]?.from ?? optionNamed(name).flag;
  refuseShortTimeout(complete, nameOf);
  refuseTwoLogins(complete, nameOf);
  return withOwnMetrics(complete, options, nameOf);
}

function defaultOf(option: Option): Entry | undefined {
  if (option.default === undefined) return undefined;
  const checked = checkValue(option, option.default);
  return 'entry' in checked ? checked.entry : undefined;
}

/** Nobody gives up sooner: a smaller number was meant in seconds. */
const LEAST_SECONDS_MS = 500;

function refuseShortTimeout({ timeout, quietWindow }: Entries, nameOf: (name: string) => string): void {
  if (timeout === undefined || quietWindow === undefined || Number(timeout.value) > Number(quietWindow.value)) return;
  throw new QuiesceError('options-contradict', {
    option: `${nameOf('timeout')} (${timeout.value} ms)`,
    detail: `${nameOf('quietWindow')} (${quietWindow.value} ms)`,
    suggestion: `the timeout must be longer than the quiet window${
      // A user who writes 30 thinks of seconds.
      Number(timeout.value) < LEAST_SECONDS_MS
        ? ` (did you mean ${timeout.value}s?)`
        : ', so raise one or lower the other'
    }`,
  });
}

function refuseTwoLogins({ header, basicAuth }: Entries, nameOf: (name: string) => string): void {
  if (basicAuth === undefined || !listOf(header?.stored).some((line) => /^authorization:/i.test(line))) return;
  throw new QuiesceError('options-contradict', {
    option: `${nameOf('header')} Authorization`,
    detail: nameOf('basicAuth'),
    suggestion: 'leave one of them out, because a request has only one Authorization header',
  });
}

/** Gates and budgets may name the user's own metrics, wherever these were defined. */
function withOwnMetrics(entries: Entries, options: readonly Option[], nameOf: (name: string) => string): Entries {
  if (!options.some(({ name }) => name === 'metric')) return entries;
  const own = listOf<OwnMetric>(entries.metric?.value);
  for (const { metric } of listOf<Gate>(entries.gate?.value)) {
    if (metricNamed(metric) || own.some(({ name }) => name === metric)) continue;
    const suggestion = [...own.map(({ name }) => kebabCase(name)), KNOWN_METRICS].join(', ');
    throw new QuiesceError('metric-unknown', { option: nameOf('gate'), detail: kebabCase(metric), suggestion });
  }
  if (!entries.budget) return entries;
  const value = listOf<string | BudgetEntry>(entries.budget.stored).map((given) => {
    const read = parseBudget(given, own);
    if ('budget' in read) return read.budget;
    throw new QuiesceError('option-invalid', {
      option: nameOf('budget'),
      detail: `${read.problem}, not ${typeof given === 'string' ? `"${given}"` : shownValue(given)}`,
    });
  });
  return { ...entries, budget: { ...entries.budget, value } };
}

function refuseContradictions({ entries, nameOf }: Source): void {
  for (const { pair, why } of EXCLUSIVE) {
    const [a, b] = pair;
    if (!isSet(a, entries[a]) || !isSet(b, entries[b])) continue;
    throw new QuiesceError('options-contradict', {
      option: nameOf(optionNamed(a)),
      detail: nameOf(optionNamed(b)),
      suggestion: why,
    });
  }
  const foreground = listOf(entries.foreground?.value);
  const both = listOf(entries.background?.value).find((pattern) => foreground.includes(pattern));
  if (both !== undefined) {
    throw new QuiesceError('options-contradict', {
      option: `${nameOf(optionNamed('background'))} ${both}`,
      detail: `${nameOf(optionNamed('foreground'))} ${both}`,
      suggestion: 'leave one of them out, because a page needs a request or does not',
    });
  }
}

function isSet(name: string, entry: Entry | undefined): boolean {
  const value = entry?.value;
  if (name === 'sandbox') return value === false;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

function dropOverruledPatterns(merged: Record<string, Entry & { readonly from: string }>, source: Source): void {
  for (const [strong, weak] of [
    ['background', 'foreground'],
    ['foreground', 'background'],
  ] as const) {
    const overruled = listOf(source.entries[strong]?.value);
    const there = merged[weak];
    if (there === undefined || overruled.length === 0) continue;
    const left = listOf(there.value).filter((pattern) => !overruled.includes(pattern));
    merged[weak] = { ...there, value: left, stored: left };
  }
}

function listOf<T = string>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value : [];
}
