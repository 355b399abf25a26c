import type { AuditReport, TargetReport, WholeTarget } from '../model/report.ts';
import { backgroundOf } from '../result/background.ts';
import { isBroken } from '../result/health.ts';
import { worstFirst } from '../result/order.ts';
import { outcomesOf } from '../result/outcome.ts';
import { wholeIn } from '../result/pages-with-steps.ts';
import { answerOf, networkIdleOf } from '../result/representative.ts';
import { ABSENT, formatCount, formatValue } from '../wording/format.ts';
import { healthLine } from '../wording/health.ts';
import { agreementInWords, pagesInWords, shortState, tallyInWords } from '../wording/outcome.ts';
import { capitalized } from '../wording/text.ts';
import { calledOf, headingOf, isPlainlyOver, markOf, shortAnswer } from './audit/answer.ts';
import { chapters, firstScreen } from './audit/index.ts';
import type { Page } from './audit/page.ts';
import { budgetsLook, budgetsOfPages } from './budgets.ts';
import { unfairPagesInWords } from './fairness.ts';
import {
  alert,
  type Cell,
  type Column,
  type Detail,
  type Details,
  list,
  type Part,
  paragraph,
  type Text,
} from './parts.ts';
import { shards, unfinished } from './several-machines.ts';

/** The document of an audit or an analysis: one page, or many of which a writer takes as many as it has room for. */
export interface AuditDocument {
  readonly parts: readonly Part[];
  /** A page each, the worst first, made when it is asked for; none of one page alone. */
  readonly pages: Iterable<Details>;
  /** What is said when so many pages were left out. */
  left(count: number): readonly Part[];
  readonly end: readonly Part[];
}

/** Rows of the table of pages; the worst come first. */
const ROWS = 40;
/** Figures of a commit's hash that tell it from all others. */
const COMMIT = 12;

/**
 * @param whole gives a target with all its runs, where the report holds them in short
 */
export function auditDocument(
  report: AuditReport,
  detail: Detail,
  whole: WholeTarget = wholeIn(report),
): AuditDocument {
  const { result, columns, targets } = report;
  const analysis = result.kind === 'analysis';
  const early = unfinished(result);
  const end = [...shards(result, detail), ...(detail === 'brief' ? [] : method(report))];
  const page = (index: number): Page => ({ target: whole(index), result, columns, analysis, detail });
  const body = (of: Page): readonly Part[] => [...firstScreen, ...chapters].flatMap((chapter) => chapter(of));
  const left = (count: number): readonly Part[] =>
    count === 0 ? [] : paragraph(`The report has the details of ${formatCount(count, 'more page')}.`);
  if (targets.length === 0) {
    const heading: Part = {
      kind: 'heading',
      mark: 'invalid',
      text: `Nothing was ${analysis ? 'analysed' : 'measured'}`,
    };
    return { parts: [heading, ...early], pages: [], left, end: [] };
  }
  if (targets.length === 1) {
    const only = page(0);
    return { parts: [headingOf(only.target, analysis), ...early, ...body(only)], pages: [], left, end };
  }
  function* pages(): Iterable<Details> {
    for (const { index } of worstFirst(targets)) {
      const of = page(index);
      const title: Text = [calledOf(of.target), `: ${shortAnswer(of.target, analysis)}`].flat();
      yield { kind: 'details', title, parts: body(of) };
    }
  }
  return { parts: [...overview(report, analysis, detail, early)], pages: detail === 'brief' ? [] : pages(), left, end };
}

function overview(
  { result, targets }: AuditReport,
  analysis: boolean,
  detail: Detail,
  early: readonly Part[],
): readonly Part[] {
  const sorted = worstFirst(targets).map(({ target }) => target);
  const [worst] = sorted;
  const [outcome] = outcomesOf(sorted.map((target) => target.result));
  const standing = sorted.find((target) => isPlainlyOver(target)) ?? worst;
  const count = pagesInWords(targets, analysis ? 'recorded page' : 'page');
  // Pages are recorded once, as a rule: nothing to agree with.
  const several = sorted.some((target) => (target.result.summary.pageComplete?.n ?? 0) > 1);
  const budgeted = sorted.some((target) => target.result.budgets !== undefined);
  const broken = sorted.some((target) => isBroken(target.result));
  const columns: readonly Column[] = [
    { title: 'Page' },
    { title: 'Page complete', figures: true },
    ...(budgeted ? [{ title: 'Budgets' }] : []),
    ...(several ? [{ title: analysis ? 'Recordings' : 'Runs', worth: 3 }] : []),
    { title: 'Network idle', figures: true, worth: 2 },
    { title: 'Background left out', figures: true, worth: 1 },
    ...(broken ? [{ title: 'What is wrong', long: true }] : []),
  ];
  const rows = sorted.slice(0, ROWS).map((target): readonly (Cell | Text)[] => {
    const { budgets, summary } = target.result;
    return [
      calledOf(target),
      { mark: markOf(target), text: shortAnswer(target, analysis) },
      ...(budgeted ? [budgetCell(budgets)] : []),
      ...(several ? [agreementInWords(summary.pageComplete)] : []),
      shortState(networkIdleOf(target)),
      answerOf(target) === undefined ? ABSENT : formatValue(backgroundOf(target).left.length, 'count'),
      ...(broken ? [whatIsWrong(target)] : []),
    ];
  });
  const more = sorted.length - ROWS;
  const heading = standing === undefined || outcome === undefined ? 'invalid' : markOf(standing);
  return [
    { kind: 'heading', mark: heading, text: `${count} ${analysis ? 'analysed' : 'audited'}` },
    ...paragraph(tallyInWords(sorted, analysis), { weight: 'strong' }),
    ...unfairPages({ result, targets }),
    ...early,
    ...paragraph(budgetsOfPages(targets)),
    ...list(
      (result.notes ?? []).map((text) => ({ text })),
      detail,
    ),
    { kind: 'table', columns, rows, ...(more > 0 && { more: `and ${more} more, which the report lists` }) },
  ];
}

/** That the machine was busy with other things while pages were measured; each says how much. */
export const unfairPages = ({ result, targets }: Pick<AuditReport, 'result' | 'targets'>): readonly Part[] =>
  result.kind === 'analysis' ? [] : alert(unfairPagesInWords(targets), false);

function budgetCell(budgets: TargetReport['result']['budgets']): Cell | Text {
  const look = budgetsLook(budgets);
  if (look === undefined) return ABSENT;
  return { mark: look.tone === 'better' ? 'good' : look.tone === 'worse' ? 'bad' : 'warning', text: look.text };
}

/** Why a page does not work, as a sentence. */
function whatIsWrong({ result }: TargetReport): string {
  const line = healthLine(result);
  return line?.isBroken ? capitalized(line.rest.replace(/^: /, '')) : '';
}

/** With what it was measured, and of which state of the source. */
function method({ result }: AuditReport): readonly Part[] {
  const { tool, browser, source, kind } = result;
  const [done, where] = kind === 'analysis' ? ['Analysed', 'recorded by'] : ['Measured', 'in'];
  return paragraph([
    `${done} with Quiesce `,
    { code: tool.version },
    `, ${where} `,
    { code: browser.product },
    ...(browser.elsewhere ? [' on another machine'] : []),
    ...(source === undefined ? [] : [', commit ', { code: source.commit.slice(0, COMMIT) }]),
    ['.', ...(browser.notes ?? [])].join(' '),
  ]);
}
