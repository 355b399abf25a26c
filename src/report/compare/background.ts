import { onlyInInWords } from '../../wording/background-change.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { type Item, list } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** Background endpoints that only one build has: a new poll is news for a team. */
export const background: CompareChapter = ({ result }, detail) => {
  const items = result.backgroundChanges.map((change): Item => {
    const { build, kind, because, contentInOther } = change;
    const why = detail === 'brief' ? '' : `: ${because}`;
    return {
      mark: build === 'candidate' ? 'added' : 'removed',
      text: [
        { code: kind },
        ' ',
        { code: endpointInWords(change) },
        `${why}${contentInOther ? `; ${onlyInInWords(change)}` : ''}`,
      ],
    };
  });
  return list(items, detail, { title: { strong: 'Background traffic that only one build has' }, noun: 'endpoint' });
};
