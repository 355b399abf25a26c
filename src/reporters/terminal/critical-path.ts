import type { TargetReport } from '../../model/report.ts';
import { chainInWords, lengthOf, pathSentence } from '../../report/critical-path.ts';
import { headlineComplete } from '../../result/representative.ts';
import { formatValue } from '../../wording/format.ts';
import { prose, type Screen } from './screen.ts';

/** The chain of requests that determined page complete, and where most of its time went; nothing where it is not known. */
export function pathLines(target: TargetReport, screen: Screen): readonly string[] {
  const { representative } = target;
  const path = representative?.criticalPath;
  const sentence = path && pathSentence(path);
  if (path === undefined || sentence === undefined) return [];
  const complete = headlineComplete(target);
  // With an even number of runs, the median is of none.
  const isOther = complete !== undefined && formatValue(complete, 'ms') !== formatValue(lengthOf(path), 'ms');
  const of = isOther && representative?.role === 'timed' ? ` of run ${representative.index}` : '';
  return [...prose(`Critical path${of}: ${chainInWords(path)}`, screen), ...prose(sentence, screen)];
}
