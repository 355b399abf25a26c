import { LIGHTHOUSE_METRICS } from '../core/lighthouse/summary.ts';
import { metricNamed, metrics, metricTitle } from '../core/metrics/index.ts';
import type { Budget, BudgetEntry, BudgetSeverity, BudgetSource } from '../model/budgets.ts';
import type { OwnMetric } from '../model/metrics/metrics.ts';
import type { ResourceType } from '../model/network/network.ts';
import type { Unit } from '../model/units.ts';
import { kebabCase } from '../wording/text/kebab-case.ts';
import { KNOWN_METRICS } from './metric-names.ts';
import { ownName } from './parse-own-metric.ts';
import { nearest } from './suggest.ts';

/** A budget, or what is wrong with it as a clause that reads on after the option's name. */
export type ParsedBudget = { readonly budget: Budget } | { readonly problem: string };

/** Fails to compile when a type is forgotten. */
const TYPES: Readonly<Record<ResourceType, true>> = {
  document: true,
  stylesheet: true,
  script: true,
  image: true,
  font: true,
  media: true,
  texttrack: true,
  xhr: true,
  fetch: true,
  eventsource: true,
  websocket: true,
  webtransport: true,
  manifest: true,
  prefetch: true,
  preflight: true,
  ping: true,
  'csp-violation-report': true,
  'signed-exchange': true,
  other: true,
};

/** Categories of Lighthouse 13. Source: lighthouse core/config/default-config.js. */
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo', 'agentic-browsing'];

/** Factors of the units that may follow a figure, by the unit of the metric. */
const UNITS: Readonly<Record<Unit, Readonly<Record<string, number>>>> = {
  ms: { '': 1, ms: 1, s: 1000 },
  bytes: { '': 1, b: 1, kb: 1e3, mb: 1e6, kib: 1024, mib: 1024 * 1024 },
  count: { '': 1 },
  score: { '': 1, '%': 0.01 },
};

/** A time without a unit is in ms. One below this was meant in seconds: no page is that quick. */
const LEAST_BARE_MS = 10;

const GRAMMAR =
  'must be <metric>=<limit>, such as page-complete=2s, lighthouse:performance=0.9 or requests:script=20:warn';

/**
 * A budget as typed, 'page-complete=2s:warn', or as an object of a configuration file.
 *
 * @param own the user's own metrics; as long as they are not known, a budget for a name that may be one of theirs is taken
 */
export function parseBudget(given: string | BudgetEntry, own?: readonly OwnMetric[]): ParsedBudget {
  if (typeof given !== 'string') return parseEntry(given, own);
  const parts = /^\s*([^=<>\s]+)\s*(=|<=|>=)\s*([^:\s]+)\s*(?::\s*(warn|error)\s*)?$/.exec(given);
  if (!parts) return { problem: GRAMMAR };
  const [, name = '', sign, limit = '', severity = 'error'] = parts;
  const bound = sign === '<=' ? 'max' : sign === '>=' ? 'min' : undefined;
  return budgetOf({ name, bound, limit, severity: severity as BudgetSeverity }, own);
}

function parseEntry({ metric: name, max, min, severity = 'error' }: BudgetEntry, own?: readonly OwnMetric[]) {
  if ((max === undefined) === (min === undefined)) return { problem: 'must have max or min, but not both' };
  return max !== undefined
    ? budgetOf({ name, bound: 'max', limit: max, severity }, own)
    : budgetOf({ name, bound: 'min', limit: min ?? '', severity }, own);
}

/** A budget in its parts. */
interface BudgetParts {
  readonly name: string;
  readonly bound: Budget['bound'] | undefined;
  readonly limit: number | string;
  readonly severity: BudgetSeverity;
}

function budgetOf(
  { name, bound: said, limit, severity }: BudgetParts,
  own: readonly OwnMetric[] | undefined,
): ParsedBudget {
  const found = figureNamed(name, own ?? []);
  if ('problem' in found) {
    const metric = own === undefined && !name.includes(':') ? ownName(name) : undefined;
    return metric === undefined ? found : { budget: { ...unread(metric), severity } };
  }
  const { title, unit, source, metric, natural } = found;
  const bound = said ?? natural;
  if (bound !== natural)
    return { problem: `must limit ${name} with ${natural === 'max' ? 'max (or <=)' : 'min (or >=)'}` };
  const parts = /^(\d+(?:\.\d+)?)\s*([a-z%]*)$/i.exec(String(limit).trim());
  const factor = parts ? UNITS[unit][(parts[2] ?? '').toLowerCase()] : undefined;
  if (!parts || factor === undefined) return { problem: `must have a limit for ${name}, such as ${examples(unit)}` };
  const value = Number(parts[1]) * factor;
  if (unit === 'ms' && parts[2] === '' && value > 0 && value < LEAST_BARE_MS)
    return {
      problem: `must have a unit for so short a time: ${parts[1]} is ${parts[1]} ms. Did you mean ${parts[1]}s?`,
    };
  if (source.kind === 'lighthouse-category' && value > 1)
    return { problem: `must have a limit from 0 to 1 for ${name}` };
  return { budget: { metric, title, unit, source, bound, limit: value, severity } };
}

