import type { TargetReport } from '../../model/report.ts';
import { plain } from '../../wording/text.ts';
import { chainInWords, pathSentence } from '../critical-path.ts';
import { wrap } from './columns.ts';

/** The chain of requests that determined page complete, and where most of its time went; nothing where it is not known. */
export function pathLines({ representative }: TargetReport, width: number): readonly string[] {
  const path = representative?.criticalPath;
  const sentence = path && pathSentence(path);
  if (path === undefined || sentence === undefined) return [];
  return [...wrap(plain(`Critical path: ${chainInWords(path)}`), width), ...wrap(plain(sentence), width)];
}
