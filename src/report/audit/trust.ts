import { fairnessOf, trustOf } from '../fairness.ts';
import { type Mark, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

const MARKS: Readonly<Record<'better' | 'unsure' | 'worse', Mark>> = {
  better: 'good',
  unsure: 'warning',
  worse: 'bad',
};

/** Was the machine left alone, and do the runs agree? Nothing where that it was not stands beside the answer. */
export const trust: Chapter = ({ target, analysis, detail }) => {
  const fairness = analysis ? undefined : fairnessOf(target);
  if (fairness === undefined || fairness.aside !== undefined) return [];
  if (detail === 'brief') {
    const { sure, words = [] } = trustOf(target) ?? {};
    return paragraph(words.join(', '), { mark: sure ? 'good' : 'warning' });
  }
  return paragraph(`Was it fair? ${fairness.sentence}`, { mark: MARKS[fairness.tone] });
};
