import type { AuditReport, WholeTarget } from '../model/result/report.ts';
import { worstFirst } from '../result/order.ts';
import { wholeIn } from '../result/pages-with-steps.ts';
import { formatCount } from '../wording/text/format.ts';
import { calledOf, headingOf, shortAnswer } from './audit/answer.ts';
import { chapters, firstScreen } from './audit/index.ts';
import type { Page } from './audit/page.ts';
import { headingOfPages, pagesTogether } from './pages/index.ts';
import { type Detail, type Details, type Part, paragraph, type Text } from './parts.ts';
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
    return { parts: [headingOfPages(report), ...early], pages: [], left, end: [] };
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
  return { parts: pagesTogether(report, detail), pages: detail === 'brief' ? [] : pages(), left, end };
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