/** A budget for what may be an own metric: it is read again when those are known. */
function unread(metric: string): Omit<Budget, 'severity'> {
  return {
    metric,
    title: metricTitle(metric),
    unit: 'count',
    source: { kind: 'metric', metric },
    bound: 'max',
    limit: 0,
  };
}

function examples(unit: Unit): string {
  return {
    ms: '2000, 2000ms or 2s',
    bytes: '500000, 500kB or 1.5MB',
    count: '40',
    score: '0.1',
  }[unit];
}

interface Figure extends Pick<Budget, 'metric' | 'title' | 'unit'> {
  readonly source: BudgetSource;
  /** Which bound is a limit for it. */
  readonly natural: Budget['bound'];
}

function figureNamed(name: string, own: readonly OwnMetric[]): Figure | { readonly problem: string } {
  const [head = '', part, ...more] = name.split(':');
  const whole = head.toLowerCase().replace(/[^a-z]/g, '');
  if (more.length > 0) return { problem: GRAMMAR };
  if (part === undefined) {
    const wanted = ownName(head);
    const metric =
      (whole === 'requests' ? metricNamed('requestCount') : metricNamed(head)) ??
      own.find((each) => each.name === wanted);
    if (!metric) return { problem: `must start with a known metric${meant(head, own)}` };
    const { name: key, unit, better } = metric;
    return {
      metric: key,
      title: metricTitle(key),
      unit,
      source: { kind: 'metric', metric: key },
      natural: better === 'higher' ? 'min' : 'max',
    };
  }
  if (whole === 'lighthouse') return lighthouseFigure(part);
  const type = part.toLowerCase();
  const kind =
    whole === 'requests' || whole === 'requestcount'
      ? 'requests'
      : whole === 'transfersize'
        ? 'transfer-size'
        : undefined;
  if (kind === undefined)
    return { problem: `must start with requests or transfer-size, because only these have types` };
  if (!Object.hasOwn(TYPES, type))
    return { problem: `must have a type of request after the colon (${Object.keys(TYPES).join(', ')})` };
  return {
    metric: `${kind === 'requests' ? 'requestCount' : 'transferSize'}:${type}`,
    title: `${kind === 'requests' ? 'Requests' : 'Transfer size'} (${type})`,
    unit: kind === 'requests' ? 'count' : 'bytes',
    source: { kind, type },
    natural: 'max',
  };
}

function lighthouseFigure(part: string): Figure | { readonly problem: string } {
  const category = CATEGORIES.find((each) => each === part.toLowerCase());
  if (category !== undefined) {
    const source = { kind: 'lighthouse-category', name: category } as const;
    return {
      metric: `lighthouse:${category}`,
      title: `Lighthouse ${category.replaceAll('-', ' ')}`,
      unit: 'score',
      source,
      natural: 'min',
    };
  }
  const wanted = metricNamed(part)?.name ?? (/^(si|speed-?index)$/i.test(part) ? 'speedIndex' : undefined);
  const metric = LIGHTHOUSE_METRICS.find(({ name }) => name === wanted);
  if (!metric) {
    const names = [...CATEGORIES, ...LIGHTHOUSE_METRICS.map(({ name }) => kebabCase(name))].join(', ');
    return { problem: `must have a category or a metric of Lighthouse after the colon (${names})` };
  }
  const { name, unit } = metric;
  const title = `Lighthouse ${kebabCase(name).replaceAll('-', ' ')}`;
  return { metric: `lighthouse:${name}`, title, unit, source: { kind: 'lighthouse-metric', name }, natural: 'max' };
}

/** What was probably meant, or else what there is. */
function meant(name: string, own: readonly OwnMetric[]): string {
  const names = metrics.flatMap((metric) => [kebabCase(metric.name), metric.abbreviation ?? []].flat());
  const ownNames = own.map((metric) => kebabCase(metric.name));
  const near = nearest(name, [...names, ...ownNames]);
  return near === undefined ? ` (${[...ownNames, KNOWN].join(', ')})` : `: did you mean ${near}?`;
}

const KNOWN = `${KNOWN_METRICS}, requests:<type>, transfer-size:<type>, lighthouse:<category>`;
