import type { OwnMetric } from '../../../model/metrics/metrics.ts';
import type { Metric, Visit } from '../../../model/network/visit.ts';
import type { MissingMetric } from '../../../model/result/finding.ts';
import { metrics, metricTitle } from '../index.ts';
import { element } from './element.ts';
import { js } from './js.ts';
import { mark } from './mark.ts';
import { measure } from './measure.ts';
import { server } from './server.ts';
import type { MetricSource } from './source.ts';

/** Where the user's own metrics can come from, in the order in which they are listed. */
export const METRIC_SOURCES: readonly MetricSource[] = [measure, mark, element, server, js];

/** The source that a text names, with what stands behind its colon; undefined where there is no such source. */
export function sourceNamed(from: string): { readonly source: MetricSource; readonly subject: string } | undefined {
  const colon = from.indexOf(':');
  const source = METRIC_SOURCES.find(({ kind }) => kind === from.slice(0, colon));
  return source && { source, subject: from.slice(colon + 1).trim() };
}

/** All metrics of a page, in the order in which they are shown: ours, then the user's own. */
export function metricsWith(own: readonly OwnMetric[] | undefined): readonly Metric[] {
  return [...metrics, ...ownMetrics(own)];
}

/** What users' own metrics have in common with ours. One from a source that this version does not know is never measured. */
function ownMetrics(own: readonly OwnMetric[] | undefined): readonly Metric[] {
  return (own ?? []).map(({ name, from, unit, better, description }) => {
    const { source, subject = '' } = sourceNamed(from) ?? {};
    return {
      name,
      title: metricTitle(name),
      unit,
      better,
      description: description ?? `From ${from}.`,
      headline: true,
      own: true as const,
      isMoment: source?.isMoment,
      isPaint: source?.isPaint,
      read: (visit) => source?.figures(visit).get(subject),
    };
  });
}

/** The expressions that are evaluated in the page for them. */
export function expressionsOf(own: readonly OwnMetric[] | undefined): readonly string[] {
  return (own ?? []).flatMap(({ from }) => {
    const { source, subject } = sourceNamed(from) ?? {};
    return source === js && subject !== undefined ? [subject] : [];
  });
}

/** The entries of the page's own timeline that are read for them, by their names. */
export function entriesOf(own: readonly OwnMetric[] | undefined): readonly string[] {
  return (own ?? []).flatMap(({ from }) => sourceNamed(from)?.subject ?? []);
}

/** Whether they need the page's marks and measures. */
export function readsUserTimings(own: readonly OwnMetric[] | undefined): boolean {
  return (own ?? []).some(({ from }) => [mark, measure].includes(sourceNamed(from)?.source as MetricSource));
}

/** What a visit has of each source that has names, for users who named something that it does not have. */
export function namesIn(visit: Visit): MissingMetric['has'] {
  return METRIC_SOURCES.filter((source) => source !== js).map((source) => {
    const names = [...source.figures(visit).keys()];
    return { source: source.noun, names: names.slice(0, MOST_NAMES), more: Math.max(0, names.length - MOST_NAMES) };
  });
}

/** Names of one kind that are told of a page that has many. */
const MOST_NAMES = 10;
