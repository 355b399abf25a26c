import type { MetricAbbreviation, MetricName } from '../model/metrics/metrics.ts';
import type { ResourceType } from '../model/network/network.ts';

/** `page-complete` of `pageComplete`. */
type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : Name;

/** The name of an own metric; editors go on suggesting ours. */
type OwnName = string & {};

/** A metric as a caller may name it: as in result.json, with dashes as on the command line, or by its abbreviation. */
export type MetricText = MetricName | Kebab<MetricName> | MetricAbbreviation | Lowercase<MetricAbbreviation> | OwnName;

/** What a budget can limit. */
export type BudgetMetric =
  | MetricText
  | 'requests'
  | `${'requests' | 'requestCount' | 'transfer-size' | 'transferSize'}:${ResourceType}`
  | `lighthouse:${string}`;

/** A budget as it is typed: 'pageComplete=2s', 'LCP<=2.5s:warn'. */
export type BudgetText = `${BudgetMetric}${'=' | '<=' | '>='}${string}`;
