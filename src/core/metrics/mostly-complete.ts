import type { Metric } from '../../model/network/visit.ts';
import { completedAt } from '../time/completed-at.ts';

/** When almost all content was drawn: page complete, unless small parts follow. */
export const mostlyComplete: Metric = {
  name: 'mostlyComplete',
  title: 'Mostly complete',
  unit: 'ms',
  better: 'lower',
  description:
    'When 99.9% of what content draws was drawn: page complete without small parts of a stream or of polls that follow.',
  headline: false,
  isMoment: true,
  isPaint: true,
  read: ({ complete, larger }) => completedAt(larger?.complete ?? complete),
};
