import { shownInteraction } from '../../result/interactions.ts';
import { interactionSentence } from '../../wording/interactions.ts';
import { paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** What the slowest interaction waited for. */
export const interactions: Chapter = ({ target }) => {
  const interaction = shownInteraction(target);
  return interaction === undefined ? [] : paragraph(interactionSentence(interaction));
};
