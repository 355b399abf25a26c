import { z } from 'zod';
import { metricNamed, metrics } from '../core/metrics/index.ts';
import { kebabCase } from '../wording/text/kebab-case.ts';
import { ownName } from './parse-own-metric.ts';
import type { MetricText } from './typed-names.ts';
import { type Parsed, parsed, textOf } from './value-schemas.ts';

/** What can be named. */
export const KNOWN_METRICS = metrics.map(({ name }) => kebabCase(name)).join(', ');

/** A metric by its key in result.json. Whether the user has defined one of his own is seen when all options are known. */
export function metricKey(name: string): Parsed<string> {
  const found = metricNamed(name)?.name ?? ownName(name);
  if (found !== undefined) return { value: found };
  return {
    problem: `must be one of ${KNOWN_METRICS}`,
    message: { code: 'metric-unknown', detail: name, suggestion: KNOWN_METRICS },
  };
}

const metric = parsed(textOf<MetricText>('must be the name of a metric'), metricKey);

/** Metrics by their names or abbreviations. */
export const metricNames = () => z.array(metric, 'must be a list of metrics').min(1, 'must name a metric');
