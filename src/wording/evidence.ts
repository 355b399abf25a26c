import type { PageCompleteResult } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { formatCount, formatShare, formatValue } from './format.ts';

/** What holding the suspects back showed, in one sentence. */
export function ablationSentence(
  held: number,
  comparison: { readonly same: boolean; readonly share: number },
  completeAt: Ms | undefined,
  raw: PageCompleteResult['raw'],
): string {
  const differ = `${formatShare(comparison.share)} of its pixels differ`;
  const blocked = `With ${formatCount(held, 'endpoint')} blocked, the page`;
  if (!comparison.same) {
    return `${blocked} looks different (${differ}): ${held === 1 ? 'it brings' : 'some of them bring'} something that is seen.`;
  }
  const when = completeAt === undefined ? 'is not complete' : `is complete after ${formatValue(completeAt, 'ms')}`;
  return `${blocked} looks the same (${differ}) and ${when}. ${instead(raw)}.`;
}

/** What network idle says of the page with nothing held back. */
function instead({ state, at }: PageCompleteResult['raw']): string {
  if (state === 'never') return 'Without blocking, network idle says never';
  return state === 'complete' && at !== undefined
    ? `Without blocking, network idle says ${formatValue(at, 'ms')}`
    : 'What network idle says without blocking is not known, because watching ended before the network was quiet for long enough';
}
