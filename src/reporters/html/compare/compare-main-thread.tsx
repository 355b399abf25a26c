import type { JSX } from 'preact';
import type { CodeChange } from '../../../model/main-thread.ts';
import type { CompareReport } from '../../../model/report.ts';
import { formatValue, joined } from '../../../wording/format.ts';
import {
  categoryInWords,
  functionInWords,
  signed,
  timedChangeInWords,
  WORTH_A_WORD_MS,
} from '../../../wording/main-thread.ts';
import { foreignName, Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** Scripts, categories and packages that are seen. */
const SEEN = 10;
const MENTIONED = 4;

const COLUMNS: readonly Column<CodeChange>[] = [
  { title: 'Script', cell: ({ name }) => <bdi dir="ltr">{foreignName(name)}</bdi> },
  { title: 'Base', className: 'num', cell: ({ base }) => formatValue(base, 'ms') },
  { title: 'Candidate', className: 'num', cell: ({ candidate }) => formatValue(candidate, 'ms') },
  { title: 'Change', className: 'num', cell: ({ base, candidate }) => signed(candidate - base) },
  {
    title: 'Mostly',
    cell: ({ url, category, function: changed, timed }) => (
      <>
        {changed && (
          <>
            {signed(changed.candidate - changed.base)} <code>{foreignName(functionInWords(url, changed))}</code>
          </>
        )}
        {!changed && category !== undefined && categoryInWords(category)}
        {timed && <small> {sentence(timedChangeInWords(timed) ?? '')}</small>}
      </>
    ),
  },
];

const isWorthALine = ({ base, candidate }: { readonly base: number; readonly candidate: number }): boolean =>
  Math.abs(candidate - base) >= WORTH_A_WORD_MS;

/** Which code took longer or shorter. */
export function CompareMainThreadPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { mainThread } = report.result;
  if (mainThread === undefined) return undefined;
  const { byScript, byCategory, byPackage } = mainThread;
  const scripts = byScript.filter((each) => isWorthALine(each) || each.timed !== undefined).slice(0, SEEN);
  const categories = byCategory
    .filter(isWorthALine)
    .slice(0, MENTIONED)
    .map(({ category, base, candidate }) => `${categoryInWords(category)} ${signed(candidate - base)}`);
  const packages = byPackage
    .filter(isWorthALine)
    .slice(0, MENTIONED)
    .map((each) => `${each.package} ${signed(each.candidate - each.base)}`);
  return (
    <Part id="compare" title="Main thread" lead={sentence(mainThread.sentence)}>
      {scripts.length > 0 && <Table caption="Main-thread time by script" columns={COLUMNS} rows={scripts} />}
      {categories.length > 0 && <p class="keys">{sentence(`By kind of work: ${joined(categories)}.`)}</p>}
      {packages.length > 0 && <p class="keys">{sentence(`By package: ${joined(packages)}.`)}</p>}
      <p class="keys">
        For information: one traced load of each build, so a few milliseconds are noise. What timed runs tell has an
        interval.
      </p>
    </Part>
  );
}
