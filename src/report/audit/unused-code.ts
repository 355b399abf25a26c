import { isDevelopment } from '../../result/findings.ts';
import { coverageSentence, coveredName, unusedShare } from '../../wording/coverage.ts';
import { formatValue } from '../../wording/format.ts';
import { details, list, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Less unused code is not worth a row, bytes. */
const WORTH_A_ROW = 1_000;

/** How much of the loaded code was not used, and of which files. */
export const unusedCode: Chapter = ({ target, detail }) => {
  const { coverage } = target.result;
  if (coverage === undefined || coverage.files.length === 0 || isDevelopment(target.result)) return [];
  const items = coverage.files
    .filter(({ unused }) => unused >= WORTH_A_ROW)
    .map((file) => ({
      text: [`${formatValue(file.unused, 'bytes')} (${unusedShare(file)}) of `, { code: coveredName(file) }],
    }));
  return details(
    'Unused code',
    [...paragraph(coverageSentence(coverage)), ...list(items, detail, { noun: 'file' })],
    detail,
  );
};
