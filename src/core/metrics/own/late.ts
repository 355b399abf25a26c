import type { Visit } from '../../../model/network/visit.ts';
import { entriesOf } from './index.ts';

/** Does the page tell one of the user's own metrics only after it was complete? A load that ends early would not have it. */
export function hasLateMetrics({ recording, complete }: Visit): boolean {
  if (complete.state !== 'complete') return false;
  const { navigation, page } = recording;
  const named = entriesOf(navigation.metrics);
  const { userMarks = [], userMeasures = [], elementPaints = [] } = page ?? {};
  const ends = [
    ...userMarks,
    ...elementPaints,
    ...userMeasures.map((each) => ({ ...each, at: each.at + each.duration })),
  ];
  return ends.some(({ name, at }) => at > complete.at && named.includes(name));
}
