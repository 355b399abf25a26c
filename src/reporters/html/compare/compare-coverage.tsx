import type { JSX } from 'preact';
import type { CoverageChange } from '../../../model/coverage.ts';
import type { CompareReport } from '../../../model/report.ts';
import { changedFileName, isWorthAWord, signedBytes } from '../../../wording/coverage.ts';
import { formatValue } from '../../../wording/format.ts';
import { foreignName, Part } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** Files that are seen. */
const SEEN = 10;

const unusedOf = ({ bytes, unused }: CoverageChange['base']): string =>
  bytes === 0 ? '–' : `${formatValue(unused, 'bytes')} of ${formatValue(bytes, 'bytes')}`;

const COLUMNS: readonly Column<CoverageChange>[] = [
  { title: 'File', cell: (file) => <bdi dir="ltr">{foreignName(changedFileName(file))}</bdi> },
  { title: 'Base', className: 'num', cell: ({ base }) => unusedOf(base) },
  { title: 'Candidate', className: 'num', cell: ({ candidate }) => unusedOf(candidate) },
  { title: 'Change', className: 'num', cell: ({ base, candidate }) => signedBytes(candidate.unused - base.unused) },
];

/** In which files more or less code was not used. */
export function CompareCoveragePart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { coverage } = report.result;
  if (coverage === undefined) return undefined;
  const files = coverage.files.filter(isWorthAWord).slice(0, SEEN);
  return (
    <Part id="compare" title="Unused code" line={coverage.sentence}>
      {files.length > 0 && <Table caption="Code that was not used, by file" columns={COLUMNS} rows={files} />}
      <p class="keys">For information: from one untimed load of each build. Sizes are of the text, uncompressed.</p>
    </Part>
  );
}
