import { notesOf } from '../../result/findings.ts';
import { quietWindowOf } from '../../result/quiet-window.ts';
import { formatValue } from '../../wording/format.ts';
import { watchedInWords } from '../../wording/words.ts';
import { type Item, list } from '../parts.ts';
import type { Chapter, Page } from './page.ts';

/** So long after the quiet window a watcher may look up without having waited for anything, ms. */
const UNHURRIED_MS = 500;

/** What decided the time, who overruled a detector, how long the page was watched, and what blocking the suspects showed. */
export const notes: Chapter = (page) => {
  const { target, detail } = page;
  const ablation = target.result.evidence?.ablation;
  const proof: readonly Item[] =
    ablation === undefined ? [] : [{ text: ablation.sentence, ...(ablation.same && { mark: 'good' as const }) }];
  const said = [...notesOf(target), ...watched(page)].map((text) => ({ text }));
  return detail === 'brief' ? [] : list([...proof, ...said], detail);
};

/** How long the page was watched, where that is longer than every page is. */
function watched({ target, result, analysis }: Page): readonly string[] {
  const answer = target.representative?.pageComplete;
  const because = watchedInWords(answer, analysis);
  if (answer === undefined || because === undefined) return [];
  const usual = (answer.at ?? 0) + (quietWindowOf(target.result, result) ?? 0) + UNHURRIED_MS;
  if (answer.state === 'complete' && answer.observedUntil <= usual) return [];
  return [`${analysis ? 'Recorded' : 'Watched'} for ${formatValue(answer.observedUntil, 'ms')}: ${because}.`];
}
