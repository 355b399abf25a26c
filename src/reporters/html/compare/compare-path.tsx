import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/report.ts';
import type { CriticalPath } from '../../../model/result.ts';
import { chainInWords, pathSentence, shareOf } from '../../../report/critical-path.ts';
import { ABSENT, formatCount, formatValue } from '../../../wording/format.ts';
import { pairPaths } from '../../path-pairs.ts';
import { Notes } from '../components/notes.tsx';
import { foreign, Part, sentence } from '../components/part.tsx';
import { Table } from '../components/table.tsx';

/** Rows of the table; of longer chains those that differ most are shown. */
const MOST_ROWS = 20;
interface Row {
  readonly name: string;
  readonly title?: string;
  readonly base: number | undefined;
  readonly candidate: number | undefined;
}

const changeOf = ({ base, candidate }: Row): number => (candidate ?? 0) - (base ?? 0);

/** The critical paths of both builds side by side; nothing where one of them is not known. */
export function ComparePathPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const base = report.base.representative?.criticalPath;
  const candidate = report.candidate.representative?.criticalPath;
  if (base === undefined || candidate === undefined) return undefined;
  const rows: readonly Row[] = [
    ...pairPaths(base, candidate).map((pair): Row => {
      const step = pair.candidate ?? pair.base;
      return {
        name: pair.name,
        ...(step && { title: step.cause === 'work' ? step.because : `${step.method} ${step.url}` }),
        base: pair.base && shareOf(pair.base),
        candidate: pair.candidate && shareOf(pair.candidate),
      };
    }),
    { name: 'After the last response', base: base.rest, candidate: candidate.rest },
  ];
  const telling = new Set(rows.toSorted((x, y) => Math.abs(changeOf(y)) - Math.abs(changeOf(x))).slice(0, MOST_ROWS));
  const left = rows.length - telling.size;
  return (
    <Part
      id="compare"
      title="Critical path"
      line={pathSentence(candidate) ?? `Of the candidate: ${chainInWords(candidate)}`}
      lead="The chain of requests that decided page complete, in a typical load of each build. It shows where a difference comes from. The intervals decide whether there is one."
    >
      <Notes lines={[...saidOf('Base', base), ...saidOf('Candidate', candidate)]} />
      <Table
        caption="The critical paths of both builds"
        columns={[
          {
            title: 'Step',
            className: 'wide',
            cell: ({ name, title }) => (
              <span title={title === undefined ? undefined : foreign(title)}>
                <bdi dir="ltr">{foreign(name)}</bdi>
              </span>
            ),
          },
          { title: 'Base', className: 'num', cell: (row) => formatValue(row.base, 'ms') },
          { title: 'Candidate', className: 'num', cell: (row) => formatValue(row.candidate, 'ms') },
          {
            title: 'Change',
            className: 'num',
            cell: (row) => {
              if (row.base === undefined) return 'only in the candidate';
              if (row.candidate === undefined) return 'only in the base';
              const change = changeOf(row);
              return Math.abs(change) < SAME ? ABSENT : `${change > 0 ? '+' : ''}${formatValue(change, 'ms')}`;
            },
          },
        ]}
        rows={rows.filter((row) => telling.has(row))}
      />
      {left > 0 && <p class="keys">{formatCount(left, 'step')} that took about the same are left out.</p>}
    </Part>
  );
}

function saidOf(name: string, path: CriticalPath): readonly string[] {
  const said = pathSentence(path);
  return said === undefined ? [] : [`${name}: ${sentence(said)}`];
}

/** A smaller change than this, ms, is not worth a figure: it is below what a timer in a page can tell. */
const SAME = 1;
