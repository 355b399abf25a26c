import type { Changed, Disagreement } from '../core/merge/agreement.ts';
import { formatShare, formatValue } from './format.ts';

/** Between which machines a metric's change differs, one sentence. */
export function disagreementInWords({ unit, scale, least, most }: Disagreement, title: string): string {
  const inWords = ({ machine, change }: Changed): string => {
    const text = scale === 'ratio' ? formatShare(Math.expm1(change)) : formatValue(change, unit);
    return `${change > 0 ? '+' : ''}${text} on machine ${machine}`;
  };
  return `The machines disagree on ${title}: from ${inWords(least)} to ${inWords(most)}. The result is for all of them together, and may not apply to any single one.`;
}
