import { headlineComplete } from '../../result/representative.ts';
import { formatValue } from '../../wording/text/format.ts';
import { chainInWords, lengthOf, pathSentence } from '../critical-path.ts';
import type { Chapter } from './page.ts';

/** The chain of requests that decided page complete, and where most of its time went. */
export const criticalPath: Chapter = ({ target, detail }) => {
  const { representative } = target;
  const path = representative?.criticalPath;
  const sentence = path && pathSentence(path);
  if (detail === 'brief' || path === undefined || sentence === undefined) return [];
  const complete = headlineComplete(target);
  // With an even number of runs, the median is of none.
  const isOther = complete !== undefined && formatValue(complete, 'ms') !== formatValue(lengthOf(path), 'ms');
  const of = isOther && representative?.role === 'timed' ? ` of run ${representative.index}` : '';
  const text = [{ code: chainInWords(path) }, `. ${sentence}`];
  return [{ kind: 'figure', name: 'path', title: `Critical path${of}`, text }];
};
