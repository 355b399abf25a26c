import { figureOf } from '../../core/metrics/figure.ts';
import type { LighthouseResult } from '../../model/lighthouse/lighthouse.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { otherAdvice } from '../../result/fixes.ts';
import { ABSENT, formatCount, formatInterval, formatValue, joined } from '../../wording/text/format.ts';
import {
  categoryTitle,
  lighthouseFailures,
  lighthouseMetricTitle,
  lighthouseName,
  lighthouseWarnings,
  scoreText,
} from '../lighthouse.ts';
import { alert, type Cell, type Detail, details, type Fact, list, type Part, paragraph, table } from '../parts.ts';
import type { Chapter, Page } from './page.ts';

/** Endpoints that are named. */
const MAX_ENDPOINTS = 6;

/** Its scores and metrics beside ours, what would save most besides our fixes, and how it waited. */
export const lighthouse: Chapter = (page) => {
  const { target, detail } = page;
  const result = target.result.lighthouse;
  if (result === undefined) return [];
  const { runs, categories, opportunities } = result;
  const measured = runs.filter(({ ok }) => ok).length;
  const scores = Object.entries(categories).map(
    ([name, { median }]) => [categoryTitle(name), scoreText(median)] as const,
  );
  if (detail === 'brief') {
    const over = runs.length > 1 ? ` (medians of ${formatCount(measured, 'run')})` : '';
    const facts: readonly Part[] =
      scores.length === 0 ? [] : [{ kind: 'facts', title: `${lighthouseName(result)}${over}`, facts: scores }];
    return [...facts, ...failures(result)];
  }
  const line = joined(scores.map(([title, score]) => `${title} ${score}`));
  const times = runs.length === 1 ? 'One run' : `Medians of ${formatCount(measured, 'run')}`;
  const others = otherAdvice(target);
  const nothing =
    opportunities.length === 0
      ? 'It names nothing else that would save time or bytes.'
      : 'All savings that it names are among the fixes above.';
  return details(
    'Lighthouse',
    [
      ...paragraph(
        `${times} of ${lighthouseName(result)} under the same conditions and in the same session, apart from the timed runs. It measures one load by its own rules, so its figures differ from those above. They affect only budgets that name them.`,
      ),
      ...failures(result),
      ...(measured === 0
        ? []
        : [
            { kind: 'figure' as const, name: 'scores' as const, title: 'Scores' },
            {
              kind: 'side-by-side' as const,
              parts: [
                ...ownMetrics(page, result),
                ...table(
                  others,
                  [
                    { title: 'What it would change', cell: ({ title }) => title },
                    { title: 'Time, at most', figures: true, cell: ({ savingsMs }) => formatValue(savingsMs, 'ms') },
                    { title: 'Bytes', figures: true, cell: ({ savingsBytes }) => formatValue(savingsBytes, 'bytes') },
                  ],
                  detail,
                  { title: 'What else would save' },
                ),
                ...(others.length === 0 ? paragraph(nothing, { weight: 'light' }) : []),
              ],
            },
          ]),
      ...waited(result, detail),
    ],
    detail,
    { line: line === '' ? 'It gave no answer' : line },
  );
};

/** Why it failed, where it did. */
export function failures(result: LighthouseResult): readonly Part[] {
  const reasons = lighthouseFailures(result);
  if (reasons.length === 0) return [];
  const partly = result.runs.some(({ ok }) => ok);
  return alert(
    `Lighthouse ${partly ? 'failed in part' : 'gave no answer'}: ${reasons.slice(0, MAX_ENDPOINTS).join(' ')}`,
  );
}

/** Lighthouse's metrics beside ours: of an untimed run under other rules, and so not the same. */
function ownMetrics({ target, columns, detail }: Page, { metrics }: LighthouseResult): readonly Part[] {
  const { summary, evidence } = target.result;
  const timed = countedRuns(target).length;
  return table(
    Object.entries(metrics),
    [
      { title: 'Metric', cell: ([name]) => lighthouseMetricTitle(name, columns) },
      { title: 'Lighthouse', figures: true, cell: ([, theirs]) => withInterval(theirs) },
      {
        title: `Quiesce, ${timed === 1 ? 'one run' : `median of ${timed}`}`,
        figures: true,
        cell: ([name, { unit }]) => {
          const ours = figureOf(summary, name);
          if (ours !== undefined) return withInterval({ ...ours, unit });
          if (name !== 'speedIndex' || evidence?.speedIndex === undefined) return ABSENT;
          return { text: formatValue(evidence.speedIndex, 'ms'), remarks: ['of the run that filmed'] };
        },
      },
    ],
    detail,
    { title: 'Its metrics next to ours' },
  );
}

function withInterval({
  median,
  low,
  high,
  unit,
}: Pick<LighthouseResult['metrics'][string], 'median' | 'unit'> & {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}): Cell {
  const [value, interval] = [formatValue(median, unit), formatInterval(low, high, unit)];
  return { text: { strong: value }, remarks: interval === ABSENT || interval === value ? [] : [interval] };
}

/** How it waited for a page, and how long: what background traffic costs it; its warnings, and where its own report is. */
export function waited(result: LighthouseResult, detail: Detail, title?: string): readonly Part[] {
  const { waited: how, wallTime, pageComplete, runs, representative, report } = result;
  const stands = runs.find(({ index }) => index === representative);
  const more = how.blocked.length - MAX_ENDPOINTS;
  const beside = pageComplete === undefined ? '' : `; the page is complete at ${formatValue(pageComplete, 'ms')}`;
  const blocked = how.blocked.slice(0, MAX_ENDPOINTS).map((endpoint) => ({ code: endpoint }));
  const facts: readonly Fact[] = [
    ['How it waited', how.sentence],
    ...(blocked.length === 0
      ? []
      : [
          [
            'Blocked meanwhile',
            { text: '', remarks: [...blocked, ...(more > 0 ? [`and ${more} more`] : [])] },
          ] as const,
        ]),
    ...(how.cap === undefined || stands === undefined
      ? []
      : [
          [
            'Longest it may wait',
            `${formatValue(how.cap, 'ms')}; ${stands.capReached === true ? 'that ended its waiting' : 'it was done before'}`,
          ] as const,
        ]),
    ...(wallTime === undefined
      ? []
      : [['It took', `${formatValue(wallTime.median, 'ms')} for waiting and judging${beside}`] as const]),
  ];
  return [
    { kind: 'facts', facts, ...(title !== undefined && { title }) },
    ...list(
      lighthouseWarnings(result).map((text) => ({ mark: 'warning', text })),
      detail,
    ),
    ...(report === undefined
      ? []
      : paragraph(['Lighthouse’s own report: ', { file: report, of: 'lighthouse' }], { weight: 'light' })),
  ];
}
