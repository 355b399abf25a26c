import { isInteractionChanged } from '../../result/interactions.ts';
import { splitChangeSentence } from '../../wording/interactions.ts';
import { details, paragraph } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** How the interactions of both builds split, where they take longer or shorter. */
export const interactions: CompareChapter = (report) =>
  isInteractionChanged(report) ? paragraph(splitChangeSentence(report)) : [];

/** Which code took longer or shorter; nothing unless both builds were traced. */
export const mainThread: CompareChapter = ({ result }, detail) =>
  details('Main thread', paragraph(result.mainThread?.sentence), detail);

/** Which code was loaded and not used. */
export const unusedCode: CompareChapter = ({ result }, detail) =>
  details('Unused code', paragraph(result.coverage?.sentence), detail);
