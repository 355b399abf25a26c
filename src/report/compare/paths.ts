import type { CriticalPath } from '../../model/result/result.ts';
import { ABSENT, formatCount, formatValue } from '../../wording/text/format.ts';
import { chainInWords, pathSentence, shareOf } from '../critical-path.ts';
import { details, type Item, list, paragraph, type Text, table } from '../parts.ts';
import { pairPaths } from '../path-pairs.ts';
import type { CompareChapter } from './comparison.ts';

/** Rows of the table; of longer chains those that differ most are shown. */
const MOST_ROWS = 20;
/** A smaller change than this, ms, is not worth a figure: it is below what a timer in a page can tell. */
const SAME = 1;

const REST = 'After the last response';

interface Row {
  readonly name: string;
  readonly base: number | undefined;
  readonly candidate: number | undefined;
}

const changeOf = ({ base = 0, candidate = 0 }: Row): number => candidate - base;

/** The critical paths of both builds side by side; nothing where one of them is not known. */
export const paths: CompareChapter = (report, detail) => {
  const base = report.base.representative?.criticalPath;
  const candidate = report.candidate.representative?.criticalPath;
  if (detail === 'brief' || base === undefined || candidate === undefined) return [];
  const rows: readonly Row[] = [
    ...pairPaths(base, candidate).map((pair): Row => {
      return {
        name: pair.name,
        base: pair.base && shareOf(pair.base),
        candidate: pair.candidate && shareOf(pair.candidate),
      };
    }),
    { name: REST, base: base.rest, candidate: candidate.rest },
  ];
  const telling = new Set(rows.toSorted((x, y) => Math.abs(changeOf(y)) - Math.abs(changeOf(x))).slice(0, MOST_ROWS));
  const left = rows.length - telling.size;
  return details(
    'Critical path',
    [
      ...paragraph(
        'The chain of requests that decided page complete, in a typical load of each build. It shows where a difference comes from. The intervals decide whether there is one.',
      ),
      ...list([itemOf('Base', base), itemOf('Candidate', candidate)], detail),
      ...table(
        rows.filter((row) => telling.has(row)),
        [
          { title: 'Step', cell: ({ name }) => (name === REST ? name : { code: name }) },
          { title: 'Base', figures: true, cell: (row) => formatValue(row.base, 'ms') },
          { title: 'Candidate', figures: true, cell: (row) => formatValue(row.candidate, 'ms') },
          { title: 'Change', figures: true, cell: changeInWords },
        ],
        'all',
      ),
      ...(left > 0
        ? paragraph(`${formatCount(left, 'step')} that took about the same are left out.`, { weight: 'light' })
        : []),
    ],
    detail,
    { line: pathSentence(candidate) ?? `Of the candidate: ${chainInWords(candidate)}` },
  );
};

function itemOf(build: string, path: CriticalPath): Item {
  const sentence = pathSentence(path);
  return { text: [`${build}: `, { code: chainInWords(path) }, sentence === undefined ? '' : `. ${sentence}`] };
}

function changeInWords(row: Row): Text {
  if (row.base === undefined) return 'only in the candidate';
  if (row.candidate === undefined) return 'only in the base';
  const change = changeOf(row);
  return Math.abs(change) < SAME ? ABSENT : `${change > 0 ? '+' : ''}${formatValue(change, 'ms')}`;
}
