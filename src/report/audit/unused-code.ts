import type { Coverage, CoveredFile } from '../../model/coverage.ts';
import { isDevelopment } from '../../result/findings.ts';
import { coverageSentence, coveredName, unusedShare } from '../../wording/coverage.ts';
import { functionInWords, partyInWords } from '../../wording/main-thread.ts';
import { formatCount, formatShare, formatValue } from '../../wording/text/format.ts';
import { type ColumnOf, details, paragraph, type Text, table } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Files of which less is unused are not worth a row, bytes. */
const WORTH_A_ROW = 100;
/** Functions and packages of a file that are named. */
const MAX_FUNCTIONS = 4;

/** How much of the loaded code was not used, and of which files. */
export const unusedCode: Chapter = ({ target, detail }) => {
  const { coverage } = target.result;
  if (coverage === undefined || coverage.files.length === 0 || isDevelopment(target.result)) return [];
  const files = coverage.files.filter(({ unused }) => unused >= WORTH_A_ROW);
  const { otherFiles } = coverage;
  const others =
    otherFiles &&
    `${formatCount(otherFiles.count, 'other file')}: ${formatValue(otherFiles.unused, 'bytes')} of ${formatValue(otherFiles.bytes, 'bytes')} unused.`;
  const shares = files.map(({ unused, bytes }) => unused / Math.max(1, bytes));
  return details(
    'Unused code',
    [
      ...paragraph(coverageSentence(coverage)),
      ...table(files, COLUMNS, detail, {
        noun: 'file',
        drawings: [{ name: 'share', title: 'Share', rows: shares }],
      }),
      ...paragraph(others, { weight: 'light' }),
      ...paragraph(
        'From the untimed run. Sizes are of the text, uncompressed. What a click or another page needs is unused here, too.',
        { weight: 'light' },
      ),
    ],
    detail,
    { line: inShort(coverage) },
  );
};

const COLUMNS: readonly ColumnOf<CoveredFile>[] = [
  { title: 'File', cell: (file) => ({ text: { code: coveredName(file) }, remarks: [{ address: file.url }] }) },
  { title: 'Whose', cell: partyInWords },
  { title: 'Size', figures: true, cell: ({ bytes }) => formatValue(bytes, 'bytes') },
  {
    title: 'Not used',
    figures: true,
    cell: (file) => `${formatValue(file.unused, 'bytes')} (${unusedShare(file)})`,
  },
  { title: 'Most of it', long: true, cell: mostOf },
];

function mostOf({ url, kind, functions = [], unusedByPackage = [] }: CoveredFile): Text {
  if (kind === 'style') return 'rules that match nothing';
  const named = functions
    .slice(0, MAX_FUNCTIONS)
    .flatMap((each, index) => [
      `${index === 0 ? '' : ', '}${formatValue(each.bytes, 'bytes')} in `,
      { code: functionInWords(url, each) },
    ]);
  const packages = unusedByPackage
    .slice(0, MAX_FUNCTIONS)
    .map((each) => `${each.package} ${formatValue(each.bytes, 'bytes')}`)
    .join(', ');
  return packages === '' ? named : [...named, `; by package: ${packages}`];
}

function inShort({ scripts, styles }: Coverage): string {
  const bytes = scripts.bytes + styles.bytes;
  const unused = scripts.unused + styles.unused;
  if (unused === 0) return `All ${formatValue(bytes, 'bytes')} were used`;
  return `${formatValue(unused, 'bytes')} of ${formatValue(bytes, 'bytes')} (${formatShare(unused / bytes)}) was not used`;
}
