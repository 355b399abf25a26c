import type { TrendPage, TrendResult } from '../../model/trend.ts';
import { ABSENT, formatCount, formatValue } from '../../wording/format.ts';
import { trendVerdict, unmeasuredSentence } from '../../wording/trend.ts';
import { CHANGE_SIGN, lastChange, shiftText, shortPointName } from '../../wording/trend-words.ts';
import { details, list, others, table } from './blocks.ts';
import { code, prose } from './inert.ts';

/** Pages that the table lists; the report holds all. */
const MAX_PAGES = 20;
const SIGNS = { worse: '🔺', better: '✅', same: '✅' } as const;

/** A summary of a trend for a pull request or a job. */
export function renderTrendMarkdown(result: TrendResult): string {
  const { pages } = result;
  const { tone, word } = trendVerdict(pages);
  const shown = pages.slice(0, MAX_PAGES);
  const blocks = [
    `## ${SIGNS[tone]} Trend: ${word.toLowerCase()}`,
    prose(result.sentence, 1000),
    table(
      [
        { title: 'Page' },
        { title: 'Results', figures: true },
        { title: 'Now', figures: true },
        { title: 'Last change' },
      ],
      shown.map((page) => [code(page.page), formatValue(page.points.length, 'count'), now(page), change(page)]),
    ),
    ...others(pages.length - shown.length),
    details('All changes', list(shown.flatMap(sentencesOf))),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function now({ metrics: [first] }: TrendPage): string {
  const last = first?.values.at(-1);
  return first === undefined || last === undefined ? ABSENT : formatValue(last.median, first.unit);
}

function change(page: TrendPage): string {
  const last = lastChange(page);
  if (last === undefined) return `no change in ${formatCount(page.points.length, 'result')}`;
  const { change: shift, metric } = last;
  const where = shortPointName(page.points[shift.point]);
  return `${CHANGE_SIGN[shift.direction]} ${prose(`${metric.title} ${shiftText(shift, metric)} since ${where}`)}`;
}

function sentencesOf(page: TrendPage): readonly string[] {
  const unmeasured = unmeasuredSentence(page);
  return [
    ...(unmeasured === undefined ? [] : [unmeasured]),
    ...page.metrics.flatMap(({ changes }) => changes.toReversed().map(({ sentence }) => sentence)),
  ].map((sentence) => `${code(page.page)}: ${prose(sentence, 1000)}`);
}
