import { metricTitle } from '../core/metrics/index.ts';
import type { ComparedPage, Decision, MetricComparison } from '../model/compare/comparison.ts';
import type { ComparePagesReport, CompareReport } from '../model/result/report.ts';
import { decides } from '../result/decides.ts';
import { decidingMetric, nounOf } from '../wording/compare/compared-pages.ts';
import { firstReason } from '../wording/compare/why.ts';
import { ABSENT, formatCount, formatValue } from '../wording/text/format.ts';
import { MARKS } from './compare/comparison.ts';
import { compareDocument } from './compare/index.ts';
import { MEDIANS } from './compare/medians.ts';
import { changeInterval, type DecisionHeadline, SIGN, verdictOf } from './comparison.ts';
import {
  alert,
  type Cell,
  type ColumnOf,
  type Detail,
  details,
  list,
  type Part,
  paragraph,
  type Span,
  table,
} from './parts.ts';
import { unfinished } from './several-machines.ts';

/** A page with what its row says. */
interface Row {
  readonly page: ComparedPage;
  readonly report: CompareReport;
  readonly comparison: MetricComparison;
}

/** What the answer of all pages is called. */
const ANSWERS: Readonly<Record<Decision | 'invalid', Omit<DecisionHeadline, 'sign'>>> = {
  slower: { tone: 'worse', word: 'Slower' },
  faster: { tone: 'better', word: 'Faster' },
  same: { tone: 'same', word: 'The same' },
  unsure: { tone: 'unsure', word: 'Undecided' },
  invalid: { tone: 'invalid', word: 'Not valid' },
};
/** The order of the rows: what a reader has to act on first. */
const ORDER: readonly (Decision | 'invalid')[] = ['slower', 'invalid', 'unsure', 'faster', 'same'];
/** Pages whose comparisons a summary holds whole; the report has them all. */
const PAGES_IN_FULL = 6;

/** The answer for all pages. */
export function verdictOfPages({ result }: ComparePagesReport): DecisionHeadline {
  const answer = ANSWERS[result.decision];
  return { ...answer, sign: SIGN[answer.tone] };
}

/** A row for each page, and what has to be known of all. `withLinks`: where each page's own report lies beside it. */
export function pagesTable(report: ComparePagesReport, detail: Detail, withLinks = false): readonly Part[] {
  const { result } = report;
  const rows = rowsOf(report);
  const leftOut = result.targets.flatMap((page) => (page.leftOut === undefined ? [] : [page.leftOut]));
  const noun = nounOf(result.targets).one === 'step' ? 'step' : 'page';
  return [
    ...list(
      leftOut.map((text) => ({ text, mark: 'warning' as const })),
      'all',
    ),
    ...(result.notes ?? []).flatMap((note) => alert(note, false)),
    ...busyPages(rows.filter(({ page }) => page.step === undefined)),
    ...table(rows, columnsOf(rows, withLinks, noun), 'all', {
      noun,
      drawings: [{ name: 'interval', title: 'Against what matters', rows: rows.map(({ comparison }) => comparison) }],
    }),
    ...(detail === 'brief' ? [] : paragraph(result.decisionRule, { weight: 'light' })),
  ];
}

/** The headline, and a row for each page. */
export function pagesOverview(report: ComparePagesReport, detail: Detail): readonly Part[] {
  const { tone, word } = verdictOfPages(report);
  return [
    { kind: 'heading', mark: MARKS[tone], text: word, about: buildsOf(report) },
    ...unfinished(report.result),
    ...paragraph({ strong: report.result.sentence }),
    ...pagesTable(report, detail),
  ];
}

