import type { TargetReport } from '../../model/report.ts';
import { chainInWords, pathSentence } from '../critical-path.ts';
import { prose, type Screen } from './screen.ts';

/** The chain of requests that determined page complete, and where most of its time went; nothing where it is not known. */
export function pathLines({ representative }: TargetReport, screen: Screen): readonly string[] {
  const path = representative?.criticalPath;
  const sentence = path && pathSentence(path);
  if (path === undefined || sentence === undefined) return [];
  return [...prose(`Critical path: ${chainInWords(path)}`, screen), ...prose(sentence, screen)];
}
