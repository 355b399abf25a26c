import { elsewhereInWords } from '../../wording/result/elsewhere.ts';
import { paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** What the answer means for users who have not this machine and its network. */
export const elsewhere: Chapter = ({ target, detail }) =>
  detail === 'brief' ? [] : paragraph(elsewhereInWords(target.result), { weight: 'light' });
