import type { Visit } from '../../../model/network/visit.ts';
import type { FindingFact } from '../../../model/result/finding.ts';
import { namesIn } from './index.ts';

/** The user's own metrics that a load has no figure for. Of one with steps, and of a step, it may be another that has it. */
export function missingMetrics(
  visit: Visit,
  values: Readonly<Partial<Record<string, number>>>,
): readonly FindingFact[] {
  const { navigation, journey } = visit.recording;
  if (navigation.step !== undefined || journey !== undefined) return [];
  const missing = (navigation.metrics ?? []).filter(({ name }) => values[name] === undefined);
  return missing.map(({ name, from }) => ({
    code: 'metric-missing',
    urls: [],
    facts: { metric: name, from, has: namesIn(visit) },
  }));
}
