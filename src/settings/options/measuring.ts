import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import { metricNames } from '../metric-names.ts';
import { asGiven, inGroup, JUDGING, LOADING, type OptionRecords } from '../option.ts';
import { parseBudget } from '../parse-budget.ts';
import { parseCapacityBudget } from '../parse-capacity-budget.ts';
import { parseOwnMetric } from '../parse-own-metric.ts';
import type { BudgetMetric, BudgetText } from '../typed-names.ts';
import { duration, parsed, SWITCHED_OFF, SWITCHED_ON, wholeNumber } from '../value-schemas.ts';

const limit = z.union([z.number(), z.string()]).optional();
/** A budget in a configuration file. */
const entry = z.strictObject(
  {
    metric: z.string() as unknown as z.ZodType<BudgetMetric, BudgetMetric>,
    max: limit,
    min: limit,
    severity: z.enum(['warn', 'error']).optional(),
  },
  {
    error: ({ code, keys = [] }) =>
      code === 'unrecognized_keys'
        ? `may contain metric, max, min and severity, and nothing else: ${(keys as readonly string[]).join(', ')}`
        : undefined,
  },
);
/** A budget as typed, or as an object of a configuration file. */
const budget = (own: readonly OwnMetric[] | undefined) =>
  parsed(
    z.union(
      [z.string() as unknown as z.ZodType<BudgetText, BudgetText>, entry],
      'must be a budget such as page-complete=2s, or { metric: "page-complete", max: "2s", severity: "warn" }',
    ),
    (given) => {
      const read = parseBudget(typeof given === 'string' ? given : defined(given), own);
      return 'problem' in read ? read : { value: read.budget };
    },
  );

/** Limits for figures of a page, as typed or as objects. `own`: as in `parseBudget`. */
export const budgets = (own?: readonly OwnMetric[]) => z.array(budget(own), 'must be a list of budgets');

/** Limits for figures of a server. */
const capacityBudgets = z.array(
  parsed(z.union([z.string(), entry], 'must be a budget such as capacity=1000'), (given) => {
    const read = parseCapacityBudget(typeof given === 'string' ? given : defined(given));
    return 'problem' in read ? read : { value: read.budget };
  }),
  'must be a list of budgets',
);

const metricEntry = z.strictObject(
  {
    name: z.string(),
    from: z.string(),
    unit: z.enum(['ms', 'bytes', 'count', 'score'], 'must be ms, bytes, count or score').optional(),
    better: z.enum(['lower', 'higher'], 'must be lower or higher').optional(),
    description: z.string().optional(),
  },
  {
    error: ({ code, keys = [] }) =>
      code === 'unrecognized_keys'
        ? `may contain name, from, unit, better and description, and nothing else: ${(keys as readonly string[]).join(', ')}`
        : undefined,
  },
);
/** An own metric as typed, or as an object of a configuration file. */
const ownMetric = parsed(
  z.union(
    [z.string() as unknown as z.ZodType<`${string}=${string}`, `${string}=${string}`>, metricEntry],
    'must be a metric such as checkout=measure:checkout-ready, or { name: "checkout", from: "measure:checkout-ready" }',
  ),
  parseOwnMetric,
);
const ownMetrics = z
  .array(ownMetric, 'must be a list of metrics')
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'must have a name of its own for each');

/** How pages are measured, and limits for their figures. */
export const measuring = inGroup('Measuring', {
  runs: {
    short: 'n',
    argument: '<n>',
    brief: 'timed runs of each page',
    description: 'timed runs of each target',
    kind: 'number',
    schema: wholeNumber(1, 1000),
    default: 5,
    commands: ['audit'],
  },
  timeout: {
    argument: '<time>',
    description: 'give up waiting for a page after this long',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    commands: [...JUDGING, 'capacity'],
    for: {
      capacity: { description: 'a request that takes longer has failed', default: 10_000 },
      analyze: {
        default: undefined,
        defaultText: "the file's, or 1m",
        description: 'a page that is not complete by then is never complete',
      },
    },
  },
  evidence: {
    negated: true,
    description: 'skip the untimed evidence run, which films the page; the answer is then not proved',
    ...SWITCHED_ON,
    defaultText: 'the run is made',
    commands: LOADING,
  },
  trace: {
    negated: true,
    description:
      'do not trace the evidence run: which code kept the main thread busy, and which was not used, is then not known',
    ...SWITCHED_ON,
    defaultText: 'it is traced',
    commands: LOADING,
  },
  sourceMaps: {
    description: 'read source maps, so that functions have the names and lines of the source; always done for folders',
    ...SWITCHED_OFF,
    commands: LOADING,
  },
  ablation: {
    negated: true,
    description: 'skip the untimed ablation run, which blocks suspected background traffic',
    ...SWITCHED_ON,
    defaultText: 'the run is made',
    commands: LOADING,
  },
  fullWindow: {
    description:
      'watch every timed run for the whole quiet window, even if all the content of earlier runs has arrived',
    ...SWITCHED_OFF,
    defaultText: 'off',
    commands: LOADING,
  },
  lighthouse: {
    argument: '[n]',
    description: 'also run Lighthouse n times, after the timed runs',
    kind: 'number',
    schema: z.union([z.boolean().transform(Number), wholeNumber(0, 100)], 'must be a whole number from 0 to 100'),
    defaultText: 'off; once if a budget needs it',
    commands: LOADING,
    for: {
      compare: { description: 'also run Lighthouse n times on each build, for information only' },
    },
  },
  install: {
    description:
      'fetch Lighthouse or autocannon if they are needed and missing, also in CI; elsewhere this is always done',
    ...SWITCHED_OFF,
    wholeAudit: true,
    commands: [...LOADING, 'capacity'],
  },
  metric: {
    argument: '<name=source>',
    description:
      'own metric: checkout=measure:checkout-ready; also mark:, element:, server: (Server-Timing), js:; repeatable',
    kind: 'list',
    // A file speaks to all commands: it may hold what is measured, and what a trend is to show.
    schema: z.array(z.union([ownMetric, metricNames().element], 'must be a metric'), 'must be a list of metrics'),
    defaultText: 'none',
    repeatable: true,
    stored: asGiven,
    commands: [...JUDGING, 'trend'],
    for: {
      audit: { schema: ownMetrics },
      compare: { schema: ownMetrics },
      analyze: { schema: ownMetrics },
      trend: {
        argument: '<metric>',
        description: 'metric to show, by name or abbreviation; repeatable',
        group: 'Comparing',
        schema: metricNames(),
        default: ['page-complete', 'LCP'],
        defaultText: undefined,
        repeatable: undefined,
        separator: /[\s,]+/,
        stored: undefined,
      },
    },
  },
  budget: {
    argument: '<limit>',
    brief: 'a limit: page-complete=2s',
    description: 'limit: page-complete=2s, requests:script=20:warn, lighthouse:performance=0.9; repeatable',
    kind: 'list',
    schema: budgets(),
    defaultText: 'none',
    repeatable: true,
    separator: /\s+/,
    stored: asGiven,
    commands: [...JUDGING, 'capacity'],
    for: {
      compare: { description: 'limit for the candidate: page-complete=2s, requests:script=20:warn; repeatable' },
      capacity: {
        description: 'limit of a server: capacity=1000, p90@500/s=300ms:warn; repeatable',
        schema: capacityBudgets,
      },
    },
  },
} as const satisfies OptionRecords);
