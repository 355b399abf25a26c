import type { JSX } from 'preact';
import type { CoveredFile } from '../../../model/coverage.ts';
import { coverageLine } from '../../../report/chapter-lines.ts';
import { isDevelopment } from '../../../result/findings.ts';
import { coverageSentence, coveredName, unusedShare } from '../../../wording/coverage.ts';
import { formatCount, formatValue } from '../../../wording/format.ts';
import { functionInWords, partyInWords } from '../../../wording/main-thread.ts';
import { Address, foreignName, Part, type SectionProps, sentence } from '../components/part.tsx';
import { type Column, FoldedTable } from '../components/table.tsx';

/** Files that are seen at once; more are folded. */
const SEEN = 6;
/** Functions and packages of a file that are listed. */
const NAMED = 4;
/** Files of which less is unused are not worth a line, bytes. */
const WORTH_A_LINE = 100;

/** How much of the loaded scripts and style sheets was not used until page complete. */
export function CoveragePart({ target, id }: SectionProps): JSX.Element | undefined {
  const { coverage } = target.result;
  if (coverage === undefined || coverage.files.length === 0 || isDevelopment(target.result)) return undefined;
  const files = coverage.files.filter(({ unused }) => unused >= WORTH_A_LINE);
  const { otherFiles } = coverage;
  return (
    <Part id={id} title="Unused code" line={coverageLine(target) ?? ''} lead={sentence(coverageSentence(coverage))}>
      {files.length > 0 && (
        <FoldedTable
          caption="Code that was not used, by file"
          className="coverage"
          columns={COLUMNS}
          rows={files}
          seen={SEEN}
          noun="file"
        />
      )}
      <p class="keys">
        {otherFiles !== undefined &&
          sentence(
            `${formatCount(otherFiles.count, 'other file')}: ${formatValue(otherFiles.unused, 'bytes')} of ${formatValue(otherFiles.bytes, 'bytes')} unused. `,
          )}
        From the untimed run. Sizes are of the text, uncompressed. What a click or another page needs is unused here,
        too.
      </p>
    </Part>
  );
}

const COLUMNS: readonly Column<CoveredFile>[] = [
  {
    title: 'File',
    cell: (file) => (
      <>
        <bdi dir="ltr">{foreignName(coveredName(file))}</bdi>
        <small class="place">
          <Address url={file.url} />
        </small>
      </>
    ),
  },
  { title: 'Whose', cell: (file) => foreignName(partyInWords(file)) },
  { title: 'Size', className: 'num', cell: ({ bytes }) => formatValue(bytes, 'bytes') },
  {
    title: 'Not used',
    className: 'num',
    cell: (file) => (
      <>
        {formatValue(file.unused, 'bytes')} <small>{unusedShare(file)}</small>
        <Share {...file} />
      </>
    ),
  },
  { title: 'Most of it', cell: (file) => <MostOf file={file} /> },
];

function Share({ bytes, unused }: CoveredFile): JSX.Element {
  const width = `${Math.min(100, Math.round((unused / Math.max(1, bytes)) * 100))}%`;
  return (
    <svg class="share" aria-hidden="true">
      <rect width={width} height="100%" />
    </svg>
  );
}

function MostOf({
  file: { url, kind, functions = [], unusedByPackage = [] },
}: {
  readonly file: CoveredFile;
}): JSX.Element {
  if (kind === 'style') return <>Rules that match nothing</>;
  return (
    <>
      <ul class="functions">
        {functions.slice(0, NAMED).map((each, index) => (
          <li key={index}>
            <b>{formatValue(each.bytes, 'bytes')}</b> <code>{foreignName(functionInWords(url, each))}</code>
          </li>
        ))}
      </ul>
      {unusedByPackage.length > 0 && (
        <small>
          {sentence(
            `By package: ${unusedByPackage
              .slice(0, NAMED)
              .map((each) => `${each.package} ${formatValue(each.bytes, 'bytes')}`)
              .join(', ')}`,
          )}
        </small>
      )}
    </>
  );
}
