import { otherAdvice } from '../../result/fixes.ts';
import { adviceSaves } from '../../wording/fixes.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { categoryTitle, lighthouseFailures, lighthouseName, lighthouseWarnings, scoreText } from '../lighthouse.ts';
import { type Item, list, type Part, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Its scores, what would save most besides our fixes, and how it waited. */
export const lighthouse: Chapter = ({ target, detail }) => {
  const result = target.result.lighthouse;
  if (result === undefined) return [];
  const { runs, categories, wallTime, pageComplete, waited, report } = result;
  const measured = runs.filter(({ ok }) => ok).length;
  const over = runs.length > 1 ? ` (medians of ${formatCount(measured, 'run')})` : '';
  const facts = Object.entries(categories).map(
    ([name, { median }]) => [categoryTitle(name), scoreText(median)] as const,
  );
  const scores: readonly Part[] =
    facts.length === 0 ? [] : [{ kind: 'facts', title: `${lighthouseName(result)}${over}`, facts }];
  const failures = lighthouseFailures(result).map((failure): Item => ({ mark: 'bad', text: `Lighthouse: ${failure}` }));
  if (detail === 'brief') return [...scores, ...list(failures, detail)];
  const beside = pageComplete === undefined ? '' : `; page complete was at ${formatValue(pageComplete, 'ms')}`;
  const own = report === undefined ? '' : ' Its own report is lighthouse.html.';
  const took = wallTime && `It took ${formatValue(wallTime.median, 'ms')}${beside}. ${waited.sentence}${own}`;
  const advice = otherAdvice(target).map((each) => ({ text: `${each.title}: saves up to ${adviceSaves(each)}` }));
  const warnings = lighthouseWarnings(result).map((text): Item => ({ mark: 'warning', text }));
  return [...scores, ...paragraph(took), ...list([...failures, ...warnings, ...advice], detail)];
};