/** The document of several pages: the overview, then the comparison of each; a summary has those that changed. */
export function comparePagesDocument(report: ComparePagesReport, detail: Detail): readonly Part[] {
  const rows = rowsOf(report);
  const shown = detail === 'all' ? rows : rows.filter(({ page }) => page.decision !== 'same').slice(0, PAGES_IN_FULL);
  return [
    ...pagesOverview(report, detail),
    ...shown.flatMap(({ page, report: own }) =>
      details(
        [`${page.name}: ${verdictOf(own).word.toLowerCase()}`, ...reasonOf(page)].join('. '),
        compareDocument(own, detail),
        detail,
      ),
    ),
  ];
}

/** That the machine was busy; each page's own report says how much. */
function busyPages(rows: readonly Row[]): readonly Part[] {
  const busy = rows.filter(({ page }) => page.host.verdict === 'unfit').length;
  if (busy === 0) return [];
  const of =
    busy < rows.length ? ` of ${busy} of ${formatCount(rows.length, 'page')}` : rows.length > 1 ? ' of every page' : '';
  return alert(
    `The machine was busy with something else in many loads${of}. Both builds were slowed down equally, but intervals are wider than on a free machine.`,
    false,
  );
}

/** The names of both builds. */
export function buildsOf({ compared: [report], result }: ComparePagesReport): readonly Span[] {
  if (report === undefined) return [];
  return [{ code: buildOf(report, 'base', result) }, ' → ', { code: buildOf(report, 'candidate', result) }];
}

/** Each page that was compared, what matters first. */
function rowsOf({ result, compared }: ComparePagesReport): readonly Row[] {
  const rows = result.targets.flatMap((page, i): readonly Row[] => {
    const report = compared[i];
    const comparison =
      (page.decision === 'invalid' ? undefined : decidingMetric(page, page.decision)) ?? page.comparisons[0];
    return page.leftOut !== undefined || report === undefined || comparison === undefined
      ? []
      : [{ page, report, comparison }];
  });
  const rankOf = ({ page }: Row): number => (decides(page) ? ORDER.indexOf(page.decision) : ORDER.length);
  return rows.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The name of a build without the page, which is another in each row. */
function buildOf(
  report: CompareReport,
  build: 'base' | 'candidate',
  { targets }: ComparePagesReport['result'],
): string {
  const name = report[build].result.target;
  const path = targets[0]?.path ?? '';
  return name.endsWith(` ${path}`) ? name.slice(0, -path.length - 1) : name;
}

/** Why it changed, where that is proven. */
function reasonOf(page: ComparedPage): readonly string[] {
  const reason = firstReason(page);
  return reason === undefined ? [] : [`Why: ${reason}`];
}

function columnsOf(rows: readonly Row[], withLinks: boolean, noun: string): readonly ColumnOf<Row>[] {
  const isOneMetric = new Set(rows.map(({ comparison }) => comparison.metric)).size === 1;
  return [
    {
      title: noun === 'step' ? 'Step' : 'Page',
      cell: ({ page, comparison }): Cell => ({
        text: withLinks ? { file: `${page.folder}/index.html`, of: 'page', says: page.name } : { strong: page.name },
        remarks: [
          ...(page.name === page.path || page.step !== undefined || noun === 'step' ? [] : [{ code: page.path }]),
          ...(isOneMetric ? [] : [metricTitle(comparison.metric)]),
          ...reasonOf(page),
        ],
      }),
    },
    ...MEDIANS,
    { title: 'Interval', worth: 1, cell: ({ comparison }) => changeInterval(comparison) },
    {
      title: 'Decision',
      cell: ({ page, report }): Cell => {
        if (!decides(page)) return { text: 'no gate' };
        const { tone, word } = verdictOf(report);
        const fails = page.failedGates.length > 0;
        return {
          mark: MARKS[tone],
          text: fails ? [`${word.toLowerCase()}, `, { strong: 'gate fails' }] : word.toLowerCase(),
        };
      },
    },
    {
      title: 'Pairs',
      figures: true,
      worth: 3,
      cell: ({ page }) => (page.design.pairs === 0 ? ABSENT : formatValue(page.design.pairs, 'count')),
    },
  ];
}
