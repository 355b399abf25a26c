import type { CompareReport, TargetReport } from '../../model/report.ts';
import { isInteractionChanged, shownInteraction } from '../../result/interactions.ts';
import { interactionSentence, splitChangeSentence } from '../../wording/interactions.ts';
import { prose } from './inert.ts';

/** Longest sentence that is written out: each part of an interaction may name a script. */
const LONGEST = 600;

/** What the slowest interaction waited for; nothing where there was none. */
export function interactionPart(target: TargetReport): string {
  const interaction = shownInteraction(target);
  return interaction === undefined ? '' : prose(interactionSentence(interaction), LONGEST);
}

/** How the interactions of two builds split, where they take longer or shorter. */
export function interactionChangePart(report: CompareReport): string {
  const sentence = isInteractionChanged(report) ? splitChangeSentence(report) : undefined;
  return sentence === undefined ? '' : prose(sentence, LONGEST);
}
