import type { PageCompleteResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { count, seconds } from './background/words.ts';

/** A share of the pixels: "0.0 %"; never "0.0 %" of what does differ. */
function shareInWords(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 0.05 ? 'less than 0.1 %' : `${percent.toFixed(1)} %`;
}

/** What holding the suspects back showed, in one sentence. */
export function ablationSentence(
  held: number,
  comparison: { readonly same: boolean; readonly share: number },
  completeAt: Ms | undefined,
  raw: PageCompleteResult['raw'],
): string {
  const differ = `${shareInWords(comparison.share)} of its pixels differ`;
  const looks = comparison.same ? `looks the same (${differ})` : `looks different (${differ})`;
  const when = completeAt === undefined ? 'is not complete' : `is complete at ${seconds(completeAt)}`;
  const instead = raw.state === 'complete' ? seconds(raw.at ?? 0) : raw.state === 'never' ? 'never' : 'an unknown time';
  return `With ${count(held, 'endpoint')} held back the page ${looks} and ${when}; plain quiescence with everything says ${instead}.`;
}
