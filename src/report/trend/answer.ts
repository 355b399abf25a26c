import { trendVerdict } from '../../wording/trend/trend.ts';
import { paragraph } from '../parts.ts';
import type { TrendChapter } from './chapter.ts';

/** What all pages came to: the worst of what changed last. */
export const answer: TrendChapter = ({ pages, sentence }) => {
  const { tone, word } = trendVerdict(pages);
  return [
    { kind: 'heading', mark: tone, text: `Trend: ${word.toLowerCase()}` },
    ...paragraph(sentence, { weight: 'strong' }),
  ];
};
