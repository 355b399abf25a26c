import type { BackgroundChange } from '../../model/comparison.ts';
import { onlyInInWords } from '../../wording/background-change.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { formatCount } from '../../wording/format.ts';
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

/** "2 endpoints only in the candidate; 1 endpoint only in the base". */
export function backgroundInShort(changes: readonly BackgroundChange[]): string {
  return (['candidate', 'base'] as const)
    .map((build) => [build, changes.filter((change) => change.build === build).length] as const)
    .flatMap(([build, count]) => (count === 0 ? [] : [`${formatCount(count, 'endpoint')} only in the ${build}`]))
    .join('; ');
}
