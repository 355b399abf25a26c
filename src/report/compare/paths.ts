import type { CriticalPath } from '../../model/result.ts';
import { chainInWords, pathSentence } from '../critical-path.ts';
import { type Item, list } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** The chains of both builds where they differ in time: where a change came from, as far as one chain of requests can tell. */
export const paths: CompareChapter = ({ result, base, candidate }, detail) => {
  const [before, after] = [base.representative?.criticalPath, candidate.representative?.criticalPath];
  const isDecided = result.decision === 'slower' || result.decision === 'faster';
  if (detail === 'brief' || !isDecided || before === undefined || after === undefined) return [];
  const item = (build: string, path: CriticalPath): Item => {
    const sentence = pathSentence(path);
    const most = sentence === undefined ? [] : [`. ${sentence}`];
    return { text: [`${build}: `, { code: chainInWords(path) }, ...most] };
  };
  return list([item('base', before), item('candidate', after)], detail, {
    title: { strong: 'The requests that page complete waited for' },
  });
};
