import type { CompareReport, TargetReport } from '../../model/report.ts';
import { isInteractionChanged, shownInteraction } from '../../result/interactions.ts';
import { interactionSentence, splitChangeSentence } from '../../wording/interactions.ts';
import { plain } from '../../wording/text.ts';
import { wrap } from './columns.ts';

/** What the slowest interaction waited for; nothing where there was none. */
export function interactionLines(target: TargetReport, width: number): readonly string[] {
  const interaction = shownInteraction(target);
  return interaction === undefined ? [] : wrap(plain(interactionSentence(interaction)), width);
}

/** How the interactions of two builds split, where they take longer or shorter. */
export function interactionChangeLines(report: CompareReport, width: number): readonly string[] {
  const sentence = isInteractionChanged(report) ? splitChangeSentence(report) : undefined;
  return sentence === undefined ? [] : wrap(plain(sentence), width);
}
