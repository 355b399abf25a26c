import type { JSX } from 'preact';
import type { MetricComparison } from '../../../model/compare/comparison.ts';
import { decisionWord, gateInWords, SIGN, toneOf } from '../../../report/comparison.ts';

/** A metric's decision as sign, word and colour. */
export function DecisionBadge({ comparison }: { readonly comparison: MetricComparison }): JSX.Element {
  const tone = toneOf(comparison);
  const gate = gateInWords(comparison);
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{SIGN[tone]}</span> {decisionWord(comparison)}
      {gate !== undefined && `, ${gate}`}
    </span>
  );
}
