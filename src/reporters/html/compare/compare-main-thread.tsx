import type { JSX } from 'preact';
import type { CodeChange } from '../../../model/main-thread.ts';
import type { CompareReport } from '../../../model/report.ts';
import { formatValue, joined } from '../../../wording/format.ts';
import {
  categoryInWords,
  changedFunctionInWords,
  changeOverLoadsInWords,
  isChangedScript,
  isLikeTimed,
  signed,
  timedChangeInWords,
} from '../../../wording/main-thread.ts';
import { foreignName, Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** Scripts, categories and packages that are seen. */
const SEEN = 10;
const MENTIONED = 4;
/** Kinds of work that changed by less in one load of each build are not mentioned, ms. */
const WORTH_A_WORD_MS = 5;

const COLUMNS: readonly Column<CodeChange>[] = [
  { title: 'Script', cell: ({ name }) => <bdi dir="ltr">{foreignName(name)}</bdi> },
  { title: 'Base', className: 'num', cell: ({ profiled, timed }) => formatValue((profiled ?? timed)?.base, 'ms') },
  {
    title: 'Candidate',
    className: 'num',
    cell: ({ profiled, timed }) => formatValue((profiled ?? timed)?.candidate, 'ms'),
  },
  {
    title: 'Change',
    className: 'num',
    cell: ({ profiled, timed }) => {
      const change = profiled ?? timed;
      return change && changeOverLoadsInWords(change);
    },
  },
  {
    title: 'Mostly',
    className: 'wide',
    cell: ({ url, profiled, category, functions = [], timed }) => (
      <>
        {functions.map((each) => (
          <div>
            {changeOverLoadsInWords(each)} <code>{foreignName(changedFunctionInWords(url, each))}</code>
          </div>
        ))}
        {functions.length === 0 && category !== undefined && categoryInWords(category)}
        {profiled && timed?.difference !== undefined && <small>The script {sentence(timedChangeInWords(timed))}</small>}
      </>
    ),
  },
];

/** Which code took longer or shorter. */
export function CompareMainThreadPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { mainThread } = report.result;
  if (mainThread === undefined) return undefined;
  const { byScript, byCategory, byPackage, profiledLoads } = mainThread;
  const scripts = byScript.filter(isChangedScript).slice(0, SEEN);
  const categories = byCategory
    .filter(({ base, candidate }) => isLikeTimed(mainThread) && Math.abs(candidate - base) >= WORTH_A_WORD_MS)
    .slice(0, MENTIONED)
    .map(({ category, base, candidate }) => `${categoryInWords(category)} ${signed(candidate - base)}`);
  const packages = byPackage.slice(0, MENTIONED).map((each) => `${each.package} ${changeOverLoadsInWords(each)}`);
  return (
    <Part id="compare" title="Main thread" line={mainThread.sentence}>
      {scripts.length > 0 && <Table caption="Main-thread time by script" columns={COLUMNS} rows={scripts} />}
      {packages.length > 0 && <p class="keys">{sentence(`By package: ${joined(packages)}.`)}</p>}
      {categories.length > 0 && (
        <p class="keys">{sentence(`By kind of work, in one traced load of each build: ${joined(categories)}.`)}</p>
      )}
      {profiledLoads !== undefined && (
        <p class="keys">
          From {profiledLoads} untimed loads of each build with a CPU profile: a profile makes scripts slower, so what
          changed counts here, and the timed runs say by how much. The intervals hold for all scripts and functions
          together.
        </p>
      )}
    </Part>
  );
}
