import type { PageCompleteResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { count, duration } from './background/words.ts';
import { percent } from './experiment/figures.ts';

/** What holding the suspects back showed, in one sentence. */
export function ablationSentence(
  held: number,
  comparison: { readonly same: boolean; readonly share: number },
  completeAt: Ms | undefined,
  raw: PageCompleteResult['raw'],
): string {
  const differ = `${percent(comparison.share)} of its pixels differ`;
  const looks = comparison.same ? `looks the same (${differ})` : `looks different (${differ})`;
  const when = completeAt === undefined ? 'is not complete' : `is complete after ${duration(completeAt)}`;
  const instead =
    raw.state === 'complete' ? duration(raw.at ?? 0) : raw.state === 'never' ? 'never' : 'an unknown time';
  return `With ${count(held, 'endpoint')} held back the page ${looks} and ${when}; plain quiescence with everything says ${instead}.`;
}
