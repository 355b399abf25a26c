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
  return `With ${count(held, 'endpoint')} held back the page ${looks} and ${when}; ${instead(raw)}.`;
}

/** What plain quiescence says of the page with nothing held back. */
function instead({ state, at }: PageCompleteResult['raw']): string {
  if (state === 'never') return 'plain quiescence with everything says never';
  return state === 'complete' && at !== undefined
    ? `plain quiescence with everything says ${duration(at)}`
    : 'what plain quiescence with everything says is not known, because watching ended before all was quiet for long enough';
}
