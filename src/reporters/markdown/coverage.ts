import type { Coverage } from '../../model/coverage.ts';
import { coverageSentence, coveredName, unusedShare } from '../../wording/coverage.ts';
import { formatValue } from '../../wording/format.ts';
import { details, list } from './blocks.ts';
import { code, prose } from './inert.ts';

/** Files that are listed. */
const LISTED = 5;
/** Files of which less is unused are not worth a line, bytes. */
const WORTH_A_LINE = 1_000;

/** How much of the loaded code was not used, and of which files. */
export function coveragePart(coverage: Coverage | undefined): string {
  if (coverage === undefined || coverage.files.length === 0) return '';
  const lines = coverage.files
    .filter(({ unused }) => unused >= WORTH_A_LINE)
    .slice(0, LISTED)
    .map((file) => `${formatValue(file.unused, 'bytes')} (${unusedShare(file)}) of ${code(coveredName(file))}`);
  const parts = [prose(coverageSentence(coverage)), list(lines)];
  return details('Unused code', parts.filter((part) => part !== '').join('\n\n'));
}
