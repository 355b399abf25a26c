import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { worstFirst } from '../../result/order.ts';
import { pagesWithSteps } from '../../result/pages-with-steps.ts';
import { pagesInWords, tallyInWords } from '../../wording/result/outcome.ts';
import { isPlainlyOver, markOf } from '../audit/answer.ts';
import { budgetsOfPages } from '../budgets.ts';
import { unfairPagesInWords } from '../fairness.ts';
import { alert, type Detail, type Heading, list, type Part, paragraph } from '../parts.ts';
import { unfinished } from '../several-machines.ts';
import { pagesColumns } from './table.ts';

/** Rows of the table of pages; the worst come first. */
const ROWS = 40;

/** What many pages came to, and each of them at a glance, the worst first. */
export function pagesTogether(report: AuditReport, detail: Detail): readonly Part[] {
  const { result, targets } = report;
  const rows = worstFirst(targets).map(({ target }) => target);
  const columns = pagesColumns(report, detail);
  const more = rows.length - ROWS;
  return [
    headingOfPages(report),
    ...paragraph(tallyInWords(targets, result.kind === 'analysis'), { weight: 'strong' }),
    ...unfairPages(report),
    ...unfinished(result),
    ...paragraph(budgetsOfPages(targets)),
    ...list(
      aboutPages(report, detail).map((text) => ({ text })),
      detail,
    ),
    {
      kind: 'table',
      columns: columns.map(({ name: _, cell: __, key: ___, ...column }) => column),
      rows: rows.slice(0, ROWS).map((target) => columns.map(({ cell }) => cell(target))),
      ...(more > 0 && { more: `and ${more} more, which the report lists` }),
    },
  ];
}

/** How many pages there are, with the mark of the worst. */
export function headingOfPages({ result, targets }: Pick<AuditReport, 'result' | 'targets'>): Heading {
  const analysis = result.kind === 'analysis';
  const done = analysis ? 'analysed' : 'measured';
  const sorted = worstFirst(targets).map(({ target }) => target);
  const standing = sorted.find(isPlainlyOver) ?? sorted[0];
  if (standing === undefined) return { kind: 'heading', mark: 'invalid', text: `Nothing was ${done}` };
  const text = `${pagesInWords(targets, analysis ? 'recorded page' : 'page')} ${analysis ? done : 'audited'}`;
  return { kind: 'heading', mark: markOf(standing), text };
}

/** That the machine was busy with other things while pages were measured; each says how much. */
export const unfairPages = ({ result, targets }: Pick<AuditReport, 'result' | 'targets'>): readonly Part[] =>
  result.kind === 'analysis' ? [] : alert(unfairPagesInWords(targets), false);

/** How the list of pages came about, and how they were measured beside each other. */
export function aboutPages({ result, targets }: Pick<AuditReport, 'result' | 'targets'>, detail: Detail) {
  const tookTurns = (target: TargetReport): boolean => countedRuns(target).some(({ order }) => order !== undefined);
  const turns = pagesWithSteps(targets).length > 1 && targets.some(tookTurns);
  return [
    ...(result.notes ?? []),
    ...(turns && detail !== 'brief'
      ? [
          'The pages were loaded in turn: each round loaded every page once, so a slow phase of the machine affects all of them.',
        ]
      : []),
  ];
}
