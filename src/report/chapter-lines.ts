import type { TargetReport } from '../model/report.ts';
import { backgroundOf } from '../result/background.ts';
import { countedRuns } from '../result/counted-runs.ts';
import { otherFindings } from '../result/findings.ts';
import { shownFrame, shownInteraction } from '../result/interactions.ts';
import { describeEndpoints } from '../wording/endpoints.ts';
import { formatCount, formatShare, formatValue, joined } from '../wording/format.ts';
import { interactionInShort, longestFrameSentence } from '../wording/interactions.ts';
import { blockersOf, blockingSentence, categoriesOf } from '../wording/main-thread.ts';
import { stateInWords } from '../wording/outcome.ts';
import { capitalized, shortName } from '../wording/text.ts';
import { findingTitle } from '../wording/words.ts';
import { budgetsTogether } from './budgets.ts';
import { trustOf } from './fairness.ts';
import { categoryTitle, scoreText } from './lighthouse.ts';

/** What a chapter about a page comes to, in a line: who does not unfold it has read what matters of it. */
export type ChapterLine = (target: TargetReport) => string | undefined;

/** Names that a line lists. */
const NAMED = 3;

export const budgetsLine: ChapterLine = ({ result }) => budgetsTogether(result.budgets)?.sentence;

export const findingsLine: ChapterLine = (target) => {
  const titles = [...new Set(otherFindings(target).map(({ code }) => findingTitle(code)))];
  return titles.length === 0 ? undefined : joined(titles, NAMED);
};

export const interactionsLine: ChapterLine = (target) => {
  const interaction = shownInteraction(target);
  if (interaction !== undefined) return interactionInShort(interaction);
  const frame = shownFrame(target);
  return frame && longestFrameSentence(frame);
};

/** The time is that of the timed runs: those of the trace, which slows scripts down, are for comparing scripts. */
export const mainThreadLine: ChapterLine = ({ result, representative }) => {
  const { mainThread, summary } = result;
  const blockers = blockersOf(representative);
  if (mainThread === undefined) return blockers.length === 0 ? undefined : blockingSentence(blockers);
  const busy = summary.mainThreadTime;
  const [kind] = categoriesOf(mainThread.byCategory)
    .filter(({ category }) => category !== 'other')
    .toSorted((a, b) => b.ms - a.ms);
  const [script] = mainThread.byScript;
  const parts = [
    ...(busy === undefined ? [] : [`busy for ${formatValue(busy.median, 'ms')}`]),
    ...(kind === undefined ? [] : [`most with ${kind.title}`]),
    ...(script === undefined ? [] : [`longest script: ${shortName(script.url)}`]),
  ];
  return capitalized(parts.join('; '));
};

export const coverageLine: ChapterLine = ({ result: { coverage } }) => {
  if (coverage === undefined) return undefined;
  const all = [coverage.scripts, coverage.styles];
  const bytes = all.reduce((sum, each) => sum + each.bytes, 0);
  const unused = all.reduce((sum, each) => sum + each.unused, 0);
  if (unused === 0) return `All ${formatValue(bytes, 'bytes')} were used`;
  return `${formatValue(unused, 'bytes')} of ${formatValue(bytes, 'bytes')} (${formatShare(unused / bytes)}) was not used`;
};

export const backgroundLine: ChapterLine = (target) => {
  const { left, counted } = backgroundOf(target);
  const pageUrl = target.result.finalUrl ?? target.result.url;
  if (left.length + counted.length === 0) return 'None: every request counts';
  const counts =
    counted.length === 0
      ? ''
      : `${formatCount(counted.length, 'endpoint')} ${counted.length === 1 ? 'looks like it, but counts' : 'look like it, but count'}`;
  if (left.length === 0) return counts;
  return `Not counted: ${describeEndpoints(left, pageUrl)}${counts === '' ? '' : `; ${counts}`}`;
};

export const metricsLine: ChapterLine = ({ result: { summary } }) => {
  const all = Object.values(summary);
  const apart = all.filter(({ agreement }) => agreement === 'disagrees').length;
  const figures = formatCount(all.length, 'figure');
  if (all.every(({ agreement }) => agreement === undefined)) return figures;
  return apart === 0 ? `${figures}, on which the runs agree` : `${figures}; the runs disagree on ${apart}`;
};

export const totalsLine: ChapterLine = ({ result: { totals } }) => {
  const types = Object.entries(totals?.byType ?? {}).toSorted(([, a], [, b]) => b.transferSize - a.transferSize);
  const sum = (of: 'requests' | 'transferSize'): number => types.reduce((all, [, each]) => all + each[of], 0);
  const all = sum('transferSize');
  const named = types
    .filter(([, { transferSize }]) => transferSize > 0)
    .slice(0, NAMED)
    .map(([name, { transferSize }]) => `${name} ${formatShare(transferSize / all)}`);
  const total = `${formatValue(all, 'bytes')} in ${formatCount(sum('requests'), 'request')}`;
  return named.length === 0 ? total : `${total}: ${joined(named)}`;
};

export const lighthouseLine: ChapterLine = ({ result: { lighthouse } }) => {
  const scores = Object.entries(lighthouse?.categories ?? {});
  if (scores.length === 0) return 'It gave no answer';
  return joined(scores.map(([name, { median }]) => `${categoryTitle(name)} ${scoreText(median)}`));
};

export const recordingLine: ChapterLine = (target) => {
  const runs = countedRuns(target);
  const [first] = runs;
  if (runs.length > 1) return formatCount(runs.length, 'recording');
  return `Ends after ${formatValue(first?.pageComplete?.observedUntil, 'ms')}; page complete: ${stateInWords(first?.pageComplete)}`;
};

export const fairnessLine: ChapterLine = (target) => capitalized(trustOf(target)?.words.join(', ') ?? '');

/** What lies beside the report. */
export const filesLine: ChapterLine = ({ result: { runs, evidence } }) => {
  const hars = runs.filter(({ har }) => har !== undefined).length;
  const images = new Set(evidence?.film?.map(({ file }) => file) ?? []).size;
  return joined([
    ...(hars === 0 ? [] : [formatCount(hars, 'recording')]),
    ...(images === 0 ? [] : [formatCount(images, 'image')]),
  ]);
};
