import type { CompareReport, TargetReport } from '../../model/report.ts';
import { isInteractionChanged, shownInteraction } from '../../result/interactions.ts';
import { interactionSentence, splitChangeSentence } from '../../wording/interactions.ts';
import { prose, type Screen } from './screen.ts';

/** What the slowest interaction waited for; nothing where there was none. */
export function interactionLines(target: TargetReport, screen: Screen): readonly string[] {
  const interaction = shownInteraction(target);
  return interaction === undefined ? [] : prose(interactionSentence(interaction), screen);
}

/** How the interactions of two builds split, where they take longer or shorter. */
export function interactionChangeLines(report: CompareReport, screen: Screen): readonly string[] {
  const sentence = isInteractionChanged(report) ? splitChangeSentence(report) : undefined;
  return sentence === undefined ? [] : prose(sentence, screen);
}
