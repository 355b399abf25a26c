import type { TargetReport } from '../../model/report.ts';
import { coverageSentence } from '../../wording/coverage.ts';
import { prose, type Screen } from './screen.ts';

/** Less unused code is not worth a line, bytes. */
const WORTH_A_LINE = 1_000;

/** How much of the loaded code was not used; nothing where nobody watched, or nearly all was. */
export function coverageLines({ result: { coverage } }: TargetReport, screen: Screen): readonly string[] {
  if (coverage === undefined || coverage.scripts.unused + coverage.styles.unused < WORTH_A_LINE) return [];
  return prose(coverageSentence(coverage), screen);
}
